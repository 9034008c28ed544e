"""Rows in key order under each of several prefixes: a lane a prefix, together or one behind the other.

Depends on: part, stretch, rows, where, reads.  Never on: other words.

Law: `rows` are the first `limit()` of what a scan of each prefix has: in the order of what follows the
prefix in their keys, and where that is equal in the order of the prefixes; or, `chain`, lane after lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.interests import Interests, Routed, Sink
from pillarbox.views.parts.amounts import amount
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.parts.projection import Projection
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch, TableRows
from pillarbox.views.stretch import kept
from pillarbox.views.where import Where, limited, warn_if_incomplete

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")
I = TypeVar("I")  # noqa: E741  # the index row


class _Lane(Sink):
    """One prefix: it hears of its keys."""

    __slots__ = ("prefix", "stretch")

    def __init__(self, prefix: StoredKey, stretch: Stretch[Any]) -> None:
        self.prefix = prefix
        self.stretch = stretch

    def place(self, key: StoredKey) -> StoredKey:
        """What of a key follows the prefix."""
        return key[len(self.prefix) :] if isinstance(key, bytes) and isinstance(self.prefix, bytes) else b""


class LaneScan(ListPart[Row], Generic[Row, Value]):
    """The rows under several prefixes.

    `prefixes()` gives encoded prefixes, all of equally many parts of a key, or None for none; doubles are
    one. The rest is as in `Scan`; each lane holds up to `limit()` rows.
    """

    __slots__ = (
        "_chain",
        "_lanes",
        "_limit",
        "_limited_to",
        "_new_stretch",
        "_objects",
        "_prefixes",
        "_projection",
        "_reverse",
        "_shown",
        "_spec",
        "_where",
        "rows",
        "value",
    )

    rows: tuple[Row, ...]
    value: tuple[Value, ...]

    @overload
    def __init__(
        self: LaneScan[R, R],
        spec: TableSpec[R],
        *,
        prefixes: Callable[[], Iterable[StoredKey] | None],
        chain: bool = False,
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | Where | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: LaneScan[R, V],
        spec: TableSpec[R],
        *,
        prefixes: Callable[[], Iterable[StoredKey] | None],
        chain: bool = False,
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | Where | None = None,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
    ) -> None: ...
    @overload
    def __init__(
        self: LaneScan[R, R],
        spec: TableSpec[I],
        *,
        prefixes: Callable[[], Iterable[StoredKey] | None],
        source: TableSpec[R],
        source_key: Callable[[I], StoredKey],
        chain: bool = False,
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | Where | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: LaneScan[R, V],
        spec: TableSpec[I],
        *,
        prefixes: Callable[[], Iterable[StoredKey] | None],
        source: TableSpec[R],
        source_key: Callable[[I], StoredKey],
        chain: bool = False,
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | Where | None = None,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        prefixes: Callable[[], Iterable[StoredKey] | None],
        source: TableSpec[Any] | None = None,
        source_key: Callable[[Any], StoredKey] | None = None,
        chain: bool = False,
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[Any], bool] | Where | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, row_after, hidden)
        self._spec = spec
        self.row_spec = spec if source is None else source
        self._prefixes = prefixes
        self._chain = chain
        self._limit = limit
        self._reverse = newest_first
        self._where = where if isinstance(where, Where) else None
        self._projection = None if show is None else Projection(show)
        self._limited_to: int | None = None
        #: In the order of the prefixes.
        self._lanes: dict[StoredKey, _Lane] = {}
        #: (prefix, key) -> row, in order.
        self._shown: dict[Any, Row] = {}
        #: Stored key of a row -> the row of the lanes.
        self._objects: dict[StoredKey, Any] = {}

        def new_stretch() -> Stretch[Any]:
            if source is None or source_key is None:
                return TableRows(spec, newest_first=newest_first, where=where)
            return SourceRows(spec, source, source_key, newest_first=newest_first, where=where)

        self._new_stretch = new_stretch
        self.entered = self.left = ()
        self.rows = ()
        self.value = ()

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows shown."""
        return self.rows

    @property
    def incomplete(self) -> bool:
        """Whether too many rows of a lane do not count to find those that do."""
        return any(lane.stretch.lane.incomplete for lane in self._lanes.values())

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        if self._where is not None:
            self._where.bind(self.view, interests)
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        self.close()
        self._limited_to = self._count()
        self._open_lanes(reads)
        return self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        changed = False
        opened: Iterable[_Lane] = ()
        if self.depends & moved:
            if self.row_depends & moved or (self._lanes and self._count() != self._limited_to):
                return self.reload(reads)
            before = list(self._lanes)
            self._limited_to = self._count()
            opened = self._open_lanes(reads)
            changed = list(self._lanes) != before
        again: Sequence[StoredKey] = ()
        if self._where is not None:
            self._where.begin(reads)
            again = self._where.again(reads, routed)
        for lane in self._lanes.values():
            if lane not in opened:
                changed |= self._fold(lane, reads, routed, again)
        return self._take() if changed else UNCHANGED

    def rest(self) -> None:
        """As `Part.rest`."""
        super().rest()
        for lane in self._lanes.values():
            lane.stretch.rest()

    def close(self) -> None:
        """Unregister everything."""
        for lane in self._lanes.values():
            self._close_lane(lane)
        self._lanes = {}
        if self._where is not None:
            self._where.close()

    def _count(self) -> int | None:
        count = None if self._limit is None else self._limit()
        return None if count is None else amount("limit", count)

    def _open_lanes(self, reads: Reads) -> Sequence[_Lane]:
        """Have a lane for each prefix, in their order; those that are new."""
        wanted = dict.fromkeys(self._prefixes() or ())
        if self._where is not None and wanted:
            self._where.listen()
            self._where.begin(reads)
        for prefix, lane in self._lanes.items():
            if prefix not in wanted:
                self._close_lane(lane)
        opened = []
        lanes = {}
        for prefix in wanted:
            found = self._lanes.get(prefix)
            if found is None:
                found = self._open_lane(prefix, reads)
                opened.append(found)
            lanes[prefix] = found
        self._lanes = lanes
        if self._where is not None and not lanes:
            self._where.close()
        return opened

    def _open_lane(self, prefix: StoredKey, reads: Reads) -> _Lane:
        stretch = self._new_stretch()
        stretch.bind(self.view, self.interests)
        lane = _Lane(prefix, stretch)
        lane.view = self.view
        self.interests.add_prefix(self._spec.id, prefix, lane)
        low, high = bounds(prefix, int_key=self._spec.int_key)
        if self._where is not None:
            limited(stretch)
        stretch.load(reads, low, high, self._limited_to, {})
        if self._where is not None:
            warn_if_incomplete(stretch, self._spec.name)
        return lane

    def _close_lane(self, lane: _Lane) -> None:
        self.interests.remove_prefix(self._spec.id, lane.prefix, lane)
        lane.stretch.clear()

    def _fold(self, lane: _Lane, reads: Reads, routed: Routed, again: Sequence[StoredKey]) -> bool:
        """Fold one commit into a lane; whether its rows differ."""
        stretch = lane.stretch
        deltas: Any = routed.get(lane, ())
        if self._where is not None:
            deltas, routed = self._where.with_again(stretch, reads, deltas, routed, again)
        if not deltas and stretch not in routed:
            return False
        stretch.fold(reads, deltas, routed)
        return bool(stretch.entered or stretch.left)

    def _in_order(self) -> list[tuple[Any, Row]]:
        """(prefix and key, row) of what is shown, in order.

        A row may pass from lane to lane, or stand in several: it stays the same object.
        """
        held, self._objects = self._objects, {}
        placed = []
        for lane in self._lanes.values():
            stretch = lane.stretch
            for key, own, row in zip(stretch.places(), stretch.row_keys(), stretch.rows(), strict=True):
                one = self._objects.get(own)
                if one is None:
                    one = self._objects[own] = kept(held.get(own), row)
                placed.append((lane, key, one))
        if not self._chain:
            placed.sort(key=lambda one: one[0].place(one[1]), reverse=self._reverse)
        return [((lane.prefix, key), row) for lane, key, row in placed[: self._limited_to]]

    def _take(self) -> int:
        """Rebuild what is shown; what differs."""
        before, shown = self._shown, dict(self._in_order())
        self._shown = shown
        self.entered = [row for place, row in shown.items() if before.get(place) is not row]
        self.left = [row for place, row in before.items() if shown.get(place) is not row]
        rows = tuple(shown.values())
        if rows == self.rows:
            return UNCHANGED
        self.rows = rows
        value = rows if self._projection is None else self._projection.take(rows, list(shown))
        if value is self.value:
            return MOVED
        self.value = value
        return MOVED | SHOWN
