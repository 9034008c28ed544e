"""Typed Parquet of a shard's primary tables, and the rows that every shard begins with.

Depends on: job, files, pillarbox.box, pillarbox.bulk, pyarrow, pyspark's types.  Never on: a Spark session.

Law: the files of a table, over all shards and the seed, hold each row of the merged box once.

A field that may be null, and is null in all rows of a file, is no column of that file: of a union with many
cases only those cost time that there are. What a file has is what its first row group has, and the files of
the shard before it; where a later row group has more, it begins a file. So there are as many files as row
groups at most, and one where rows are alike. Read as the declared schema, they have all columns.

Rows are written as they come, while they are at hand, in whatever order that is; in a row group those with
nothing in a list lie together. Where a shard changes or removes what it has, the file of that table is begun
again when the shard is whole, and read from it.

Every shard starts as a new box does, with the rows that the schema seeds. A shard leaves out those it
still has, and tells which it has no more; what no shard lost is written once, by the driver.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import pyarrow
from pyarrow.parquet import ParquetWriter
from pyspark.sql.pandas.types import to_arrow_schema

from pillarbox.box import Box, Package
from pillarbox.bulk import Told
from pillarbox_spark.columns import Seen, narrowed
from pillarbox_spark.files import TABLES, Attempt, errors_of_store
from pillarbox_spark.job import ParquetTable

#: Rows of one row group, at most; and how many, at least, but in the last one of a file.
SLICE_ROWS: Final = 20_000
_GROUP_ROWS: Final = 10_000
#: Where Spark looks for the schema that it wrote a file with.
_SPARK_SCHEMA: Final = "org.apache.spark.sql.parquet.row.metadata"

Rows: TypeAlias = Callable[[int, int], Iterable[list[Any]]]


class TableFile(msgspec.Struct, frozen=True):
    """What a shard has of one table besides the seed."""

    rows: int
    #: From the run's folder on; none where there are no rows, or no Parquet is wanted.
    paths: tuple[str, ...]
    #: Which of the seed's rows, by number, the shard has no more.
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a shard's rows of one table, and which of the seed's rows are not in the shard."""

    paths: tuple[str, ...]
    lost: tuple[int, ...]
    #: Rows of the shard that the seed put there.
    seeded: int


class ShardTables:
    """The tables of a shard that is being built. Close it: files that are not published go away."""

    def __init__(
        self, tables: Sequence[ParquetTable], package: Package[Any, Any], attempt: Attempt, *, files: bool
    ) -> None:
        """Without `files` only the rows of the seed are looked for."""
        self._attempt, self._is_written = attempt, files
        self._seeds = seeds_of(package)
        self._files = {table.id: TableWriter(table, attempt) for table in tables}
        #: Tables of which rows have gone, those of the seed included.
        self._gone: set[int] = set()

    def told(self) -> Mapping[int, Told]:
        """What a ShardBuilder tells of its slices."""
        return {number: partial(self._take, number) for number in self._files}

    def _take(self, number: int, rows: Sequence[Any], gone: bool) -> None:
        file = self._files[number]
        if gone:
            self._gone.add(number)
            file.close()
        elif self._is_written and number not in self._gone:
            file.add(rows)

    def finish(self, rows: Rows) -> dict[int, Written]:
        """Publish the files; by table id. `rows` gives the rows of the whole shard."""
        written = {}
        for number, file in self._files.items():
            seed = self._seeds.get(number, [])
            own = _Own(seed)
            if number not in self._gone:
                written[number] = Written(file.publish(), (), len(seed))
                continue
            if self._is_written or seed:
                for slice_rows in own.of(rows(number, SLICE_ROWS)):
                    if self._is_written:
                        file.add(slice_rows)
            lost = own.lost()
            written[number] = Written(file.publish(), lost, len(seed) - len(lost))
        return written

    def close(self) -> None:
        for file in self._files.values():
            file.close()


