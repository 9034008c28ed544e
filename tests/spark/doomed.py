"""The source `history` of the pipeline's tests, in workers that die, and at a pace that lets one look on.

    python -m tests.spark.doomed INPUT OUT BOX       a run on Spark that a test can kill

A worker that finds the file `armed` in OUT takes it away, and dies when it is about to give a file its final
name; what is written in `armed` must be in that name. Of an input beside a file `slow` nobody reads on once a
box is finished.

Depends on: tests.unit.pipeline, pillarbox_spark.  Never on: how a test looks on.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from pyspark import TaskContext
from tests.spark.engine_tasks import SECONDS_MAX
from tests.unit.pipeline import history

from pillarbox.cli import end_with
from pillarbox_spark import files
from pillarbox_spark.adapters import Piece, Refused, Row
from pillarbox_spark.job import Job
from pillarbox_spark.pipeline import Options, run

MODULE: Final = "tests.spark.doomed"
PROJECTS: Final = 5
#: A shard for each project, and two buckets of what spans them.
SMALL: Final = Options(
    engine="spark", cores=2, shard_bytes=1, piece_bytes=1 << 10, whole_bytes=1 << 20, buckets=2
)


class SlowLines(history.Lines):
    """Where a test asks for it, a run comes as far as its first boxes, and stays there until it is killed."""

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        last = time.monotonic() + SECONDS_MAX
        while path.with_name("slow").exists() and any(path.parent.glob("out/run-*/boxes/*.box")):
            if time.monotonic() > last:
                raise TimeoutError("nobody kills it")
            time.sleep(0.02)
        return super().read(path, piece, row)


ADAPTER: Final = SlowLines()
JOB: Final = Job(
    module=MODULE,
    package=history.JOB.package,
    source=replace(history.SOURCE, adapter=f"{MODULE}:ADAPTER"),
    parquet=history.JOB.parquet,
    encode=history.JOB.encode,
    decode=history.JOB.decode,
)


def write_input(path: Path) -> Path:
    """A few projects that share users, each together, and records that are refused."""
    lines = []
    for project in range(1, PROJECTS + 1):
        for n in range(6):
            said = ("rename", "", "yes", "no")[n % 4]
            lines.append(json.dumps([project, n % 3, n % 4, f"name {project * n % 5}", n, said]))
        lines.append(json.dumps([project, "and no more"]))
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def _rename_or_die(part: Path, final: Path) -> None:
    if TaskContext.get() is not None and _disarmed(part.parents[2], final.name):
        os.kill(os.getpid(), signal.SIGKILL)
    _rename(part, final)


def _disarmed(out: Path, name: str) -> bool:
    """Whether this is the one process that is to die now."""
    try:
        if (out / "armed").read_text() not in name:
            return False
        (out / "armed").unlink()
    except FileNotFoundError:
        return False
    return True


_rename = files.rename
if files.rename.__module__ == files.__name__:  # once a process
    files.rename = _rename_or_die


def main(path: str, out: str, box: str) -> int:
    """Run it as a program."""
    run(JOB, [Path(path)], Path(out), replace(SMALL, into=Path(box)))
    return 0


if __name__ == "__main__":
    end_with(lambda: main(*sys.argv[1:]))
