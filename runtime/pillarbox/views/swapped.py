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


def swapped(
    old: tuple[Row, ...], new: Sequence[Row], key_of: Callable[[Row], Hashable]
) -> tuple[tuple[Row, ...], Sequence[Row], Sequence[Row]]:
    """The new rows, each as the old object if it equals the old one of its key; all old: the old tuple.

    Then the objects that are only among them, and those that were only among the old ones.
    """
    added = _added(old, new)
    if added is not None:
        return added
    were, are = set(map(id, old)), set(map(id, new))
    came = [row for row in new if id(row) not in were]
    # A row is read again where it is found in another way, be it in one more place.
    again = _equals(came, old, key_of)
    if again:
        new = [again.get(id(row), row) for row in new]
    rows = tuple(new)
    if rows == old:
        return old, (), ()
    if not again and len(were) == len(old) and len(are) == len(rows):
        return rows, came, [row for row in old if id(row) not in are]
    return rows, _missing(rows, old), _missing(old, rows)


def _added(
    old: tuple[Row, ...], new: Sequence[Row]
) -> tuple[tuple[Row, ...], Sequence[Row], Sequence[Row]] | None:
    """What `swapped` gives where one row came behind all others, and the first may have gone for it.

    That is what happens to most windows, and neither side is searched for the rest of its rows.
    """
    if not new or not 0 <= len(new) - len(old) <= 1:
        return None
    left = old[: len(old) - len(new) + 1]
    stay, last = old[len(left) :], new[-1]
    if tuple(new[:-1]) != stay or last in old:
        return None
    return (*stay, last), (last,), left


def _equals(rows: Sequence[Row], old: Sequence[Row], key_of: Callable[[Row], Hashable]) -> dict[int, Row]:
    """id -> the equal one among the old, of those that have one."""
    if not rows or not old:
        return {}
    if len(rows) <= _FEW:
        return {id(row): old[old.index(row)] for row in rows if row in old}
    by_key = {key_of(row): row for row in old}
    return {id(row): one for row in rows if (one := kept(by_key.get(key_of(row)), row)) is not row}


def _missing(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """The objects in `rows` that are not among the others, as often as they are not."""
    times = Counter(map(id, others))
    found = []
    for row in rows:
        if times[id(row)]:
            times[id(row)] -= 1
        else:
            found.append(row)
    return found
