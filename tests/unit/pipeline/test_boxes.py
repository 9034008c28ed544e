"""What Spark's reader reads of a box, asked without Spark: each row once, in however many parts."""

from __future__ import annotations

import shutil
import sqlite3
import tracemalloc
from collections.abc import Callable
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import pytest
from pyspark.sql.datasource import EqualTo, Filter, GreaterThan, In, InputPartition
from pyspark.sql.types import ArrayType, LongType, MapType, StructField, StructType
from tests.property.mutants import Fault
from tests.property.test_spark_columns import written_and_read
from tests.spark.test_equal_boxes import issue_dump, telegram_export

from pillarbox.errors import NotABox, RecordCorrupt, StoreMissing, UsageError
from pillarbox.inspect.stored import looked_at
from pillarbox_messenger.jobs.telegram_export import JOB as EXPORT
from pillarbox_messenger.spark import FOLLOWING as MESSENGER_FOLLOWING
from pillarbox_spark import boxes
from pillarbox_spark.boxes import BoxReader, BoxSource
from pillarbox_spark.job import Job, ParquetTable
from pillarbox_spark.pipeline import Options, run
from pillarbox_tracker import open_box, spark
from pillarbox_tracker.jobs.issue_dump import JOB as DUMP
from pillarbox_tracker.spark import FOLLOWING as TRACKER_FOLLOWING
from pillarbox_tracker.spark import ISSUES
from pillarbox_tracker.types import Profiles, UserId


class Filled:
    """A box that a job made."""

    def __init__(self, folder: Path, job: Job, inputs: Any, following: tuple[ParquetTable, ...]) -> None:
        self.path = folder / f"{job.package.name}.box"
        run(job, inputs, folder / "out", Options(parquet=False, into=self.path))
        with looked_at(str(self.path)) as box:
            tables = job.package.tables(box.engine).by_id()
            self.rows = {
                table: tables[table.id].rows_between(None, None) for table in (*job.parquet, *following)
            }

    def source(self, table: str, **options: str) -> BoxSource:
        return BoxSource({"path": str(self.path), "table": table, **options})

    def reader(self, table: str, **options: str) -> BoxReader:
        source = self.source(table, **options)
        return source.reader(source.schema())


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    folder = tmp_path_factory.mktemp("tracker")
    return Filled(folder, DUMP, issue_dump(folder), TRACKER_FOLLOWING)


