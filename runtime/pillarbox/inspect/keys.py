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


class PartCodec:
    """One part of the keys of a table: all that its bytes depend on, looked up once."""

    __slots__ = ("bias", "enum", "label", "scalar", "shape", "width")

    def __init__(self, layout: StoredLayout, table: TableShape, shape: PartShape) -> None:
        self.shape = shape
        self.label = f"{table.name}.{shape.name}"
        self.scalar = str(layout.scalar(shape.type))
        #: None where values differ in it.
        self.width = key_width(self.scalar)
        #: What makes a signed number one that is not.
        self.bias = 1 << 8 * self.width - 1 if self.width and self.scalar.startswith("int") else 0
        named = layout.types.get(shape.type.head)
        #: The type whose names the values have; None where any number will do.
        self.enum = named if named is not None and named.kind == "enum" else None

    def take(self, key: bytes, at: int) -> tuple[Any, int]:
        """The value whose bytes begin there, and where they end. Raises ValueError."""
        width = self.width
        if width is None:
            return self._tail(key, at)
        end = at + width
        if end > len(key):
            raise ValueError(
                f"part {self.shape.name!r} is bytes {at}..{end}, the key ends at byte {len(key)}"
            )
        raw = key[at:end]
        if self.scalar == "bool":
            if raw[0] > 1:
                raise ValueError(f"{self.place(at, end)}: 0x{raw.hex()} is no bool")
            return bool(raw[0]) != self.shape.desc, end
        return int.from_bytes(invert(raw) if self.shape.desc else raw, "big") - self.bias, end

    def _tail(self, key: bytes, at: int) -> tuple[str | bytes, int]:
        try:
            raw, end = unescape(invert(key) if self.shape.desc else key, at)
        except ValueError as error:
            raise ValueError(f"bytes {at}.., part {self.shape.name!r}: {error}") from None
        if self.scalar == "bytes":
            return raw, end
        try:
            return raw.decode(), end
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.place(at, end)}: text that is no UTF-8 ({error.reason})") from None

    def place(self, begin: int, end: int) -> str:
        """Where the bytes of a value lie, for people."""
        return f"bytes {begin}..{end}, part {self.shape.name!r}"

    def bytes_of(self, value: Any) -> bytes:
        """How the value is stored. Raises RangeError."""
        error = misfit(self.label, self.scalar, value)
        if error is not None:
            raise error
        if self.scalar == "bool":
            return bytes((value != self.shape.desc,))
        if self.width is None:
            piece = escape(value.encode() if self.scalar == "text" else value)
        else:
            piece = (int(value) + self.bias).to_bytes(self.width, "big")
        return invert(piece) if self.shape.desc else piece


class KeyCodec:
    """The keys of one table."""

    def __init__(self, layout: StoredLayout, table: TableShape) -> None:
        self._table = table
        self._parts = [PartCodec(layout, table, part) for part in table.key]

    def decode(self, key: StoredKey, *, strict: bool = True) -> tuple[Any, ...]:
        """The values of the parts, in order.

        Raises KeyCorrupt; with `strict` also for numbers that an enum has no name for.
        """
        if isinstance(key, int) and self._table.stored.int_key:
            return (key,)
        if not isinstance(key, bytes):  # of a damaged page, which SQLite may read as keys that hold none
            raise KeyCorrupt(self._table.name, b"", f"{key!r} is stored in the place of bytes")
        try:
            return tuple([value for _, _, _, value in self._taken_apart(key, strict=strict)])
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
            for part, begin, end, value in self._taken_apart(key, strict=True):
                found.append(Part(part.shape, begin, end, key[begin:end], value))
        except ValueError as error:
            return found, str(error)
        return found, None

    def encode(self, values: Sequence[Any]) -> StoredKey:
        """The stored key of these values; of fewer, what all keys with them begin with. Raises RangeError."""
        if len(values) > len(self._parts):
            names = " ".join(part.shape.name for part in self._parts)
            raise UsageError(
                f"a key of table {self._table.name!r} has {len(self._parts)} parts ({names}), {len(values)} "
                f"were given; pass one value for each"
            )
        pieces = [part.bytes_of(value) for part, value in zip(self._parts, values, strict=False)]
        if self._table.stored.int_key and values:
            return int(values[0])
        return b"".join(pieces)

    def _taken_apart(self, key: bytes, *, strict: bool) -> Iterator[tuple[PartCodec, int, int, Any]]:
        """Each part, where its bytes begin and end, and their value. Raises ValueError, which says where."""
        at = 0
        for part in self._parts:
            value, end = part.take(key, at)
            if strict and part.enum is not None and value not in part.enum.names:
                raise ValueError(f"{part.place(at, end)}: {value} is no {part.enum.name}")
            yield part, at, end, value
            at = end
        if at != len(key):
            raise ValueError(f"the parts end at byte {at}, the key at byte {len(key)}")
