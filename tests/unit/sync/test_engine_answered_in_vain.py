"""Wishes whose answers are dropped, or could not be written: they are sent again."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_answered import LOST, again, counts, go_on, stands, wished
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    A,
    C,
    U,
    body,
    channel_at,
    push,
    rev,
)

from pillarbox.sync import Limits
from pillarbox.sync.claims import Claim
from pillarbox.sync.outbox import AGAIN_MAX
from pillarbox.sync.protocol import Absent, Need
from pillarbox.sync.signals import Commit, Resync, RoleChanged


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


def go_on_ill(rig: Rig) -> None:
    """As `go_on`, where the disk is full."""
    if rig.store and isinstance(rig.store[0], Commit):
        rig.work_one(failure="no space left")
    else:
        go_on(rig)


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
