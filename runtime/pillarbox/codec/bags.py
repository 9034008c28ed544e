"""Bags: tuples of union values, at most one of each case, in the order of their numbers; and how maps stand.

Depends on: unknown, errors.  Never on: which union; generated code calls these with plain values.

Law: what these give is a bag where what they are given is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

from pillarbox.codec.unknown import Unknown
from pillarbox.errors import RangeError

T = TypeVar("T")


def bag(*values: T) -> tuple[T, ...]:
    """The values as a bag. Raises RangeError where two are of one case."""
    found = tuple(sorted(values, key=number_of))
    check_bag(found, "a bag")
    return found


def check_bag(values: Sequence[Any], place: str) -> None:
    """Refuse what is no bag. `place` names it in the RangeError."""
    if len(values) > 1:
        numbers = list(map(number_of, values))
        if any(one >= other for one, other in pairwise(numbers)):
            what = "one value of each case, by their numbers: make it with `pillarbox.codec.bag`"
            raise RangeError(place, values, what)


def check_map(pairs: Sequence[tuple[Any, Any]], place: str) -> None:
    """Refuse what is no map: pairs sorted by key, each key once. `place` names it in the RangeError."""
    if len(pairs) > 1 and any(one[0] >= other[0] for one, other in pairwise(pairs)):
        what = "pairs by their keys, each key once: make it with `tuple(sorted(mapping.items()))`"
        raise RangeError(place, pairs, what)


def number_of(value: Any) -> int:
    """The number of the case that a value of a union is of, known here or not."""
    if isinstance(value, Unknown):
        return value.tag
    return int(type(value).__struct_config__.tag)


def with_case(values: Sequence[T], value: T) -> tuple[T, ...]:
    """The bag with this value in place of that of its case, if it had one."""
    number = number_of(value)
    below = [one for one in values if number_of(one) < number]
    return (*below, value, *(one for one in values if number_of(one) > number))


def without_case(values: Sequence[T], case: type[Any]) -> tuple[T, ...]:
    """The bag without the value of this case."""
    return tuple(value for value in values if not isinstance(value, case))


def kept_in_bag(old: Sequence[T], new: tuple[T, ...], case: type[T]) -> tuple[T, ...]:
    """The new bag with the old one's value of this case, if that has one."""
    for value in old:
        if isinstance(value, case):
            return with_case(new, value)
    return new
