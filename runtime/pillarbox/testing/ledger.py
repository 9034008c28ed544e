"""What every transaction of one box did, seen from between the engine and the tables.

Depends on: sync (the protocol only), server, trace.  Never on: how the machine works.

Laws, checked at each commit. A counter that moves from p to q has, in that very transaction, applied
exactly what the server counted from p to q, in order (E-1, E-2, E-3, N-7, N-8); only an answer or a recipe
sets a counter otherwise. What a moved counter showed to be missing is owed, and so is a recipe that an update
has asked for, until one has written that was begun after that (E-13).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Position
from pillarbox.sync.cursor_parts import PartKind
from pillarbox.sync.debt_rows import Debt, DebtTable
from pillarbox.sync.outbox_specs import OutboxKind, OutboxSpec
from pillarbox.sync.protocol import (
    Answer,
    Answers,
    ResetAsk,
    ResetSpec,
    SyncProtocol,
    Tables,
    Update,
    UpdateRules,
)
from pillarbox.testing.server import Domain, Server
from pillarbox.testing.trace import Violation


@dataclass(frozen=True, slots=True)
class _Applied:
    """Stands before the operations of an update, so that it is seen when they are replayed."""

    update: Update


@dataclass(frozen=True, slots=True)
class _AskedFor:
    """Stands where an update asks for a recipe of a box-wide cursor."""

    recipe: tuple[int, StoredKey]


@dataclass(frozen=True, slots=True)
class Done:
    """Stands before what the client did itself, under the name of what everybody else is told."""

    mark: Hashable


@dataclass(frozen=True, slots=True)
class _Remade:
    """Stands before the operations of a recipe."""

    cursor: int
    key: StoredKey
    #: Its name, and after how many transactions it was begun.
    name: str
    begun: int


@dataclass(slots=True)
class Record:
    """What one transaction did."""

    #: And what the client did itself, in order.
    applied: list[Update | Done] = field(default_factory=list)
    #: What may be applied although it is old (sync.md G-5).
    late: set[Hashable] = field(default_factory=set)
    #: (cursor, key) -> where it stood before the transaction, and after it.
    moves: dict[tuple[int, StoredKey], tuple[Position, Position]] = field(default_factory=dict)
    remade: set[tuple[int, StoredKey]] = field(default_factory=set)
    #: Recipes of box-wide cursors that were asked for.
    asked: list[tuple[int, StoredKey]] = field(default_factory=list)
    #: And those that were followed, begun after so many transactions.
    followed: dict[tuple[int, StoredKey], int] = field(default_factory=dict)
    #: Those of which nothing is known any more; what was counted before has taken effect.
    forgotten: set[tuple[int, StoredKey]] = field(default_factory=set)
    #: (cursor, key), and whether it was owed or paid, in order.
    debts: list[tuple[tuple[int, StoredKey], bool]] = field(default_factory=list)


class Ledger:
    """The transactions of one box.

    Machines work with `protocol`, which is what was given but tells this of all that passes.
    """

    def __init__(self, server: Server, protocol: SyncProtocol) -> None:
        self._server = server
        self._record: Record | None = None
        self.protocol = self._told(protocol)
        #: What was applied so often, of what has no counter.
        self.uncounted: Counter[Hashable] = Counter()
        #: How often that came here.
        self.delivered: Counter[Hashable] = Counter()
        #: (cursor, part) -> values that answers have named; only these may lower it.
        self.named: dict[tuple[int, int], set[int]] = {}
        #: Where every counter stands, as of the last commit that moved it.
        self.positions: dict[tuple[int, StoredKey], Position] = {}
        self.debts: set[tuple[int, StoredKey]] = set()
        #: How far counters of keyed cursors are, as moved counters have shown.
        self._shown: dict[Domain, int] = {}
        self._commits = 0
        #: Recipe of a box-wide cursor -> the transaction that asked for it last, until it was followed.
        self._asked: dict[tuple[int, StoredKey], int] = {}
        #: When recipes were begun, by what they gather their answers in.
        self._begun: dict[int, tuple[Answers, int]] = {}

    def named_by(self, answer: Answer) -> None:
        """An answer came; what it names a cursor may be set to."""
        for spec in self._server.protocol.cursors.values():
            rule = None if spec.difference is None else spec.difference.answers.get(type(answer))
            if rule is not None and rule.set is not None:
                for part, value in rule.set(answer).items():
                    self.named.setdefault((spec.id, part), set()).add(value)

    # ------------------------------------------------------------------------------- transactions

    def begin(self) -> None:
        """A transaction begins."""
        self._record = Record()

    def end(self, *, committed: bool) -> Record:
        """It is over. Raises Violation where a committed one broke a law."""
        record, self._record = self._record, None
        assert record is not None
        if committed:
            self._check(record)
            self.positions |= dict.fromkeys(record.forgotten)
            for instance, (_, after) in record.moves.items():
                self.positions[instance] = after
            for instance, is_owed in record.debts:
                (self.debts.add if is_owed else self.debts.discard)(instance)
            self._check_evidence(record)
            self._check_asked(record)
        return record

    # ---------------------------------------------------------------------------------------- laws

    def _check(self, record: Record) -> None:
        applied: dict[Domain, list[Hashable]] = {}
        for update in record.applied:
            mark = update.mark if isinstance(update, Done) else self._server.mark(update)
            if mark is None:
                continue
            domain = self._server.homes.get(mark)
            if domain and isinstance(update, Done) and self.positions.get(domain[:2]) is None:
                continue  # There is no counter that would move.
            if type(update) in self.protocol.updates.when_old:
                record.late.add(mark)
            if domain is None:
                self.uncounted[mark] += 1
            else:
                applied.setdefault(domain, []).append(mark)
        for (cursor, key), (before, after) in record.moves.items():
            for part in range(len(after or ())):
                if before is None or after is None or before[part] != after[part]:
                    applied.setdefault((cursor, key, part), [])
        for domain, marks in applied.items():
            if domain in self._server.logs and domain[:2] not in record.remade | record.forgotten:
                self._check_domain(domain, marks, record)
        for mark, times in self.uncounted.items():
            if times > self.delivered[mark]:
                raise Violation("E-19", f"{mark} came {self.delivered[mark]} times and was applied {times}")

    def _check_domain(self, domain: Domain, marks: Sequence[Hashable], record: Record) -> None:
        cursor, key, part = domain
        before, after = record.moves.get((cursor, key), (None, None))
        name = f"{self._server.protocol.cursors[cursor].name}({key!r}).{part}"
        if (cursor, key) not in record.moves:
            if rest := [mark for mark in marks if mark not in record.late]:
                raise Violation("E-1", f"{name} has not moved, and what it counts was applied: {rest}")
            return
        assert after is not None
        low, high = (0 if before is None else before[part]), after[part]
        if before is None and not marks and self._server.protocol.cursors[cursor].first is not None:
            return
        if high < low:
            if high not in self.named.get((cursor, part), ()):
                raise Violation("N-8", f"{name} went from {low} to {high}, which no answer has named")
            low = high
        log = self._server.logs[domain]
        if high > log.end:
            raise Violation("N-8", f"{name} stands at {high}, and the server at {log.end}")
        expected = [mark for entry in log.between(low, high) for mark in entry.marks]
        if low < log.horizon and high in self.named.get((cursor, part), ()):
            expected = [mark for mark in expected if mark in marks]  # What was forgotten was told anew.
        missing = [mark for mark in expected if mark not in marks]
        if missing:
            raise Violation("N-8", f"{name} went from {low} to {high} without {missing}")
        rest = [mark for mark in marks if mark not in expected and mark not in record.late]
        once = [mark for mark in marks if mark not in record.late]
        if rest or len(set(once)) < len(once):
            raise Violation("N-7", f"{name} went from {low} to {high}, and yet applied {rest or marks}")
        if [mark for mark in expected if mark in once] != once and _is_ordered(once):
            raise Violation("N-7", f"{name} went from {low} to {high} out of order: {marks}")

    def _check_evidence(self, record: Record) -> None:
        """E-13: what the counters that moved have shown of keyed ones is there, or is owed."""
        for instance, (before, after) in record.moves.items():
            for domain, end in self._server.evidence(instance, before, after):
                self._shown[domain] = max(end, self._shown.get(domain, 0))
        for domain, end in self._shown.items():
            position = self.positions.get(domain[:2])
            is_there = position is not None and position[domain[2]] >= end
            if not is_there and domain[:2] not in self.debts and not self._server.is_excused(domain):
                name = f"{self.protocol.cursors[domain[0]].name}({domain[1]!r})"
                raise Violation("E-13", f"{name} is at {position}, not {end}, and not owed")

    def _check_asked(self, record: Record) -> None:
        """E-13: a recipe that was asked for is owed until one was followed that was begun after that."""
        self._commits += 1
        for recipe, begun in record.followed.items():
            if begun >= self._asked.get(recipe, 0):
                self._asked.pop(recipe, None)
        self._asked |= dict.fromkeys(record.asked, self._commits)
        for cursor, name in self._asked:
            if (cursor, name) not in self.debts:
                raise Violation("E-13", f"the recipe {name!r} was asked for, not followed, and is not owed")

    # ------------------------------------------------------------------------------ what is passed on

    def _told(self, protocol: SyncProtocol) -> SyncProtocol:
        return replace(
            protocol,
            updates=self._updates(protocol.updates),
            resets={name: self._recipe(spec) for name, spec in protocol.resets.items()},
            debts=None if protocol.debts is None else self._debts(protocol.debts),
            outbox=None if protocol.outbox is None else self._outbox(protocol.outbox),
            replay=self._replay,
            advance=self._advance,
        )

    def _updates(self, rules: UpdateRules) -> UpdateRules:
        def emit(update: Update, around: Any) -> Sequence[Any]:
            entries = rules.emit(update, around)
            asked = [self._asked_by(it) for it in entries if isinstance(it, ResetAsk)]
            return [_Applied(update), *filter(None, asked), *entries]

        return replace(rules, emit=emit)

    def _asked_by(self, act: ResetAsk) -> _AskedFor | None:
        cursor = self._server.protocol.resets[act.name].cursor
        is_keyed = self._server.protocol.cursors[cursor].keyed
        return None if is_keyed else _AskedFor((cursor, act.name.encode()))

    def _outbox(self, spec: OutboxSpec) -> OutboxSpec:
        return replace(spec, kinds={code: self._kind(kind) for code, kind in spec.kinds.items()})

    def _kind(self, kind: OutboxKind) -> OutboxKind:
        """What an answer of counters counts is done under the name of what everybody else is told."""
        rule = kind.answered
        if rule is None or not kind.containers:
            return kind

        def answered(payload: Any, answer: Any) -> Sequence[Any]:
            steps = self._server.protocol.open(answer).steps if isinstance(answer, kind.containers) else ()
            return [*(Done(step) for step in steps if step in self._server.homes), *rule(payload, answer)]

        return replace(kind, answered=answered)

    def _recipe(self, spec: ResetSpec) -> ResetSpec:
        def commit(tables: Tables, key: StoredKey, answers: Any) -> Sequence[Any]:
            _, begun = self._begun.get(id(answers), (answers, self._commits))
            return [_Remade(spec.cursor, key, spec.name, begun), *spec.commit(tables, key, answers)]

        if not spec.fetch:
            return replace(spec, commit=commit)
        first, *others = spec.fetch

        def request(key: StoredKey, answers: Answers) -> Any:
            if not answers:
                self._begun[id(answers)] = answers, self._commits
            return first.request(key, answers)

        return replace(spec, commit=commit, fetch=(replace(first, request=request), *others))

    def _replay(self, tables: Tables, operations: Sequence[Any]) -> None:
        record = self._record
        rest = []
        for operation in operations:
            if isinstance(operation, _Applied):
                if record is not None:
                    record.applied.append(operation.update)
            elif isinstance(operation, Done):
                if record is not None:
                    record.applied.append(operation)
            elif isinstance(operation, _Remade):
                if record is not None:
                    record.remade.add((operation.cursor, operation.key))
                    record.followed[operation.cursor, operation.name.encode()] = operation.begun
            elif isinstance(operation, _AskedFor):
                if record is not None:
                    record.asked.append(operation.recipe)
            else:
                rest.append(operation)
        if record is None:
            self._server.protocol.replay(tables, rest)
            return
        before = self._keyed(tables)
        self._server.protocol.replay(tables, rest)
        for domain, after in self._keyed(tables).items():
            if after is None and before[domain] is not None:
                record.forgotten.add(domain[:2])
            if after is None or _part(after, domain) == _part(before[domain], domain):
                continue
            first, _ = record.moves.get(domain[:2], (before[domain], None))
            record.moves[domain[:2]] = (first, after)
            if record.remade:  # A recipe may set those of keyed cursors, too.
                record.remade.add(domain[:2])

    def _keyed(self, tables: Tables) -> dict[Domain, Position]:
        protocol = self._server.protocol
        domains = [domain for domain in self._server.logs if protocol.cursors[domain[0]].keyed]
        return {domain: protocol.position(tables, *domain[:2]) for domain in domains}

    def _advance(self, tables: Tables, cursor: int, key: StoredKey, parts: Mapping[int, Any]) -> None:
        protocol = self._server.protocol
        before = protocol.position(tables, cursor, key)
        protocol.advance(tables, cursor, key, parts)
        if self._record is not None:
            first, _ = self._record.moves.get((cursor, key), (before, None))
            self._record.moves[cursor, key] = (first, protocol.position(tables, cursor, key))

    def _debts(self, table: DebtTable) -> DebtTable:
        def owe(tables: Tables, debt: Debt) -> None:
            table.owe(tables, debt)
            if self._record is not None:
                self._record.debts.append((debt.instance, True))

        def pay(tables: Tables, instance: tuple[int, StoredKey]) -> None:
            table.pay(tables, instance)
            if self._record is not None:
                self._record.debts.append((instance, False))

        return replace(table, owe=owe, pay=pay)


def _part(position: Position, domain: Domain) -> int:
    return 0 if position is None else position[domain[2]]


def _is_ordered(marks: Sequence[Hashable]) -> bool:
    """Whether these are claims, which have an order; other marks share a span."""
    return all(hasattr(mark, "start") for mark in marks)


def counters(protocol: SyncProtocol) -> frozenset[tuple[int, int]]:
    """(cursor, part) of everything that counts."""
    return frozenset(
        (spec.id, part)
        for spec in protocol.cursors.values()
        for part, of in enumerate(spec.parts)
        if of.kind is PartKind.COUNTER
    )
