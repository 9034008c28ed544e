"""What SQLite is asked to do: one statement a batch, no walks through a table, no foreign code."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import apsw
import pytest
from tests.native_support import batches_go, built
from tests.unit.storage.files import TABLE, filled

from pillarbox.errors import (
    UsageError,
)
from pillarbox.native import NativeStatus
from pillarbox.storage import Engine, SqliteEngine, TableLayout, batches, statements


def statements_of(engine: SqliteEngine) -> list[str]:
    """Every statement SQLite starts from now on, as text."""
    seen: list[str] = []
    engine._connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: seen.append(event["sql"]))
    return seen


def test_statements_are_written_once_for_all_boxes_with_a_table_like_it() -> None:
    wider = replace(TABLE, key_width=(TABLE.key_width or 0) + 1)

    texts, others = statements.statements_of(TABLE), statements.statements_of(wider)

    assert statements.statements_of(replace(TABLE)) is texts
    assert statements.Statements.of(wider) == others != texts


def test_a_table_made_anew_is_written_as_it_lies_now(tmp_path: Path) -> None:
    before = TableLayout(2, "b", False, 8, False)
    now = replace(before, key_width=None)
    keys = [b"k" * (1 + place) for place in range(3)]
    with batches_go("carray"), closing(SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")) as engine:
        engine.begin()
        engine.create(before)
        engine.put_many(before, [b"12345678", b"23456789"], [b"v", b"w"])
        engine.drop(before)
        engine.create(now)

        engine.put_many(now, keys, [b"v"] * 3)

        assert engine.get_many(now, keys) == dict.fromkeys(keys, b"v")


@pytest.mark.parametrize("by", ["page", "carray"])
@pytest.mark.parametrize(
    "layout", [TABLE, TableLayout(2, "b", True, None, False), TableLayout(3, "c", False, None, True)]
)
def test_a_batch_is_one_statement_however_many_rows(tmp_path: Path, layout: TableLayout, by: str) -> None:
    with batches_go(by):
        engine = filled(tmp_path / "a.box")
    engine.begin()
    engine.create(layout)
    keys = [number if layout.int_key else number.to_bytes(2, "big") for number in range(1000)]
    seen = statements_of(engine)

    engine.put_many(layout, keys, [b"v"] * 1000)
    found = engine.get_many(layout, keys)
    engine.remove_many(layout, keys)

    assert len(found) == 1000
    assert [sql.split()[0] for sql in seen] == ["INSERT", "SELECT", "DELETE"]
    assert ("pillarbox_page" in seen[0]) == (by == "page")
    engine.rollback()
    engine.close()


def test_no_read_walks_through_a_table_to_find_a_key(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    heap = TableLayout(id=4, name="heap", int_key=False, key_width=2, heap=True)
    engine.begin()
    engine.create(heap)
    engine.commit()

    for layout in (TABLE, heap):
        seen = statements_of(engine)
        engine.get(layout, b"aa")
        engine.get_many(layout, [b"aa", b"bb"])
        engine.scan(layout, b"aa", b"bb", newest_first=True, limit=3)
        engine._connection.trace_v2(0, None)
        plans = [
            row[3]
            for sql in seen
            for row in engine._connection.execute(f"EXPLAIN QUERY PLAN {sql}", (None,) * sql.count("?"))
        ]
        assert [plan for plan in plans if plan.startswith("SCAN") and "VIRTUAL TABLE" not in plan] == []
        assert [plan for plan in plans if "TEMP B-TREE" in plan] == []
    engine.close()


@pytest.mark.parametrize(("durability", "level"), [("durable", 2), ("relaxed", 1)])
def test_the_durability_word_sets_what_a_commit_waits_for(
    tmp_path: Path, durability: str, level: int
) -> None:
    engine = SqliteEngine(str(tmp_path / "a.box"), durability=durability)  # type: ignore[arg-type]

    assert engine._connection.pragma("synchronous") == level
    assert engine._connection.pragma("journal_mode") == "wal"
    assert engine._connection.pragma("trusted_schema") == 0
    engine.close()


def test_a_scan_is_not_prepared_anew_for_another_limit(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    asked: list[object] = []  # the authorizer is, for all that a statement does, while it is prepared

    def allow(*what: object) -> int:
        asked.append(what)
        return apsw.SQLITE_OK

    engine._connection.authorizer = allow
    engine.scan(TABLE, b"a", b"z", limit=1)
    once = len(asked)
    engine.scan(TABLE, b"a", b"y", limit=2)
    engine.close()

    assert len(asked) == once > 0


def test_a_value_of_more_than_a_gigabyte_is_the_callers_mistake(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    engine._connection.limit(apsw.SQLITE_LIMIT_LENGTH, 1000)  # stands for the gigabyte
    engine.begin()

    with pytest.raises(UsageError, match="store smaller values"):
        engine.put_many(TABLE, [b"bb"], [b"v" * 1001])

    engine.rollback()
    engine.close()


def test_a_batch_of_more_than_a_gigabyte_is_written_all_the_same(tmp_path: Path) -> None:
    with batches_go("page"):
        engine = filled(tmp_path / "a.box")
    engine._connection.limit(apsw.SQLITE_LIMIT_LENGTH, 1000)  # stands for the gigabyte
    engine.begin()
    keys = [bytes((1, low)) for low in range(100)]

    engine.put_many(TABLE, keys[:20], [b"v" * 90] * 20)
    engine.put_many(TABLE, keys[20:], [b""] * 80)
    found = engine.get_many(TABLE, keys)

    assert found == dict.fromkeys(keys[:20], b"v" * 90) | dict.fromkeys(keys[20:], b"")
    engine.rollback()
    engine.close()


def test_sql_text_loads_no_extension(tmp_path: Path) -> None:
    with batches_go("page"):
        engine = filled(tmp_path / "a.box")

    with pytest.raises(apsw.SQLError, match="not authorized"):
        engine._connection.execute("SELECT load_extension(?)", (str(built()),))

    engine.close()


def test_an_object_that_sqlite_cannot_load_is_told_and_done_without(tmp_path: Path) -> None:
    (tmp_path / "torn.so").write_bytes(b"no object")
    status = NativeStatus(True, "planted", str(tmp_path / "torn.so"), has_table_function=True)

    with patch.object(batches, "status", lambda: status):
        engine = filled(tmp_path / "a.box")
        said = batches.report()
    engine.begin()
    engine.put_many(TABLE, [b"bb", b"cc"], [b"1", b"2"])
    engine.commit()

    assert engine.scan(TABLE, b"bb", None) == [(b"bb", b"1"), (b"cc", b"2")]
    assert said.startswith(f"by carray ({tmp_path}/torn.so is no extension for this SQLite: ")
    engine.close()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (NativeStatus(False, "PILLARBOX_NATIVE=0"), "by carray (no native object: PILLARBOX_NATIVE=0)"),
        (
            NativeStatus(True, "fine", "/x.so"),
            "by carray (/x.so was built without sqlite3ext.h; install libsqlite3-dev and build it again)",
        ),
    ],
)
def test_why_batches_go_by_carray_is_told(status: NativeStatus, said: str) -> None:
    with patch.object(batches, "status", lambda: status):
        assert batches.report() == said


def test_commits_leave_the_log_to_the_checkpoint(tmp_path: Path) -> None:
    engine: Engine = filled(tmp_path / "a.box")
    for number in range(1500):
        engine.begin()
        engine.put_many(TABLE, [number.to_bytes(2, "big")], [b"v" * 200])
        engine.commit()
    before = (tmp_path / "a.box").stat().st_size

    grown = engine.wal_bytes()
    engine.checkpoint()

    assert before == 0 or before < grown
    assert grown > 4096 * 1500
    assert (tmp_path / "a.box").stat().st_size > before
    engine.close()


def test_a_read_asks_for_the_version_only_once_it_may_be_another(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    other = SqliteEngine(engine.path, durability="relaxed")

    def commit(by: SqliteEngine) -> None:
        by.begin()
        by.put_many(TABLE, (b"aa",), ((by.get(TABLE, b"aa") or b"") + b"v",))
        by.commit()

    def inside() -> int:
        engine.begin_read()
        version = engine.data_version()
        engine.end_read()
        return version

    before = engine.data_version()
    assert inside() == before
    seen = statements_of(engine)
    assert inside() == before
    assert not [sql for sql in seen if "data_version" in sql]

    commit(engine)
    assert inside() == engine.data_version() == inside() == before
    commit(other)
    moved = inside()
    assert moved != before
    engine.begin_read()
    commit(other)
    assert engine.data_version() == moved  # it is that of the commit that is seen
    engine.end_read()
    assert inside() not in (before, moved)
    other.close()
    engine.close()
