"""What goes between driver and tasks comes out as it went in, and as ASCII."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from tests.unit.pipeline.history import MODULE

from pillarbox.errors import UsageError
from pillarbox_spark.adapters import Piece
from pillarbox_spark.files import FileFigures
from pillarbox_spark.parquet import TableFile
from pillarbox_spark.plan import Load
from pillarbox_spark.task import run_task
from pillarbox_spark.wire import (
    GatherTask,
    ReadTask,
    Result,
    Shard,
    Spill,
    decode_result,
    decode_task,
    encode,
)

READ = ReadTask(
    task=3,
    job=MODULE,
    run="run\udcff",
    parquet=True,
    loads=(Load(Piece(7, 0, 10, 5, -1, None, "é"), True), Load(Piece(7, 10, 20, 6, 2, "g"), False)),
    paths={7: "in\udcff"},
    buckets=2,
)
GATHER = GatherTask(task=0, job=MODULE, run="run", parquet=False, spills=("work/a",))
RESULT = Result(
    stage="read",
    task=3,
    read=3,
    passed=2,
    refused=1,
    shard=Shard("boxes/a", {20: (3, 2**64 - 1)}),
    tables={"issues": TableFile(3, ("tables/a", "tables/b"), (0, 1))},
    spills={1: Spill("work/b", 4)},
    quarantine=("work/c",),
    files={"boxes/a": FileFigures(1, "00000000")},
)


@pytest.mark.parametrize("task", [READ, GATHER])
def test_a_task_reads_back_as_it_was_written(task: ReadTask | GatherTask) -> None:
    text = encode(task)

    assert text.isascii()
    assert decode_task(text) == task


def test_a_result_reads_back_as_it_was_written() -> None:
    assert decode_result(encode(RESULT)) == RESULT


@pytest.mark.parametrize("text", ["", "[]", '{"stage": "paint", "task": 1}', "{}"])
def test_what_is_no_task_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="all processes must run the same version of pillarbox"):
        run_task(text)


def test_a_job_that_is_not_there_is_told(tmp_path: Path) -> None:
    text = encode(GatherTask(task=0, job="no.such.job", run=str(tmp_path), parquet=True, spills=()))

    with pytest.raises(UsageError, match=r"no job 'no\.such\.job'"):
        run_task(text)


def test_a_task_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    before = gc.get_threshold()

    with pytest.raises(UsageError):
        run_task(encode(GatherTask(task=0, job="no.such.job", run=str(tmp_path), parquet=True, spills=())))

    assert gc.get_threshold() == before
