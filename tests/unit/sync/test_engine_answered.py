"""Wishes that are answered by a container: when they are done, where that lies in memory alone."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import (
    ACCOUNT,
    HOLD_MS,
    PROJECT,
    A,
    C,
    Tables,
    U,
    body,
    channel,
    channel_at,
    keyed,
    push,
    rev,
    seq,
)

from pillarbox.sync import Limits
from pillarbox.sync.claims import Claim
from pillarbox.sync.outbox import AGAIN_MAX
from pillarbox.sync.protocol import Absent, Need, Opened, Poll
from pillarbox.sync.signals import Commit, Resync, RoleChanged


def wished(*done: str, tables: Tables | None = None, limits: Limits | None = None) -> Rig:
    """A wish is on its way; its answer goes where pushes go, and says that this is done."""
    rig = Rig(tables, wishing(*done, containers=(C,)), limits).start()
    show(rig, Wish())
    rig.work()
    return rig


def stands(rig: Rig) -> bool:
    """Whether the wish would be sent again after a crash."""
    outbox = rig.protocol.outbox
    assert outbox is not None
    return outbox.row(None, 1, 1) is not None


def go_on(rig: Rig) -> None:
    """One read, one write, or the timers that are due."""
    if rig.store:
        rig.work_one()
    else:
        rig.push()


def counts(claim: Claim) -> C:
    """A container that only counts."""
    return C(Opened(steps=(claim,)))


LOST = (
    push(U("it")),
    push(U("it", channel(51))),
    push(side=("it",)),
    push(U("it", rev(10, 0))),
    push(U("it", acts=(Poll(1),))),
)


@pytest.mark.parametrize("answer", LOST)
def test_a_wish_stands_until_what_no_poll_brings_is_written(answer: C) -> None:
    """L-4: a crash between the two would lose it, and the wish would not be sent again."""
    rig = wished(tables=channel_at(50))

    rig.answer("wish", answer, work=False)
    while "it" not in rig.tables.done:
        assert stands(rig)
        go_on(rig)

    assert stands(rig)
    rig.work()
    assert not stands(rig)
    assert rig.tables.done == ["it"]


@pytest.mark.parametrize("answer", LOST)
@pytest.mark.parametrize("steps", range(10))
def test_a_crash_at_any_time_loses_nothing_of_an_answer(answer: C, steps: int) -> None:
    """L-4, E-1: what was not written is asked for again, since the wish stands."""
    rig = wished(tables=channel_at(50)).answer("wish", answer, work=False)
    for _ in range(steps):
        go_on(rig)

    after = Rig(rig.tables, rig.protocol).start()
    if stands(after):
        show(after, Wish())
        after.work()
        after.answer("wish", answer)

    assert "it" in after.tables.done
    assert not stands(after)


def test_what_is_done_with_an_answer_that_counts_nothing_is_written_first() -> None:
    """L-4: nothing else tells that it was done."""
    rig = wished("done")

    rig.push(push(U("11", rev(11))))
    rig.answer("wish", push(), work=False)
    while "done" not in rig.tables.done:
        assert stands(rig)
        go_on(rig)
    rig.work()

    assert rig.tables.done == ["11", "done"]
    assert not stands(rig)


@pytest.mark.parametrize("answer", [push(U("it", rev(11))), push(U("it"), claim=seq(8)), counts(rev(12))])
def test_what_a_poll_brings_is_not_waited_for(answer: C) -> None:
    """L-4, C-6: the first poll of the next run asks from where the cursor stands."""
    rig = wished().push(push(U("free")))

    rig.answer("wish", answer, work=False)

    while stands(rig):
        assert "it" not in rig.tables.done
        rig.work_one()


def test_what_waits_for_a_gap_is_not_waited_for() -> None:
    """L-4, G-14: the lane goes on, as what was pushed would."""
    rig = wished(tables=Tables({(1, b""): (10, 5, 7, 0), (3, 1): (3,)}))

    rig.answer("wish", push(U("5", Claim(3, 1, 0, 4, 5))))

    assert (rig.machine.held, stands(rig)) == (1, False)


def again(rig: Rig) -> Rig:
    """It is sent once more."""
    assert stands(rig)
    while not rig.waiting("wish"):
        rig.wait(100)
    return rig


@pytest.mark.parametrize("answer", LOST)
def test_a_wish_whose_answer_could_not_be_written_is_sent_again(answer: C) -> None:
    """L-4, A-11: polls that follow bring nothing of it."""
    rig = wished(tables=channel_at(50)).answer("wish", answer, work=False)
    while not isinstance(rig.store[0] if rig.store else None, Commit):
        go_on(rig)

    rig.work_one(failure="no space left")
    rig.work()
    again(rig).answer("wish", answer).answer("difference", A(), cursor=1)

    assert rig.tables.done == ["it"]
    assert not stands(rig)


def test_a_wish_whose_answer_is_dropped_for_a_poll_is_sent_again() -> None:
    """L-4, Q4: what claims nothing of a counter is not what the poll brings."""
    rig = wished("done").ask(1, Resync()).answer("wish", counts(rev(10, 0))).ask(2, Resync())
    assert rig.machine.held == 1

    rig.answer("difference", A()).answer("difference", A())
    again(rig).answer("wish", counts(rev(10, 0)))

    assert rig.tables.done == ["done"]
    assert not stands(rig)


BEYOND = (
    (push(U("it", rev(12, 0))), push(U("it", rev(13, 0)))),
    (counts(rev(12, 0)), counts(rev(13, 0))),
    (push(U("it", channel(52, 0))), push(U("it", channel(53, 0)))),
    (push(U("it", keyed(PROJECT, 1, 5, 0))), push(U("it", keyed(PROJECT, 1, 6, 0)))),
    (push(U("it", channel(2, 0, key=6))), push(U("it", channel(3, 0, key=6)))),
    # In what moves a counter, and so leaves it behind.
    (push(U("it", channel(52, 0)), claim=seq(8)), push(U("it", channel(53, 0)), claim=seq(9))),
    (push(U("it", channel(2, 0, key=6)), claim=seq(8)), push(U("it", channel(3, 0, key=6)), claim=seq(9))),
)


@pytest.mark.parametrize("answers", BEYOND)
def test_a_wish_whose_answer_counts_nothing_and_is_beyond_a_gap_is_sent_again(answers: tuple[C, C]) -> None:
    """L-4, G-4: who is asked for the gap tells what was counted, and not this."""
    tables = channel_at(50)
    tables.positions[PROJECT, 1] = (3,)
    rig = wished("it", tables=tables) if answers[0].opened.steps else wished(tables=tables)

    rig.answer("wish", answers[0])
    while not rig.waiting("wish"):
        assert stands(rig)
        for _, cursor, key, _ in rig.waiting("difference"):
            end = {ACCOUNT: 13, PROJECT: 6}.get(cursor, 53 if key == 5 else 3)
            rig.answer("difference", A(set={0: end}), cursor=cursor)
        rig.wait(100)
    rig.answer("wish", answers[1])

    assert rig.tables.done == ["it"]
    assert not stands(rig)


@pytest.mark.parametrize("answer", [push(U("it", rev(12, 0))), push(U("it", keyed(PROJECT, 1, 5, 0)))])
def test_what_counts_nothing_is_done_once_where_its_gap_is_closed(answer: C) -> None:
    """L-4, G-15: the wish is not sent again while its answer waits, nor after that was written."""
    rig = wished(tables=Tables({(1, b""): (10, 5, 7, 0), (PROJECT, 1): (3,)})).answer("wish", answer)
    assert (rig.machine.held, stands(rig)) == (1, True)

    rig.wait(1_000).receive(push(*(U(str(end), rev(end)) for end in (11, 12))))
    rig.receive(push(*(U(str(end), keyed(PROJECT, 1, end)) for end in (4, 5)))).wait(60_000)

    assert "wish" not in [request[0] for request in rig.asked[1:]]
    assert rig.tables.done.count("it") == 1
    assert not stands(rig)


def test_a_wish_whose_answer_waits_with_what_counts_nothing_and_is_asked_for_is_sent_again() -> None:
    """L-4, G-4, G-16: who is asked for the gap before the container tells what that counts, and not this."""
    rig = wished(tables=channel_at(50)).answer("wish", push(U("it", channel(50, 0)), claim=seq(9)))
    assert (rig.machine.held, stands(rig)) == (1, True)

    rig.wait(HOLD_MS).answer("difference", A(set={2: 9}), cursor=ACCOUNT)
    again(rig).answer("wish", push(U("it", channel(50, 0)), claim=seq(10)))

    assert rig.tables.done == ["it"]
    assert not stands(rig)


def test_what_counts_nothing_is_done_once_where_the_gap_before_its_container_is_closed() -> None:
    """L-4, G-15."""
    rig = wished(tables=channel_at(50)).answer("wish", push(U("it", channel(50, 0)), claim=seq(9)))

    rig.receive(push(U("8"), claim=seq(8))).wait(60_000)

    assert sorted(rig.tables.done) == ["8", "it"]
    assert (stands(rig), rig.sent) == (False, {})


def test_a_wish_whose_answer_is_dropped_since_too_much_waits_is_sent_again() -> None:
    """L-4, G-16."""
    rig = wished(limits=Limits(held_max=4)).ask(1, Resync())
    rig.receive(*(push(U(f"{number}")) for number in range(3))).answer("wish", push(U("a"), U("b", rev(11))))
    assert rig.machine.held == 0

    rig.answer("difference", A()).answer("difference", A())
    again(rig).answer("wish", push(U("a")))

    assert rig.tables.done == ["a"]
    assert not stands(rig)


def test_an_answer_that_can_never_be_written_holds_up_its_group_for_a_while() -> None:
    """L-4, L-3: it counts as taken in the end, and no faster than tries are."""
    rig = wished()
    begun, times = rig.now, 0

    while stands(rig):
        rig.answer("wish", push(U("!")))
        while rig.waiting("difference"):
            rig.answer("difference", A())
        times += 1
        if stands(rig):
            again(rig)

    assert times == 1 + AGAIN_MAX
    assert rig.now - begun >= sum(200 * number for number in range(1, times))


@pytest.mark.parametrize("claim", [None, rev(10, 0)])
def test_a_wish_whose_answer_lacked_a_row_that_nobody_told_of_is_sent_again(claim: Claim | None) -> None:
    """L-4, A-9: the request for that failed, so the update was left out, and no poll brings it."""
    row = (9, b"row")
    it = push(U("it", claim, needs=(Need(row, Absent.SKIP, ("row",)),)), U("beside"))
    rig = wished().answer("wish", it)
    while rig.waiting("row"):
        rig.fail("row").wait(1_000)
    while rig.waiting("difference"):
        rig.answer("difference", A())
    assert "it" not in rig.tables.done

    again(rig).answer("wish", it).answer("row", A(body=body(side=("+row",), brings=frozenset({row}))))

    assert "it" in rig.tables.done
    assert not stands(rig)


@pytest.mark.parametrize("code", ["done already", None])
def test_a_wish_ends_by_whatever_it_is_answered_when_it_is_sent_again(code: str | None) -> None:
    """L-4, L-3: what was dropped of the answer before is not waited for."""
    rig = wished().answer("wish", push(U("it")), work=False).push()
    while not isinstance(rig.store[0] if rig.store else None, Commit):
        go_on(rig)
    rig.work_one(failure="no space left")
    rig.work()

    if code is None:
        again(rig).answer("wish", "an answer that is no container")
    else:
        again(rig).refuse("wish", code)

    assert not stands(rig)


@pytest.mark.parametrize("answer", LOST)
def test_a_wish_outlasts_a_disk_that_is_full_for_however_long(answer: C) -> None:
    """L-4, A-11: nothing says that its answer can never be written. It is sent no faster than tries are."""
    rig = wished(tables=channel_at(50))
    sent = 0

    for _ in range(100):
        if rig.waiting("wish"):
            sent += 1
            rig.answer("wish", answer, work=False)
        for kind in ("difference", "confirm"):
            if rig.waiting(kind):
                rig.answer(kind, A(), work=False)
        for _ in range(20):
            go_on_ill(rig)
        rig.now += 1_000
    assert stands(rig)
    assert AGAIN_MAX < sent < 40

    again(rig).wait(60_000).answer("wish", answer)
    while rig.waiting("difference"):
        rig.answer("difference", A())
    assert rig.tables.done == ["it"]
    assert not stands(rig)


def test_a_wish_outlasts_others_that_are_always_first() -> None:
    """L-4, P-4: what came with its answer another process has written each time, so its batch is stale."""
    rig = wished()
    rounds = 2 * AGAIN_MAX
    for end in range(11, 11 + rounds):
        rig.answer("wish", push(U("it"), U("more", rev(end))), work=False)
        while not isinstance(rig.store[0] if rig.store else None, Commit):
            go_on(rig)
        rig.tables.positions[ACCOUNT, b""] = (end, 5, 7, 0)
        rig.work()
        assert stands(rig), end
        while rig.waiting("difference"):
            rig.answer("difference", A())
        again(rig)

    rig.answer("wish", push(U("it")))

    assert rig.tables.done == ["it"]
    assert not stands(rig)


def go_on_ill(rig: Rig) -> None:
    """As `go_on`, where the disk is full."""
    if rig.store and isinstance(rig.store[0], Commit):
        rig.work_one(failure="no space left")
    else:
        go_on(rig)


def test_an_answer_that_is_dropped_where_the_role_is_lost_is_left_to_the_next_master() -> None:
    """P-3, L-4."""
    rig = wished().answer("wish", push(U("it")), work=False).push()
    rig.step(RoleChanged(rig.now, master=False))
    while not isinstance(rig.store[0] if rig.store else None, Commit):
        go_on(rig)

    rig.work_one(failure="no space left")
    rig.work()

    assert stands(rig.wait(60_000))
    assert rig.waiting("wish") == []


def test_a_wish_that_waits_for_a_poll_ends_though_the_role_is_lost() -> None:
    """P-3, L-4: its answer is here, so nobody need send it again."""
    rig = wished().ask(1, Resync())
    rig.answer("wish", push(U("it"))).step(RoleChanged(rig.now, master=False))
    rig.work()
    assert stands(rig)

    rig.answer("difference", A(set={0: 11}, body=body(U("11", rev(11)))))

    assert rig.tables.done == ["11", "it"]
    assert not stands(rig)


def test_the_next_of_its_group_is_sent_when_it_is_done() -> None:
    """L-3."""
    wishes = (Wish(), Wish(2, "b"))
    rig = Rig(spec=wishing(wishes=wishes, containers=(C,))).start()
    show(rig, *wishes)
    rig.work()
    rig.ask(1, Resync()).answer("wish", push(U("it")))
    show(rig, *wishes)
    assert rig.waiting("wish") == []

    rig.answer("difference", A()).wait(HOLD_MS)
    show(rig, wishes[1])
    rig.work()

    assert rig.waiting("wish") == [("wish", "b")]
