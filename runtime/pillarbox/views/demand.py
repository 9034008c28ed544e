"""What all live views want to have fetched, by name, counted.

Depends on: holes (what is wanted).  Never on: views, parts, trackers.

Law: `holes(name)` is the union of what was wanted when it was last settled, and `settle` wakes those who
listen to a name exactly if its union differs from before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pillarbox.views.holes import Hole
    from pillarbox.views.interests import Sink

NOTHING: Final[frozenset[Hole]] = frozenset()


class Demand:
    """Holes by name, each as often as a live part wants it."""

    __slots__ = ("_counts", "_dirty", "_settled", "_sinks")

    def __init__(self) -> None:
        self._counts: dict[str, dict[Hole, int]] = {}
        #: As they were told last.
        self._settled: dict[str, frozenset[Hole]] = {}
        self._sinks: dict[str, dict[Sink, None]] = {}
        #: Names of which something came or went since.
        self._dirty: dict[str, None] = {}

    @property
    def is_settled(self) -> bool:
        """Whether nothing came or went since those who listen were told."""
        return not self._dirty

    def holes(self, name: str) -> frozenset[Hole]:
        """What was wanted when that was last told."""
        return self._settled.get(name, NOTHING)

    def swap(self, before: Iterable[Hole], after: Iterable[Hole]) -> None:
        """A view wants something else than before. Nobody is told before `settle`."""
        for hole in after:
            if hole.name is not None:
                counts = self._counts.setdefault(hole.name, {})
                counts[hole] = counts.get(hole, 0) + 1
                self._dirty[hole.name] = None
        for hole in before:
            if hole.name is not None:
                counts = self._counts[hole.name]
                if counts[hole] > 1:
                    counts[hole] -= 1
                else:
                    del counts[hole]
                self._dirty[hole.name] = None

    def settle(self) -> list[Sink]:
        """Make known what is wanted now; those who listen to what differs."""
        woken: list[Sink] = []
        for name in self._dirty:
            now = frozenset(self._counts[name])
            if not now:
                del self._counts[name]
            if now != self.holes(name):
                woken += self._sinks.get(name, ())
                if now:
                    self._settled[name] = now
                else:
                    del self._settled[name]
        self._dirty = {}
        return woken

    def listen(self, name: str, sink: Sink) -> None:
        """Tell `sink` when what is wanted under a name differs."""
        self._sinks.setdefault(name, {})[sink] = None

    def ignore(self, name: str, sink: Sink) -> None:
        """The reverse of `listen`. Raises KeyError when that was not so."""
        sinks = self._sinks[name]
        del sinks[sink]
        if not sinks:
            del self._sinks[name]

    def listened(self) -> Iterable[tuple[str, Sink]]:
        """Everybody who listens, for checks."""
        return [(name, sink) for name, sinks in self._sinks.items() for sink in sinks]

    def as_of_now(self) -> Demand:
        """Another one that tells the same, for views that nobody keeps."""
        copy = Demand()
        copy._settled = dict(self._settled)
        return copy

    def __bool__(self) -> bool:
        return bool(self._sinks or self._counts)
