"""What expressions of a schema need where plain Python would be long or would compute something twice.

Depends on: nothing.  Never on: tables, rows; generated code calls these with plain values.

Law: total and pure: every call ends, with a value that depends on its arguments alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_UINT64_MAX: Final = (1 << 64) - 1


@lru_cache(maxsize=4096)
def bits(flags: int) -> tuple[int, ...]:
    """The flags that are set, each alone, lowest first: 13 gives (1, 4, 8). Flags have up to 64 bits."""
    left = flags & _UINT64_MAX
    found = []
    while left:
        lowest = left & -left
        found.append(lowest)
        left ^= lowest
    return tuple(found)


def first(items: Sequence[T]) -> T | None:
    """The first item, or None."""
    return items[0] if items else None


def last(items: Sequence[T]) -> T | None:
    """The last item, or None."""
    return items[-1] if items else None


def join(*lists: Iterable[T]) -> tuple[T, ...]:
    """The items of all lists in order, each where it comes first. Items are hashable."""
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def surely(value: T | None) -> T:
    """The value, which a condition has shown to be there where a type checker could not follow."""
    assert value is not None
    return value


def as_case(value: object, case: type[T]) -> T:
    """The value of a union, which a condition has shown to be of this case."""
    assert isinstance(value, case)
    return value


def of_case(value: object, case: type[T]) -> T | None:
    """The value of a union where it is of this case, or None."""
    return value if isinstance(value, case) else None


def in_bag(bag: Iterable[object], case: type[T]) -> T | None:
    """The value of this case in a bag, or None."""
    for value in bag:
        if isinstance(value, case):
            return value
    return None


def kept_in_list(old: Iterable[T], new: Iterable[T], case: type[T]) -> tuple[T, ...]:
    """The new list with the old one's values of this case in place of its own, the first for the first."""
    kept = iter([value for value in old if isinstance(value, case)])
    return tuple(next(kept, value) if isinstance(value, case) else value for value in new)


def let(value: T, body: Callable[[T], R]) -> R:
    """`body(value)`: names a value where Python allows no assignment."""
    return body(value)
