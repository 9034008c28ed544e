"""Items: single values out of what views show, taken alone, several at once, or by name.

Depends on: view, errors.  Never on: trackers, subscriptions, boxes.

Law: what is taken is a function of the snapshots of the items' views and of nothing else. Items of one view
share its snapshot, and a value that is equal to the one taken before is that same object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from pillarbox.errors import UsageError
from pillarbox.views.view import ViewKey, hashable

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Snapshots: TypeAlias = tuple[Any, ...]


class Item(Protocol[R_co]):
    """One value of a view: frozen, hashable. Those of a schema are generated, in items.py of its package.

    `__view__` gives the view, `__take__` gets its snapshot; or several views, and their snapshots in a tuple.
    `__take__` is pure, and what it gives is frozen: all who watch share it.
    """

    def __view__(self) -> ViewKey[Any] | tuple[ViewKey[Any], ...]: ...

    def __take__(self, snapshot: Any, /) -> R_co: ...


class ItemMap(Generic[K, R]):
    """Items under names as one item, whose value maps the same names to theirs, in the same order."""

    __slots__ = ("_items", "_take")

    def __init__(self, items: Mapping[K, Item[R]]) -> None:
        self._items = tuple(items.items())
        self._take = Taking([item for _, item in self._items])

    def __view__(self) -> tuple[ViewKey[Any], ...]:
        return self._take.views

    def __take__(self, snapshots: Snapshots, /) -> Mapping[K, R]:
        values = self._take.values(snapshots)
        return MappingProxyType({name: value for (name, _), value in zip(self._items, values, strict=True)})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ItemMap) and self._items == other._items

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"ItemMap({dict(self._items)!r})"


class Taking:
    """Takes the values of some items at once. `views` are their views, each once, in the order of items.

    Called with the snapshots of these views it gives the values, one for each item, and keeps them for the
    next call: one call at a time, by one owner. `values` keeps nothing.
    """

    __slots__ = ("_terms", "_was", "_were", "views")

    def __init__(self, items: Sequence[Item[Any]]) -> None:
        places: dict[ViewKey[Any], int] = {}
        self._terms = [_term(item, places) for item in items]
        self.views = tuple(places)
        #: The values of the last call, and the snapshots that they were taken of.
        self._was: tuple[Any, ...] = ()
        self._were: Snapshots = ()

    def values(self, snapshots: Snapshots) -> tuple[Any, ...]:
        """The values, taken anew."""
        return tuple([term(snapshots) for term, _ in self._terms])

    def __call__(self, snapshots: Snapshots) -> tuple[Any, ...]:
        if not self._were:
            values = self.values(snapshots)
        else:
            same = [new is old for new, old in zip(snapshots, self._were, strict=True)]
            values = tuple(
                [
                    was if all(same[place] for place in at) else _kept(was, term(snapshots))
                    for (term, at), was in zip(self._terms, self._was, strict=True)
                ]
            )
        self._was, self._were = values, snapshots
        return values


def _term(
    item: Item[Any], places: dict[ViewKey[Any], int]
) -> tuple[Callable[[Snapshots], Any], tuple[int, ...]]:
    """How an item takes its value of all snapshots, and the places of those that it looks at."""
    if not hasattr(type(item), "__take__"):
        raise UsageError(
            f"{item!r} is no item; pass those that are made from items.py of the package that the box was "
            f"opened with, or what has `__view__` and `__take__` likewise. A view is read by `box.get` and "
            f"watched by `box.watch`"
        )
    views, take = item.__view__(), item.__take__
    if not isinstance(views, tuple):
        place = places.setdefault(hashable(views), len(places))
        return (lambda snapshots: take(snapshots[place])), (place,)
    at = tuple([places.setdefault(hashable(view), len(places)) for view in views])
    return (lambda snapshots: take(tuple([snapshots[place] for place in at]))), at


def _kept(was: Any, now: Any) -> Any:
    """The old object if the new one is equal to it."""
    return was if was == now else now


def names_of_changed(names: Sequence[str]) -> Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[str, ...]]:
    """Names the values that a call of `Taking` gave anew."""

    def changed(was: tuple[Any, ...], now: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple([name for name, old, new in zip(names, was, now, strict=True) if old is not new])

    return changed
