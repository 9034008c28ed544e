"""Layouts and columns of packed records: what both paths are given to encode and decode pages of them.

Depends on: layouts, pages, pillarbox.codec, pillarbox.errors.  Never on: any table.

Law: a column holds a row's value exactly as `Packed` takes it, but that text is UTF-8 and a bool 0 or 1.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import pack
from typing import Any, Final, TypeAlias

from pillarbox.codec import Packed, PackedField
from pillarbox.errors import RangeError, RecordCorrupt, UsageError
from pillarbox.native.layouts import (
    PARTS_MAX,
    TAILS,
    WIDTHS,
    Column,
    TailColumn,
    checked_column,
    new_int_column,
)
from pillarbox.native.pages import Page

#: The numbers of `pbx_part.kind`; integers are 0, or 1 with a sign.
_KINDS: Final = {"bool": 2, "text": 3, "bytes": 4, "float64": 5}


@dataclass(frozen=True, slots=True)
class OptionalColumn:
    """The column of an optional field: where `present` holds 0 the row has no value, else 1.

    `values` has an item for each row; those of rows without a value do not count.
    """

    values: Column
    present: bytes | bytearray


RecordColumn: TypeAlias = "Column | OptionalColumn"


@dataclass(frozen=True, slots=True)
class Checked:
    """A column that fits its field. `present` is None where the field is not optional."""

    field: PackedField
    values: memoryview | TailColumn
    present: bytes | bytearray | None

    def value(self, row: int) -> Any:
        """What `Packed.encode` is given. Bytes that are no UTF-8 become text that it refuses."""
        if self.present is not None and not self.present[row]:
            return None
        if isinstance(self.values, TailColumn):
            begin, end = self.values.offsets[row : row + 2]
            raw = bytes(self.values.data[begin:end])
            return raw.decode(errors="surrogateescape") if self.field.type == "text" else raw
        number = self.values[row]
        return bool(number) if self.field.type == "bool" and number in (0, 1) else number


@dataclass(frozen=True)
class RecordLayout:
    """The packed records of one table. Raises UsageError for those that pages cannot hold."""

    packed: Packed

    def __post_init__(self) -> None:
        if len(self.packed.fields) > PARTS_MAX:
            count = len(self.packed.fields)
            raise UsageError(f"{self.packed.name!r} has {count} packed fields; pages take {PARTS_MAX}")
        for field in self.packed.fields:
            if field.optional and field.default is not None:
                raise UsageError(f"{self.place(field)} is optional and has a default; give it one of the two")

    def place(self, field: PackedField) -> str:
        """The name of a field, for errors."""
        return f"{self.packed.name}.{field.name}"

    @cached_property
    def stored_order(self) -> tuple[int, ...]:
        """The places of the fields in the order in which they are stored: those with a width first."""
        places = range(len(self.packed.fields))
        return tuple(sorted(places, key=lambda place: self.packed.fields[place].type in TAILS))

    @cached_property
    def described(self) -> tuple[tuple[tuple[int, int, int], int, int, int, bytes], ...]:
        """The fields in stored order as `pbx_field`: part, flag, optional, default value and bytes."""
        flagged = [place for place, field in enumerate(self.packed.fields) if field.flagged]
        flags = {place: 1 << bit for bit, place in enumerate(flagged)}
        described = []
        for place in self.stored_order:
            field = self.packed.fields[place]
            width = 8 if field.type == "float64" else WIDTHS.get(field.type, 0)
            part = (_KINDS.get(field.type, int(field.type.startswith("int"))), width, 0)
            described.append((part, flags.get(place, 0), int(field.optional), *_default(field)))
        return tuple(described)

    @cached_property
    def fixed(self) -> int:
        """Bytes of a record whose every field is there, without its texts and bytes."""
        return 1 + sum(part[1] or 4 for part, *_ in self.described)


def _default(field: PackedField) -> tuple[int, bytes]:
    """The default as `pbx_field` holds it: a number or a size, and bytes."""
    default = field.default
    if isinstance(default, (str, bytes)):
        raw = default.encode() if isinstance(default, str) else default
        return len(raw), raw
    if field.type == "float64" and isinstance(default, (int, float)):
        return int.from_bytes(pack("=d", default), sys.byteorder), b""
    return (int(default) & (1 << 64) - 1 if isinstance(default, int) else 0), b""


def checked_columns(layout: RecordLayout, columns: Sequence[RecordColumn]) -> tuple[int, list[Checked]]:
    """The length of the columns, and each as what it holds.

    Raises UsageError when they do not fit the layout or each other. Whether a TailColumn's offsets cut up its
    data is left to the caller.
    """
    fields = layout.packed.fields
    if len(columns) != len(fields):
        raise UsageError(f"{layout.packed.name}: {len(fields)} packed fields and {len(columns)} columns")
    checked = [_checked(layout, field, column) for field, column in zip(fields, columns, strict=True)]
    lengths = {len(column.values) for column in checked}
    lengths |= {len(column.present) for column in checked if column.present is not None}
    if len(lengths) > 1:
        raise UsageError(f"{layout.packed.name}: columns of different lengths, {sorted(lengths)}")
    return lengths.pop() if lengths else 0, checked


def _checked(layout: RecordLayout, field: PackedField, column: RecordColumn) -> Checked:
    place = layout.place(field)
    if field.optional != isinstance(column, OptionalColumn):
        wanted = "optional; pass an" if field.optional else "not optional; pass no"
        raise UsageError(f"{place} is {wanted} OptionalColumn")
    present = column.present if isinstance(column, OptionalColumn) else None
    held = column.values if isinstance(column, OptionalColumn) else column
    return Checked(field, checked_column(place, field.type, held), present)


def row_fault(layout: RecordLayout, columns: Sequence[Checked], row: int) -> RangeError:
    """The error for a row with a value that its field does not take: `Packed`'s own, and the row."""
    try:
        layout.packed.encode(*[column.value(row) for column in columns])
    except RangeError as error:
        return RangeError(f"{error.field} in row {row}", error.value, error.range)
    raise AssertionError(f"row {row} of {layout.packed.name!r} was refused, and can be packed")


