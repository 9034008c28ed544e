"""The holes of one lane, held, and where they cut off what stands about an anchor.

Depends on: holes, lane, interests, reads, parts.ranges (its bounds).  Never on: other parts, and how lanes
are merged.

Law: `cut` finds the nearest pair of neighbours, seen from the anchor, between which a row may be missing, or
of which one is itself in doubt; all that is nearer may be shown. A commit is folded in without reading.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pillarbox.views.holes import Boundary, Gap, Hole, Holes, MarkerHoles, RangeHoles
from pillarbox.views.interests import Interests, Routed, Sink
from pillarbox.views.lane import Lane
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell


class Reach(NamedTuple):
    """The rows of one side of a lane that are held, the nearest to the anchor first."""

    suffixes: Sequence[Any]
    rows: Sequence[Any]
    #: Nothing more of the lane is stored on this side.
    complete: bool


class Sides(NamedTuple):
    """What is held of a lane, and where the anchor is: at a suffix, None if it is at an end or beyond.

    `id` is that of the anchor where it is known to be of this lane; `point` what any row at its place would
    have for one, where the place tells.
    """

    older: Reach
    newer: Reach
    anchor: Any
    id: Any
    point: Any = None


class Cut(NamedTuple):
    """A side of a lane ends here: rows beyond `suffix` are not to be shown, None: none is.

    `rows` of the lane are nearer.
    """

    rows: int
    suffix: Any
    hole: Hole


NOTHING: Final = Reach((), (), True)


class Gaps:
    """What cuts a lane that has no holes, which is nothing."""

    __slots__ = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is no hole at all."""
        return True

    def load(self, reads: Reads) -> None:
        """Register and read."""

    def fold(self, reads: Reads, routed: Routed) -> bool:
        """Fold one commit in; whether it touched the holes."""
        return False

    def close(self) -> None:
        """Unregister."""

    def cut(self, sides: Sides, *, newer: bool) -> Cut | None:
        """Where one side ends, None if nothing that is held lies beyond a hole."""
        return None

    def around(self, id: Any) -> Hole | None:
        """What to fetch for the row with an id, None if it lies in no hole."""
        return None

    def marks(self) -> Sequence[tuple[Any, Gap]]:
        """All markers by their suffixes, ascending."""
        return ()

    def hole_of(self, gap: Gap) -> Hole:
        """What to fetch for a marker."""
        raise NotImplementedError


class StoredGaps(Gaps, Sink):
    """Holes that are rows of a table, all those under one prefix."""

    __slots__ = ("_interests", "_is_open", "_lane", "_prefix", "_spec")

    def __init__(self, holes: RangeHoles[Any] | MarkerHoles, prefix: bytes) -> None:
        self._spec = holes.spec
        self._prefix = prefix
        self._lane: Lane[Any] = Lane(holes.spec, self._item, newest_first=False)
        self._is_open = False

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        self.view = view
        self._interests = interests

    @property
    def is_empty(self) -> bool:
        """As `Gaps.is_empty`."""
        return not self._lane.keys

    def load(self, reads: Reads) -> None:
        """As `Gaps.load`."""
        if not self._is_open:
            self._interests.add_prefix(self._spec.id, self._prefix, self)
            self._is_open = True
        low, high = bounds(self._prefix, int_key=self._spec.int_key)
        self._lane.load(reads, low, high, None)
        self._index()

    def fold(self, reads: Reads, routed: Routed) -> bool:
        """As `Gaps.fold`."""
        deltas = routed.get(self)
        if deltas is None:
            return False
        self._lane.fold(reads, deltas)
        self._index()
        return True

    def close(self) -> None:
        """As `Gaps.close`."""
        if self._is_open:
            self._interests.remove_prefix(self._spec.id, self._prefix, self)
            self._is_open = False
            self._lane.clear()
            self._index()

    def _item(self, key: StoredKey, cell: Cell) -> Any:
        raise NotImplementedError

    def _index(self) -> None:
        """Take what the lane holds."""
        raise NotImplementedError


