"""Arguments of what programs call, where another type would end in an error far from the call.

Depends on: errors.  Never on: anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import Any, Final

from pillarbox.errors import UsageError

_SHOWN_MAX: Final = 80


def misused(name: str, given: object, wanted: str) -> UsageError:
    """That `name` was given what it is not: `wanted` says what to pass."""
    text = repr(given)
    shown = text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}..."
    kind = "" if given is None else f" ({type(given).__name__})"
    return UsageError(f"{name} is {shown}{kind}; pass {wanted}")


def path_of(name: str, given: str | PathLike[str]) -> str:
    """The text of a path. Raises UsageError for what is none, or is one in bytes."""
    try:
        path = fspath(given)
    except TypeError:
        path = None
    if not isinstance(path, str):
        raise misused(name, given, "a path: text, or a pathlib.Path")
    return path


def refuse_no_function(name: str, given: Callable[..., Any], wanted: str) -> None:
    """Raise UsageError for what cannot be called."""
    if not callable(given):
        raise misused(name, given, wanted)


def refuse_no_number(name: str, given: int, least: int) -> None:
    """Raise UsageError for what is no int, or one below `least`."""
    if not isinstance(given, int) or given < least:
        raise misused(name, given, f"an int of {least} or more")
