"""Locks that are taken without waiting.

Depends on: nothing of ours.

Law: whatever interrupts, a lock that was taken here is let go.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Lock(Protocol):
    """What of a lock is asked here."""

    def acquire(self, blocking: bool = ..., /) -> bool: ...

    def release(self) -> None: ...


@contextmanager
def held_if_free(lock: Lock) -> Iterator[bool]:
    """Hold a lock, unless somebody has it; whether it is held."""
    held: list[bool] = []
    try:
        held += map(lock.acquire, (False,))  # no interrupt comes between having it and knowing so
        yield held[0]
    finally:
        if held and held[0]:
            lock.release()
