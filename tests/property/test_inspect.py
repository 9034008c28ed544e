"""Rows read by the layout stored in a box are the rows that the generated package reads, errors included."""

from __future__ import annotations

import importlib
import json
import re
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.test_specs import SCHEMAS, SPECS, TABLES, Rows

from pillarbox.codec import Unknown
from pillarbox.errors import DataError, KeyCorrupt, RangeError, RecordCorrupt
from pillarbox.inspect.findings import Finding, Findings
from pillarbox.inspect.keys import KeyCodec, PartCodec
from pillarbox.inspect.records import RowCodec, Structs
from pillarbox.inspect.shape import StoredLayout, TableShape, parse_type, read_layout
from pillarbox.inspect.values import Values
from pillarbox.inspect.verify import _rows_in_order
from pillarbox_codegen.plan import names

LAYOUTS = {
    name: read_layout("a.box", importlib.import_module(f"pillarbox_{name}.layout").LAYOUT.encode())
    for name in SCHEMAS
}
STRUCTS = {name: Structs(layout, strict=True) for name, layout in LAYOUTS.items()}


class Both:
    """One table, read by its generated spec and by the layout."""

    def __init__(self, name: str, table: str, structs: Structs) -> None:
        self.layout = LAYOUTS[name]
        self.spec = getattr(SPECS[name], names.constant(table))
        self.shape: TableShape = self.layout.tables[self.spec.id]
        self.keys = KeyCodec(self.layout, self.shape)
        self.rows = RowCodec(self.layout, self.shape, structs, strict=True)
        self.values = Values(self.layout)
        self.drawn = Rows(SCHEMAS[name]).row(SCHEMAS[name].tables[table])

    def by_layout(self, key: Any, value: bytes) -> Any:
        """Key parts and field values as plain data, or None where the row is refused."""
        try:
            parts = self.keys.decode(key)
            return plain([*parts, *self.rows.decode(parts, value)])
        except DataError:
            return None

    def by_package(self, key: Any, value: bytes) -> Any:
        """The same by the generated code; also None for what generated code never looks at: a row that
        says it has another key, and a value in a table without values.
        """
        if self.shape.layout == "empty" and value:
            return None
        try:
            row = self.spec.row(key, self.spec.cell_from(value))
            parts = self.spec.key_fields(key)
        except DataError:
            return None
        if not isinstance(parts, tuple):
            parts = (parts,)
        found = fields_of(row)
        return plain(found) if plain(found[: len(parts)]) == plain(parts) else None


@cache
def both_of(name: str, table: str) -> Both:
    return Both(name, table, STRUCTS[name])


def fields_of(row: Any) -> list[Any]:
    """The values of a generated struct, without those of reserved numbers."""
    return [getattr(row, name) for name in row.__struct_fields__ if not name.startswith("_reserved_")]


def plain(value: Any) -> Any:
    """Structs as (tag, fields..), so that those of the package and those of the layout compare."""
    if isinstance(value, msgspec.Struct):
        held = [getattr(value, name) for name in value.__struct_fields__ if not name.startswith("_reserved_")]
        return (value.__struct_config__.tag, *map(plain, held))
    if isinstance(value, list | tuple):
        return tuple(map(plain, value))
    if isinstance(value, Unknown):
        return ("unknown", value.tag, value.raw)
    return repr(int(value)) if isinstance(value, int) and not isinstance(value, bool) else repr(value)


@pytest.mark.parametrize("name", STRUCTS)
def test_a_class_has_the_classes_that_it_names_and_no_others(name: str) -> None:
    """A layout may have hundreds, and each of them would have all."""
    rows = [STRUCTS[name].row(table) for table in LAYOUTS[name].tables.values()]
    named = [set(re.findall(r"type_\w+", str(row.__annotations__))) for row in rows]

    assert [{it for it in vars(row) if it.startswith("type_")} for row in rows] == named
    assert any(named)


@pytest.mark.parametrize(("name", "table"), TABLES)
@given(data=st.data())
def test_a_row_reads_the_same_by_layout_and_by_package(name: str, table: str, data: st.DataObject) -> None:
    check_reads_alike(both_of(name, table), data)


