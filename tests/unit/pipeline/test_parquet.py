"""Parquet of a shard: what Spark and others find in it, and whose the rows of the seed are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow.dataset
import pyarrow.parquet
import pytest
from msgspec import Struct
from pyspark.sql.types import StructType
from tests.unit.pipeline.history import JOB

from pillarbox.errors import StoreMissing
from pillarbox_spark import parquet
from pillarbox_spark.files import TABLES, WORK, Attempt
from pillarbox_spark.job import ParquetTable
from pillarbox_spark.parquet import ShardTables, TableWriter, arrow_schema, seeds_of
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.spark import PARQUET
from pillarbox_tracker.types import Audit, Change, Labels, Moved, Opened, ProjectId, State

(LABELS,) = (table for table in JOB.parquet if table.name == "labels")
(AUDIT,) = (table for table in PARQUET if table.name == "audit")
SEED = seeds_of(PACKAGE)[LABELS.id]
OURS = [Labels(ProjectId(1), 3, "ours", 7), Labels(ProjectId(2), 1, "ours too", 2**32 - 1)]


@pytest.fixture
def attempt(tmp_path: Path) -> Attempt:
    for folder in (WORK, TABLES):
        (tmp_path / folder).mkdir()
    return Attempt(tmp_path, "read", 0)


def written(attempt: Attempt, *slices: list[Any], table: ParquetTable = LABELS) -> tuple[str, ...]:
    file = TableWriter(table, attempt)
    for rows in slices:
        file.add(rows)
    return file.publish()


def test_spark_finds_its_own_types_and_their_metadata(attempt: Attempt, tmp_path: Path) -> None:
    (path,) = written(attempt, OURS)

    metadata = pyarrow.parquet.read_schema(tmp_path / path).metadata
    spark = json.loads(metadata[b"org.apache.spark.sql.parquet.row.metadata"])
    assert StructType.fromJson(spark) == LABELS.schema
    assert StructType.fromJson(spark)["colour"].metadata["number"] == 2


def test_rows_are_typed_and_come_in_groups_that_are_not_too_small(attempt: Attempt, tmp_path: Path) -> None:
    with patch.object(parquet, "_GROUP_ROWS", 2):
        (path,) = written(attempt, OURS[:1], [], OURS[1:], OURS[:1])

    file = pyarrow.parquet.ParquetFile(tmp_path / path)
    assert file.schema_arrow.remove_metadata() == arrow_schema(LABELS).remove_metadata()
    assert [file.metadata.row_group(group).num_rows for group in range(2)] == [2, 1]
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert [row["colour"] for row in file.read().to_pylist()] == [7, 2**32 - 1, 7]


def test_what_is_not_published_goes_away(attempt: Attempt, tmp_path: Path) -> None:
    with patch.object(parquet, "_GROUP_ROWS", 2):
        file = TableWriter(LABELS, attempt)
        file.add([*OURS, *OURS])
        assert [path.suffix for path in (tmp_path / WORK).iterdir()] == [".part"]
        file.close()
        assert list((tmp_path / WORK).iterdir()) == []
        file.add(OURS)
        (path,) = file.publish()

    assert pyarrow.parquet.read_table(tmp_path / path).num_rows == 2


def audited(entry: int, what: Change) -> Audit:
    return Audit(entry=entry, project_id=ProjectId(1), number=1, at=0, what=what)


OPENED, MOVED = Opened("a"), Moved(State.OPEN, State.WAITING)


@pytest.mark.parametrize(
    ("slices", "columns"),
    [
        ([[OPENED], [OPENED, OPENED]], [["Opened"]]),
        ([[MOVED, OPENED], [OPENED], [MOVED]], [["Opened", "Moved"]]),
        ([[OPENED], [OPENED], [MOVED], [OPENED]], [["Opened"], ["Opened", "Moved"]]),
        ([[MOVED], [OPENED]], [["Moved"], ["Opened", "Moved"]]),
    ],
)
def test_a_case_is_a_column_from_the_slice_on_that_first_has_it(
    attempt: Attempt, tmp_path: Path, slices: list[list[Change]], columns: list[list[str]]
) -> None:
    cases = [change for changes in slices for change in changes]
    rows = iter([audited(entry, what) for entry, what in enumerate(cases)])

    with patch.object(parquet, "_GROUP_ROWS", 1):
        paths = written(attempt, *([next(rows) for _ in changes] for changes in slices), table=AUDIT)

    files = [tmp_path / path for path in paths]
    types = [pyarrow.parquet.read_schema(file).field("what").type for file in files]
    assert [[field.name for field in type_] for type_ in types] == columns
    read = pyarrow.dataset.dataset(files, schema=arrow_schema(AUDIT)).to_table()
    assert read.schema == arrow_schema(AUDIT)
    assert read["what"].to_pylist() == [
        {
            "Opened": {"title": "a"} if change == OPENED else None,
            "Moved": {"was": 0, "now": 1} if change == MOVED else None,
            "Relabelled": None,
        }
        for change in cases
    ]


def test_all_files_of_what_is_given_up_go_away_and_it_begins_anew(attempt: Attempt, tmp_path: Path) -> None:
    with patch.object(parquet, "_GROUP_ROWS", 1):
        file = TableWriter(AUDIT, attempt)
        file.add([audited(1, OPENED)])
        file.add([audited(2, MOVED)])
        assert len(list((tmp_path / WORK).iterdir())) == 2
        file.close()
        assert list((tmp_path / WORK).iterdir()) == []
        file.add([audited(3, MOVED)])
        (path,) = file.publish()

    assert pyarrow.parquet.read_table(tmp_path / path)["what"].to_pylist() == [
        {"Moved": {"was": 0, "now": 1}}
    ]


def test_no_rows_make_no_file(attempt: Attempt, tmp_path: Path) -> None:
    assert written(attempt, [], []) == ()
    assert list((tmp_path / WORK).iterdir()) == []


def test_a_table_that_cannot_be_written_tells_where(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match=r"work/read-00000-.*\.labels\.parquet\.part"):
        written(Attempt(tmp_path, "read", 0), OURS)


def shard(*rows: Any) -> Any:
    """The rows of a shard's labels, one in a slice; of other tables none."""

    def read(table: int, slice_rows: int) -> Iterator[list[Any]]:
        yield from ([row] for row in rows if table == LABELS.id)

    return read


