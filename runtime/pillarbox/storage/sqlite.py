"""The engine over SQLite: one table `t{id}` per table, in WAL mode, one statement per batch of rows.

Depends on: sqlite_file, engine, copying, statements, words, batches, faults, log_mover, apsw.  Never on:
Python's sqlite3.

Law: as every engine's. Measurements behind the choices: docs/decisions/0002.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import apsw

from pillarbox.storage.batches import handed_over, keys_carray
from pillarbox.storage.copying import copy_to
from pillarbox.storage.engine import ROWS_MAX, StoredKey, TableLayout
from pillarbox.storage.faults import is_taken
from pillarbox.storage.log_mover import refuse_moved
from pillarbox.storage.sqlite_file import SqliteFile
from pillarbox.storage.statements import META_GET, META_SET, ONE, create_sql, drop_sql, search_sql
from pillarbox.storage.words import Search

_PAST_INTEGERS: Final = 1 << 63


class SqliteEngine(SqliteFile):
    """One connection to a file. See `Engine`."""

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
        # What follows the greatest key; SQLite has no such number. `python -bb` compares no bytes with one.
        if isinstance(low, int) and low == _PAST_INTEGERS:
            return []
        sql = self._sql.get(table.id) or self._of(table)
        statement = sql.scan[(low is not None) + 2 * (high is not None) + 4 * newest_first]
        return self._read(statement, (low, high, -1 if limit is None else min(limit, ROWS_MAX)))

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
        if not search.phrases or (isinstance(low, int) and low == _PAST_INTEGERS):
            return []
        statement = search_sql(table, low is not None, high is not None, newest_first=newest_first)
        bindings = (low, high, -1 if limit is None else min(limit, ROWS_MAX), search.expression())
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
        self._sql.pop(table.id, None)  # of what was there before, which may have lain otherwise
        self._write(create_sql(table))

    def drop(self, table: TableLayout) -> None:
        self._sql.pop(table.id, None)
        self._write(drop_sql(table))

    def clear(self, table: TableLayout) -> None:
        self._write(self._of(table).clear)

    # ----------------------------------------------------------------------------------- the store

    def meta(self, name: str) -> bytes | None:
        rows = self._read(META_GET, (name,))
        return rows[0][0] if rows else None

    def set_meta(self, name: str, value: bytes) -> None:
        self._write(META_SET, (name, value))

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
