"""Operations, updates and what else has a code as bytes: msgpack arrays that begin with it, or as JSON.

Depends on: records, unknown, errors, msgspec.  Never on: what they mean; their structs are generated.

Law: `decode(encode(value)) == value`, in both forms; bytes of a code that nobody here knows raise DataError.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from pillarbox.codec.records import RecordCodec
from pillarbox.codec.unknown import Unknown
from pillarbox.errors import DataError, RangeError, RecordCorrupt

T = TypeVar("T")


class TaggedCodec(Generic[T]):
    """The codec of a union of tagged structs."""

    def __init__(self, union: Any, noun: str) -> None:
        """`union` is the type itself, for which type checkers have no type; `noun` names it in errors."""
        self._records: RecordCodec[Any] = RecordCodec(union, noun)
        self._union = union
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

    def encode_json(self, value: T) -> bytes:
        """The same array as JSON, on one line: for records that people read.

        Raises RangeError for what JSON cannot hold: a union case that only a newer package knows, lone
        surrogates, floats that are no numbers.
        """
        try:
            data = msgspec.json.encode(value)
        except (UnicodeEncodeError, OverflowError, TypeError) as error:
            raise RangeError(self._noun, value, f"what JSON can hold ({error})") from error
        if b"null" in data and not self._reads_as(value, data):
            raise RangeError(self._noun, value, "what JSON can hold: all its floats are numbers")
        return data

    def _reads_as(self, value: T, data: bytes) -> bool:
        try:
            return self.decode_json(data) == value
        except DataError:
            return False

    def decode_json(self, data: bytes) -> T:
        """What `encode_json` gave. Raises DataError for anything else."""
        try:
            value: T = self._json.decode(data)
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            raise self._error(data, str(error)) from error
        return value

    @cached_property
    def _json(self) -> msgspec.json.Decoder[Any]:
        """Made when it is used first, as few ever use it."""
        return msgspec.json.Decoder(self._union)

    def _error(self, data: bytes, reason: str) -> DataError:
        return DataError(
            f"{len(data)} bytes are no {self._noun} of this schema: {reason}; "
            f"fetch them again, or update the package that reads them"
        )
