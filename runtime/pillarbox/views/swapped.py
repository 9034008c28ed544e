"""Rows that take the place of others.

Depends on: stretch.  Never on: parts.

Law: what is equal stays the same object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from pillarbox.views.stretch import kept

Row = TypeVar("Row")


def swapped(old: tuple[Row, ...], new: Sequence[Row], key_of: Callable[[Row], Hashable]) -> tuple[Row, ...]:
    """The new rows, each as the old object if it equals the old one of its key; all old: the old tuple."""
    there = set(map(id, old))
    came = [row for row in new if id(row) not in there]
    if came:
        # A row is read again where it is found in another way.
        stay = set(map(id, new))
        gone = {key_of(row): row for row in old if id(row) not in stay}
        if gone:
            again = {id(row): kept(gone.get(key_of(row)), row) for row in came}
            new = [again.get(id(row), row) for row in new]
    rows = tuple(new)
    return old if rows == old else rows


def missing(rows: Iterable[Row], others: Iterable[Row]) -> list[Row]:
    """The objects in `rows` that are not among the others, as often as they are not."""
    times = Counter(map(id, others))
    found = []
    for row in rows:
        if times[id(row)]:
            times[id(row)] -= 1
        else:
            found.append(row)
    return found
