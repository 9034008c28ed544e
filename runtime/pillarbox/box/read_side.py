"""The read side of a box: a second connection, which sees the last commit while somebody writes.

Depends on: locks, opening, package, storage, tables, errors.  Never on: transactions and views.

Law: every read of a block sees one commit, and no writer is held up by it. Whatever interrupts one, the next
one reads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic

from pillarbox.box.locks import held_if_free
from pillarbox.box.opening import Opened, SeenLayout
from pillarbox.box.package import Package, Rd
from pillarbox.errors import StoreError, UsageError
from pillarbox.storage import Engine
from pillarbox.tables import DueReader


class ReadSide(Generic[Rd]):
    """`package` is what the box was `opened` with; `check_open` raises once the box is closed."""

    def __init__(
        self, engine: Engine, package: Package[Any, Rd], opened: Opened, check_open: Callable[[], None]
    ) -> None:
        self._engine = engine
        self._tables = package.tables(engine)
        self._check_open = check_open
        self._layout = SeenLayout(engine, package, opened)
        #: Held by whoever reads; `_depth` counts its blocks, one in another.
        self._lock = threading.RLock()
        self._depth = 0
        #: A read was begun that nobody has seen ended; and blocks may read, neither begins nor ends one.
        self._is_reading = self._is_open = False
        #: Of the last read, in the layout of which the tables could be read.
        self._version: int | None = None

    @contextmanager
    def reading(self) -> Iterator[Rd]:
        """As `Box.reading`."""
        with self._lock:
            self._check_open()
            if self._depth and not self._is_open:
                raise UsageError(
                    "this thread is about to begin or to end a read of this box; what a finalizer or a "
                    "handler of signals is to read, have read by another thread"
                )
            self._depth += 1
            try:
                if self._depth == 1:
                    self._begin()
                yield self._tables
            finally:
                try:
                    if self._depth == 1:
                        self._end()
                finally:
                    self._depth -= 1

    def _begin(self) -> None:
        self._end()  # what an interrupt has left
        version = self._engine.begin_read()
        self._is_reading = True
        if version != self._version:
            self._layout.check(self._engine)
            self._version = version
        self._is_open = True

    def _end(self) -> None:
        self._is_open = False
        if self._is_reading:
            try:
                self._engine.end_read()
            except StoreError:
                self._is_reading = False
                raise
            self._is_reading = False

    def next_due(self) -> dict[str, int]:
        """As `Box.next_due`."""
        with self.reading() as tables:
            readers = [table for table in tables.by_id().values() if isinstance(table, DueReader)]
            times = {reader.spec.name: reader.next_due() for reader in readers}
        return {name: time for name, time in times.items() if time is not None}

    def refuse_inside(self) -> None:
        """For who must see the last commit, or waits for one. Raises UsageError in a block of this thread."""
        with held_if_free(self._lock) as is_held:
            if is_held and self._depth:
                raise UsageError(
                    "this thread is inside a `reading` block of this box, which shows the commit that it "
                    "began with; finish it first"
                )

    def backup(self, path: str) -> None:
        """As `Box.backup`."""
        with self._lock:
            self._check_open()
            self._engine.backup(path)

    def carried(self) -> None:
        """See `storage.forked`. A lock that another thread had is let go by nobody here."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._lock, self._depth, self._is_reading = threading.RLock(), 0, False

    def close(self) -> None:
        """Waits for the block that is open elsewhere."""
        with self._lock:
            self._engine.close()
