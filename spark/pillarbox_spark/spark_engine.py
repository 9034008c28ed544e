"""Tasks on Spark: a plan of descriptors, one task each, and what came of each.

Depends on: pyspark (of it what Spark Connect knows), session, java, task.  Never on: what a task does.

Law: however often Spark tries a task, one result of it is told; what only repeating would repeat is not tried
again, and what a task raised on purpose comes out here as the error it was there.

Spark tells results when all tasks are done. So each is also left in a folder, if the worker sees it, as one
on this machine does; from there it is told while other tasks run.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import spark_partition_id

from pillarbox.errors import DataError, PillarboxError, StoreError, TransientError, UsageError
from pillarbox_spark.java import find_java
from pillarbox_spark.session import ATTEMPTS, local_session, session_of_others
from pillarbox_spark.task import run_task

Task: TypeAlias = Callable[[str], str]

LOOK_SECONDS: Final = 0.2
_PLAN: Final = "task int, descriptor string"
_OUTCOMES: Final = "task int, outcome string"
_OUTCOME_SCHEMA: Final = pa.schema([("task", pa.int32()), ("outcome", pa.string())])


class Outcome(msgspec.Struct, frozen=True):
    """What came of one task: a result, or an error by the name of its class or of its next known base."""

    result: str | None = None
    error: str = ""
    text: str = ""


class SparkEngine:
    """Runs tasks on a Spark session in which nothing else runs. The caller made it, and will stop it.

    `task` is a function that workers can import.
    """

    name: Final = "spark"

    def __init__(
        self, session: SparkSession, *, parallel: int, java: str | None, task: Task = run_task
    ) -> None:
        self.parallel = parallel
        self.java = java
        self._session = session
        self._task = task

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        """Run all descriptors; see Engine. Stops what still runs when a task fails for good."""
        if not descriptors:
            return
        with tempfile.TemporaryDirectory(prefix="pillarbox-", ignore_cleanup_errors=True) as folder:
            inbox = _Inbox(Path(folder), on_result)
            with ThreadPoolExecutor(1, thread_name_prefix="spark") as thread:
                job = thread.submit(self._collect, descriptors, folder)
                try:
                    while not wait((job,), LOOK_SECONDS).done:
                        inbox.look()
                    for task, outcome in _outcomes_of(job):
                        inbox.take(task, outcome)
                except BaseException:
                    self._give_up(job)
                    raise

    def _give_up(self, job: Future[Any]) -> None:
        while not job.done():
            with suppress(KeyboardInterrupt):  # it could not end sooner
                if not wait((job,), LOOK_SECONDS).done:
                    self._session.interruptAll()  # each time: the job may only be about to begin

    def _collect(self, descriptors: Sequence[str], folder: str) -> list[tuple[int, str]]:
        """The job. Parted by range, as only that gives each of n tasks one of n partitions to itself."""
        plan = self._session.createDataFrame(list(enumerate(descriptors)), _PLAN)
        tasks = plan.repartitionByRange(len(descriptors), "task")
        rows = tasks.mapInArrow(_worker(self._task, folder), _OUTCOMES).collect()
        return [(row.task, row.outcome) for row in rows]


@contextmanager
def local_engine(cores: int | None = None, memory: str | None = None) -> Iterator[SparkEngine]:
    """An engine on the session that is there, else on a new one on this machine, stopped at the end.

    `cores`: of this machine, all by default; `memory` of Java, as `2g`. Both are of a new session only.
    Raises UsageError where there is no Java, or Spark does not start on it.
    """
    session = session_of_others()
    if session is not None:
        slots = session.range(10_000).select(spark_partition_id()).distinct().count()
        yield SparkEngine(session, parallel=slots, java=None)
        return
    java, count = find_java(), cores or os.cpu_count() or 1
    with local_session(java, count, memory) as own:
        yield SparkEngine(own, parallel=count, java=str(java))


# --------------------------------------------------------------------------------------- in the worker


def _worker(run: Task, folder: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What Spark runs on each partition of the plan."""

    def run_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for task, descriptor in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                outcome = msgspec.json.encode(attempt(run, descriptor, _attempts_left())).decode()
                leave(Path(folder), task, outcome)
                yield pa.RecordBatch.from_pylist([{"task": task, "outcome": outcome}], _OUTCOME_SCHEMA)

    return run_rows


def attempt(run: Task, descriptor: str, attempts_left: int) -> Outcome:
    """Run one task. Raises what may be better at the next attempt, if there is one."""
    try:
        return Outcome(result=run(descriptor))
    except (UsageError, DataError) as error:
        return _failed(error)
    except Exception as error:
        if attempts_left:
            raise
        return _failed(error)


def leave(folder: Path, task: int, outcome: str) -> None:
    """Put an outcome where the driver looks; nothing where the folder is on another machine."""
    with suppress(OSError):
        made, name = tempfile.mkstemp(prefix=".", dir=folder)
        with os.fdopen(made, "w", encoding="utf-8") as file:
            file.write(outcome)
        os.rename(name, folder / str(task))


def _attempts_left() -> int:
    context = TaskContext.get()
    return 0 if context is None else max(0, ATTEMPTS - 1 - context.attemptNumber())


# --------------------------------------------------------------------------------------- in the driver


@dataclass
class _Inbox:
    """Tells the result of each task once, whichever way it comes first."""

    folder: Path
    on_result: Callable[[str], None]
    told: set[int] = field(default_factory=set)

    def look(self) -> None:
        """Take what tasks have left."""
        for path in sorted(self.folder.glob("[0-9]*")):
            if int(path.name) not in self.told:
                self.take(int(path.name), path.read_text(encoding="utf-8"))

    def take(self, task: int, outcome: str) -> None:
        """Tell a result; raise what a task has raised."""
        if task in self.told:
            return
        self.told.add(task)
        decoded = msgspec.json.decode(outcome, type=Outcome)
        if decoded.result is None:
            raise _error_of(decoded)
        self.on_result(decoded.result)


#: What tells who must act, and with it the exit code; an error is told as the first of these that it is.
_KINDS: Final[tuple[type[PillarboxError], ...]] = (UsageError, DataError, StoreError, TransientError)


def _failed(error: Exception) -> Outcome:
    for kind in _KINDS:
        if isinstance(error, kind):
            return Outcome(error=kind.__name__, text=str(error))
    return Outcome(error="", text="".join(traceback.format_exception(error)))


def _error_of(outcome: Outcome) -> Exception:
    for kind in _KINDS:
        if kind.__name__ == outcome.error:
            return kind(outcome.text)
    return RuntimeError(f"a task failed in each of its attempts; the last of them:\n{outcome.text}")


def _outcomes_of(job: Future[list[tuple[int, str]]]) -> list[tuple[int, str]]:
    """What the job came to. Raises StoreError when Spark gave it up."""
    try:
        return job.result()
    except PillarboxError:
        raise
    except Exception as error:
        reason = "Java does not answer" if isinstance(error, ConnectionError) else _reason(str(error))
        raise StoreError(
            f"Spark gave up: {reason}. Where a process was killed, memory may have run out: "
            f"take smaller shards, or fewer cores"
        ) from error


def _reason(told: str) -> str:
    """The innermost of the exceptions in the first line that names some; what follows is a stack of Java."""
    line = next((line for line in told.splitlines() if "Exception: " in line), told)
    return line.rpartition("Exception: ")[2].partition(". ")[0].strip()
