"""Virtual time: what happens next, and when.

Depends on: nothing.  Never on: threads, the wall clock.

Law: what is due happens in order of time, and of what is due at one time in the order it was asked for;
so a run is a function of its seed.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush


class Runaway(Exception):
    """More happened than any run has reason for."""


class Schedule:
    """A heap of (time, order, action); times are milliseconds from 0."""

    def __init__(self, *, most: int = 20_000) -> None:
        """Raises Runaway from `run` after `most` actions."""
        self.now = 0
        self.done = 0
        self._most = most
        self._order = 0
        self._heap: list[tuple[int, int, Callable[[], None]]] = []

    def at(self, time: int, action: Callable[[], None]) -> None:
        """Do this at a time, or now where that has passed."""
        self._order += 1
        heappush(self._heap, (max(time, self.now), self._order, action))

    def after(self, delay_ms: int, action: Callable[[], None]) -> None:
        """Do this so many milliseconds from now."""
        self.at(self.now + delay_ms, action)

    def run(self, until: int) -> None:
        """Do all that is due up to `until`, the time itself included. Raises what an action raises."""
        while self._heap and self._heap[0][0] <= until:
            self.now, _, action = heappop(self._heap)
            self.done += 1
            if self.done > self._most:
                raise Runaway(f"{self._most:,} actions, and no end")
            action()
        self.now = max(self.now, until)
