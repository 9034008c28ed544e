"""Where a statement fails: a file that another program has changed is no fault of the caller."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest
from tests.unit.runtime.tracker_package import PACKAGE, One, PutIssue, TrackerBox, issue
from tests.unit.storage.files import TABLE, filled

from pillarbox.box import Box
from pillarbox.errors import DataError, FileDamaged, StoreError, UsageError
from pillarbox.storage import SqliteEngine, in_slices
from pillarbox.storage.journal import JOURNAL, Journal
from pillarbox.storage.surveys import integrity_faults


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.box"


def elsewhere(path: Path, sql: str) -> None:
    """Another program does this to the file."""
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()


def read(box: TrackerBox) -> object:
    return box.get(One(1, 2))


def write(box: TrackerBox) -> object:
    return box.replay([PutIssue(issue(1, 2))])


LACKS = "no such table: t1, which its layout has; put a backup in its place"


@pytest.mark.parametrize("act", [read, write])
@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DROP TABLE t1", LACKS),
        ("ALTER TABLE t1 RENAME TO t1_old", LACKS),
        (
            "DROP TABLE t1; UPDATE pillarbox_meta SET value=x'7b' WHERE name='layout'",
            "no such table: t1; put a",
        ),
    ],
)
def test_an_opened_box_that_lacks_a_table_is_damaged(
    path: Path, sql: str, told: str, act: Callable[[TrackerBox], object]
) -> None:
    with Box(path, PACKAGE) as box:
        box.replay([PutIssue(issue(1, 1))])
        elsewhere(path, sql)

        with pytest.raises(FileDamaged, match=told):
            act(box)


@pytest.mark.parametrize("act", [read, write])
def test_a_table_that_is_another_is_damaged(path: Path, act: Callable[[TrackerBox], object]) -> None:
    with Box(path, PACKAGE) as box:
        box.replay([PutIssue(issue(1, 1))])
        elsewhere(path, "ALTER TABLE t1 RENAME COLUMN v TO other")

        with pytest.raises(FileDamaged, match="put a backup in its place"):
            act(box)


def test_a_table_that_cannot_be_written_to_any_more_is_damaged(path: Path) -> None:
    engine = filled(path)
    elsewhere(path, f"ALTER TABLE t{TABLE.id} RENAME COLUMN v TO other")
    engine.begin()

    with pytest.raises(
        FileDamaged, match=f"table t{TABLE.id} has no column named v; put a backup in its place"
    ):
        engine.put_many(TABLE, [b"aa"], [b"new"])

    engine.rollback()
    engine.close()


def test_a_table_that_nobody_has_created_is_a_fault_of_the_caller(path: Path) -> None:
    engine = SqliteEngine(str(path), durability="relaxed")

    with pytest.raises(UsageError, match=r"no such table: t\d+; create the table before it is used"):
        engine.get(TABLE, b"aa")

    engine.close()


@pytest.mark.parametrize(
    "act",
    [
        lambda engine: engine.get(TABLE, b"a"),
        lambda engine: engine.get_many(TABLE, [b"a", b"b"]),
        lambda engine: engine.scan(TABLE, None, None),
    ],
)
def test_a_text_that_is_none_in_the_place_of_bytes_is_damage(
    path: Path, act: Callable[[SqliteEngine], object]
) -> None:
    filled(path).close()
    elsewhere(path, f"DROP TABLE t{TABLE.id}; CREATE TABLE t{TABLE.id}(k, v)")
    elsewhere(path, f"INSERT INTO t{TABLE.id} VALUES(x'61', CAST(x'80' AS TEXT))")
    engine = SqliteEngine(str(path), durability="relaxed")

    with pytest.raises(FileDamaged, match=r"text that is no UTF-8 is stored in the place of bytes"):
        act(engine)

    engine.close()


def test_a_table_whose_keys_do_not_rise_is_not_read_for_ever(path: Path) -> None:
    engine = filled(path)
    engine.begin()
    engine.put_many(TABLE, [b"bb", b"cc", b"dd"], [b"bbb", b"ccc", b"ddd"])
    engine.commit()
    engine.close()
    path.write_bytes(path.read_bytes().replace(b"ddddd", b"\0dddd"))  # a flipped key on the one page
    engine = SqliteEngine(str(path), durability="relaxed")

    told = rf"{path}: table 'x' is damaged: the key b'\\x00d' lies where keys from b'bb\\x00' on do; put a"
    with pytest.raises(FileDamaged, match=told):
        list(islice(in_slices(partial(engine.scan, TABLE), 2, engine.path, "x"), 20))

    engine.close()


@pytest.mark.parametrize("key", ["x'61'", "'one'", "1.5", "NULL"])
def test_a_journal_that_somebody_made_anew_is_damage(path: Path, key: str) -> None:
    with Box(path, PACKAGE) as box:
        box._engine.begin()
        Journal(box._engine).mark()
        box._engine.commit()
    elsewhere(path, f"DROP TABLE t{JOURNAL.id}; CREATE TABLE t{JOURNAL.id}(k, v)")
    elsewhere(path, f"INSERT INTO t{JOURNAL.id} VALUES({key}, x'c0')")

    with pytest.raises(DataError, match=r"table 'pillarbox_journal': the key .+ is no version; put a backup"):
        Box(path, PACKAGE)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("k TEXT PRIMARY KEY, other INT NOT NULL", "no such column: v"),
        ("k INTEGER PRIMARY KEY, v INTEGER CHECK (typeof(v) = 'integer')", "CHECK constraint failed"),
        ("k INTEGER PRIMARY KEY, v BLOB, w NOT NULL", "NOT NULL constraint failed"),
        (None, f"no such table: t{JOURNAL.id}, which it has had"),
    ],
)
def test_a_journal_in_which_no_entry_can_be_put_is_damage(path: Path, columns: str | None, told: str) -> None:
    with Box(path, PACKAGE) as box:
        box._engine.begin()
        Journal(box._engine).mark()
        box._engine.commit()
        elsewhere(path, f"DROP TABLE t{JOURNAL.id}")
        if columns is not None:
            elsewhere(path, f"CREATE TABLE t{JOURNAL.id}({columns})")

        box._engine.begin()
        with pytest.raises(FileDamaged, match=told):
            Journal(box._engine).mark()
        box._engine.rollback()


def test_a_table_that_takes_no_such_key_is_damaged(path: Path) -> None:
    engine = filled(path)
    elsewhere(path, f"DROP TABLE t{TABLE.id}; CREATE TABLE t{TABLE.id}(k INTEGER PRIMARY KEY, v)")
    engine.begin()

    with pytest.raises(FileDamaged, match="datatype mismatch; put a backup in its place"):
        engine.put_one(TABLE, b"aa", b"new")

    engine.rollback()
    engine.close()


@pytest.mark.parametrize("key", [None, "text", 1.5])
def test_what_is_no_key_is_damage_where_a_slice_ends(key: object) -> None:
    with pytest.raises(FileDamaged, match=r"a\.box: table 'x' is damaged: the key .+ is none"):
        list(in_slices(lambda low, high, limit: [(key, b"")], 1, "a.box", "x"))


def test_a_header_that_cannot_be_read_is_a_fault_of_the_store(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_place: object) -> None:
        raise apsw.IOError("planted")

    engine = filled(path)
    with monkeypatch.context() as planted:
        planted.setattr(engine, "_connection", SimpleNamespace(read=refuse))

        with pytest.raises(StoreError, match=str(path)):
            integrity_faults(engine)

    assert integrity_faults(engine) == []
    engine.close()
