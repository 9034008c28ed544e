"""Rows around an anchor: two stretches that meet there.

Depends on: part, rows, reads.  Never on: other words.

Law: `value.entries` are the last `before_max()` rows up to the anchor and the first `after_max()` rows
beyond it, in key order, whose keys begin with `prefix()`; of an index, its source rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, overload

import msgspec

from pillarbox.views.holes import Hole
from pillarbox.views.interests import Interests, Routed
from pillarbox.views.lane import Lane, next_key
from pillarbox.views.parts.amounts import amount
from pillarbox.views.parts.part import MOVED, MOVED_WINDOW, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.parts.projection import Projection
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch, TableRows

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")
Value = TypeVar("Value")
Entry_co = TypeVar("Entry_co", covariant=True)
R = TypeVar("R")
V = TypeVar("V")
I = TypeVar("I")  # noqa: E741  # the index row

End: TypeAlias = Literal["newest", "oldest"]
Anchor: TypeAlias = "End | Callable[[], StoredKey | None]"
#: One key past the shown rows must be known, to tell `earlier` and `later`.
_SPARE: Final = 1
_INT64_MIN: Final = -(1 << 63)


class Window(msgspec.Struct, Generic[Entry_co], frozen=True):
    """Some neighbouring rows, oldest first.

    `anchor` is "newest", "oldest" or a key, None when nothing is looked at or it is not known yet;
    `earlier` and `later` are the keys of the nearest rows that are not shown, None if there are none.
    Keys are tuples of fields. `hole_before` and `hole_after` say that a side ends at a hole, `hole` is what
    to fetch first, `loading` that there is nothing to show before it is. `rank`: how many rows are older
    than the first entry, and how many there are.
    """

    entries: tuple[Entry_co, ...] = ()
    anchor: End | tuple[Any, ...] | None = None
    earlier: tuple[Any, ...] | None = None
    later: tuple[Any, ...] | None = None
    hole: Hole | None = None
    hole_before: bool = False
    hole_after: bool = False
    loading: bool = False
    rank: tuple[int, int] | None = None


class _Place(NamedTuple):
    """What is looked at."""

    prefix: StoredKey
    anchor: StoredKey | End
    before_max: int
    after_max: int


class WindowAt(ListPart[Row], Generic[Row, Value]):
    """The rows around `anchor`.

    `anchor` is "newest", "oldest", or gives a whole stored key, which need not exist; a row at the
    anchor counts as before it. Nothing is after a newest anchor, nothing before an oldest one. If
    `prefix()` or `anchor()` gives None, nothing is read. `source` and `source_key` are as in `Scan`.
    `rows` are whole rows, for other parts; `value` is what the snapshot shows.

    A LaneWindow of one lane shows the same, and is what holes, several lanes and conditions ask for. This one
    stands beside it as it takes a third of the time for a commit (5 us of 14): it follows two stretches, and
    looks for nothing that could cut them or be merged with them.
    """

    __slots__ = (
        "_after_max",
        "_anchor",
        "_at",
        "_before_max",
        "_boundary",
        "_key_fields",
        "_newer",
        "_older",
        "_place",
        "_projection",
        "_spec",
        "_table",
        "rows",
        "value",
    )

    rows: tuple[Row, ...]
    value: Window[Value]

    @overload
    def __init__(
        self: WindowAt[R, R],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        anchor: Anchor,
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: WindowAt[R, V],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        anchor: Anchor,
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    @overload
    def __init__(
        self: WindowAt[R, R],
        spec: TableSpec[I],
        *,
        prefix: Callable[[], StoredKey | None],
        anchor: Anchor,
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        source: TableSpec[R],
        source_key: Callable[[I], StoredKey],
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: WindowAt[R, V],
        spec: TableSpec[I],
        *,
        prefix: Callable[[], StoredKey | None],
        anchor: Anchor,
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        source: TableSpec[R],
        source_key: Callable[[I], StoredKey],
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        prefix: Callable[[], StoredKey | None],
        anchor: Anchor,
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        source: TableSpec[Any] | None = None,
        source_key: Callable[[Any], StoredKey] | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, (), hidden)
        self._spec = spec
        self.row_spec = spec if source is None else source
        self._table = spec.id
        self._key_fields = spec.key_fields
        self._at = prefix
        self._anchor = anchor
        self._before_max = before_max
        self._after_max = after_max
        self._projection = None if show is None else Projection(show)
        self._place: _Place | None = None
        #: Keys below it are of the older stretch, all others of the newer; None: all are of the older.
        self._boundary: StoredKey | None = None

        def stretch(*, newest_first: bool) -> Stretch[Any]:
            if source is None or source_key is None:
                return TableRows(spec, newest_first=newest_first, spare=_SPARE)
            return SourceRows(spec, source, source_key, newest_first=newest_first, spare=_SPARE)

        self._older = stretch(newest_first=True)
        self._newer = stretch(newest_first=False)
        self.entered = self.left = ()
        self.rows = ()
        self.value = Window()

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows shown."""
        return self.rows

    @property
    def lanes(self) -> Iterable[Lane[Any]]:
        """As `Part.lanes`."""
        return (self._older.lane, self._newer.lane)

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self._older.bind(self.view, interests)
        self._newer.bind(self.view, interests)
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        self._unregister()
        self._place = place = self._look()
        if place is None:
            self._older.clear()
            self._newer.clear()
            return self._take()
        self.interests.add_prefix(self._table, place.prefix, self)
        self._load(reads, place)
        return self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.depends & moved and self._look() != self._place:
            verdict = self.reload(reads)
            return verdict | MOVED_WINDOW if verdict else UNCHANGED
        deltas = routed.get(self, ())
        older, newer = self._older, self._newer
        if not deltas and older not in routed and newer not in routed:
            return UNCHANGED
        boundary = self._boundary
        if boundary is None:
            older.fold(reads, deltas, routed)
            newer.fold(reads, (), routed)
        else:
            older.fold(reads, [delta for delta in deltas if delta[0] < boundary], routed)  # type: ignore[operator]
            newer.fold(reads, [delta for delta in deltas if delta[0] >= boundary], routed)  # type: ignore[operator]
        return self._take()

    def close(self) -> None:
        """Unregister everything."""
        self._unregister()
        self._older.clear()
        self._newer.clear()

    def _unregister(self) -> None:
        if self._place is not None:
            self.interests.remove_prefix(self._table, self._place.prefix, self)
            self._place = None

    def _look(self) -> _Place | None:
        """What is to be looked at now."""
        prefix = self._at()
        anchor = self._anchor() if callable(self._anchor) else self._anchor
        if prefix is None or anchor is None:
            return None
        before = amount("before", self._before_max())
        return _Place(prefix, anchor, before, amount("after", self._after_max()))

    def _load(self, reads: Reads, place: _Place) -> None:
        low, high = bounds(place.prefix, int_key=self._spec.int_key)
        # A row may pass from one side of the anchor to the other.
        old = {**self._older.held(), **self._newer.held()}
        # Stored keys are not compared with a name, which `python -bb` forbids.
        if isinstance(place.anchor, str) and place.anchor == "newest":
            self._boundary = None
            self._older.load(reads, low, high, place.before_max, old)
            self._newer.clear()
        elif isinstance(place.anchor, str):
            self._boundary = _INT64_MIN if self._spec.int_key else b""
            self._older.clear()
            self._newer.load(reads, low, high, place.after_max, old)
        else:
            boundary = next_key(place.anchor)
            if boundary is not None and low is not None and boundary < low:  # type: ignore[operator]
                boundary = low
            if high is not None and (boundary is None or boundary > high):  # type: ignore[operator]
                boundary = high
            self._boundary = boundary
            self._older.load(reads, low, boundary, place.before_max, old)
            if boundary is None:
                self._newer.clear()
            else:
                self._newer.load(reads, boundary, high, place.after_max, old)

    def _take(self) -> int:
        """Rebuild what is shown; what differs."""
        older, newer = self._older, self._newer
        self.entered = [*older.entered, *newer.entered]
        self.left = [*older.left, *newer.left]
        verdict = UNCHANGED
        if self.entered or self.left:
            rows = older.rows()[::-1] + newer.rows()
            if rows != self.rows:
                self.rows = rows
                verdict = MOVED
        value = self._window()
        if value == self.value:
            return verdict
        self.value = value
        return verdict | SHOWN

    def _window(self) -> Window[Any]:
        place = self._place
        if place is None:
            return Window()
        anchor, fields, show = place.anchor, self._key_fields, self._projection
        earlier, later = self._older.lane.beyond(), self._newer.lane.beyond()
        return Window(
            entries=self.rows if show is None else show.take(self.rows, self._row_keys()),
            anchor=anchor if isinstance(anchor, str) else fields(anchor),
            earlier=None if earlier is None else fields(earlier),
            later=None if later is None else fields(later),
        )

    def _row_keys(self) -> Sequence[StoredKey]:
        return [*reversed(self._older.row_keys()), *self._newer.row_keys()]
