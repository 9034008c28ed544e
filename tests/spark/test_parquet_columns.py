"""Parquet without columns that a file has nothing for, as a real Spark reads it by the declared schema."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pyarrow.dataset
import pyarrow.parquet
import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import StructType
from tests.spark.test_equal_boxes import telegram_export

from pillarbox_messenger.jobs.telegram_export import JOB
from pillarbox_messenger.spark import MESSAGE
from pillarbox_spark import parquet, shard
from pillarbox_spark.manifest import read_manifest
from pillarbox_spark.parquet import arrow_schema
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.spark_engine import SparkEngine

(TABLE,) = (table for table in JOB.parquet if table.name == "message")
#: Three that files have or have not, and one that no row of the input has.
CASES = ("Reply", "Reactions", "Edited", "AuthSession")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Messages in many files, which do not have the same columns."""
    folder = tmp_path_factory.mktemp("columns")
    with (
        patch.object(parquet, "_GROUP_ROWS", 1),
        patch.object(parquet, "SLICE_ROWS", 5),
        patch.object(shard, "_SLICE_RECORDS", 5),
    ):
        run(JOB, telegram_export(folder), folder / "out", Options())
    return [str(folder / "out" / path) for path in read_manifest(folder / "out").parquet["message"]]


@pytest.fixture(params=["true", "false"])
def session(engine: SparkEngine, request: pytest.FixtureRequest) -> SparkSession:
    """A session that reads many rows at once, or row by row."""
    active = SparkSession.getActiveSession()
    assert active is not None
    session = active.newSession()
    session.conf.set("spark.sql.parquet.enableVectorizedReader", request.param)
    return session


def read_by_arrow(files: list[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]]
    rows = pyarrow.dataset.dataset(files, schema=arrow_schema(TABLE)).to_table().to_pylist()
    return rows


def plain(value: Any) -> Any:
    """A value of Spark as Arrow has it."""
    if isinstance(value, Row):
        return {name: plain(item) for name, item in value.asDict().items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return bytes(value) if isinstance(value, bytearray) else value


def rows_of(frame: DataFrame) -> list[str]:
    return sorted(repr(plain(row)) for row in frame.collect())


def test_there_are_files_with_and_without_what_is_looked_for(files: list[str]) -> None:
    found = [
        [case for case in CASES if case in str(pyarrow.parquet.read_schema(file).field("attributes").type)]
        for file in files
    ]

    assert len({tuple(cases) for cases in found}) > 1
    assert all("AuthSession" not in cases for cases in found)


@pytest.mark.parametrize("schema", [MESSAGE, None])
def test_spark_and_arrow_read_the_same_rows_with_all_columns(
    files: list[str], session: SparkSession, schema: StructType | None
) -> None:
    reader = session.read if schema is None else session.read.schema(schema)
    frame = reader.parquet(*files)

    assert frame.schema.simpleString() == MESSAGE.simpleString()
    assert rows_of(frame) == sorted(map(repr, read_by_arrow(files)))


@pytest.mark.parametrize("case", CASES)
def test_a_list_is_as_long_where_the_one_case_asked_for_is_no_column(
    files: list[str], session: SparkSession, case: str
) -> None:
    frame = session.read.schema(MESSAGE).parquet(*files)

    found = frame.selectExpr(
        "id", f"size(attributes.{case})", f"size(filter(attributes.{case}, x -> x is not null))"
    )

    assert sorted(tuple(row) for row in found.collect()) == sorted(
        (row["id"], len(row["attributes"]), sum(it[case] is not None for it in row["attributes"]))
        for row in read_by_arrow(files)
    )
