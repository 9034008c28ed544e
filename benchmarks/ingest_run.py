"""One way of ingestion in a process of its own, for `ingest_table`: WAY WARM_INPUT INPUT OUT.

Depends on: the generated job, pillarbox_spark, measured.  Never on: who measures it.

Law: a way is warm before its first phase, and finds nothing of the phase before.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from benchmarks.measured import phase
from benchmarks.plain_ingest import plain_ingest
from pillarbox_messenger.jobs.telegram_export import JOB
from pillarbox_spark.engines import Engine, InlineEngine
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.report import Report
from pillarbox_spark.spark_engine import local_engine

CORES: Final = 2
#: Plain is quick and varies: the best of so many runs counts.
PLAIN_TIMES: Final = 3
#: Of the run that warms up: so small that no worker is without a shard.
_WARM_SHARD_BYTES: Final = 1 << 20


def main(way: str, warm: Path, path: Path, out: Path) -> None:
    """Warm up, then run the phases of a way."""
    {"plain": _plain, "spark": _spark, "inline": _inline}[way](warm, path, out)


def _plain(warm: Path, path: Path, out: Path) -> None:
    """On a session as Spark makes them: ours is set to hand out tasks, which would slow this down."""
    session = SparkSession.builder.master(f"local[{CORES}]").config("spark.ui.enabled", "false").getOrCreate()
    plain_ingest(session, warm, out)
    for _ in range(PLAIN_TIMES):
        with phase("plain"):
            plain_ingest(session, path, out)
    session.stop()


def _spark(warm: Path, path: Path, out: Path) -> None:
    with local_engine(CORES) as engine:
        _job("", warm, out, engine)
        _job("spark", path, out, engine)
        _job("spark into", path, out, engine, into=out.with_name("one.box"))


def _inline(warm: Path, path: Path, out: Path) -> None:
    _job("", warm, out, InlineEngine())
    _job("inline", path, out, InlineEngine())


def _job(name: str, path: Path, out: Path, engine: Engine, *, into: Path | None = None) -> None:
    """The generated job; a phase where it has a name."""
    options = Options(cores=CORES, into=into)
    if name:
        with phase(name) as tell:
            report = run(JOB, [path], out, options, engine=engine)
            tell(_figures(report))
    else:
        run(JOB, [path], out, replace(options, shard_bytes=_WARM_SHARD_BYTES), engine=engine)
    shutil.rmtree(out)
    if into is not None:
        into.unlink()


def _figures(report: Report) -> dict[str, Any]:
    return {
        "seconds": dict(report.seconds),
        "shards": report.shards,
        "rows": sum(report.tables.values()),
        "quarantined": sum(report.quarantined.values()),
    }


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
