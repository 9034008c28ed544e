"""Reading tables: points, batches, prefixes, and bytes that are torn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import issue
from tests.unit.runtime.tracker_tables import TrackerTables, TrackerTransaction

from pillarbox.errors import RecordCorrupt, UsageError
from pillarbox.storage import Engine, MemoryEngine
from pillarbox.tables import UNKNOWN, ChangeRecord, TableReader

ROWS = [issue(project, number) for project in (1, 2, 255) for number in (1, 2, 3, 255)]


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Issues of three projects, among them the last that there can be."""
    engine = MemoryEngine()
    engine.begin()
    for spec in t.SPECS:
        engine.create(spec.layout)
    engine.put_many(
        t.ISSUES.layout, [t.ISSUES.key_of(row) for row in ROWS], [t.ISSUES.bytes_of(row) for row in ROWS]
    )
    engine.commit()
    yield engine
    engine.close()


@pytest.fixture(params=["reader", "writer"])
def table(request: pytest.FixtureRequest, engine: Engine) -> Iterator[TableReader[t.Issue]]:
    """The same table outside of a transaction, and inside one that has written nothing."""
    tx = TrackerTransaction(engine)
    tx.begin()
    yield TrackerTables(engine).by_id()[1] if request.param == "reader" else tx.issues
    tx.rollback()


def test_rows_come_in_the_order_asked_for_without_the_absent_ones(table: TableReader[t.Issue]) -> None:
    keys = [b"\2\2", b"\7\7", b"\1\1", b"\2\2"]

    assert table.rows_at(keys) == [ROWS[5], ROWS[0], ROWS[5]]


@pytest.mark.parametrize("project", [1, 2, 255])
def test_rows_under_a_prefix_are_those_and_no_others(table: TableReader[t.Issue], project: int) -> None:
    own = [row for row in ROWS if row.project == project]
    prefix = bytes((project,))

    assert table.rows_under(prefix) == own
    assert table.rows_under(prefix, newest_first=True) == own[::-1]
    assert table.rows_under(prefix, limit=2) == own[:2]
    assert table.rows_under(prefix, newest_first=True, limit=2) == own[:1:-1]


def test_rows_after_and_before_leave_out_the_keys_named(table: TableReader[t.Issue]) -> None:
    assert table.rows_under(b"\2", after=b"\2\1", before=b"\2\3") == [ROWS[5]]
    assert table.rows_under(b"\2", after=b"\2\3") == [ROWS[7]]
    assert table.rows_under(b"\2", before=b"\2\1") == []


def test_an_edge_outside_of_the_prefix_reads_nothing_beyond_the_prefix(table: TableReader[t.Issue]) -> None:
    own = ROWS[4:8]

    assert table.rows_under(b"\2", after=b"\1\1") == own
    assert table.rows_under(b"\2", before=b"\xff\1") == own


def test_a_limit_below_0_is_refused(table: TableReader[t.Issue]) -> None:
    """SQLite would take it for none."""
    with pytest.raises(UsageError, match=r"limit is -1 \(int\); pass an int of 0 or more"):
        table.rows_under(b"", limit=-1)
    assert table.rows_under(b"", limit=0) == []


@pytest.mark.parametrize("limit", [1.5, "5"])
def test_a_limit_that_is_no_int_is_refused(table: TableReader[t.Issue], limit: Any) -> None:
    """Some engines would take it for damage of the file."""
    with pytest.raises(UsageError, match="pass an int of 0 or more, or None for all rows"):
        table.rows_under(b"", limit=limit)


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_scan_with_a_limit_asks_for_no_more_the_more_was_written(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, newest_first: bool
) -> None:
    asked = []
    scan = engine.scan

    def scanned(*arguments: Any, limit: int | None = None, **options: Any) -> Any:
        asked.append(limit)
        return scan(*arguments, limit=limit, **options)

    tx = TrackerTransaction(engine)
    tx.begin()
    for number in range(1, 101):
        tx.issues.put(issue(2, number))
    for number in range(1, 91):
        tx.issues.remove(2, number)
    monkeypatch.setattr(engine, "scan", scanned)

    found = tx.issues.rows_under(b"\2", newest_first=newest_first, limit=2)

    assert [row.number for row in found] == ([255, 100] if newest_first else [91, 92])
    assert asked == [4 if newest_first else 94]  # those that are gone are in the way
    tx.rollback()


def test_a_torn_row_is_told_with_its_table_and_key(engine: Engine, table: TableReader[t.Issue]) -> None:
    engine.put_many(t.ISSUES.layout, [b"\1\1"], [b"\x98torn"])

    for read in (
        lambda: table.row_at(b"\1\1"),
        lambda: table.rows_at([b"\1\1", b"\1\2"]),
        lambda: table.rows_between(None, None),
    ):
        with pytest.raises(RecordCorrupt, match=r"table 'issues', key 0x0101: .*restore a backup, or fetch"):
            read()


def test_a_torn_packed_row_is_told_with_its_table_and_key(engine: Engine) -> None:
    newest = TrackerTables(engine).by_id()[t.NEWEST.id]
    engine.begin()
    engine.put_many(t.NEWEST.layout, [b"\7"], [b"\0torn"])

    for read in (
        lambda: newest.row_at(b"\7"),
        lambda: newest.rows_at([b"\7"]),
        lambda: newest.rows_between(None, None),
    ):
        with pytest.raises(RecordCorrupt, match=r"table 'newest', key 0x07: the fixed fields end at offset"):
            read()


def test_a_row_of_bytes_is_made_once_and_a_torn_one_is_told_each_time() -> None:
    row = t.NEWEST.row(b"\7", t.NEWEST.cell_of(t.Newest(7, 1, 1)))

    assert t.NEWEST.row(bytes([7]), t.NEWEST.cell_of(row)) is row
    assert t.NEWEST.row(b"\7", t.NEWEST.cell_of(t.Newest(7, 2, 1))) == t.Newest(7, 2, 1)
    for _ in range(2):
        with pytest.raises(RecordCorrupt):
            t.NEWEST.row(b"\7", b"\0torn")


def test_an_empty_change_record_is_false_whatever_was_emitted() -> None:
    assert not ChangeRecord({}, ("event",))
    assert ChangeRecord({1: {b"\1": (None, b"")}})


def test_what_nobody_has_read_says_so() -> None:
    assert repr(UNKNOWN) == "UNKNOWN"
