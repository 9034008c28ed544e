"""Which engine does a run, how it cuts the work, and what progress hears of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.pipeline.history import JOB, line

from pillarbox.errors import UsageError
from pillarbox_spark import pipeline
from pillarbox_spark.engines import InlineEngine
from pillarbox_spark.manifest import read_manifest
from pillarbox_spark.pipeline import Options, run

CUT = Options(shard_bytes=60, piece_bytes=60, buckets=2)


class Heard:
    def __init__(self) -> None:
        self.stages: list[tuple[str, int, int]] = []
        self.done: list[tuple[str, int, int]] = []
        self.ended = 0

    def stage(self, name: str, tasks: int, of_bytes: int) -> None:
        self.stages.append((name, tasks, of_bytes))

    def task_done(self, records: int, bytes_read: int) -> None:
        self.done.append((self.stages[-1][0], records, bytes_read))

    def finished(self) -> None:
        self.ended += 1


def test_progress_is_told_of_each_stage_and_task(history: Path, tmp_path: Path) -> None:
    heard = Heard()
    size = history.stat().st_size

    run(JOB, [history], tmp_path / "out", replace(CUT, into=tmp_path / "one.box"), progress=heard)

    assert [name for name, _, _ in heard.stages] == ["index", "read", "gather", "merge", "commit"]
    for stage in ("index", "read"):
        told = [(records, read) for name, records, read in heard.done if name == stage]
        assert [sum(figures) for figures in zip(*told, strict=True)] == [4, size]
    assert heard.stages[1][2] == size
    assert heard.ended == 1


def test_progress_ends_with_an_error_too(tmp_path: Path) -> None:
    heard = Heard()

    with pytest.raises(UsageError, match="no such file"):
        run(JOB, [tmp_path / "none"], tmp_path / "out", progress=heard)

    assert heard.ended == 1


@pytest.mark.parametrize(
    ("engine", "least", "expected"),
    [("auto", 1, "spark"), ("auto", 1 << 20, "inline"), ("spark", 1 << 20, "spark")],
)
def test_spark_is_for_what_is_large_or_where_it_is_asked_for(
    history: Path, tmp_path: Path, engine: Any, least: int, expected: str
) -> None:
    class Fake(InlineEngine):
        name = "spark"  # type: ignore[misc]

    @contextmanager
    def local_engine(cores: int | None, memory: str | None) -> Iterator[Fake]:
        yield Fake()

    options = Options(engine=engine)
    with (
        patch("pillarbox_spark.spark_engine.local_engine", local_engine),
        patch.object(pipeline, "SPARK_BYTES", least),
    ):
        report = run(JOB, [history], tmp_path / "out", options)

    assert report.engine == expected
    assert read_manifest(tmp_path / "out").report["engine"] == expected


def test_a_group_is_cut_only_where_tasks_run_at_the_same_time(tmp_path: Path) -> None:
    class Two(InlineEngine):
        parallel = 2  # type: ignore[misc]

    (tmp_path / "history.lines").write_text("".join(line(1, 1, 1, "a", at, "x") for at in range(9)))
    options = Options(shard_bytes=60, piece_bytes=60)

    one = run(JOB, [tmp_path / "history.lines"], tmp_path / "one", options)
    two = run(JOB, [tmp_path / "history.lines"], tmp_path / "two", options, engine=Two())

    assert one.tables == two.tables
    assert any("read" in shard.box for shard in read_manifest(tmp_path / "one").shards)
    assert all("gather" in shard.box for shard in read_manifest(tmp_path / "two").shards)
