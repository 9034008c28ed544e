"""The `record` layout: one msgpack array per row, by msgspec.

Depends on: unknown, walk, errors, msgspec.  Never on: any table; row structs are generated.

Law: `decode(encode(row)) == row`, and a row that would not decode is not encoded; a union case that a newer
package wrote decodes to an `Unknown` that encodes to the same bytes; fields that the bytes lack take their
defaults, fields they have too many are ignored; anything else raises RecordCorrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import msgspec

from pillarbox.codec.unknown import Unknown
from pillarbox.codec.walk import Walk, WrongBytes, has_union, walk_of
from pillarbox.errors import RangeError, RecordCorrupt

T = TypeVar("T")


def _raw_of(value: object) -> msgspec.Raw:
    if isinstance(value, Unknown):
        return msgspec.Raw(value.raw)
    raise NotImplementedError(f"{type(value).__name__} has no place in a record")


_encode: Final = msgspec.msgpack.Encoder(enc_hook=_raw_of).encode


def encoded(value: object) -> bytes:
    """A value of any type of a schema as bytes, as a record would hold it. Raises RangeError.

    `RecordCodec(its type, a name).decode` reads it again.
    """
    try:
        return _encode(value)
    except (UnicodeEncodeError, OverflowError, TypeError, NotImplementedError) as error:
        raise RangeError(
            type(value).__name__, value, f"of the type that the schema declares ({error})"
        ) from error


class RecordCodec(Generic[T]):
    """The codec of one row struct: frozen, `array_like`, its union cases tagged with ints."""

    def __init__(self, row_type: type[T], name: str) -> None:
        """`name` is the table's, for errors."""
        self.name = name
        self._row_type = row_type

    def encode(self, row: T) -> bytes:
        """Raises RangeError for what would not read as the row's struct, and what `encode_unread` refuses.

        Callers whose types nobody checks may hand over anything. Reading the bytes at once finds it all,
        and costs less than a fiftieth of putting a row and committing it.
        """
        try:
            data = _encode(row)
            self._decode(data)
        except (ValueError, OverflowError, TypeError, NotImplementedError, msgspec.MsgspecError):
            return self._reread(row)
        return data

    def encode_unread(self, row: T) -> bytes:
        """Raises RangeError for what msgpack cannot hold: lone surrogates, integers over 64 bits."""
        try:
            return _encode(row)
        except (UnicodeEncodeError, OverflowError, TypeError, NotImplementedError) as error:
            raise self._misfit(row) from error

    def decode(self, data: bytes) -> T:
        """Raises RecordCorrupt when the bytes are torn or not of this struct."""
        try:
            return self._decode(data)
        except msgspec.ValidationError as error:
            if self._walk is None:
                raise RecordCorrupt(self.name, str(error), value=data) from error
            return self._slowly(data, self._walk)
        except (ValueError, RecursionError) as error:  # torn, or text that is no UTF-8
            raise RecordCorrupt(self.name, str(error), value=data) from error
        except TypeError as error:
            if isinstance(data, bytes):
                raise
            # Of a damaged page, which SQLite may read as cells that hold no bytes.
            raise RecordCorrupt(self.name, f"{data!r} is stored in the place of bytes", value=b"") from error

    def decode_many(self, data: Sequence[bytes]) -> list[T]:
        """As `decode` of each, without a call of Python for each of them."""
        try:
            return list(map(self._decode, data))
        except (ValueError, RecursionError, TypeError, msgspec.MsgspecError):
            return list(map(self.decode, data))  # which knows what to do, and what to say

    @cached_property
    def _decode(self) -> Callable[[bytes], T]:
        """Made when a row is read first: to make those of all tables takes longer than to open a box."""
        return msgspec.msgpack.Decoder(self._row_type).decode

    @cached_property
    def _walk(self) -> Walk | None:
        return walk_of(self._row_type) if has_union(self._row_type) else None

    def _slowly(self, data: bytes, walk: Walk) -> T:
        """Field by field, so that a union case nobody here knows can be set aside as it is."""
        try:
            row: T = walk(data)
        except (WrongBytes, ValueError, RecursionError) as error:
            raise RecordCorrupt(self.name, str(error), value=data) from error
        return row

    def _reread(self, row: Any) -> bytes:
        """As `encode`: unknown cases aside, refuse the row for the first field that would not read."""
        kind = self._row_type
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and not isinstance(row, kind):
            raise _mistyped(self.name, row, f"its rows are of the class {kind.__name__}")
        data = self.encode_unread(row)
        try:
            self.decode(data)
        except RecordCorrupt as error:
            row_type: Any = self._row_type
            for field in msgspec.structs.fields(row_type):
                value = getattr(row, field.name, None)
                try:
                    RecordCodec(field.type, self.name).decode(_encode(value))
                except RecordCorrupt as misfit:
                    raise _mistyped(f"{self.name}.{field.name}", value, misfit.reason) from None
            raise _mistyped(self.name, row, error.reason) from None
        return data

    def _misfit(self, row: Any) -> RangeError:
        for field in getattr(row, "__struct_fields__", ()):
            value = getattr(row, field)
            try:
                _encode(value)
            except UnicodeEncodeError:
                return RangeError(f"{self.name}.{field}", value, "text that UTF-8 can write")
            except OverflowError:
                return RangeError(f"{self.name}.{field}", value, "an integer of 64 bits")
            except (TypeError, NotImplementedError):
                return RangeError(f"{self.name}.{field}", value, "of the type that the schema declares")
        return RangeError(self.name, row, "a row of this table")


def refuse_mistyped(values: Iterable[Any]) -> None:
    """Raise RangeError for the first of some structs that would not read as what it is.

    For who stumbled over one of them and knows no more.
    """
    for value in values:
        codec = RecordCodec(type(value), type(value).__name__)
        refuse_altered(codec.name, value, codec.decode(codec.encode(value)))


def refuse_altered(name: str, row: Any, read: Any) -> None:
    """Raise RangeError for a field that reads, but not as what it was; one that is not even equal goes first.

    A case without fields reads as a list of numbers where one belongs, and a change that a patch does not
    offer for a field as one that a newer package wrote.
    """
    sides = [(field, getattr(row, field), getattr(read, field)) for field in row.__struct_fields__]
    unlike = [side for side in sides if not _reads_as(side[1], side[2])]
    for field, value, found in sorted(unlike, key=lambda side: bool(side[1] == side[2])):
        raise _mistyped(f"{name}.{field}", value, f"it reads as {found!r}")


def _reads_as(value: Any, found: Any) -> bool:
    """Whether a value was read as what it is: an integer is a float as well, as for type checkers."""
    if type(value) is int and type(found) is float:
        return bool(value == found)
    if type(value) is type(found) and isinstance(value, msgspec.Struct):
        value, found = msgspec.structs.astuple(value), msgspec.structs.astuple(found)
    if type(value) is type(found) and isinstance(value, tuple | list):
        return len(value) == len(found) and all(map(_reads_as, value, found))
    return repr(value) == repr(found)


def _mistyped(place: str, value: object, reason: str) -> RangeError:
    return RangeError(place, value, f"of the type that the schema declares ({reason})")
