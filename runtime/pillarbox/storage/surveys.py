"""What SQLite itself says of a file: whether it is sound, which tables it has, how large they are.

Depends on: sqlite, engine, faults, apsw.  Never on: what keys and values mean.

Law: nothing here writes but `rebuild_words`.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import apsw

from pillarbox.errors import UsageError
from pillarbox.storage.engine import Engine, StoredKey, TableLayout
from pillarbox.storage.faults import translated
from pillarbox.storage.sqlite import SqliteEngine
from pillarbox.storage.statements import rebuild_words_sql, shown_words_sql

#: An integer key as a record of SQLite's, at most.
_INT_KEY_BYTES: Final = 8
#: Where in the file it is said what who writes to it has to know of, and the greatest that there is: a log.
_WRITE_VERSION: Final = 18
_VERSION_MAX: Final = 2


@dataclass(frozen=True, slots=True)
class TableSize:
    """How much one table holds."""

    rows: int
    key_bytes: int
    value_bytes: int
    #: Bytes of its pages, indexes included; None where this SQLite cannot tell.
    page_bytes: int | None


@dataclass(frozen=True, slots=True)
class FileSize:
    """How much the file holds, in bytes."""

    file_bytes: int
    #: Of these, pages that nothing is in.
    free_bytes: int
    #: Of the log beside it, which a checkpoint has yet to move in.
    wal_bytes: int


def integrity_faults(engine: Engine, limit: int = 100) -> list[str]:
    """What SQLite's own check finds, at most `limit` texts; none for a sound file."""
    found = [str(row[0]) for row in _rows(engine, f"PRAGMA integrity_check({limit:d})")]
    return _header_faults(engine) + ([] if found == ["ok"] else found)


def _header_faults(engine: Engine) -> list[str]:
    """What that check does not look at: a file that SQLite reads, and will not write."""
    ((size,),) = _rows(engine, "PRAGMA page_size")
    assert isinstance(engine, SqliteEngine), "its rows were read"
    try:
        _, page = engine._connection.read("main", 0, 0, size)
    except apsw.Error as error:
        raise translated(error, engine.path, engine._busy_ms) from error
    known = page[_WRITE_VERSION] <= _VERSION_MAX
    return [] if known else [f"byte {_WRITE_VERSION} says that only a newer SQLite may write to the file"]


def table_ids(engine: Engine) -> set[int]:
    """The numbers of the tables in the file."""
    names = [row[0] for row in _rows(engine, "SELECT name FROM sqlite_schema WHERE type='table'")]
    return {int(name[1:]) for name in names if name[0] == "t" and name[1:].isdecimal()}


def postings(engine: Engine, table: TableLayout) -> Generator[tuple[str, StoredKey | None, int], None, None]:
    """(word, key of its row or None, place in the text) of an index of words, in this order. Close it."""
    make, read, drop = shown_words_sql(table)
    _rows(engine, make)
    try:
        yield from _rows(engine, read)
    finally:
        _rows(engine, drop)


def rebuild_words(engine: Engine, table: TableLayout) -> None:
    """Make an index of words again from the texts of its table; inside a write transaction."""
    _rows(engine, rebuild_words_sql(table))


def table_size(engine: Engine, table: TableLayout) -> TableSize:
    """Read from every row's length, and from SQLite's statistics of pages."""
    key = str(_INT_KEY_BYTES) if table.int_key else "length(k)"
    ((rows, keys, values),) = _rows(
        engine, f"SELECT count(*),coalesce(sum({key}),0),coalesce(sum(length(v)),0) FROM t{table.id}"
    )
    return TableSize(rows, keys, values, _page_bytes(engine, table))


def parted_at(
    engine: Engine, table: TableLayout, low: StoredKey | None, high: StoredKey | None, parts: int
) -> list[StoredKey]:
    """Keys that part the rows with low <= key < high into at most `parts`, alike in size; rising.

    The rows are counted twice for it, and none is read.
    """
    where, bounds = _between(low, high)
    ((rows,),) = _rows(engine, f"SELECT count(*) FROM t{table.id}{where}", bounds)
    found: list[StoredKey] = []
    for _ in range(parts - 1):
        where, bounds = _between(found[-1] if found else low, high)
        sql = f"SELECT k FROM t{table.id}{where} ORDER BY k LIMIT 1 OFFSET {-(-rows // parts)}"
        found += [key for (key,) in _rows(engine, sql, bounds)]
    return found


def row_sizes(
    engine: Engine, table: TableLayout, low: StoredKey | None, high: StoredKey | None, limit: int
) -> list[tuple[StoredKey, int]]:
    """(key, bytes of key and value) of the first `limit` rows with low <= key < high; no value is read."""
    where, bounds = _between(low, high)
    key = str(_INT_KEY_BYTES) if table.int_key else "length(k)"
    sql = f"SELECT k,{key}+length(v) FROM t{table.id}{where} ORDER BY k LIMIT {limit:d}"
    return _rows(engine, sql, bounds)


def _between(low: StoredKey | None, high: StoredKey | None) -> tuple[str, list[StoredKey]]:
    """The clause for low <= key < high, and what is bound in it."""
    bounds = [(sign, key) for sign, key in ((">=", low), ("<", high)) if key is not None]
    clause = " AND ".join(f"k{sign}?" for sign, _ in bounds)
    return f" WHERE {clause}" if clause else "", [key for _, key in bounds]


def file_size(engine: Engine) -> FileSize:
    """As the file is now; -wal is what lies beside it."""
    ((page_size,),) = _rows(engine, "PRAGMA page_size")
    ((pages,),) = _rows(engine, "PRAGMA page_count")
    ((free,),) = _rows(engine, "PRAGMA freelist_count")
    wal = f"{engine.path}-wal"
    return FileSize(pages * page_size, free * page_size, os.path.getsize(wal) if os.path.exists(wal) else 0)


def _page_bytes(engine: Engine, table: TableLayout) -> int | None:
    if "ENABLE_DBSTAT_VTAB" not in apsw.compile_options:
        return None
    ((size,),) = _rows(
        engine,
        "SELECT sum(pgsize) FROM dbstat WHERE aggregate=TRUE AND name IN"
        " (SELECT name FROM sqlite_schema WHERE tbl_name=?)",
        (f"t{table.id}",),
    )
    return int(size or 0)


def _rows(engine: Engine, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
    if not isinstance(engine, SqliteEngine):
        raise UsageError(f"{engine.path}: this store is no file; name one")
    try:
        return engine._rows(sql, bindings)
    except apsw.Error as error:
        raise translated(error, engine.path, engine._busy_ms) from error
