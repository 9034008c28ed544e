"""What a window shows, by definition: every row and every hole is looked at, and nothing else is known.

The sentence: an entry is shown iff no unfetched row could stand between it and the anchor, and of those the
first `before` and `after` are shown. Where an unfetched row could stand is said by ids alone: anywhere
between the rows of its lane whose ids are next to its own. A row whose id is in a hole is not fetched: what
stands of it may be old. Times are in step with ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.property.window_world import Dials, Item, LaneName, Mark, Recipe, World, blocks

from pillarbox.views import Gap, Suffix, Window

#: Places are tuples that order as entries do: (time, id), in a chain with the lane's number before it.
Position = tuple[int, ...]
_TOP = (99,)
_BOTTOM: Position = ()


class Found(NamedTuple):
    """A row, or a marker that does not clip, and its place; of equal places the lane decides."""

    position: Position
    number: int
    row: Any


class Unknown(NamedTuple):
    """A stretch in which a row may be missing: above `low`, and below `high` or, `is_closed`, at it."""

    low: Position
    high: Position
    is_closed: bool
    number: int
    #: The ids, of ranges; the marker.
    what: Any


def expected(recipe: Recipe, world: World, resolved: Any) -> dict[str, Any]:
    """All of a window but its hole, and what holes it may report, as (side, unknown stretches)."""
    return _Oracle(recipe, world, resolved).window()


class _Oracle:
    def __init__(self, recipe: Recipe, world: World, resolved: Any) -> None:
        self.recipe = recipe
        self.world = world
        self.dials: Dials = world.dials
        assert self.dials.lanes is not None
        self.lanes: list[LaneName] = list(dict.fromkeys(self.dials.lanes))
        self.resolved = resolved
        self.anchor = self._anchor()
        self.found = sorted(
            (one for number, name in enumerate(self.lanes) for one in self._rows(number, name)),
            key=lambda one: (one.position, one.number),
        )
        self.unknown = [one for number, name in enumerate(self.lanes) for one in self._unknown(number, name)]

    # ------------------------------------------------------------------------------------- world

    def _position(self, number: int, place: Position) -> Position:
        return (number, *place) if self.recipe.chain else place

    def _anchor(self) -> Position:
        resolved = self.resolved
        if resolved == "newest":
            return _TOP
        if resolved == "oldest":
            return _BOTTOM
        assert isinstance(resolved, Suffix)
        suffix: Any = resolved.suffix
        place = (suffix,) if isinstance(suffix, int) else tuple(suffix)
        if not self.recipe.chain:
            return place
        items = [_item_of(name) for name in self.lanes]
        return (items.index(resolved.lane), *place) if resolved.lane in items else _BOTTOM

    def _items(self, name: LaneName) -> list[Item]:
        items = [row for row in self.world.items.values() if row.open or not self.recipe.where]
        if isinstance(name, int):
            return [row for row in items if row.lane == name]
        if name[0] == "tag":
            return [row for row in items if (row.tag, row.lane) == name[1:]]
        by_name = {(row.lane, row.id): row for row in items}
        return [by_name[one] for one in dict.fromkeys(name[1]) if one in by_name]

    def _rows(self, number: int, name: LaneName) -> list[Found]:
        if not isinstance(name, int) and name[0] == "keys":
            listed = list(dict.fromkeys(name[1]))
            return [
                Found((number, listed.index((row.lane, row.id))), number, row) for row in self._items(name)
            ]
        return [Found(self._position(number, (row.time, row.id)), number, row) for row in self._items(name)]

    def _unknown(self, number: int, name: LaneName) -> list[Unknown]:
        """Where a lane may lack rows."""
        kind = self.recipe.holes
        bottom, top = ((number,), (number, 99)) if self.recipe.chain else (_BOTTOM, _TOP)
        if kind == "none" or (not isinstance(name, int) and name[0] == "keys"):
            return []
        lane = name if isinstance(name, int) else name[2]
        rows = self._rows(number, name)
        if kind == "boundary":
            known = self.dials.boundary
            if known == (0, 0):
                return []
            end = top if known is None else self._position(number, known)
            return [Unknown(bottom, end, False, number, known)]
        if kind == "marks":
            marks = [mark for mark in self.world.marks if mark.lane == lane]
            found = []
            for mark in marks:
                place = self._position(number, (mark.time, mark.id))
                low = max((row.position for row in rows if row.position < place), default=bottom)
                found.append(Unknown(low, place, True, number, mark))
            return found
        known_ids = {row.row.id: row.position for row in rows}
        resolved = self.resolved
        if isinstance(resolved, Suffix) and resolved.id is not None and resolved.lane == lane:
            known_ids.setdefault(resolved.id, self.anchor)
        found = []
        for id_ in self.world.missing.get(lane, set()):
            low = max((at for other, at in known_ids.items() if other < id_), default=bottom)
            high = min((at for other, at in known_ids.items() if other > id_), default=top)
            found.append(Unknown(low, high, False, number, id_))
        return found

    # ------------------------------------------------------------------------------------ window

    def _hides(self, one: Unknown, found: Found, *, newer: bool) -> bool:
        """Whether a row is not to be shown because of one that may be missing, or is the one in doubt."""
        if found.position == self.anchor:
            at_anchor = [other for other in self.found if other.position == self.anchor]
            return (one.number, one.what) in [(other.number, other.row.id) for other in at_anchor]
        return self._stands_between(one, found.position, newer=newer)

    def _stands_between(self, one: Unknown, position: Position, *, newer: bool) -> bool:
        """Whether the row that may be missing could stand between the anchor and a place."""
        if position == self.anchor:
            return False
        if newer:
            return self.anchor < one.high and one.low < position
        return one.low < self.anchor and position < one.high

    def _side(self, *, newer: bool) -> list[Found]:
        """What may be shown of a side, the nearest first."""
        found = [one for one in self.found if (one.position > self.anchor) == newer]
        if not self.dials.clip and self.recipe.holes == "marks":
            found = sorted(
                [*found, *self._gaps(newer=newer)], key=lambda one: (one.position, one.number, one.row)
            )
        elif self.dials.clip:
            found = [
                one
                for one in found
                if not any(self._hides(other, one, newer=newer) for other in self.unknown)
            ]
        return found if newer else found[::-1]

    def _gaps(self, *, newer: bool) -> list[Found]:
        marks = {one.what: one for one in reversed(self.unknown)}
        return [Found(one.high, -1, mark) for mark, one in marks.items() if (one.high > self.anchor) == newer]

    def window(self) -> dict[str, Any]:
        resolved, dials = self.resolved, self.dials
        older = [] if resolved == "oldest" else self._side(newer=False)
        newer = [] if resolved == "newest" else self._side(newer=True)
        below, earlier = self._first(older, dials.before, [])
        above, later = self._first(newer, dials.after, below)
        entries = [*below[::-1], *above]
        holes_before = [] if resolved == "oldest" else self._ends(below, earlier, newer=False)
        holes_after = [] if resolved == "newest" else self._ends(above, later, newer=True)
        all_rows = [one for one in self.found if one.number >= 0]
        first_row = next((one for one in [*below[::-1]] if one.number >= 0), None)
        rows_below = [one for one in all_rows if one.position <= self.anchor]
        position = all_rows.index(first_row) if first_row is not None else len(rows_below)
        sides = [
            (len(side), holes, is_newer)
            for most, side, holes, is_newer in (
                (dials.after, above, holes_after, True),
                (dials.before, below, holes_before, False),
            )
            if most and holes
        ]
        return {
            "entries": [one.row if one.number >= 0 else Gap(tuple(one.row)) for one in entries],
            "earlier": earlier,
            "later": later,
            "hole_before": bool(holes_before),
            "hole_after": bool(holes_after),
            "loading": bool(sides) and not entries,
            "rank": (position, len(all_rows)) if dials.ranked else None,
            "reported": min(sides, key=lambda side: side[0])[1:] if sides else ([], False),
        }

    def _first(
        self, found: Sequence[Found], count: int, before: Sequence[Found]
    ) -> tuple[list[Found], Found | None]:
        """The first of a side, and the next."""
        if self.recipe.distinct:
            seen = {one.row.album for one in before if one.number >= 0}
            kept = []
            for one in found:
                if one.number < 0 or one.row.album not in seen:
                    kept.append(one)
                    if one.number >= 0:
                        seen.add(one.row.album)
            found = kept
        return list(found[:count]), found[count] if len(found) > count else None

    def _ends(self, shown: Sequence[Found], beyond: Found | None, *, newer: bool) -> list[Unknown]:
        """The stretches that a side ends at: nearest first, and among equals the least lane."""
        anchor = self.anchor
        if not self.dials.clip and self.recipe.holes == "marks":
            return [one for mark in shown if mark.number < 0 for one in self.unknown if one.what == mark.row][
                :1
            ]
        reached = [one for one in self.unknown if (anchor < one.high if newer else one.low < anchor)]
        if not self.dials.clip and beyond is not None:
            reached = [one for one in reached if shown and self._hides(one, shown[-1], newer=newer)]
        elif beyond is not None:
            return []
        if newer:
            nearest = min((max(one.low, anchor) for one in reached), default=None)
            return [one for one in reached if max(one.low, anchor) == nearest]
        nearest = max((min(one.high, anchor) for one in reached), default=None)
        return [one for one in reached if min(one.high, anchor) == nearest]


def check_hole(
    window: Window[Any], reported: Sequence[Unknown], recipe: Recipe, world: World, *, newer: bool
) -> None:
    """The hole of a window is one of the stretches that its side ends at, and tells what to fetch."""
    hole = window.hole
    if not reported:
        assert hole is None, "a hole that nothing ends at"
        return
    assert hole is not None, "a hole is not reported"
    if recipe.holes == "marks":
        assert (hole.table, hole.at, hole.end) == ("marks", (), ())
        assert hole.start in {tuple(one.what) for one in reported if isinstance(one.what, Mark)}
    elif recipe.holes == "boundary":
        assert (hole.at, hole.end) == ((), ())
        assert hole.start[-2:] == (world.dials.boundary or ())
    else:
        (lane,) = hole.at
        ids = world.missing[lane]
        assert any(one.what in ids for one in reported), "of another lane"
        if hole.end is None:
            assert hole.start in ids
            return
        assert hole.start <= hole.end if newer else hole.start >= hole.end, "from the far end"
        edges = {edge for block in blocks(ids) for edge in block}
        assert hole.end in edges, "not to the far end"
        between = range(min(hole.start, hole.end), max(hole.start, hole.end) + 1)
        assert ids.issuperset(between), "ids that are known"
        assert any(one.what in between for one in reported), "nothing to fetch there"


def _item_of(name: LaneName) -> Any:
    """What the lane is called by anchors."""
    if isinstance(name, int):
        return name
    return name[2] if name[0] == "tag" else name
