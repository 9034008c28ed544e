"""Waiting for another process to ring, or for time to pass.

Depends on: the operating system.  Never on: what is done about it.

Law: `wait` returns at a ring, at `wake` or after its time, whichever is first; a ring while nobody waits is
kept for the next one. Without inotify nobody hears a ring, and time alone passes.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from typing import Final

_MODIFIED: Final = 0x2
#: Room for the events of a wake; what does not fit is read at the next one.
_EVENT_BYTES: Final = 4096


class Bell:
    """One who waits, in one thread; `wake` is for any thread."""

    def __init__(self) -> None:
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._rings: int | None = None
        self._poll = select.poll()
        self._poll.register(self._woken, select.POLLIN)

    def listen(self, path: str) -> None:
        """From now on, a write to this file is a ring. Loads what it takes, so not for a hot path."""
        self._rings = _watched(path)
        if self._rings is not None:
            self._poll.register(self._rings, select.POLLIN)

    @property
    def is_heard(self) -> bool:
        """Whether rings end a wait at all."""
        return self._rings is not None

    def wait(self, seconds: float) -> bool:
        """Whether there was a ring."""
        heard = False
        for handle, _ in self._poll.poll(seconds * 1e3):
            with suppress(BlockingIOError):
                os.read(handle, _EVENT_BYTES)
            heard = heard or handle == self._rings
        return heard

    def wake(self) -> None:
        """End the wait that goes on, or the next one."""
        with suppress(OSError):  # full, so it is awake, or closed
            os.write(self._wake, b"x")

    def close(self) -> None:
        """Give the handles back; nobody may wait any more."""
        for handle in (self._woken, self._wake, self._rings):
            if handle is not None:
                os.close(handle)


def _watched(path: str) -> int | None:
    """A handle of inotify that becomes readable when the file is written to; None where there is no such."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        handle: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if handle < 0:
            return None
        if libc.inotify_add_watch(handle, os.fsencode(path), _MODIFIED) < 0:
            os.close(handle)
            return None
        return handle
    except (ImportError, OSError, AttributeError):
        return None
