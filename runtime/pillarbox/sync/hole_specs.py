"""What a schema says of fetching what was never fetched: how it is asked for, and what an answer proves.

Depends on: claims, views (what a hole is).  Never on: boxes, transports, clocks; the rest of a protocol.

Law: `covered` is a stretch of ids in which the server has nothing that is not in the answer (sync.md 8.5).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from pillarbox.sync.claims import Instance
from pillarbox.views import Hole

#: A counter that moves with every change of rows that a page may bring: a cursor row and the place of a part.
Guard: TypeAlias = tuple[Instance, int]


class Way(Enum):
    """Where the rows that are asked for lie, seen from `Hole.start`."""

    UP = "up"
    DOWN = "down"
    AROUND = "around"


class Asking(NamedTuple):
    """One request for what a hole misses."""

    hole: Hole
    way: Way
    #: The edges of what is missing; where it is asked around an id, both are that id.
    lo: Any
    hi: Any
    #: How many rows.
    limit: int
    #: Of an edge: the row that marks it, as it is stored.
    mark: Any = None


class Covers(Enum):
    """What a page proves."""

    #: There is nothing but the page in all that was asked for; around an id that is everything.
    ASKED = "asked"
    #: From the near end to its farthest row; a page without rows: as ASKED.
    REACHED = "reached"


class Note(NamedTuple):
    """Rows that an operation may change or remove."""

    #: Place in the group of a hole and what stands there; places that are not named may hold anything.
    group: tuple[tuple[int, Any], ...] = ()
    #: None: any.
    id: Any = None
    #: Only a row that is here is changed, and not all of it: a page that has it is asked for again.
    part: bool = False


@dataclass(frozen=True, slots=True)
class PageRule:
    """What one type of answer brings."""

    rows: Callable[[Any], Sequence[Any]]
    #: The answer with other rows.
    keep: Callable[[Any, Sequence[Any]], Any]
    id: Callable[[Any], Any]
    #: The operations that write it, and what it asks for; it may read the tables.
    emit: Callable[[Any, Asking, Any], Sequence[Any]]
    covers: Callable[[Asking, Any], Covers] = lambda _asking, _answer: Covers.REACHED
    #: Whether a row is of the space that was asked for; others prove nothing.
    belongs: Callable[[Asking, Any, Any], bool] = lambda _asking, _answer, _row: True
    #: Where the guard stood when the server made the page, if there is one; None: it does not say.
    as_of: Callable[[Any], int | None] | None = None
    #: Of an edge: the mark that stands in place of the one before; None: nothing more is missing.
    rest: Callable[[Asking, Any], Any] | None = None
    #: Of an edge: whether a row is stored already. The page ends before the first one, where it meets what is
    #: known below, and nothing more is missing; None: that is seen by the keys alone.
    joins: Callable[[Any, Any], bool] | None = None
    #: Of ranges: (transaction, asking, answer, ids) -> what takes rows away that are stored, and that the
    #: server would have told with this page if they were there still. None: they stay.
    absent: Callable[[Any, Asking, Any, tuple[Any, ...]], Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True)
class RangeStore:
    """A table of ranges."""

    #: (transaction, `Hole.at`, id): whether the row with this id may be missing.
    has: Callable[[Any, tuple[Any, ...], Any], bool]
    #: (transaction, `Hole.at`, lower edge, upper edge).
    cut: Callable[[Any, tuple[Any, ...], Any, Any], None]
    first: Any
    last: Any
    #: (transaction, `Hole.at`, lower edge, upper edge, at most so many or None, from above): the ids of
    #: the rows of the group and the space that are stored there. None: nobody can tell.
    stored: Callable[[Any, tuple[Any, ...], Any, Any, int | None, bool], Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True)
class EdgeStore:
    """A table of marks, each saying that rows are missing from there down to the next one that is stored."""

    #: The mark with the key `Hole.start`, or None.
    mark: Callable[[Any, tuple[Any, ...]], Any]
    #: Takes the mark with a key away, and puts another one if it is not None.
    move: Callable[[Any, tuple[Any, ...], Any], None]
    #: The stored key of a mark.
    key: Callable[[Any], Any]
    #: The stored key of the next row below the mark with a key, or None.
    below: Callable[[Any, tuple[Any, ...]], Any]
    #: So many parts of a mark's key are its group.
    width: int
    #: The key of the lowest mark below the one with a key and above another mark, or None.
    lowest: Callable[[Any, tuple[Any, ...], Any], tuple[Any, ...] | None] = lambda _tx, _key, _rest: None


@dataclass(frozen=True, slots=True)
class HoleLimits:
    """Rows, milliseconds, requests (sync.md 8.3)."""

    page: int = 100
    #: How long a hole is left alone after it was asked for, whatever came of it.
    cooldown_ms: int = 20_000
    #: How long a request goes on that nobody waits for any more.
    recycle_ms: int = 500
    #: At one time.
    parallel: int = 4
    #: How often one page is asked for that is out of date when it comes.
    tries: int = 3
    #: So many rows that are stored in a hole are looked at on each side; what lies behind them stays a hole.
    stood: int = 1_000


@dataclass(frozen=True, slots=True)
class HoleSpec:
    """How the holes under one name are filled."""

    name: str
    store: RangeStore | EdgeStore
    #: What is asked; None: nobody can be asked for it. It may read the tables.
    request: Callable[[Any, Asking], Any]
    answers: Mapping[type[Any], PageRule]
    #: Holes of one key are filled one after the other.
    one_per: Callable[[Hole], Hashable] = lambda hole: hole.at
    guards: Callable[[Hole], Sequence[Guard]] = lambda _hole: ()
    #: What an operation changes of rows that pages bring; None: nobody knows.
    notes: Callable[[Any], Iterable[Note] | None] = lambda _operation: None
    limits: HoleLimits = field(default_factory=HoleLimits)
    #: The hole with the greatest start comes first (sync.md 8.6).
    highest_first: bool = False

    def group(self, hole: Hole) -> tuple[Any, ...]:
        """What the ids in a hole are numbered within, and its space."""
        return hole.start[: self.store.width] if isinstance(self.store, EdgeStore) else hole.at


def asking(hole: Hole, spec: HoleSpec, mark: Any = None) -> Asking:
    """What to ask for a hole (sync.md 8.2, 8.4)."""
    limit = spec.limits.page if hole.count is None else min(spec.limits.page, hole.count)
    if isinstance(spec.store, EdgeStore):
        return Asking(hole, Way.DOWN, None, hole.start, limit, mark)
    if hole.end is None:
        return Asking(hole, Way.AROUND, hole.start, hole.start, limit)
    if hole.start <= hole.end:
        return Asking(hole, Way.UP, hole.start, hole.end, limit)
    return Asking(hole, Way.DOWN, hole.end, hole.start, limit)


def covered(asked: Asking, ids: Sequence[Any], covers: Covers, store: RangeStore) -> tuple[Any, Any]:
    """The edges of what is known now that a page with these ids came (sync.md 8.5)."""
    if not ids or covers is Covers.ASKED:
        if asked.way is Way.AROUND:
            return store.first, store.last
        return asked.lo, asked.hi
    if asked.way is Way.UP:
        return asked.lo, max(asked.lo, *ids)
    if asked.way is Way.DOWN:
        return min(asked.hi, *ids), asked.hi
    return min(asked.lo, *ids), max(asked.hi, *ids)
