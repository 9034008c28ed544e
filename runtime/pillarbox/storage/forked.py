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


_open: Final[WeakSet[Carried]] = WeakSet()
#: Never given up: what is collected is closed.
_left: Final[list[object]] = []


def leave_at_fork(opened: Carried) -> None:
    """Have a child leave it alone."""
    _open.add(opened)


def _in_child() -> None:
    for opened in list(_open):
        opened.carried()
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


class Left:
    """In a child, in the place of a connection of its parent."""

    def __init__(self, path: str, held: object) -> None:
        self._path = path
        _left.append(held)

    def close(self) -> None:
        """It is the parent's to close."""

    def __getattr__(self, name: str) -> Any:
        raise BoxClosed(self._path, "this box was opened before the process was forked")
