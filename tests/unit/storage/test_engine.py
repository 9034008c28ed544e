"""What every engine does alike. The `engine` fixture gives each kind in turn."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from pillarbox.errors import StoreReadOnly, UsageError
from pillarbox.storage import Engine, StoredKey, TableLayout, open_engine, search_for


def keys_of(table: TableLayout, count: int) -> list[StoredKey]:
    """The first keys in ascending order."""
    if table.int_key:
        return list(range(-3, count - 3))
    return [number.to_bytes(2, "big") for number in range(count)]


def write(engine: Engine, table: TableLayout, rows: dict[StoredKey, bytes]) -> None:
    engine.begin()
    engine.put_many(table, list(rows), list(rows.values()))
    engine.commit()


@pytest.mark.parametrize("count", [1, 2, 40])
def test_rows_that_were_put_are_read_back_in_key_order(
    engine: Engine, table: TableLayout, count: int
) -> None:
    rows = {key: b"v%d" % place for place, key in enumerate(keys_of(table, count))}

    write(engine, table, rows)

    assert engine.scan(table, None, None) == list(rows.items())
    assert engine.get_many(table, list(rows)) == rows
    assert {key: engine.get(table, key) for key in rows} == rows


@pytest.mark.parametrize("count", [1, 2, 40])
def test_a_put_replaces_the_value_and_keeps_the_others(
    engine: Engine, table: TableLayout, count: int
) -> None:
    keys = keys_of(table, count + 1)
    write(engine, table, dict.fromkeys(keys, b"old"))

    write(engine, table, dict.fromkeys(keys[:count], b"new"))

    assert engine.scan(table, None, None) == [*((key, b"new") for key in keys[:count]), (keys[-1], b"old")]


@pytest.mark.parametrize("count", [1, 2, 40])
def test_removed_rows_are_gone_and_absent_ones_are_no_error(
    engine: Engine, table: TableLayout, count: int
) -> None:
    keys = keys_of(table, count + 2)
    write(engine, table, dict.fromkeys(keys[:-1], b"v"))

    engine.begin()
    engine.remove_many(table, [*keys[:count], keys[-1]])
    engine.commit()

    assert engine.scan(table, None, None) == [(keys[count], b"v")]


def test_empty_batches_do_nothing(engine: Engine, table: TableLayout) -> None:
    engine.begin()
    engine.put_many(table, [], [])
    engine.remove_many(table, [])
    engine.commit()

    assert engine.get_many(table, []) == {}
    assert engine.scan(table, None, None) == []


def test_absent_keys_are_missing_from_what_get_many_answers(engine: Engine, table: TableLayout) -> None:
    keys = keys_of(table, 5)
    write(engine, table, {keys[1]: b"v"})

    assert engine.get_many(table, keys) == {keys[1]: b"v"}
    assert engine.get_many(table, keys[:1]) == {}
    assert engine.get(table, keys[0]) is None


@pytest.mark.parametrize("value", [b"", b"\0", b"\0\xff\0", b"1234567890" * 10_000])
def test_values_survive_whatever_bytes_they_are(engine: Engine, table: TableLayout, value: bytes) -> None:
    rows = dict.fromkeys(keys_of(table, 3), value)

    write(engine, table, rows)

    assert engine.get_many(table, list(rows)) == rows


def test_varying_keys_survive_whatever_bytes_they_are(engine: Engine) -> None:
    varying = TableLayout(id=2, name="varying", int_key=False, key_width=None, heap=False)
    rows: dict[StoredKey, bytes] = dict.fromkeys(
        sorted([b"", b"\0", b"\0\0", b"00000003", b"\xff" * 3000]), b"3"
    )

    write(engine, varying, rows)

    assert engine.scan(varying, None, None) == list(rows.items())


def test_int_keys_reach_both_ends_of_64_bits(engine: Engine) -> None:
    numbered = TableLayout(id=3, name="numbered", int_key=True, key_width=None, heap=False)
    rows: dict[StoredKey, bytes] = {-(2**63): b"a", -1: b"b", 0: b"c", 2**63 - 1: b"d"}

    write(engine, numbered, rows)

    assert engine.scan(numbered, None, None) == list(rows.items())
    assert engine.get_many(numbered, list(rows)) == rows


def test_a_scan_takes_the_low_bound_and_leaves_the_high_one(engine: Engine, table: TableLayout) -> None:
    keys = keys_of(table, 6)
    write(engine, table, dict.fromkeys(keys, b"v"))

    def scanned(low: StoredKey | None, high: StoredKey | None, **options: Any) -> list[StoredKey]:
        return [key for key, _ in engine.scan(table, low, high, **options)]

    assert scanned(keys[1], keys[4]) == keys[1:4]
    assert scanned(keys[1], None) == keys[1:]
    assert scanned(None, keys[4]) == keys[:4]
    assert scanned(keys[4], keys[1]) == []
    assert scanned(keys[1], keys[4], newest_first=True) == [keys[3], keys[2], keys[1]]
    assert scanned(keys[1], keys[5], limit=2) == keys[1:3]
    assert scanned(None, None, newest_first=True, limit=2) == [keys[5], keys[4]]
    assert scanned(None, None, limit=0) == []


def test_a_transaction_reads_its_own_writes_before_they_are_committed(
    engine: Engine, table: TableLayout
) -> None:
    keys = keys_of(table, 4)
    write(engine, table, {keys[0]: b"old", keys[1]: b"old", keys[2]: b"old"})

    engine.begin()
    engine.put_many(table, [keys[0], keys[3]], [b"", b"new"])
    engine.remove_many(table, [keys[1]])

    expected = {keys[0]: b"", keys[2]: b"old", keys[3]: b"new"}
    assert engine.get_many(table, keys) == expected
    assert engine.get(table, keys[0]) == b""
    assert engine.scan(table, None, None) == list(expected.items())
    assert engine.scan(table, keys[1], None, newest_first=True, limit=1) == [(keys[3], b"new")]
    engine.rollback()


def test_a_rollback_undoes_rows_tables_and_names(engine: Engine, fixed: TableLayout) -> None:
    write(engine, fixed, {b"aa": b"old"})
    other = replace(fixed, id=9)

    engine.begin()
    engine.put_many(fixed, [b"aa", b"bb"], [b"new", b"new"])
    engine.clear(fixed)
    engine.drop(fixed)
    engine.create(other)
    engine.set_meta("layout", b"new")
    engine.rollback()

    assert engine.scan(fixed, None, None) == [(b"aa", b"old")]
    assert engine.meta("layout") is None
    with pytest.raises(UsageError, match="no such table: t9"):
        engine.get(other, b"aa")


def test_create_keeps_a_table_that_is_there_and_drop_is_content_when_none_is(
    engine: Engine, fixed: TableLayout
) -> None:
    write(engine, fixed, {b"aa": b"v"})

    engine.begin()
    engine.create(fixed)
    engine.drop(replace(fixed, id=9))
    engine.commit()

    assert engine.get(fixed, b"aa") == b"v"


def test_clear_empties_a_table_that_can_be_filled_again_at_once(engine: Engine, table: TableLayout) -> None:
    keys = keys_of(table, 3)
    write(engine, table, dict.fromkeys(keys, b"v"))

    engine.begin()
    engine.clear(table)
    engine.put_many(table, keys[:1], [b"w"])
    engine.commit()

    assert engine.scan(table, None, None) == [(keys[0], b"w")]


def test_a_dropped_table_can_come_back_in_another_shape(engine: Engine, fixed: TableLayout) -> None:
    write(engine, fixed, {b"aa": b"v", b"bb": b"v"})
    wider = replace(fixed, key_width=3)

    engine.begin()
    engine.drop(fixed)
    engine.create(wider)
    engine.put_many(wider, [b"aaa", b"bbb"], [b"1", b"2"])
    engine.commit()

    assert engine.scan(wider, None, None) == [(b"aaa", b"1"), (b"bbb", b"2")]


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

    with pytest.raises(StoreReadOnly, match="opened read-only"):
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