class RangeGaps(StoredGaps):
    """Ranges of ids."""

    __slots__ = ("_highs", "_holes", "_lows")

    def __init__(self, holes: RangeHoles[Any], prefix: bytes) -> None:
        self._holes = holes
        super().__init__(holes, prefix)
        self._lows: list[Any] = []
        self._highs: list[Any] = []

    def cut(self, sides: Sides, *, newer: bool) -> Cut | None:
        """As `Gaps.cut`."""
        if not self._lows:
            return None
        near, far = (sides.newer, sides.older) if newer else (sides.older, sides.newer)
        ids = list(map(self._holes.id_of, near.rows))
        is_at_anchor = (
            not newer and sides.anchor is not None and bool(ids) and near.suffixes[0] == sides.anchor
        )
        if sides.id is not None:
            inner = sides.id
        elif is_at_anchor:
            inner = ids[0]  # Nothing can be between the anchor and a row at its very place.
        elif sides.point is not None:
            inner = sides.point
        else:
            # Whether the rows missing here are older than the anchor or newer, nobody knows.
            inner = self._holes.id_of(far.rows[0]) if far.rows else None
        at, end = 0, len(ids) + near.complete
        while at < end:
            outer = ids[at] if at < len(ids) else None
            hole = self._between(inner, outer, newer=newer)
            if hole is not None:
                if at:
                    return Cut(at, near.suffixes[at - 1], hole)
                if sides.id is not None:
                    hole = self.around(sides.id) or hole
                return Cut(0, None if is_at_anchor else sides.anchor, hole)
            if not at and ids and self._is_whole(min(ids), max(ids)):
                at, outer = len(ids) - 1, ids[-1]  # Most often there is none between any of them.
            at, inner = at + 1, outer
        return None

    def around(self, id: Any) -> Hole | None:
        """As `Gaps.around`."""
        at = bisect_left(self._highs, id)
        return self._hole(at, id, None) if at < len(self._lows) and self._lows[at] <= id else None

    def _is_whole(self, low: Any, high: Any) -> bool:
        """Whether no hole reaches between these ids, or to them."""
        at = bisect_left(self._highs, low)
        return bool(at == len(self._lows) or self._lows[at] > high)

    def _between(self, inner: Any, outer: Any, *, newer: bool) -> Hole | None:
        """The hole nearest to `inner` from there to `outer`, both included; None is that end of all ids.

        A row may stand though its id is in a hole: it was doubted after it had been fetched.
        """
        downwards = not newer if inner is None or outer is None or inner == outer else outer < inner
        low, high = (outer, inner) if downwards else (inner, outer)
        lows, highs = self._lows, self._highs
        if downwards:
            at = len(lows) - 1 if high is None else bisect_right(lows, high) - 1
            if at < 0 or (low is not None and highs[at] < low):
                return None
            return self._hole(at, highs[at] if high is None else min(highs[at], high), lows[at])
        at = 0 if low is None else bisect_left(highs, low)
        if at == len(lows) or (high is not None and lows[at] > high):
            return None
        return self._hole(at, lows[at] if low is None else max(lows[at], low), highs[at])

    def _hole(self, at: int, start: Any, end: Any) -> Hole:
        fields = self._spec.key_fields(self._lane.keys[at])
        parts = len(start) if isinstance(start, tuple) else 1
        return Hole(None, self._spec.name, tuple(fields[:-parts]), start, end)

    def _item(self, key: StoredKey, cell: Cell) -> Any:
        return self._holes.edges(self._spec.row(key, cell))

    def _index(self) -> None:
        self._lows = [low for low, _ in self._lane.items]
        self._highs = [high for _, high in self._lane.items]


