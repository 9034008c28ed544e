"""What was open when the process was forked: it stays with the parent, and the child is told so.

Depends on: errors.  Never on: SQLite, whose connections must not be used or closed in a child.

Law: nothing that a child does with what it did not open itself changes a file, or a lock, of its parent.
"""

from __future__ import annotations

import os
from typing import Any, Final, Protocol
from weakref import WeakSet

from pillarbox.errors import BoxClosed


class Carried(Protocol):
    """Something that holds files, or locks on them."""

    def carried(self) -> None:
        """This is a child, forked after it was opened."""


class Working(Protocol):
    """Something that has a thread of its own now and then, which soon ends."""

    def pause(self) -> None:
        """Wait for it, for in a child nobody would end what it is amid of."""


_open: Final[WeakSet[Carried]] = WeakSet()
_working: Final[WeakSet[Working]] = WeakSet()


def leave_at_fork(opened: Carried) -> None:
    """Have a child leave it alone."""
    _open.add(opened)


def wait_at_fork(working: Working) -> None:
    """Have the process forked only when it pauses."""
    _working.add(working)


def _before() -> None:
    for working in list(_working):
        working.pause()


def _in_child() -> None:
    for opened in list(_open):
        opened.carried()
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_child=_in_child)


class Left:
    """In a child, in the place of a connection of its parent."""

    def __init__(self, path: str) -> None:
        self._path = path

    def close(self) -> None:
        """It is the parent's to close."""

    def __getattr__(self, name: str) -> Any:
        raise BoxClosed(self._path, "this box was opened before the process was forked")
