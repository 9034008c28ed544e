"""The store of one life of a process: reads and commits that take virtual time, and sometimes fail.

Depends on: sync (store, signals), ledger, schedule, knobs, trace.  Never on: machines, networks.

Law: one after the other, as a thread of its own would; what a commit did is told some time after it is done,
and in between the process may die.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pillarbox.box import Box
from pillarbox.sync.jobs import OWNER
from pillarbox.sync.signals import Commit, CommitFailed, Committed, Id, Load
from pillarbox.sync.store import Outcome, Store
from pillarbox.testing.knobs import Knobs
from pillarbox.testing.ledger import Ledger
from pillarbox.testing.schedule import Schedule
from pillarbox.testing.trace import Trace, Violation


@dataclass(frozen=True)
class Hooks:
    """What a store tells its process."""

    #: The outcome, as an input; never after `stop`.
    told: Callable[[Any], None]
    #: Something was committed; whether the process dies before it hears of it.
    committed: Callable[[], bool]


class Storing:
    """From the opening of a box to `stop`."""

    def __init__(
        self,
        name: str,
        box: Box[Any, Any],
        ledger: Ledger,
        *,
        random: Random,
        knobs: Knobs,
        schedule: Schedule,
        trace: Trace,
        hooks: Hooks,
    ) -> None:
        self._name = name
        self._store = Store(box, ledger.protocol)
        self._ledger = ledger
        self._random = random
        self._knobs = knobs
        self._schedule = schedule
        self._trace = trace
        self._hooks = hooks
        self._is_over = False
        self._free_at = 0
        #: Not told yet.
        self.waiting: set[Id] = set()
        #: The commit of the job that runs.
        self._job: Id | None = None
        #: So many of the next commits fail.
        self.failures = 0

    def stop(self) -> None:
        """Nothing is done any more, and nothing told."""
        self._is_over = True

    def later(self, output: Load | Commit) -> None:
        """Do it when it is its turn. Raises Violation (E-5) where two jobs commit at a time."""
        if isinstance(output, Commit) and output.id.owner == OWNER:
            if self._job is not None:
                raise Violation("E-5", f"{self._name}: {output.id} while {self._job} runs")
            self._job = output.id
        self.waiting.add(output.id)
        self._free_at = max(self._schedule.now, self._free_at) + self._takes()
        self._schedule.at(self._free_at, lambda: self._do(output))

    def _takes(self) -> int:
        return self._random.randint(0, self._knobs.store_ms)

    def _do(self, output: Load | Commit) -> None:
        if self._is_over:
            return
        if self.failures and isinstance(output, Commit):
            self.failures -= 1
            self._trace.say(self._schedule.now, self._name, "fails", output.id)
            outcome = _full(output)
        else:
            self._ledger.begin()
            outcome = self._store.run(output)
            if self._judge(outcome(self._schedule.now)) and self._hooks.committed():
                return  # between the commit and its acknowledgement
        self._schedule.after(self._takes(), lambda: self._tell(output.id, outcome))

    def _tell(self, id: Id, outcome: Outcome) -> None:
        if self._is_over:
            return
        self.waiting.discard(id)
        self._job = None if self._job == id else self._job
        self._hooks.told(outcome(self._schedule.now))

    def _judge(self, known: Any) -> bool:
        """Whether it was a commit that is done. Raises Violation where something in the engine raised."""
        if isinstance(known, CommitFailed) and not known.stale:
            raise Violation("A-11", f"{self._name}: {known.id} came to {known.reason}")
        record = self._ledger.end(committed=isinstance(known, Committed))
        if isinstance(known, Committed):
            self._trace.say(self._schedule.now, self._name, "commits", known.id, record)
        elif isinstance(known, CommitFailed):
            self._trace.say(self._schedule.now, self._name, "stale", known.id, known.reason)
        return isinstance(known, Committed)


def _full(output: Commit) -> Outcome:
    return lambda now: CommitFailed(now, output.id, "the disk is full", stale=False, ill=True)