def unnamed_row(columns: Sequence[Checked]) -> int | None:
    """The first row with a number that names no member of its enum, of which C knows nothing."""
    named = [(column, column.field.members) for column in columns]
    rows = [
        row
        for column, members in named
        if members is not None and isinstance(column.values, memoryview)
        for row, number in enumerate(column.values)
        if number not in members and (column.present is None or column.present[row])
    ]
    return min(rows, default=None)


def record_fault(layout: RecordLayout, page: Page, row: int) -> RecordCorrupt:
    """The error for a record that does not decode: `Packed`'s own."""
    record = records_of(layout, page)[row]
    try:
        layout.packed.decode(record)
    except RecordCorrupt as error:
        return error
    raise AssertionError(f"{record.hex()} of {layout.packed.name!r} was refused, and can be unpacked")


def records_of(layout: RecordLayout, page: Page) -> tuple[bytes, ...]:
    """The values of a page of rows, or all of a page of values."""
    check_has_records(layout, page)
    return page.values() if page.values_at else page.keys()


def check_has_records(layout: RecordLayout, page: Page) -> None:
    """Raise UsageError for a page of keys alone."""
    if page.values_at == 0 and page.key_width:
        raise UsageError(f"{layout.packed.name}: a page of keys alone holds no records; open one with values")


def new_column(field: PackedField, page: Page) -> Checked:
    """Room for what the page can hold of this field."""
    values: Any
    if field.type in TAILS:
        default = len(_default(field)[1])
        values = TailColumn(
            bytearray(len(page.data) + default * page.count), array("I", bytes(4 * page.count + 4))
        )
    elif field.type == "float64":
        values = memoryview(bytearray(8 * page.count)).cast("d")
    else:
        values = new_int_column(field.type, page.count)
    return Checked(field, values, bytearray(page.count) if field.optional else None)
