"""A live view made of the snapshots of others: what is watched together, or a piece of one.

Depends on: view.  Never on: trackers, subscriptions, parts, tables.

Law: after `replay` the snapshot is what `make` gives for the snapshots that the followed views have now,
and `replay` returned True exactly if it differs from the one before. It reads nothing but them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

from pillarbox.views.view import View, Why

S = TypeVar("S")

#: What the parts of an emission are called: a name for each followed view, or what names the difference
#: between the snapshot before and the one now.
Members: TypeAlias = Sequence[str] | Callable[[Any, Any], tuple[str, ...]]

#: The weightier a reason, the later it stands; an emission for several says the weightiest.
_WEIGHTS: Final = (Why.GENERIC, Why.FILL_HOLE, Why.UPDATE_VISIBLE)


class Over(Generic[S]):
    """Follows views, each of which may stand several times in `follows`.

    `make` takes their snapshots, in that order; it is pure. `members` name them for `changed_parts`, where
    a part is called "member.part"; they are "0", "1", .. where they are not given. Or it is a function, which
    names what differs by itself.
    """

    __slots__ = (
        "_make",
        "_members",
        "_snapshot",
        "changed_parts",
        "follows",
        "key",
        "order",
        "subscriptions",
        "why",
    )

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
        #: Of the last replay that returned True: the parts that differ, and the reason.
        self.changed_parts: tuple[str, ...] = ()
        self.why = Why.INITIAL

    @property
    def snapshot(self) -> S:
        """The same object until something differs."""
        return self._snapshot

    def replay(self, differing: Mapping[View[Any], object]) -> bool:
        """Look at the views again after a commit; `differing` are those whose snapshots differ."""
        snapshot = self._made()
        if snapshot == self._snapshot:
            return False
        was, self._snapshot = self._snapshot, snapshot
        self.why = weightiest(view.why for view in self.follows if view in differing)
        if callable(self._members):
            self.changed_parts = self._members(was, snapshot)
        else:
            self.changed_parts = self._parts_of(differing, self._members)
        return True

    def _parts_of(
        self, differing: Mapping[View[Any], object], members: Sequence[str] | None
    ) -> tuple[str, ...]:
        """The names of the parts of followed views that differ."""
        return tuple(
            [
                f"{at if members is None else members[at]}.{part}"
                for at, view in enumerate(self.follows)
                if view in differing
                for part in view.changed_parts
            ]
        )

    def _made(self) -> S:
        return self._make(tuple([view.snapshot for view in self.follows]))


def weightiest(whys: Any) -> Why:
    """One reason for all that is emitted at once."""
    return max(whys, key=_WEIGHTS.index, default=Why.GENERIC)
