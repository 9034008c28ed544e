"""One side of a window: its lanes, seen from the anchor outwards.

Depends on: gaps, lane_rows, key_rows, holes.  Never on: parts, reads.

Law: `merged` and `chained` give rows in the order of the lanes, and nothing that lies beyond what is held of
one of them; `gap` says how many are nearer than the first place where one may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from pillarbox.views.gaps import Cut, Reach, Sides
from pillarbox.views.holes import Gap, Hole
from pillarbox.views.key_rows import KeyRows
from pillarbox.views.lane_rows import LaneRows

AnyRows: TypeAlias = "LaneRows | KeyRows"
Distinct: TypeAlias = "Callable[[Any], Hashable] | None"


class Item(NamedTuple):
    """A row, or a gap that stands for one, and its place."""

    suffix: Any
    #: Number of the lane; -1 is a gap, which is below a row at the same place.
    number: int
    row: Any
    lane: AnyRows

    @property
    def fields(self) -> tuple[Any, ...]:
        """Its key."""
        return self.row.key if type(self.row) is Gap else self.lane.fields(self.suffix)


class Walk(NamedTuple):
    """What there is on one side, the nearest first."""

    items: Sequence[Item]
    #: So many items are nearer than the first gap; None: none is met.
    gap: int | None
    hole: Hole | None
    #: Beyond the items there may be more in a lane, which does not hold it.
    is_short: bool


NO_WALK: Final = Walk((), None, None, False)
_place = itemgetter(0, 1)


def merged(lanes: Sequence[tuple[AnyRows, Sides]], *, newer: bool, clip: bool) -> Walk:
    """The lanes as one order: a cut of one lane is one of all."""
    items: list[Item] = []
    frontier: tuple[Any, int] | None = None
    cut: Cut | None = None
    for lane, sides in lanes:
        reach = sides.newer if newer else sides.older
        items += _items(lane, reach)
        if not reach.complete:
            last = (reach.suffixes[-1], lane.number)
            if frontier is None or (last < frontier if newer else last > frontier):
                frontier = last
        # Markers that do not clip are items themselves.
        found = lane.gaps.cut(sides, newer=newer) if clip or not lane.gaps.marks() else None
        if found is not None and (cut is None or _is_nearer(found.suffix, cut.suffix, newer=newer)):
            cut = found
    marks = [] if clip else _marks(lanes, newer=newer)
    items += marks if newer else marks[::-1]
    if len(lanes) > 1 or marks:
        items.sort(key=_place, reverse=not newer)
    is_short = frontier is not None
    if frontier is not None and (len(lanes) > 1 or marks):
        items = [item for item in items if (item[:2] <= frontier if newer else item[:2] >= frontier)]
    if marks:
        return _marked(items, is_short=is_short)
    if cut is None:
        return Walk(items, None, None, is_short)
    size = nearer([item.suffix for item in items], cut, newer=newer)
    if is_short and size == len(items):
        return Walk(items, None, None, is_short)
    return Walk(items[:size], size, cut.hole, False) if clip else Walk(items, size, cut.hole, is_short)


def nearer(suffixes: Sequence[Any], cut: Cut, *, newer: bool) -> int:
    """How many of these places of one side a cut leaves."""
    edge = cut.suffix
    if edge is None:
        return 0
    return sum([suffix <= edge if newer else suffix >= edge for suffix in suffixes])


def chained(
    lanes: Iterable[tuple[AnyRows, Sides]],
    enough: Callable[[Sequence[Item]], bool],
    *,
    newer: bool,
    clip: bool,
) -> Walk:
    """Lane after lane, the nearest first, until there is `enough`; later ones are not asked for."""
    items: list[Item] = []
    gap: int | None = None
    hole: Hole | None = None
    for lane, sides in lanes:
        found = merged([(lane, sides)], newer=newer, clip=clip)
        if gap is None and found.gap is not None:
            gap, hole = len(items) + found.gap, found.hole
        items += found.items
        if found.is_short or (clip and gap is not None):
            return Walk(items, gap, hole, found.is_short)
        if enough(items):
            break
    return Walk(items, gap, hole, False)


class Taken(NamedTuple):
    """The rows and gaps of a side that are shown, the nearest first."""

    rows: Sequence[Any]
    #: The next one.
    beyond: Item | None
    #: How many rows there are from the anchor to the last one shown, with those that show nothing new.
    span: int
    #: What the side ends at, or what is among its entries.
    hole: Hole | None
    #: Whether more rows are needed to know.
    is_short: bool


NOTHING_TAKEN: Final = Taken((), None, 0, None, False)


def take(walk: Walk, count: int, distinct: Distinct, seen: frozenset[Hashable], *, clip: bool) -> Taken:
    """The first `count` items; of equal values only the first, and none that was `seen`."""
    items, beyond = walk.items, None
    if distinct is None:
        shown: Sequence[Item] = items[:count]
        beyond = items[count] if len(items) > count else None
        reached = len(shown)
        span = reached if walk.gap is None else sum(item.number >= 0 for item in shown)
    else:
        shown, beyond, reached, span = _first_of_equals(items, count, distinct, seen)
    ends = walk.gap is not None and (beyond is None or (not clip and walk.gap < reached))
    hole = walk.hole if ends else None
    rows = [item.row for item in shown]
    return Taken(rows, beyond, span, hole, beyond is None and walk.is_short)


def _first_of_equals(
    items: Sequence[Item], count: int, distinct: Callable[[Any], Hashable], seen: frozenset[Hashable]
) -> tuple[Sequence[Item], Item | None, int, int]:
    """Those shown, the next one, how many items come up to the last of them, and rows up to the last row."""
    shown: list[Item] = []
    reached = rows = span = 0
    met = set(seen)
    for at, item in enumerate(items):
        is_row = item.number >= 0
        if is_row:
            rows += 1
            value = distinct(item.row)
            if value in met:
                continue
            met.add(value)
        if len(shown) == count:
            return shown, item, reached, span
        shown.append(item)
        reached = at + 1
        if is_row:
            span = rows
    return shown, None, reached, span


def _items(lane: AnyRows, reach: Reach) -> Iterable[Item]:
    return map(Item._make, zip(reach.suffixes, repeat(lane.number), reach.rows, repeat(lane), strict=False))


def _marks(lanes: Sequence[tuple[AnyRows, Sides]], *, newer: bool) -> list[Item]:
    """The markers on one side; those that several lanes have are shown with the first."""
    found: list[Item] = []
    for lane, sides in lanes:
        anchor = sides.anchor
        if isinstance(lane, LaneRows) and lane.shows_marks:
            for suffix, gap in lane.gaps.marks():
                if anchor is None or (suffix > anchor if newer else suffix <= anchor):
                    found.append(Item(suffix, -1, gap, lane))
    found.sort(key=lambda item: (item.suffix, item.row.key))
    return found


def _marked(items: list[Item], *, is_short: bool) -> Walk:
    """Items among which are gaps."""
    for at, item in enumerate(items):
        if item.number < 0:
            return Walk(items, at, item.lane.gaps.hole_of(item.row), is_short)
    return Walk(items, None, None, is_short)


def _is_nearer(suffix: Any, other: Any, *, newer: bool) -> bool:
    """Whether a cut is nearer to the anchor; None is at the very anchor."""
    if other is None or suffix is None:
        return other is not None
    return bool(suffix < other if newer else suffix > other)
