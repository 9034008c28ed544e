"""One live view: its parts, folded in order, and the snapshot they make.

Depends on: parts, held, emission, interests, reads.  Never on: trackers and subscriptions, which hold views.

Law: after `replay` the snapshot equals that of a view freshly loaded with the same held values, and `replay`
gave an emission exactly if it differs from the one before. Parts that did not change keep their objects.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from pillarbox.errors import UsageError
from pillarbox.views.demand import Care
from pillarbox.views.emission import Emission, Why
from pillarbox.views.held import give, state_of, take
from pillarbox.views.holes import Hole
from pillarbox.views.interests import Interests, Routed
from pillarbox.views.parts import Part, Wanted
from pillarbox.views.parts.part import AWAITS, MOMENTARY, MOVED, WANTS
from pillarbox.views.reads import Readers, Reads
from pillarbox.views.touched import Mark, Touched

if TYPE_CHECKING:
    from pillarbox.views.lane import Lane

K = TypeVar("K")
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)

#: Why it is told, by what parts tell besides MOVED and SHOWN: nothing, MOVED_WINDOW, HOLES, or both.
_WHYS: Final = (Why.GENERIC, Why.UPDATE_VISIBLE, Why.FILL_HOLE, Why.UPDATE_VISIBLE)


class ViewKey(Protocol[S_co]):
    """A view with its parameters: frozen, hashable; `__snapshot__` only tells the type checker."""

    @property
    def __snapshot__(self) -> type[S_co]: ...


def hashable(key: K) -> K:
    """What live views are found by. Raises UsageError for what holds a list, say, in the place of a tuple."""
    try:
        hash(key)
    except TypeError as error:
        raise UsageError(
            f"{key!r} cannot be told from others ({error}); in keys of views and items write tuples for lists"
        ) from None
    return key


class View(Generic[S]):
    """Parts in the order of the schema, and a function that makes the snapshot of their values.

    `names` are the names of the parts, in the same order. `held` are those of the parts whose values are
    taken when the view is opened, and kept.
    """

    __slots__ = (
        "_anchored",
        "_early",
        "_held",
        "_live",
        "_make",
        "_names",
        "_parts",
        "_snapshot",
        "_wanting",
        "emitted",
        "followers",
        "key",
        "order",
        "refreshed",
        "seconds",
        "subscriptions",
        "suppressed",
        "traits",
        "wanted",
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
        #: What is at a place that is found when the view is opened.
        self._anchored = tuple([part for part in self._live if part.is_anchored])
        #: What was opened to take the held values, until the others are.
        self._early: list[Part] | None = None
        #: Place in the order of emissions: what follows others is later, then kind, then creation.
        self.order: tuple[int, int, int] = (0, 0, 0)
        self.subscriptions: list[Any] = []
        #: The live views that are made of this one.
        self.followers: tuple[Any, ...] = ()
        #: Since it lives: commits that it emitted for, commits that concerned it and did not change what it
        #: shows, refreshes, and the time that all of them took.
        self.emitted = self.suppressed = self.refreshed = 0
        self.seconds = 0.0
        #: The holes that it has asked for, see `wants_now`.
        self.wanted: tuple[Hole, ...] = ()
        traits = 0
        for number, part in enumerate(self._parts):
            part.bind(self, number)
            part.names = _alone(names[number])
            traits |= part.traits
        #: Those of all parts.
        self.traits = traits
        self._wanting = tuple([part for part in self._live if part.traits & WANTS]) if traits else ()

    @property
    def snapshot(self) -> S:
        """Frozen, free to share. Made when first asked for; the same object until something differs."""
        snapshot = self._snapshot
        if snapshot is None:
            snapshot = self._snapshot = self._make()
        return snapshot

    def first(self) -> Emission[S]:
        """What a new subscriber gets."""
        for part in self._live:
            if part.unread:
                return Emission(self.snapshot, Why.INITIAL_UNREAD, at=part.value.anchor)
        return Emission(self.snapshot, Why.INITIAL)

    def whole(self) -> Emission[S]:
        """What is told where nobody knows what differs: all that is shown."""
        names = [name for name, part in zip(self._names, self._parts, strict=True) if part.shows]
        return Emission(self.snapshot, Why.GENERIC, tuple(names))

    def lanes(self) -> list[Lane[Any]]:
        """What its parts hold of ranges, for a view that is opened beside it."""
        return [lane for part in self._live for lane in part.lanes]

    def parts_unlike(self, other: View[Any]) -> tuple[str, ...]:
        """The names of the shown parts that differ from those of a view of the same kind."""
        pairs = zip(self._names, self._parts, other._parts, strict=True)
        return tuple([name for name, one, two in pairs if one.shows and one.value != two.value])

    def wants_now(self) -> tuple[Hole, ...]:
        """The holes that its parts want to have filled."""
        return tuple([hole for part in self._wanting for hole in part.wanted()]) if self._wanting else ()

    def forget(self) -> None:
        """The emission was made: nothing of the commit is left for those who come later."""
        if self.is_momentary:
            for part in self._live:
                part.forget()
            self._snapshot = None

    @property
    def is_momentary(self) -> bool:
        """Whether its emissions are more than its latest state, so that none may be left out."""
        return bool(self.traits & MOMENTARY)

    @property
    def holds(self) -> bool:
        """Whether views of one key may differ by what they hold."""
        return bool(self._held or self._anchored)

    @property
    def held(self) -> tuple[Any, ...]:
        """The held values, once they are taken. Views of one key with equal ones are one."""
        return (*[state_of(part) for part in self._held], *[part.found for part in self._anchored])

    def take_held(self, interests: Interests, reads: Reads) -> None:
        """Take the held values, reading what they need and nothing else; `open` or `close` comes next."""
        self._early = []
        try:
            take(self._parts, self._held, self._anchored, interests, reads, self._early)
        except Exception:
            self.close()
            raise

    def open(self, interests: Interests, reads: Reads, *, held: Sequence[Any] | None = None) -> None:
        """Register and load all parts. After an error nothing is registered.

        The values to hold are taken, unless they were or are given as those of another view.
        """
        if held is not None:
            for part, state in zip(self._held, held, strict=False):
                give(part, state)
            for part, found in zip(self._anchored, held[len(self._held) :], strict=True):
                if found is not None:
                    part.hold(found)
        elif self._held and self._early is None:
            self.take_held(interests, reads)
        opened, self._early = self._early or [], None
        try:
            for part in self._live:
                if part not in opened:
                    opened.append(part)
                    part.open(interests, reads)
            self._snapshot = self._make()
        except Exception:  # an interrupt leaves what can be neither used nor closed, see `Tracker.renew`
            for part in opened:
                part.close()
            self._early = []  # nothing is left to be closed
            raise
        for part in self._live:
            part.rest()

    def become(self, fresh: View[S]) -> None:
        """Be as one of the same key that was just made: to be opened, whatever it was in the midst of.

        To be opened with the same held values.
        """
        self._parts, self._held, self._live = fresh._parts, fresh._held, fresh._live
        self._make, self._anchored, self._wanting = fresh._make, fresh._anchored, fresh._wanting
        self._early = None
        self.wanted = ()
        self.refreshed += 1
        for number, part in enumerate(self._parts):
            part.bind(self, number)

    def replay(self, reads: Reads, routed: Routed) -> Emission[S] | None:
        """Fold one commit in; what it emits, None if the snapshot does not differ."""
        moved = verdicts = 0
        names: tuple[str, ...] = ()
        marks: tuple[Mark, ...] = ()
        for part in self._live:
            verdict = part.replay(reads, routed, moved)
            if verdict:
                verdicts |= verdict  # Why a hidden window differs counts as well: its entries are shown.
                if verdict & MOVED:
                    moved |= part.bit
                if verdict & part.shows:
                    names += part.names  # most often the first, and then these very names
                    marks += (part.mark(moved),)
        if not names:
            return None
        snapshot = self._snapshot = self._make()
        return Emission(snapshot, _WHYS[verdicts >> 2], names, None, Touched(names, marks))

    def refresh(self, reads: Reads) -> Emission[S] | None:
        """Load anew, keeping equal old objects and what is held; what it emits, as of `replay`."""
        names: tuple[str, ...] = ()
        marks: tuple[Mark, ...] = ()
        for part in self._live:
            if part.reload(reads) & part.shows:
                names += part.names
                marks += (part.mark(-1),)
        if not names:
            return None
        snapshot = self._snapshot = self._make()
        return Emission(snapshot, Why.GENERIC, names, None, Touched(names, marks))

    def fail(self, error: Exception) -> None:
        """Have no snapshot any more, but this error for who makes one of it."""

        def make() -> S:
            raise error

        self._snapshot, self._make = None, make

    def close(self) -> None:
        """Unregister all parts."""
        for part in self._live if self._early is None else self._early:
            part.close()


@lru_cache
def _alone(name: str) -> tuple[str]:
    """The same for every view, of which there are many."""
    return (name,)


class WantedHoles(msgspec.Struct, frozen=True):
    """Key of what all live views want to have fetched under one name. Every box has this view.

    Who watches it fetches that: nobody elsewhere is asked to. With `everywhere` it is what live views of all
    processes want that have the box open, but of those that fetch it themselves. To watch or get it raises
    UsageError where no view of the schema wants anything under that name.
    """

    name: str
    everywhere: bool = False

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[frozenset[Hole]]: ...


#: Makes the view of a key; it is loaded afterwards.
Builder: TypeAlias = Callable[[Any, Readers], View[Any]]


class ViewFactory:
    """Makes views from their keys. The order of `builders` is the order of emissions in a commit.

    `wants` are the names under which views of the schema want holes.
    """

    __slots__ = ("_builders", "_wants")

    def __init__(self, builders: Mapping[type, Builder], wants: Collection[str]) -> None:
        self._wants = wants
        every: Iterable[tuple[type, Builder]] = [*builders.items(), (WantedHoles, self._wanted_holes)]
        self._builders = {kind: (place, build) for place, (kind, build) in enumerate(every)}

    def make(self, key: ViewKey[S], readers: Readers) -> View[S]:
        """The view of a key, not loaded yet. Raises UsageError for what is no view key of this schema."""
        found = self._builders.get(type(key))
        if found is None:
            kinds = [kind.__name__ for kind in self._builders if kind is not WantedHoles]
            known = ", ".join(sorted(kinds)) or "none"
            raise UsageError(
                f"{key!r} is no view of this schema; pass one of its view keys ({known}), made from views.py "
                f"of the package that the box was opened with"
            )
        place, build = found
        view = build(key, readers)
        view.order = (1 if view.traits & AWAITS else 0, place, 0)
        return view

    def _wanted_holes(self, key: WantedHoles, readers: Readers) -> View[frozenset[Hole]]:
        if key.name not in self._wants:
            known = ", ".join(map(repr, sorted(self._wants))) or "none does"
            raise UsageError(
                f"no view of this schema wants holes under the name {key.name!r}; these are wanted: {known}"
            )
        holes = Wanted(key.name, care=Care.FETCHES_ALL if key.everywhere else Care.FETCHES)
        return View(key, (holes,), lambda: holes.value, names=("holes",))
