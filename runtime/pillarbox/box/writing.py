"""Transactions of a box, each from taking its lock to telling what came of it.

Depends on: fate, package.  Never on: the box, which is made of this; its engine, its views.

Law: whatever ends a transaction, the lock is let go and the transaction is over; then what waits is told.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from pillarbox.arguments import refuse_no_function
from pillarbox.box.fate import Applied, Commit
from pillarbox.box.package import Tx
from pillarbox.errors import UsageError

R = TypeVar("R")


class Writing(ABC, Generic[Tx]):
    """What a box offers to those who write."""

    #: Held by the transaction that is open, and by whatever loads views beside it.
    _lock: threading.Lock
    #: The thread that has the lock, of those that may not take it twice.
    _owner: int | None

    @abstractmethod
    def _begin(self) -> Tx:
        """Begin a transaction; the lock is held, and will be let go."""

    @abstractmethod
    def _finish(self, tx: Tx) -> Commit:
        """Seal and commit; what is to be told waits."""

    @abstractmethod
    def _abandon(self) -> None:
        """Roll back the transaction, if it is open by now and still."""

    @abstractmethod
    def _drain(self) -> None:
        """Tell what waits; the lock was let go."""

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """Read and write in one atomic step, in the calling thread, under the write lock.

        Leaving the block commits; an exception rolls everything back. Views that changed have emitted
        when the block has been left, unless this runs inside a callback, or another thread is telling of its
        commit just then: then they emit after that.
        """
        self.refuse_inside()
        thread = threading.get_ident()
        try:
            with self._lock:
                self._owner = thread  # nothing comes between, not even a finalizer that writes
                try:
                    tx = self._begin()
                    yield tx
                    self._finish(tx)
                except BaseException:
                    self._abandon()
                    raise
                finally:
                    self._owner = None
        finally:
            self._drain()

    def transact(self, work: Callable[[Tx], R]) -> R:
        """Run `work` in a transaction and give back what it returns."""
        refuse_no_function("work", work, "a function of a transaction")
        return self._run(work)[0]

    def apply(self, work: Callable[[Tx], R]) -> Applied[R]:
        """As `transact`, and tell what the commit did. After an exception it did nothing."""
        refuse_no_function("work", work, "a function of a transaction")
        result, done = self._run(work)
        return Applied(done.changed, done.events, result)

    def _run(self, work: Callable[..., R], *given: Any) -> tuple[R, Commit]:
        """As `transaction`, around a call of `work`, which is what most commits are.

        The same bracket stands here once more: a generator that waits takes a microsecond a commit, and in an
        object with `__enter__` and `__exit__` there are moments between them and the lock at which who
        interrupts a program leaves it locked.
        """
        self.refuse_inside()
        thread = threading.get_ident()
        try:
            with self._lock:
                self._owner = thread  # nothing comes between, not even a finalizer that writes
                try:
                    tx = self._begin()
                    return work(tx, *given), self._finish(tx)
                except BaseException:
                    self._abandon()
                    raise
                finally:
                    self._owner = None
        finally:
            self._drain()

    def refuse_inside(self) -> None:
        """For who is about to wait for another thread. Raises UsageError where that may wait for this one."""
        if self._owner == threading.get_ident():
            raise UsageError(
                "this thread is inside a transaction of this box already; use the transaction it has, "
                "or finish it first"
            )
