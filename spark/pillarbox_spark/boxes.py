"""Boxes as a source of Spark's: `spark.read.format("pillarbox")`.

Depends on: key_ranges, columns, job (tables), uris, pillarbox.inspect, pyspark.  Never on: the making of
boxes.

Law: what is read are the rows of one table as of one commit, each once, whatever filters are applied to them,
and whatever else reads the same data frame, unless it has `narrow`; where they are read in several
partitions, each of these sees a commit of its own.

Spark asks for the columns, and plans what to read, in a process of its own, and reads in others: each opens
the box for itself, read-only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any, Final

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType

from pillarbox.errors import UsageError
from pillarbox.inspect.keys import KeyCodec
from pillarbox.inspect.packages import package_name, package_of
from pillarbox.inspect.shape import TableShape
from pillarbox.inspect.stored import Stored, looked_at
from pillarbox.storage import StoredKey, in_slices
from pillarbox.storage.surveys import parted_at, row_sizes
from pillarbox.tables import TableReader
from pillarbox_spark.columns import PLAIN, Seen
from pillarbox_spark.job import ParquetTable
from pillarbox_spark.key_ranges import KeyRange, ranges_of
from pillarbox_spark.uris import local_path

_PUSHDOWN: Final = "spark.sql.python.filterPushdown.enabled"
_OPTIONS: Final = ("narrow", "package", "partitions", "path", "table")
_SWITCH: Final = {"true": True, "false": False}
#: What options of tables in Spark's catalog begin with; Spark tells them to nobody who reads such a table.
_OF_CATALOG: Final = "option."
_PARTITIONS_MAX: Final = 10_000
#: Of one Arrow batch, rows at most, and bytes of them as they are stored; a row above that is one by itself.
_SLICE_ROWS: Final = 10_000
_SLICE_BYTES: Final = 16 << 20


def register(session: SparkSession) -> None:
    """Let a session read boxes, and tell who reads them what its queries filter by."""
    session.conf.set(_PUSHDOWN, "true")
    session.dataSource.register(BoxSource)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be read."""

    #: The file of a box.
    path: str
    #: By name or number.
    table: str
    #: By name; None takes that of the box's schema.
    package: str | None
    #: At most.
    partitions: int
    #: Whether what one query filters by narrows what is read. Spark 4.3 has all that reads one data frame, or
    #: one view, read what the filters of the last plan left: the other side of a join, or a later query.
    narrow: bool

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Wanted:
        """Raises UsageError."""
        if any(name.startswith(_OF_CATALOG) for name in options):
            raise UsageError(
                "Spark does not tell who reads a table of its catalog which box it is of; make a view: "
                "CREATE TEMPORARY VIEW .. USING pillarbox OPTIONS (path '..', table '..')"
            )
        for name in sorted(options):
            if name not in _OPTIONS:
                raise UsageError(f"there is no option {name!r}; there are {', '.join(_OPTIONS)}")
        for name, way in (("path", ".load(PATH)"), ("table", '.option("table", NAME)')):
            if not options.get(name):
                raise UsageError(f"no {name} is named; name it by {way}")
        partitions = options.get("partitions", "1")
        if not partitions.isdecimal() or not 1 <= int(partitions[:9]) <= _PARTITIONS_MAX:
            raise UsageError(f"partitions is {partitions[:9]!r}: give a number from 1 to {_PARTITIONS_MAX}")
        narrow = options.get("narrow", "false").lower()
        if narrow not in _SWITCH:
            raise UsageError(f"narrow is {narrow[:9]!r}: give true or false")
        path, package = local_path(options["path"]), options.get("package")
        return cls(path, options["table"], package, int(partitions), _SWITCH[narrow])


class BoxSource(DataSource):
    """One table of a box; see docs/spark.md."""

    @classmethod
    def name(cls) -> str:
        return "pillarbox"

    def schema(self) -> StructType:
        """Raises UsageError, and what stores raise."""
        with _opened(Wanted.of(self.options)) as table:
            return table.columns.schema

    def reader(self, schema: StructType) -> BoxReader:
        """`schema` may be a part of the columns. Raises UsageError."""
        wanted = Wanted.of(self.options)
        with _opened(wanted) as table:
            _refuse_others(table.columns, schema)
        return BoxReader(wanted, schema)


class BoxPart(InputPartition):
    """Ranges of keys that one task reads; rising, without overlaps."""

    def __init__(self, ranges: Sequence[KeyRange]) -> None:
        super().__init__(None)
        self.ranges = tuple(ranges)


