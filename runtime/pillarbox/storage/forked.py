"""What was open when the process was forked: it stays with the parent, and the child is told so.

Depends on: errors.  Never on: SQLite, whose connections must not be used or closed in a child.

Law: nothing that a child does with what it did not open itself changes a file, or a lock, of its parent.
"""

from __future__ import annotations

import os
import threading
from typing import Any, Final, Protocol
from weakref import WeakSet

from pillarbox.errors import BoxClosed


class Carried(Protocol):
    """Something that holds files, or locks on them."""

    def carried(self) -> None:
        """This is a child, forked after it was opened."""


class Working(Protocol):
    """Something that has a thread of its own, which is amid of something only for moments."""

    def pause(self) -> bool:
        """Wait for that a moment, for in a child nobody would end it; whether `resume` is to be called."""

    def resume(self) -> None:
        """The process was forked; to be called by the thread that called `pause`, in both processes."""


_open: Final[WeakSet[Carried]] = WeakSet()
_working: Final[WeakSet[Working]] = WeakSet()
#: What each thread has paused that is about to fork.
_paused: Final = threading.local()


def leave_at_fork(opened: Carried) -> None:
    """Have a child leave it alone."""
    _open.add(opened)


def wait_at_fork(working: Working) -> None:
    """Have the process forked only when it pauses."""
    _working.add(working)


def _before() -> None:
    _paused.here = paused = list[Working]()
    for working in list(_working):
        if working.pause():
            paused.append(working)


def _resume() -> None:
    for working in _paused.here:
        working.resume()


def _in_child() -> None:
    _resume()
    for opened in list(_open):
        opened.carried()
    _open.clear()
    _working.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_resume, after_in_child=_in_child)


class Left:
    """In a child, in the place of a connection of its parent."""

    def __init__(self, path: str) -> None:
        self._path = path

    def close(self) -> None:
        """It is the parent's to close."""

    def __getattr__(self, name: str) -> Any:
        raise BoxClosed(self._path, "this box was opened before the process was forked")
