"""Key layouts and columns: what encoding and decoding of key pages are given, on both paths.

Depends on: interface, pillarbox.codec, pillarbox.errors.  Never on: any table.

Law: a layout's `width` is the length of each of its keys, or 0 where keys vary.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from pillarbox.codec import INT_RANGES, key_corrupt
from pillarbox.codec.scalars import misfit
from pillarbox.errors import KeyCorrupt, RangeError, UsageError
from pillarbox.native.interface import Status

PARTS_MAX: Final = 64
WIDTHS: Final = {**{name: int(name.lstrip("uint")) // 8 for name in INT_RANGES}, "bool": 1}
#: The numbers of `pbx_part.kind`; integers are 0, or 1 with a sign.
_KINDS: Final = {"bool": 2, "text": 3, "bytes": 4}
TAILS: Final = ("text", "bytes")
#: Buffer formats of integer columns; true where they have a sign.
INT_FORMATS: Final = {code: code.islower() for code in "bhilqBHILQ"}


@dataclass(frozen=True, slots=True)
class KeyPart:
    """One part of a key. `type`: an integer scalar, bool, text or bytes."""

    name: str
    type: str
    desc: bool = False

    @property
    def width(self) -> int:
        """Bytes; 0 for text and bytes."""
        return WIDTHS.get(self.type, 0)

    @property
    def is_tail(self) -> bool:
        """Whether it is text or bytes, which have no width."""
        return self.type in TAILS

    @property
    def is_signed(self) -> bool:
        """Whether it is an integer below 0 too."""
        return self.type.startswith("int")


@dataclass(frozen=True)
class KeyLayout:
    """The key of one table. Raises UsageError for parts that no key has."""

    table: str
    parts: tuple[KeyPart, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.parts) <= PARTS_MAX:
            raise UsageError(f"the key of {self.table!r} has {len(self.parts)} parts, not 1 .. {PARTS_MAX}")
        for part in self.parts:
            if part.type not in WIDTHS and not part.is_tail:
                raise UsageError(f"{self.table}.{part.name}: a key has no part of type {part.type!r}")

    @cached_property
    def varies(self) -> bool:
        """Whether keys have parts without a width."""
        return any(part.is_tail for part in self.parts)

    @cached_property
    def described(self) -> bytes:
        """The parts as C reads them: kind, width and desc, a byte each."""
        kinds = [_KINDS.get(part.type, int(part.is_signed)) for part in self.parts]
        described = [(kind, part.width, part.desc) for kind, part in zip(kinds, self.parts, strict=True)]
        return b"".join(map(bytes, described))

    @cached_property
    def fixed(self) -> int:
        """Bytes of a key without its text and bytes parts."""
        return sum(part.width for part in self.parts)

    @cached_property
    def width(self) -> int:
        """Bytes of each key, or 0."""
        return 0 if self.varies else self.fixed


@dataclass(frozen=True, slots=True)
class TailColumn:
    """Texts (as UTF-8) or bytes, one behind the other: value i is data[offsets[i] : offsets[i + 1]]."""

    data: bytes | bytearray
    offsets: array[int]

    @classmethod
    def of(cls, values: Sequence[bytes]) -> TailColumn:
        """The column of these values."""
        offsets = array("I", [0])
        at = 0
        for value in values:
            at += len(value)
            offsets.append(at)
        return cls(b"".join(values), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def is_cut_up(self) -> bool:
        """Whether the offsets never decrease and end inside the data."""
        ascend = all(map(int.__le__, self.offsets, self.offsets[1:]))
        return ascend and self.offsets[-1] <= len(self.data)

    def values(self) -> list[bytes]:
        """The values, one by one."""
        return [
            bytes(self.data[begin:end]) for begin, end in zip(self.offsets, self.offsets[1:], strict=False)
        ]


#: Integers and bools: anything with the buffer of an `array` of integers, whatever their width; floats: of
#: an `array` of doubles.
NumberColumn: TypeAlias = "array[int] | array[float] | memoryview | memoryview[float]"
Column: TypeAlias = "NumberColumn | TailColumn"


def checked_column(place: str, type_: str, column: Column) -> memoryview | TailColumn:
    """The column as what it holds, or UsageError when the scalar has no such column.

    Whether a TailColumn's offsets cut up its data is left to the caller.
    """
    if type_ in TAILS:
        if isinstance(column, TailColumn) and column.offsets.typecode == "I" and column.offsets:
            return column
        raise miscut(place, type_)
    formats, wanted = (("d",), "doubles") if type_ == "float64" else (INT_FORMATS, "integers")
    if not isinstance(column, TailColumn):
        view = memoryview(column)
        if view.format in formats and view.ndim == 1 and view.c_contiguous:
            return view
    raise UsageError(f"{place} is {type_}; pass a contiguous array of {wanted}")


def checked_columns(
    layout: KeyLayout, columns: Sequence[Column]
) -> tuple[int, list[memoryview | TailColumn]]:
    """The length of the columns, and each as what it holds.

    Raises UsageError when they do not fit the layout or each other. Whether a TailColumn's offsets cut up its
    data is left to the caller.
    """
    if len(columns) != len(layout.parts):
        raise UsageError(f"{layout.table}: {len(layout.parts)} key parts and {len(columns)} columns")
    checked: list[memoryview | TailColumn] = []
    for part, column in zip(layout.parts, columns, strict=True):
        checked.append(checked_column(f"{layout.table}.{part.name}", part.type, column))
    lengths = set(map(len, checked))
    if len(lengths) > 1:
        raise UsageError(f"{layout.table}: columns of different lengths, {sorted(lengths)}")
    return lengths.pop(), checked


def miscut(place: str, type_: str) -> UsageError:
    """The error for a column of texts or bytes that is none."""
    return UsageError(
        f"{place} is {type_}; pass a TailColumn whose offsets (an array of `I`) never decrease and end "
        f"inside its data"
    )


def new_int_column(type_: str, rows: int) -> memoryview:
    """Room for the decoded values of an integer scalar or bool, all 0."""
    return memoryview(bytearray(8 * rows)).cast("Q" if type_ == "uint64" else "q")


def value_fault(layout: KeyLayout, row: int, part: int, value: object) -> RangeError:
    """The error for a value that its part does not take."""
    declared = layout.parts[part]
    place = f"{layout.table}.{declared.name} in row {row}"
    if isinstance(value, bytes):
        return RangeError(place, value, "text in UTF-8")
    error = misfit(
        place, declared.type, bool(value) if value in (0, 1) and declared.type == "bool" else value
    )
    return error or RangeError(place, value, f"a {declared.type}")


def key_fault(layout: KeyLayout, status: Status, part: int, key: bytes) -> KeyCorrupt:
    """The error for a key that does not decode. `part` is the count of parts where bytes are left over."""
    if status is Status.KEY_LONG:
        return key_corrupt(layout.table, key, "bytes follow its last part")
    return key_corrupt(layout.table, key, f"its part {layout.parts[part].name} {_REASONS[status]}")


_REASONS: Final = {
    Status.KEY_BOOL: "is neither 0 nor 1",
    Status.KEY_TEXT: "is not UTF-8",
    Status.KEY_ESCAPE: "has 0x00 before something else than 0x00 and 0xFF",
    Status.KEY_SHORT: "does not end",
}
