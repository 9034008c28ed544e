"""The typed data of a box: items, alone or several at once, read or watched.

Depends on: views (items, subscriptions).  Never on: the box, which hands itself in; storage.

Law: `get` gives what `__take__` gives for snapshots of one commit. What `watch` gives emits at most once a
commit, and exactly if a value that was taken differs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, overload

from pillarbox.errors import UsageError
from pillarbox.views import Item, ItemMap, Members, Subscription, Taking, ViewKey
from pillarbox.views.items import names_of_changed

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
G = TypeVar("G")
H = TypeVar("H")
K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
S = TypeVar("S")


class Views(Protocol):
    """What a box does for its data."""

    def load_together(self, keys: Sequence[ViewKey[Any]]) -> tuple[Any, ...]:
        """The snapshots of these views as of one commit."""

    def watch_over(
        self,
        key: Hashable,
        keys: Sequence[ViewKey[Any]],
        make: Callable[[tuple[Any, ...]], S],
        *,
        members: Members | None,
        every: bool,
        queue_max: int,
    ) -> Subscription[S]:
        """As `Tracker.subscribe_over`."""


class Data:
    """`box.data`: values of a box by their items.

    Up to eight items are read or watched as a tuple of their values; any number under names, by `get_map`
    and `watch_map`, or as an `ItemMap` among others. Items of one view load it once.

    `watch` is as `Box.watch`: the snapshot is the value or the tuple; `parts` of an emission are the places
    of the values that differ, "0" the first, or the names in a map. Raises UsageError for what is no item.
    """

    __slots__ = ("_views",)

    def __init__(self, views: Views) -> None:
        self._views = views

    # ------------------------------------------------------------------------------------------ get

    @overload
    def get(self, a: Item[A], /) -> A: ...

    @overload
    def get(self, a: Item[A], b: Item[B], /) -> tuple[A, B]: ...

    @overload
    def get(self, a: Item[A], b: Item[B], c: Item[C], /) -> tuple[A, B, C]: ...

    @overload
    def get(self, a: Item[A], b: Item[B], c: Item[C], d: Item[D], /) -> tuple[A, B, C, D]: ...

    @overload
    def get(self, a: Item[A], b: Item[B], c: Item[C], d: Item[D], e: Item[E], /) -> tuple[A, B, C, D, E]: ...

    @overload
    def get(
        self, a: Item[A], b: Item[B], c: Item[C], d: Item[D], e: Item[E], f: Item[F], /
    ) -> tuple[A, B, C, D, E, F]: ...

    @overload
    def get(
        self, a: Item[A], b: Item[B], c: Item[C], d: Item[D], e: Item[E], f: Item[F], g: Item[G], /
    ) -> tuple[A, B, C, D, E, F, G]: ...

    @overload
    def get(
        self,
        a: Item[A],
        b: Item[B],
        c: Item[C],
        d: Item[D],
        e: Item[E],
        f: Item[F],
        g: Item[G],
        h: Item[H],
        /,
    ) -> tuple[A, B, C, D, E, F, G, H]: ...

    def get(self, *items: Item[Any]) -> Any:
        """The values of items as of the last commit; raises as `Box.reading` does."""
        _check_given(items)
        take = Taking(items)
        values = take(self._views.load_together(take.views))
        return values[0] if len(items) == 1 else values

    @overload
    def get_map(self, items: Mapping[K, Item[R]]) -> dict[K, R]: ...

    @overload  # items of several kinds
    def get_map(self, items: Mapping[K, Item[object]]) -> dict[K, object]: ...

    def get_map(self, items: Mapping[K, Item[Any]]) -> dict[K, Any]:
        """The values of items under the names of the items, as of the last commit."""
        return dict(self.get(ItemMap(items)))

    # ---------------------------------------------------------------------------------------- watch

    @overload
    def watch(self, a: Item[A], /, *, every: bool = ..., queue_max: int = ...) -> Subscription[A]: ...

    @overload
    def watch(
        self, a: Item[A], b: Item[B], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[tuple[A, B]]: ...

    @overload
    def watch(
        self, a: Item[A], b: Item[B], c: Item[C], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[tuple[A, B, C]]: ...

    @overload
    def watch(
        self, a: Item[A], b: Item[B], c: Item[C], d: Item[D], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[tuple[A, B, C, D]]: ...

    @overload
    def watch(
        self,
        a: Item[A],
        b: Item[B],
        c: Item[C],
        d: Item[D],
        e: Item[E],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E]]: ...

    @overload
    def watch(
        self,
        a: Item[A],
        b: Item[B],
        c: Item[C],
        d: Item[D],
        e: Item[E],
        f: Item[F],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E, F]]: ...

    @overload
    def watch(
        self,
        a: Item[A],
        b: Item[B],
        c: Item[C],
        d: Item[D],
        e: Item[E],
        f: Item[F],
        g: Item[G],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E, F, G]]: ...

    @overload
    def watch(
        self,
        a: Item[A],
        b: Item[B],
        c: Item[C],
        d: Item[D],
        e: Item[E],
        f: Item[F],
        g: Item[G],
        h: Item[H],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E, F, G, H]]: ...

    def watch(self, *items: Item[Any], every: bool = False, queue_max: int = 1_000) -> Subscription[Any]:
        """Subscribe to items: their values now, and after each commit that changed one of them."""
        _check_given(items)
        take = Taking(items)
        if len(items) == 1:
            return self._views.watch_over(
                ("item", *items),
                take.views,
                lambda snapshots: take(snapshots)[0],
                members=lambda was, now: ("0",),
                every=every,
                queue_max=queue_max,
            )
        return self._views.watch_over(
            ("items", *items),
            take.views,
            take,
            members=names_of_changed([str(place) for place in range(len(items))]),
            every=every,
            queue_max=queue_max,
        )

    @overload
    def watch_map(
        self, items: Mapping[K, Item[R]], *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[Mapping[K, R]]: ...

    @overload  # items of several kinds
    def watch_map(
        self, items: Mapping[K, Item[object]], *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[Mapping[K, object]]: ...

    def watch_map(
        self, items: Mapping[K, Item[Any]], *, every: bool = False, queue_max: int = 1_000
    ) -> Subscription[Mapping[K, Any]]:
        """Subscribe to items under names: all of their values, emitted when one of them changed."""
        named, names, take = ItemMap(items), tuple(items), Taking(tuple(items.values()))

        def changed(was: Mapping[K, Any], now: Mapping[K, Any]) -> tuple[str, ...]:
            return tuple([str(name) for name, value in now.items() if was[name] is not value])

        return self._views.watch_over(
            ("items", named),
            take.views,
            lambda snapshots: MappingProxyType(dict(zip(names, take(snapshots), strict=True))),
            members=changed,
            every=every,
            queue_max=queue_max,
        )


def _check_given(items: tuple[Item[Any], ...]) -> None:
    if not items:
        raise UsageError("no item is given; name at least one, such as `box.data.get(items.Title(1))`")
