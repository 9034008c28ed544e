"""What generated key codecs share: biases, escaped parts, and the errors of keys.

Depends on: members, scalars, errors.  Never on: any table; the layouts themselves are generated.

Law: for every two values of a part, their encodings compare as bytes as the values do.
"""

from __future__ import annotations

from typing import Any, Final

from pillarbox.codec.members import Members
from pillarbox.codec.scalars import misfit
from pillarbox.errors import KeyCorrupt, RangeError

#: Added to a signed part, so that the sign bit flips and negative numbers come first.
INT8_BIAS: Final = 1 << 7
INT16_BIAS: Final = 1 << 15
INT32_BIAS: Final = 1 << 31
INT64_BIAS: Final = 1 << 63

#: Of bytes alone: a `bytearray` has one as well, and gives what no dict takes for a key.
_replace: Final = bytes.replace
_INVERTED: Final = bytes(255 - byte for byte in range(256))


def escape(raw: bytes) -> bytes:
    """A text or bytes part: 0x00 becomes 0x00 0xFF, and 0x00 0x00 ends it. TypeError for a bytearray."""
    return _replace(raw, b"\0", b"\0\xff") + b"\0\0"


def unescape(data: bytes, offset: int) -> tuple[bytes, int]:
    """The part that begins at `offset`, and the offset behind it.

    Raises ValueError with the reason when the part is torn, TypeError for what is no bytes (of a damaged
    page); the caller knows the table and makes it a KeyCorrupt.
    """
    at = offset
    while True:
        at = bytes.find(data, b"\0", at)
        if at < 0 or at + 1 == len(data):
            raise ValueError(f"the part at offset {offset} does not end")
        follower = data[at + 1]
        if follower == 0:
            return data[offset:at].replace(b"\0\xff", b"\0"), at + 2
        if follower != 0xFF:
            raise ValueError(f"0x00 0x{follower:02x} at offset {at} is no escape")
        at += 2


def beginning(value: str | bytes, *, descending: bool = False) -> bytes:
    """How a text or bytes part is stored that begins so."""
    raw = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    begun = raw.replace(b"\0", b"\0\xff")
    return invert(begun) if descending else begun


def invert(data: bytes) -> bytes:
    """Every bit flipped, which turns the order of equally long or terminated parts around."""
    return data.translate(_INVERTED)


def successor(prefix: bytes) -> bytes | None:
    """The least byte string above every string that begins with `prefix`; None when nothing is above."""
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes((kept[-1] + 1,)) if kept else None


def keys_under(prefix: bytes) -> tuple[bytes, bytes | None]:
    """(low, high) of the keys that begin with `prefix`: low <= key < high, None is open-ended."""
    return prefix, successor(prefix)


def one_key(key: bytes | int) -> tuple[bytes | int, bytes | int | None]:
    """(low, high) of one key alone; None is open-ended, for nothing lies above the greatest number."""
    if isinstance(key, int):
        return key, key + 1 if key < INT64_BIAS - 1 else None
    return key, key + b"\0"


class KeyParts:
    """The parts of a table's key by name, each with its scalar, and its members where it is of an enum.

    Of keys that do not encode it tells why.
    """

    __slots__ = ("_parts", "_table")

    def __init__(self, table: str, /, **parts: str | tuple[str, Members[Any]]) -> None:
        self._table = table
        self._parts = tuple(
            (name, type_, None) if isinstance(type_, str) else (name, *type_) for name, type_ in parts.items()
        )

    def range_error(self, *values: object, start: int = 0) -> RangeError:
        """The error for these values, the first of which is that of the part at `start`."""
        for (name, type_, members), value in zip(self._parts[start:], values, strict=False):
            error = misfit(f"{self._table}.{name}", type_, value, members)
            if error is not None:
                return error
        return RangeError(self._table, values, "a key of this table")


def range_error(place: str, *parts: tuple[str, str, object]) -> RangeError:
    """The error for integers that did not fit. `parts`: (name, scalar, value); tells the first misfit."""
    for name, type_, value in parts:
        error = misfit(f"{place}.{name}", type_, value)
        if error is not None:
            return error
    return RangeError(place, tuple(value for _, _, value in parts), "a key of this table")


def key_corrupt(table: str, data: bytes, reason: str) -> KeyCorrupt:
    """The error for a stored key that does not decode."""
    if not isinstance(data, bytes):  # of a damaged page
        return KeyCorrupt(table, b"", f"{data!r} is stored in the place of bytes")
    return KeyCorrupt(table, data, reason)
