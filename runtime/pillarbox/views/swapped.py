"""Rows that take the place of others.

Depends on: stretch.  Never on: parts.

Law: what is equal stays the same object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeVar

from pillarbox.views.stretch import kept

Row = TypeVar("Row")


#: Of so many rows each is looked for among the old ones; of more, by key.
_FEW: Final = 8


def swapped(old: tuple[Row, ...], new: Sequence[Row], key_of: Callable[[Row], Hashable]) -> tuple[Row, ...]:
    """The new rows, each as the old object if it equals the old one of its key; all old: the old tuple."""
    there = set(map(id, old))
    came = [row for row in new if id(row) not in there]
    if came and old:
        # A row is read again where it is found in another way.
        if len(came) <= _FEW:
            again = {id(row): old[old.index(row)] for row in came if row in old}
        else:
            by_key = {key_of(row): row for row in old}
            again = {id(row): kept(by_key.get(key_of(row)), row) for row in came}
        if again:
            new = [again.get(id(row), row) for row in new]
    rows = tuple(new)
    return old if rows == old else rows


def missing(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """The objects in `rows` that are not among the others, as often as they are not."""
    there = set(map(id, others))
    if len(there) == len(others) and len(set(map(id, rows))) == len(rows):
        return [row for row in rows if id(row) not in there]
    times = Counter(map(id, others))
    found = []
    for row in rows:
        if times[id(row)]:
            times[id(row)] -= 1
        else:
            found.append(row)
    return found
