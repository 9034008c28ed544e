"""What was open when the process was forked: it stays with the parent, and the child is told so.

Depends on: errors.  Never on: SQLite, whose connections must not be used or closed in a child.

Law: nothing that a child does with what it did not open itself changes a file, or a lock, of its parent.
"""

from __future__ import annotations

import os
import threading
from typing import Any, Final, Generic, Protocol, TypeVar
from weakref import ref

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


#: References at which those of what has gone are let go first.
_PRUNED: Final = 64

Thing = TypeVar("Thing")


class Living(Generic[Thing]):
    """What is still there of what was added; for all threads.

    A WeakSet is told of each that goes. Where the garbage collector lets it go, which may take long, a Ctrl-C
    meanwhile is raised there, and lost.
    """

    def __init__(self) -> None:
        self._refs: dict[int, ref[Thing]] = {}
        self._prune_at = _PRUNED

    def add(self, thing: Thing) -> None:
        made = ref(thing)
        self._refs[id(made)] = made
        if len(self._refs) >= self._prune_at:
            gone = [it for it in list(self._refs.values()) if it() is None]  # held, so that no id comes again
            for it in gone:
                self._refs.pop(id(it), None)
            self._prune_at = 2 * len(self._refs) + _PRUNED

    def all(self) -> list[Thing]:
        return [thing for it in list(self._refs.values()) if (thing := it()) is not None]

    def clear(self) -> None:
        self._refs.clear()

    def __len__(self) -> int:
        """How many references are kept, those of what has gone included."""
        return len(self._refs)


_open: Final[Living[Carried]] = Living()
_working: Final[Living[Working]] = Living()
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
    for working in _working.all():
        if working.pause():
            paused.append(working)


def _resume() -> None:
    for working in _paused.here:
        working.resume()


def _in_child() -> None:
    _resume()
    for opened in _open.all():
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
