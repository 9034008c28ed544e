"""A term over earlier parts.

Depends on: part.  Never on: other words.

Law: `value` is the term over what the earlier parts have now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pillarbox.views.interests import Routed
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, Part
from pillarbox.views.reads import Reads

V = TypeVar("V")


class Value(Part, Generic[V]):
    """Worked out again when one of the parts that it reads moved; an equal value is no change."""

    __slots__ = ("_loaded", "_term", "value")

    value: V

    def __init__(self, term: Callable[[], V], *, after: Sequence[Part] = (), hidden: bool = False) -> None:
        super().__init__(after, (), hidden)
        self._term = term
        self._loaded = False

    def reload(self, reads: Reads) -> int:
        """Work it out; what differs."""
        value = self._term()
        if self._loaded and value == self.value:
            return UNCHANGED
        self.value = value
        self._loaded = True
        return MOVED | SHOWN

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Work it out if what it reads moved; what differs."""
        return self.reload(reads) if self.depends & moved else UNCHANGED

    def close(self) -> None:
        """Nothing is registered."""
