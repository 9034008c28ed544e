"""What live views there are is changed by one at a time; who leaves in the midst of that goes behind it.

A subscription may be closed anywhere: by a finalizer, which runs where garbage happens to be collected, or by
a handler of a signal. Both run in the midst of whatever their thread does, which may be a round of a commit.

Depends on: subscription.  Never on: trackers, which are made of this.

Law: who is within `alone` meets nobody who is within it as well, but whom it calls itself; what is closed
meanwhile has left when it ends, or, where it raises, when the next one does.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from pillarbox.views.subscription import Subscription

P = ParamSpec("P")
R = TypeVar("R")
G = TypeVar("G", bound="Alone")


def alone(work: Callable[Concatenate[G, P], R]) -> Callable[Concatenate[G, P], R]:
    """Make a method one that meets no other."""

    @wraps(work)
    def guarded(self: G, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self._lock:
            if self._is_busy:
                return work(self, *args, **kwargs)
            self._is_busy = True
            try:
                done = work(self, *args, **kwargs)
                if self._leaving:
                    self._sweep()
                return done
            finally:
                self._is_busy = False

    return guarded


class Alone(ABC):
    """Whose methods are `alone`."""

    __slots__ = ("_is_busy", "_leaving", "_lock")

    def __init__(self) -> None:
        #: Subscriptions are closed from any thread, under no lock of the box. No callback runs under it.
        self._lock = threading.RLock()
        #: Who has the lock is within `alone`: who comes to it then comes in the midst of that.
        self._is_busy = False
        #: Were closed, and are still known.
        self._leaving: deque[Subscription[Any]] = deque()

    @abstractmethod
    def _leave(self, subscription: Subscription[Any]) -> None:
        """Know it no more; also if that was interrupted before, or is done."""

    @alone
    def _sweep(self) -> None:
        """Let go of all who have left by now."""
        while self._leaving:
            self._leave(self._leaving[0])
            del self._leaving[0]