@pytest.fixture(scope="module")
def messenger(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    folder = tmp_path_factory.mktemp("messenger")
    return Filled(folder, EXPORT, telegram_export(folder), MESSENGER_FOLLOWING)


def read(reader: BoxReader) -> tuple[list[int], dict[str, list[Any]]]:
    """How many rows each part has, and the columns of all."""
    sizes: list[int] = []
    columns: dict[str, list[Any]] = {name: [] for name in reader._schema.names}
    for part in reader.partitions():
        sizes.append(0)
        for batch in reader.read(part):
            batch.validate(full=True)
            sizes[-1] += batch.num_rows
            for name, values in batch.to_pydict().items():
                columns[name] += values
    return sizes, columns


def check(filled: Filled, table: ParquetTable, partitions: int) -> None:
    rows = filled.rows[table]
    sizes, found = read(filled.reader(table.name, partitions=str(partitions)))
    most = -(-len(rows) // partitions)
    assert sizes == ([min(most, len(rows) - begin) for begin in range(0, len(rows), most)] if rows else [0])
    assert found == (written_and_read(table, rows) if rows else {name: [] for name in table.schema.names})


def check_all(filled: Filled, partitions: int) -> None:
    for table in filled.rows:
        check(filled, table, partitions)


@pytest.mark.parametrize(("partitions", "rows_max"), [(1, 10_000), (1, 1), (2, 7), (5, 2)])
def test_each_row_of_each_table_is_read_once_in_key_order(
    tracker: Filled, partitions: int, rows_max: int
) -> None:
    assert sum(map(bool, tracker.rows.values())) > 20

    with patch.object(boxes, "_SLICE_ROWS", rows_max):
        check_all(tracker, partitions)


def test_so_is_each_of_a_large_schema(messenger: Filled) -> None:
    there = {table: rows for table, rows in messenger.rows.items() if rows}
    assert len(there) > 20

    for table, rows in there.items():
        if table in EXPORT.parquet or len(rows) < 3:
            check(messenger, table, 2)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("a part begins late", boxes, "_parts", "[low, *cuts, high]", "[low, *cuts[1:], high]"),
        Fault("parts begin where the first does", boxes, "parted_at", "found[-1] if found else low", "low"),
        Fault("parts are of any size", boxes, "parted_at", "-(-rows // parts)", "rows // parts"),
        Fault(
            "parts have a key in common",
            boxes,
            "_parts",
            "*ends)",
            "ends[0], ends[1] and ends[1] + (1 if isinstance(ends[1], int) else b'0'))",
        ),
        Fault("what lies before is read", boxes._Table, "_slices", "low if begin", "None if begin"),
        Fault(
            "what lies behind is read", boxes._Table, "_slices", "start, high, limit", "start, None, limit"
        ),
        Fault("a row is read again where a batch ends", boxes, "_batches", "rows += 1", "rows += 2"),
        Fault("a row is left out where a batch ends", boxes, "_batches", "key, 0, 0", "key, -1, 0"),
        Fault("columns change places", boxes, "_batch", "(arrays,", "(arrays[1::-1] + arrays[2:],"),
    ],
    ids=str,
)
def test_a_planted_fault_is_found(tracker: Filled, fault: Fault) -> None:
    with (
        fault.planted(),
        patch.object(boxes, "_SLICE_ROWS", 5),
        patch.object(boxes, "_SLICE_BYTES", 60),
        pytest.raises(AssertionError),
    ):
        check_all(tracker, 3)


@pytest.mark.parametrize("bytes_max", [1, 60, 200])
def test_a_batch_holds_as_many_rows_as_its_bytes_allow(tracker: Filled, bytes_max: int) -> None:
    for table in (table for table, rows in tracker.rows.items() if rows):
        reader = tracker.reader(table.name)
        with looked_at(str(tracker.path)) as box:
            found = box.engine.scan(box.named(table.name).stored, None, None)
            sizes = [(8 if isinstance(key, int) else len(key)) + len(value) for key, value in found]
        with patch.object(boxes, "_SLICE_BYTES", bytes_max):
            batches = [batch.num_rows for batch in reader.read(reader.partitions()[0])]

        ends = [0, *accumulate(batches)]
        assert ends[-1] == len(sizes)
        for begin, end in pairwise(ends):
            assert end == begin + 1 or sum(sizes[begin:end]) <= bytes_max
            assert end == len(sizes) or sum(sizes[begin : end + 1]) > bytes_max


def test_of_large_rows_no_more_are_held_than_a_batch_has(tmp_path: Path) -> None:
    rows, size = 1_000, 100_000
    with open_box(tmp_path / "a.box", durability="relaxed") as box, box.transaction() as tx:
        for user in range(rows):
            tx.profiles.put(Profiles(user_id=UserId(user), words="x" * size, url="", version=1))
    source = BoxSource({"path": str(tmp_path / "a.box"), "table": "profiles"})
    reader = source.reader(source.schema())
    (part,) = reader.partitions()

    tracemalloc.start()
    try:
        read = sum(batch.num_rows for batch in reader.read(part))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert read == rows
    assert most < 4 * boxes._SLICE_BYTES < rows * size  # the last one, the next as stored, and its rows


def test_values_are_those_of_the_rows(tracker: Filled) -> None:
    (issues,) = (rows for table, rows in tracker.rows.items() if table.name == "issues")
    assert {row.assignee_id is None for row in issues} == {False, True}

    _, found = read(tracker.reader("issues"))

    for name in ("project_id", "number", "title", "state", "author_id", "assignee_id"):
        assert found[name] == [getattr(row, name) for row in issues]


