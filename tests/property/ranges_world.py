"""What tables of ranges must hold, as sets of points: the schema `tests/data/schemas/ranges` by other means.

Every group that a test may name was seeded when the box was made, and upgraded when its package was.
"""

from __future__ import annotations

from itertools import product
from typing import Final, TypeAlias

Point: TypeAlias = tuple[int, ...]
#: Group and space.
At: TypeAlias = tuple[int, ...]
Sets: TypeAlias = dict[str, dict[At, frozenset[Point]]]

#: Table -> every point there is, in the order of the keys.
POINTS: Final[dict[str, list[Point]]] = {
    "pages": [(n,) for n in range(1, 7)],
    "lines": [
        *((3, 0, n) for n in (1, 0)),
        *((3, 1, n) for n in reversed(range(256))),
        *((3, 2, n) for n in (255, 254)),
    ],
    "days": [(n,) for n in range(-2, 4)],
    "ends": [(n,) for n in range(256)],
    "holes": [(n,) for n in range(1, 6)],
    "spots": [*((1, n) for n in (1, 0)), *((2, n) for n in (255, 254))],
}
#: Which parts of a point descend.
DESCENDING: Final = {"lines": (0, 2), "spots": (1,)}
#: How many parts the group has; the rest of what a step is at is the space.
GROUP_PARTS: Final = {"pages": 1, "lines": 1, "days": 0, "ends": 0, "holes": 2, "spots": 1}
ATS: Final[dict[str, list[At]]] = {
    "pages": [(-1,), (0,)],
    "lines": [(0,), (255,)],
    "days": [()],
    "ends": [(0,), (1,)],
    "holes": list(product((1, 2, 3), (-1,), (0, 1, 2), (0, 1, 2, 3, 9))),
    "spots": [(-5,), (4,)],
}
SEEDED: Final = ("holes", "spots")


def order(table: str, point: Point) -> Point:
    """What points are compared by."""
    down = DESCENDING.get(table, ())
    return tuple(-part if place in down else part for place, part in enumerate(point))


def between(table: str, low: Point, high: Point) -> frozenset[Point]:
    """The points from `low` to `high`, both included."""
    least, greatest = order(table, low), order(table, high)
    return frozenset(point for point in POINTS[table] if least <= order(table, point) <= greatest)


def blocks(table: str, points: frozenset[Point]) -> list[tuple[Point, Point]]:
    """The fewest closed ranges that cover exactly these points: (lower, upper), in order."""
    found: list[tuple[Point, Point]] = []
    last: Point | None = None
    for point in POINTS[table]:
        if point in points:
            if last is not None and last in points:
                found[-1] = (found[-1][0], point)
            else:
                found.append((point, point))
        last = point
    return found


class World:
    """Sets of points, and which groups have a mark of which version."""

    def __init__(self) -> None:
        self.upgraded = False
        self.sets: Sets = {table: dict.fromkeys(ats, frozenset()) for table, ats in ATS.items()}
        self.marks: dict[str, dict[At, int]] = {table: {} for table in SEEDED}
        for shelf in (1, 2, 3):
            if shelf != 1:
                self.step(True, "holes", (shelf, -1, 0, 0), (1,), (5,))
            self.step(True, "holes", (shelf, -1, 1, 9), (1,), (3,))
            self.step(True, "holes", (shelf, -1, 2, 9), (2,), (3,))
            self.step(False, "holes", (shelf, -1, 1, 9), (2,), (2,))
        self.step(True, "spots", (4,), (1, 1), (2, 254))
        self.marks = {table: {} for table in SEEDED}

    def copy(self) -> World:
        other = World.__new__(World)
        other.upgraded = self.upgraded
        other.sets = {table: dict(sets) for table, sets in self.sets.items()}
        other.marks = {table: dict(marks) for table, marks in self.marks.items()}
        return other

    def upgrade(self) -> None:
        """The second version of the schema: one more tag, and a stretch that no spot has."""
        self.upgraded = True
        self._set(True, "holes", (3, -1, 0, 3), (1,), (5,))
        for at in ATS["spots"]:
            self._set(False, "spots", at, (1, 1), (1, 0))

    def touch(self, table: str, at: At) -> None:
        """A step is about this group."""
        if table in SEEDED:
            version = {"holes": 2, "spots": 5}[table] if self.upgraded else 0
            self.marks[table][at[: GROUP_PARTS[table]]] = version

    def step(self, adds: bool, table: str, at: At, low: Point, high: Point) -> None:
        """`add_range` or `cut_range`."""
        if not between(table, low, high):
            return
        self.touch(table, at)
        self._set(adds, table, at, low, high)
        if table == "holes" and at[0] != 2 and at[2:] == (0, 0):
            for tag in (1, 2, 3) if self.upgraded else (1, 2):
                self._set(adds, table, (*at[:2], 0, tag), low, high)

    def _set(self, adds: bool, table: str, at: At, low: Point, high: Point) -> None:
        sets, points = self.sets[table], between(table, low, high)
        sets[at] = sets[at] | points if adds else sets[at] - points

    def rows(self, table: str) -> set[tuple[int, ...]]:
        """Every row: group, space, upper, lower."""
        return {
            (*at, *upper, *lower)
            for at, points in self.sets[table].items()
            for lower, upper in blocks(table, points)
        }
