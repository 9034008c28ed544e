"""Transactions of a box, each from taking its lock to telling what came of it.

Depends on: fate, package, tables.  Never on: the box, which is made of this; its engine, its views.

Law: whatever ends a transaction, the lock is let go and the transaction is over; then what waits is told.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, TypeVar

from pillarbox.box.fate import Applied
from pillarbox.box.package import Tx
from pillarbox.errors import UsageError
from pillarbox.tables import ChangeRecord

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
    def _finish(self, tx: Tx) -> ChangeRecord:
        """Seal and commit; what is to be told waits."""

    @abstractmethod
    def _drain(self) -> None:
        """Tell what waits; the lock was let go."""

    def transaction(self) -> OneWrite[Tx]:
        """Read and write in one atomic step, in the calling thread, under the write lock.

        Leaving the block commits; an exception rolls everything back. Views that changed have emitted
        when the block has been left, unless this runs inside a callback: then they emit after it.
        """
        return OneWrite(self)

    def transact(self, work: Callable[[Tx], R]) -> R:
        """Run `work` in a transaction and give back what it returns."""
        return self._run(work)[0]

    def apply(self, work: Callable[[Tx], R]) -> Applied[R]:
        """As `transact`, and tell what the commit did. After an exception it did nothing."""
        result, record = self._run(work)
        return Applied(bool(record), record.events, result)

    def _run(self, work: Callable[..., R], *given: Any) -> tuple[R, ChangeRecord]:
        """Call `work` in a transaction."""
        write = OneWrite(self)
        with write as tx:
            result = work(tx, *given)
        return result, write.record

    def refuse_inside(self) -> None:
        """For who is about to wait for another thread. Raises UsageError where that may wait for this one."""
        if self._owner == threading.get_ident():
            raise UsageError(
                "this thread is inside a transaction of this box already; use the transaction it has, "
                "or finish it first"
            )


class OneWrite(Generic[Tx]):
    """The block around one transaction. A class, for a generator takes a microsecond more a commit."""

    __slots__ = ("_box", "_tx", "record")

    _tx: Tx
    #: What it wrote, once it is committed.
    record: ChangeRecord

    def __init__(self, box: Writing[Tx]) -> None:
        self._box = box

    def __enter__(self) -> Tx:
        box = self._box
        box.refuse_inside()
        box._lock.acquire()
        try:
            tx = self._tx = box._begin()
        except BaseException:
            self._let_go()
            raise
        return tx

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tx = self._tx
        try:
            try:
                if kind is None:
                    self.record = self._box._finish(tx)
            finally:
                if tx.is_open:
                    tx.rollback()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        box = self._box
        box._owner = None
        box._lock.release()
        box._drain()