def check_reads_alike(both: Both, data: st.DataObject) -> None:
    row = data.draw(both.drawn)
    key, value = both.spec.key_of(row), both.spec.bytes_of(both.spec.cell_of(row))

    assert both.by_layout(key, value) == both.by_package(key, value) is not None
    assert both.keys.encode(both.keys.decode(key)) == key
    if isinstance(key, bytes):
        broken = mangled(data, key)
        assert both.by_layout(broken, value) == both.by_package(broken, value)
        parts, wrong = both.keys.explain(broken)
        assert b"".join(part.raw for part in parts) == broken[: parts[-1].end if parts else 0]
        assert (wrong is None) == accepts(both.keys, broken)
    broken = mangled(data, value)
    assert both.by_layout(key, broken) == both.by_package(key, broken)


#: Each with a table of the tracker that has what the fault breaks.
FAULTS = (
    (
        "issues",
        Fault("numbers are not biased", PartCodec, "take", '"big") - self.bias', '"big")'),
    ),
    (
        "by_priority",
        Fault(
            "a direction is forgotten", PartCodec, "take", "invert(raw) if self.shape.desc else raw", "raw"
        ),
    ),
    ("board_cells", Fault("a bool takes any byte", PartCodec, "take", "if raw[0] > 1:", "if False:")),
    ("by_state", Fault("enums take any number", KeyCodec, "_taken_apart", "strict and", "False and")),
    (
        "issues",
        Fault("bytes behind a key are not seen", KeyCodec, "_taken_apart", "if at != len(key):", "if False:"),
    ),
    (
        "by_priority",
        Fault("an enum in a row takes any number", RowCodec, "_decode_packed", "in self._enums", "in ()"),
    ),
    ("audit", Fault("rows are under any key", RowCodec, "_decode_record", "if held != key:", "if False:")),
    (
        "projects",
        Fault("fields are counted without the key", RowCodec, "__init__", "len(table.key) + field", "field"),
    ),
    ("projects", Fault("reserved places are closed", Structs, "_slots", "in shape.reserved", "in ()")),
    (
        "watchers",
        Fault("packed rows lack no default", RowCodec, "_packed_field", "if may_lack else None", "and None"),
    ),
)


@pytest.mark.parametrize(("table", "fault"), FAULTS, ids=str)
def test_a_planted_fault_breaks_the_law(table: str, fault: Fault) -> None:
    @settings(HARD)
    @given(data=st.data())
    def law(data: st.DataObject) -> None:
        check_reads_alike(Both("tracker", table, Structs(LAYOUTS["tracker"], strict=True)), data)

    with fault.planted(), pytest.raises((AssertionError, AttributeError, RangeError)):
        law()


def mangled(data: st.DataObject, raw: bytes) -> bytes:
    """Bytes with one of them changed, mostly; else with one taken away or put in."""
    at = data.draw(st.integers(0, len(raw)))
    middle, over = data.draw(st.sampled_from(((1, 1), (1, 1), (1, 1), (0, 1), (1, 0))))
    return raw[:at] + data.draw(st.binary(min_size=middle, max_size=middle)) + raw[at + over :]


def accepts(codec: KeyCodec, key: bytes) -> bool:
    try:
        codec.decode(key)
    except DataError:
        return False
    return True


@pytest.mark.parametrize(("name", "table"), TABLES)
@given(data=st.data())
def test_what_is_shown_is_json_and_a_shown_key_is_read_back(
    name: str, table: str, data: st.DataObject
) -> None:
    both = both_of(name, table)
    row = data.draw(both.drawn)
    key = both.spec.key_of(row)
    parts = both.keys.decode(key)
    found = both.rows.decode(parts, both.spec.bytes_of(both.spec.cell_of(row)))

    fields = zip(both.shape.record.fields, found, strict=True)
    shown = [both.values.shown(field.type, it) for field, it in fields]
    texts = [both.values.text_of(part.type, it) for part, it in zip(both.shape.key, parts, strict=True)]

    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert all(text.isprintable() for text in texts)
    for part, text, value in zip(both.shape.key, texts, parts, strict=True):
        assert both.values.parsed(part.type, text) == value


#: Texts that are marks, that end in what is not seen, that would do something to a terminal.
ODD_TEXTS = st.text(st.sampled_from('"\\-n0x a\n\t\0\x7f\x9b\u2028\u202e\U000e0001é'), max_size=4)


@given(texts=st.lists(ODD_TEXTS | st.text(), min_size=2, max_size=2, unique=True))
def test_texts_that_differ_are_shown_apart_and_are_read_back(texts: list[str]) -> None:
    values, text = Values(LAYOUTS["tracker"]), parse_type("text")
    shown = [values.text_of(text, one) for one in texts]

    assert [values.parsed(text, one) for one in shown] == texts
    assert shown[0] != shown[1]
    assert "-" not in shown
    assert all(one.isprintable() and one == one.strip() for one in shown)


