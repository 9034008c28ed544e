"""Debts outlive their run and are asked about by the master alone."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import CHANNEL, COVERED, A, Page, U, body, channel, channel_at, push

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.protocol import Absent, AnswerKind, Need, Poll
from pillarbox.sync.signals import Commit, Committed, Facts, RoleChanged, Started, Ticked, Woken


def test_debts_of_a_run_that_is_over_are_found_at_the_next_poll() -> None:
    """K-14, P-5, E-13."""
    tables = channel_at()
    tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)

    rig = Rig(tables)
    rig.start()

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]
    rig.answer("difference", A(set={0: 52}))
    assert rig.tables.debts == {}


def test_debts_that_another_process_left_are_found_when_it_has_written() -> None:
    """K-14, P-4, P-3: by the master alone."""
    for master in (True, False):
        rig = Rig(channel_at()).start(master=master)
        rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)

        rig.step(Woken(rig.now))
        rig.work()

        assert bool(rig.sent) == master


def test_a_debt_that_another_run_wrote_anew_is_not_paid() -> None:
    """K-14, E-13."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.tables.debts[CHANNEL, 5] = rig.tables.debts[CHANNEL, 5]._replace(hint=57, run=1)
    rig.answer("difference", A(set={0: 52}))

    assert rig.position(CHANNEL, 5) == (52,)
    assert rig.tables.debts[CHANNEL, 5].run == 1


@pytest.mark.parametrize("cure", ["", "channel"])
def test_what_another_run_owes_too_is_paid_by_what_is_asked_for_since(cure: str) -> None:
    """K-13, K-14, E-13: this run owes it behind the other one, of which it has not heard yet."""
    rig = rig_at().push(push(U("x", channel(52))))
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, None, cure, 1, 7)
    while not rig.sent:
        rig.work_one()

    rig.answer("difference", A(set={0: 52}))

    assert rig.tables.debts[CHANNEL, 5] == Debt(CHANNEL, 5, None, cure, 99, 7)
    assert len(rig.sent) == 1
    if cure:
        rig.answer("pages", Page(("anew",), at=60))
    else:
        rig.answer("difference", A(set={0: 60}))
    assert (rig.tables.debts, rig.position(CHANNEL, 5)) == ({}, (60,))


@pytest.mark.parametrize("heard", [False, True])
def test_what_another_run_forgot_and_owes_anew_is_not_what_was_asked_about(heard: bool) -> None:
    """K-13, E-13: the answer may be of before it was forgotten, so the question is asked once more."""
    rig = rig_at().receive(push(U("free"), acts=(Poll(CHANNEL, 6),)))
    rig.tables.debts[CHANNEL, 6] = Debt(CHANNEL, 6, 3, "", 1, 7)
    if heard:
        rig.step(Woken(rig.now))
        rig.work()

    rig.answer("difference", A(set={0: 52}))

    assert rig.position(CHANNEL, 6) is None
    assert rig.waiting("difference") == [("difference", CHANNEL, 6, None)]
    assert rig.tables.debts[CHANNEL, 6] == Debt(CHANNEL, 6, 3, "", 99, 7)


def test_what_is_owed_once_more_while_it_is_asked_about_is_the_same_debt() -> None:
    """K-13, E-13: its answer is written."""
    rig = rig_at().receive(push(U("x", channel(52))))
    since = rig.tables.debts[CHANNEL, 5].since
    rig.receive(push(U("y", channel(54))))
    assert rig.tables.debts[CHANNEL, 5].since == since

    rig.answer("difference", A(set={0: 54}))

    assert rig.position(CHANNEL, 5) == (54,)
    assert rig.tables.debts == {}


def test_what_was_paid_before_it_is_taken_over_is_owed_no_more() -> None:
    """K-14: the read that shows it is older than the commit that paid."""
    rig = Rig(channel_at()).start()
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1, 7)
    rig.step(Woken(rig.now))
    rig.work_one()
    del rig.tables.debts[CHANNEL, 5]
    rig.work()

    assert rig.tables.debts == {}


def test_what_is_taken_over_is_asked_about_as_it_stands_then() -> None:
    """K-14, K-7: its run asked for a recipe since it was read, and no difference pays for that."""
    rig = Rig(channel_at()).start()
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1, 7)
    rig.step(Woken(rig.now))
    rig.work_one()
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "channel", 1, 7)
    rig.work()

    assert rig.asked == [("pages", 5, 0)]
    rig.answer("pages", Page(("anew",), at=52))
    assert (rig.tables.done, rig.tables.debts) == (["anew"], {})


