"""One live view: its parts, folded in order, and the snapshot they make.

Depends on: parts, interests, reads.  Never on: trackers and subscriptions, which hold views.

Law: after `replay` the snapshot equals that of a view freshly loaded, and `replay` returned True exactly
if it differs from the one before. Parts that did not change keep their objects.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from pillarbox.errors import UsageError
from pillarbox.views.held import give, state_of, take
from pillarbox.views.interests import Interests, Routed
from pillarbox.views.parts import Part
from pillarbox.views.parts.part import MOVED, MOVED_WINDOW, SHOWN
from pillarbox.views.reads import Readers, Reads

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class ViewKey(Protocol[S_co]):
    """A view with its parameters: frozen, hashable; `__snapshot__` only tells the type checker."""

    @property
    def __snapshot__(self) -> type[S_co]: ...


class Why(enum.Enum):
    """What a snapshot is emitted for."""

    #: The first one of a subscription.
    INITIAL = "initial"
    #: Rows changed.
    GENERIC = "generic"
    #: A hole that a window looks at was filled or moved.
    FILL_HOLE = "fill_hole"
    #: What a window looks at changed: its anchor or its counts.
    UPDATE_VISIBLE = "update_visible"


class Emission(msgspec.Struct, Generic[S], frozen=True):
    """A snapshot, why it came, and the names of the parts that differ from the one before.

    `parts` is empty in the first one, and where it is not known what differs.
    """

    snapshot: S
    why: Why
    parts: tuple[str, ...] = ()


class View(Generic[S]):
    """Parts in the order of the schema, and a function that makes the snapshot of their values.

    `names` are the names of the parts, in the same order. `held` are those of the parts whose values are
    taken when the view is opened, and kept.
    """

    __slots__ = (
        "_early",
        "_held",
        "_live",
        "_make",
        "_names",
        "_parts",
        "_snapshot",
        "changed",
        "followers",
        "key",
        "order",
        "subscriptions",
        "why",
    )

    def __init__(
        self,
        key: ViewKey[S],
        parts: Sequence[Part],
        make: Callable[[], S],
        *,
        names: Sequence[str],
        held: Sequence[Part] = (),
    ) -> None:
        self.key = key
        self._parts = tuple(parts)
        self._held = tuple(held)
        self._live = tuple([part for part in self._parts if part not in held]) if held else self._parts
        self._names = tuple(names)
        self._make = make
        self._snapshot: S | None = None
        #: What was opened to take the held values, until the others are.
        self._early: list[Part] | None = None
        #: Place in the order of emissions: what follows others is later, then kind, then creation.
        self.order: tuple[int, int, int] = (0, 0, 0)
        self.subscriptions: list[Any] = []
        #: The live views that are made of this one.
        self.followers: tuple[Any, ...] = ()
        #: Of the last replay that returned True: bits of the shown parts that differ, and the reason.
        self.changed = 0
        self.why = Why.INITIAL
        for number, part in enumerate(self._parts):
            part.bind(self, number)

    @property
    def snapshot(self) -> S:
        """Frozen, free to share. Made when first asked for; the same object until something differs."""
        snapshot = self._snapshot
        if snapshot is None:
            snapshot = self._snapshot = self._make()
        return snapshot

    @property
    def changed_parts(self) -> tuple[str, ...]:
        """The names of the shown parts that differ since the last replay that returned True."""
        return _names_of(self._names, self.changed)

    @property
    def holds(self) -> bool:
        """Whether views of one key may differ by what they hold."""
        return bool(self._held)

    @property
    def held(self) -> tuple[Any, ...]:
        """The held values, once they are taken. Views of one key with equal ones are one."""
        return tuple([state_of(part) for part in self._held])

    def take_held(self, interests: Interests, reads: Reads) -> None:
        """Take the held values, reading what they need and nothing else; `open` or `close` comes next."""
        self._early = []
        try:
            take(self._parts, self._held, interests, reads, self._early)
        except BaseException:
            self.close()
            raise

    def open(self, interests: Interests, reads: Reads, *, held: Sequence[Any] | None = None) -> None:
        """Register and load all parts. After an error nothing is registered.

        The values to hold are taken, unless they were or are given as those of another view.
        """
        if held is not None:
            for part, state in zip(self._held, held, strict=True):
                give(part, state)
        elif self._held and self._early is None:
            self.take_held(interests, reads)
        opened, self._early = self._early or [], None
        try:
            for part in self._live:
                if part not in opened:
                    opened.append(part)
                    part.open(interests, reads)
        except BaseException:
            for part in opened:
                part.close()
            raise

    def replay(self, reads: Reads, routed: Routed) -> bool:
        """Fold one commit in; whether the snapshot differs."""
        moved = changed = 0
        why = Why.GENERIC
        for part in self._live:
            verdict = part.replay(reads, routed, moved)
            if verdict:
                if verdict & MOVED:
                    moved |= part.bit
                if verdict & MOVED_WINDOW:  # of a hidden window as well: its entries are shown
                    why = Why.UPDATE_VISIBLE
                if verdict & SHOWN and not part.hidden:
                    changed |= part.bit
        if not changed:
            return False
        self._snapshot, self.changed, self.why = None, changed, why
        return True

    def refresh(self, reads: Reads) -> bool:
        """Load anew, keeping equal old objects and what is held; whether the snapshot differs."""
        changed = 0
        for part in self._live:
            if part.reload(reads) & SHOWN and not part.hidden:
                changed |= part.bit
        if not changed:
            return False
        self._snapshot, self.changed, self.why = None, changed, Why.GENERIC
        return True

    def close(self) -> None:
        """Unregister all parts."""
        for part in self._live if self._early is None else self._early:
            part.close()


@cache
def _names_of(names: tuple[str, ...], bits: int) -> tuple[str, ...]:
    """Those whose bit is set. Views of one kind share their few answers."""
    return tuple([name for at, name in enumerate(names) if bits >> at & 1])


#: Makes the view of a key; it is loaded afterwards.
Builder: TypeAlias = Callable[[Any, Readers], View[Any]]


class ViewFactory:
    """Makes views from their keys. The order of `builders` is the order of emissions in a commit."""

    __slots__ = ("_builders",)

    def __init__(self, builders: Mapping[type, Builder]) -> None:
        self._builders = {kind: (place, build) for place, (kind, build) in enumerate(builders.items())}

    def make(self, key: ViewKey[S], readers: Readers) -> View[S]:
        """The view of a key, not loaded yet. Raises UsageError for what is no view key of this schema."""
        found = self._builders.get(type(key))
        if found is None:
            known = ", ".join(sorted(kind.__name__ for kind in self._builders)) or "none"
            raise UsageError(
                f"{key!r} is no view of this schema; pass one of its view keys ({known}), made from views.py "
                f"of the package that the box was opened with"
            )
        place, build = found
        view = build(key, readers)
        view.order = (0, place, 0)
        return view
