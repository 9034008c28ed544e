"""The queue of jobs: one runs, the head; the others wait.

Depends on: nothing of the engine but what a job is.  Never on: what jobs do, clocks.

Law: at most one job runs, and it is the head (E-5, sync.md Q1, Q2, Q12). Events are published in the step of
the commit that tells them, which is where a job of their own behind the head would be (Q8).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol, TypeVar

JobT = TypeVar("JobT")


class Kind(Enum):
    """What a job does; in the order in which waiting ones stand after a poll was put in (sync.md Q4)."""

    PROCESS = "process"
    RESET = "reset"
    POLL = "poll"
    FLUSH = "flush"
    ADOPT = "adopt"
    CUSTOM = "custom"
    #: Behind all: what is pushed meanwhile is added to it (sync.md G-17, Q3).
    COLLECT = "collect"


class Job(Protocol):
    """Something that runs alone."""

    @property
    def kind(self) -> Kind:
        """What it does."""

    @property
    def started(self) -> bool:
        """Whether its `start` was called."""

    @property
    def running(self) -> bool:
        """Whether it may not be put back; one that only waits for a timer does not run."""

    def asks(self, cursor: int) -> bool:
        """Whether it is to ask about that box-wide cursor, or has it asked about."""

    def start(self) -> None:
        """It is the head."""

    def pause(self) -> None:
        """It was started, does not run, and is the head no more."""


class Queue:
    """Jobs in their order. Only `pump` starts one."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def last(self, job: Job) -> None:
        """Behind all."""
        self.jobs.append(job)

    def first(self, job: Job) -> None:
        """Next to be started: directly behind the one that runs (sync.md Q1)."""
        if self.jobs and self.jobs[0].running:
            self.jobs.insert(1, job)
            return
        self._pause()
        self.jobs.insert(0, job)

    def to_last(self, job: Job) -> None:
        """It waits for all others (sync.md Q10)."""
        self.jobs.remove(job)
        self.jobs.append(job)

    def sort(self, polls: Sequence[Job]) -> None:
        """Put polls in the place of those that wait (sync.md Q4)."""
        self._pause()
        head = [job for job in self.jobs[:1] if job.running]
        waiting = [job for job in self.jobs[len(head) :] if job.kind is not Kind.POLL]
        order = list(Kind)
        # Sorting keeps the old order within a kind.
        self.jobs = head + sorted((*waiting, *polls), key=lambda job: order.index(job.kind))

    def finish(self, job: Job) -> None:
        """The head has ended. Raises RuntimeError for any other job: a bug (sync.md Q12)."""
        if not self.jobs or self.jobs[0] is not job:
            raise RuntimeError(f"{job!r} ended, but the head of the queue is {self.jobs[:1]!r}")
        del self.jobs[0]

    def waiting(self, kind: type[JobT]) -> list[JobT]:
        """Those of one class that do not run."""
        return [job for job in self.jobs if isinstance(job, kind) and not getattr(job, "running", False)]

    def pump(self) -> None:
        """Start the head, until one takes time."""
        while self.jobs and not self.jobs[0].started:
            self.jobs[0].start()

    def _pause(self) -> None:
        if self.jobs and self.jobs[0].started and not self.jobs[0].running:
            self.jobs[0].pause()
