"""Runs in small pieces, and an engine that lets others meddle with what its tasks did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pillarbox_spark.engines import InlineEngine
from pillarbox_spark.pipeline import Options
from pillarbox_spark.task import run_task
from pillarbox_spark.wire import Result, decode_result, decode_task, encode

CUT = Options(shard_bytes=60, piece_bytes=60, buckets=2)


class Meddling(InlineEngine):
    """Does something to the run's folder, or to a result, after each task."""

    def __init__(self, meddle: Callable[[Path, Result], Result | None]) -> None:
        self._meddle = meddle

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        for descriptor in descriptors:
            result = decode_result(run_task(descriptor))
            changed = self._meddle(Path(decode_task(descriptor).run), result)
            if changed is not None:
                on_result(encode(changed))