# ------------------------------------------------------------------------------------------- filters


@pytest.mark.parametrize("partitions", [1, 2, 4, 100])
def test_of_keys_that_are_asked_for_no_others_are_read(tracker: Filled, partitions: int) -> None:
    (issues,) = (rows for table, rows in tracker.rows.items() if table.name == "issues")
    asked: list[Filter] = [In(("project_id",), (1, 2, 3)), GreaterThan(("number",), 1)]
    reader = tracker.reader("issues", partitions=str(partitions), narrow="true")

    assert list(reader.pushFilters(asked)) == asked
    sizes, found = read(reader)

    expected = [row.number for row in issues if row.project_id in (1, 2, 3) and row.number > 1]
    assert found["number"] == expected
    assert 0 < len(expected) < len(issues)
    assert len(sizes) <= max(partitions, 1)


def test_where_no_row_can_be_none_is_looked_for(tracker: Filled) -> None:
    reader = tracker.reader("issues", narrow="true")
    reader.pushFilters([EqualTo(("number",), 5), EqualTo(("project_id",), 1 << 70)])

    assert list(reader.partitions()) == []
    assert list(reader.read(InputPartition(None))) == []  # what Spark makes of that


# ------------------------------------------------------------------------------------------- columns


def test_a_part_of_the_columns_is_read(tracker: Filled) -> None:
    chosen = StructType([ISSUES["title"], ISSUES["number"]])

    _, found = read(tracker.source("issues").reader(chosen))

    _, whole = read(tracker.reader("issues"))
    assert found == {"title": whole["title"], "number": whole["number"]}


def test_of_no_columns_as_many_rows_are_read(tracker: Filled) -> None:
    reader, nothing = tracker.reader("issues"), StructType([])

    batches = [
        batch for part in reader.partitions() for batch in BoxReader(reader._wanted, nothing).read(part)
    ]

    assert sum(batch.num_rows for batch in batches) == sum(read(reader)[0]) > 0
    assert [batch.num_columns for batch in batches] == [0] * len(batches)


def bare(kind: Any) -> Any:
    """A type as Spark has it of what was stored elsewhere: all may be null, and no metadata is known."""
    match kind:
        case StructType():
            return StructType([StructField(field.name, bare(field.dataType)) for field in kind.fields])
        case ArrayType():
            return ArrayType(bare(kind.elementType))
        case MapType():
            return MapType(bare(kind.keyType), bare(kind.valueType))
    return kind


def test_columns_may_be_said_to_be_null_more_often_than_they_are(tracker: Filled) -> None:
    for table, rows in tracker.rows.items():
        if rows:
            _, found = read(tracker.source(table.name).reader(bare(table.schema)))
            assert found == read(tracker.reader(table.name))[1]


