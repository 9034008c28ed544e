"""One lane of a window: its rows on both sides of the anchor, and its holes.

Depends on: lanes, gaps, rows, where, interests, reads, parts.ranges (its bounds).  Never on: other parts, and
how lanes are merged.

Law: after a load or a fold `sides` are what a fresh read of the lane would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from pillarbox.views.gaps import NOTHING, Gaps, Reach, Sides, gaps_of
from pillarbox.views.holes import Holes
from pillarbox.views.interests import Delta, Interests, Routed, Sink
from pillarbox.views.lane import Lane, next_key
from pillarbox.views.lanes import LaneAt
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch, TableRows
from pillarbox.views.where import Where, limited, warn_if_incomplete

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey

_INT64_MIN: Final = -(1 << 63)

#: Where the anchor is, seen from a lane: all of the lane is older, all is newer, or at a suffix.
Split: TypeAlias = "Literal['older', 'newer'] | Place"


class Place(NamedTuple):
    """An anchor in a lane; `id` is its id, if known to be one of this lane, `point` that of its Suffix."""

    suffix: Any
    id: Any = None
    point: Any = None


_AT_AN_END: Final = Place(None)


class LaneRows(Sink):
    """A lane of a table or index, while it is open.

    It holds as many rows on each side as it is asked for; None is all. `counts` are the rows stored on the
    older side and on the newer, if it is opened with `counted`.
    """

    __slots__ = (
        "_asks",
        "_boundary",
        "_interests",
        "_is_counted",
        "_maxima",
        "_newer",
        "_older",
        "at",
        "counts",
        "gaps",
        "is_open",
        "number",
        "shows_marks",
        "split",
    )

    def __init__(
        self,
        at: LaneAt,
        holes: Holes | None,
        where: Callable[[Any], bool] | None,
        view: object,
        interests: Interests,
    ) -> None:
        self.at = at
        self.view = view
        self._interests = interests
        self.gaps: Gaps = gaps_of(holes, at, view, interests)
        self.is_open = False
        #: Place among the lanes of the window.
        self.number = 0
        #: Whether markers that do not clip are shown with it.
        self.shows_marks = True
        self.counts = [0, 0]
        self._is_counted = False
        self._maxima: list[int | None] = [0, 0]
        self._boundary: Any = None
        self._asks = where if isinstance(where, Where) else None
        self.split: Split = "older"

        def stretch(*, newest_first: bool) -> Stretch[Any]:
            if at.source is None or at.source_key is None:
                return TableRows(at.spec, newest_first=newest_first, where=where)
            return SourceRows(at.spec, at.source, at.source_key, newest_first=newest_first, where=where)

        self._older = stretch(newest_first=True)
        self._newer = stretch(newest_first=False)
        for one in (self._older, self._newer):
            one.bind(view, interests)
            if self._asks is not None:
                limited(one)

    def open(self, reads: Reads, split: Split, maxima: Sequence[int | None], *, counted: bool) -> None:
        """Register and load, keeping equal old rows; if it is open, load anew."""
        if not self.is_open:
            self._interests.add_prefix(self.at.spec.id, self.at.prefix, self)
            self.is_open = True
        self.gaps.load(reads)
        self.split = split
        self._maxima = list(maxima)
        # A row may pass from one side of the anchor to the other.
        self._load(reads, {**self._older.held(), **self._newer.held()})
        self._is_counted = counted
        self._count(reads)

    def close(self) -> None:
        """Hold nothing, and unregister everything."""
        if self.is_open:
            self._interests.remove_prefix(self.at.spec.id, self.at.prefix, self)
            self.is_open = False
            self._older.clear()
            self._newer.clear()
        self.gaps.close()

    def fold(self, reads: Reads, routed: Routed, again: Sequence[StoredKey] = ()) -> bool:
        """Fold one commit in, and ask about the rows of `again` once more; whether it gives others.

        They do not where all that changed lies beyond the rows shown.
        """
        deltas = routed.get(self, ())
        older, newer = self._older, self._newer
        if not deltas and not again and older not in routed and newer not in routed:
            return False
        boundary = self._boundary
        if boundary is None:
            sides: tuple[Sequence[Delta], Sequence[Delta]] = (deltas, ())
        else:
            sides = (
                [delta for delta in deltas if delta[0] < boundary],
                [delta for delta in deltas if delta[0] >= boundary],
            )
        differs = self._is_counted
        for stretch, changes in zip((older, newer), sides, strict=True):
            if self._asks is None:
                stretch.fold(reads, changes, routed)
            else:
                stretch.fold(reads, *self._asks.with_again(stretch, reads, changes, routed, again))
            if stretch.entered or stretch.left:
                differs = True
        if self._is_counted:
            for side, changes in enumerate(sides):
                for _, before, after in changes:
                    self.counts[side] += (after is not None) - (before is not None)
        return differs

    def resize(self, reads: Reads, side: int, count: int) -> None:
        """Hold another number of rows on one side: 0 is the older, 1 the newer."""
        if self._maxima[side] != count and self.split != ("newer", "older")[side]:
            self._maxima[side] = count
            (self._older, self._newer)[side].resize(reads, count)

    def sides(self, maxima: Sequence[int | None]) -> Sides:
        """The rows held, no more than `maxima` on each side."""
        anchor = self.split if isinstance(self.split, Place) else _AT_AN_END
        return Sides(
            self._reach(0, maxima[0]), self._reach(1, maxima[1]), anchor.suffix, anchor.id, anchor.point
        )

    def is_bare(self, side: int) -> bool:
        """Whether nothing is stored on one side, and no hole is anywhere."""
        return self.gaps.is_empty and not (self._older, self._newer)[side].lane.keys

    def nearest(self, side: int, count: int) -> tuple[Sequence[Any], Any]:
        """So many rows of one side, the nearest to the anchor first, and the suffix of the next one."""
        if self.split == ("newer", "older")[side]:
            return (), None
        stretch = (self._older, self._newer)[side]
        rows = stretch.rows()
        if len(rows) <= count:
            return rows, None
        place = stretch.places()[count]
        size = 0 if self.at.spec.int_key else len(self.at.prefix)  # type: ignore[arg-type]  # bytes, as keys are
        return rows[:count], place[size:] if size else place  # type: ignore[index]

    def fields(self, suffix: Any) -> tuple[Any, ...]:
        """The key of a place, as fields."""
        at = self.at
        return tuple(at.spec.key_fields(suffix if at.spec.int_key else at.prefix + suffix))

    def held(self) -> dict[StoredKey, Any]:
        """The rows held, by the keys under which they are stored."""
        return {**self._older.held(), **self._newer.held()}

    def held_lanes(self) -> Iterable[Lane[Any]]:
        """What it holds of ranges."""
        return (self._older.lane, self._newer.lane)

    def _reach(self, side: int, most: int | None) -> Reach:
        if self.split == ("newer", "older")[side]:
            return NOTHING
        stretch = (self._older, self._newer)[side]
        rows, places = stretch.rows(), stretch.places()
        if most is not None and len(rows) >= most:
            rows, places, complete = rows[:most], places[:most], False
        else:
            complete = True
        if self.at.spec.int_key:
            return Reach(places, rows, complete)
        size = len(self.at.prefix)  # type: ignore[arg-type]  # bytes, as the keys are
        return Reach([place[size:] for place in places], rows, complete)  # type: ignore[index]

    def _load(self, reads: Reads, old: Mapping[StoredKey, Any]) -> None:
        spec, split = self.at.spec, self.split
        low, high = bounds(self.at.prefix, int_key=spec.int_key)
        if split == "older":
            self._boundary = None
        elif split == "newer":
            self._boundary = _INT64_MIN if spec.int_key else b""
        else:
            key = split.suffix if spec.int_key else self.at.prefix + split.suffix
            self._boundary = next_key(key)  # as all that begins with the prefix, within the bounds
        if split == "newer":
            self._older.clear()
        else:
            end = high if self._boundary is None else self._boundary
            self._older.load(reads, low, end, self._maxima[0], old)
        if self._boundary is None:
            self._newer.clear()
        else:
            begin = low if split == "newer" else self._boundary
            self._newer.load(reads, begin, high, self._maxima[1], old)
        if self._asks is not None:
            for side in (self._older, self._newer):
                warn_if_incomplete(side, spec.name)

    def _count(self, reads: Reads) -> None:
        """Count all rows, where that is asked for."""
        self.counts = [0, 0]
        if not self._is_counted:
            return
        low, high = bounds(self.at.prefix, int_key=self.at.spec.int_key)
        boundary = self._boundary
        for key, _ in reads.cells(self.at.spec, low, high, newest_first=False, limit=None):
            self.counts[boundary is not None and key >= boundary] += 1
