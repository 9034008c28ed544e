"""Locks that are taken without waiting.

Depends on: nothing of ours.

Law: whatever interrupts, a lock that was taken here is let go.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Protocol


class Lock(Protocol):
    """What of a lock is asked here."""

    def acquire(self, blocking: bool = ..., /) -> bool: ...

    def release(self) -> None: ...


class Owned(Protocol):
    """What has a lock, and knows in which thread it is held, of locks that none may take twice."""

    _owner: int | None


@contextmanager
def held_if_free(lock: Lock, owned: Owned | None = None) -> Iterator[bool]:
    """Hold a lock, unless somebody has it; whether it is held."""
    held: list[bool] = []
    thread = get_ident()
    try:
        held += map(lock.acquire, (False,))  # no interrupt comes between having it and knowing so
        if held[0] and owned is not None:
            owned._owner = thread  # nor between that and being known
        yield held[0]
    finally:
        if held and held[0]:
            if owned is not None:
                owned._owner = None
            lock.release()