class BoxReader(DataSourceReader):
    """Reads some columns of one table."""

    def __init__(self, wanted: Wanted, schema: StructType) -> None:
        self._wanted, self._schema = wanted, schema
        self._filters: list[Filter] = []

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Spark still applies all of them: what is read may be more."""
        if self._wanted.narrow:
            self._filters = filters
        return filters

    def partitions(self) -> Sequence[InputPartition]:
        with _opened(self._wanted) as table:
            keys = KeyCodec(table.box.layout, table.shape)
            ranges = ranges_of(keys, table.shape.key, self._filters)
            return [BoxPart(part) for part in _parts(table, ranges, self._wanted.partitions)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        """Raises DataError where rows do not read."""
        if not isinstance(partition, BoxPart):  # no key is in any range
            return
        arrow = to_arrow_schema(self._schema)
        with _opened(self._wanted) as table:
            for rows in table.rows(partition.ranges):
                yield _batch(table.columns, rows, arrow)


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of an open box."""

    box: Stored
    shape: TableShape
    reader: TableReader[Any]
    columns: ParquetTable

    def rows(self, ranges: Iterable[KeyRange]) -> Iterator[list[Any]]:
        """The rows in the ranges, in lists."""
        row = self.reader.spec.row
        for low, high in ranges:
            for found in self._slices(low, high):
                yield [row(key, cell) for key, cell in found]

    def _slices(self, low: StoredKey | None, high: StoredKey | None) -> Iterator[list[tuple[Any, Any]]]:
        """How large rows are is looked up first: of large ones, too many would be held before it is known."""

        def scan(begin: StoredKey | None, _: None, *, limit: int) -> list[tuple[StoredKey, int]]:
            start = low if begin is None else begin
            return row_sizes(self.box.engine, self.shape.stored, start, high, limit)

        for sizes in in_slices(scan, _SLICE_ROWS, self.box.engine.path, self.shape.name):
            for first, rows in _batches(sizes):
                yield self.reader.scan_cells(first, None, limit=rows)


def _batches(sizes: Sequence[tuple[StoredKey, int]]) -> Iterator[tuple[StoredKey, int]]:
    """The first key of each batch and how many rows it has, of the keys and sizes of all rows."""
    first, rows, held = sizes[0][0], 0, 0
    for key, size in sizes:
        if rows and held + size > _SLICE_BYTES:
            yield first, rows
            first, rows, held = key, 0, 0
        rows += 1
        held += size
    yield first, rows


@contextmanager
def _opened(wanted: Wanted) -> Iterator[_Table]:
    """The table, as of the last commit. Raises UsageError, and what stores raise."""
    by = '.option("package", NAME)'
    with looked_at(wanted.path) as box:
        shape = box.named(wanted.table)
        package = package_of(box, wanted.package, by)
        reader = package.tables(box.engine).by_id()[shape.id]
        yield _Table(box, shape, reader, _columns(package_name(box, wanted.package, by), shape))


def _columns(package: str, shape: TableShape) -> ParquetTable:
    """What a generated package says of the columns of a table."""
    spark = import_module(f"{package}.spark")
    tables: tuple[ParquetTable, ...] = (*spark.PARQUET, *getattr(spark, "FOLLOWING", ()))
    for table in tables:
        if table.id == shape.id:
            return table
    raise UsageError(
        f"{package} was generated by an earlier pillarbox, which did not tell the columns of {shape.name!r}; "
        f"generate it again"
    )


def _refuse_others(columns: ParquetTable, schema: StructType) -> None:
    """Raises UsageError for columns that the table does not have, or has otherwise."""
    known = {field.name: field for field in columns.schema.fields}
    for field in schema.fields:
        own = known.get(field.name)
        if own is None:
            raise UsageError(
                f"table {columns.name!r} has no column {field.name!r}; it has {', '.join(known)}"
            )
        if own.simpleString() != field.simpleString():
            wrong = f"is {own.simpleString()}, not {field.simpleString()}"
        elif any(may and not taken for may, taken in zip(_nulls(own), _nulls(field), strict=True)):
            wrong = "may be null"
        else:
            continue
        raise UsageError(
            f"column {field.name!r} of table {columns.name!r} {wrong}; leave the schema out, or take columns "
            f"of that of the package"
        )


def _nulls(of: DataType) -> Iterator[bool]:
    """Of a field and all that is within it, in one order: whether that may be null."""
    match of:
        case StructField():
            yield of.nullable
            yield from _nulls(of.dataType)
        case StructType():
            for field in of.fields:
                yield from _nulls(field)
        case ArrayType():
            yield of.containsNull
            yield from _nulls(of.elementType)
        case MapType():
            yield of.valueContainsNull
            yield from _nulls(of.keyType)
            yield from _nulls(of.valueType)


def _batch(table: ParquetTable, rows: Sequence[Any], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    """Some columns of rows, each with all that is within it."""
    columns = dict(zip(table.schema.names, table.rows.columns(rows), strict=True))
    arrays = [
        table.rows.shapes.get(field.name, PLAIN).array(columns[field.name], field.type, _EVERYTHING)
        for field in schema
    ]
    if not arrays:  # of which a batch has no rows either
        return pyarrow.RecordBatch.from_struct_array(pyarrow.array([{}] * len(rows), pyarrow.struct([])))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def _parts(table: _Table, ranges: Sequence[KeyRange], count: int) -> Iterator[Sequence[KeyRange]]:
    """The ranges in at most so many parts: as many of them in each, or where they are fewer, cut."""
    if len(ranges) >= count:
        size = -(-len(ranges) // count)
        yield from (ranges[at : at + size] for at in range(0, len(ranges), size))
        return
    for low, high in ranges:
        cuts = parted_at(table.box.engine, table.shape.stored, low, high, count // len(ranges))
        yield from ([KeyRange(*ends)] for ends in pairwise([low, *cuts, high]))


class _Everything(Seen):
    """All fields that there are."""

    def __contains__(self, field: object) -> bool:
        return True

    def __missing__(self, field: str) -> Seen:
        return self


_EVERYTHING: Final = _Everything()
