"""The modifier `with`: an earlier part's rows, each as an entry with children of its own.

Depends on: part, nest.  Never on: words, and what the children are.

Law: `value` is what the part shows, with each row replaced by its entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from pillarbox.views.interests import Interests, Routed
from pillarbox.views.nest import Nest
from pillarbox.views.parts.first import First
from pillarbox.views.parts.get import Get
from pillarbox.views.parts.get_each import GetEach
from pillarbox.views.parts.lane_window import LaneWindow
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.parts.window import WindowAt
from pillarbox.views.reads import Reads
from pillarbox.views.touched import Mark

Value = TypeVar("Value")


class Entries(Part, Generic[Value]):
    """`of` with children: an entry or None of a Get or First, a mapping, a tuple of a Scan, a window.

    `of` is an earlier part of the view, hidden, whose rows nothing narrows.
    """

    __slots__ = ("_held", "_loaded", "_seen", "nest", "of", "value")

    value: Value

    def __init__(self, of: Part, nest: Nest) -> None:
        super().__init__((of,), (), hidden=False)
        self.of = of
        self.nest = nest
        #: The row of a Get, which tells nobody what came and went.
        self._held: tuple[Any, ...] = ()
        self._seen: Any = None
        self._loaded = False

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self.nest.bind(self.view, interests)
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old entries; what differs."""
        self._held = ()
        self.nest.load(reads, lambda: self._hold(self._rows(), ()))
        return MOVED | self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        of, nest = self.of, self.nest
        if self.depends & moved:
            if isinstance(of, ListPart):
                self._hold(of.entered, of.left)
            else:
                self._hold(self._rows(), self._held)
        nest.step(reads, routed, moved)
        verdict = MOVED if nest.moved else UNCHANGED
        return verdict | (self._take() if nest.dirty or of.value is not self._seen else UNCHANGED)

    def each(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Every row in its order, with what terms read of these children of it."""
        of: Any = self.of
        rows = of.rows.values() if isinstance(of, GetEach) else of.rows
        return self.nest.values(rows, numbers)

    def mark(self, moved: int) -> Mark:
        """As `Part.mark`."""
        of = self.of
        spec, came, went, _ = of.mark(moved)
        return (spec, came, went, self.nest.dirty) if of.bit & moved else (spec, (), (), self.nest.dirty)

    def close(self) -> None:
        """Unregister everything."""
        self.nest.close()

    def _rows(self) -> Sequence[Any]:
        """The rows shown."""
        of = self.of
        if isinstance(of, ListPart):
            return of.held_rows
        assert isinstance(of, Get), "the rows of one part"
        return () if of.row is None else (of.row,)

    def _hold(self, entered: Iterable[Any], left: Iterable[Any]) -> None:
        for row in entered:
            self.nest.hold(row)
        for row in left:
            self.nest.release(row)
        if not isinstance(self.of, ListPart):
            self._held = tuple(self._rows())

    def _take(self) -> int:
        """Rebuild what is shown; what differs."""
        of: Any = self.of
        self._seen = of.value
        value = self._shown(of)
        if self._loaded and value == self.value:
            return UNCHANGED
        self.value = value
        self._loaded = True
        return SHOWN

    def _shown(self, of: Any) -> Any:
        nest = self.nest
        match of:
            case Get() | First():
                return None if of.row is None else nest.entry(of.row)
            case GetEach():
                return MappingProxyType({name: nest.entry(row) for name, row in of.rows.items()})
            case LaneWindow():
                return of.with_entries(nest.entry)
            case WindowAt():
                return replace(of.value, entries=nest.entries(of.rows))
        return nest.entries(of.rows)
