"""One task: pieces of files into a shard and spills, or spills into a shard.

Depends on: adapters, job, plan, quarantine, reading, shard, spill, wire.  Never on: Spark, the driver.

Law: a task may be killed, repeated or run twice at once: only files named in a told result count, and
what they hold does not depend on which attempt wrote them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from pillarbox_spark.adapters import resolve
from pillarbox_spark.files import WORK, Attempt, errors_of_store
from pillarbox_spark.job import Job, has_parts, load_job
from pillarbox_spark.plan import Plan
from pillarbox_spark.quarantine import Origins, Orphaned, Refusals
from pillarbox_spark.reading import Reading
from pillarbox_spark.shard import Finished, ShardWriter
from pillarbox_spark.spill import merged
from pillarbox_spark.wire import GatherTask, ReadTask, Result, decode_task, encode

#: Where the driver leaves the plan, for tasks that must find a record again.
PLAN: Final = f"{WORK}/plan.json"


def run_task(descriptor: str) -> str:
    """Run one task, in any process that sees the same files; the result is JSON, as the descriptor is.

    Raises UsageError and DataError, which no other attempt could mend, and StoreError, which one may.
    """
    task = decode_task(descriptor)
    with _without_collector():
        return encode(_read(task) if isinstance(task, ReadTask) else _gather(task))


@contextmanager
def _without_collector() -> Iterator[None]:
    """A task holds many objects for long and makes no cycles: looking for some takes a sixth of its time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _read(task: ReadTask) -> Result:
    job = load_job(task.job)
    adapter = resolve(job.source.adapter)
    run = Path(task.run)
    attempt = Attempt(run, "read", task.task)
    with ExitStack() as stack:
        shard = None
        if _applies(job, task):
            shard = stack.enter_context(ShardWriter(job, attempt, parquet=task.parquet))
        add = None if shard is None else shard.add
        reading = stack.enter_context(
            Reading(job, adapter, task.paths, task.loads, task.buckets, attempt, add)
        )
        for load in task.loads:
            reading.piece(load)
        spills = reading.publish()
        finished = None if shard is None else shard.finish(run)
        quarantine = reading.refusals.publish()
        if finished is not None:
            quarantine += _unapplied(job, finished, reading.origins, attempt)
    return Result(
        stage="read",
        task=task.task,
        read=reading.read,
        passed=reading.passed,
        refused=reading.refused,
        shard=None if finished is None else finished.shard,
        tables={} if finished is None else finished.tables,
        spills=spills,
        quarantine=quarantine,
        files={} if finished is None else finished.files,
    )


def _applies(job: Job, task: ReadTask) -> bool:
    """Whether anything is applied here: pieces of whole groups, and emissions that stay with theirs."""
    return any(emit.route is None for emit in job.source.emits) and not all(
        load.spills for load in task.loads
    )


def _gather(task: GatherTask) -> Result:
    job = load_job(task.job)
    run = Path(task.run)
    attempt = Attempt(run, "gather", task.task)
    gathered = 0
    with ShardWriter(job, attempt, parquet=task.parquet) as shard:
        add = shard.add_encoded
        for file, record, emission, data in merged([run / path for path in task.spills]):
            gathered += 1
            add((file, record, emission), data)
        finished = shard.finish(run)
    return Result(
        stage="gather",
        task=task.task,
        gathered=gathered,
        shard=finished.shard,
        tables=finished.tables,
        quarantine=_unapplied(job, finished, _origins(job, run), attempt) if finished.refused else (),
        files=finished.files,
    )


def _origins(job: Job, run: Path) -> Origins:
    with errors_of_store(run / PLAN):
        plan = Plan.from_json((run / PLAN).read_text())
    paths = {number: file.path for number, file in enumerate(plan.inputs)}
    pieces = (load.piece for loads in plan.tasks for load in loads)
    return Origins(resolve(job.source.adapter), paths, pieces)


def _unapplied(job: Job, finished: Finished, origins: Origins, attempt: Attempt) -> tuple[str, ...]:
    """The quarantine lines of what the shard refused, or left out."""
    refusals, partly = Refusals(attempt, "unapplied"), has_parts(job.source)
    try:
        for it in finished.refused:
            file, record, emission = it.record
            path, refused = origins.refused(file, record, it.error)
            rest = partly or isinstance(it.error, Orphaned)
            refusals.add(path, file, record, emission, refused, partly=rest)
        return refusals.publish()
    finally:
        refusals.close()
