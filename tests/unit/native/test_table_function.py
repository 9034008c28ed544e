"""`pillarbox_page` inside apsw's own SQLite: what it answers, refuses, and outlives."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import pytest
from tests.native_support import built

from pillarbox.native.loader import SQLITE_ENTRY, load
from pillarbox.native.pages import build_page

KEYS = [b"aa", b"bb", b"cc"]
VALUES = [b"first", b"", b"\0third"]
ROWS = list(zip(KEYS, VALUES, strict=True))
PAGE = build_page(KEYS, VALUES, 2)
UPSERT = (
    "INSERT INTO t(k,v) SELECT k,v FROM pillarbox_page(?,2) WHERE true "
    "ON CONFLICT(k) DO UPDATE SET v=excluded.v"
)
SELECT = "SELECT k, v FROM pillarbox_page(?, ?)"


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    """A database in memory that has loaded the object."""
    path = built()
    if not load(path)[1].has_table_function:
        pytest.skip("built without sqlite3ext.h; install libsqlite3-dev")
    with apsw.Connection(":memory:") as opened:
        opened.enable_load_extension(True)
        opened.load_extension(str(path), SQLITE_ENTRY)
        opened.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        opened.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        yield opened


def int_page(keys: list[int], values: list[bytes]) -> bytes:
    """A page whose keys are int64, encoded."""
    return build_page([(key + (1 << 63)).to_bytes(8, "big") for key in keys], values, 8)


def test_rows_of_a_page_are_rows_of_a_table(connection: apsw.Connection) -> None:
    assert connection.execute(SELECT, (PAGE, 2)).fetchall() == ROWS


def test_varying_keys_are_read(connection: apsw.Connection) -> None:
    page = build_page([b"", b"abc"], [b"1", b"2"], 0)

    assert connection.execute(SELECT, (page, 0)).fetchall() == [(b"", b"1"), (b"abc", b"2")]


def test_int_keys_are_integers(connection: apsw.Connection) -> None:
    numbers = [-(1 << 63), -1, 0, (1 << 63) - 1]

    rows = connection.execute(SELECT, (int_page(numbers, [b""] * 4), -8)).fetchall()

    assert rows == [(number, b"") for number in numbers]


def test_a_page_of_keys_alone_has_no_values(connection: apsw.Connection) -> None:
    assert connection.execute(SELECT, (build_page(KEYS, None, 2), 2)).fetchall() == [
        (key, None) for key in KEYS
    ]


def test_an_empty_page_has_no_rows(connection: apsw.Connection) -> None:
    assert connection.execute(SELECT, (build_page([], [], 2), 2)).fetchall() == []


def test_one_statement_inserts_updates_and_removes(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE t(k BLOB PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT, WITHOUT ROWID")
    connection.execute("INSERT INTO t VALUES (x'6262', x'00'), (x'7a7a', x'00')")

    connection.execute(UPSERT, (PAGE,))
    connection.execute(
        "DELETE FROM t WHERE k IN (SELECT k FROM pillarbox_page(?,2))", (build_page([b"zz"], None, 2),)
    )

    assert connection.execute("SELECT k, v FROM t").fetchall() == ROWS


def test_int_keys_go_into_a_rowid_table(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE t(k INTEGER PRIMARY KEY NOT NULL, v BLOB NOT NULL) STRICT")

    connection.execute(
        "INSERT INTO t SELECT k, v FROM pillarbox_page(?,-8)", (int_page([-5, 7], [b"a", b"b"]),)
    )

    assert connection.execute("SELECT k, v FROM t").fetchall() == [(-5, b"a"), (7, b"b")]


@pytest.mark.parametrize(
    ("bindings", "said"),
    [
        ((b"\1\0\0\0", 2), r"torn at byte 4 \(status 3\)"),
        ((PAGE + b"x", 2), "torn at byte 37"),
        ((b"", 2), "torn at byte 0"),
        (("text", 2), "takes a blob and an integer"),
        ((None, 2), "takes a blob and an integer"),
        ((PAGE, None), "takes a blob and an integer"),
        ((PAGE, -2), "no key is -2 bytes wide"),
        ((PAGE, 1 << 31), "no key is 2147483648 bytes wide"),
    ],
)
def test_what_is_no_page_fails_the_statement(
    connection: apsw.Connection, bindings: tuple[object, ...], said: str
) -> None:
    with pytest.raises(apsw.SQLError, match=said):
        connection.execute(SELECT, bindings).fetchall()


@pytest.mark.parametrize("sql", ["SELECT k FROM pillarbox_page", "SELECT k FROM pillarbox_page(x'00')"])
def test_a_missing_argument_is_told(connection: apsw.Connection, sql: str) -> None:
    with pytest.raises(apsw.SQLError, match="takes two arguments"):
        connection.execute(sql).fetchall()


def test_pages_in_rows_of_a_table_are_read_one_after_the_other(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE pages(id INTEGER PRIMARY KEY, page BLOB)")
    pages = [build_page([b"%02d" % at], [b"%04d" % at * 500], 2) for at in range(20)]
    connection.executemany("INSERT INTO pages VALUES (?, ?)", enumerate(pages))
    per_page = "SELECT max(v) FROM pillarbox_page(p.page, 2)"

    joined = connection.execute("SELECT k, v FROM pages p, pillarbox_page(p.page, 2) ORDER BY id").fetchall()
    greatest = connection.execute(f"SELECT max(({per_page})), min(({per_page})) FROM pages p").fetchall()

    assert joined == [(b"%02d" % at, b"%04d" % at * 500) for at in range(20)]
    assert greatest == [(b"0019" * 500, b"0000" * 500)]


def test_the_greatest_value_of_a_bound_page_outlives_its_row(connection: apsw.Connection) -> None:
    sql = "SELECT max(v), min(k), group_concat(hex(k)) FROM pillarbox_page(?, 2)"

    assert connection.execute(sql, (PAGE,)).fetchall() == [(b"first", b"aa", "6161,6262,6363")]


def test_a_schema_that_somebody_else_wrote_cannot_use_it(connection: apsw.Connection) -> None:
    connection.execute("CREATE VIEW sly AS SELECT k FROM pillarbox_page(x'00000000', 2)")

    with pytest.raises(apsw.SQLError, match="unsafe use of virtual table"):
        connection.execute("SELECT * FROM sly").fetchall()


def test_two_scans_of_one_statement_do_not_disturb_each_other(connection: apsw.Connection) -> None:
    sql = "SELECT a.k, b.v FROM pillarbox_page(?1, 2) a, pillarbox_page(?1, 2) b WHERE a.k = b.k"

    assert connection.execute(sql, (PAGE,)).fetchall() == ROWS
