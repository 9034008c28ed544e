"""What a job must come to: its records replayed one by one, in canonical order, into a box.

Depends on: pillarbox.box, adapters, job.  Never on: plans, tasks, engines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pillarbox.box import Box
from pillarbox_spark.adapters import Piece, Refused, resolve
from pillarbox_spark.job import Job

WHOLE = 1 << 40


def replay(job: Job, inputs: Sequence[Path], path: Path) -> tuple[int, Counter[str]]:
    """Fill a new box; how many records there are, and why how many of them cannot be taken.

    An error while a record is applied is not expected here.
    """
    adapter, source = resolve(job.source.adapter), job.source
    read, refused = 0, Counter[str]()
    files = [file for path in inputs for file in adapter.inputs(path)]
    with Box(path, job.package, durability="relaxed") as box:
        for number, file in enumerate(files):
            for record in _records(adapter, number, file, source.row):
                read += 1
                if isinstance(record, Refused):
                    refused[record.reason] += 1
                else:
                    box.replay([operation for emit in source.emits for operation in emit.make(record)])
    return read, refused


def _records(adapter: Any, number: int, file: Path, row: type) -> list[Any]:
    records: list[Any] = []
    for found in adapter.index(number, file, WHOLE):
        if isinstance(found, Piece):
            records += adapter.read(file, found, row)
        elif isinstance(found, Refused):
            records.append(found)
    return records
