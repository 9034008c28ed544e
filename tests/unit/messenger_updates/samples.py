"""A value of any type of a generated package, built from the type alone.

Depends on: msgspec.  Never on: what the values mean.

Law: the same type and number give the same value, and each number another case of a union.
"""

from __future__ import annotations

import types
from enum import Enum
from typing import Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

#: Below this, lists are empty and what may be absent is.
DEPTH_MAX: Final = 4


def sample(type_: Any, number: int = 0, depth: int = 0) -> Any:
    """A value; what is shallow is filled, so that all of it has to survive."""
    if isinstance(type_, NewType):
        return sample(type_.__supertype__, number, depth)
    origin = get_origin(type_)
    if origin is tuple:
        return _tuple(type_, number, depth)
    if origin in (Union, types.UnionType):
        return _one_of(get_args(type_), number, depth)
    if origin is Literal:
        return get_args(type_)[0]
    if isinstance(type_, type) and issubclass(type_, Enum):
        found = list(type_)
        return found[number % len(found)]
    if isinstance(type_, type) and issubclass(type_, Struct):
        return struct(type_, number, depth)
    return {int: 7 + number, str: f"text {number}", bytes: b"\x07", bool: number % 2 == 0, float: 1.5}[type_]


def struct(type_: type[Struct], number: int = 0, depth: int = 0) -> Any:
    """A struct with a value in every field."""
    hints = get_type_hints(type_)
    names = [
        field.name for field in fields(type_) if not field.name.startswith("_")
    ]  # those are of removed ones
    return type_(**{name: sample(hints[name], number, depth + 1) for name in names})


def _tuple(type_: Any, number: int, depth: int) -> tuple[Any, ...]:
    items = get_args(type_)
    if items[-1] is not Ellipsis:
        return tuple(sample(item, number, depth) for item in items)
    return () if depth >= DEPTH_MAX else (sample(items[0], number, depth + 1),)


def _one_of(cases: tuple[Any, ...], number: int, depth: int) -> Any:
    if type(None) in cases:
        if depth >= DEPTH_MAX:
            return None
        cases = tuple(case for case in cases if case is not type(None))
    if depth >= DEPTH_MAX:  # the smallest ends
        return sample(min(cases, key=lambda case: len(getattr(case, "__struct_fields__", ()))), number, depth)
    return sample(cases[number % len(cases)], number, depth)
