"""One connection to a box's file, and the transaction that is open on it.

Depends on: batches, connecting, engine, faults, forked, inherited, log_mover, places, presence,
statements, turns, apsw.  Never on: rows.

Law: whatever was raised, `rollback` leaves the file as of the last commit.

One cursor serves all calls: every statement is read to its end before the call returns, for one left
halfway would hold an old snapshot open.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic, sleep
from typing import Any, Final

import apsw

from pillarbox.errors import NotABox, StoreMissing, StoreReadOnly, UsageError
from pillarbox.storage.batches import load_table_function
from pillarbox.storage.connecting import connect
from pillarbox.storage.engine import Durability, TableLayout
from pillarbox.storage.faults import translated, without_shared_memory
from pillarbox.storage.forked import Left, leave_at_fork
from pillarbox.storage.inherited import inherit
from pillarbox.storage.log_mover import LogMover, refuse_moved
from pillarbox.storage.places import resolved
from pillarbox.storage.presence import Presence
from pillarbox.storage.statements import META, Statements, statements_of
from pillarbox.storage.turns import TRY_SECONDS, Turns

_SYNCHRONOUS: Final = {"durable": "FULL", "relaxed": "NORMAL"}
#: A commit writes whole pages, and most change one row in each: larger ones doubled what it writes.
PAGE_SIZE: Final = 4096

#: So often it is looked whether the file is still the one of that name: what is written to one that was
#: removed is lost, and in one that was replaced nothing happens any more.
_STANDS_SECONDS: Final = 1.0


class SqliteFile:
    """Its methods are those of `Engine`."""

    def __init__(
        self,
        path: str,
        *,
        durability: Durability,
        read_only: bool = False,
        busy_ms: int = 5000,
        cache_mb: int = 64,
        vfs: str | None = None,
    ) -> None:
        """Open or create. `vfs` names another apsw VFS, which is how tests make disks fail."""
        self.path = resolved(path)
        self.read_only = read_only
        self._durability: Durability = durability
        self._busy_ms = busy_ms
        self._cache_mb = cache_mb
        self._vfs = vfs
        self._writing = self._reading = self._takes_pages = False
        #: The data version when it was last asked for, and the pager's count, which own commits move as well;
        #: and whether that was in the open write transaction.
        self._version, self._counted, self._is_counted = -1, -1, False
        #: When the file was last seen where it was opened.
        self._stood_at = monotonic()
        self._turns = Turns()
        self._log = LogMover(self.path, _SYNCHRONOUS[durability], vfs)
        #: By table, those that were used.
        self._sql: dict[int, Statements] = {}
        self._connection = connect(self.path, read_only=read_only, busy_ms=busy_ms, vfs=vfs)
        self._cursor = self._connection.cursor()
        leave_at_fork(self)
        try:
            self._configure()
        except BaseException as error:
            failure = self._failure(error) if isinstance(error, apsw.Error) else None
            self._connection.close(True)
            if read_only and isinstance(failure, (StoreReadOnly, StoreMissing)):
                raise StoreReadOnly(
                    self.path,
                    "its folder is read-only, and to read a box, an index of its log must be made beside it",
                    remedy="make the folder writable, or copy the box to one that is",
                ) from error
            if failure is not None:
                raise failure from error
            raise

    def _configure(self) -> None:
        connection = self._connection
        connection.pragma("cache_size", -1024 * self._cache_mb)
        is_new = not self._rows("SELECT 1 FROM sqlite_schema LIMIT 1")
        if self.read_only or not is_new:
            self._check_is_box()  # before anything is changed in a file that may be someone else's
        if self.read_only:
            return
        if connection.readonly("main"):
            raise StoreReadOnly(self.path, "the file is write-protected")
        connection.pragma("page_size", PAGE_SIZE)
        self._configure_log()
        self._takes_pages = not load_table_function(connection)
        if is_new:
            self._run("BEGIN IMMEDIATE")
            try:
                self._run(META)
                self._run("COMMIT")
            finally:
                self._undo()

    def _configure_log(self) -> None:
        connection = self._connection
        if self._asked_for_log() != "wal":
            raise without_shared_memory(self.path)
        connection.pragma("synchronous", _SYNCHRONOUS[self._durability])
        connection.set_wal_hook(self._log.count)
        # A statement of many rows keeps copies of the pages that it changes, beyond 64 KB in a file.
        connection.pragma("temp_store", "memory")

    def _asked_for_log(self) -> object:
        """The journal mode that there is then. SQLite does not wait where another makes the box just now."""
        until = monotonic() + self._busy_ms / 1000
        while True:
            try:
                return self._connection.pragma("journal_mode", "wal")
            except apsw.BusyError:
                if monotonic() >= until:
                    raise
                sleep(TRY_SECONDS)

    def _check_is_box(self) -> None:
        if not self._rows("SELECT 1 FROM sqlite_schema WHERE name='pillarbox_meta'"):
            raise NotABox(self.path, "this SQLite database was not made by pillarbox")

    # ----------------------------------------------------------------------------------- statements

    def _rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
        try:
            return self._cursor.execute(sql, bindings).fetchall()
        except UnicodeDecodeError as error:
            raise self._failure(error) from error

    def _read(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """As `_rows`, with errors of ours."""
        try:
            return self._cursor.execute(sql, bindings).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise self._failure(error) from error

    def _run(self, sql: str, bindings: Sequence[Any] = ()) -> None:
        self._cursor.execute(sql, bindings)

    def _failure(self, error: apsw.Error | UnicodeDecodeError) -> Exception:
        return translated(error, self.path, self._busy_ms, self._connection)

    def _of(self, table: TableLayout) -> Statements:
        self._sql[table.id] = statements = statements_of(table)
        return statements

    def _write(self, sql: str, bindings: Sequence[Any] = ()) -> None:
        if not self._writing:
            raise self._outside("a write")
        try:
            self._cursor.execute(sql, bindings)
        except apsw.Error as error:
            raise self._failure(error) from error

    # --------------------------------------------------------------------------------- transactions

    def take_turns(self, presence: Presence) -> None:
        """Write in turns with those who are seen there, from now on."""
        self._turns = Turns(presence)

    def begin(self, *, waits: bool = True) -> None:
        if self.read_only:
            raise StoreReadOnly(self.path, "it was opened read-only", remedy=StoreReadOnly.OPENED_SO)
        if self._writing or self._reading:
            raise self._inside("begin")
        self.refuse_moved()
        if waits:
            self._turns.give_way()
        try:
            self._take_lock(self._busy_ms if waits else 0)
        except apsw.Error as error:
            raise self._failure(error) from error
        except BaseException:
            self._undo()  # an interrupt may come with the lock
            raise
        self._writing, self._is_counted = True, False

    def _take_lock(self, busy_ms: int) -> None:
        """Begin to write, as soon as nobody else does.

        SQLite by itself asks ever more seldom, at last ten times a second. The lock of one who writes without
        a pause is free for moments only, and it would miss them all.
        """
        try:
            self._connection.set_busy_timeout(0)
            try:
                self._cursor.execute("BEGIN IMMEDIATE")
            except apsw.BusyError:
                if not busy_ms:
                    raise
                with self._turns.waiting():
                    self._wait_for_lock(monotonic() + busy_ms / 1000)
        finally:
            self._connection.set_busy_timeout(self._busy_ms)

    def _wait_for_lock(self, until: float) -> None:
        while True:
            sleep(TRY_SECONDS)
            try:
                self._cursor.execute("BEGIN IMMEDIATE")
                return
            except apsw.BusyError:
                if monotonic() >= until:
                    raise

    def commit(self) -> None:
        if not self._writing:
            raise self._outside("commit")
        try:
            self._cursor.execute("COMMIT")
            if self._is_counted:
                self._counted = self._connection.data_version()
        except apsw.Error as error:
            raise self._failure(error) from error
        self._writing = False

    def rollback(self) -> None:
        if not self._writing:
            raise self._outside("rollback")
        try:
            self._undo()
        except apsw.Error as error:
            self._writing = False
            raise self._failure(error) from error
        self._writing = False  # last, for who is interrupted calls this once more

    def _undo(self) -> None:
        if self._connection.in_transaction:  # else it is committed, or SQLite has rolled back by itself
            self._cursor.execute("ROLLBACK")

    def begin_read(self) -> int:
        if self._writing or self._reading:
            raise self._inside("begin_read")
        self.refuse_moved()
        try:
            self._cursor.execute("BEGIN")
            try:
                self._rows("SELECT 1 FROM sqlite_schema LIMIT 1")  # the first read takes the snapshot
                version = self._connection.data_version()
            except apsw.Error:
                self._undo()
                raise
        except apsw.Error as error:
            raise self._failure(error) from error
        except BaseException:
            self._undo()
            raise
        self._reading = True
        return version

    def end_read(self) -> None:
        if not self._reading:
            raise UsageError(f"{self.path}: end_read without begin_read")
        try:
            self._undo()
        except apsw.Error as error:
            self._reading = False
            raise self._failure(error) from error
        self._reading = False  # last, as in `rollback`

    def _inside(self, call: str) -> UsageError:
        kind = "write" if self._writing else "read"
        return UsageError(f"{self.path}: {call} inside a {kind} transaction; end that one first")

    def _outside(self, call: str) -> UsageError:
        return UsageError(f"{self.path}: {call} outside a write transaction; call begin() first")

    def data_version(self) -> int:
        try:
            counted = self._connection.data_version()
            # The pager tells at once, of the commit that a transaction stands on; a pragma is a statement,
            # which takes ten times as long.
            if not (self._writing or self._reading) or counted != self._counted:
                self._version = int(self._rows("PRAGMA data_version")[0][0])
                self._counted = counted
            self._is_counted = self._writing
            return self._version
        except apsw.Error as error:
            raise self._failure(error) from error

    def refuse_moved(self) -> None:
        now = monotonic()
        if now - self._stood_at >= _STANDS_SECONDS:
            refuse_moved(self._connection, self.path)
            self._stood_at = now

    def wal_bytes(self) -> int:
        return self._log.waiting * PAGE_SIZE

    def checkpoint(self) -> None:
        if self._writing or self._reading:
            raise self._inside("checkpoint")
        try:
            self._log.finish(self._connection)
        except apsw.Error as error:
            raise self._failure(error) from error

    def checkpoint_beside(self) -> bool:
        if self._writing or self._reading:
            raise self._inside("checkpoint_beside")
        return self._log.begin(self._connection)

    def carried(self) -> None:
        """See `forked`: SQLite's connections must neither be used nor closed here. Use raises BoxClosed."""
        inherit(self.path, self._connection, self._cursor)
        left: Any = Left(self.path)
        self._connection = self._cursor = left
        self._writing = self._reading = False

    def close(self) -> None:
        self._writing = self._reading = False
        self._log.wait()
        try:
            self._connection.close()
        except apsw.Error as error:
            raise self._failure(error) from error
