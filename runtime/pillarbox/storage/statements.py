"""The SQL of one table and of the store's own values, written once so that the hot path formats nothing.

Depends on: engine, words.  Never on: apsw; this module only writes text.

Law: every batch is one statement over one page or one `carray`, so that SQLite runs it without Python.
`PAGE` reads rows from a page, where the table function is loaded. `CARRAY` holds a blob per row, key and
value in one, that SQL cuts in two: at the key's width, or, where keys vary or are ints, behind a decimal
prefix (a second carray would have to be joined on rowid, which takes time in the square of the rows).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pillarbox.storage.engine import TableLayout
from pillarbox.storage.words import TEXT_AT, TOKENIZER

#: Decimal digits of the key (int keys) and of its length (varying keys) in front of a row's blob.
INT_DIGITS: Final = 20
LENGTH_DIGITS: Final = 8
#: The forms in which rows are handed over.
ONE, CARRAY, PAGE = range(3)
#: With a rowid: without one, finding a short value would read all pages of a long one that lies beside it.
META: Final = (
    "CREATE TABLE IF NOT EXISTS pillarbox_meta(name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT"
)
META_GET: Final = "SELECT value FROM pillarbox_meta WHERE name=?"
META_SET: Final = (
    "INSERT INTO pillarbox_meta(name,value) VALUES(?,?) ON CONFLICT(name) DO UPDATE SET value=excluded.value"
)
#: Tables whose texts are kept at most: those of a few large schemas.
_KEPT: Final = 1_024
#: What `pillarbox_page` takes for the width of keys that are ints.
INT_KEYS: Final = -8


@dataclass(frozen=True, slots=True)
class Statements:
    """The texts. The statement cache finds them by content, so equal tables share nothing by accident."""

    clear: str
    get: str
    get_many: str
    #: By the form that rows are handed over in: over rows that are there, and with an error where one is.
    put: tuple[str, ...]
    add: tuple[str, ...]
    remove: str
    remove_many: str
    #: By (low given) + 2 * (high given) + 4 * (newest first); each takes (low, high, limit).
    scan: tuple[str, ...]

    @classmethod
    def of(cls, table: TableLayout) -> Statements:
        """Write the statements of one table."""
        t = f"t{table.id}"
        return cls(
            clear=f"DELETE FROM {t}",
            get=f"SELECT v FROM {t} WHERE k=?",
            # CROSS JOIN fixes the order: the wanted keys outside, one lookup for each.
            get_many=f"SELECT t.k,t.v FROM carray(?) c CROSS JOIN {t} t ON t.k=c.value",
            put=_inserts(table, " ON CONFLICT(k) DO UPDATE SET v=excluded.v"),
            add=_inserts(table, ""),
            remove=f"DELETE FROM {t} WHERE k=?",
            remove_many=f"DELETE FROM {t} WHERE k IN carray(?)",
            scan=tuple(_scan(t, bounds, order) for order in ("", " DESC") for bounds in _BOUNDS),
        )


@lru_cache(maxsize=_KEPT)
def statements_of(table: TableLayout) -> Statements:
    """The statements of one table, written once for all boxes that have a table like it."""
    return Statements.of(table)


def create_sql(table: TableLayout) -> str:
    """Makes a table, and the index of its words, where they are missing."""
    return f"CREATE TABLE IF NOT EXISTS t{table.id}{_columns(table)}{_words(table) if table.words else ''}"


def drop_sql(table: TableLayout) -> str:
    """Removes a table, and the index of its words, where they are there."""
    t = f"t{table.id}"
    return f"{_DROP_WORDS.format(t=t) if table.words else ''}DROP TABLE IF EXISTS {t}"


def _inserts(table: TableLayout, taken: str) -> tuple[str, ...]:
    """By forms; `taken` is what SQL does about a key that is there."""
    sources = {
        ONE: "VALUES(?,?)",
        CARRAY: f"SELECT {_cut(table)} FROM carray(?) WHERE true",
        PAGE: f"SELECT k,v FROM {_page(table)} WHERE true",
    }
    return tuple(f"INSERT INTO t{table.id}(k,v) {sources[form]}{taken}" for form in sorted(sources))


_BOUNDS: Final = ("", " WHERE k>=?1", " WHERE k<?2", " WHERE k>=?1 AND k<?2")


def _scan(t: str, bounds: str, order: str) -> str:
    return f"SELECT k,v FROM {t}{bounds} ORDER BY k{order} LIMIT ?3"


def search_sql(table: TableLayout, low: bool, high: bool, *, newest_first: bool) -> str:
    """The keys of rows whose text is found; takes (low, high, limit, expression)."""
    t, order = f"t{table.id}", " DESC" if newest_first else ""
    bounds = f"{' AND t.k>=?1' if low else ''}{' AND t.k<?2' if high else ''}"
    # CROSS JOIN fixes the order: the index outside, for it alone knows what is found.
    return (
        f"SELECT t.k FROM {t}_words w CROSS JOIN {t} t ON t.{_row_id(table)}=w.rowid"
        f" WHERE {t}_words MATCH ?4{bounds} ORDER BY t.k{order} LIMIT ?3"
    )


def shown_words_sql(table: TableLayout) -> tuple[str, str, str]:
    """Statements that make a temporary table of an index's postings, read (word, key, place), and drop it."""
    t = f"t{table.id}"
    seen = f"temp.{t}_seen"
    return (
        f"CREATE VIRTUAL TABLE {seen} USING fts5vocab(main,{t}_words,instance)",
        f"SELECT s.term,t.k,s.offset FROM {seen} s LEFT JOIN main.{t} t ON t.{_row_id(table)}=s.doc"
        f" ORDER BY 1,2,3",
        f"DROP TABLE {seen}",
    )


