"""Wishes that are answered by a container: when they are done, where that lies in memory alone."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import HOLD_MS, A, C, Tables, U, body, channel, channel_at, push, rev, seq

from pillarbox.sync import Limits
from pillarbox.sync.claims import Claim
from pillarbox.sync.protocol import Opened, Poll
from pillarbox.sync.signals import Resync, RoleChanged


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


def test_a_wish_is_done_where_its_answer_is_dropped_and_asked_for() -> None:
    """L-4, A-9, G-16: nothing of it lies in memory any more."""
    discarded = wished().answer("wish", push(U("!", acts=())))
    assert len(discarded.waiting("difference")) == 1
    assert not stands(discarded)

    full = wished(limits=Limits(held_max=4)).ask(1, Resync())
    full.receive(*(push(U(f"{number}")) for number in range(3))).answer("wish", push(U("a"), U("b", rev(11))))
    assert full.machine.held == 0
    assert not stands(full)


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
