"""Values of a list, each with children of its own.

Depends on: part, nest.  Never on: other words, and what the children are.

Law: `value` has one entry for every value that `items()` lists, in its order, whether anything is stored of
it or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from pillarbox.views.interests import Interests, Routed
from pillarbox.views.nest import Nest
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, Part
from pillarbox.views.reads import Reads
from pillarbox.views.touched import Mark

Item = TypeVar("Item")
Entry = TypeVar("Entry")


class Each(Part, Generic[Item, Entry]):
    """`items()` gives the values; doubles are one, None stands for no values. The rows of `nest` are they.

    `items` are the values, for other parts; `value` is what the snapshot shows.
    """

    __slots__ = ("_items_of", "items", "nest", "value")

    items: tuple[Item, ...]
    value: tuple[Entry, ...]

    def __init__(
        self, items: Callable[[], Iterable[Item] | None], nest: Nest, *, after: Sequence[Part] = ()
    ) -> None:
        super().__init__(after, (), hidden=False)
        self._items_of = items
        self.nest = nest
        self.items = ()
        self.value = ()

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self.nest.bind(self.view, interests)
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old entries; what differs."""
        self.items = ()
        self.nest.load(reads, self._swap)
        return self._take(moved=True)

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        swapped = bool(self.depends & moved) and self._swap()
        self.nest.step(reads, routed, moved)
        moving = swapped or self.nest.moved
        return self._take(moved=moving) if moving else UNCHANGED

    def each(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Every value in its order, with what terms read of these children of it."""
        return self.nest.values(self.items, numbers)

    def mark(self, moved: int) -> Mark:
        """As `Part.mark`; what is told are values."""
        return None, (), (), self.nest.dirty

    def close(self) -> None:
        """Unregister everything."""
        self.nest.close()

    def _swap(self) -> bool:
        """List the values anew; whether they are others."""
        before = self.items
        items = tuple(dict.fromkeys(self._items_of() or ()))
        if items == before:
            return False
        self.items = items
        for item in items:
            if item not in before:
                self.nest.hold(item)
        for item in before:
            if item not in items:
                self.nest.release(item)
        return True

    def _take(self, *, moved: bool) -> int:
        """Rebuild what is shown; what differs."""
        value: tuple[Any, ...] = self.nest.entries(self.items)
        verdict = MOVED if moved else UNCHANGED
        if value == self.value:
            return verdict
        self.value = value
        return verdict | SHOWN
