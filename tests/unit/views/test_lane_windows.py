"""Windows of lanes, by example: what is opened, what is read, why it is told."""

from __future__ import annotations

from typing import Any

import pytest
from tests.property.window_world import ITEMS, RANGES, Dials, Item, Recipe, Step, World, view_of

from pillarbox.views import Hole, Interests, LaneWindow, Reads, Suffix, View
from pillarbox.views.parts.part import HOLES, MOVED, MOVED_WINDOW, SHOWN, UNCHANGED
from pillarbox.views.swapped import swapped


def _opened(recipe: Recipe, step: Step) -> tuple[World, Interests, View[Any], LaneWindow[Any, Any]]:
    world, interests = World(), Interests()
    world.commit(step)
    view, window = view_of(recipe)
    view.open(interests, Reads(world.readers, shared=interests))
    return world, interests, view, window


def _replayed(world: World, interests: Interests, window: LaneWindow[Any, Any], step: Step) -> int:
    """What the window alone tells of a commit that turns no dial."""
    record = world.commit(step)
    return window.replay(Reads(world.readers, record.tables, interests), interests.route(record.tables), 0)


def _items(lane: int, *ids: int) -> tuple[Item, ...]:
    return tuple([Item(lane, id_, id_) for id_ in ids])


def test_a_chain_opens_no_lane_that_is_not_reached() -> None:
    rows = (*_items(1, 1, 2), *_items(2, 3, 4), *_items(3, 5, 6))

    _, interests, view, window = _opened(
        Recipe(chain=True), Step(rows, dials=Dials((1, 2, 3), "newest", 2, 0))
    )

    listens = interests.registered(view)
    assert listens >= {("prefix", ITEMS.id, b"\2"), ("prefix", ITEMS.id, b"\3")}
    assert ("prefix", ITEMS.id, b"\1") not in listens
    assert [row.id for row in window.value.entries] == [5, 6]
    assert window.value.earlier == (2, 4, 4)


def test_a_chain_closes_lanes_that_are_no_longer_reached() -> None:
    world, interests, view, window = _opened(
        Recipe(chain=True),
        Step((*_items(1, 1), *_items(2, 3)), dials=Dials((1, 2), "newest", 1, 0)),
    )

    _replayed(world, interests, window, Step(_items(2, 4)))

    assert ("prefix", ITEMS.id, b"\2") in interests.registered(view)
    assert ("prefix", ITEMS.id, b"\1") not in interests.registered(view)


def test_holes_that_are_filled_are_told_as_such() -> None:
    world, interests, _, window = _opened(
        Recipe(holes="ranges"),
        Step(_items(1, 4, 5), missing=((1, 1, 3),), dials=Dials((1,), "newest", 3, 0)),
    )
    reported = window.value.hole

    verdict = _replayed(world, interests, window, Step(_items(1, 3), fetched=((1, 1, 3),)))

    assert verdict == HOLES | MOVED | SHOWN
    assert reported == Hole(None, "ranges", (1,), 3, 1)
    assert window.value.hole is None
    assert not window.value.hole_before


def test_holes_of_another_space_are_not_told() -> None:
    world, interests, _, window = _opened(
        Recipe(holes="ranges"), Step(_items(1, 4), dials=Dials((1,), "newest", 3, 0))
    )
    world.log.clear()

    verdict = _replayed(world, interests, window, Step(missing=((2, 1, 3),)))

    assert verdict == UNCHANGED
    assert not world.log


def test_who_reads_far_from_a_change_makes_no_window_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row beyond those that are held is folded into them, and that is all."""
    world, interests, _, window = _opened(
        Recipe(holes="ranges"),
        Step(_items(1, *range(1, 60)), missing=((1, 70, 80),), dials=Dials((1,), "oldest", 0, 3)),
    )
    taken: list[object] = []
    take = LaneWindow._take

    def heard(self: LaneWindow[Any, Any], reads: Reads) -> int:
        taken.append(self)
        return take(self, reads)

    monkeypatch.setattr(LaneWindow, "_take", heard)

    far = [_replayed(world, interests, window, Step(_items(1, id_))) for id_ in (60, 61)]

    assert far == [UNCHANGED, UNCHANGED]
    assert not taken

    near = _replayed(world, interests, window, Step(gone=((1, 4),)))  # the first behind those shown

    assert near == SHOWN
    assert window.value.later == (1, 5, 5)


def test_an_anchor_in_a_hole_is_waited_for_and_then_kept() -> None:
    world, interests, view, window = _opened(
        Recipe(holes="ranges", wants=True),
        Step(missing=((1, 1, 6),), dials=Dials((1,), ("id", 1, 3), 1, 1, wanted=9)),
    )
    assert window.resolved is None
    assert list(window.wanted()) == [Hole("items", "ranges", (1,), 3, None, 9)]
    assert interests.registered(view) >= {("prefix", RANGES.id, b"\1")}

    verdict = _replayed(world, interests, window, Step(_items(1, 2, 3, 4), fetched=((1, 1, 6),)))
    found = window.resolved
    _replayed(world, interests, window, Step(gone=((1, 3),)))

    assert verdict & (HOLES | MOVED_WINDOW) == HOLES | MOVED_WINDOW
    assert found == window.resolved == Suffix(b"\3\3", unread=True, lane=1, id=3)
    assert [row.id for row in window.value.entries] == [2, 4]


def test_a_window_takes_the_anchor_that_another_has_found() -> None:
    world, interests, _, _ = _opened(
        Recipe(), Step(_items(1, 1, 2, 3), dials=Dials((1,), ("id", 1, 3), 1, 1))
    )
    view, window = view_of(Recipe())

    window.hold(Suffix(b"\2\2", unread=True, lane=1, id=2))
    view.open(interests, Reads(world.readers, shared=interests))

    assert [row.id for row in window.value.entries] == [2, 3]


def test_a_row_that_is_doubted_is_not_shown_and_asked_for() -> None:
    """Its neighbours leave no room for another, so it is wanted for itself."""
    _, _, _, window = _opened(
        Recipe(holes="ranges"),
        Step(_items(1, 1, 2, 3), missing=((1, 2, 2),), dials=Dials((1,), "newest", 3, 0)),
    )

    assert [row.id for row in window.value.entries] == [3]
    assert window.value.hole == Hole(None, "ranges", (1,), 2, 2)
    assert window.value.hole_before


def test_a_row_that_is_shown_in_one_more_place_is_the_same_object_there() -> None:
    row, again = _items(1, 1)[0], _items(1, 1)[0]

    rows, came, gone = swapped((row,), [row, again], ITEMS.key_of)

    assert [one is row for one in rows] == [True, True]
    assert (list(came), list(gone)) == ([row], [])
