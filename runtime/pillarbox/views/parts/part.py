"""What every part of a view is.

Depends on: interests, reads, holes.  Never on: views, trackers, other parts.

Law: after `replay` a part's value equals that of a part freshly loaded, and SHOWN is told exactly if the
value differs from before. Values are frozen: an old one stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from pillarbox.views.interests import Interests, Routed, Sink
from pillarbox.views.reads import Reads
from pillarbox.views.touched import NO_MARK, Mark

if TYPE_CHECKING:
    from pillarbox.tables import TableSpec
    from pillarbox.views.holes import Hole
    from pillarbox.views.lane import Lane

Row_co = TypeVar("Row_co", covariant=True)

#: What `replay` and `reload` tell, added up.
UNCHANGED: Final = 0
#: The rows differ: parts that read this one must look.
MOVED: Final = 1
#: The value differs.
SHOWN: Final = 2
#: Not only rows differ but what is looked at: the anchor or the counts of a window.
MOVED_WINDOW: Final = 4
#: A change reached the holes of a window, whether or not it shows.
HOLES: Final = 8

#: What `Part.traits` says, added up: the part has holes that it wants to have filled;
WANTS: Final = 1
#: its value is what others want, so that its view is replayed after theirs;
AWAITS: Final = 2
#: its value is there for one emission only.
MOMENTARY: Final = 4


class Part(Sink):
    """One named piece of a view.

    `after` are the earlier parts that its keys, prefixes and limits are computed from, `row_after` those
    that its terms over single rows read besides the row (`where`, `keys`, ...). If one of `row_after`
    moved, the part loads anew; if one of `after` moved, it looks whether its keys did.
    A `hidden` part feeds others and is not in the snapshot.
    """

    __slots__ = (
        "after",
        "bit",
        "depends",
        "interests",
        "names",
        "row_after",
        "row_depends",
        "shows",
    )

    traits: ClassVar[int] = 0

    interests: Interests
    value: Any
    #: What it is called in an emission, alone.
    names: tuple[str]

    def __init__(self, after: Sequence[Part], row_after: Sequence[Part], hidden: bool) -> None:
        self.after = tuple(after)
        self.row_after = tuple(row_after)
        #: The verdict by which the snapshot differs: of a hidden part there is none.
        self.shows = UNCHANGED if hidden else SHOWN
        self.bit = self.depends = self.row_depends = 0

    def bind(self, view: object, number: int) -> None:
        """Take place `number` in a view; earlier parts have taken theirs."""
        self.view = view
        self.bit = 1 << number
        self.row_depends = _bits(self.row_after)
        self.depends = _bits(self.after) | self.row_depends

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self.interests = interests
        self.reload(reads)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        raise NotImplementedError

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs. `moved` has the bits of the earlier parts that moved."""
        raise NotImplementedError

    def wanted(self) -> Iterable[Hole]:
        """The holes that this part would have fetched."""
        return ()

    def mark(self, moved: int) -> Mark:
        """By which rows it differs since the last commit; `moved` has the bits of the parts that moved."""
        return NO_MARK

    @property
    def lanes(self) -> Iterable[Lane[Any]]:
        """What it holds of ranges, for a view that is opened beside it."""
        return ()

    @property
    def is_anchored(self) -> bool:
        """Whether it is at a place that is found once, when the view is opened, and kept."""
        return False

    @property
    def found(self) -> Any:
        """Where its anchor was found; None where there is nothing to find, and while it cannot be found."""
        return None

    def find(self, interests: Interests, reads: Reads) -> None:
        """Before `open`: find the anchor, and read nothing else. What it reads is open."""

    def hold(self, found: Any) -> None:
        """Before `open`: the anchor is where that of another view was found."""

    @property
    def unread(self) -> bool:
        """Whether its anchor was found as the first that was not read."""
        return False

    def rest(self) -> None:
        """The view is loaded: hold nothing that only later parts asked for. A move tells of itself anew."""

    def forget(self) -> None:
        """The emission of a MOMENTARY value was made."""

    def close(self) -> None:
        """Unregister everything."""
        raise NotImplementedError


class ListPart(Part, Generic[Row_co]):
    """A part that holds rows, and after a move knows which of them came and which went.

    A row that changed has gone and come. `entered` and `left` are those of the last move.
    """

    __slots__ = ("entered", "left", "row_spec")

    entered: Sequence[Row_co]
    left: Sequence[Row_co]
    #: The table of the rows.
    row_spec: TableSpec[Any]

    def mark(self, moved: int) -> Mark:
        """As `Part.mark`."""
        return self.row_spec, self.entered, self.left, ()

    @property
    def held_rows(self) -> Sequence[Row_co]:
        """The rows shown, in no order that matters."""
        raise NotImplementedError

    def rest(self) -> None:
        """As `Part.rest`."""
        self.entered = self.left = ()


def _bits(parts: Sequence[Part]) -> int:
    bits = 0
    for part in parts:
        bits |= part.bit
    return bits
