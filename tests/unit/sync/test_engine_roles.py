"""What is owed when the role of the master goes, a session begins, or its row was forgotten."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    COVERED,
    CURSORS,
    A,
    Tables,
    U,
    body,
    channel,
    channel_at,
    protocol,
    push,
)

from pillarbox.sync import Limits
from pillarbox.sync.debt_rows import NO_RUN
from pillarbox.sync.protocol import Difference, Poll, SyncProtocol
from pillarbox.sync.signals import RoleChanged, SessionChanged, Woken


def refused_twice(rig: Rig) -> Rig:
    """Channel 5 is private, and that was followed a moment ago: what follows this time waits."""
    for end in (52, 53):
        rig.receive(push(U("x", channel(end)))).refuse("difference", "PRIVATE", cursor=CHANNEL)
        if end == 52:
            rig.answer("difference", A(set={0: 10}), cursor=ACCOUNT)
    assert rig.sent == {}
    return rig


def of_another() -> SyncProtocol:
    """What is missing of channel 5 when it is private, channel 6 knows."""
    difference = CURSORS[CHANNEL].difference
    assert isinstance(difference, Difference)
    errors = {**difference.errors, "PRIVATE": Poll(CHANNEL, 6)}
    spec = replace(CURSORS[CHANNEL], difference=replace(difference, errors=errors))
    return protocol(cursors={**CURSORS, CHANNEL: spec})


def test_what_fails_and_was_forgotten_is_not_asked_about_again() -> None:
    """K-13, P-4: it is owed to nobody."""
    rig = rig_at().receive(push(U("x", channel(52))))
    rig.tables.debts.clear()

    for _ in range(4):
        rig.fail("difference").wait(1_000)

    assert rig.wait(60_000).waiting("difference") == []


def test_what_fails_and_stands_is_asked_about_again() -> None:
    """K-13."""
    rig = rig_at().receive(push(U("x", channel(52))))

    for _ in range(4):
        rig.fail("difference").wait(1_000)
    rig.wait(5_000)

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


def test_what_follows_on_a_refusal_does_not_wait_for_a_role_to_come_back() -> None:
    """K-10, K-13: what is refused is owed no more, so no master that comes would find it."""
    rig = refused_twice(rig_at())

    rig.step(RoleChanged(rig.now, False))
    rig.work()

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
    rig.answer("difference", A(set={0: 10}))
    assert rig.wait(60_000).sent == {}, "once"


def test_what_follows_on_a_refusal_is_owed_to_the_next_master() -> None:
    """K-10, K-13, E-13."""
    rig = Rig(channel_at(), of_another()).start()
    for end in (52, 53):
        rig.receive(push(U("x", channel(end)))).refuse("difference", "PRIVATE", cursor=CHANNEL)
        if end == 52:
            rig.answer("difference", A(set={0: 1}), cursor=CHANNEL)
    assert (rig.sent, rig.tables.debts) == ({}, {})

    rig.step(RoleChanged(rig.now, False))
    rig.work()

    assert (rig.sent, list(rig.tables.debts)) == ({}, [(CHANNEL, 6)])


def test_what_follows_on_a_refusal_of_another_session_is_asked_in_this_one() -> None:
    """K-10: once, and it is none of the questions that a session begins with."""
    rig = Rig(channel_at(), of_another()).start()
    for end in (52, 53):
        rig.receive(push(U("x", channel(end)))).refuse("difference", "PRIVATE", cursor=CHANNEL)
        if end == 52:
            rig.answer("difference", A(set={0: 1}), cursor=CHANNEL)

    rig.step(SessionChanged(rig.now))
    rig.work()

    assert sorted(cursor for _, cursor, *_ in rig.waiting("difference")) == [ACCOUNT, CHANNEL]
    rig.answer("difference", A(set={0: 10}), cursor=ACCOUNT).answer("difference", A(set={0: 2}))
    assert rig.wait(60_000).sent == {}


def test_what_a_session_asks_anyway_is_not_asked_twice() -> None:
    """K-10, U-11."""
    rig = refused_twice(rig_at())

    rig.step(SessionChanged(rig.now))
    rig.work()
    rig.answer("difference", A(set={0: 10}))

    assert rig.wait(60_000).sent == {}


def test_what_an_answer_asks_for_is_asked_though_the_role_went_while_it_was_written() -> None:
    """P-3, E-6: it is written, so nobody else learns that the account has more."""
    rig = rig_at().receive(push(U("x", channel(52))))
    found = body(U("52", channel(52), acts=(Poll(ACCOUNT),)), covered=COVERED)
    rig.answer("difference", A(set={0: 52}, body=found), work=False)
    rig.work_one()
    assert rig.store, "it is being written"

    rig.step(RoleChanged(rig.now, False))
    rig.work()

    assert rig.position(CHANNEL, 5) == (52,)
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]


def test_what_was_refused_is_asked_about_in_a_new_session_where_no_cursor_is_one_in_the_box() -> None:
    """K-10, Q6: nothing else reads what is owed there."""
    spec = protocol(cursors={CHANNEL: replace(CURSORS[CHANNEL], travels=None, inside=None)}, resets={})
    rig = Rig(Tables({(CHANNEL, 5): (50,)}), spec).start().receive(push(U("x", channel(52))))
    rig.refuse("difference", "STOP")
    assert list(rig.tables.debts) == [(CHANNEL, 5)]

    rig.step(SessionChanged(rig.now))
    rig.work()

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


def test_what_was_refused_and_another_process_owes_anew_is_asked_about() -> None:
    """K-10, K-14: as it is where this process owes it."""
    rig = rig_at().receive(push(U("x", channel(52)))).refuse("difference", "STOP")
    row = rig.tables.debts[CHANNEL, 5]
    rig.step(Woken(rig.now))
    rig.work()
    assert rig.sent == {}, "Q6: not the same once more"

    rig.tables.debts[CHANNEL, 5] = row._replace(run=NO_RUN)
    rig.step(Woken(rig.now))
    rig.work()

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]
    rig.refuse("difference", "STOP").step(Woken(rig.now))
    rig.work()
    assert rig.wait(60_000).sent == {}


def test_what_could_not_be_written_while_the_role_was_gone_is_asked_about_once_it_is_back() -> None:
    """K-13, P-3: the row stands, and nobody else pays for it."""
    rig = rig_at().receive(push(U("x", channel(52))))
    rig.answer("difference", A(set={0: 52}, body=body(U("52", channel(52)), covered=COVERED)), work=False)
    rig.work_one()
    assert rig.store, "it is being written"

    rig.step(RoleChanged(rig.now, False))
    rig.work_one(failure="no space left")
    rig.step(RoleChanged(rig.now, True))
    rig.work()
    rig.wait(5_000).answer("difference", A(set={0: 52}))

    assert rig.tables.debts == {}


def test_what_could_not_be_written_while_the_role_was_gone_is_told_by_who_has_it() -> None:
    """A-11: nobody would take it back."""
    rig = Rig(channel_at(), limits=Limits(untaken_tries_max=1)).start().receive(push(U("x", channel(52))))
    rig.answer("difference", A(set={0: 52}, body=body(U("!", channel(52)), covered=COVERED)), work=False)
    rig.work_one()

    rig.step(RoleChanged(rig.now, False))
    rig.work()

    assert rig.machine.untaken is None