def rebuild_words_sql(table: TableLayout) -> str:
    """Makes the index of words again from the texts."""
    return f"INSERT INTO t{table.id}_words(t{table.id}_words) VALUES('rebuild')"


#: The index keeps no texts: it reads them from the table, and hears of every change by triggers.
_WORDS: Final = (
    "; CREATE VIEW IF NOT EXISTS {t}_texts(id,words) AS SELECT {id},{text} FROM {t}"
    "; CREATE VIRTUAL TABLE IF NOT EXISTS {t}_words"
    " USING fts5(words,content='{t}_texts',content_rowid='id',tokenize='{tokenizer}')"
    "; CREATE TRIGGER IF NOT EXISTS {t}_came AFTER INSERT ON {t} BEGIN {came}; END"
    "; CREATE TRIGGER IF NOT EXISTS {t}_went AFTER DELETE ON {t} BEGIN {went}; END"
    "; CREATE TRIGGER IF NOT EXISTS {t}_changed AFTER UPDATE OF v ON {t} BEGIN {went}; {came}; END"
)
_DROP_WORDS: Final = "DROP TABLE IF EXISTS {t}_words; DROP VIEW IF EXISTS {t}_texts; "


def _words(table: TableLayout) -> str:
    t, id_ = f"t{table.id}", _row_id(table)
    return _WORDS.format(
        t=t,
        id=id_,
        text=_text("v"),
        tokenizer=" ".join(TOKENIZER),
        came=f"INSERT INTO {t}_words(rowid,words) VALUES(new.{id_},{_text('new.v')})",
        went=f"INSERT INTO {t}_words({t}_words,rowid,words) VALUES('delete',old.{id_},{_text('old.v')})",
    )


def _text(value: str) -> str:
    return f"CAST(substr({value},{TEXT_AT + 1}) AS TEXT)"


def _row_id(table: TableLayout) -> str:
    return "k" if table.int_key else "id"


def _columns(table: TableLayout) -> str:
    if table.int_key:
        return "(k INTEGER PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT"
    if table.words:  # which names rows by numbers that stay, also when the file is written anew
        return "(id INTEGER PRIMARY KEY NOT NULL, k BLOB NOT NULL UNIQUE, v BLOB NOT NULL) STRICT"
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
