"""The SQL of one table, written once so that the hot path formats nothing.

Depends on: engine.  Never on: apsw; this module only writes text.

Law: every batch is one statement over one page or one `carray`, so that SQLite runs it without Python.
`put_page` reads rows from a page, where the table function is loaded. The carray of `put_many` holds a blob
per row, key and value in one, that SQL cuts in two: at the key's width, or, where keys vary or are ints,
behind a decimal prefix (a second carray would have to be joined on rowid, which takes time in the square of
the rows).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox.storage.engine import TableLayout

#: Decimal digits of the key (int keys) and of its length (varying keys) in front of a row's blob.
INT_DIGITS: Final = 20
LENGTH_DIGITS: Final = 8
#: What `pillarbox_page` takes for the width of keys that are ints.
INT_KEYS: Final = -8


@dataclass(frozen=True, slots=True)
class Statements:
    """The texts. The statement cache finds them by content, so equal tables share nothing by accident."""

    create: str
    drop: str
    clear: str
    get: str
    get_many: str
    put: str
    put_many: str
    put_page: str
    remove: str
    remove_many: str
    #: By (low given) + 2 * (high given) + 4 * (newest first); each takes (low, high, limit).
    scan: tuple[str, ...]

    @classmethod
    def of(cls, table: TableLayout) -> Statements:
        """Write the statements of one table."""
        t = f"t{table.id}"
        upsert = "ON CONFLICT(k) DO UPDATE SET v=excluded.v"
        return cls(
            create=f"CREATE TABLE IF NOT EXISTS {t}{_columns(table)}",
            drop=f"DROP TABLE IF EXISTS {t}",
            clear=f"DELETE FROM {t}",
            get=f"SELECT v FROM {t} WHERE k=?",
            # CROSS JOIN fixes the order: the wanted keys outside, one lookup for each.
            get_many=f"SELECT t.k,t.v FROM carray(?) c CROSS JOIN {t} t ON t.k=c.value",
            put=f"INSERT INTO {t}(k,v) VALUES(?,?) {upsert}",
            put_many=f"INSERT INTO {t}(k,v) SELECT {_cut(table)} FROM carray(?) WHERE true {upsert}",
            put_page=f"INSERT INTO {t}(k,v) SELECT k,v FROM {_page(table)} WHERE true {upsert}",
            remove=f"DELETE FROM {t} WHERE k=?",
            remove_many=f"DELETE FROM {t} WHERE k IN carray(?)",
            scan=tuple(_scan(t, bounds, order) for order in ("", " DESC") for bounds in _BOUNDS),
        )


_BOUNDS: Final = ("", " WHERE k>=?1", " WHERE k<?2", " WHERE k>=?1 AND k<?2")


def _scan(t: str, bounds: str, order: str) -> str:
    return f"SELECT k,v FROM {t}{bounds} ORDER BY k{order} LIMIT ?3"


def _columns(table: TableLayout) -> str:
    if table.int_key:
        return "(k INTEGER PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT"
    if table.heap:
        return "(k BLOB NOT NULL UNIQUE, v BLOB NOT NULL) STRICT"
    return "(k BLOB PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT, WITHOUT ROWID"


def _page(table: TableLayout) -> str:
    return f"pillarbox_page(?,{INT_KEYS if table.int_key else table.key_width or 0})"


def _cut(table: TableLayout) -> str:
    if table.int_key:
        return f"CAST(substr(value,1,{INT_DIGITS}) AS INTEGER),substr(value,{INT_DIGITS + 1})"
    if table.key_width is not None:
        return f"substr(value,1,{table.key_width}),substr(value,{table.key_width + 1})"
    length = f"CAST(substr(value,1,{LENGTH_DIGITS}) AS INTEGER)"
    key = LENGTH_DIGITS + 1
    return f"substr(value,{key},{length}),substr(value,{key}+{length})"
