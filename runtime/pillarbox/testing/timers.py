"""The timers of one life of a process, on the clock of the simulation.

Depends on: schedule, sync (how timers are named).  Never on: machines.

Law: a timer ticks once, when it is due; one that was set anew, dropped or cleared ticks no more.
"""

from __future__ import annotations

from collections.abc import Callable

from pillarbox.sync.signals import Id
from pillarbox.testing.schedule import Schedule


class Timers:
    """`tick` is called with a timer that is due."""

    def __init__(self, schedule: Schedule, tick: Callable[[Id], None]) -> None:
        self._schedule = schedule
        self._tick = tick
        self.due: dict[Id, int] = {}

    def set(self, id: Id, due: int) -> None:
        """In place of the one of this name, if there is one."""
        self.due[id] = due

        def tick() -> None:
            if self.due.get(id) == due:
                del self.due[id]
                self._tick(id)

        self._schedule.at(due, tick)

    def drop(self, id: Id) -> None:
        """If it is there."""
        self.due.pop(id, None)

    def clear(self) -> None:
        """The life is over."""
        self.due.clear()
