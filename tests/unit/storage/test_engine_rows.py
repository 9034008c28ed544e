"""Rows and tables, which every engine keeps alike. The `engine` fixture gives each kind in turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.storage.rows import keys_of, write

from pillarbox.errors import UsageError
from pillarbox.storage import Engine, StoredKey, TableLayout


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


@pytest.mark.parametrize("count", [1, 2, 40])
def test_rows_are_added_where_no_key_is_there_and_else_none_is(
    engine: Engine, table: TableLayout, count: int
) -> None:
    keys = keys_of(table, count + 2)
    write(engine, table, {keys[-2]: b"old"})

    engine.begin()
    assert not engine.add_many(table, keys[:-1], [b"new"] * (count + 1))
    assert not engine.add_many(table, [keys[-2]], [b"new"])
    assert engine.scan(table, None, None) == [(keys[-2], b"old")]
    assert engine.add_many(table, keys[:count], [b"new"] * count)
    engine.commit()

    assert engine.scan(table, None, None) == [*((key, b"new") for key in keys[:count]), (keys[-2], b"old")]


def test_empty_batches_do_nothing(engine: Engine, table: TableLayout) -> None:
    engine.begin()
    engine.put_many(table, [], [])
    assert engine.add_many(table, [], [])
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
    assert scanned(None, None, limit=1 << 63) == scanned(None, None)


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
