"""The engine in memory where somebody is interrupted: a commit is done or not, and never in part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from tests.unit.box.moments import files_of, interrupts

from pillarbox.storage import MemoryEngine, StoredKey, TableLayout, memory

FILES: Final = files_of(memory)
#: Of two tables, so that one may have what the other lacks.
TABLES: Final = [TableLayout(id, f"t{id}", int_key=True, key_width=None, heap=False) for id in (1, 2)]


def contents(engine: MemoryEngine) -> list[list[tuple[StoredKey, bytes]]]:
    """All rows of each table, looked up one by one as well."""
    rows = [engine.scan(table, None, None) for table in TABLES]
    for table, found in zip(TABLES, rows, strict=True):
        keys = [key for key, _ in found]
        assert keys == sorted(set(keys))
        assert engine.get_many(table, range(100)) == dict(found)
        assert all(engine.get(table, key) == value for key, value in found)
    return rows


def write(engine: MemoryEngine, step: int) -> None:
    """Some rows are new, changed and gone in each table, in an open transaction."""
    for table in TABLES:
        keys = range(step % 7, 12, 2)
        engine.put_many(table, keys, [b"%d" % step] * len(keys))
        engine.remove_many(table, range((step + 3) % 7, 12, 3))


def filled() -> MemoryEngine:
    engine = MemoryEngine()
    engine.begin()
    for table in TABLES:
        engine.create(table)
    write(engine, 0)
    engine.commit()
    return engine


def end(engine: MemoryEngine) -> None:
    """As whoever was interrupted in a commit does."""
    if engine._drafts is not None:
        engine.rollback()


@pytest.mark.parametrize("placed", [1, 16])
@pytest.mark.parametrize("held", [False, True], ids=["free", "held"])
@pytest.mark.parametrize("look", ["reader", "writer", "next"])
def test_who_is_interrupted_in_a_commit_leaves_all_of_it_or_nothing(
    placed: int, held: bool, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes next finds it so: one who reads, the writer itself, or its next transaction."""
    monkeypatch.setattr(memory, "_PLACED_ONE_BY_ONE", placed)
    engine = filled()
    reader, looking = engine.reader(), engine.reader()
    before = after = contents(engine)
    both: set[bool] = set()
    version = reader.data_version()

    def make(moment: int) -> Callable[[], object]:
        nonlocal before, after
        before = contents(engine)
        if held:
            looking.begin_read()
        engine.begin()
        write(engine, moment)
        after = contents(engine)
        assert after != before
        return engine.commit

    for moment in interrupts(FILES, make):
        if look == "reader":
            found = contents(reader)
            assert found in (before, after), moment
            both.add(found == after)
        end(engine)
        if look == "next":
            engine.begin()
            engine.put_many(TABLES[1], [99], [b"next"])
            engine.commit()
            assert contents(engine)[1][-1] == (99, b"next")
            engine.begin()
            engine.remove_many(TABLES[1], [99])
            engine.commit()
        found = contents(engine)
        assert found in (before, after), moment
        assert contents(reader) == found
        both.add(found == after)
        assert reader.data_version() == version + sum((found == after, 2 * (look == "next")))
        version = reader.data_version()
        if held:
            assert contents(looking) == before
            looking.end_read()

    assert both == {False, True}
    assert engine.data_version() == 0


def test_a_commit_that_was_interrupted_counts_once() -> None:
    engine = filled()
    reader = engine.reader()
    for _ in interrupts(FILES, lambda moment: engine.begin() or write(engine, moment) or engine.commit):  # type: ignore[func-returns-value]
        version = reader.data_version()
        end(engine)
        now = reader.begin_read()
        reader.end_read()
        assert now - version in (0, 1)
