"""Pages of packed records and sorted pages: native = Python, and both = what says so most plainly."""

from __future__ import annotations

import struct
from array import array
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native_support import native, need_compiler, outcome
from tests.property.native_worlds import PYTHON, both, damaged
from tests.property.test_native import FORMATS, not_texts, rows, seen, texts

from pillarbox.codec import INT_RANGES, Members, Packed, PackedField
from pillarbox.native import Library, OptionalColumn, Page, RecordColumn, RecordLayout, TailColumn
from pillarbox.native.pages import build_page, with_values


@pytest.fixture(autouse=True)
def _compiler() -> None:
    need_compiler()


# --------------------------------------------------------------------------------------- records

DEFAULTS: dict[str, list[Any]] = {
    "bool": [False, True],
    "float64": [0.0, 1.5, -0.0],
    "text": ["", "é"],
    "bytes": [b"", b"\0\1"],
    **{name: [low, 0, high] for name, (low, high) in INT_RANGES.items()},
}


class Level(IntEnum):
    """What integers of one type are of, mostly."""

    NONE = 0
    SOME = 1
    MOST = INT_RANGES["int16"][1]


MEMBERS = Members(Level)
doubles = st.sampled_from([0.0, -0.0, 1.5, float("inf"), float("nan"), 5e-324])


@st.composite
def record_layouts(draw: st.DrawFn, *, named: bool = True) -> RecordLayout:
    types = [*INT_RANGES, "bool", "float64", "text", "bytes"]
    fields = []
    for number in range(draw(st.integers(0, 5))):
        type_ = draw(st.just("int16") | st.sampled_from(types))
        kind = draw(st.sampled_from(["plain", "optional", "defaulted"]))
        default = draw(st.sampled_from(DEFAULTS[type_])) if kind == "defaulted" else None
        members = MEMBERS if named and type_ == "int16" and default != INT_RANGES["int16"][0] else None
        fields.append(PackedField(f"field_{number}", type_, kind == "optional", default, members))
    return RecordLayout(Packed("issues", tuple(fields)))


def near(field: PackedField) -> list[int]:
    """Integers at the edges of the field and of its default, and next to them on both sides."""
    edges = INT_RANGES.get(field.type, (0, 1))
    default = field.default if isinstance(field.default, int) else 0
    return [edge + step for edge in (*edges, default) for step in (-1, 0, 1)]


@st.composite
def values_of(draw: st.DrawFn, field: PackedField, size: int, *, fits: bool) -> Any:
    """A column of `size` values; unless `fits`, some may not be what the field takes."""
    if field.type == "float64":
        return array("d", draw(st.lists(doubles, min_size=size, max_size=size)))
    if field.type in ("text", "bytes"):
        default: Any = str(field.default or "").encode() if field.type == "text" else field.default or b""
        wanted: st.SearchStrategy[bytes] = texts | st.just(default)
        wanted = wanted if fits and field.type == "text" else wanted | not_texts
        return TailColumn.of(draw(st.lists(wanted, min_size=size, max_size=size)))
    code = "Q" if field.type == "uint64" else "q"
    code = code if fits else draw(st.sampled_from(FORMATS))
    low, high = INT_RANGES[f"{'u' * code.isupper()}int{8 * array(code).itemsize}"]
    if fits and field.members is not None:
        named = st.sampled_from(sorted(field.members))
        return array(code, draw(st.lists(named, min_size=size, max_size=size)))
    if fits:
        field_low, field_high = INT_RANGES.get(field.type, (0, 1))
        low, high = max(low, field_low), min(high, field_high)
    values = [value for value in near(field) if low <= value <= high] or [0]
    return array(code, draw(st.lists(st.sampled_from(values), min_size=size, max_size=size)))


@st.composite
def record_columns(draw: st.DrawFn, layout: RecordLayout, *, fits: bool) -> tuple[RecordColumn, ...]:
    size = draw(st.integers(0, 4))
    columns: list[RecordColumn] = []
    for field in layout.packed.fields:
        values = draw(values_of(field, size, fits=fits))
        present = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
        columns.append(OptionalColumn(values, bytes(present)) if field.optional else values)
    return tuple(columns)


