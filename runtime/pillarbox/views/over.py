"""A live view made of the snapshots of others: what is watched together, or a piece of one.

Depends on: view, emission, touched.  Never on: trackers, subscriptions, parts, tables.

Law: after `replay` the snapshot is what `make` gives for the snapshots that the followed views have now,
and `replay` gave an emission exactly if it differs from the one before. It reads nothing but them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from pillarbox.views.emission import Emission, Why, weightiest
from pillarbox.views.touched import Mark, Touched
from pillarbox.views.view import View

S = TypeVar("S")

#: What the parts of an emission are called: a name for each followed view, or what names the difference
#: between the snapshot before and the one now.
Members: TypeAlias = Sequence[str] | Callable[[Any, Any], tuple[str, ...]]


class Over(Generic[S]):
    """Follows views, each of which may stand several times in `follows`.

    `make` takes their snapshots, in that order; it is pure. `members` name them for `Emission.parts`, where
    a part is called "member.part"; they are "0", "1", .. where they are not given. Or it is a function, which
    names what differs by itself.
    """

    __slots__ = (
        "_make",
        "_members",
        "_snapshot",
        "emitted",
        "follows",
        "key",
        "order",
        "seconds",
        "subscriptions",
        "suppressed",
    )
    #: It is never loaded anew.
    refreshed = 0

    def __init__(
        self,
        key: Hashable,
        follows: Sequence[View[Any]],
        make: Callable[[tuple[Any, ...]], S],
        *,
        members: Members | None = None,
    ) -> None:
        self.key = key
        self.follows = tuple(follows)
        self._members = members if members is None or callable(members) else tuple(members)
        self._make = make
        self._snapshot = self._made()
        #: Place in the order of emissions, as that of a view.
        self.order: tuple[int, int, int] = (0, 0, 0)
        self.subscriptions: list[Any] = []
        #: As those of a view.
        self.emitted = self.suppressed = 0
        self.seconds = 0.0

    @property
    def snapshot(self) -> S:
        """The same object until something differs."""
        return self._snapshot

    @property
    def is_momentary(self) -> bool:
        """As that of a view: whether one of the followed is."""
        return any(view.is_momentary for view in self.follows)

    def replay(self, differing: Mapping[View[Any], Emission[Any] | Exception]) -> Emission[S] | None:
        """Look at the views again after a commit; what it emits, None if its snapshot does not differ.

        `differing` has what those emit whose snapshots differ.
        """
        snapshot = self._made()
        if snapshot == self._snapshot:
            return None
        was, self._snapshot = self._snapshot, snapshot
        told: list[tuple[int, Emission[Any]]] = []
        for at, view in enumerate(self.follows):
            what = differing.get(view)
            if isinstance(what, Emission):
                told.append((at, what))
        why = weightiest(emission.why for _, emission in told)
        if callable(self._members):
            return Emission(snapshot, why, self._members(was, snapshot))
        parts, touched = _named(told, self._members)
        return Emission(snapshot, why, parts, None, touched)

    def whole(self) -> Emission[S]:
        """As that of a view. The followed ones may have gone through more than this one was told."""
        was, self._snapshot = self._snapshot, self._made()
        if callable(self._members):
            return Emission(self._snapshot, Why.GENERIC, self._members(was, self._snapshot))
        named = [str(at) for at in range(len(self.follows))] if self._members is None else self._members
        pairs = zip(named, self.follows, strict=True)
        parts = [f"{member}.{part}" for member, view in pairs for part in view.whole().parts]
        return Emission(self._snapshot, Why.GENERIC, tuple(parts))

    def first(self) -> Emission[S]:
        """What a new subscriber gets."""
        for view in dict.fromkeys(self.follows):
            first = view.first()
            if first.why is Why.INITIAL_UNREAD:
                return Emission(self._snapshot, first.why, at=first.at)
        return Emission(self._snapshot, Why.INITIAL)

    def forget(self) -> None:
        """As that of a view; the followed ones have forgotten."""
        if self.is_momentary:
            self._snapshot = self._made()

    def _made(self) -> S:
        return self._make(tuple([view.snapshot for view in self.follows]))


def _named(
    told: Sequence[tuple[int, Emission[Any]]], members: Sequence[str] | None
) -> tuple[tuple[str, ...], Touched]:
    """The names of the parts that differ, and by which rows."""
    names: list[str] = []
    touched: list[tuple[str, Mark]] = []
    for at, emission in told:
        member = str(at) if members is None else members[at]
        names += [f"{member}.{part}" for part in emission.parts]
        of = emission.touched
        if of is not None:
            touched += [(f"{member}.{part}", mark) for part, mark in zip(of.parts, of.marks, strict=True)]
    return tuple(names), Touched(tuple([part for part, _ in touched]), tuple([mark for _, mark in touched]))
