"""Whose turn it is to write to a file: who writes on and on lets in those who wait.

Depends on: presence.  Never on: SQLite, whose lock it is.

Law: whoever waits is let in by a writer that never pauses, at the latest when that one looks again and has
ended its transaction. One that waits and does not come, as where its process was stopped, holds nobody up
for longer each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

from pillarbox.storage.presence import Presence

#: Between two tries to get the lock, where another has it.
TRY_SECONDS: Final = 0.0005
#: So often a writer looks whether somebody waits, at most and, where nobody comes, at least.
_LOOK_SECONDS: Final = 0.02
_LOOK_SECONDS_MAX: Final = 1.0
#: How long it then leaves the lock free at most: on a busy machine who waits wakes late.
_PAUSE_SECONDS: Final = 0.02


class Turns:
    """One connection's side of it."""

    def __init__(self, presence: Presence | None = None) -> None:
        """Without a presence nobody can be seen, and everybody takes the lock when it happens to be free."""
        self._presence = presence
        self._look_at = 0.0
        self._apart = _LOOK_SECONDS

    def give_way(self) -> None:
        """Before the lock is taken: leave it to who waits, now and then."""
        if self._presence is None:
            return
        now = monotonic()
        if now < self._look_at:
            return
        came = self._pause(self._presence, now + _PAUSE_SECONDS)
        self._apart = _LOOK_SECONDS if came else min(2 * self._apart, _LOOK_SECONDS_MAX)
        self._look_at = now + self._apart

    @staticmethod
    def _pause(presence: Presence, until: float) -> bool:
        """Whether nobody waits any more."""
        while presence.somebody_waits():
            if monotonic() >= until:
                return False
            sleep(TRY_SECONDS)
        return True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for the lock inside: whoever has it hears of that."""
        self._apart, self._look_at = _LOOK_SECONDS, 0.0  # somebody has come: there are several who write
        if self._presence is None:
            yield
            return
        self._presence.wait()
        try:
            yield
        finally:
            self._presence.wait_no_more()
