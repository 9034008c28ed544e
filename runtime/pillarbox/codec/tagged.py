"""Operations and updates as bytes: msgpack arrays that begin with a code.

Depends on: records, unknown, errors.  Never on: what they mean; their structs are generated.

Law: `decode(encode(value)) == value`; bytes with a code that nobody here knows raise DataError.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pillarbox.codec.records import RecordCodec
from pillarbox.codec.unknown import Unknown
from pillarbox.errors import DataError, RecordCorrupt

T = TypeVar("T")


class TaggedCodec(Generic[T]):
    """The codec of a union of tagged structs."""

    def __init__(self, union: Any, noun: str) -> None:
        """`union` is the type itself, for which type checkers have no type; `noun` names it in errors."""
        self._records: RecordCodec[Any] = RecordCodec(union, noun)
        self._noun = noun

    def encode(self, value: T) -> bytes:
        """Raises RangeError for what msgpack cannot hold."""
        return self._records.encode_unread(value)

    def decode(self, data: bytes) -> T:
        """Raises DataError when the bytes are torn, or of a code that a newer schema gave out."""
        try:
            value: T | Unknown = self._records.decode(data)
        except RecordCorrupt as error:
            raise self._error(data, error.reason) from error
        if isinstance(value, Unknown):
            raise self._error(data, f"its code {value.tag} is not known here")
        return value

    def _error(self, data: bytes, reason: str) -> DataError:
        return DataError(
            f"{len(data)} bytes are no {self._noun} of this schema: {reason}; "
            f"fetch them again, or update the package that reads them"
        )
