"""Columns to pages of packed records and back in Python: the specification of `native/record_columns.c`.

Depends on: record_layouts, layouts, pages, pillarbox.codec.  Never on: cffi, tables, storage.

Law: the page holds what `Packed.encode` writes of each row, and `decode_records` answers the columns again.
The fault told is that of the first row at fault.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from pillarbox.codec import PackedField
from pillarbox.errors import RangeError
from pillarbox.native.layouts import TAILS, Column, TailColumn, miscut
from pillarbox.native.pages import Page, build_page
from pillarbox.native.record_layouts import (
    OptionalColumn,
    RecordColumn,
    RecordLayout,
    checked_columns,
    records_of,
    row_fault,
)


def encode_records(layout: RecordLayout, columns: Sequence[RecordColumn]) -> bytes:
    """A page of values, a record for each row. With a page of keys it makes a page of rows: `with_values`.

    Raises RangeError for a value that its field does not take, UsageError for columns that do not fit.
    """
    rows, checked = checked_columns(layout, columns)
    for column in checked:
        if isinstance(column.values, TailColumn) and not column.values.is_cut_up:
            raise miscut(layout.place(column.field), column.field.type)
    records = []
    for row in range(rows):
        try:
            records.append(layout.packed.encode(*[column.value(row) for column in checked]))
        except RangeError:
            raise row_fault(layout, checked, row) from None
    return build_page(records, None, 0)


def decode_records(layout: RecordLayout, page: Page) -> tuple[RecordColumn, ...]:
    """The fields of the records, a column each.

    uint64 as `Q`, floats as `d`, other integers and bools as `q`, text as UTF-8. Where an optional field is
    absent, its column holds 0 or nothing. `page`: one of rows, whose values are read, or one of values,
    opened with width 0. Raises RecordCorrupt.
    """
    rows = [layout.packed.decode(record) for record in records_of(layout, page)]
    return tuple(_column(field, [row[at] for row in rows]) for at, field in enumerate(layout.packed.fields))


def _column(field: PackedField, values: list[Any]) -> RecordColumn:
    if not field.optional:
        return _values(field, values)
    present = bytearray(value is not None for value in values)
    nothing: Any = {"text": "", "bytes": b""}.get(field.type, 0)
    return OptionalColumn(_values(field, [nothing if value is None else value for value in values]), present)


def _values(field: PackedField, values: list[Any]) -> Column:
    if field.type in TAILS:
        return TailColumn.of([value.encode() if isinstance(value, str) else value for value in values])
    return memoryview(array({"uint64": "Q", "float64": "d"}.get(field.type, "q"), values))
