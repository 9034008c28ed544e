"""Views watched together: any set of them, with one consistent emission.

Depends on: views.  Never on: the box, which is made of this; storage.

Law: the snapshots of an emission are all as of the same commit, and there is at most one emission a commit:
exactly if one of the views differs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar, overload

from pillarbox.errors import UsageError
from pillarbox.views import Members, Subscription, ViewKey

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
G = TypeVar("G")
H = TypeVar("H")
K = TypeVar("K", bound=Hashable)
S = TypeVar("S")


class Together(ABC):
    """What a box offers for several views at once."""

    @abstractmethod
    def watch_over(
        self,
        key: Hashable,
        keys: Sequence[ViewKey[Any]],
        make: Callable[[tuple[Any, ...]], S],
        *,
        members: Members | None = None,
        every: bool = False,
        queue_max: int = 1_000,
    ) -> Subscription[S]:
        """Subscribe to what `make` gives for the snapshots of some views, see `Tracker.subscribe_over`.

        `watch_all` and `data.watch` are the ways to do so that are typed.
        """

    @overload
    def watch_all(
        self, a: ViewKey[A], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[tuple[A]]: ...

    @overload
    def watch_all(
        self, a: ViewKey[A], b: ViewKey[B], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[tuple[A, B]]: ...

    @overload
    def watch_all(
        self, a: ViewKey[A], b: ViewKey[B], c: ViewKey[C], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[tuple[A, B, C]]: ...

    @overload
    def watch_all(
        self,
        a: ViewKey[A],
        b: ViewKey[B],
        c: ViewKey[C],
        d: ViewKey[D],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D]]: ...

    @overload
    def watch_all(
        self,
        a: ViewKey[A],
        b: ViewKey[B],
        c: ViewKey[C],
        d: ViewKey[D],
        e: ViewKey[E],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E]]: ...

    @overload
    def watch_all(
        self,
        a: ViewKey[A],
        b: ViewKey[B],
        c: ViewKey[C],
        d: ViewKey[D],
        e: ViewKey[E],
        f: ViewKey[F],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E, F]]: ...

    @overload
    def watch_all(
        self,
        a: ViewKey[A],
        b: ViewKey[B],
        c: ViewKey[C],
        d: ViewKey[D],
        e: ViewKey[E],
        f: ViewKey[F],
        g: ViewKey[G],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E, F, G]]: ...

    @overload
    def watch_all(
        self,
        a: ViewKey[A],
        b: ViewKey[B],
        c: ViewKey[C],
        d: ViewKey[D],
        e: ViewKey[E],
        f: ViewKey[F],
        g: ViewKey[G],
        h: ViewKey[H],
        /,
        *,
        every: bool = ...,
        queue_max: int = ...,
    ) -> Subscription[tuple[A, B, C, D, E, F, G, H]]: ...

    @overload
    def watch_all(
        self, keys: Mapping[K, ViewKey[S]], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[Mapping[K, S]]: ...

    @overload  # views of several kinds
    def watch_all(
        self, keys: Mapping[K, ViewKey[object]], /, *, every: bool = ..., queue_max: int = ...
    ) -> Subscription[Mapping[K, object]]: ...

    def watch_all(
        self,
        *keys: ViewKey[Any] | Mapping[Any, ViewKey[Any]],
        every: bool = False,
        queue_max: int = 1_000,
    ) -> Subscription[Any]:
        """Subscribe to several views as one: all of their snapshots now, and after each commit that changed
        one of them, as a tuple or under the names of a mapping.

        `parts` of an emission are called "0.issues", "1.people"; in a mapping the name of the view stands
        for its place. Everything else is as with `watch`.
        """
        if len(keys) == 1 and isinstance(keys[0], Mapping):
            return self._watch_named(keys[0], every, queue_max)
        if not keys:
            raise UsageError("no view is given; name at least one, or a mapping of names to views")
        views: list[Any] = list(keys)
        for view in views:
            if type(view).__hash__ is None:
                raise UsageError(
                    f"{view!r} is no view; give views one by one, or a mapping of names to views"
                )
        return self.watch_over(("views", *views), views, _as_they_are, every=every, queue_max=queue_max)

    def _watch_named(
        self, keys: Mapping[Any, ViewKey[Any]], every: bool, queue_max: int
    ) -> Subscription[Any]:
        names, views = tuple(keys), list(keys.values())
        return self.watch_over(
            ("named views", names, *views),
            views,
            lambda snapshots: MappingProxyType(dict(zip(names, snapshots, strict=True))),
            members=[str(name) for name in names],
            every=every,
            queue_max=queue_max,
        )


def _as_they_are(snapshots: tuple[Any, ...]) -> tuple[Any, ...]:
    return snapshots
