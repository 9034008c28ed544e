"""Readers, backups and wrong uses, alike in every engine. The `engine` fixture gives each kind in turn."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.unit.storage.rows import keys_of, write

from pillarbox.errors import StoreReadOnly, UsageError
from pillarbox.storage import Engine, TableLayout, open_engine, search_for


def test_a_reader_sees_the_last_commit_and_nothing_of_an_open_transaction(
    engine: Engine, fixed: TableLayout
) -> None:
    reader = engine.reader()
    write(engine, fixed, {b"aa": b"1"})

    engine.begin()
    engine.put_many(fixed, [b"aa"], [b"2"])
    during = reader.get(fixed, b"aa")
    engine.commit()

    assert during == b"1"
    assert reader.get(fixed, b"aa") == b"2"
    reader.close()


def test_a_read_transaction_sees_one_state_until_it_ends(engine: Engine, fixed: TableLayout) -> None:
    write(engine, fixed, {b"aa": b"1", b"bb": b"1"})
    reader = engine.reader()

    reader.begin_read()
    write(engine, fixed, {b"aa": b"2", b"cc": b"2"})
    engine.begin()
    engine.remove_many(fixed, [b"bb"])
    engine.commit()
    during = reader.scan(fixed, None, None), reader.get(fixed, b"cc"), reader.get_many(fixed, [b"aa", b"bb"])
    reader.end_read()

    assert during == ([(b"aa", b"1"), (b"bb", b"1")], None, {b"aa": b"1", b"bb": b"1"})
    assert reader.scan(fixed, None, None) == [(b"aa", b"2"), (b"cc", b"2")]
    reader.close()


def test_a_single_read_leaves_no_snapshot_behind(engine: Engine, table: TableLayout) -> None:
    keys = keys_of(table, 3)
    write(engine, table, dict.fromkeys(keys, b"1"))
    reader = engine.reader()

    reader.get(table, keys[0])
    reader.scan(table, None, None, limit=1)
    write(engine, table, dict.fromkeys(keys, b"2"))

    assert reader.get(table, keys[1]) == b"2"
    assert reader.get_many(table, keys) == dict.fromkeys(keys, b"2")
    reader.close()


def test_data_version_moves_with_the_commits_of_others_only(engine: Engine, fixed: TableLayout) -> None:
    reader = engine.reader()
    own, other = engine.data_version(), reader.data_version()

    write(engine, fixed, {b"aa": b"1"})

    assert engine.data_version() == own
    assert reader.data_version() != other
    assert reader.data_version() == reader.data_version()
    reader.close()


def test_data_version_inside_a_write_transaction_is_as_outside(engine: Engine, fixed: TableLayout) -> None:
    def inside() -> int:
        engine.begin()
        version = engine.data_version()
        engine.put_many(fixed, (b"aa",), (b"%d" % version,))
        engine.commit()
        return version

    assert inside() == inside() == engine.data_version() == inside()

    engine.begin()
    engine.put_many(fixed, (b"aa",), (b"undone",))
    engine.rollback()
    write(engine, fixed, {b"aa": b"not asked"})

    assert inside() == inside() == engine.data_version()


def test_begin_read_tells_whether_anybody_has_committed_since_the_read_before(
    engine: Engine, fixed: TableLayout
) -> None:
    reader = engine.reader()

    def began() -> int:
        version = reader.begin_read()
        reader.end_read()
        return version

    before = began()
    still = began()
    write(engine, fixed, {b"aa": b"1"})
    after = began()

    assert still == before
    assert after != before
    assert began() == after
    reader.close()


def test_named_values_are_kept_beside_the_tables(engine: Engine) -> None:
    engine.begin()
    engine.set_meta("layout", b"1")
    engine.set_meta("layout", b"2")
    engine.commit()

    assert engine.meta("layout") == b"2"
    assert engine.meta("absent") is None


def test_a_backup_is_a_box_as_of_the_last_commit(engine: Engine, table: TableLayout, tmp_path: Path) -> None:
    rows = dict.fromkeys(keys_of(table, 5), b"v")
    write(engine, table, rows)
    engine.begin()
    engine.set_meta("layout", b"kept")
    engine.commit()
    engine.begin()
    engine.clear(table)

    engine.backup(str(tmp_path / "copy.box"))

    engine.rollback()
    copy = open_engine(str(tmp_path / "copy.box"), durability="durable", read_only=True)
    assert copy.scan(table, None, None) == list(rows.items())
    assert copy.meta("layout") == b"kept"
    copy.close()
    assert (tmp_path / "copy.box").stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} <= {"copy.box", "a.box", "a.box-wal", "a.box-shm"}


def test_a_backup_that_was_killed_before_it_had_its_name_is_in_nobodys_way(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy.box"
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", Mock(side_effect=KeyboardInterrupt))
        patch.setattr(os, "unlink", Mock())  # who is killed removes nothing
        with pytest.raises(KeyboardInterrupt):
            engine.backup(str(target))
    assert not target.exists()

    engine.backup(str(target))

    assert target.exists()


def test_a_backup_overwrites_nothing(engine: Engine, tmp_path: Path) -> None:
    target = tmp_path / "taken"
    target.write_bytes(b"precious")

    with pytest.raises(UsageError, match="taken exists; name a file"):
        engine.backup(str(target))

    assert target.read_bytes() == b"precious"


Call = Callable[[Engine, TableLayout], object]
CALLS: dict[str, Call] = {
    "begin": lambda engine, table: engine.begin(),
    "begin_read": lambda engine, table: engine.begin_read(),
    "end_read": lambda engine, table: engine.end_read(),
    "commit": lambda engine, table: engine.commit(),
    "rollback": lambda engine, table: engine.rollback(),
    "put": lambda engine, table: engine.put_many(table, [b"aa"], [b""]),
    "remove": lambda engine, table: engine.remove_many(table, [b"aa"]),
    "create": lambda engine, table: engine.create(table),
    "drop": lambda engine, table: engine.drop(table),
    "clear": lambda engine, table: engine.clear(table),
    "set_meta": lambda engine, table: engine.set_meta("a", b""),
    "checkpoint": lambda engine, table: engine.checkpoint(),
    "checkpoint_beside": lambda engine, table: engine.checkpoint_beside(),
    "get": lambda engine, table: engine.get(table, b"aa"),
    "close": lambda engine, table: engine.close(),
}
OUT_OF_TURN = [
    *("commit", "rollback", "put", "remove", "create", "drop", "clear", "set_meta", "end_read"),
    *("begin begin", "begin begin_read", "begin checkpoint", "begin end_read"),
    *("begin checkpoint_beside", "begin_read checkpoint_beside"),
    *("begin_read begin", "begin_read begin_read", "begin_read checkpoint", "begin_read put"),
    *("close begin", "close get", "close begin_read", "close checkpoint"),
]


@pytest.mark.parametrize("calls", OUT_OF_TURN)
def test_the_last_of_calls_out_of_turn_says_what_to_do(
    engine: Engine, fixed: TableLayout, calls: str
) -> None:
    *before, last = calls.split()
    for name in before:
        CALLS[name](engine, fixed)

    with pytest.raises(
        UsageError, match=r"(call begin\(\) first|without begin_read|end that one|open it again)"
    ):
        CALLS[last](engine, fixed)


def test_a_reader_refuses_to_write(engine: Engine) -> None:
    reader = engine.reader()

    with pytest.raises(StoreReadOnly, match="opened read-only; to write, open it without `read_only`"):
        reader.begin()

    assert reader.read_only
    reader.close()


def test_closing_rolls_back_and_may_be_repeated(engine: Engine, fixed: TableLayout) -> None:
    reader = engine.reader()
    engine.begin()
    engine.put_many(fixed, [b"aa"], [b"v"])

    engine.close()
    engine.close()

    assert reader.get(fixed, b"aa") is None
    reader.close()


def test_a_checkpoint_empties_the_log_and_loses_nothing(engine: Engine, fixed: TableLayout) -> None:
    write(engine, fixed, {b"aa": b"v"})

    engine.checkpoint()

    assert engine.wal_bytes() == 0
    assert engine.get(fixed, b"aa") == b"v"


@pytest.mark.parametrize("name", ["a.box", ":memory:"])
def test_another_durability_is_refused_and_nothing_is_made(tmp_path: Path, name: str) -> None:
    path = name if name == ":memory:" else str(tmp_path / name)
    odd: Any = "fast"

    with pytest.raises(UsageError, match=r"'fast', and there is none but 'durable' or 'relaxed'"):
        open_engine(path, durability=odd)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [3, None, b"words", ["words"]])
def test_a_search_for_what_is_no_text_says_what_to_pass(text: Any) -> None:
    with pytest.raises(UsageError, match="give words as a str"):
        search_for(text)