def test_what_could_not_be_taken_over_is_left_alone_by_who_is_the_master_no_more() -> None:
    """P-3, A-11: by then the next one has taken it over, and pays for nothing of another run."""
    tables = channel_at()
    tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)
    rig = Rig(tables)
    rig.step(Started(rig.now, 99))
    rig.work_one()
    rig.answer("difference", A(AnswerKind.EMPTY), work=False)
    while not isinstance(rig.store[0], Commit):
        rig.work_one()
    rig.work_one(failure="the disk is full")
    rig.step(RoleChanged(rig.now, False))
    rig.wait(10_000)

    assert rig.tables.debts[CHANNEL, 5].run == 1

    rig.step(RoleChanged(rig.now, True))
    rig.work()
    assert rig.tables.debts[CHANNEL, 5].run == 99
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


def test_what_waits_to_be_taken_over_is_left_alone_by_who_is_the_master_no_more() -> None:
    """P-3: a poll holds it up, and the next master has taken it over by then."""
    tables = channel_at()
    tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)
    rig = Rig(tables)
    rig.step(Started(rig.now, 99))
    rig.work()
    rig.step(RoleChanged(rig.now, False))
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 2)
    rig.answer("difference", A(AnswerKind.EMPTY))

    assert rig.tables.debts[CHANNEL, 5].run == 2
    assert not rig.machine.updating

    rig.step(RoleChanged(rig.now, True))
    rig.work()
    assert rig.tables.debts[CHANNEL, 5].run == 99
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


def test_a_debt_that_another_run_writes_over_one_that_was_just_taken_over_is_paid_all_the_same() -> None:
    """K-14, E-13: where the read that shows it is heard of before the commit that took over is."""
    rig = Rig(channel_at()).start()
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)
    rig.step(Woken(rig.now))
    rig.work_one()
    taken = rig.store.pop(0)
    assert isinstance(taken, Commit)
    wrote = taken.draft.apply(rig.tables, rig.protocol)
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)
    rig.step(Woken(rig.now))
    rig.work()
    rig.step(Committed(rig.now, taken.id, Facts((), wrote)))
    rig.work()

    while rig.waiting("difference"):
        rig.answer("difference", A(set={0: 52}))

    assert rig.tables.debts == {}


def test_one_who_is_not_the_master_owes_but_does_not_ask() -> None:
    """P-3."""
    rig = Rig(channel_at()).start(master=False).receive(push(U("x", channel(52))))
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert rig.sent == {}

    rig.step(RoleChanged(rig.now, True))
    rig.work()

    assert len(rig.sent) == 1


def test_one_who_is_the_master_no_more_takes_its_questions_back() -> None:
    """P-3."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.step(RoleChanged(rig.now, False))

    assert rig.sent == {}
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


@pytest.mark.parametrize("more", [False, True])
def test_what_was_being_read_when_it_is_the_master_no_more_comes_to_nothing(more: bool) -> None:
    """P-3: whoever is the master now asks for itself."""
    rig = rig_at().receive(push(U("x", channel(52))))
    needs = (Need((9, b"row"), Absent.IGNORE, ("row", 1)),) if more else ()
    rig.answer("difference", A(set={0: 52}, body=body(U("51", needs=needs), covered=COVERED)), work=False)

    rig.step(RoleChanged(rig.now, False))
    rig.work()

    assert (rig.tables.done, rig.sent) == ([], {})
    assert rig.position(CHANNEL, 5) == (50,)
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


def test_what_cannot_be_taken_over_is_tried_later_each_time() -> None:
    """A-11, K-14: an ill store is left alone for a while."""
    tables = channel_at()
    tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)
    rig = Rig(tables)
    rig.step(Started(rig.now, 99))
    rig.work_one()
    rig.answer("difference", A(AnswerKind.EMPTY), work=False)
    waits = []
    for _ in range(60):
        before = rig.now
        while not rig.store or not isinstance(rig.store[0], Commit):
            if rig.store:
                rig.work_one()
            else:
                rig.now, found = min((at, it) for it, at in rig.timers.items() if it.owner == "debts")
                del rig.timers[found]
                rig.step(Ticked(rig.now, found))
        waits.append(rig.now - before)
        rig.work_one(failure="no space left")

    assert waits[:4] == [0, 100, 200, 300]
    assert waits[-1] == 5_000