class MarkerGaps(StoredGaps):
    """Markers, each unknown from there down to the next row."""

    __slots__ = ("_suffixes",)

    def __init__(self, holes: MarkerHoles, prefix: bytes) -> None:
        super().__init__(holes, prefix)
        self._suffixes: list[Any] = []

    def cut(self, sides: Sides, *, newer: bool) -> Cut | None:
        """As `Gaps.cut`."""
        if not self._suffixes:
            return None
        return self._newer_cut(sides) if newer else self._older_cut(sides)

    def marks(self) -> Sequence[tuple[Any, Gap]]:
        """As `Gaps.marks`."""
        return list(zip(self._suffixes, self._lane.items, strict=True))

    def hole_of(self, gap: Gap) -> Hole:
        """As `Gaps.hole_of`."""
        return Hole(None, self._spec.name, (), gap.key, ())

    def _older_cut(self, sides: Sides) -> Cut | None:
        older, anchor = sides.older, sides.anchor
        suffixes = older.suffixes
        if suffixes and anchor is not None and suffixes[0] == anchor:
            first, inner = 1, anchor
        else:
            first, inner = 0, sides.newer.suffixes[0] if sides.newer.suffixes else None
        for at in range(first, len(suffixes) + older.complete):
            outer = suffixes[at] if at < len(suffixes) else None
            mark = len(self._suffixes) if inner is None else bisect_right(self._suffixes, inner)
            if mark and (outer is None or self._suffixes[mark - 1] > outer):
                found = self._suffixes[mark - 1]
                if at == 0 and anchor is not None:
                    found = min(found, anchor)
                return Cut(at, found, self._hole(mark - 1))
            inner = outer
        return None

    def _newer_cut(self, sides: Sides) -> Cut | None:
        newer, inner = sides.newer, sides.anchor
        suffixes = newer.suffixes
        for at in range(len(suffixes) + newer.complete):
            outer = suffixes[at] if at < len(suffixes) else None
            mark = 0 if inner is None else bisect_right(self._suffixes, inner)
            if mark < len(self._suffixes) and (outer is None or self._suffixes[mark] <= outer):
                return Cut(at, inner, self._hole(mark))
            inner = outer
        return None

    def _hole(self, at: int) -> Hole:
        return self.hole_of(self._lane.items[at])

    def _item(self, key: StoredKey, cell: Cell) -> Any:
        return Gap(tuple(self._spec.key_fields(key)))

    def _index(self) -> None:
        size = len(self._prefix)
        self._suffixes = [key[size:] for key in self._lane.keys]


class BoundaryGaps(Gaps):
    """Nothing is known below one place, which a part of the view says."""

    __slots__ = ("_boundary", "_lane_at", "known")

    def __init__(self, boundary: Boundary, lane: Any) -> None:
        self._boundary = boundary
        self._lane_at = lane
        self.known: bytes | None = None

    @property
    def is_empty(self) -> bool:
        """As `Gaps.is_empty`."""
        return False

    def load(self, reads: Reads) -> None:
        """As `Gaps.load`."""
        self.known = self._boundary.suffix()

    def cut(self, sides: Sides, *, newer: bool) -> Cut | None:
        """As `Gaps.cut`."""
        known, anchor = self.known, sides.anchor
        if known is not None and not known.strip(b"\0"):
            return None  # No key is less.
        near = sides.newer if newer else sides.older
        if known is None or (anchor < known if anchor is not None else newer):
            at_anchor = not newer and anchor is not None and near.suffixes[:1] == [anchor]
            return Cut(int(at_anchor), anchor, self._hole())
        if newer:
            return None
        rows = sum(suffix >= known for suffix in near.suffixes)
        return Cut(rows, known, self._hole()) if rows < len(near.suffixes) or near.complete else None

    def _hole(self) -> Hole:
        spec, prefix = self._lane_at.spec, self._lane_at.prefix
        start = () if self.known is None else tuple(spec.key_fields(prefix + self.known))
        return Hole(None, spec.name, (), start, ())


def gaps_of(holes: Holes | None, lane: Any, view: object, interests: Interests) -> Gaps:
    """The holes of a lane, not yet loaded."""
    if isinstance(holes, Boundary):
        return BoundaryGaps(holes, lane)
    if holes is None or lane.holes is None:
        return Gaps()
    gaps = RangeGaps(holes, lane.holes) if isinstance(holes, RangeHoles) else MarkerGaps(holes, lane.holes)
    gaps.bind(view, interests)
    return gaps
