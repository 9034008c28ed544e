"""The box: one open store, its transactions, its live views.

Depends on: transaction, views, tables, storage, opening.  Never on: sync and tools, which stand above.

Laws. A commit is seen by every live view it changed exactly once, and by no other. Emissions reach a
subscriber in the order of the commits. An exception leaves the file, the caches and the views as they
were before the transaction began.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from os import PathLike
from typing import Any, Generic, Literal, Self, TypeVar

from pillarbox.arguments import path_of
from pillarbox.box.awaited import Awaited
from pillarbox.box.data import Data
from pillarbox.box.fate import Commit, landed
from pillarbox.box.fetching import Fetches
from pillarbox.box.locks import held_if_free
from pillarbox.box.opening import Opened, bring_up
from pillarbox.box.others import Others
from pillarbox.box.package import Package, Rd, Tx
from pillarbox.box.read_side import ReadSide
from pillarbox.box.rounds import Rounds
from pillarbox.box.shared import Shared
from pillarbox.box.together import Together
from pillarbox.box.watcher import Watcher
from pillarbox.box.worker import Worker
from pillarbox.box.writing import Writing
from pillarbox.errors import (
    BoxClosed,
    LayoutConflict,
    StoreError,
    StoreMissing,
    StoreReadOnly,
    UsageError,
)
from pillarbox.storage import MEMORY, Engine, open_engine
from pillarbox.storage.forked import leave_at_fork
from pillarbox.views import Members, Subscription, Tracker, ViewKey

S = TypeVar("S")
R = TypeVar("R")
Durability = Literal["durable", "relaxed"]

_log = logging.getLogger("pillarbox")
#: A write-ahead log beyond this is moved into the file. Large enough to be rare among small commits,
#: small enough that reads, which search the log first, stay fast.
_CHECKPOINT_BYTES = 4 << 20


class Box(Writing[Tx], Together, Fetches, Shared, Awaited[Tx], Generic[Tx, Rd]):
    """One open store.

    `path` is a file, created with mode 0600 when missing, or ":memory:". `durable` commits survive a
    power cut; `relaxed` ones survive a crash of the process, and the last few may be lost with the
    power, never half of one.

    Raises LayoutConflict when the file was written under a layout that this package cannot read, and
    opens it read-only when it was written under a newer one.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        package: Package[Tx, Rd],
        *,
        durability: Durability = "durable",
        read_only: bool = False,
        busy_ms: int = 5_000,
    ) -> None:
        self.package = package
        self._engine: Engine = open_engine(
            path_of("path", path), durability=durability, read_only=read_only, busy_ms=busy_ms
        )
        try:
            self._tx: Tx = package.transaction(self._engine)
            self.opened: Opened = bring_up(self._engine, package, self._tx)
            self._tx.remember()
            self.read_only = read_only or self.opened == "newer"
            self._read_side = ReadSide(self._engine.reader(), package, self.opened, self._check_open)
            self._own_tables = package.tables(self._engine).by_id()
            self._tracker = Tracker(
                package.views, self._own_tables, package.wants, on_unsettled=self._settle, on_move=self._move
            )
            self._rounds = Rounds()
            self._others = Others(self._engine, package, self.opened, self._tracker, self._rounds)
        except BaseException:
            self._engine.close()
            raise
        #: Held by the transaction that is open, and by whatever loads views beside it.
        self._lock = threading.Lock()
        self._owner: int | None = None
        #: Single values by their items.
        self.data = Data(self)
        self._worker = Worker()
        self._watcher = Watcher(self._look, self._others.bell)
        self._others.wants.on_change(self._watcher.wake)
        #: A transaction or a read was begun, and nobody has seen it ended; whether `_one_commit` began it.
        self._is_begun = self._is_reading = self._closed = False
        leave_at_fork(self)

    # ------------------------------------------------------------------------------- transactions

    def replay(self, operations: Sequence[object]) -> Commit:
        """Apply operations in one transaction: all of them or, after an exception, none.

        Raises UsageError for what is no operation of the schema.
        """
        if not hasattr(operations, "__len__"):  # they are gone through more than once
            raise UsageError(
                f"operations are replayed as a sequence, and this is of type {type(operations).__name__}; "
                f"put what is to be replayed in a list"
            )
        return self._run(self.package.replay, operations)[1]

    def _begin(self) -> Tx:
        """The lock is held, and will be let go."""
        if self._closed or self.read_only:
            self._check_open()
            self.refuse_newer()
            raise StoreReadOnly(self._engine.path, "it was opened read-only", remedy=StoreReadOnly.OPENED_SO)
        if self._is_begun:
            self._clear_up()
        self._is_begun = True
        self._tx.begin()
        if self._others.moved(self._tx.data_version):
            self._others.meet()
        return self._tx

    def _abandon(self) -> None:
        """Roll back the transaction, if it is open by now and still."""
        if self._tx.is_open:
            self._tx.rollback()

    def _finish(self, tx: Tx) -> Commit:
        """Seal and commit; what is to be delivered waits in `_rounds`."""
        record = tx.seal()
        done = Commit(bool(record), record.events)
        if not done.changed and not self._others.master.is_urgent:
            tx.rollback()
            self._rounds.add((), record.events)
            return done
        # Views fold the commit while its transaction is open: what they read besides is exactly this commit,
        # whatever another process does then. Until it is known to have landed, they are ahead of the file.
        self._others.tell(record)
        deliveries = self._tracker.replay(record)
        try:
            tx.commit()
            self._rounds.add(deliveries, record.events)
        except BaseException as error:
            self._abandon()
            self._others.failed(deliveries)  # for as long as nobody can say what became of it
            if not done.changed or not landed(self._engine.path, self._own_tables, record, error):
                raise
            self._rounds.add(deliveries, record.events)
            if not isinstance(error, StoreError):  # an interrupt: first it is told what is done
                self._others.landed(changed=True)
                raise
            _log.warning("a commit reported %s, yet it is in the file: taken as done", error)
        self._others.landed(changed=done.changed)
        self._is_begun = False
        return done

    # --------------------------------------------------------------------------------------- reads

    def reading(self) -> AbstractContextManager[Rd]:
        """The tables as of one commit, for as long as the block lasts; writers are not held up.

        A block inside another one of the same thread sees the same commit. Threads take turns. Raises
        LayoutConflict once another process has upgraded the box beyond what this package can read.
        """
        return self._read_side.reading()

    def refuse_reading(self) -> None:
        """As `refuse_inside`, inside a `reading` block, where the last commit may not be seen."""
        self._read_side.refuse_inside()

    def get(self, key: ViewKey[S]) -> S:
        """The snapshot of a view as of the last commit, without watching it. Raises as `reading` does."""
        with self.reading() as tables:
            snapshot: S = self._tracker.load_once(key, tables.by_id())
        return snapshot

    def load_together(self, keys: Sequence[ViewKey[Any]]) -> tuple[Any, ...]:
        """The snapshots of several views as of one commit; as `get` of each otherwise."""
        with self.reading() as tables:
            readers = tables.by_id()
            return tuple([self._tracker.load_once(key, readers) for key in keys])

    # --------------------------------------------------------------------------------------- views

    def watch(self, key: ViewKey[S], *, every: bool = False, queue_max: int = 1_000) -> Subscription[S]:
        """Subscribe to a view: a snapshot now, and a new one after each commit that changed it.

        Iterators, and who listens in a loop or executor, get the latest snapshot only, unless `every` asks
        for each emission, of which `queue_max` may wait. Close it, or use it in a `with` block.
        """
        return self._subscribe(lambda: self._tracker.subscribe(key, every=every, queue_max=queue_max))

    def watch_over(
        self,
        key: Hashable,
        keys: Sequence[ViewKey[Any]],
        make: Callable[[tuple[Any, ...]], S],
        *,
        members: Members | None = None,
        every: bool = False,
        queue_max: int = 1_000,
    ) -> Subscription[S]:
        """As `Together` says."""
        return self._subscribe(
            lambda: self._tracker.subscribe_over(
                key, keys, make, members=members, every=every, queue_max=queue_max
            )
        )

    def _subscribe(self, work: Callable[[], R]) -> R:
        """Do something with live views, as of the last commit; a subscription that nobody gets is closed."""
        done: R | None = None
        try:
            with self._locked():
                self._others.listen()
                with self._one_commit(), self._tracker.unclaimed, self._tracker.careful:
                    self._others.meet()
                    done = work()
                    self._rounds.add(self._tracker.settle())
            self._keep_looking()
        except BaseException:
            if isinstance(done, Subscription):
                done.close()
            raise
        return done

    def _move(self, subscription: Subscription[Any], key: Any) -> None:
        self._subscribe(lambda: self._rounds.add(self._tracker.move(subscription, key)))

    def next_due(self) -> dict[str, int]:
        """Index with `due` -> its least time, as of the last commit; one without rows is missing.

        Reads a row of each group of each such index, so that nobody scans for what is due. A view of the
        first row of an index tells when it changes.
        """
        return self._read_side.next_due()

    def on_event(self, listener: Callable[[object], None]) -> Callable[[], None]:
        """Call `listener` with each event after its commit; call the result to stop."""
        return self._rounds.listen(listener)

    def _look(self, *, patient: bool = True) -> bool | None:
        """As `poll`; None where it is to be asked again soon.

        That is while somebody holds the lock, and while the `patient` may yet be told what moved.
        """
        try:
            with self._if_free() as is_free:
                found: bool | None = is_free and self._others.moved()
                if (is_free and self._others.wants.hear()) or found:
                    with self._one_commit():
                        found = self._others.meet(patient=patient)
                        with self._tracker.careful:
                            self._rounds.add(self._tracker.settle())
                if is_free:
                    self._others.wants.say()
        except (LayoutConflict, StoreMissing):
            self._rounds.drain()
            raise
        self._drain()
        return found if is_free else None

    @contextmanager
    def _one_commit(self) -> Iterator[None]:
        """Reads of the block see one commit, though another process may make one meanwhile."""
        if self._engine.path == MEMORY:
            yield
            return
        self._is_begun = True
        self._engine.begin_read()
        self._is_reading = True
        try:
            yield
        finally:
            self._clear_up()

    def _clear_up(self) -> None:
        """End what is still open; the lock is held. What an interrupt leaves, the next one to come ends."""
        self._abandon()
        if self._is_reading:
            try:
                self._engine.end_read()
            except StoreError:
                self._is_reading = False
                raise
            self._is_reading = False
        self._is_begun = False

    def _settle(self) -> None:
        """Tell what is wanted now that a subscription was closed; who holds the lock does so afterwards."""
        try:
            with self._if_free() as is_free:
                if is_free:
                    with self._one_commit(), self._tracker.careful:
                        self._others.meet()
                        self._rounds.add(self._tracker.settle())
        except (LayoutConflict, StoreMissing):
            self._rounds.drain()  # all others end as well, and so nobody is left to be told
            return
        if is_free:
            self._drain()

    def _drain(self) -> None:
        self._rounds.drain()
        if self._engine.wal_bytes() > _CHECKPOINT_BYTES and not self.read_only:
            self._checkpoint()
        # Last, for who could not settle while the lock was held above leaves it to this thread.
        if self._tracker.interests.demand.unsettled and not self._closed:
            self._settle()

    # ------------------------------------------------------------------------------------ lifetime

    def backup(self, path: str | PathLike[str]) -> None:
        """Copy the box as of the last commit into a new file. Writers may go on."""
        self._read_side.backup(path_of("path", path))

    def carried(self) -> None:
        """See `storage.forked`. A lock that another thread had is let go by nobody here."""
        if self._owner != threading.get_ident():
            self._lock, self._owner, self._is_reading = threading.Lock(), None, False
            self._tx.carried()
        self._read_side.carried()
        self._worker = Worker()

    def close(self) -> None:
        """Close views, then the file. Further use raises BoxClosed; closing twice is fine.

        Waits for transactions elsewhere and queued work. Raises UsageError inside of one, or of `reading`.
        """
        self.refuse_inside()
        self.refuse_reading()
        self._watcher.stop()
        self._worker.stop()
        with self._locked(closing=True):
            if self._closed:
                return
            self._closed = True
            self._rounds.add((), call=self._tracker.close())
            self._read_side.close()
            self._others.close()
            self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise BoxClosed(self._engine.path)

    @contextmanager
    def _if_free(self) -> Iterator[bool]:
        """Hold the write lock, unless somebody has it or the box is closed; whether it is held."""
        with held_if_free(self._lock, self) as is_held:
            if is_held and not self._closed:
                self._clear_up()
            yield is_held and not self._closed

    @contextmanager
    def _locked(self, *, closing: bool = False) -> Iterator[None]:
        """Hold the write lock; afterwards, whatever happened, deliver what waits."""
        self.refuse_inside()
        thread = threading.get_ident()
        try:
            with self._lock:
                self._owner = thread  # as in `transaction`
                try:
                    if not closing:
                        self._check_open()
                    self._clear_up()
                    yield
                finally:
                    self._owner = None
        finally:
            self._drain()

    def _checkpoint(self) -> None:
        """Outside of commits and after their delivery; most of it beside those to come, and the rest here."""
        try:
            with self._if_free() as is_free:
                if is_free and not self._engine.checkpoint_beside():
                    self._engine.checkpoint()  # who does not hold it leaves it to who does
        except StoreError as error:
            _log.warning("moving commits into the main file failed, and will be tried again: %s", error)
