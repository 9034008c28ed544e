"""Polling when nothing was heard for long.

Depends on: jobs, protocol.  Never on: clocks, transports.

Law: a box-wide cursor is polled once nothing was pushed, and no poll of it has ended, for as long as its
schema says, or the last answer that says it (sync.md G-20). Other answers do not count: who looks at one
group asks about it all the time, which would hide for ever that the last push about the rest was lost.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from pillarbox.sync.jobs import Core
from pillarbox.sync.protocol import Answer
from pillarbox.sync.signals import Id

OWNER: Final = "idle"


class Idle:
    """One timer a cursor. It runs on, and is held against when something was heard last."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._master = False
        #: How long each may be silent; 0: for ever.
        self._waits = {
            spec.id: spec.idle_poll_ms for spec in core.protocol.cursors.values() if not spec.keyed
        }
        self._heard: dict[int, int] = {}
        self._timers: dict[int, Id] = {}

    def heard(self, cursor: int | None = None) -> None:
        """A container has come; or a poll of this cursor has ended."""
        for one in self._core.protocol.cursors if cursor is None else (cursor,):
            self._heard[one] = self._core.flight.now

    def told(self, cursor: int, answer: Answer) -> None:
        """The server may say how long; what it said last counts. It is asked no faster than tries are."""
        spec = self._core.protocol.cursors[cursor]
        pause, difference = spec.pause, spec.difference
        if pause is None or difference is None:
            return
        try:
            wait_ms = pause(answer)
            if not isinstance(wait_ms, int | None):
                raise TypeError(f"{wait_ms!r} is no number of milliseconds")
        except Exception as error:  # Whatever a server sends must not stop the engine.
            self._core.flight.log("G-20", "a pause that cannot be read", answer=answer, error=repr(error))
            return
        if wait_ms is not None and wait_ms > 0:
            wait_ms = max(wait_ms, difference.backoff.step_ms)
        if wait_ms is not None and wait_ms != self._waits[cursor]:
            self._waits[cursor] = wait_ms
            self._begin(cursor)

    def role(self, master: bool) -> None:
        """It runs in the master alone (sync.md P-3)."""
        self._master = master
        self.heard()
        for cursor in self._waits:
            self._begin(cursor)

    def _begin(self, cursor: int) -> None:
        if (timer := self._timers.pop(cursor, None)) is not None:
            self._core.flight.forget(timer)
        if self._master and self._waits[cursor] > 0:
            self._arm(cursor, self._waits[cursor])

    def _arm(self, cursor: int, wait_ms: int) -> None:
        due = max(self._heard[cursor] + wait_ms, self._core.flight.now + 1)
        self._timers[cursor] = self._core.flight.timer(OWNER, due, partial(self._ticked, cursor, wait_ms))

    def _ticked(self, cursor: int, wait_ms: int, _reply: object) -> None:
        if self._core.flight.now - self._heard[cursor] >= wait_ms:
            self.heard(cursor)
            self._core.replace((cursor,))
        self._arm(cursor, wait_ms)
