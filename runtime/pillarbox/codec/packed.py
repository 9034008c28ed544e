"""The `packed` layout: rows of a few scalars, which C can read and build.

Depends on: members, scalars, errors.  Never on: records; a packed row knows no unions, lists or maps.

    u8 flags | fixed-width fields, little-endian | for each text and bytes field: u32 length, its bytes

Bit i of `flags` is set when the i-th field that is optional or has a default is present; the present
fields follow in number order, fixed ones first. A value equal to its default is absent.

Law: `decode(encode(values)) == values`, and bytes that decode at all are what `encode` would write, but for
numbers that name no member of an enum: whoever makes a row of the values finds those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from operator import itemgetter
from struct import Struct
from struct import error as StructError
from typing import Any, Final

from pillarbox.codec.members import Members
from pillarbox.codec.scalars import misfit
from pillarbox.errors import RecordCorrupt, UsageError

FLAGGED_MAX: Final = 8
_FORMATS: Final = {
    "bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q",
    "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q", "float64": "d",
}  # fmt: skip
_LENGTH: Final = Struct("<I")


@dataclass(frozen=True, slots=True)
class PackedField:
    """One field of a packed row, its `type` a scalar of the schema language.

    An optional field is absent when None. In any other, a `default` of None means that it has none. Of an
    enum, `members` are all that it takes.
    """

    name: str
    type: str
    optional: bool = False
    default: object = None
    members: Members[Any] | None = dataclass_field(default=None, compare=False)

    @property
    def flagged(self) -> bool:
        """Whether a bit of the flags byte says if it is there."""
        return self.optional or self.default is not None


class _Shape:
    """What rows with one value of the flags byte look like."""

    __slots__ = ("absent", "bools", "defaulted", "packer", "pick", "struct", "tails", "take")

    def __init__(self, fields: Sequence[PackedField], flags: int) -> None:
        bit = 0
        fixed: list[int] = []
        self.tails: list[int] = []
        #: (place, default) of the present fields that would be absent if they were equal to it.
        self.defaulted: list[tuple[int, object]] = []
        #: What stands behind the present fields, for `pick`: a default for every field.
        self.absent = tuple(field.default for field in fields)
        for place, field in enumerate(fields):
            if field.flagged:
                bit += 1
                if not flags >> (bit - 1) & 1:
                    continue
                if not field.optional:
                    self.defaulted.append((place, field.default))
            (fixed if field.type in _FORMATS else self.tails).append(place)
        formats = [_FORMATS[fields[place].type] for place in fixed]
        self.struct = Struct("<B" + "".join(formats))
        #: Writes a bool as the number it is: `?` would take any object for True.
        self.packer = Struct(self.struct.format.replace("?", "B"))
        offsets = [Struct("<B" + "".join(formats[:at])).size for at in range(len(formats))]
        self.bools = [offset for offset, format_ in zip(offsets, formats, strict=True) if format_ == "?"]
        #: From the values in number order to the present fixed ones.
        self.take = _picker(fixed)
        present = [*fixed, *self.tails]
        held = {place: 1 + at for at, place in enumerate(present)}
        #: From (flags, fixed fields, tails, *absent) to the values in number order.
        self.pick = _picker([held.get(place, 1 + len(present) + place) for place in range(len(fields))])


def _picker(places: Sequence[int]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple([row[place] for place in places])


class Packed:
    """The codec of one packed table or record."""

    __slots__ = (
        "_fields",
        "_flagged",
        "_flags_end",
        "_named",
        "_pack",
        "_plain",
        "_shapes",
        "_size",
        "_unpack",
        "name",
    )

    def __init__(self, name: str, fields: tuple[PackedField, ...]) -> None:
        """`name` is the table's, for errors. Raises UsageError above eight flagged fields."""
        self.name = name
        self._fields = fields
        self._flagged = [(place, field.default) for place, field in enumerate(fields) if field.flagged]
        if len(self._flagged) > FLAGGED_MAX:
            raise UsageError(
                f"{name!r} has {len(self._flagged)} packed fields that are optional or have a default; "
                f"at most {FLAGGED_MAX} fit the flags byte: use the `record` layout"
            )
        self._flags_end = 1 << len(self._flagged)
        self._shapes: dict[int, _Shape] = {}
        bare = self._shape(0)
        #: Set where every row has this one shape: only fixed-width fields, all of them always there.
        self._plain = None if self._flagged or bare.tails else bare
        #: Places of enums, and what may stand there.
        self._named = [
            (place, {*field.members, None} if field.optional else field.members)
            for place, field in enumerate(fields)
            if field.members is not None
        ]
        #: The hot path: the values of such a row and back, where C alone finds every misfit.
        self._unpack = bare.struct.unpack if self._plain is not None and not bare.bools else None
        self._pack = bare.packer.pack if self._unpack is not None and not self._named else None
        self._size = bare.struct.size

    @property
    def fields(self) -> tuple[PackedField, ...]:
        """The fields, in number order."""
        return self._fields

    @property
    def width(self) -> int:
        """How many fields there are."""
        return len(self._fields)

    def _shape(self, flags: int) -> _Shape:
        shape = self._shapes.get(flags)
        if shape is None:
            shape = self._shapes[flags] = _Shape(self._fields, flags)
        return shape

    # --------------------------------------------------------------------------------------- encode

    def encode(self, *values: Any) -> bytes:
        """One value per field, in number order. Raises RangeError naming the field that does not fit."""
        pack, plain = self._pack, self._plain
        try:
            if pack is not None:
                return pack(0, *values)
            for place, allowed in self._named:
                if values[place] not in allowed:
                    raise TypeError
            if plain is not None:
                data = plain.packer.pack(0, *values)
                for offset in plain.bools:
                    if data[offset] > 1:
                        raise TypeError
                return data
            return self._encode(values)
        except (StructError, UnicodeEncodeError, AttributeError, TypeError, IndexError) as error:
            raise self._misfit(values) from error

    def _encode(self, values: tuple[Any, ...]) -> bytes:
        flags, bit = 0, 1
        for place, default in self._flagged:
            if values[place] != default:
                flags |= bit
            bit <<= 1
        shape = self._shapes.get(flags) or self._shape(flags)
        if len(values) != len(self._fields):
            raise TypeError
        data = self._packed(shape, flags, shape.take(values))
        for place in shape.tails:
            value = values[place]
            tail = value.encode() if self._fields[place].type == "text" else value
            data += _LENGTH.pack(len(tail)) + tail
        return data

    @staticmethod
    def _packed(shape: _Shape, flags: int, fixed: Sequence[Any]) -> bytes:
        data = shape.packer.pack(flags, *fixed)
        for offset in shape.bools:
            if data[offset] > 1:
                raise TypeError
        return data

    def _misfit(self, values: tuple[Any, ...]) -> UsageError:
        if len(values) != len(self._fields):
            return UsageError(
                f"{self.name!r} has {len(self._fields)} packed fields and was given {len(values)} values; "
                f"pass one for each"
            )
        for field, value in zip(self._fields, values, strict=True):
            if value is None and field.optional:
                continue
            error = misfit(f"{self.name}.{field.name}", field.type, value, field.members)
            if error is not None:
                return error
        return UsageError(f"{self.name!r} cannot pack {values!r}; pass the types that the schema declares")

    # --------------------------------------------------------------------------------------- decode

    def decode(self, data: bytes) -> tuple[Any, ...]:
        """The values, one per field in number order. Raises RecordCorrupt for bytes `encode` cannot write."""
        try:
            unpack, plain = self._unpack, self._plain
            if plain is not None and len(data) == self._size and not data[0]:
                if unpack is not None:
                    return unpack(data)[1:]
                for offset in plain.bools:
                    if data[offset] > 1:
                        break
                else:
                    return plain.struct.unpack(data)[1:]
            return self._decode(data)
        except (TypeError, IndexError):
            if isinstance(data, bytes):
                raise
            # Of a damaged page, which SQLite may read as cells that hold no bytes.
            raise self._corrupt(b"", f"{data!r} is stored in the place of bytes") from None

    def _decode(self, data: bytes) -> tuple[Any, ...]:
        if not data and isinstance(data, bytes):
            raise self._corrupt(data, "the value is empty, not even flags")
        flags = data[0]
        if flags >= self._flags_end:
            raise self._corrupt(data, f"flags 0x{flags:02x} at offset 0 announce fields nobody knows")
        shape = self._shapes.get(flags) or self._shape(flags)
        size = shape.struct.size
        if len(data) < size:
            raise self._corrupt(data, f"the fixed fields end at offset {size}, the value at {len(data)}")
        for offset in shape.bools:
            if data[offset] > 1:
                raise self._corrupt(data, f"0x{data[offset]:02x} at offset {offset} is no bool")
        row = shape.struct.unpack_from(data)
        end = size
        for place in shape.tails:
            tail, end = self._tail(data, end, self._fields[place])
            row += (tail,)
        if end != len(data):
            raise self._corrupt(data, f"the row ends at offset {end}, the value at {len(data)}")
        values = shape.pick(row + shape.absent)
        for place, default in shape.defaulted:
            if values[place] == default:
                raise self._corrupt(data, f"field {self._fields[place].name!r} is present with its default")
        return values

    def _tail(self, data: bytes, begin: int, field: PackedField) -> tuple[str | bytes, int]:
        rest = len(data) - begin - _LENGTH.size
        if rest < 0:
            raise self._corrupt(data, f"the length of {field.name!r} at offset {begin} is cut off")
        size: int = _LENGTH.unpack_from(data, begin)[0]
        if size > rest:
            raise self._corrupt(data, f"{field.name!r} at offset {begin} says {size} bytes, {rest} are left")
        end = begin + _LENGTH.size + size
        raw = data[end - size : end]
        if field.type == "bytes":
            return raw, end
        try:
            return raw.decode(), end
        except UnicodeDecodeError as error:
            raise self._corrupt(
                data, f"{field.name!r} at offset {begin} is no UTF-8: {error.reason}"
            ) from error

    def _corrupt(self, data: bytes, reason: str) -> RecordCorrupt:
        return RecordCorrupt(self.name, reason, value=data)
