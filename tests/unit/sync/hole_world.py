"""Holes in a store that is a set of numbers: what the tests of fetching feed the machine with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pillarbox.sync.claims import Position
from pillarbox.sync.debt_rows import Author, Debt, DebtTable
from pillarbox.sync.hole_notes import Moves
from pillarbox.sync.hole_specs import Asking, Covers, Guard, HoleLimits, HoleSpec, Note, PageRule, RangeStore
from pillarbox.sync.holes import GivenOut, Holes
from pillarbox.sync.protocol import Act, CursorSpec
from pillarbox.sync.signals import (
    Answered,
    Commit,
    CommitFailed,
    Committed,
    Facts,
    Id,
    Output,
    Poke,
    Send,
    Stale,
    Started,
)
from pillarbox.views import Hole

#: The first and the last number that there can be.
FIRST, LAST = 1, 99
CURSOR = 310
KEYED = 311


class Page(NamedTuple):
    """The answer of these tests: numbers of rows, and where the cursor of the server stood."""

    rows: tuple[int, ...]
    at: int = 0


class Put(NamedTuple):
    """An operation that writes rows."""

    rows: tuple[int, ...]


class Remove(NamedTuple):
    """An operation that removes a row."""

    id: int


class Edit(NamedTuple):
    """An operation that changes a row, if it is here."""

    id: int


@dataclass
class Tables:
    """Rows that are stored, and numbers of those that may be missing."""

    rows: set[int] = field(default_factory=set)
    missing: set[int] = field(default_factory=lambda: set(range(FIRST, LAST + 1)))
    position: int | None = 0
    #: What was written, one after the other.
    written: list[tuple[int, ...]] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)

    def has(self, at: tuple[Any, ...], id: int) -> bool:
        return id in self.missing

    def cut(self, at: tuple[Any, ...], low: int, high: int) -> None:
        self.missing -= set(range(low, high + 1))

    def stored(self, low: int, high: int, limit: int | None, from_above: bool) -> list[int]:
        return sorted((row for row in self.rows if low <= row <= high), reverse=from_above)[:limit]


class Protocol:
    """As much of a protocol as pages need: `CURSOR` is one in the box, `KEYED` is not."""

    def __init__(self) -> None:
        self.cursors = {
            CURSOR: CursorSpec(CURSOR, "one", False, ()),
            KEYED: CursorSpec(KEYED, "keyed", True, ()),
        }
        self.outbox = None
        self.debts = DebtTable(
            all=lambda tables: tables.debts,
            owe=lambda tables, debt: tables.debts.append(debt),
            pay=lambda _tables, _instance: None,
        )

    def replay(self, tables: Tables, operations: Sequence[Any]) -> None:
        for operation in operations:
            if isinstance(operation, Put):
                tables.rows |= set(operation.rows)
                tables.written.append(operation.rows)
            elif isinstance(operation, Remove):
                tables.rows.discard(operation.id)

    def position(self, tables: Tables, cursor: int, key: Any) -> Position:
        return (tables.position,)


def notes(operation: Any) -> tuple[Note, ...] | None:
    """What the operations of these tests do to rows."""
    match operation:
        case Put(rows=rows):
            return tuple(Note(id=row) for row in rows)
        case Remove(id=id):
            return (Note(id=id),)
        case Edit(id=id):
            return (Note(id=id, part=True),)
    return None


def guards(_hole: Hole) -> tuple[Guard, ...]:
    return (((CURSOR, b""), 0),)


def spec(
    *, covers: Covers = Covers.REACHED, limits: HoleLimits | None = None, per: Any = None, **words: Any
) -> HoleSpec:
    """Holes of numbers. `per` is what at most one is asked for of; None: the group and space."""
    rule = PageRule(
        rows=lambda page: page.rows,
        keep=lambda page, rows: page._replace(rows=tuple(rows)),
        id=lambda row: row,
        emit=words.pop("emit", lambda _tx, _asking, page: [Put(page.rows)]),
        covers=lambda _asking, _page: covers,
        as_of=words.pop("as_of", None),
        absent=lambda _tx, _asking, _page, ids: [Remove(id) for id in ids],
    )
    return HoleSpec(
        "numbers",
        RangeStore(
            lambda tables, at, id: tables.has(at, id),
            lambda tables, at, low, high: tables.cut(at, low, high),
            FIRST,
            LAST,
            lambda tables, at, *where: tables.stored(*where),
        ),
        lambda _tables, asking: asking,
        {Page: rule},
        one_per=per or (lambda hole: hole.at),
        limits=limits or HoleLimits(page=10),
        notes=notes,
        **{"guards": guards, **words},
    )


def hole(start: int, end: int | None, *at: Any, count: int | None = None) -> Hole:
    return Hole("numbers", "numbers_missing", at, start, end, count)


class World:
    """The machine with a store that does at once what it is told; the server is the test."""

    def __init__(self, given: HoleSpec | None = None, *, master: bool = True) -> None:
        self.spec = given or spec()
        #: What pages asked for.
        self.acts: list[Act] = []
        self.holes = Holes(self.spec, self.acts.append, lambda: Author(1, 1))
        self.tables = Tables()
        self.now = 0
        #: What the machine told and nobody has answered, without commits.
        self.told: list[Output] = []
        #: The last request that `asked` gave.
        self.last = Id("", 0)
        self.feed(Started(0, 1, master))

    def feed(self, input: Any) -> None:
        """Step, carry commits out, and keep the rest."""
        for output in self.holes.step(input):
            if isinstance(output, Commit):
                self.commit(output)
            else:
                self.told.append(output)

    def commit(self, output: Commit) -> None:
        try:
            result = output.draft.apply(self.tables, Protocol())  # type: ignore[arg-type]
        except Stale as error:
            self.feed(CommitFailed(self.now, output.id, str(error), True))
        else:
            self.feed(Committed(self.now, output.id, Facts(result=result)))

    def want(self, *holes: Hole) -> None:
        self.feed(Poke(self.now, self.holes.owner, frozenset(holes)))

    def take(self, kind: type[Any]) -> list[Any]:
        """What was told of a kind, which is forgotten."""
        found = [output for output in self.told if isinstance(output, kind)]
        self.told = [output for output in self.told if not isinstance(output, kind)]
        return found

    def asked(self) -> list[Asking]:
        """The requests since the last time."""
        sent = self.take(Send)
        self.last = sent[-1].id if sent else Id("", 0)
        return [output.request for output in sent]

    def answer(self, *rows: int, at: int = 0) -> None:
        """The last request that `asked` gave is answered."""
        self.feed(Answered(self.now, self.last, Page(rows, at)))


def wrote(world: World, *operations: Any, at: int | None = None, known: bool = True) -> None:
    """A commit of the engine: first it is told to the machine, then it is done."""
    before = world.tables.position
    after = before if at is None else at
    moves: Moves = {(CURSOR, b""): ((before,), (after,))} if at is not None else {}
    if known:
        world.feed(Poke(0, world.holes.owner, GivenOut(operations, moves)))
    Protocol().replay(world.tables, operations)
    world.tables.position = after


def asked(world: World) -> World:
    """All is missing, and asked for."""
    world.want(hole(99, 1))
    assert len(world.asked()) == 1
    return world
