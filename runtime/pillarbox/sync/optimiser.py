"""Merging operations before they are replayed.

Depends on: msgspec.  Never on: boxes, cursors, what the operations do.

Law (sync.md 6.6): replaying `optimise(operations, merges)` and replaying `operations` in one transaction
leave equal tables and tell equal events, those of one kind in the same order, wherever the second succeeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar

from msgspec.structs import replace

Op = TypeVar("Op")


@dataclass(frozen=True)
class Merges:
    """The generated half: which operations of a schema merge, and which must not be passed.

    `batches`: class -> its list, then its other parameters; those of equal others become one, where the
    first stood. `tails`: class -> the parameters that tell what it sets; of equal ones only the last is
    applied, where it stood. `ends`: class -> the classes of these two that it meets, and so closes.
    """

    batches: Mapping[type[Any], tuple[str, tuple[str, ...]]]
    tails: Mapping[type[Any], tuple[str, ...]]
    ends: Mapping[type[Any], frozenset[type[Any]]]
    _items: dict[type[Any], Any] = field(init=False, repr=False, compare=False)
    _keys: dict[type[Any], Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        items = {kind: attrgetter(name) for kind, (name, _) in self.batches.items()}
        by = {kind: names for kind, (_, names) in self.batches.items()}
        keys = {
            kind: attrgetter(*names) if names else _nothing for kind, names in (by | dict(self.tails)).items()
        }
        object.__setattr__(self, "_items", items)
        object.__setattr__(self, "_keys", keys)


def _nothing(_operation: object) -> None:
    """The key of what has none."""


def optimise(operations: Sequence[Op], merges: Merges) -> list[Op]:
    """The operations that are left, in one pass; those that were given are not changed."""
    left: list[Op | None] = []
    #: Class -> key -> where in `left` the one stands that another may still join, or take the place of.
    opened: dict[type[Any], dict[Any, int]] = {}
    #: Where in `left` a batch stands -> its list.
    grown: dict[int, list[Any]] = {}
    for operation in operations:
        kind = type(operation)
        if opened:
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
        left[place] = replace(batch, **{merges.batches[type(batch)][0]: tuple(items)})
    return [operation for operation in left if operation is not None]
