"""The generated jobs of these sources, run in pieces: the box is the one that replaying in order makes."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from tests.unit.sources.reading import read

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox_messenger.jobs import chitchat, news
from pillarbox_spark.adapters import Refused, resolve
from pillarbox_spark.job import Job
from pillarbox_spark.pipeline import Options, run
from pillarbox_tracker.jobs import issue_dump

DUMPS = Path(__file__).resolve().parents[2] / "data/tracker"

PIECES = Options(engine="inline", shard_bytes=400, piece_bytes=150, buckets=3)
TALKS = [str(UUID(int=number << 100, version=4)) for number in range(1, 6)]
PEOPLE = [str(UUID(int=number << 110, version=4)) for number in range(1, 4)]


def conversations(folder: Path) -> Path:
    """Both forms of an archive, which overlap, with people in several conversations."""

    def said(talk: int, n: int, form: str) -> dict[str, object]:
        date = None if n == talk else f"2018-05-0{talk + 1}T19:38:{n:02}Z"
        return {"text": f"{form} {n}", "sender": PEOPLE[(talk + n) % 3], "timestamp": date}

    archive = {
        name: {"messages": [[said(talk, n, "archive") for n in range(1, 6)]]}
        for talk, name in enumerate(TALKS[:4])
    }
    lines = [
        json.dumps({"conversation": name, "n": n, **said(talk + 2, n, "line")})
        for talk, name in enumerate(TALKS[2:])
        for n in range(3, 8)
    ]
    (folder / "dataset.json").write_text(json.dumps(archive))
    (folder / "messages.ndjson").write_text("\n".join([*lines, "{"]))
    return folder


def posts(folder: Path) -> Path:
    """Posts of three channels, some of them twice, in a plain and in a packed file."""
    lines = [
        json.dumps(
            {
                "message_id": n,
                "sender_id": -1_001_000_000_000 - n % 3,
                "text": str(n),
                "date": f"2024-07-19T09:42:{n}+00:00",
                "channel": f"Channel {n % 3}, later {n}",
            }
        )
        + "\n"
        for n in range(10, 30)
    ]
    (folder / "a.ndjson").write_text("".join(lines[:15]) + "no post\n")
    (folder / "b.ndjson.gz").write_bytes(gzip.compress("".join(lines[10:]).encode()))
    return folder


def dumps(folder: Path) -> Path:
    """Two dumps of a tracker, the later one with some of the same issues."""
    return DUMPS


def replayed(job: Job, inputs: Path, path: Path) -> Counter[str]:
    """Replay all rows in order into a new box; what came of the records."""
    adapter = resolve(job.source.adapter)
    came: Counter[str] = Counter()
    with Box(path, job.package, durability="relaxed") as box:
        for file in adapter.inputs(inputs):
            for row in read(adapter, file, row=job.source.row):
                came[row.reason if isinstance(row, Refused) else ""] += 1
                if not isinstance(row, Refused):
                    box.replay([operation for emit in job.source.emits for operation in emit.make(row)])
    return came


@pytest.mark.parametrize(
    ("job", "made", "refused"),
    [
        (chitchat.JOB, conversations, {"no-date": 5, "bad-json": 1}),
        (news.JOB, posts, {"bad-json": 1}),
        (issue_dump.JOB, dumps, {"bad-issue": 2}),
    ],
    ids=["chitchat", "news", "issue_dump"],
)
def test_a_job_makes_the_box_that_replaying_in_order_makes(
    tmp_path: Path, job: Job, made: Callable[[Path], Path], refused: dict[str, int]
) -> None:
    (tmp_path / "in").mkdir()
    inputs = made(tmp_path / "in")
    one, other = tmp_path / "one.box", tmp_path / "other.box"

    came = replayed(job, inputs, one)
    report = run(job, [inputs], tmp_path / "out", replace(PIECES, into=other))

    assert differences(job.package, one, other) == []
    assert report.quarantined == refused == {reason: came[reason] for reason in came if reason}
    assert report.written == came[""]
    assert report.shards > 1
