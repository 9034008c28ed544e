"""What all live views of the box want to have fetched, or those of all processes that have it open.

Depends on: demand, part, interests.  Never on: other words, the views that want.

Law: `value` is the union of what the live parts with a `want` of this name report, of all processes for who
fetches for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pillarbox.views.demand import Care
from pillarbox.views.interests import Interests, Routed
from pillarbox.views.parts.part import AWAITS, MOVED, SHOWN, UNCHANGED, Part
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.views.holes import Hole


class Wanted(Part):
    """The holes under one name. A view with such a part is replayed after all that want something."""

    __slots__ = ("_care", "_listens", "_name", "value")

    traits: ClassVar[int] = AWAITS
    value: frozenset[Hole]

    def __init__(self, name: str, *, care: Care = Care.LOOKS, hidden: bool = False) -> None:
        super().__init__((), (), hidden)
        self._name = name
        self._care = care
        self._listens = False
        self.value = frozenset()

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        interests.demand.listen(self._name, self, self._care)
        self._listens = True
        super().open(interests, reads)

    def reload(self, reads: Reads) -> int:
        """Look; what differs."""
        value = self.interests.demand.holes(self._name, everywhere=self._care is Care.FETCHES_ALL)
        if value == self.value:
            return UNCHANGED
        self.value = value
        return MOVED | SHOWN

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Look if it was told; what differs."""
        return self.reload(reads) if self in routed else UNCHANGED

    def close(self) -> None:
        """Unregister."""
        if self._listens:
            self.interests.demand.ignore(self._name, self)
            self._listens = False
