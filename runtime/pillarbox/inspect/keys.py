"""Keys by the stored layout: taken apart, explained byte by byte, put together.

Depends on: shape, codec, errors.  Never on: generated key codecs, which it is held against in tests.

Law: what `decode` accepts, `encode` gives back byte for byte; it accepts what the generated codec accepts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pillarbox.codec import escape, invert, misfit, unescape
from pillarbox.errors import KeyCorrupt, UsageError
from pillarbox.inspect.shape import PartShape, StoredLayout, TableShape, key_width
from pillarbox.storage import StoredKey

_INT_KEY_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a stored key: where its bytes lie, and the value they hold."""

    shape: PartShape
    begin: int
    end: int
    raw: bytes
    #: As stored: a number also for enums, flags and packed ids.
    value: Any


class KeyCodec:
    """The keys of one table."""

    def __init__(self, layout: StoredLayout, table: TableShape) -> None:
        self._layout = layout
        self._table = table
        self._parts = [(part, str(layout.scalar(part.type))) for part in table.key]

    def decode(self, key: StoredKey, *, strict: bool = True) -> tuple[Any, ...]:
        """The values of the parts, in order.

        Raises KeyCorrupt; with `strict` also for numbers that an enum has no name for.
        """
        if isinstance(key, int):
            return (key,)
        if not isinstance(key, bytes):  # of a damaged page, which SQLite may read as keys that hold none
            raise KeyCorrupt(self._table.name, b"", f"{key!r} is stored in the place of bytes")
        try:
            return tuple(part.value for part in self._taken_apart(key, strict=strict))
        except ValueError as error:
            raise KeyCorrupt(self._table.name, key, str(error)) from None

    def explain(self, key: bytes) -> tuple[list[Part], str | None]:
        """The parts up to where the bytes are wrong, and what is wrong there; None where nothing is.

        Of a table whose keys are stored as integers, `key` is the eight bytes of one, the highest first.
        """
        if self._table.stored.int_key:
            if len(key) != _INT_KEY_BYTES:
                return [], f"the key is stored as an integer of {_INT_KEY_BYTES} bytes, these are {len(key)}"
            value = int.from_bytes(key, "big", signed=True)
            return [Part(self._table.key[0], 0, len(key), key, value)], None
        found: list[Part] = []
        try:
            for part in self._taken_apart(key, strict=True):
                found.append(part)
        except ValueError as error:
            return found, str(error)
        return found, None

    def encode(self, values: Sequence[Any]) -> StoredKey:
        """The stored key of these values; of fewer, what all keys with them begin with. Raises RangeError."""
        if len(values) > len(self._parts):
            names = " ".join(part.name for part, _ in self._parts)
            raise UsageError(
                f"a key of table {self._table.name!r} has {len(self._parts)} parts ({names}), {len(values)} "
                f"were given; pass one value for each"
            )
        pieces = []
        for (part, scalar), value in zip(self._parts, values, strict=False):
            error = misfit(f"{self._table.name}.{part.name}", scalar, value)
            if error is not None:
                raise error
            pieces.append(_encoded(scalar, part.desc, value))
        if self._table.stored.int_key and values:
            return int(values[0])
        return b"".join(pieces)

    def _taken_apart(self, key: bytes, *, strict: bool) -> Iterator[Part]:
        """Raises ValueError that says which bytes are wrong."""
        at = 0
        for part, scalar in self._parts:
            width = key_width(scalar)
            value: Any
            if width is None:
                value, end = _tail(key, at, part, scalar)
            else:
                end = at + width
                if end > len(key):
                    raise ValueError(
                        f"part {part.name!r} is bytes {at}..{end}, the key ends at byte {len(key)}"
                    )
                value = _number(scalar, part.desc, key[at:end], f"bytes {at}..{end}, part {part.name!r}")
            named = self._layout.types.get(part.type.head)
            if strict and named is not None and named.kind == "enum" and value not in named.names:
                raise ValueError(f"bytes {at}..{end}, part {part.name!r}: {value} is no {named.name}")
            yield Part(part, at, end, key[at:end], value)
            at = end
        if at != len(key):
            raise ValueError(f"the parts end at byte {at}, the key at byte {len(key)}")


def _number(scalar: str, desc: bool, raw: bytes, place: str) -> int | bool:
    if scalar == "bool":
        if raw[0] > 1:
            raise ValueError(f"{place}: 0x{raw.hex()} is no bool")
        return bool(raw[0]) != desc
    number = int.from_bytes(invert(raw) if desc else raw, "big")
    return number - (1 << 8 * len(raw) - 1) if scalar.startswith("int") else number


def _tail(key: bytes, at: int, part: PartShape, scalar: str) -> tuple[str | bytes, int]:
    try:
        raw, end = unescape(invert(key) if part.desc else key, at)
    except ValueError as error:
        raise ValueError(f"bytes {at}.., part {part.name!r}: {error}") from None
    if scalar == "bytes":
        return raw, end
    try:
        return raw.decode(), end
    except UnicodeDecodeError as error:
        raise ValueError(
            f"bytes {at}..{end}, part {part.name!r}: text that is no UTF-8 ({error.reason})"
        ) from None


def _encoded(scalar: str, desc: bool, value: Any) -> bytes:
    if scalar == "bool":
        return bytes((value != desc,))
    width = key_width(scalar)
    if width is None:
        piece = escape(value.encode() if scalar == "text" else value)
    else:
        bias = 1 << 8 * width - 1 if scalar.startswith("int") else 0
        piece = (int(value) + bias).to_bytes(width, "big")
    return invert(piece) if desc else piece
