"""Reading one table: points, batches and ranges, straight from an engine.

Depends on: spec, shared, storage, codec, arguments.  Never on: the write-behind cache, which overrides this
class.

Law: whatever the method, a row read is the row last written under its key, in key order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar, Final, Generic, TypedDict, TypeVar

from pillarbox.arguments import misused
from pillarbox.codec import successor
from pillarbox.errors import RecordCorrupt
from pillarbox.storage import Engine, StoredKey, in_slices
from pillarbox.tables.shared import SharedPart
from pillarbox.tables.spec import Cell, Row, TableSpec

#: How callers hold a key: a tuple of its fields, or its only field.
Key = TypeVar("Key")

_INT64_MAX: Final = (1 << 63) - 1
_key: Final = itemgetter(0)
_value: Final = itemgetter(1)


def refuse_limit(limit: int | None) -> None:
    """Raise UsageError for what is neither None nor an int of 0 or more."""
    if limit is not None and (not isinstance(limit, int) or limit < 0):
        raise misused("limit", limit, "an int of 0 or more, or None for all rows")


class TableReader(Generic[Row]):
    """The read half of a table. Generated classes add a typed `get` on top."""

    __slots__ = ("_engine", "spec")
    #: Generated readers name their table here.
    SPEC: ClassVar[TableSpec]  # type: ignore[type-arg]  # one class variable cannot be generic
    #: Where rows share values that lie in another table.
    SHARED: ClassVar[SharedPart[Any] | None] = None

    def __init__(self, engine: Engine) -> None:
        self.spec: TableSpec[Row] = self.SPEC
        self._engine = engine

    def cell(self, key: StoredKey) -> Cell | None:
        """The cell under `key`, or None."""
        value = self._engine.get(self.spec.layout, key)
        if value is None:
            return None
        cell = self._decoded(key, value)
        return (
            cell
            if self.SHARED is None
            else self.SHARED.whole(self._engine, self.spec.name, [(key, cell)])[0][1]
        )

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        """The cells under many keys, in one statement; absent keys are missing."""
        return dict(self._cells_of(self._engine.get_many(self.spec.layout, keys).items()))

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        """(key, cell) with low <= key < high, in key order or its reverse; None is open-ended."""
        found = self._engine.scan(self.spec.layout, low, high, newest_first=newest_first, limit=limit)
        return self._cells_of(found)

    def slices(self, rows: int, *, stored: bool = False) -> Iterator[list[tuple[StoredKey, Cell]]]:
        """All rows by `scan_cells`, in lists of at most `rows`; `stored`: whatever transaction is open.

        Raises FileDamaged where a damaged file does not get on to higher keys.
        """
        scan = partial(TableReader.scan_cells, self) if stored else self.scan_cells
        return in_slices(scan, rows, self._engine.path, self.spec.name)

    def _cells_of(self, found: Collection[tuple[StoredKey, bytes]]) -> list[tuple[StoredKey, Cell]]:
        decode_many = self.spec.decode_many
        if decode_many is None or not found:  # whose decoder nobody needs yet
            return list(found)
        try:
            cells = list(zip(map(_key, found), decode_many(list(map(_value, found))), strict=True))
        except RecordCorrupt:
            cells = [(key, self._decoded(key, value)) for key, value in found]  # tells which row
        return cells if self.SHARED is None else self.SHARED.whole(self._engine, self.spec.name, cells)

    def _decoded(self, key: StoredKey, value: bytes) -> Cell:
        try:
            return self.spec.cell_from(value)
        except RecordCorrupt as error:
            raise error.at(key) from None

    def row_at(self, key: StoredKey) -> Row | None:
        """The row under an encoded key, or None."""
        cell = self.cell(key)
        return None if cell is None else self._row(key, cell)

    def rows_at(self, keys: Iterable[StoredKey]) -> list[Row]:
        """The rows under these keys, in the order given; absent ones are skipped."""
        wanted = list(keys)
        cells = self.cells_at(wanted)
        return self._rows_of([(key, cells[key]) for key in wanted if key in cells])

    def rows_between(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Row]:
        """Rows with low <= key < high; see `scan_cells`. Raises UsageError for a limit below 0."""
        refuse_limit(limit)
        return self._rows_of(self.scan_cells(low, high, newest_first=newest_first, limit=limit))

    def _rows_of(self, found: list[tuple[StoredKey, Cell]]) -> list[Row]:
        if self.spec.decode is not None:
            return list(map(_value, found))
        row = self.spec.row
        try:
            return [row(key, cell) for key, cell in found]
        except RecordCorrupt:
            return [self._row(key, cell) for key, cell in found]  # tells which row

    def _row(self, key: StoredKey, cell: Cell) -> Row:
        try:
            return self.spec.row(key, cell)
        except RecordCorrupt as error:  # a packed cell is decoded here
            raise error.at(key) from None

    def first_row(self, prefix: bytes, start: StoredKey | None = None) -> Row | None:
        """The first row whose key begins with `prefix`, none that is before `start`, which begins so too."""
        low = start if start is not None else prefix or None
        found = self.rows_between(low, successor(prefix), limit=1)
        return found[0] if found else None

    def last_row(self, prefix: bytes, end: StoredKey | None = None) -> Row | None:
        """The last row whose key begins with `prefix`, none that is behind all that begin with `end`, which
        begins so too.
        """
        if isinstance(end, int):
            high: StoredKey | None = end + 1 if end < _INT64_MAX else None
        else:
            high = successor(prefix if end is None else end)
        found = self.rows_between(prefix or None, high, newest_first=True, limit=1)
        return found[0] if found else None

    def rows_under(
        self,
        prefix: bytes,
        newest_first: bool = False,
        after: Any = None,
        before: Any = None,
        limit: int | None = None,
    ) -> list[Row]:
        """Rows whose encoded key begins with `prefix`, strictly between the keys `after` and `before`.

        These two are a tuple of the key's fields, or its only field; None is no edge. Edges outside of the
        prefix are none either: nothing beyond the prefix is ever read.
        """
        low = prefix if after is None else max(prefix, self._edge(after) + b"\0")
        high = successor(prefix)
        if before is not None:
            edge = self._edge(before)
            high = edge if high is None else min(edge, high)
        return self.rows_between(low, high, newest_first=newest_first, limit=limit)

    def _edge(self, key: Any) -> Any:
        return self.spec.key(*key) if isinstance(key, tuple) else self.spec.key(key)


class ReadOptions(TypedDict, Generic[Key], total=False):
    """What every method that reads many rows takes by name; `OrderedReader.all` says what it means."""

    newest_first: bool
    after: Key | None
    before: Key | None
    limit: int | None


class OrderedReader(TableReader[Row], Generic[Row, Key]):
    """The read half of a table whose key has parts. Generated classes add methods that read prefixes."""

    __slots__ = ()

    def all(
        self,
        *,
        newest_first: bool = False,
        after: Key | None = None,
        before: Key | None = None,
        limit: int | None = None,
    ) -> list[Row]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse.

        None is no edge, and no limit. Raises RangeError for an edge whose fields do not fit the key,
        TypeError for one of fewer fields, UsageError for a limit below 0.
        """
        if not self.spec.int_key:
            return self.rows_under(b"", newest_first, after, before, limit)
        low = None if after is None else self._edge(after) + 1
        high = None if before is None else self._edge(before)
        return self.rows_between(low, high, newest_first=newest_first, limit=limit)
