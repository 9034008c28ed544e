"""What commits did while a page was asked for, as far as it concerns that page.

Depends on: claims, hole_specs.  Never on: transactions; operations are read by what the schema says of them.

Law: notes only grow, and what is not known to be harmless counts as a change (E-21).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.hole_specs import Guard, HoleSpec

#: What a counter shows; None: its cursor is not known.
Value: TypeAlias = int | None
#: Cursors that one commit moves: from where, and to where.
Moves: TypeAlias = Mapping[Instance, tuple[Position, Position]]


class Notes:
    """Taken from the moment on at which it is looked what there is to ask for."""

    __slots__ = ("_changed", "_moves", "_settled", "any_row", "unknown")

    def __init__(self) -> None:
        #: Whether a commit may have done anything at all.
        self.unknown = False
        #: Whether an operation may have changed any row of the group.
        self.any_row = False
        #: Rows that were written whole or removed, and those that changed if they are here.
        self._settled: set[Any] = set()
        self._changed: set[Any] = set()
        #: Of each cursor: from where to where, one after the other where something is missing in between.
        self._moves: dict[Instance, list[tuple[Position, Position]]] = {}

    def __eq__(self, other: object) -> bool:
        """Whether the same was noted; so that two machines can be compared."""
        return isinstance(other, Notes) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]  # they change

    def add(
        self, spec: HoleSpec, group: tuple[Any, ...], operations: Sequence[Any] | None, moves: Moves
    ) -> None:
        """A commit replays these operations; None: nobody knows what it does."""
        for instance, (here, there) in moves.items():
            runs = self._moves.setdefault(instance, [])
            if runs and runs[-1][1] == here:
                here = runs.pop()[0]
            runs.append((here, there))
        if operations is None:
            self.unknown = True
            return
        for operation in operations:
            notes = spec.notes(operation)
            if notes is None:
                self.any_row = True
                continue
            for note in notes:
                if any(group[place] != value for place, value in note.group):
                    continue
                if note.id is None:
                    self.any_row = True
                else:
                    (self._changed if note.part else self._settled).add(note.id)

    def doubt(self) -> None:
        """A commit was not done: what it was noted to settle may be neither here nor gone."""
        self.unknown |= bool(self._settled)

    def settles(self, id: Any) -> bool:
        """Whether the row with this id is as it should be, here or gone."""
        return id in self._settled

    def changes(self, id: Any) -> bool:
        """Whether the row with this id is newer at the server than in a page, perhaps."""
        return id in self._changed

    def explain(self, guard: Guard, before: Value, now: Value) -> bool:
        """Whether all is noted that brought a guard from one value to another, and all noted was done.

        What came before the first value nobody has told.
        """
        instance, part = guard
        if before is None and now is not None:
            return False
        for here, there in self._moves.get(instance, ()):
            if part_of(here, part) != before:
                return False
            before = part_of(there, part)
        return before == now

    def as_of_now(self) -> Notes:
        """Notes that do not grow."""
        other = Notes()
        other.unknown, other.any_row = self.unknown, self.any_row
        other._settled, other._changed = set(self._settled), set(self._changed)
        other._moves = {instance: list(runs) for instance, runs in self._moves.items()}
        return other


def part_of(position: Position, part: int) -> Value:
    """One counter of a position."""
    return None if position is None else position[part]
