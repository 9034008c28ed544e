"""Polling when nothing was heard for long.

Depends on: jobs.  Never on: clocks, transports.

Law: a box-wide cursor is polled once nothing was pushed, and no poll of it has ended, for as long as its
schema says (sync.md G-20). Other answers do not count: who looks at one group asks about it all the time,
which would hide for ever that the last push about the rest was lost.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from pillarbox.sync.jobs import Core
from pillarbox.sync.signals import Id

OWNER: Final = "idle"


class Idle:
    """One timer a cursor. It runs on, and is held against when something was heard last."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._heard: dict[int, int] = {}
        self._timers: dict[int, Id] = {}

    def heard(self, cursor: int | None = None) -> None:
        """A container has come; or a poll of this cursor has ended."""
        for one in self._core.protocol.cursors if cursor is None else (cursor,):
            self._heard[one] = self._core.flight.now

    def role(self, master: bool) -> None:
        """It runs in the master alone (sync.md P-3)."""
        self.heard()
        for timer in self._timers.values():
            self._core.flight.forget(timer)
        self._timers = {}
        for spec in self._core.protocol.cursors.values():
            if master and spec.idle_poll_ms > 0 and not spec.keyed:
                self._arm(spec.id, spec.idle_poll_ms)

    def _arm(self, cursor: int, wait_ms: int) -> None:
        due = max(self._heard[cursor] + wait_ms, self._core.flight.now + 1)
        self._timers[cursor] = self._core.flight.timer(OWNER, due, partial(self._ticked, cursor, wait_ms))

    def _ticked(self, cursor: int, wait_ms: int, _reply: object) -> None:
        if self._core.flight.now - self._heard[cursor] >= wait_ms:
            self.heard(cursor)
            self._core.replace((cursor,))
        self._arm(cursor, wait_ms)
