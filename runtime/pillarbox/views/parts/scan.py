"""Rows in key order from one end of a prefix.

Depends on: stretched, rows, where, reads.  Never on: other words.

Law: `rows` are the first `limit()` rows, in scan order, whose keys begin with `prefix()`, are not below
`low()` and are below `high()`, and for which `where` holds; of an index, its source rows. A change costs
O(log n) and reads nothing, except that about one removal in `slack` has to read on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from pillarbox.views.interests import Delta, Interests, Routed
from pillarbox.views.parts.part import UNCHANGED, Part
from pillarbox.views.parts.ranges import bounds, within
from pillarbox.views.parts.stretched import Stretched
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch, TableRows
from pillarbox.views.where import Where, limited, warn_if_incomplete

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec
    from pillarbox.views.lane import Lane

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")
I = TypeVar("I")  # noqa: E741  # the index row
_UNBOUNDED: Final = (None, None)


class Scan(Stretched[Row, Value]):
    """The rows under one prefix, from its low end or, `newest_first`, from its high end.

    `prefix()` gives encoded bytes (b"" for the whole table), or None: nothing is then read. `limit()`
    gives a number of rows, or None for all; without `limit` all rows are held. With `source` the scanned
    table is an index: `source_key(index_row)` is the stored key of the row shown. `low()` and `high()` give
    stored keys, or beginnings of some: low <= key < high; None bounds nothing. `where` says which rows count,
    and a `Where` so by what hangs on them.
    `rows` are whole rows, for other parts; `value` is what the snapshot shows.
    """

    __slots__ = (
        "_at",
        "_bounds",
        "_high",
        "_low",
        "_prefix",
        "_spec",
        "_table",
        "_where",
    )

    @overload
    def __init__(
        self: Scan[R, R],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        where: Callable[[R], bool] | Where | None = None,
        low: Callable[[], StoredKey | None] | None = None,
        high: Callable[[], StoredKey | None] | None = None,
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
        where: Callable[[R], bool] | Where | None = None,
        low: Callable[[], StoredKey | None] | None = None,
        high: Callable[[], StoredKey | None] | None = None,
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
        where: Callable[[R], bool] | Where | None = None,
        low: Callable[[], StoredKey | None] | None = None,
        high: Callable[[], StoredKey | None] | None = None,
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
        where: Callable[[R], bool] | Where | None = None,
        low: Callable[[], StoredKey | None] | None = None,
        high: Callable[[], StoredKey | None] | None = None,
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
        where: Callable[[Any], bool] | Where | None = None,
        low: Callable[[], StoredKey | None] | None = None,
        high: Callable[[], StoredKey | None] | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        stretch: Stretch[Any] = (
            TableRows(spec, newest_first=newest_first, where=where)
            if source is None or source_key is None
            else SourceRows(spec, source, source_key, newest_first=newest_first, where=where)
        )
        super().__init__(stretch, limit, show, after, row_after, hidden)
        self._spec = spec
        self.row_spec = spec if source is None else source
        self._table = spec.id
        self._at = prefix
        self._low = low
        self._high = high
        self._where = where if isinstance(where, Where) else None
        self._prefix: StoredKey | None = None
        self._bounds: tuple[StoredKey | None, StoredKey | None] = (None, None)
        if self._where is not None:
            limited(stretch)

    @property
    def incomplete(self) -> bool:
        """Whether too many rows do not count to find those that do."""
        return self._stretch.lane.incomplete

    @property
    def lanes(self) -> Iterable[Lane[Any]]:
        """As `Part.lanes`."""
        return (self._stretch.lane,)

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        if self._where is not None:
            self._where.bind(self.view, interests)
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        self._unregister()
        prefix, where = self._at(), self._where
        if prefix is None:
            self._stretch.clear()
            return self._take()
        self.interests.add_prefix(self._table, prefix, self)
        self._prefix = prefix
        self._bounds = self._look()
        self._limited_to = count = self._count()
        if where is not None:
            where.listen()
            where.begin(reads)
        low, high = within(bounds(prefix, int_key=self._spec.int_key), *self._bounds)
        self._stretch.load(reads, low, high, count, self._stretch.held())
        if where is not None:
            warn_if_incomplete(self._stretch, self._spec.name)
        return self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.depends & moved:
            if self.row_depends & moved or self._at() != self._prefix:
                return self.reload(reads)
            if self._prefix is not None and (
                self._count() != self._limited_to or self._look() != self._bounds
            ):
                return self.reload(reads)
        deltas: Sequence[Delta] | None = routed.get(self)
        stretch = self._stretch
        if deltas is not None and self._bounds != _UNBOUNDED:
            deltas = [delta for delta in deltas if stretch.lane.reaches(delta[0])]
        if self._where is not None:
            deltas, routed = self._where.follow(stretch, reads, deltas or (), routed)
        if not deltas and stretch not in routed:
            return UNCHANGED
        stretch.fold(reads, deltas or (), routed)
        if stretch.entered or stretch.left:
            return self._take()
        return UNCHANGED

    def _look(self) -> tuple[StoredKey | None, StoredKey | None]:
        """The bounds as they are now."""
        return None if self._low is None else self._low(), None if self._high is None else self._high()

    def _unregister(self) -> None:
        if self._prefix is not None:
            self.interests.remove_prefix(self._table, self._prefix, self)
            self._prefix = None
        if self._where is not None:
            self._where.close()