@pytest.mark.parametrize(
    ("field", "told"),
    [
        (StructField("titel", LongType()), r"no column 'titel'; it has project_id, number, title"),
        (StructField("title", LongType()), r"'title' of table 'issues' is title:string, not title:bigint"),
        (
            StructField("assignee_id", LongType(), nullable=False),
            r"'assignee_id' of table 'issues' may be null",
        ),
        (StructField("labels", ArrayType(LongType())), r"is labels:array<int>, not labels:array<bigint>"),
    ],
)
def test_columns_that_are_not_there_are_refused(tracker: Filled, field: StructField, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        tracker.source("issues").reader(StructType([field]))


# -------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, r"no path is named; name it by \.load\(PATH\)"),
        ({"path": "a.box"}, r'no table is named; name it by \.option\("table", NAME\)'),
        (
            {"path": "a.box", "table": "t", "tabel": "u"},
            r"no option 'tabel'; there are narrow, package, partitions",
        ),
        (
            {"path": "a.box", "table": "t", "partitions": "0"},
            r"partitions is '0': give a number from 1 to 10000",
        ),
        ({"path": "a.box", "table": "t", "partitions": "many"}, r"partitions is 'many'"),
        ({"path": "a.box", "table": "t", "narrow": "yes"}, "narrow is 'yes': give true or false"),
        ({"path": "a.box", "table": "t", "partitions": "9" * 5_000}, r"partitions is '999"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        BoxSource(options).schema()


def test_a_table_of_the_catalog_is_refused_with_what_to_make(tracker: Filled) -> None:
    catalog = {
        "option.table": "issues",
        "location": f"file:{tracker.path}",
        "owner": "me",
        "provider": "pillarbox",
    }

    with pytest.raises(UsageError, match=r"make a view: CREATE TEMPORARY VIEW \.\. USING pillarbox OPTIONS"):
        tracker.source("issues", **catalog).schema()


@pytest.mark.parametrize("name", ["a b.box", "a%20b.box", "ä:#?é.box", "%.box"])
@pytest.mark.parametrize("begin", ["file:", "file://", "file://localhost"])
@pytest.mark.parametrize("coded", [False, True])
def test_the_path_of_a_box_may_be_a_uri(
    tracker: Filled, tmp_path: Path, name: str, begin: str, coded: bool
) -> None:
    path = tmp_path / name
    shutil.copy(tracker.path, path)

    there = begin + (quote(str(path)) if coded else str(path))

    assert BoxSource({"path": there, "table": "issues"}).schema() == ISSUES


@pytest.mark.parametrize("path", ["file:issues.box", "file://elsewhere/issues.box", "s3://a/issues.box"])
def test_no_other_uri_is_taken_for_a_path(path: str) -> None:
    with pytest.raises(StoreMissing):
        BoxSource({"path": path, "table": "issues"}).schema()


def test_what_may_be_null_within_a_column_is_told(tracker: Filled) -> None:
    source = tracker.source("audit")
    (what,) = (field for field in source.schema().fields if field.name == "what")
    assert isinstance(what.dataType, StructType)
    cases = [StructField(field.name, field.dataType, nullable=False) for field in what.dataType.fields]

    with pytest.raises(UsageError, match=r"'what' of table 'audit' may be null"):
        source.reader(StructType([StructField("what", StructType(cases))]))


def test_what_is_no_table_or_package_is_told(tracker: Filled) -> None:
    with pytest.raises(UsageError, match=r"no table 'isues'; did you mean 'issues'\?"):
        tracker.source("isues").schema()
    with pytest.raises(UsageError, match=r"no package 'pillarbox_nope'.*by \.option\(\"package\", NAME\)"):
        tracker.source("issues", package="pillarbox_nope").schema()
    with pytest.raises(
        UsageError, match=r"the package pillarbox_messenger .*by \.option\(\"package\", NAME\)"
    ):
        tracker.source("issues", package="pillarbox_messenger").schema()
    with patch.object(spark, "FOLLOWING", ()), pytest.raises(UsageError, match="generate it again"):
        tracker.source("by_state").schema()


def test_what_is_no_box_is_told(tracker: Filled, tmp_path: Path) -> None:
    def schema_of(path: Path) -> Callable[[], StructType]:
        return BoxSource({"path": str(path), "table": "issues"}).schema

    empty = tmp_path / "empty.box"
    empty.touch()
    for path, kind in ((tmp_path, StoreMissing), (tmp_path / "no.box", StoreMissing), (empty, NotABox)):
        with pytest.raises(kind):
            schema_of(path)()
    assert not (tmp_path / "no.box").exists()


def test_a_row_that_does_not_read_is_an_error_and_no_gap(tracker: Filled, tmp_path: Path) -> None:
    path = tmp_path / "tracker.box"
    shutil.copy(tracker.path, path)
    (issues,) = (table for table in DUMP.parquet if table.name == "issues")
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE t{issues.id} SET v=x'c1' WHERE k=(SELECT max(k) FROM t{issues.id})")
    connection.close()
    source = BoxSource({"path": str(path), "table": "issues"})

    with pytest.raises(RecordCorrupt, match="issues"):
        read(source.reader(source.schema()))
