"""Which holes are asked for, when, and how often."""

from __future__ import annotations

import pytest
from tests.unit.sync.hole_world import World, hole, spec

from pillarbox.sync.hole_specs import HoleLimits
from pillarbox.sync.holes import GivenOut
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    DropTimer,
    Failed,
    Flood,
    Log,
    Poke,
    Refused,
    RoleChanged,
    Send,
    SessionChanged,
    SessionLost,
    SetTimer,
    Stopped,
    Ticked,
    Transient,
    Woken,
)

TOP = hole(99, 1)
COOLDOWN = 20_000


def test_a_hole_that_is_wanted_is_asked_for_once() -> None:
    """8.2, E-16."""
    world = World()

    world.want(TOP)
    world.want(TOP)

    assert [asking.hole for asking in world.asked()] == [TOP]


def test_of_holes_with_one_key_the_second_waits_for_the_first() -> None:
    """8.3, E-16: one fetch per key."""
    world = World()

    world.want(TOP, hole(1, 50))
    first = world.asked()
    world.answer(3)
    second = world.asked()

    assert len(first) == len(second) == 1
    assert {first[0].hole, second[0].hole} == {TOP, hole(1, 50)}


def test_holes_with_other_keys_are_asked_for_beside_each_other() -> None:
    """8.3."""
    world = World()

    world.want(hole(99, 1, "a"), hole(99, 1, "b"))

    assert len(world.asked()) == 2


def test_no_more_than_the_limit_are_asked_for_at_one_time() -> None:
    """8.3: what has no room is asked for when another one has ended."""
    world = World(spec(limits=HoleLimits(parallel=2)))
    world.want(*(hole(99, 1, letter) for letter in "abc"))
    assert len(world.asked()) == 2

    world.want(*(hole(99, 1, letter) for letter in "abc"))
    sent_again = world.take(Send)
    world.want(hole(99, 1, "c"), hole(99, 1, "b"))
    leaving = world.take(SetTimer)[-1]
    world.now = leaving.due
    world.feed(Ticked(world.now, leaving.id))

    assert not sent_again
    assert [asking.hole.at for asking in world.asked()] == [("c",)]


def test_the_highest_comes_first_where_the_schema_says_so() -> None:
    """8.6: one at a time, the highest first."""
    world = World(spec(limits=HoleLimits(parallel=1), highest_first=True))

    world.want(hole(9, 1, "a"), hole(80, 1, "b"), hole(10, 1, "c"))

    assert [asking.hole.start for asking in world.asked()] == [80]


@pytest.mark.parametrize("outcome", ["answer", "nothing"])
def test_a_hole_is_left_alone_after_it_was_asked_for(outcome: str) -> None:
    """8.3: the cooldown is that of the whole entry, from completion, whatever came of it."""
    world = World()
    world.want(TOP)
    world.asked()
    world.now = 700

    if outcome == "answer":
        world.answer(99)
    else:
        world.feed(Failed(world.now, world.last, Transient("no line")))
    world.want(TOP)
    timer = world.take(SetTimer)[-1]
    too_soon = world.asked()
    world.now = timer.due
    world.tables.missing.add(99)
    world.feed(Ticked(world.now, timer.id))

    assert timer.due == 700 + COOLDOWN
    assert not too_soon
    assert [asking.hole for asking in world.asked()] == [TOP]


def test_a_smaller_hole_of_the_same_key_is_another_entry() -> None:
    """8.3: the page that came is followed by the next one at once."""
    world = World()
    world.want(TOP)
    world.asked()

    world.answer(99, 95)
    world.want(hole(94, 1))

    assert [asking.hole.start for asking in world.asked()] == [94]


def test_a_recipe_forgets_all_cooldowns() -> None:
    """8.3: `reset` forgets cooldowns, because it opens holes that were asked for before."""
    world = World()
    world.want(TOP)
    world.asked()
    world.feed(Failed(0, world.last, Transient()))
    kept = world.asked()

    world.feed(Poke(1, world.holes.owner, GivenOut((), {})))
    kept += world.asked()
    world.feed(Poke(1, world.holes.owner, GivenOut(None, {})))

    assert not kept
    assert [asking.hole for asking in world.asked()] == [TOP]


def test_who_looks_on_does_not_end_a_flood() -> None:
    """Section 12: each step of a view wants another hole of the same key, as far as it goes."""
    other = hole(1, 50, "another group")
    world = World()
    world.want(TOP)
    world.asked()
    world.feed(Failed(0, world.last, Flood(60_000)))

    world.now = 59_999
    world.want(hole(80, 1), other)
    early = world.asked()
    world.want(hole(60, 1), other)
    (due,) = world.take(SetTimer)
    world.now = 60_000
    world.feed(Ticked(world.now, due.id))

    assert [asking.hole for asking in early] == [other]
    assert due.due == world.now
    assert [asking.hole for asking in world.asked()] == [hole(60, 1)]


def test_a_recipe_does_not_end_a_flood() -> None:
    """Section 12: nor does a transaction of the program, of which nobody knows what it does either."""
    world = World()
    world.want(TOP)
    world.asked()
    world.feed(Failed(0, world.last, Flood(60_000)))

    world.now = 59_999
    world.feed(Poke(world.now, world.holes.owner, GivenOut(None, {})))
    too_soon = world.asked()
    world.now = 60_000
    world.feed(Poke(world.now, world.holes.owner, GivenOut(None, {})))

    assert not too_soon
    assert [asking.hole for asking in world.asked()] == [TOP]


