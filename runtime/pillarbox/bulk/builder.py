"""A shard: operations in, a finished box out.

Depends on: box (its opening and packages), maintainers, storage, errors.  Never on: how many shards there
are.

Laws. The box equals one that replayed the records in the order they were added, each in a transaction of
its own, whatever the slices. A record is refused exactly where that replay would have raised, and leaves
no trace. (The sums of a `count` are looked at where a slice ends: one that goes out of its type's range
and comes back within a slice is not seen. So is a table made late that an anchored count is over: to settle
after each record would take ten times as long.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeAlias
from zlib import crc32

from pillarbox.box.opening import bring_up
from pillarbox.box.package import Package, Rd, Tx
from pillarbox.errors import (
    FileDamaged,
    NotABox,
    OwnerMissing,
    PillarboxError,
    StoreError,
    UniqueViolation,
    UsageError,
)
from pillarbox.maintainers import tell_orphans
from pillarbox.storage import ScratchEngine, TableLayout, in_slices
from pillarbox.tables import TableReader

_SUM_END: Final = 1 << 64
#: Rows that are added up at a time.
_SLICE_ROWS: Final = 10_000
#: These tell of the file or the machine, not of the record.
_NOT_THE_RECORD: Final = (StoreError, FileDamaged, NotABox)

#: Takes what a slice has made of a table: the rows that it wrote, in key order, and whether rows of earlier
#: slices, or of the seed, were replaced or removed.
Told: TypeAlias = Callable[[Sequence[Any], bool], None]


@dataclass(frozen=True, slots=True)
class RefusedRecord:
    """A record that was left out, and why."""

    record: Any
    error: PillarboxError


@dataclass(frozen=True, slots=True)
class OrphanedRecord:
    """A record that was taken but for rows whose owners were not there (`orphans: skip`)."""

    record: Any
    #: Of the first of these rows.
    error: OwnerMissing


@dataclass(frozen=True, slots=True)
class TableFigures:
    """What a table of a finished box holds."""

    rows: int
    #: The sum, modulo 2**64, of each row's CRC-32, that of its key followed by its value; whatever the order.
    checksum: int


@dataclass(frozen=True, slots=True)
class Built:
    """A finished box."""

    #: table id -> figures, for every table of the schema.
    tables: Mapping[int, TableFigures]
    refused: tuple[RefusedRecord, ...]
    orphaned: tuple[OrphanedRecord, ...]


class _Applied:
    """The operations of several records as they are applied, one after the other.

    Whenever that raises, `at` is the record it stood at; None: at none, as before the first.
    """

    __slots__ = ("_orphans", "_records", "_tx", "at", "orphaned")

    def __init__(
        self, tx: Any, records: Sequence[tuple[Any, Sequence[Any]]], orphans: list[OwnerMissing]
    ) -> None:
        """`orphans` gets what has no owner, row by row, while it is applied."""
        self._tx = tx
        self._records = records
        self._orphans = orphans
        self._orphans.clear()
        self.at: int | None = None
        self.orphaned: list[OrphanedRecord] = []

    def __iter__(self) -> Iterator[Any]:
        end_record, orphans = self._tx.end_record, self._orphans
        for at, (record, operations) in enumerate(self._records):
            self.at = at
            yield from operations
            end_record()
            if orphans:
                self.orphaned.append(OrphanedRecord(record, orphans[0]))
                orphans.clear()
        self.at = None


class ShardBuilder(Generic[Tx, Rd]):
    """Fills a new box at `path`. Not for two threads.

    What it holds in memory is one slice: records until their operations number `slice_records`, and the
    rows these write. Use it in a `with` block, or close it: an unfinished file goes away.
    """

    def __init__(
        self,
        package: Package[Tx, Rd],
        path: str | PathLike[str],
        *,
        slice_records: int = 20_000,
        vfs: str | None = None,
        told: Mapping[int, Told] | None = None,
    ) -> None:
        """Create the box with its seed. Raises UsageError when `path` exists.

        `told`: by table id, who is told of each slice that is written.
        """
        self._package = package
        self._slice_records = slice_records
        self._told = told or {}
        self._records: list[tuple[Any, Sequence[Any]]] = []
        self._operations = 0
        #: Why nothing more is taken; empty while it is.
        self._over = ""
        self._refused: list[RefusedRecord] = []
        #: Rows that the record which is being applied has put without their owners.
        self._orphans: list[OwnerMissing] = []
        self._orphaned: list[OrphanedRecord] = []
        self._engine = ScratchEngine(fspath(path), vfs=vfs)
        try:
            self._tx = package.transaction(self._engine)
            bring_up(self._engine, package, self._tx)
            tell_orphans(self._tx, self._orphans.append)
            self._tables: Mapping[int, TableReader[Any]] = package.tables(self._engine).by_id()
            self._tallies = {spec.id: self._tally_of(spec.layout) for spec in package.specs}
            #: Tables that slices have read or written.
            self._used: set[int] = set()
        except BaseException:
            self._engine.close()
            raise

    def add(self, record: Any, operations: Sequence[Any]) -> None:
        """Add the operations of one record: all of them, or none and the record is among the refused.

        `record` is only given back. Raises StoreError when the disk fails; only `close` is left then.
        """
        if self._over:
            raise self._refused_more()
        count = len(operations)  # first: what has none is not added
        self._records.append((record, operations))
        self._operations += count
        if self._operations >= self._slice_records:
            self.flush()

    def flush(self) -> None:
        """Write what was added so far. After an error, or an interrupt, only `close` is left."""
        if self._over:
            raise self._refused_more()
        self._over = "not all that was added is in it, after an error or an interrupt"  # unless it all is
        records, self._records = self._records, []
        self._operations = 0
        self._write(records)
        self._over = ""

    def rows(self, table_id: int, slice_rows: int) -> Iterator[list[Any]]:
        """All rows of a table so far, in key order, in lists of at most `slice_rows`."""
        self.flush()
        spec = self._package.specs_by_id[table_id]
        for found in self._tables[table_id].slices(slice_rows):
            yield [spec.row(key, cell) for key, cell in found]

    def finish(self) -> Built:
        """Write what is left and make the file one like any other. After an error only `close` is left."""
        self.flush()
        self._over = "it is finished, or could not be"
        for id_, table in self._tables.items():
            # Where a value was shared, rows that have it were stored anew as others came to have it too.
            if table.SHARED is not None and table.SHARED.spec.id in self._used:
                self._tallies[id_] = self._tally_of(table.spec.layout)
        self._engine.finish()
        figures = {id_: tally.figures() for id_, tally in self._tallies.items()}
        return Built(figures, tuple(self._refused), tuple(self._orphaned))

    def _tally_of(self, layout: TableLayout) -> _Tally:
        """The figures of a table as it is stored now."""
        tally = _Tally(layout)
        scan = partial(self._engine.scan, layout)
        for found in in_slices(scan, _SLICE_ROWS, self._engine.path, layout.name):
            tally.add([key for key, _ in found], [value for _, value in found])
        return tally

    def close(self) -> None:
        """Give everything back. A box that is not finished is removed."""
        self._over = self._over or "it is closed"
        self._records.clear()
        self._engine.close()

    def _refused_more(self) -> UsageError:
        return UsageError(f"{self._engine.path}: {self._over}, so that nothing more is taken; build it anew")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # ---------------------------------------------------------------------------------------- slices

    def _write(self, records: Sequence[tuple[Any, Sequence[Any]]]) -> None:
        """Write records, those aside that are to be refused.

        A record is refused once it fails with nothing of its transaction before it. Many that are refused
        make the transactions short, and many that are not make them long again: so the work stays in
        proportion to the records.
        """
        size, begin = len(records), 0
        while begin < len(records):
            some = records[begin : begin + size]
            failed = self._attempt(some)
            if failed is None:
                begin += len(some)
                size *= 2
                continue
            at, error = failed
            if at is None and len(some) > 1:
                size = len(some) // 2
            elif at:
                size = at
            else:
                self._refused.append(RefusedRecord(some[0][0], _bare(error)))
                begin += 1
                size = max(1, len(some) // 2)

    def _attempt(
        self, records: Sequence[tuple[Any, Sequence[Any]]]
    ) -> tuple[int | None, PillarboxError] | None:
        """Write records in one transaction; or nothing, and which one raised (None: any of them) what."""
        tx = self._tx
        operations = [operation for _, operations in records for operation in operations]
        applied = _Applied(tx, records, self._orphans)
        at: int | None = None
        # What one record writes and another one replaces would be refused by itself.
        tx.keep_replaced(len(records) > 1)
        tx.begin()
        try:
            try:
                self._package.replay(tx, operations, applied)
            except PillarboxError as error:
                # What settling finds may have been written by any record before, but that uniqueness is
                # looked at after each.
                if not tx.settle_failed or isinstance(error, UniqueViolation):
                    at = applied.at
                raise
            poured = tx.pour()
            tx.commit()
        except _NOT_THE_RECORD:
            tx.rollback()
            raise
        except PillarboxError as error:
            tx.rollback()
            return at, error
        except BaseException:
            tx.rollback()
            raise
        self._orphaned += applied.orphaned
        for table, batch, gone in poured:
            spec = table.spec
            self._used.add(spec.id)
            tally = self._tallies[spec.id]
            tally.add(batch.puts, batch.values)
            tally.take([key for key, _ in gone], [spec.bytes_of(cell) for _, cell in gone])
            told = self._told.get(spec.id)
            if told is not None:
                told(batch.cells if spec.decode else list(map(spec.row, batch.puts, batch.cells)), bool(gone))
        return None


def _bare(error: PillarboxError) -> PillarboxError:
    """The error without the frames it went through, which hold a whole slice."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


class _Tally:
    """The figures of one table while it is written."""

    __slots__ = ("_int_key", "_rows", "_sum")

    def __init__(self, layout: TableLayout) -> None:
        self._int_key = layout.int_key
        self._rows = self._sum = 0

    def add(self, keys: Sequence[Any], values: Sequence[bytes]) -> None:
        self._rows += len(keys)
        self._sum += self._sum_of(keys, values)

    def take(self, keys: Sequence[Any], values: Sequence[bytes]) -> None:
        self._rows -= len(keys)
        self._sum -= self._sum_of(keys, values)

    def figures(self) -> TableFigures:
        return TableFigures(self._rows, self._sum % _SUM_END)

    def _sum_of(self, keys: Sequence[Any], values: Sequence[bytes]) -> int:
        of_keys = [key.to_bytes(8, "big", signed=True) for key in keys] if self._int_key else keys
        return sum(map(crc32, values, map(crc32, of_keys)))
