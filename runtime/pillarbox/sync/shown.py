"""What a server or an adapter sent, as a line of the log shows it.

Depends on: nothing.

Laws: a line is as short as a person reads, whatever it is about, and it is made only where somebody logs it.
Making it never fails, and it is text that a file can hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: Characters of a value.
_MOST: Final = 500


class Shown:
    """A value of any size and kind; `str` of it is its `repr`, or as much of that as fits."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __str__(self) -> str:
        try:
            text = repr(self._value)
        except Exception as error:  # It may be anything: who reads the log learns at least its type.
            text = f"<{type(self._value).__name__}, whose repr fails with {type(error).__name__}>"
        return writable(text if len(text) <= _MOST else f"{text[:_MOST]}.. ({len(text):,} characters)")


class ShownFields:
    """Names and values, each as `Shown`."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __str__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {Shown(value)}" for name, value in self._fields.items()) + "}"


def said(error: BaseException) -> str:
    """What an error says, on one line; it may be of any class."""
    try:
        return writable(" ".join(str(error).split()))
    except Exception as worse:
        return f"<what it says fails with {type(worse).__name__}>"


def writable(text: str) -> str:
    """The same, without halves of characters, as a name of a file has them that is no text."""
    return text.encode(errors="backslashreplace").decode()