class TableWriter:
    """The files of one table; one is there once there are enough rows for a row group, or they are published.

    Raises StoreError. Close it to give up what is not published; then it can be begun again.
    """

    def __init__(self, table: ParquetTable, attempt: Attempt) -> None:
        self._table, self._attempt = table, attempt
        self._waiting: list[Any] = []
        #: What the table is declared with; made when there are rows.
        self._declared: pyarrow.Schema | None = None
        self._begin()

    def _begin(self) -> None:
        self._seen = Seen()
        #: The files' suffixes; to the last of them there may be more to write.
        self._suffixes: list[str] = []
        self._writer: ParquetWriter | None = None

    def add(self, rows: Sequence[Any]) -> None:
        self._waiting += rows
        if len(self._waiting) >= _GROUP_ROWS:
            self._write()

    def publish(self) -> tuple[str, ...]:
        """The names from the run's folder on; there is no file where there were no rows."""
        if self._waiting:
            self._write()
        self._end_file()
        folder = f"{TABLES}/{self._table.name}"
        names = tuple(self._attempt.publish(suffix, folder, lasting=True) for suffix in self._suffixes)
        self._begin()
        return names

    def close(self) -> None:
        self._waiting = []
        self._end_file()
        for suffix in self._suffixes:
            part = self._attempt.part(suffix)
            with errors_of_store(part):
                part.unlink(missing_ok=True)
        self._begin()

    def _write(self) -> None:
        if self._declared is None:
            self._declared = arrow_schema(self._table)
        rows, self._waiting = self._waiting, []
        batch = batch_of(self._table, self._declared, _parted(rows, self._declared), self._seen)
        writer = self._writer
        if writer is None or writer.schema != batch.schema:
            self._end_file()
            writer = self._begin_file(batch.schema)
        with errors_of_store(self._attempt.part(self._suffixes[-1])):
            writer.write_batch(batch, SLICE_ROWS)

    def _begin_file(self, schema: pyarrow.Schema) -> ParquetWriter:
        number = len(self._suffixes)
        suffix = f"{self._table.name}-{number}.parquet" if number else f"{self._table.name}.parquet"
        part = self._attempt.part(suffix)
        with errors_of_store(part):
            self._writer = _writer(part, schema)
        self._suffixes.append(suffix)
        return self._writer

    def _end_file(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with errors_of_store(self._attempt.part(self._suffixes[-1])):
                writer.close()


def _writer(path: Path, schema: pyarrow.Schema) -> ParquetWriter:
    """Dictionaries and statistics are of what rows are chosen by: within lists they only take time."""
    chosen_by = [field.name for field in schema if not pyarrow.types.is_nested(field.type)]
    return ParquetWriter(
        path,
        schema,
        compression="zstd",
        use_dictionary=chosen_by,
        write_statistics=chosen_by,
        write_batch_size=SLICE_ROWS,
    )


def _parted(rows: list[Any], declared: pyarrow.Schema) -> list[Any]:
    """The rows, first those that have something in a nested column, then those that have nothing there.

    Each field within a list has levels for each row, also where the list is empty. Long runs of rows that are
    alike cost the writer two thirds of what mixed ones do, and are a fifth smaller. A field whose name is
    none in Python, so that the row has another, does without.
    """
    known = type(rows[0]).__struct_fields__
    columns = [field.name for field in reversed(declared) if pyarrow.types.is_nested(field.type)]
    nested = [name for name in columns if name in known]
    if not nested:
        return rows
    parts: defaultdict[tuple[bool, ...], list[Any]] = defaultdict(list)
    # Each row is looked at once, and not once a field: memory is slow, and there are many rows.
    filling = zip(*[map(bool, map(attrgetter(name), rows)) for name in nested], strict=True)
    for filled, row in zip(filling, rows, strict=True):
        parts[filled].append(row)
    return list(chain.from_iterable(map(parts.__getitem__, sorted(parts, reverse=True))))


def batch_of(
    table: ParquetTable, declared: pyarrow.Schema, rows: Sequence[Any], seen: Seen
) -> pyarrow.RecordBatch:
    """Rows as Arrow columns, without what was not seen so far, which it tells."""
    arrays = table.rows.arrays(rows, declared, seen)
    schema = pyarrow.schema(narrowed(declared, arrays), declared.metadata)
    return pyarrow.RecordBatch.from_arrays(list(arrays.values()), schema=schema)


@cache
def arrow_schema(table: ParquetTable) -> pyarrow.Schema:
    """The columns of a table; Spark finds its own types and their metadata in it."""
    return to_arrow_schema(table.schema).with_metadata({_SPARK_SCHEMA: table.schema.json()})


def seeds_of(package: Package[Any, Any]) -> Mapping[int, list[Any]]:
    """The rows that a new box has, by table, in key order; only of tables that have some."""
    with Box(":memory:", package) as box, box.reading() as tables:
        found = {number: table.rows_between(None, None) for number, table in tables.by_id().items()}
    return {number: rows for number, rows in found.items() if rows}


class _Own:
    """Takes from the rows of a shard those that the seed put there."""

    def __init__(self, seeds: list[Any]) -> None:
        self._left = dict(enumerate(seeds))

    def of(self, slices: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """The slices without rows of the seed."""
        for rows in slices:
            yield [row for row in rows if not self._is_seed(row)] if self._left else rows

    def lost(self) -> tuple[int, ...]:
        """The numbers of the seed's rows that have not come by."""
        return tuple(self._left)

    def _is_seed(self, row: Any) -> bool:
        for number, seed in self._left.items():
            if row == seed:
                del self._left[number]
                return True
        return False
