"""Columns to key pages and back in Python: the specification of `native/key_columns.c`.

Depends on: layouts, pages, pillarbox.codec.  Never on: cffi, tables, storage.

Law: `decode_keys(layout, encode_keys(layout, columns))` equals the columns, and keys order as rows do. The
fault told is that of the first row at fault, and in it of the first part.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from struct import Struct
from struct import error as StructError
from typing import Final

from pillarbox.codec import INT_RANGES, escape, invert, unescape
from pillarbox.native.interface import Status
from pillarbox.native.layouts import (
    Column,
    KeyLayout,
    KeyPart,
    TailColumn,
    checked_columns,
    key_fault,
    miscut,
    new_int_column,
    value_fault,
)
from pillarbox.native.pages import Page, build_page

_BOOL: Final = (0, 1)
_CODES: Final = {1: "B", 2: "H", 4: "I", 8: "Q"}
_U32: Final = Struct("<I")


def encode_keys(layout: KeyLayout, columns: Sequence[Column]) -> bytes:
    """A page of the keys whose parts the columns hold.

    Raises RangeError for a value that its part does not take, UsageError for columns that do not fit.
    """
    rows, checked = checked_columns(layout, columns)
    _check_cuts(layout, checked)
    if not layout.varies:
        numbers = [column for column in checked if isinstance(column, memoryview)]
        try:
            return _encode_fixed(layout, rows, numbers)
        except StructError:
            pass  # Which value it was, the way that looks at one at a time finds out.
    return _encode_each(layout, [_values(column) for column in checked])


def _encode_fixed(layout: KeyLayout, rows: int, columns: Sequence[memoryview]) -> bytes:
    """What `_encode_each` writes, a part for all rows at a time. StructError: some value does not fit."""
    shifted = []
    for part, column in zip(layout.parts, columns, strict=True):
        low, high = INT_RANGES.get(part.type, _BOOL)
        if part.type == "bool" and rows and max(column) > high:
            raise StructError
        # From the least value on: a flipped sign bit. Down from the greatest: every bit flipped.
        top = (1 << 8 * part.width) - 1 + low
        shifted.append([top - value for value in column] if part.desc else [value - low for value in column])
    return _U32.pack(rows) + b"".join(map(_struct(layout).pack, *shifted))


def _encode_each(layout: KeyLayout, columns: Sequence[Sequence[int] | Sequence[bytes]]) -> bytes:
    encoders = [_encoder(part) for part in layout.parts]
    keys = []
    for row, fields in enumerate(zip(*columns, strict=True)):
        pieces = []
        for part, (encode, value) in enumerate(zip(encoders, fields, strict=True)):
            try:
                pieces.append(encode(value))
            except ValueError:
                raise value_fault(layout, row, part, value) from None
        keys.append(b"".join(pieces))
    return build_page(keys, None, layout.width)


def _values(column: memoryview | TailColumn) -> list[int] | list[bytes]:
    return column.values() if isinstance(column, TailColumn) else column.tolist()


def _struct(layout: KeyLayout) -> Struct:
    """All parts of a layout that has no text or bytes, as unsigned numbers."""
    return Struct(">" + "".join([_CODES[part.width] for part in layout.parts]))


def _check_cuts(layout: KeyLayout, columns: Sequence[memoryview | TailColumn]) -> None:
    for part, column in zip(layout.parts, columns, strict=True):
        if isinstance(column, TailColumn) and not column.is_cut_up:
            raise miscut(f"{layout.table}.{part.name}", part.type)


def _encoder(part: KeyPart) -> Callable[..., bytes]:
    """What makes bytes of one value of the part; ValueError when it does not fit."""
    if part.is_tail:
        return partial(_encode_tail, part.type == "text", part.desc)
    low, high = INT_RANGES.get(part.type, _BOOL)
    return partial(_encode_int, low, high, part.width, part.desc)


def _encode_int(low: int, high: int, width: int, desc: bool, value: int) -> bytes:
    if not low <= value <= high:
        raise ValueError
    limit = (1 << 8 * width) - 1
    return (limit - (value - low) if desc else value - low).to_bytes(width, "big")


def _encode_tail(is_text: bool, desc: bool, value: bytes) -> bytes:
    if is_text:
        value.decode()
    return invert(escape(value)) if desc else escape(value)


def decode_keys(layout: KeyLayout, page: Page) -> tuple[Column, ...]:
    """The parts of the keys, a column each: uint64 as `Q`, other integers and bools as `q`, text as UTF-8.

    Raises KeyCorrupt. The page must have been opened with the layout's width.
    """
    return _decode_each(layout, page) if layout.varies else _decode_fixed(layout, page)


def _decode_fixed(layout: KeyLayout, page: Page) -> tuple[Column, ...]:
    """What `_decode_each` reads, a part for all rows at a time."""
    end = page.keys_at + page.count * layout.width
    rows = list(_struct(layout).iter_unpack(memoryview(page.data)[page.keys_at : end]))
    columns: list[Column] = []
    for index, part in enumerate(layout.parts):
        low, _ = INT_RANGES.get(part.type, _BOOL)
        top = (1 << 8 * part.width) - 1 + low
        numbers = [row[index] for row in rows]
        values = [top - number for number in numbers] if part.desc else [number + low for number in numbers]
        if part.type == "bool" and not {0, 1}.issuperset(values):
            return _decode_each(layout, page)  # which finds the first fault of all
        columns.append(memoryview(array("Q" if part.type == "uint64" else "q", values)))
    return tuple(columns)


def _decode_each(layout: KeyLayout, page: Page) -> tuple[Column, ...]:
    numbers = {
        at: new_int_column(part.type, page.count) for at, part in enumerate(layout.parts) if not part.is_tail
    }
    tails: dict[int, list[bytes]] = {at: [] for at, part in enumerate(layout.parts) if part.is_tail}
    for row, key in enumerate(page.keys()):
        at = 0
        for index, part in enumerate(layout.parts):
            try:
                if index in tails:
                    value, at = _decode_tail(part, key, at)
                    tails[index].append(value)
                else:
                    numbers[index][row], at = _decode_int(part, key, at)
            except _Fault as fault:
                raise key_fault(layout, fault.status, index, key) from None
        if at != len(key):
            raise key_fault(layout, Status.KEY_LONG, len(layout.parts), key)
    return tuple(TailColumn.of(tails[at]) if at in tails else numbers[at] for at in range(len(layout.parts)))


class _Fault(Exception):
    def __init__(self, status: Status) -> None:
        self.status = status


def _decode_int(part: KeyPart, key: bytes, at: int) -> tuple[int, int]:
    end = at + part.width
    if end > len(key):
        raise _Fault(Status.KEY_SHORT)
    number = int.from_bytes(key[at:end], "big")
    if part.desc:
        number = (1 << 8 * part.width) - 1 - number
    if part.type == "bool" and number > 1:
        raise _Fault(Status.KEY_BOOL)
    return number + INT_RANGES.get(part.type, _BOOL)[0], end


def _decode_tail(part: KeyPart, key: bytes, at: int) -> tuple[bytes, int]:
    try:
        value, end = unescape(invert(key) if part.desc else key, at)
    except ValueError as error:
        raise _Fault(Status.KEY_SHORT if "does not end" in str(error) else Status.KEY_ESCAPE) from None
    if part.type == "text":
        try:
            value.decode()
        except UnicodeDecodeError:
            raise _Fault(Status.KEY_TEXT) from None
    return value, end
