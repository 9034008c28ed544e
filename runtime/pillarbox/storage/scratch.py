"""The engine for making a file in one go: no journal, no waiting for the disk, nobody else.

Depends on: sqlite, places, engine, errors, apsw.  Never on: what the rows mean.

Law: as every engine's, but that a transaction which has written can only be committed; and the file is
whole and safe on the disk after `finish`, or it is gone after `close`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import apsw

from pillarbox.errors import UsageError
from pillarbox.storage.engine import StoredKey, TableLayout
from pillarbox.storage.faults import translated, without_shared_memory
from pillarbox.storage.places import refuse_taken, synced
from pillarbox.storage.sqlite import SqliteEngine
from pillarbox.storage.words import Search

_TAKE: Final = (
    "INSERT INTO main.{t}(k,v) SELECT k,v FROM {name}.{t} WHERE true ORDER BY {order}"
    " ON CONFLICT(k) DO NOTHING"
)
_SHARED: Final = (
    "SELECT a.k,a.v,b.v FROM {name}.{t} a CROSS JOIN {other}.{t} b ON b.k=a.k{bound} ORDER BY a.k LIMIT ?"
)


class ScratchEngine(SqliteEngine):
    """One connection to a new file. See `Engine`.

    A table without rows answers every read without SQL: a file that is being filled is asked most about
    what is not there yet.
    """

    def __init__(self, path: str, *, vfs: str | None = None) -> None:
        """Create the file, for its owner only. Raises UsageError when there is one."""
        refuse_taken(path)
        #: Tables that may have rows.
        self._filled: set[int] = set()
        self._wrote = False
        #: A transaction was given up after it had written: what is in the file is half of something.
        self._spoiled = False
        self._finished = False
        self._attached = 0
        try:
            super().__init__(path, durability="relaxed", vfs=vfs)
        except BaseException:
            with suppress(OSError):  # of a place where nothing can be made nothing can be removed
                _remove(os.path.abspath(path))
            raise

    def _configure_log(self) -> None:
        connection = self._connection
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)  # which would insist on a journal
        connection.pragma("main.locking_mode", "exclusive")
        connection.pragma("journal_mode", "off")
        connection.pragma("synchronous", "off")

    # --------------------------------------------------------------------------------- transactions

    def begin(self, *, waits: bool = True) -> None:
        if self._spoiled:
            raise UsageError(
                f"{self.path}: a transaction was rolled back after it had written, which a scratch file "
                f"cannot undo; close it and build it again"
            )
        super().begin(waits=waits)

    def commit(self) -> None:
        super().commit()
        self._wrote = False

    def rollback(self) -> None:
        self._spoiled = self._spoiled or self._wrote
        super().rollback()

    # ---------------------------------------------------------------------------------------- reads

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        return super().get(table, key) if table.id in self._filled else None

    def get_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> dict[StoredKey, bytes]:
        return super().get_many(table, keys) if table.id in self._filled else {}

    def scan(
        self,
        table: TableLayout,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, bytes]]:
        if table.id not in self._filled:
            return []
        return super().scan(table, low, high, newest_first=newest_first, limit=limit)

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
        if table.id not in self._filled:
            return []
        return super().search(table, search, low, high, newest_first=newest_first, limit=limit)

    def count(self, table: TableLayout) -> int:
        """How many rows a table has."""
        if table.id not in self._filled:
            return 0
        try:
            number: int = self._rows(f"SELECT count(*) FROM t{table.id}")[0][0]
        except apsw.Error as error:
            raise self._failure(error) from error
        return number

    # --------------------------------------------------------------------------------------- writes

    def _write(self, sql: str, bindings: Sequence[Any] = ()) -> None:
        self._wrote = True
        super()._write(sql, bindings)

    def put_one(self, table: TableLayout, key: StoredKey, value: bytes) -> None:
        self._filled.add(table.id)
        super().put_one(table, key, value)

    def add_one(self, table: TableLayout, key: StoredKey, value: bytes) -> bool:
        return self.add_many(table, (key,), (value,))

    def put_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> None:
        if keys:
            self._filled.add(table.id)
        super().put_many(table, keys, values)

    def add_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> bool:
        if self.get_many(table, keys):  # a statement that fails midway cannot be taken back here
            return False
        self.put_many(table, keys, values)
        return True

    def drop(self, table: TableLayout) -> None:
        super().drop(table)
        self._filled.discard(table.id)

    def clear(self, table: TableLayout) -> None:
        super().clear(table)
        self._filled.discard(table.id)

    # ----------------------------------------------------------------------------------- other files

    @contextmanager
    def attached(self, path: str) -> Iterator[Attached]:
        """The rows of another file at hand, outside of transactions. Raises StoreMissing without it."""
        self._attached += 1
        name = f"part{self._attached}"
        try:
            self._run(f"ATTACH ? AS {name}", (os.path.abspath(path),))
        except apsw.Error as error:
            raise translated(error, path, self._busy_ms, self._connection) from error
        try:
            yield Attached(self, path, name)
        finally:
            with suppress(apsw.Error):  # after an error that has left a transaction open
                self._run(f"DETACH {name}")

    # ----------------------------------------------------------------------------------- the store

    def finish(self) -> None:
        """Make of it a file like any other, on the disk, and close it."""
        if self._writing or self._reading:
            raise self._inside("finish")
        if self._spoiled:
            raise UsageError(f"{self.path}: half of a transaction is in this file; build it again")
        try:
            if self._connection.pragma("journal_mode", "wal") != "wal":
                raise without_shared_memory(self.path)
        except apsw.Error as error:
            raise self._failure(error) from error
        super().close()
        synced(self.path)
        self._finished = True

    def close(self) -> None:
        """Give everything back, the file as well unless it is finished. Closing twice is fine."""
        super().close()
        if not self._finished:
            _remove(self.path)


class Attached:
    """Another file beside a scratch engine's own. Keys that both have are told by `shared`."""

    __slots__ = ("_engine", "_path", "name")

    def __init__(self, engine: ScratchEngine, path: str, name: str) -> None:
        self._engine = engine
        self._path = path
        #: How SQL calls it.
        self.name = name

    def _rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
        try:
            return self._engine._rows(sql, bindings)
        except apsw.Error as error:
            engine = self._engine
            raise translated(error, self._path, engine._busy_ms, engine._connection) from error

    def meta(self, name: str) -> bytes | None:
        """A named value of the other store; None where it has none, as a file that is no store."""
        if not self._rows(f"SELECT 1 FROM {self.name}.sqlite_schema WHERE name='pillarbox_meta'"):
            return None
        rows = self._rows(f"SELECT value FROM {self.name}.pillarbox_meta WHERE name=?", (name,))
        return rows[0][0] if rows else None

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        """The value under `key` there, or None."""
        rows = self._rows(f"SELECT v FROM {self.name}.t{table.id} WHERE k=?", (key,))
        return rows[0][0] if rows else None

    def count(self, table: TableLayout) -> int:
        """How many rows a table has there."""
        number: int = self._rows(f"SELECT count(*) FROM {self.name}.t{table.id}")[0][0]
        return number

    def shared(
        self, table: TableLayout, after: StoredKey | None, limit: int, *, other: Attached | None = None
    ) -> list[tuple[StoredKey, bytes, bytes]]:
        """(key, value there, value here or in `other`) of keys beyond `after` that both have, in order."""
        if other is None and table.id not in self._engine._filled:
            return []
        sql = _SHARED.format(
            t=f"t{table.id}",
            name=self.name,
            other="main" if other is None else other.name,
            bound="" if after is None else " WHERE a.k>?",
        )
        return self._rows(sql, (limit,) if after is None else (after, limit))

    def take(self, table: TableLayout) -> int:
        """Copy the rows whose keys are not here yet; how many. Inside a transaction."""
        engine = self._engine
        order = "rowid" if table.heap else "k"
        engine._write(_TAKE.format(t=f"t{table.id}", name=self.name, order=order))
        taken = engine._connection.changes()
        if taken:
            engine._filled.add(table.id)
        return taken


def _remove(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(FileNotFoundError):
            os.unlink(name)
