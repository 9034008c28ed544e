"""Typed Parquet of a shard's primary tables, and the rows that every shard begins with.

Depends on: job, files, pillarbox.box, pyarrow, pyspark's types.  Never on: a Spark session.

Law: the files of a table, over all shards and the seed, hold each row of the merged box once.

Every shard starts as a new box does, with the rows that the schema seeds. A shard leaves out those it
still has, and tells which it has no more; what no shard lost is written once, by the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec
import pyarrow
from pyarrow.parquet import ParquetWriter
from pyspark.sql.pandas.types import to_arrow_schema

from pillarbox.box import Box, Package
from pillarbox_spark.files import TABLES, Attempt, errors_of_store
from pillarbox_spark.job import ParquetTable

#: Rows of one row group.
SLICE_ROWS: Final = 20_000
#: Where Spark looks for the schema that it wrote a file with.
_SPARK_SCHEMA: Final = "org.apache.spark.sql.parquet.row.metadata"

Rows: TypeAlias = Callable[[int, int], Iterable[list[Any]]]


class TableFile(msgspec.Struct, frozen=True):
    """What a shard has of one table besides the seed."""

    rows: int
    #: From the run's folder on; None where there are no rows, or no Parquet is wanted.
    path: str | None
    #: Which of the seed's rows, by number, the shard has no more.
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The file of a shard's rows of one table, if any, and which of the seed's rows are not in the shard."""

    path: str | None
    lost: tuple[int, ...]
    #: Rows of the shard that the seed put there.
    seeded: int


def write_tables(
    tables: Sequence[ParquetTable], package: Package[Any, Any], rows: Rows, attempt: Attempt, *, files: bool
) -> dict[int, Written]:
    """Write each table of a shard that has rows of its own; by table id.

    Without `files` only the rows of the seed are looked for.
    """
    seeds = seeds_of(package)
    written = {}
    for table in tables:
        seed = seeds.get(table.id, [])
        own = _Own(seed)
        path = None
        if files:
            path = write_table(table, own.of(rows(table.id, SLICE_ROWS)), attempt)
        elif seed:
            for _ in own.of(rows(table.id, SLICE_ROWS)):
                pass
        lost = own.lost()
        written[table.id] = Written(path, lost, len(seed) - len(lost))
    return written


def write_table(table: ParquetTable, slices: Iterable[list[Any]], attempt: Attempt) -> str | None:
    """Publish the rows of one table, a row group for each slice; from the run's folder on. None: no rows."""
    schema = arrow_schema(table)
    suffix = f"{table.name}.parquet"
    part = attempt.part(suffix)
    writer: ParquetWriter | None = None
    with errors_of_store(part):
        try:
            for rows in filter(None, slices):
                if writer is None:
                    writer = ParquetWriter(part, schema, compression="zstd")
                writer.write_batch(batch_of(table, schema, rows))
        finally:
            if writer is not None:
                writer.close()
    if writer is None:
        return None
    return attempt.publish(suffix, f"{TABLES}/{table.name}", lasting=True)


def batch_of(table: ParquetTable, schema: pyarrow.Schema, rows: Sequence[Any]) -> pyarrow.RecordBatch:
    """Rows as Arrow columns."""
    return pyarrow.RecordBatch.from_arrays(table.rows.arrays(rows, schema), schema=schema)


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
