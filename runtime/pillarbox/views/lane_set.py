"""The lanes of one window, open as far as they are needed, and the sides that they make about an anchor.

Depends on: lanes, lane_rows, key_rows, walk, reads, parts.ranges (its bounds).  Never on: other parts.

Law: after `side` was asked for both sides and `close_unused`, those lanes are open, and hold as many rows,
as those of a window that was loaded now.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pillarbox.views.gaps import Sides
from pillarbox.views.holes import Hole, Holes
from pillarbox.views.interests import Interests, Routed
from pillarbox.views.key_rows import KeyRows
from pillarbox.views.lane_rows import LaneRows, Place, Split
from pillarbox.views.lanes import AnyLane, AtId, Ids, KeysAt, LaneAt, Resolved, Suffix
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads
from pillarbox.views.walk import (
    NO_WALK,
    NOTHING_TAKEN,
    AnyRows,
    Distinct,
    Item,
    Taken,
    Walk,
    chained,
    merged,
    nearer,
    take,
)
from pillarbox.views.where import Where

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey


class LaneSet:
    """Lanes that are merged, or with `chain` follow one another."""

    __slots__ = (
        "_chain",
        "_counted",
        "_holes",
        "_ids",
        "_interests",
        "_maxima",
        "_named",
        "_resolved",
        "_stale",
        "_used",
        "_view",
        "_where",
        "lanes",
    )

    def __init__(
        self,
        *,
        chain: bool,
        ids: Ids[Any] | None,
        holes: Holes | None,
        where: Callable[[Any], bool] | None,
    ) -> None:
        self._chain = chain
        self._ids = ids
        self._holes = holes
        self._where = where
        self._named: dict[Hashable, AnyRows] = {}
        #: In their order; the number of each is its place.
        self.lanes: list[AnyRows] = []
        self._resolved: Resolved = "newest"
        #: How many rows each open lane holds on the older side and on the newer; None is all.
        self._maxima: list[int | None] = [0, 0]
        self._counted = False
        #: Lanes that are to be loaded anew when they are asked for, and those that were asked for.
        self._stale: set[AnyRows] = set()
        self._used: set[AnyRows] = set()

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        self._view = view
        self._interests = interests
        if isinstance(self._where, Where):
            self._where.bind(view, interests)

    def arrange(self, lanes: Sequence[AnyLane]) -> None:
        """Have these lanes and no others. Those that stay are left alone; new ones are not open."""
        if isinstance(self._where, Where):
            if lanes:
                self._where.listen()
            else:
                self._where.close()
        named: dict[Hashable, AnyRows] = {}
        for at in lanes:
            name = name_of(at)
            if name not in named:
                named[name] = self._named.pop(name) if name in self._named else self._make(at)
        for lane in self._named.values():
            lane.close()
        self._named = named
        self.lanes = list(named.values())
        marked: set[bytes] = set()
        for number, lane in enumerate(self.lanes):
            lane.number = number
            # Of lanes with the same markers the first one shows them.
            if isinstance(lane, LaneRows) and lane.at.holes is not None:
                lane.shows_marks = lane.at.holes not in marked
                marked.add(lane.at.holes)

    def close(self) -> None:
        """Close all lanes."""
        for lane in self.lanes:
            lane.close()
        if isinstance(self._where, Where):
            self._where.close()

    # ------------------------------------------------------------------------------------ anchor

    def wait_for(self, reads: Reads, asked: AtId) -> None:
        """Listen to nothing but the holes of the lane that an id is in."""
        for lane in self.lanes:
            lane.close()
        pending = self._lane_of(asked.lane)
        if pending is not None:
            pending.gaps.load(reads)

    def around(self, asked: AtId) -> Hole | None:
        """The hole that an id lies in."""
        lane = self._lane_of(asked.lane)
        return None if lane is None else lane.gaps.around(asked.id)

    def find(self, reads: Reads, asked: AtId) -> Resolved:
        """The place of an id, of the next one above it that is stored, or the newest end."""
        ids = self._ids
        assert ids is not None, "a window with anchors by id has a table of ids"
        row = reads.row(ids.spec, asked.key)
        if row is None:
            _, high = bounds(asked.prefix, int_key=False)
            above = reads.cells(ids.spec, asked.key, high, newest_first=False, limit=1)
            if not above:
                return "newest"
            row = ids.spec.row(*above[0])
        return Suffix(ids.suffix(row), asked.unread, asked.lane, ids.id(row))

    # -------------------------------------------------------------------------------------- rows

    def begin(self, reads: Reads, resolved: Resolved, maxima: Sequence[int | None], *, counted: bool) -> None:
        """Look at another place; the lanes are read when they are asked for."""
        if isinstance(self._where, Where):
            self._where.begin(reads)
        self._resolved = resolved
        self._maxima = list(maxima)
        self._counted = counted
        self._stale = set(self.lanes)

    def fold(self, reads: Reads, routed: Routed) -> tuple[bool, bool]:
        """Fold one commit into all lanes that are open; whether it touched rows, and holes."""
        holes = False
        again: Sequence[StoredKey] = ()
        if isinstance(self._where, Where):
            self._where.begin(reads)
            again = self._where.again(reads, routed)
        rows = bool(again)
        for lane in self.lanes:
            holes |= lane.gaps.fold(reads, routed)
            if lane.is_open:
                rows |= lane.fold(reads, routed, again)
        return rows, holes

    def side(
        self,
        reads: Reads,
        count: int,
        *,
        newer: bool,
        clip: bool,
        distinct: Distinct = None,
        seen: frozenset[Hashable] = frozenset(),
    ) -> Taken:
        """The first `count` items of one side. Where few are distinct, twice as many rows are held."""
        lane = self._only(reads, newer=newer) if distinct is None else None
        if lane is not None:
            alone = self._of_one(reads, lane, count, newer=newer, clip=clip)
            if alone is not None:
                return alone
        side = int(newer)
        held = self._maxima[side]

        def enough(items: Sequence[Item]) -> bool:
            return take(Walk(items, None, None, False), count, distinct, seen, clip=clip).beyond is not None

        size = None if held is None else count + 1
        while True:
            if size is not None and held is not None and size > held:
                self._resize(reads, side, size)
                held = size
            used: set[AnyRows] = set()
            walk = self._walk(reads, size, used, enough, newer=newer, clip=clip)
            taken = take(walk, count, distinct, seen, clip=clip)
            if size is None or not taken.is_short:
                break
            size *= 2
        if size != held and size is not None:
            self._resize(reads, side, size)
        self._used |= used
        return taken

    def counts(self, reads: Reads) -> tuple[int, int]:
        """How many rows are stored on the older side and on the newer."""
        older = newer = 0
        for lane in self.lanes:
            self._ensure(reads, lane)
            self._used.add(lane)
            if self._where is not None:
                sides = lane.sides(self._maxima)
                older, newer = older + len(sides.older.rows), newer + len(sides.newer.rows)
            else:
                older, newer = older + lane.counts[0], newer + lane.counts[1]
        return older, newer

    def close_unused(self) -> None:
        """Close the lanes that were not asked for since the last time."""
        for lane in self.lanes:
            if lane not in self._used:
                lane.close()
        self._stale -= self._used
        self._used = set()

    def fields(self, anchor: Suffix) -> tuple[Any, ...] | str | None:
        """The key of an anchor, as fields. In a chain without its lane it is at the oldest end."""
        lane = self._lane_of(anchor.lane)
        if lane is None:
            if self._chain:
                return "oldest"
            if not self.lanes:
                return None
            lane = self.lanes[0]
        return lane.fields(anchor.suffix)

    # ----------------------------------------------------------------------------------- inside

    def _make(self, at: AnyLane) -> AnyRows:
        if isinstance(at, KeysAt):
            assert self._chain, "listed rows have no place among others: chain the lanes"
            return KeyRows(at, self._where, self._view, self._interests)
        return LaneRows(at, self._holes, self._where, self._view, self._interests)

    def _lane_of(self, item: Hashable) -> AnyRows | None:
        return next((lane for lane in self.lanes if lane.at.item == item), None)

    def _split(self, lane: AnyRows) -> Split:
        """Where the anchor is, seen from a lane."""
        resolved = self._resolved
        if resolved == "newest":
            return "older"
        if resolved == "oldest":
            return "newer"
        assert isinstance(resolved, Suffix)
        is_here = lane.at.item == resolved.lane
        if not self._chain:
            return Place(resolved.suffix, resolved.id if is_here else None, resolved.point)
        here = self._lane_of(resolved.lane)
        if here is None or lane.number > here.number:
            return "newer"
        return Place(resolved.suffix, resolved.id, resolved.point) if lane is here else "older"

    def _only(self, reads: Reads, *, newer: bool) -> AnyRows | None:
        """The lane that alone has anything on one side, which then needs no merging; None: there is none."""
        lanes = self.lanes
        if len(lanes) < 2:
            return lanes[0] if lanes else None
        if self._chain or self._resolved == ("newest" if newer else "oldest"):
            return None
        for lane in lanes:
            self._ensure(reads, lane)
        self._used.update(lanes)
        full = [lane for lane in lanes if not (isinstance(lane, LaneRows) and lane.is_bare(int(newer)))]
        return None if len(full) > 1 else full[0] if full else lanes[0]

    def _of_one(self, reads: Reads, lane: AnyRows, count: int, *, newer: bool, clip: bool) -> Taken | None:
        """What `side` gives of the only lane that matters; None: it has to be walked."""
        if self._resolved == ("newest" if newer else "oldest"):
            return NOTHING_TAKEN
        if not isinstance(lane, LaneRows) or self._maxima[newer] != count + 1:
            return None
        self._ensure(reads, lane)
        if lane.split == ("older" if newer else "newer"):
            return NOTHING_TAKEN
        hole = None
        if lane.gaps.is_empty:
            rows, next_place = lane.nearest(int(newer), count)
        else:
            if not clip and lane.gaps.marks():
                return None
            sides = lane.sides(self._maxima)
            cut = lane.gaps.cut(sides, newer=newer)
            if cut is not None and not clip:
                return None
            reach = sides.newer if newer else sides.older
            size = len(reach.rows) if cut is None else nearer(reach.suffixes, cut, newer=newer)
            rows = reach.rows[: min(size, count)]
            next_place = reach.suffixes[count] if size > count else None
            hole = None if cut is None or next_place is not None else cut.hole
        self._used.add(lane)
        beyond = None if next_place is None else Item(next_place, lane.number, None, lane)
        return Taken(rows, beyond, len(rows), hole, False)

    def _ensure(self, reads: Reads, lane: AnyRows) -> None:
        """Open a lane, or load it anew if it is to be looked at from elsewhere."""
        split = self._split(lane)
        if not lane.is_open or lane in self._stale or lane.split != split:
            lane.open(reads, split, self._maxima, counted=self._counted)
            self._stale.discard(lane)

    def _walk(
        self,
        reads: Reads,
        size: int | None,
        used: set[AnyRows],
        enough: Callable[[Sequence[Item]], bool],
        *,
        newer: bool,
        clip: bool,
    ) -> Walk:
        """One side, with no more than `size` rows of each lane."""
        if self._resolved == ("newest" if newer else "oldest"):
            return NO_WALK
        maxima = list(self._maxima)
        maxima[newer] = size

        def opened(lanes: Sequence[AnyRows]) -> Iterator[tuple[AnyRows, Sides]]:
            for lane in lanes:
                self._ensure(reads, lane)
                used.add(lane)
                yield lane, lane.sides(maxima)

        if not self._chain:
            return merged(list(opened(self.lanes)), newer=newer, clip=clip)
        return chained(opened(self._outwards(newer=newer)), enough, newer=newer, clip=clip)

    def _outwards(self, *, newer: bool) -> Sequence[AnyRows]:
        """The lanes of one side of a chain, the nearest to the anchor first."""
        lanes, resolved = self.lanes, self._resolved
        if isinstance(resolved, str):
            return lanes if newer else lanes[::-1]
        here = self._lane_of(resolved.lane)
        if here is None:
            return lanes if newer else []
        return lanes[here.number :] if newer else lanes[here.number :: -1]

    def _resize(self, reads: Reads, side: int, size: int) -> None:
        self._maxima[side] = size
        for lane in self.lanes:
            if lane.is_open and lane not in self._stale:
                lane.resize(reads, side, size)


def name_of(at: AnyLane) -> Hashable:
    """What makes two lanes the same."""
    if isinstance(at, LaneAt):
        return at.spec.id, at.prefix, at.holes, at.item
    return at.source.id, at.keys, None if at.via is None else at.via.id, at.item
