"""What the engine reads and writes: plans of one read, drafts of one write transaction.

Depends on: protocol, signals, optimiser.  Never on: the queue, jobs, clocks, boxes.

Law: a draft writes the rows, the debts and, last, the cursors in one transaction, and only while every
cursor that it sets stands where it was built (sync.md 6.4, 6.5, E-1, E-10, E-13).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.debt_rows import NO_RUN, Author, Debt
from pillarbox.sync.optimiser import optimise
from pillarbox.sync.protocol import (
    Act,
    Answers,
    Operation,
    Poll,
    ResetAsk,
    ResetSpec,
    Row,
    SyncProtocol,
    Tables,
    Unhandled,
)
from pillarbox.sync.signals import Stale

_NOTHING: Final[Mapping[Any, Any]] = {}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a `Reading` found."""

    positions: Mapping[Instance, Position] = field(default_factory=dict)
    rows: Mapping[Row, Any] = field(default_factory=dict)
    debts: tuple[Debt, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """Cursors and rows to read, and all debts if they are wanted (sync.md 6.1)."""

    instances: frozenset[Instance] = frozenset()
    rows: frozenset[Row] = frozenset()
    debts: bool = False

    def joined(self, other: Reading) -> Reading:
        """What either reads."""
        return Reading(self.instances | other.instances, self.rows | other.rows, self.debts or other.debts)

    def read(self, tables: Tables, protocol: SyncProtocol) -> Snapshot:
        """All of it as it stood at one time."""
        return Snapshot(
            {instance: protocol.position(tables, *instance) for instance in self.instances},
            {row: protocol.row(tables, row) for row in self.rows},
            tuple(protocol.debts.all(tables)) if self.debts and protocol.debts is not None else (),
        )


@dataclass(frozen=True, slots=True)
class Wrote:
    """What a draft that was finished within its transaction leaves to do."""

    acts: tuple[Act, ...] = ()
    #: Debts that were written.
    owed: tuple[Debt, ...] = ()
    #: What was not written, since it was built on a cursor that has moved.
    stale: tuple[Instance, ...] = ()
    unhandled: tuple[Unhandled, ...] = ()
    #: What was not written, since nobody is owed it any more.
    void: tuple[Instance, ...] = ()
    #: What is owed from this commit on, and was not before.
    fresh: tuple[Instance, ...] = ()
    #: All that it wrote of what is owed, as it stands now.
    rows: tuple[Debt, ...] = ()
    #: The parts of its cursor that a recipe set.
    sets: Mapping[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BatchDraft:
    """A batch or an answer, decided and interpreted."""

    operations: tuple[Operation, ...] = ()
    sets: Mapping[Instance, Mapping[int, Any]] = field(default_factory=dict)
    expects: Mapping[Instance, Position] = field(default_factory=dict)
    #: Rows that have to stand.
    stands: frozenset[Row] = frozenset()
    #: Rows that must not: they were fetched, and who wrote them since did not know that (sync.md A-3).
    lacks: frozenset[Row] = frozenset()
    owes: tuple[Debt, ...] = ()
    #: Debts that it repairs; one that is of another run by now stays.
    pays: tuple[Debt, ...] = ()
    #: Debts that are of this run from now on, where they still stand.
    takes: tuple[Debt, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it would write nothing."""
        return not (self.operations or self.sets or self.owes or self.pays or self.takes)

    def stale(self, tx: Tables, protocol: SyncProtocol) -> tuple[Instance, ...]:
        """The cursors that do not stand any more where this was built (sync.md 6.5); all of them where a row
        came since that it would write over.
        """
        if self._late(tx, protocol):
            return tuple(self.expects)
        return tuple(
            instance
            for instance, expected in self.expects.items()
            if protocol.position(tx, *instance) != expected
        )

    def apply(self, tx: Tables, protocol: SyncProtocol) -> Wrote:
        """All of it. Raises Stale before the first write."""
        if late := self._late(tx, protocol):
            raise Stale(f"rows that it has fetched came meanwhile: {late}")
        if stale := self.stale(tx, protocol):
            raise Stale(f"cursors have moved: {stale}")
        if gone := [row for row in self.stands if protocol.row(tx, row) is None]:
            raise Stale(f"rows that it needs are gone: {gone}")
        return self.write(tx, protocol)

    def _late(self, tx: Tables, protocol: SyncProtocol) -> list[Row]:
        return [row for row in self.lacks if protocol.row(tx, row) is not None]

    def write(self, tx: Tables, protocol: SyncProtocol) -> Wrote:
        """The same, unchecked. What its operations have forgotten stays so."""
        replay(tx, protocol, self.operations)
        pay(tx, protocol, self.pays)
        rows, fresh = owe(tx, protocol, self.owes)
        rows += take(tx, protocol, self.takes)
        for (cursor, key), parts in self.sets.items():
            was_known = protocol.cursors[cursor].keyed and self.expects.get((cursor, key)) is not None
            if not was_known or protocol.position(tx, cursor, key) is not None:
                protocol.advance(tx, cursor, key, parts)
        return Wrote(fresh=fresh, rows=rows)


@dataclass(frozen=True, slots=True)
class ResetDraft:
    """What a recipe fetched: it makes its operations of the tables as they stand (sync.md D-6)."""

    spec: ResetSpec
    key: Any
    answers: Answers
    #: Where the cursor stood when the recipe began.
    expected: Position
    author: Author
    pays: tuple[Debt, ...] = ()

    @property
    def instance(self) -> Instance:
        """The cursor that is made anew."""
        return self.spec.cursor, self.key

    def stale(self, tx: Tables, protocol: SyncProtocol) -> tuple[Instance, ...]:
        """Whether somebody else moved the cursor while the recipe fetched."""
        moved = protocol.position(tx, *self.instance) != self.expected
        return (self.instance,) if moved else ()

    def apply(self, tx: Tables, protocol: SyncProtocol) -> Wrote:
        """All of it. Raises Stale before the first write."""
        if self.stale(tx, protocol):
            raise Stale("the cursor has moved while it was reset")
        return self.write(tx, protocol)

    def write(self, tx: Tables, protocol: SyncProtocol) -> Wrote:
        """The same, unchecked."""
        operations, acts, unhandled = split(self.spec.commit(tx, self.key, self.answers))
        replay(tx, protocol, operations)
        pay(tx, protocol, self.pays)
        owed = acts_owed(protocol, acts, self.author, self.key)
        rows, fresh = owe(tx, protocol, owed)
        parts = self.spec.set(self.key, self.answers)
        if parts:
            protocol.advance(tx, self.spec.cursor, self.key, parts)
        rest = tuple(act for act in acts if debt_of(protocol, act, self.author) is None)
        return Wrote(rest, owed, unhandled=unhandled, fresh=fresh, rows=rows, sets=parts)


@dataclass(frozen=True, slots=True)
class RoundDraft:
    """Answers about several instances, merged: each is written unless its cursor has moved (D-2, E-14), or
    what it answers is owed no more.
    """

    #: By ascending instance (sync.md A-7).
    parts: tuple[BatchDraft | ResetDraft, ...]
    #: What each of them answers, where that is owed: the instance, and since which draft, 0 if nobody knows.
    owed: tuple[tuple[Instance, int], ...] = ()

    def apply(self, tx: Tables, protocol: SyncProtocol) -> Wrote:
        """What still fits, in one transaction; tells what did not. Never stale as a whole."""
        stale: list[Instance] = []
        acts: list[Act] = []
        owed: list[Debt] = []
        unhandled: list[Unhandled] = []
        void: list[Instance] = []
        fresh: list[Instance] = []
        rows: list[Debt] = []
        for part, asked in zip_longest(self.parts, self.owed):
            # What was forgotten, and perhaps is owed anew, is not what was asked about.
            if asked is not None and (asked[0] in fresh or not _is_owed(tx, protocol, *asked)):
                void.append(asked[0])
                continue
            if moved := part.stale(tx, protocol):
                # What has moved may be a cursor that the answer speaks of besides.
                stale += moved if asked is None else (asked[0],)
                continue
            wrote = part.write(tx, protocol)
            acts += wrote.acts
            owed += wrote.owed
            unhandled += wrote.unhandled
            fresh += wrote.fresh
            rows += wrote.rows
        return Wrote(
            tuple(acts),
            tuple(owed),
            tuple(stale),
            tuple(unhandled),
            tuple(void),
            tuple(fresh),
            tuple(rows),
        )


# ------------------------------------------------------------------------------------------------ parts


def replay(tx: Tables, protocol: SyncProtocol, operations: Sequence[Operation]) -> None:
    """Merge them where the schema says how, and run them."""
    merged = operations if protocol.merges is None else optimise(operations, protocol.merges)
    run(tx, protocol, merged, of=operations)


def run(
    tx: Tables,
    protocol: SyncProtocol,
    operations: Sequence[Operation],
    of: Sequence[Operation] | None = None,
) -> None:
    """Run them as they are; what waits in the outbox hears of these, or of those that they were made of: also
    what some of them have wished, since others may stand behind those.
    """
    if protocol.outbox is not None:
        protocol.outbox.meet(tx, operations if of is None else of)
    protocol.replay(tx, operations)
    if protocol.outbox is not None:
        protocol.outbox.meet(tx, operations if of is None else of)


def owe(
    tx: Tables, protocol: SyncProtocol, debts: Iterable[Debt]
) -> tuple[tuple[Debt, ...], tuple[Instance, ...]]:
    """Write debts, of two hints about one instance the lower (sync.md K-13). Gives them as they stand, and
    what was not owed before.

    Each time that a recipe is asked for makes another row of it, which only a later run of it pays.
    """
    if protocol.debts is None:
        return (), ()
    stand: dict[Instance, Debt] | None = None
    rows: list[Debt] = []
    fresh: list[Instance] = []
    for debt in debts:
        if stand is None:
            stand = {it.instance: it for it in protocol.debts.all(tx)}
        before = stand.get(debt.instance)
        if before is None:
            fresh.append(debt.instance)
        elif protocol.cursors[debt.cursor].keyed:
            # Of what both have seen neither knows all, so neither pays for it before it has taken it over.
            debt = lower(before, debt)._replace(run=debt.run if before.run == debt.run else NO_RUN)
        stand[debt.instance] = debt
        rows.append(debt)
        protocol.debts.owe(tx, debt)
    return tuple(rows), tuple(fresh)


def take(tx: Tables, protocol: SyncProtocol, debts: Sequence[Debt]) -> tuple[Debt, ...]:
    """Make debts of another run this one's; one that was paid or forgotten since it was read stays so. Gives
    them as they stand: more may be missing than was read.
    """
    if protocol.debts is None or not debts:
        return ()
    stand = {it.instance: it for it in protocol.debts.all(tx)}
    rows: list[Debt] = []
    for debt in debts:
        row = stand.get(debt.instance)
        if row is not None and row.since == debt.since:
            rows.append(row._replace(run=debt.run))
            protocol.debts.owe(tx, rows[-1])
    return tuple(rows)


def acts_owed(
    protocol: SyncProtocol, acts: Iterable[Act], author: Author, key: Any = b""
) -> tuple[Debt, ...]:
    """What is owed from now on; a recipe of the cursor itself is for `key`."""
    debts = (debt_of(protocol, act, author, key) for act in acts)
    return tuple(debt for debt in debts if debt is not None)


def _is_owed(tx: Tables, protocol: SyncProtocol, instance: Instance, since: int) -> bool:
    return protocol.debts is not None and any(
        it.instance == instance and since in (0, it.since) for it in protocol.debts.all(tx)
    )


def lower(first: Debt | None, second: Debt) -> Debt:
    """The debt that stands for both, since the first: the second, with the lower hint, and with any recipe
    before none.
    """
    if first is None:
        return second
    hints = None if first.hint is None or second.hint is None else min(first.hint, second.hint)
    return second._replace(hint=hints, cure=second.cure or first.cure, since=first.since)


def pay(tx: Tables, protocol: SyncProtocol, debts: Sequence[Debt]) -> None:
    """Remove debts, but for those that another run has written since, and recipes asked for anew."""
    if protocol.debts is None or not debts:
        return
    stand = {it.instance: it for it in protocol.debts.all(tx)}
    for debt in debts:
        row = stand.get(debt.instance)
        if row is not None and row.run == debt.run and not _is_newer(protocol, row, debt):
            protocol.debts.pay(tx, debt.instance)


def _is_newer(protocol: SyncProtocol, row: Debt, paid: Debt) -> bool:
    """Whether a recipe of a box-wide cursor was asked for since the one began that pays for it."""
    spec = protocol.cursors.get(row.cursor)
    return spec is not None and not spec.keyed and row.hint != paid.hint


def split(entries: Iterable[Any]) -> tuple[list[Operation], list[Act], tuple[Unhandled, ...]]:
    """Tell operations, acts, and updates that nothing is said of, apart."""
    operations: list[Operation] = []
    acts: list[Act] = []
    unhandled: list[Unhandled] = []
    for entry in entries:
        if isinstance(entry, Poll | ResetAsk):
            acts.append(entry)
        elif isinstance(entry, Unhandled):
            unhandled.append(entry)
        else:
            operations.append(entry)
    return operations, acts, tuple(unhandled)


def debt_of(protocol: SyncProtocol, act: Act, author: Author, key: Any = b"") -> Debt | None:
    """The debt that an act stands for; None for the poll of a box-wide cursor: every start asks that.

    A recipe of the cursor itself is for `key`.
    """
    if isinstance(act, Poll):
        keyed = protocol.cursors[act.cursor].keyed
        if not keyed:
            return None
        return Debt(act.cursor, act.key, act.hint, run=author.run, since=author.number)
    cursor = protocol.resets[act.name].cursor
    at = (act.key or key) if protocol.cursors[cursor].keyed else act.name.encode()
    hint = None if protocol.cursors[cursor].keyed else author.draft
    return Debt(cursor, at, hint, act.name, author.run, author.number)