def plain(columns: tuple[RecordColumn, ...]) -> list[Any]:
    """The values, whatever holds them; floats by their bits, for no NaN equals another."""
    told: list[Any] = []
    for one in columns:
        if isinstance(one, OptionalColumn):
            (values,) = plain((one.values,))
            told.append([value if there else None for value, there in zip(values, one.present, strict=True)])
        elif isinstance(one, TailColumn):
            told.append(one.values())
        else:
            told.append([struct.pack("<d", value) if isinstance(value, float) else value for value in one])
    return told


def row_values(layout: RecordLayout, columns: tuple[RecordColumn, ...], row: int) -> list[Any]:
    """One row as `Packed` takes it."""
    told: list[Any] = []
    for field, one in zip(layout.packed.fields, columns, strict=True):
        value: Any
        if isinstance(one, OptionalColumn):
            value = one.values.values()[row] if isinstance(one.values, TailColumn) else one.values[row]
            value = value if one.present[row] else None
        else:
            value = one.values()[row] if isinstance(one, TailColumn) else one[row]
        if value is not None and field.type in ("text", "bool"):
            value = bytes(value).decode() if field.type == "text" else bool(value)
        told.append(value)
    return told


@given(st.data(), record_layouts())
def test_a_page_holds_what_packed_writes_of_each_row_and_reads_back(
    data: st.DataObject, layout: RecordLayout
) -> None:
    columns = data.draw(record_columns(layout, fits=True))
    size = len(plain(columns)[0]) if columns else 0
    records = [layout.packed.encode(*row_values(layout, columns, row)) for row in range(size)]
    keys = build_page([b"%02d" % row for row in range(size)], None, 2)

    for library in (PYTHON, native()):
        page = library.encode_records(layout, columns)
        assert bytes(page) == build_page(records, None, 0)
        of_rows = library.open_page(with_values(keys, page), 2)
        assert of_rows.values() == tuple(records)
        for opened in (library.open_page(bytes(page), 0), of_rows):
            assert as_stored(layout, library.decode_records(layout, opened)) == as_stored(layout, columns)


def as_stored(layout: RecordLayout, columns: tuple[RecordColumn, ...]) -> list[Any]:
    """The values; a float that equals its default comes back as the default."""
    told = plain(columns)
    for field, values in zip(layout.packed.fields, told, strict=True):
        if field.type == "float64" and field.default == 0.0:
            zeros = struct.pack("<d", 0.0), struct.pack("<d", -0.0)
            values[:] = [struct.pack("<d", field.default) if value in zeros else value for value in values]
    return told


@given(st.data(), record_layouts())
def test_any_columns_give_the_same_records_or_the_same_error(
    data: st.DataObject, layout: RecordLayout
) -> None:
    columns = data.draw(record_columns(layout, fits=False))

    answers = both(lambda library: library.encode_records(layout, columns))

    assert answers[0] == answers[1]


def stored(field: PackedField, value: Any) -> bytes:
    """The bytes of one field that is there."""
    alone = Packed("issues", (PackedField("alone", field.type),))
    return alone.encode(value)[1:]


@st.composite
def stored_field(draw: st.DrawFn, field: PackedField) -> bytes:
    """A field as it is stored, or nearly so: its default written out, no bool, no UTF-8, a false length."""
    if field.default is not None and draw(st.booleans()):
        return stored(field, field.default)
    if field.type == "bool":
        return draw(st.sampled_from([b"\0", b"\1", b"\1", b"\2", b"\xff"]))
    if field.type == "float64":
        return struct.pack("<d", draw(doubles))
    if field.type in ("text", "bytes"):
        raw = draw(texts | texts | not_texts)
        size = draw(st.sampled_from([len(raw)] * 4 + [0, len(raw) + 1, 1 << 31, (1 << 32) - 1]))
        return size.to_bytes(4, "little") + raw
    return stored(field, draw(st.sampled_from(INT_RANGES[field.type]) | st.just(0)))


