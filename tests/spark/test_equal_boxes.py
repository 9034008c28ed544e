"""Each generated job, on Spark and inline: the boxes are that of replay in canonical order, byte by byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.spark.replaying import replay
from tests.unit.pipeline.history import ASIDE, line
from tests.unit.pipeline.history import JOB as HISTORY

from pillarbox.bulk import differences
from pillarbox_spark.job import load_job
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.spark_engine import SparkEngine

DATA = Path(__file__).resolve().parents[1] / "data"
#: Some shards and many pieces of little input; larger groups are read by several tasks.
CUT = Options(shard_bytes=4_000, piece_bytes=700, whole_bytes=8_000, buckets=3)


def telegram_export(folder: Path) -> Sequence[Path]:
    """Exports of every kind, hale and broken, and two that overlap, in the order of their names."""
    return sorted((DATA / "telegram_export").glob("*.json"))


def issue_dump(folder: Path) -> Sequence[Path]:
    return [DATA / "tracker"]


def chitchat(folder: Path) -> Sequence[Path]:
    """Seven conversations of five people, each of whom is in several."""
    archive = {
        f"{conversation + 1:08x}-0000-4000-8000-000000000000": {
            "messages": [
                [
                    {
                        "text": f"{conversation}.{turn}",
                        "sender": f"{(conversation * turn) % 5 + 1:08x}-0000-4000-9000-000000000000",
                        "timestamp": f"2018-05-02T19:{turn:02}:{conversation:02}Z",
                    }
                ]
                for turn in range(4 * conversation)
            ]
        }
        for conversation in range(7)
    }
    path = folder / "dataset.json"
    path.write_text(json.dumps(archive))
    return [path]


def news(folder: Path) -> Sequence[Path]:
    """Posts of three channels, one after the other and then mixed, and two lines that are none."""
    files = []
    for number, channels in enumerate(((1, 2, 3), (2, 1))):
        posts = [
            {
                "message_id": n + 1,
                "sender_id": -1_000_000_000_000 - channel,
                "text": f"{number}.{n} " * n,
                "date": f"2024-07-{n + 1:02}T09:42:43+00:00",
                "channel": f"Channel {channel}.{number}",
                "category": None if n % 2 else "it",
            }
            for n in range(12)
            for channel in channels
        ]
        lines = [json.dumps(post) for post in (sorted(posts, key=str) if number else posts)]
        files.append(folder / f"{number}.ndjson")
        files[-1].write_text("\n".join([*lines, "{", ""]))
    return files


JOBS: dict[str, tuple[str, Callable[[Path], Sequence[Path]]]] = {
    "telegram_export": ("pillarbox_messenger", telegram_export),
    "chitchat": ("pillarbox_messenger", chitchat),
    "news": ("pillarbox_messenger", news),
    "issue_dump": ("pillarbox_tracker", issue_dump),
}


@pytest.mark.parametrize("source", JOBS)
def test_spark_inline_and_replay_make_equal_boxes(source: str, engine: SparkEngine, tmp_path: Path) -> None:
    package, write = JOBS[source]
    job = load_job(f"{package}.jobs.{source}")
    inputs = write(tmp_path)
    read, refused = replay(job, inputs, tmp_path / "replayed.box")
    reports = [
        run(job, inputs, tmp_path / name, replace(CUT, into=tmp_path / f"{name}.box"), engine=by)
        for name, by in (("spark", engine), ("small", None))
    ]
    reports.append(run(job, inputs, tmp_path / "one", Options(into=tmp_path / "one.box")))

    for name, report in zip(("spark", "small", "one"), reports, strict=True):
        assert differences(job.package, tmp_path / "replayed.box", tmp_path / f"{name}.box") == []
        assert (report.read, report.quarantined) == (read, dict(refused))
    assert [report.engine for report in reports] == ["spark", "inline", "inline"]
    assert reports[1].shards > 1
    assert reports[0].shards - reports[1].shards in (0, 1)  # one more fills the last round of two
    assert reports[0].tables == reports[1].tables == reports[2].tables


def test_rows_before_their_owners_are_counted_on_spark_as_inline(engine: SparkEngine, tmp_path: Path) -> None:
    for name, project in (("0.lines", 1), ("1.loose", 2)):
        said = [ASIDE, "x", ASIDE]
        texts = [line(project, 1, 1, "a", at, one) for at, one in enumerate(said)]
        (tmp_path / name).write_text("".join(texts))
    inputs = sorted(tmp_path.glob("*.l*"))

    reports = [
        run(HISTORY, inputs, tmp_path / name, replace(CUT, into=tmp_path / f"{name}.box"), engine=by)
        for name, by in (("spark", engine), ("inline", None))
    ]

    assert [report.engine for report in reports] == ["spark", "inline"]
    assert [(report.written, report.quarantined) for report in reports] == [(4, {"orphaned": 2})] * 2
    assert differences(HISTORY.package, tmp_path / "spark.box", tmp_path / "inline.box") == []
