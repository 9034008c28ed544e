"""Merging operations before they are replayed.

Depends on: msgspec.  Never on: boxes, cursors, what the operations do.

Law (sync.md 6.6): replaying `optimise(operations, merges)` and replaying `operations` in one transaction
leave equal tables and tell equal events, those of one kind in the same order, wherever the second succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

Op = TypeVar("Op")


class Fold(NamedTuple):
    """How an operation folds into the last batch `into` of rows, where that still stands open.

    `key`: the key of its rows. `at`: the parameters that say which row. `set`: field -> parameter of what
    becomes of this row, and the operation is gone; None: the row is taken out, and the operation stays.
    """

    into: type[Any]
    key: tuple[str, ...]
    at: tuple[str, ...]
    set: Mapping[str, str] | None


@dataclass(frozen=True)
class Merges:
    """The generated half: which operations of a schema merge, and which must not be passed.

    `batches`: class -> its list, then its other parameters; those of equal others become one, where the
    first stood. `tails`: class -> the parameters that tell what it sets; of equal ones only the last is
    applied, where it stood. `ends`: class -> the classes of these two that it meets, and so closes.
    `folds`: class -> how it becomes part of a batch that it would close.
    """

    batches: Mapping[type[Any], tuple[str, tuple[str, ...]]]
    tails: Mapping[type[Any], tuple[str, ...]]
    ends: Mapping[type[Any], frozenset[type[Any]]]
    folds: Mapping[type[Any], Fold] = field(default_factory=dict)
    _items: dict[type[Any], Any] = field(init=False, repr=False, compare=False)
    _keys: dict[type[Any], Any] = field(init=False, repr=False, compare=False)
    #: Batch -> what gives the key of its rows; operation that folds -> what gives that of its row.
    _rows: dict[type[Any], Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        items = {kind: attrgetter(name) for kind, (name, _) in self.batches.items()}
        by = {kind: names for kind, (_, names) in self.batches.items()}
        keys = {
            kind: attrgetter(*names) if names else _nothing for kind, names in (by | dict(self.tails)).items()
        }
        rows = {one.into: one.key for one in self.folds.values()}
        rows |= {kind: one.at for kind, one in self.folds.items()}
        object.__setattr__(self, "_items", items)
        object.__setattr__(self, "_keys", keys)
        object.__setattr__(self, "_rows", {kind: attrgetter(*names) for kind, names in rows.items()})


def _nothing(_operation: object) -> None:
    """The key of what has none."""


class _Rows:
    """The list of a batch that others fold into: the last row of each key."""

    __slots__ = ("by_key", "key_of")

    def __init__(self, key_of: Callable[[Any], Any], rows: Iterable[Any]) -> None:
        self.key_of = key_of
        self.by_key = {key_of(row): row for row in rows}

    def __iadd__(self, rows: Iterable[Any]) -> _Rows:
        self.by_key.update((self.key_of(row), row) for row in rows)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(self.by_key.values())


def optimise(operations: Sequence[Op], merges: Merges) -> list[Op]:
    """The operations that are left, in one pass; those that were given are not changed."""
    left: list[Op | None] = []
    #: Class -> key -> where in `left` the one stands that another may still join, or take the place of.
    opened: dict[type[Any], dict[Any, int]] = {}
    #: Where in `left` a batch stands -> its list.
    grown: dict[int, Any] = {}
    for operation in operations:
        kind = type(operation)
        if opened:
            fold = merges.folds.get(kind)
            if fold is not None and fold.into in opened:
                rows = _rows(merges, fold, opened[fold.into][None], left, grown)
                if _is_folded(operation, fold, merges._rows[kind](operation), rows):
                    continue
            for other in merges.ends.get(kind, frozenset()) & opened.keys():
                del opened[other]
        key_of = merges._keys.get(kind)
        if key_of is None:
            left.append(operation)
            continue
        key, items_of = key_of(operation), merges._items.get(kind)
        places = opened.setdefault(kind, {})
        place = places.get(key)
        if items_of is None:
            if place is not None:
                left[place] = None
        elif place is not None:
            if place not in grown:
                grown[place] = list(items_of(left[place]))
            grown[place] += items_of(operation)
            continue
        else:
            places.clear()  # One of another key writes the same tables.
        places[key] = len(left)
        left.append(operation)
    for place, items in grown.items():
        batch: Any = left[place]
        found = tuple(items)
        does = bool(found) or not isinstance(items, _Rows)  # Else all rows that it would put are removed.
        left[place] = replace(batch, **{merges.batches[type(batch)][0]: found}) if does else None
    return [operation for operation in left if operation is not None]


def _rows(
    merges: Merges, fold: Fold, place: int, left: Sequence[Any], grown: dict[int, Any]
) -> dict[Any, Any]:
    """The rows of the batch that stands there, by their keys."""
    rows = grown.get(place)
    if not isinstance(rows, _Rows):
        items = merges._items[fold.into](left[place]) if rows is None else rows
        rows = grown[place] = _Rows(merges._rows[fold.into], items)
    return rows.by_key


def _is_folded(operation: object, fold: Fold, key: object, rows: dict[Any, Any]) -> bool:
    """Do to the rows what the operation does; whether nothing is left of it."""
    if fold.set is None:
        # The removal stays: there may have been a row before the batch.
        rows.pop(key, None)
        return False
    row = rows.get(key)
    if row is None:
        return False
    rows[key] = replace(row, **{name: getattr(operation, param) for name, param in fold.set.items()})
    return True
