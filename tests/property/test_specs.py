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
from tests.property.test_keys import bounds, texts

from pillarbox.errors import DataError, KeyCorrupt, RecordCorrupt
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.structs import row_fields

ROOT = Path(__file__).parents[2]
SCHEMAS = {name: load_schema(ROOT / "schema" / name) for name in ("messenger", "tracker")}
TYPES = {name: importlib.import_module(f"pillarbox_{name}.types") for name in SCHEMAS}
SPECS = {name: importlib.import_module(f"pillarbox_{name}.specs") for name in SCHEMAS}
TABLES = [(name, table) for name, schema in SCHEMAS.items() for table in schema.tables]


#: Below so many values within values nothing more is there that may be absent.
DEEP = 2


class Rows:
    """Strategies for the values of one schema's types."""

    def __init__(self, name: str) -> None:
        self._schema, self._classes = SCHEMAS[name], TYPES[name]
        self._known: dict[tuple[str, int], st.SearchStrategy[Any]] = {}

    def row(self, table: model.Table) -> st.SearchStrategy[Any]:
        fields = {names.field(field.name): self.value(field.type, 0) for field in row_fields(table)}
        return st.builds(getattr(self._classes, names.class_name(table.name)), **fields)

    def value(self, type_: model.Type, depth: int) -> st.SearchStrategy[Any]:
        match type_:
            case model.Optional() if depth > DEEP:
                return st.none()
            case model.ListOf() | model.MapOf() if depth > DEEP:
                return st.just(())
            case model.Optional(item):
                absent = [st.none()] * (1 if depth == 0 else 3)  # what is deep is mostly not there
                return st.one_of(*absent, self.value(item, depth))
            case model.ListOf(item):
                return st.lists(self.value(item, depth + 1), max_size=max(0, 2 - depth)).map(tuple)
            case model.MapOf(key, value):
                pairs = st.dictionaries(self.value(key, depth), self.value(value, depth + 1), max_size=2)
                return pairs.map(lambda found: tuple(sorted(found.items())))
            case model.Scalar(name):
                return self._scalar(name)
            case model.Named(name):
                found = self._known.get((name, depth))
                if found is None:  # types may be within themselves: one strategy for each depth
                    found = self._known[name, depth] = self._named(self._schema.types[name], depth)
                return found
        raise AssertionError(f"{type_} is not stored")

    def _scalar(self, name: str) -> st.SearchStrategy[Any]:
        plain: dict[str, st.SearchStrategy[Any]] = {
            "bool": st.booleans(),
            "text": texts,
            "bytes": st.binary(max_size=3),
            "float64": st.floats(allow_nan=False),
        }
        return plain[name] if name in plain else st.integers(*bounds(name))

    def _named(self, definition: model.TypeDef, depth: int) -> st.SearchStrategy[Any]:
        match definition:
            case model.EnumType():
                return st.sampled_from(list(getattr(self._classes, names.type_class(definition.name))))
            case model.IdType() | model.FlagsType():
                return self._scalar(definition.base.name)
            case model.PackedId():
                return st.integers(0, (1 << 63) - 1)
            case model.RecordType():
                return self._struct(definition.name, definition.fields, depth)
            case model.UnionType():
                return st.one_of(*(self._struct(case.name, case.fields, depth) for case in definition.cases))

    def _struct(self, name: str, fields: tuple[model.Field, ...], depth: int) -> st.SearchStrategy[Any]:
        values = {names.field(field.name): self.value(field.type, depth + 1) for field in fields}
        return st.builds(getattr(self._classes, names.type_class(name)), **values)


@cache
def rows(name: str, table: str) -> st.SearchStrategy[Any]:
    """Any row of a table of a shipped schema."""
    return Rows(name).row(SCHEMAS[name].tables[table])


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
