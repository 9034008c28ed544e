"""The driver: from inputs to a committed folder of shards, and one box of them where it is asked for.

Depends on: every other part of the pipeline.  Never on: Spark, but by the engine it is handed.

Law: `out` holds the whole of one run or the whole of another, whatever is killed and whenever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pillarbox_spark.engines import SILENT, Engine, Progress
from pillarbox_spark.job import Job
from pillarbox_spark.report import Report


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is to be done."""

    #: `auto`: inline for less than 64 MB of input, else Spark.
    engine: Literal["auto", "spark", "inline"] = "auto"
    #: A box to merge the shards into; `replace` an existing one, which is else an error.
    into: Path | None = None
    replace: bool = False
    #: Whether tables are written as Parquet too.
    parquet: bool = True
    #: About how much input makes one shard.
    shard_bytes: int = 32 << 20
    #: Of Spark on this machine; None: what the machine has.
    cores: int | None = None
    memory: str | None = None


def run(
    job: Job,
    inputs: Sequence[Path],
    out: Path,
    options: Options | None = None,
    *,
    engine: Engine | None = None,
    progress: Progress = SILENT,
) -> Report:
    """Ingest `inputs` into the folder `out`.

    Without an `engine` it is chosen by the options; Spark's is
    `spark_engine.local_engine(cores, memory)`, a context manager, imported only then.

    Raises UsageError where inputs, options or the job are wrong, DataError where the pieces do not fit
    together, StoreError where the disk fails or another run is writing to `out`. Nothing is committed then.
    """
    raise NotImplementedError