@given(number=st.integers(0, 255))
def test_a_number_of_an_enum_is_read_back_with_a_name_or_without(number: int) -> None:
    values, state = Values(LAYOUTS["tracker"]), parse_type("State")
    assert values.parsed(state, values.text_of(state, number)) == number


# ------------------------------------------------------------------------------- what layouts may hold

CHAIN = {
    "format": 1,
    "schema": "chains",
    "types": {
        "Link": {
            "record": [
                {"number": 1, "name": "__class__", "type": "int8"},
                {"number": 3, "name": "next", "type": "opt<Link>", "default": None},
                {"number": 4, "name": "either", "type": "list<Either>", "default": []},
            ],
            "reserved": [2],
        },
        "Either": {
            "union": {
                "1": {"name": "One", "fields": [{"number": 1, "name": "link", "type": "Link"}]},
                "7": {"name": "None", "fields": [], "reserved": []},
            }
        },
    },
    "tables": {
        "5": {
            "name": "chains",
            "role": "primary",
            "key": [{"name": "n", "type": "bool", "desc": True}, {"name": "t", "type": "text", "desc": True}],
            "layout": "record",
            "storage": "clustered",
            "fields": [{"number": 2, "name": "import os", "type": "Link"}],
            "reserved": [1],
            "rule": None,
        }
    },
}


def chains() -> tuple[StoredLayout, TableShape]:
    layout = StoredLayout(CHAIN)
    return layout, layout.tables[5]


def test_types_that_hold_each_other_and_hostile_names_are_read() -> None:
    layout, table = chains()
    inner = [1, None, None, [[1, [2]], [7], [9, "new"]]]
    value = msgspec.msgpack.encode([True, "a", None, [5, "anything", inner]])

    (found,) = RowCodec(layout, table, Structs(layout, strict=True), strict=True).decode((True, "a"), value)

    assert Values(layout).shown(table.record.fields[0].type, found) == {
        "__class__": 5,
        "next": {
            "__class__": 1,
            "next": None,
            "either": [
                {"One": {"link": {"__class__": 2, "next": None, "either": []}}},
                {"None": {}},
                {"unknown case 9": "0x9209a36e6577"},
            ],
        },
        "either": [],
    }


def test_a_record_that_names_another_key_than_its_own_is_refused() -> None:
    layout, table = chains()
    value = msgspec.msgpack.encode([True, "a", None, [5]])
    rows = RowCodec(layout, table, Structs(layout, strict=True), strict=True)

    with pytest.raises(RecordCorrupt, match="says that its key is"):
        rows.decode((True, "b"), value)


@pytest.mark.parametrize("key", [None, "text", 5])
def test_a_key_of_a_damaged_page_that_holds_no_bytes_is_told_as_damage(key: Any) -> None:
    with pytest.raises(KeyCorrupt, match="is stored in the place of bytes"):
        KeyCodec(*chains()).decode(key)


def test_rows_are_read_up_to_a_key_that_holds_no_bytes() -> None:
    class Damaged:
        def scan(self, *_range: object, limit: int) -> list[tuple[Any, bytes]]:
            return [(b"a", b""), (None, b""), (b"c", b"")][:limit]

    told: list[Finding] = []
    table = chains()[1]
    box: Any = SimpleNamespace(engine=Damaged())

    read = list(_rows_in_order(box, table, Findings(told.append)))

    assert read == [(b"a", b"")]
    assert len(told) == 1


@given(st.booleans(), st.text(max_size=3), st.booleans(), st.text(max_size=3))
def test_descending_parts_turn_the_order_around(one: bool, text: str, other: bool, more: str) -> None:
    codec = KeyCodec(*chains())
    first, second = codec.encode((one, text)), codec.encode((other, more))

    assert isinstance(first, bytes)
    assert isinstance(second, bytes)
    assert codec.decode(first) == (one, text)
    assert (first < second) == ((one, text.encode()) > (other, more.encode()))


@pytest.mark.parametrize(
    "text", ["opt<", "list<int8", "map<int8>", "set<int8>", "map<int8,int8,int8>", "opt<int8>>", "opt<" * 99]
)
def test_text_that_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no type"):
        parse_type(text)
