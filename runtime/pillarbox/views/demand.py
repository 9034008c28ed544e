"""What all live views want to have fetched, by name, counted.

Depends on: holes (what is wanted).  Never on: views, parts, trackers.

Laws. `holes(name)` is the union of what was wanted when it was last settled, here, or here and elsewhere, and
`settle` wakes those who listen to a name exactly if one of both differs from before. `untended` is what is
wanted here and fetched by nobody here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pillarbox.views.holes import Hole
    from pillarbox.views.interests import Sink

NOTHING: Final[frozenset[Hole]] = frozenset()


class Care(IntEnum):
    """What who listens does about what is wanted."""

    LOOKS = 0
    #: It fetches what is wanted here.
    FETCHES = 1
    #: And what is wanted elsewhere.
    FETCHES_ALL = 2


class Demand:
    """Holes by name, each as often as a live part wants it."""

    __slots__ = ("_counts", "_elsewhere", "_on_change", "_settled", "_sinks", "unsettled", "version")

    def __init__(self) -> None:
        self._counts: dict[str, dict[Hole, int]] = {}
        #: What other processes want.
        self._elsewhere: Mapping[str, frozenset[Hole]] = {}
        #: As they were told last: here, and everywhere.
        self._settled: dict[str, tuple[frozenset[Hole], frozenset[Hole]]] = {}
        self._sinks: dict[str, dict[Sink, Care]] = {}
        #: Names of which something came or went since those who listen were told.
        self.unsettled: dict[str, None] = {}
        #: Another one, each time that `untended` or `hears` may be another.
        self.version = 0
        self._on_change: Callable[[], object] = lambda: None

    def holes(self, name: str, *, everywhere: bool = False) -> frozenset[Hole]:
        """What was wanted when that was last told, here or `everywhere`."""
        return self._settled.get(name, (NOTHING, NOTHING))[everywhere]

    def swap(self, before: Iterable[Hole], after: Iterable[Hole]) -> None:
        """A view wants something else than before. Nobody is told before `settle`."""
        for hole in after:
            if hole.name is not None:
                counts = self._counts.setdefault(hole.name, {})
                counts[hole] = counts.get(hole, 0) + 1
                self.unsettled[hole.name] = None
        for hole in before:
            if hole.name is not None:
                counts = self._counts[hole.name]
                if counts[hole] > 1:
                    counts[hole] -= 1
                else:
                    del counts[hole]
                self.unsettled[hole.name] = None

    def hear(self, elsewhere: Mapping[str, frozenset[Hole]]) -> None:
        """This is wanted elsewhere now, by name. Nobody is told before `settle`."""
        before, self._elsewhere = self._elsewhere, elsewhere
        self.unsettled.update(dict.fromkeys([*before, *elsewhere]))

    def settle(self) -> list[Sink]:
        """Make known what is wanted now; those who listen to what differs."""
        woken: list[Sink] = []
        for name in self.unsettled:
            here = frozenset(self._counts.get(name, NOTHING))
            if not here:
                self._counts.pop(name, None)
            elsewhere = self._elsewhere.get(name)
            now = here, here | elsewhere if elsewhere else here
            if now != self._settled.get(name, (NOTHING, NOTHING)):
                woken += self._sinks.get(name, ())
                if now[1]:
                    self._settled[name] = now
                else:
                    del self._settled[name]
                self._changed()
        self.unsettled = {}
        return woken

    def _changed(self) -> None:
        self.version += 1
        self._on_change()

    def follow(self, call: Callable[[], object]) -> None:
        """Call this with every change of `version`, from whatever thread makes it, which must not wait."""
        self._on_change = call

    def listen(self, name: str, sink: Sink, care: Care) -> None:
        """Tell `sink` when what is wanted under a name differs."""
        self._sinks.setdefault(name, {})[sink] = care
        if care:
            self._changed()

    def ignore(self, name: str, sink: Sink) -> None:
        """The reverse of `listen`. Raises KeyError when that was not so."""
        sinks = self._sinks[name]
        care = sinks.pop(sink)
        if not sinks:
            del self._sinks[name]
        if care:
            self._changed()

    def listened(self) -> Iterable[tuple[str, Sink]]:
        """Everybody who listens, for checks."""
        return [(name, sink) for name, sinks in self._sinks.items() for sink in sinks]

    @property
    def hears(self) -> bool:
        """Whether somebody here fetches what is wanted elsewhere."""
        return any(Care.FETCHES_ALL in sinks.values() for sinks in self._sinks.values())

    def untended(self) -> frozenset[Hole]:
        """What is wanted here under names under which nobody here fetches."""
        wanted = [
            here for name, (here, _) in self._settled.items() if not any(self._sinks.get(name, {}).values())
        ]
        return NOTHING.union(*wanted)

    def anew(self) -> Demand:
        """One in which nobody wants anything here yet, in the place of this one."""
        other = Demand()
        other.version, other._on_change = self.version + 1, self._on_change
        other.hear(self._elsewhere)
        return other

    def as_of_now(self) -> Demand:
        """Another one that tells the same, for views that nobody keeps."""
        copy = Demand()
        copy._settled = dict(self._settled)
        return copy

    def __bool__(self) -> bool:
        return bool(self._sinks or self._counts)
