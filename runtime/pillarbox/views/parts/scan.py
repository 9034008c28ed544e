"""Rows in key order from one end of a prefix.

Depends on: part, rows, reads.  Never on: other words.

Law: `rows` are the first `limit()` rows, in scan order, whose keys begin with `prefix()` and for which
`where` holds; of an index, its source rows. A change costs O(log n) and reads nothing, except that
about one removal in `slack` has to read on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.interests import Interests, Routed
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.parts.projection import Projection
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch, TableRows

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")
I = TypeVar("I")  # noqa: E741  # the index row


class Scan(ListPart[Row], Generic[Row, Value]):
    """The rows under one prefix, from its low end or, `newest_first`, from its high end.

    `prefix()` gives encoded bytes (b"" for the whole table), or None: nothing is then read. `limit()`
    gives a number of rows, or None for all; without `limit` all rows are held. With `source` the scanned
    table is an index: `source_key(index_row)` is the stored key of the row shown.
    `rows` are whole rows, for other parts; `value` is what the snapshot shows.
    """

    __slots__ = (
        "_at",
        "_limit",
        "_limited_to",
        "_prefix",
        "_projection",
        "_spec",
        "_stretch",
        "_table",
        "rows",
        "value",
    )

    rows: tuple[Row, ...]
    value: tuple[Value, ...]

    @overload
    def __init__(
        self: Scan[R, R],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: Scan[R, V],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | None = None,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
    ) -> None: ...
    @overload
    def __init__(
        self: Scan[R, R],
        spec: TableSpec[I],
        *,
        prefix: Callable[[], StoredKey | None],
        source: TableSpec[R],
        source_key: Callable[[I], StoredKey],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: Scan[R, V],
        spec: TableSpec[I],
        *,
        prefix: Callable[[], StoredKey | None],
        source: TableSpec[R],
        source_key: Callable[[I], StoredKey],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | None = None,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        prefix: Callable[[], StoredKey | None],
        source: TableSpec[Any] | None = None,
        source_key: Callable[[Any], StoredKey] | None = None,
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[Any], bool] | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, row_after, hidden)
        self._spec = spec
        self._table = spec.id
        self._at = prefix
        self._limit = limit
        self._projection = Projection(show)
        self._prefix: StoredKey | None = None
        self._limited_to: int | None = None
        self._stretch: Stretch[Any] = (
            TableRows(spec, newest_first=newest_first, where=where)
            if source is None or source_key is None
            else SourceRows(spec, source, source_key, newest_first=newest_first, where=where)
        )
        self.rows = ()
        self.value = ()

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows shown."""
        return self.rows

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self._stretch.bind(self.view, interests)
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        self._unregister()
        prefix = self._at()
        if prefix is None:
            self._stretch.clear()
            return self._take()
        self.interests.add_prefix(self._table, prefix, self)
        self._prefix = prefix
        self._limited_to = count = self._count()
        low, high = bounds(prefix, int_key=self._spec.int_key)
        self._stretch.load(reads, low, high, count, self._stretch.held())
        return self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.depends & moved:
            if self.row_depends & moved or self._at() != self._prefix:
                return self.reload(reads)
            if self._prefix is not None and self._count() != self._limited_to:
                return self.reload(reads)
        deltas = routed.get(self)
        stretch = self._stretch
        if deltas is None and stretch not in routed:
            return UNCHANGED
        stretch.fold(reads, deltas or (), routed)
        if stretch.entered or stretch.left:
            return self._take()
        return UNCHANGED

    def close(self) -> None:
        """Unregister everything."""
        self._unregister()
        self._stretch.clear()

    def _unregister(self) -> None:
        if self._prefix is not None:
            self.interests.remove_prefix(self._table, self._prefix, self)
            self._prefix = None

    def _count(self) -> int | None:
        count = None if self._limit is None else self._limit()
        return None if count is None else max(0, count)

    def _take(self) -> int:
        """Rebuild what is shown; what differs."""
        stretch = self._stretch
        self.entered, self.left = stretch.entered, stretch.left
        rows = stretch.rows()
        if rows == self.rows:
            return UNCHANGED
        self.rows = rows
        value = self._projection.take(rows, stretch.row_keys)
        if value is self.value:
            return MOVED
        self.value = value
        return MOVED | SHOWN