@st.composite
def stored_record(draw: st.DrawFn, layout: RecordLayout) -> bytes:
    """A record whose flags announce what follows; or, now and then, something else."""
    flags, bit, pieces = 0, 1, []
    for field in sorted(layout.packed.fields, key=lambda field: field.type in ("text", "bytes")):
        if not field.flagged or draw(st.booleans()):
            pieces.append((field, draw(stored_field(field))))
    there = [field.name for field, _ in pieces]
    for field in layout.packed.fields:
        if field.flagged:
            flags |= bit * (field.name in there)
            bit <<= 1
    flags = draw(st.sampled_from([flags] * 6 + [0, 1, bit, 0x80]))
    return draw(damaged(bytes([flags]) + b"".join([piece for _, piece in pieces])))


@given(st.data(), record_layouts(), st.booleans())
def test_any_records_decode_to_the_same_columns_or_the_same_error(
    data: st.DataObject, layout: RecordLayout, with_keys: bool
) -> None:
    records = data.draw(st.lists(stored_record(layout), max_size=3))
    keys = [b"%02d" % row for row in range(len(records))]
    page = PYTHON.open_page(
        build_page(keys, records, 2) if with_keys else build_page(records, None, 0), 2 * with_keys
    )

    def answer(library: Library) -> object:
        return plain(library.decode_records(layout, page))

    answers = both(answer)

    assert answers[0] == answers[1]


@given(st.data(), record_layouts(named=False))
def test_what_decodes_is_what_packed_writes(data: st.DataObject, layout: RecordLayout) -> None:
    page = PYTHON.open_page(build_page([data.draw(stored_record(layout))], None, 0), 0)

    for library in (PYTHON, native()):
        columns: Any = outcome(lambda library=library: library.decode_records(layout, page))  # type: ignore[misc]
        if columns and isinstance(columns[0], str):  # an error
            continue
        if layout.packed.fields:
            assert bytes(library.encode_records(layout, columns)) == page.data


# --------------------------------------------------------------------------------- sorted pages


@st.composite
def alike(draw: st.DrawFn) -> list[tuple[int, list[bytes], Any]]:
    """The rows of some pages of one table, many of them under the same keys."""
    width = draw(st.sampled_from([0, 1, 3, 12]))
    ends = st.sampled_from([b"", b"\0", b"a", b"\xff", b"a\0", b"ab"])
    begins = st.sampled_from([b"", b"12345678"]) if width in (0, 12) else st.just(b"")
    key = st.builds(bytes.__add__, begins, ends)
    if width:
        key = key.map(lambda one: one[-width:].ljust(width, b"\0"))
    has_values = draw(st.booleans())
    pages = []
    for _ in range(draw(st.integers(1, 3))):
        keys = draw(st.lists(key, max_size=8))
        values = draw(st.lists(st.binary(max_size=3), min_size=len(keys), max_size=len(keys)))
        pages.append((width, keys, values if has_values else None))
    return pages


@given(alike())
def test_sorted_pages_hold_each_key_once_with_its_last_value(
    pages: list[tuple[int, list[bytes], Any]],
) -> None:
    width, _, first = pages[0]
    wanted: dict[bytes, bytes] = {}
    for _, keys, values in pages:
        wanted.update(zip(keys, values or keys, strict=True))
    ordered = sorted(wanted.items())
    expected = build_page(
        [key for key, _ in ordered], None if first is None else [value for _, value in ordered], width
    )

    for library in (PYTHON, native()):
        opened = [library.open_page(build_page(keys, values, width), width) for width, keys, values in pages]
        page = library.sort_pages(opened)
        assert bytes(page) == expected
        library.check_ascending(library.open_page(page, width))


@given(st.data(), st.lists(rows(), max_size=3))
def test_any_pages_are_sorted_alike_or_refused_alike(
    data: st.DataObject, cases: list[tuple[int, list[bytes], Any]]
) -> None:
    opened: list[Page] = []
    for width, keys, values in cases:
        torn = data.draw(damaged(build_page(keys, values, width)))
        page = outcome(lambda torn=torn, width=width: PYTHON.open_page(torn, width))  # type: ignore[misc]
        opened += [page] if isinstance(page, Page) else []

    def answer(library: Library) -> object:
        width = opened[0].key_width if opened else 0
        return seen(library.open_page(bytes(library.sort_pages(opened)), width))

    answers = both(answer)

    assert answers[0] == answers[1]
