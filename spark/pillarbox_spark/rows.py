"""Rows as an adapter makes them: each of the types that its columns have, or known as one that is not.

Depends on: msgspec, quarantine.  Never on: formats, what becomes of rows.

Law: a row that comes out of `guarded` has values of its columns' types only; everything after trusts them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from pillarbox_spark.quarantine import FAULTS_OF_RECORD, WrongType

_ENCODE: Final = msgspec.msgpack.Encoder().encode
_COLUMN: Final = re.compile(r"\$\[(\d+)\]")


class Unmade:
    """Stands for a row that could not be made."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        self.error = error


def guarded(row_type: type) -> Callable[..., Any]:
    """Makes rows of a struct; one that cannot be made is an Unmade, so that the adapter can go on.

    An adapter that knows its types may take the struct itself: `inspect.unwrap` gives it.
    """
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(row_type).decode
    columns: tuple[str, ...] = row_type.__struct_fields__  # type: ignore[attr-defined]

    def row(*values: Any, **named: Any) -> Any:
        try:
            return decode(_ENCODE(row_type(*values, **named)))
        except msgspec.ValidationError as error:
            return Unmade(WrongType(_COLUMN.sub(column, str(error), count=1)))
        except FAULTS_OF_RECORD as error:
            return Unmade(_with_column(error, (*zip(columns, values, strict=False), *named.items())))

    def column(found: re.Match[str]) -> str:
        """The name of a column, which errors tell by its number."""
        return columns[int(found[1])]

    row.__wrapped__ = row_type  # type: ignore[attr-defined]  # what `inspect.unwrap` gives
    return row


def _with_column(error: Exception, values: Iterable[tuple[str, Any]]) -> Exception:
    """The error, with the name of the first column whose value alone cannot be encoded, as a note."""
    for name, value in values:
        try:
            _ENCODE(value)
        except FAULTS_OF_RECORD:
            error.add_note(f"`{name}`")
            break
    return error
