"""The engine over SQLite: one table `t{id}` per table, in WAL mode, one statement per batch of rows.

Depends on: engine, connecting, copying, statements, words, batches, faults, places, forked, log_mover, apsw.
Never on: Python's sqlite3.

Law: as every engine's; and whatever was raised, `rollback` leaves the store as of the last commit.

One cursor serves all calls: every statement is read to its end before the call returns, for one left
halfway would hold an old snapshot open. Measurements behind the choices: docs/decisions/0002.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

import apsw

from pillarbox.errors import NotABox, StoreFailed, StoreMissing, StoreReadOnly, UsageError
from pillarbox.storage.batches import handed_over, keys_carray, load_table_function
from pillarbox.storage.connecting import connect
from pillarbox.storage.copying import copy_to
from pillarbox.storage.engine import Durability, StoredKey, TableLayout
from pillarbox.storage.faults import is_taken, translated
from pillarbox.storage.forked import Left, leave_at_fork
from pillarbox.storage.log_mover import LogMover, refuse_moved
from pillarbox.storage.places import resolved
from pillarbox.storage.statements import META, META_GET, META_SET, ONE, Statements, search_sql
from pillarbox.storage.words import Search

_SYNCHRONOUS: Final = {"durable": "FULL", "relaxed": "NORMAL"}
#: A commit writes whole pages, and most change one row in each: larger ones doubled what it writes.
PAGE_SIZE: Final = 4096

_PAST_INTEGERS: Final = 1 << 63
#: So often it is looked whether the file is still the one of that name: what is written to one that was
#: removed is lost, and in one that was replaced nothing happens any more.
_STANDS_SECONDS: Final = 1.0


class SqliteEngine:
    """One connection to a file. See `Engine`."""

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
        self._log = LogMover(self.path, _SYNCHRONOUS[durability], vfs)
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
        if connection.pragma("journal_mode", "wal") != "wal":
            raise StoreFailed(
                self.path, "this file system cannot share memory, which a write-ahead log needs"
            )
        connection.pragma("synchronous", _SYNCHRONOUS[self._durability])
        connection.set_wal_hook(self._log.count)
        # A statement of many rows keeps copies of the pages that it changes, beyond 64 KB in a file.
        connection.pragma("temp_store", "memory")

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
        self._sql[table.id] = statements = Statements.of(table)
        return statements

    def _write(self, sql: str, bindings: Sequence[Any] = ()) -> None:
        if not self._writing:
            raise self._outside("a write")
        try:
            self._cursor.execute(sql, bindings)
        except apsw.Error as error:
            raise self._failure(error) from error

    # --------------------------------------------------------------------------------- transactions

    def begin(self) -> None:
        if self.read_only:
            raise StoreReadOnly(self.path, "it was opened read-only")
        if self._writing or self._reading:
            raise self._inside("begin")
        self.refuse_moved()
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except apsw.Error as error:
            raise self._failure(error) from error
        except BaseException:
            self._undo()  # who is interrupted while the lock is waited for, hears of it with the lock
            raise
        self._writing, self._is_counted = True, False

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

    # ---------------------------------------------------------------------------------------- reads

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        try:
            sql = self._sql[table.id]
        except KeyError:
            sql = self._of(table)
        value = None
        try:
            for row in self._cursor.execute(sql.get, (key,)):
                value = row[0]
        except (apsw.Error, UnicodeDecodeError) as error:
            raise self._failure(error) from error
        return value

    def get_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> dict[StoredKey, bytes]:
        if len(keys) < 2:
            if not keys:
                return {}
            value = self.get(table, keys[0])
            return {} if value is None else {keys[0]: value}
        sql = self._sql.get(table.id) or self._of(table)
        return dict(self._read(sql.get_many, (keys_carray(table, keys),)))

    def scan(
        self,
        table: TableLayout,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, bytes]]:
        if low == _PAST_INTEGERS:  # What follows the greatest key; SQLite has no such number.
            return []
        sql = self._sql.get(table.id) or self._of(table)
        statement = sql.scan[(low is not None) + 2 * (high is not None) + 4 * newest_first]
        return self._read(statement, (low, high, -1 if limit is None else limit))

    def search(
        self,
        table: TableLayout,
        search: Search,
        low: StoredKey | None = None,
        high: StoredKey | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[StoredKey]:
        if not search.phrases or low == _PAST_INTEGERS:
            return []
        statement = search_sql(table, low is not None, high is not None, newest_first=newest_first)
        bindings = (low, high, -1 if limit is None else limit, search.expression())
        return [row[0] for row in self._read(statement, bindings)]

    # --------------------------------------------------------------------------------------- writes

    def put_one(self, table: TableLayout, key: StoredKey, value: bytes) -> None:
        sql = self._sql.get(table.id) or self._of(table)
        self._write(sql.put[ONE], (key, value))

    def add_one(self, table: TableLayout, key: StoredKey, value: bytes) -> bool:
        sql = self._sql.get(table.id) or self._of(table)
        return self._add(sql.add[ONE], (key, value))

    def remove_one(self, table: TableLayout, key: StoredKey) -> None:
        sql = self._sql.get(table.id) or self._of(table)
        self._write(sql.remove, (key,))

    def put_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> None:
        if keys:
            sql = self._sql.get(table.id) or self._of(table)
            form, bindings = self._handed_over(table, keys, values)
            self._write(sql.put[form], bindings)

    def add_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> bool:
        if not keys:
            return True
        sql = self._sql.get(table.id) or self._of(table)
        form, bindings = self._handed_over(table, keys, values)
        return self._add(sql.add[form], bindings)

    def _add(self, sql: str, bindings: Sequence[Any]) -> bool:
        if not self._writing:
            raise self._outside("a write")
        try:
            self._cursor.execute(sql, bindings)
        except apsw.Error as error:
            if is_taken(error):
                return False
            raise self._failure(error) from error
        return True

    def _handed_over(
        self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]
    ) -> tuple[int, tuple[Any, ...]]:
        if len(keys) == 1:
            return ONE, (keys[0], values[0])
        bytes_max = self._connection.limit(apsw.SQLITE_LIMIT_LENGTH) if self._takes_pages else 0
        return handed_over(table, keys, values, bytes_max)

    def remove_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> None:
        if keys:
            sql = self._sql.get(table.id) or self._of(table)
            self._write(sql.remove_many, (keys_carray(table, keys),))

    def create(self, table: TableLayout) -> None:
        self._write(self._of(table).create)

    def drop(self, table: TableLayout) -> None:
        self._write(self._of(table).drop)

    def clear(self, table: TableLayout) -> None:
        self._write(self._of(table).clear)

    # ----------------------------------------------------------------------------------- the store

    def meta(self, name: str) -> bytes | None:
        rows = self._read(META_GET, (name,))
        return rows[0][0] if rows else None

    def set_meta(self, name: str, value: bytes) -> None:
        self._write(META_SET, (name, value))

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

    def reader(self) -> SqliteEngine:
        return SqliteEngine(
            self.path,
            durability=self._durability,
            read_only=True,
            busy_ms=self._busy_ms,
            cache_mb=self._cache_mb,
            vfs=self._vfs,
        )

    def backup(self, path: str) -> None:
        refuse_moved(self._connection, self.path)
        source = self.reader()
        try:
            copy_to(path, source._connection, self._busy_ms)
        finally:
            source.close()

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
        left: Any = Left(self.path, (self._connection, self._cursor))
        self._connection = self._cursor = left
        self._writing = self._reading = False

    def close(self) -> None:
        self._writing = self._reading = False
        self._log.wait()
        try:
            self._connection.close()
        except apsw.Error as error:
            raise self._failure(error) from error
