"""A file that is made in one go: it has no journal, so nothing that fails in its middle can be taken back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.storage.rows import keys_of

from pillarbox.storage import TableLayout
from pillarbox.storage.scratch import ScratchEngine


@pytest.mark.parametrize("place", [0, 7, 39])
def test_rows_are_added_where_no_key_is_there_and_else_none_is(
    tmp_path: Path, table: TableLayout, place: int
) -> None:
    keys = keys_of(table, 40)
    with closing(ScratchEngine(str(tmp_path / "a.box"))) as engine:
        engine.begin()
        engine.create(table)
        assert engine.add_many(table, [keys[place]], [b"old"])

        assert not engine.add_many(table, keys, [b"new"] * len(keys))
        assert engine.scan(table, None, None) == [(keys[place], b"old")]

        others = [key for key in keys if key != keys[place]]
        assert engine.add_many(table, others, [b"new"] * len(others))
        engine.commit()
        assert engine.count(table) == len(keys)
        assert engine.get(table, keys[place]) == b"old"