@pytest.mark.parametrize(
    ("rows", "lost", "seeded", "ours"),
    [
        (SEED, (), 2, []),
        ([*SEED, *OURS], (), 2, ["ours", "ours too"]),
        ([SEED[1], OURS[0]], (0,), 1, ["ours"]),
        ([Labels(SEED[0].project_id, SEED[0].label, "renamed", 0), SEED[1]], (0,), 1, ["renamed"]),
        ([], (0, 1), 0, []),
    ],
)
@pytest.mark.parametrize("files", [True, False])
def test_a_shard_leaves_out_the_seed_and_tells_what_it_lost_of_it(
    attempt: Attempt,
    tmp_path: Path,
    rows: list[Any],
    lost: tuple[int, ...],
    seeded: int,
    ours: list[str],
    files: bool,
) -> None:
    tables = ShardTables((LABELS,), PACKAGE, attempt, files=files)
    if lost:
        tables.told()[LABELS.id](
            OURS, True
        )  # What a slice says that took rows away; of others nothing counts.
        tables.told()[LABELS.id](OURS, False)
    else:
        tables.told()[LABELS.id]([row for row in rows if row not in SEED], False)

    found = tables.finish(shard(*rows))[LABELS.id]

    assert (found.lost, found.seeded) == (lost, seeded)
    names = [
        name
        for path in found.paths
        for name in pyarrow.parquet.read_table(tmp_path / path)["name"].to_pylist()
    ]
    assert names == (ours if files else [])


def test_seeds_are_told_by_table() -> None:
    assert {len(rows) for rows in seeds_of(PACKAGE).values()} <= {1, 2}
    assert [row.name for row in SEED] == ["bug", "idea"]


def test_rows_that_have_something_in_the_same_lists_lie_together_as_they_came() -> None:
    class Row(Struct):
        number: int
        one: tuple[int, ...]
        other: tuple[int, ...]

    many = pyarrow.list_(pyarrow.int64())
    declared = pyarrow.schema([("number", pyarrow.int64()), ("one", many), ("other", many), ("gone", many)])
    sides = [((), ()), ((1,), ()), ((), (1,)), ((1,), (1,)), ((), ()), ((1,), (1,)), ((1,), ())]
    rows = [Row(number, *side) for number, side in enumerate(sides)]

    assert [row.number for row in parquet._parted(rows, declared)] == [3, 5, 2, 1, 6, 0, 4]
    assert parquet._parted(rows, declared.empty_table().select(["number"]).schema) is rows
