"""Rows of every table of both shipped schemas: to bytes and back, and torn bytes named as what they are."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.random_values import RandomValues
from tests.property.test_keys import bounds, texts

from pillarbox.errors import DataError, KeyCorrupt, RecordCorrupt
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names

ROOT = Path(__file__).parents[2]
SCHEMAS = {name: load_schema(ROOT / "schema" / name) for name in ("messenger", "tracker")}
TYPES = {name: importlib.import_module(f"pillarbox_{name}.types") for name in SCHEMAS}
SPECS = {name: importlib.import_module(f"pillarbox_{name}.specs") for name in SCHEMAS}
TABLES = [(name, table) for name, schema in SCHEMAS.items() for table in schema.tables]


class Rows(RandomValues):
    """Values over the whole range of each type."""

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        plain: dict[str, st.SearchStrategy[Any]] = {
            "bool": st.booleans(),
            "text": texts,
            "bytes": st.binary(max_size=3),
            "float64": st.floats(allow_nan=False),
        }
        return plain[name] if name in plain else st.integers(*bounds(name))

    def packed(self, definition: model.PackedId) -> st.SearchStrategy[Any]:
        return st.integers(0, (1 << 63) - 1)


@cache
def _rows(name: str) -> Rows:
    return Rows(SCHEMAS[name])


@cache
def rows(name: str, table: str) -> st.SearchStrategy[Any]:
    """Any row of a table of a shipped schema."""
    return _rows(name).row(SCHEMAS[name].tables[table])


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives; raises whatever is not an error about data."""
    try:
        return function(*arguments)
    except DataError as error:
        return error


@pytest.mark.parametrize(("name", "table"), TABLES)
@given(data=st.data())
def test_a_row_comes_back_from_its_key_and_value(name: str, table: str, data: st.DataObject) -> None:
    spec = getattr(SPECS[name], names.constant(table))
    row = data.draw(rows(name, table))

    key, value = spec.key_of(row), spec.bytes_of(spec.cell_of(row))

    assert spec.row(key, spec.cell_from(value)) == row
    assert spec.key_of(spec.row(key, spec.cell_from(value))) == key
    if isinstance(key, bytes) and key:
        torn = data.draw(st.sampled_from([key[:-1], key + b"\0", b"\xff" * len(key)]))
        assert isinstance(outcome(spec.key_fields, torn), tuple | KeyCorrupt)
        assert not isinstance(outcome(spec.row, torn, spec.cell_from(value)), RecordCorrupt)
    broken = outcome(lambda: spec.row(key, spec.cell_from(value + b"\0")))
    assert isinstance(broken, RecordCorrupt | type(row))


def test_a_value_nobody_knows_is_told_where_it_is() -> None:
    types, specs = TYPES["tracker"], SPECS["tracker"]
    row = types.ByPriority(1, types.Priority.HIGH, 2, 3, types.State.OPEN, True, 4)
    key, cell = specs.BY_PRIORITY.key_of(row), specs.BY_PRIORITY.cell_of(row)

    in_key = outcome(specs.BY_PRIORITY.row, key[:8] + b"\0\1" + key[10:], cell)
    in_cell = outcome(specs.BY_PRIORITY.row, key, cell[:1] + b"\x63" + cell[2:])

    assert isinstance(in_key, KeyCorrupt)
    assert "1 is not a valid Priority" in str(in_key)
    assert isinstance(in_cell, RecordCorrupt)
    assert "99 is not a valid State" in str(in_cell)