def test_a_new_session_asks_at_once_for_what_failed_for_want_of_one_and_for_nothing_else() -> None:
    """Who opened a screen before there was a connection would else look at nothing for 20 s."""
    world = World()
    world.want(TOP)
    world.asked()
    world.feed(Failed(0, world.last, SessionLost()))
    world.feed(SessionChanged(1))
    again = world.asked()
    world.feed(Failed(2, world.last, Transient()))
    world.feed(SessionChanged(3))

    assert [asking.hole for asking in again] == [TOP]
    assert not world.asked()


def test_what_is_lost_with_the_session_before_is_asked_for_in_the_new_one() -> None:
    """That there is a new one may be heard before what became of the questions of the old one."""
    world = World()
    world.want(TOP)
    world.asked()
    world.feed(SessionChanged(1))
    world.feed(Failed(2, world.last, SessionLost()))
    again = world.asked()
    world.feed(Failed(3, world.last, SessionLost()))

    assert [asking.hole for asking in again] == [TOP]
    assert not world.asked(), "once for each session"


def test_what_nobody_wants_any_more_is_cancelled_after_a_while() -> None:
    """8.3, E-16: none runs 0.7 s after the last watcher left."""
    world = World()
    world.want(TOP)
    world.asked()
    world.now = 1_000

    world.want()
    [timer] = world.take(SetTimer)
    kept = world.take(Cancel)
    world.now = timer.due
    world.feed(Ticked(world.now, timer.id))

    assert timer.due <= 1_700
    assert not kept
    assert [cancel.id for cancel in world.take(Cancel)] == [world.last]
    assert world.holes.is_resting


def test_what_is_wanted_again_soon_goes_on() -> None:
    """8.3: a discarded entry that returns is taken back, not asked for again."""
    world = World()
    world.want(TOP)
    world.asked()

    world.want()
    [timer] = world.take(SetTimer)
    world.want(TOP)

    assert [drop.id for drop in world.take(DropTimer)] == [timer.id]
    assert not world.asked()
    assert not world.take(Cancel)


def test_a_discarded_entry_blocks_its_key_until_it_ends() -> None:
    """8.3, E-16: another hole of the key waits."""
    world = World()
    world.want(TOP)
    world.asked()

    world.want(hole(50, 1))
    before = world.take(Send)
    [timer] = world.take(SetTimer)
    world.now = timer.due
    world.feed(Ticked(world.now, timer.id))

    assert not before
    assert [asking.hole for asking in world.asked()] == [hole(50, 1)]


def test_without_recycling_a_fetch_is_cancelled_at_once() -> None:
    """8.6: a hole that vanishes from the wanted set cancels its fetch."""
    world = World(spec(limits=HoleLimits(recycle_ms=0)))
    world.want(TOP)
    world.asked()

    world.want()

    assert [cancel.id for cancel in world.take(Cancel)] == [world.last]


@pytest.mark.parametrize("failure", [Transient(), Refused("GONE"), SessionLost(), Flood(30_000)])
def test_a_failure_is_not_tried_again_in_its_place(
    failure: Transient | Refused | SessionLost | Flood,
) -> None:
    """H-4: the fetch ends without a result, and it is said."""
    world = World()
    world.want(TOP)
    world.asked()

    world.feed(Failed(0, world.last, failure))

    assert not world.asked()
    assert [log.rule for log in world.take(Log)] == ["H-4"]
    assert world.holes.is_resting
    assert world.take(SetTimer)[-1].due == (30_000 if isinstance(failure, Flood) else COOLDOWN)


def test_an_answer_of_another_kind_ends_it() -> None:
    """H-4."""
    world = World()
    world.want(TOP)
    world.asked()

    world.feed(Answered(0, world.last, "no page"))

    assert world.holes.is_resting
    assert world.tables.rows == set()
    assert len(world.take(Log)) == 1


def test_only_the_master_fetches() -> None:
    """P-3."""
    world = World(master=False)

    world.want(TOP)
    alone = world.asked()
    world.feed(RoleChanged(5, True))
    world.want(TOP)

    assert not alone
    assert len(world.asked()) == 1


def test_who_is_master_no_more_lets_all_go() -> None:
    """P-3: no fetch goes on, and none begins."""
    world = World()
    world.want(TOP)
    world.asked()

    world.feed(RoleChanged(5, False))
    world.want(hole(50, 1))
    world.feed(Woken(6))

    assert [cancel.id for cancel in world.take(Cancel)] == [world.last]
    assert not world.asked()


def test_nothing_is_told_after_the_end() -> None:
    """8.3: what runs is cancelled."""
    world = World()
    world.want(TOP)
    world.asked()

    world.feed(Stopped(1))
    world.want(TOP)

    assert len(world.take(Cancel)) == 1
    assert not world.asked()


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    """8.3: it was cancelled, and came all the same."""
    world = World(spec(limits=HoleLimits(recycle_ms=0)))
    world.want(TOP)
    world.asked()
    world.want()

    world.answer(99)

    assert world.tables.rows == set()
    assert 99 in world.tables.missing


def test_equal_machines_tell_equal_things() -> None:
    """E-11: whatever order the set of what is wanted has."""
    holes = [hole(99, 1, letter) for letter in "abcdefgh"]
    one, other = World(), World()

    one.want(*holes)
    other.want(*reversed(holes))

    assert one.told == other.told
