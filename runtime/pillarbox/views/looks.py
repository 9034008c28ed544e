"""What a window of lanes looks at, as its callables say now, and what frames its entries.

Depends on: lanes, lane_set, walk, holes.  Never on: parts.

Law: two looks that are equal by `names` show the same.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from pillarbox.views.holes import Hole, Want
from pillarbox.views.lane_set import name_of
from pillarbox.views.lanes import AnchorAt, AnyLane
from pillarbox.views.walk import Taken


class Frame(NamedTuple):
    """A window without its entries, in the order of its fields."""

    anchor: Any = None
    earlier: Any = None
    later: Any = None
    hole: Hole | None = None
    hole_before: bool = False
    hole_after: bool = False
    loading: bool = False
    rank: tuple[int, int] | None = None


#: Of a window that looks at nothing.
NO_FRAME: Final = Frame()


class Look(NamedTuple):
    """What is looked at."""

    lanes: tuple[AnyLane, ...]
    anchor: AnchorAt
    before_max: int
    after_max: int
    #: How it is shown.
    clip: bool
    ranked: bool
    expanded: bool
    want: int | None
    #: Down to where all is known, if a boundary says so.
    known: bytes | None

    @property
    def names(self) -> tuple[Any, ...]:
        """What is looked at, comparable."""
        return (tuple(map(name_of, self.lanes)), *self[1:])

    @property
    def place(self) -> tuple[Any, ...]:
        """What is read from scratch when it differs."""
        return self.anchor, self.before_max, self.after_max, self.ranked

    def reported(self, older: Taken, newer: Taken) -> Hole | None:
        """The hole to fetch first: that of the side with fewer entries, of equals the newer one."""
        sides = [(self.after_max, newer), (self.before_max, older)]
        ends = [side for most, side in sides if most and side.hole is not None]
        return min(ends, key=lambda side: len(side.rows)).hole if ends else None

    def named(self, want: Want | None, hole: Hole | None) -> Hole | None:
        """A hole, as it is wanted."""
        if hole is None or want is None or self.want is None:
            return hole
        return replace(hole, name=want.name, count=self.want)
