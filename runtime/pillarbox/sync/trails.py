"""Whether the places that something is led to go round.

Depends on: claims, cursor_parts.  Never on: the queue, jobs, clocks, boxes.

Law: who comes to a round of n places after m steps is found out before its 3 n th step, or by its step
2 m + n, and then once in each round; who goes on to new places never is. However far that is, one place is
kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox.sync.claims import Position
from pillarbox.sync.cursor_parts import PartKind, PartSpec


class Trail:
    """One place of it is kept, and another one in its stead after twice as many steps each time."""

    def __init__(self, parts: Sequence[PartSpec], begin: Position) -> None:
        self._parts = parts
        self._kept = self._place(begin)
        self._steps, self._most = 0, 1

    def is_back(self, there: Position) -> bool:
        """One more step: whether it leads to where it was before."""
        place = self._place(there)
        if place == self._kept:
            self._steps = 0
            return True
        self._steps += 1
        if self._steps == self._most:
            self._kept, self._steps, self._most = place, 0, 2 * self._most
        return False

    def _place(self, position: Position) -> Position:
        """A stamp is no place, as it may be what time it is."""
        if position is None:
            return None
        parts = zip(self._parts, position, strict=True)
        return tuple(value for part, value in parts if part.kind is not PartKind.STAMP)
