"""A batch, or an answer, and what was read for it, made into a draft.

Depends on: decide, needs, pieces, drafts, protocol.  Never on: the queue, jobs, clocks.

Law: the same batch, snapshot and answers give equal drafts, whatever came in which order (E-12); building
starts over when answers come, so nothing of it is ever kept half done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Claim, Instance, Position
from pillarbox.sync.decide import Decision, Owed, Situation, decide
from pillarbox.sync.drafts import BatchDraft, keyed_debt, lower, split
from pillarbox.sync.needs import Fetched, Needs
from pillarbox.sync.pieces import Origin, Piece
from pillarbox.sync.protocol import (
    Absent,
    Act,
    Around,
    Operation,
    PartKind,
    Poll,
    Request,
    ResetAsk,
    Row,
    Stamp,
    SyncProtocol,
    Unhandled,
    Update,
)

#: A line of the log: rule, text, fields.
Line: TypeAlias = tuple[str, str, Mapping[str, Any]]


class Wants(NamedTuple):
    """It can go on only with the answers to these."""

    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """What to write, and what to do after that."""

    draft: BatchDraft
    held: tuple[Piece, ...] = ()
    #: Box-wide cursors to poll.
    polls: tuple[int, ...] = ()
    #: Recipes of box-wide cursors to run.
    resets: tuple[ResetAsk, ...] = ()
    #: Debts that the draft writes.
    owed: tuple[Owed, ...] = ()
    unhandled: tuple[Unhandled, ...] = ()
    #: Nothing may be written (sync.md A-9).
    discard: bool = False
    log: tuple[Line, ...] = ()


class Lines(list[Line]):
    """Gathers log lines, so that those of a build that starts over are not told twice."""

    def __call__(self, rule: str, text: str, **fields: Any) -> None:
        self.append((rule, text, fields))


class Fold:
    """Interprets updates one after the other, on an overlay of the cursors (sync.md 6.2)."""

    def __init__(self, situation: Situation, needs: Needs, log: Lines) -> None:
        self._situation = situation
        self._protocol = situation.protocol
        self._needs = needs
        self._log = log
        self._positions: dict[Instance, Position] = dict(situation.positions)
        self._sided: set[Origin] = set()
        self.date = 0
        self.discard = False
        self.operations: list[Operation] = []
        self.sets: dict[Instance, dict[int, Any]] = {}
        self.polls: list[int] = []
        self.resets: list[ResetAsk] = []
        self.owed: dict[Instance, Owed] = {}
        self.unhandled: list[Unhandled] = []

    def sides(self, origins: Iterable[Origin]) -> None:
        """What containers bring besides updates, once each (sync.md G-6)."""
        for origin in origins:
            if origin not in self._sided:
                self._sided.add(origin)
                self.operations += origin.side

    def fetched(self, fetched: Fetched) -> None:
        """What was asked for comes before all that needs it (sync.md A-3)."""
        for body in fetched.values():
            if body is not None:
                self.operations += body.side
        for body in fetched.values():
            if body is not None:
                for update in body.updates:
                    self.emit(update, None)
                self.operations += body.tail

    def emit(self, update: Update, end: int | None) -> None:
        """One update; one that cannot be interpreted is told of, and in a push nothing is written."""
        around = Around(
            date=self.date,
            now=self._situation.now,
            end=end,
            position=self.position,
            rows=self._needs.around(update),
        )
        try:
            entries = self._protocol.updates.emit(update, around)
        except Exception as error:  # A moved cursor without its data would be worse than any poll.
            self._log("A-9", "an update cannot be interpreted", update=update, error=repr(error))
            self.discard = self._situation.inside is None
            return
        operations, acts, unhandled = split(entries)
        self.operations += operations
        self.unhandled += unhandled
        self.acts(acts)

    def acts(self, acts: Iterable[Act]) -> None:
        """What was asked for besides operations."""
        for act in acts:
            cursor = act.cursor if isinstance(act, Poll) else self._protocol.resets[act.name].cursor
            debt = keyed_debt(self._protocol, act, self._situation.marker, b"")
            if debt is not None:
                self._owe_act(act, debt.instance)
            elif isinstance(act, ResetAsk):
                self.resets.append(act)
            elif cursor not in self.polls and not self._reached((cursor, b""), act.hint):
                self.polls.append(cursor)

    def _owe_act(self, act: Act, instance: Instance) -> None:
        hint = act.hint if isinstance(act, Poll) else None
        debt = self._situation.debt(instance, hint)
        if isinstance(act, ResetAsk):
            debt = debt._replace(cure=act.name)
        if not self._reached(instance, hint):
            self.owe(Owed(debt, None if hint is None else (self._first_counter(instance), hint)))

    def _reached(self, instance: Instance, hint: int | None) -> bool:
        """Whether all up to the hint is there already (sync.md K-3)."""
        known = self.position(*instance)
        return hint is not None and known is not None and known[self._first_counter(instance)] >= hint

    def owe(self, owed: Owed) -> None:
        """Of two debts of one instance one stays, with the lower hint and the farther top."""
        debt, top = owed
        if (before := self.owed.get(debt.instance)) is not None:
            debt = lower(before.debt, debt)
            same = top is not None and before.top is not None and top[0] == before.top[0]
            top = max(before.top, top) if same and before.top and top else None
        self.owed[debt.instance] = Owed(debt, top)

    def position(self, cursor: int, key: StoredKey) -> Position:
        """Where a cursor stands within the batch."""
        return self._positions.get((cursor, key))

    def move(self, instance: Instance, part: int, value: Any) -> None:
        """The overlay and the draft."""
        self.sets.setdefault(instance, {})[part] = value
        self.overlay(instance, part, value)

    def overlay(self, instance: Instance, part: int, value: Any) -> None:
        """The overlay alone, so that what follows sees it."""
        count = len(self._protocol.cursors[instance[0]].parts)
        known = list(self._positions.get(instance) or (0,) * count)
        known[part] = value
        self._positions[instance] = tuple(known)

    def stamps(self, stamps: Iterable[Stamp]) -> None:
        """Values that nothing checks (sync.md G-11)."""
        for stamp in stamps:
            self.move((stamp.cursor, stamp.key), stamp.part, stamp.value)

    def _first_counter(self, instance: Instance) -> int:
        parts = self._protocol.cursors[instance[0]].parts
        return next((n for n, part in enumerate(parts) if part.kind is PartKind.COUNTER), 0)

    def draft(self, expects: Mapping[Instance, Position], stands: Iterable[Row]) -> BatchDraft:
        """All that was gathered. What it sets must stand as it was read (sync.md 6.5)."""
        return BatchDraft(
            operations=tuple(self.operations),
            sets=self.sets,
            expects={**{it: self._situation.position(it) for it in self.sets}, **expects},
            stands=frozenset(stands),
            owes=tuple(owed.debt for owed in self.owed.values()),
        )


# ------------------------------------------------------------------------------------------ what is pushed


def build_pushed(
    situation: Situation, pieces: Sequence[Piece], rows: Mapping[Row, Any], fetched: Fetched
) -> Ready | Wants:
    """Phases one and two of a batch of containers (sync.md 6.1, 6.2)."""
    brings = frozenset[Row]().union(*(piece.origin.brings for piece in pieces))
    needs = Needs(situation.protocol, rows, brings, fetched)
    polls: list[int] = []
    owed: list[Owed] = []
    skipped: set[int] = set()
    while True:
        log = Lines()
        decision = decide(situation, pieces, log)
        found = [(update, needs.check(update)) for update in _updates(decision)]
        if any(absent is Absent.DISCARD for _, absent in found) and not needs.wants:
            log("A-9", "a batch is not written, since a row that it needs is not known", updates=found)
            return Ready(BatchDraft(), discard=True, log=tuple(log))
        skipped |= {id(update) for update, absent in found if absent is Absent.SKIP}
        blocked = {id(update) for update, absent in found if absent is Absent.POLL}
        if not blocked:
            break
        pieces = _without(situation, pieces, blocked, polls, owed)
    if needs.wants:
        return Wants(tuple(needs.wants))
    fold = Fold(situation, needs, log)
    _interpret(fold, decision, fetched, skipped)
    if fold.discard:
        return Ready(BatchDraft(), discard=True, log=tuple(log))
    for one in (*decision.owed, *owed):
        fold.owe(one)
    asked = tuple(dict.fromkeys((*decision.polls, *polls, *fold.polls)))
    held = tuple(it for it in decision.held if it.claim is None or it.claim.cursor not in asked)
    return Ready(
        fold.draft({}, needs.relied),
        held,
        asked,
        tuple(fold.resets),
        tuple(fold.owed.values()),
        tuple(fold.unhandled),
        log=tuple(log),
    )


def _updates(decision: Decision) -> list[Update]:
    """All that would be interpreted."""
    of_pieces = [update for piece in (*decision.late, *decision.applied) for update in piece.updates]
    return of_pieces + [it.keyed.update for it in decision.keyed if it.keyed.update is not None]


def _interpret(fold: Fold, decision: Decision, fetched: Fetched, skipped: set[int]) -> None:
    """Side data; keyed cursors; box-wide claims; containers; what has no claim (sync.md G-13, K-1)."""
    pieces = [*decision.late, *decision.applied]
    dates = [it.origin.date for it in pieces if it.container and it.claim is None and it.origin.date]
    fold.date = min(dates, default=0)
    fold.sides([it.piece.origin for it in decision.keyed])
    fold.sides([it.origin for it in pieces if it.updates or it.container or it.stamps])
    fold.fetched(fetched)

    def emit(update: Update | None, claim: Claim | None) -> None:
        if update is not None and id(update) not in skipped:
            fold.emit(update, None if claim is None else claim.end)

    for it in decision.keyed:
        emit(it.keyed.update, it.keyed.claim)
        _see(fold, decision, it.keyed.claim)
    for piece in pieces:
        for update in piece.updates:
            emit(update, piece.claim)
        if piece.claim is not None:
            _see(fold, decision, piece.claim)
            fold.stamps(piece.stamps)
        fold.acts(piece.acts)
    for instance, parts in decision.moves.items():
        for part, value in parts.items():
            fold.move(instance, part, value)


def _see(fold: Fold, decision: Decision, claim: Claim | None) -> None:
    """What is interpreted behind a claim sees its counter moved."""
    if claim is None or claim.part not in decision.moves.get(claim.instance, {}):
        return
    known = fold.position(*claim.instance)
    if known is None or known[claim.part] < claim.end:
        fold.overlay(claim.instance, claim.part, claim.end)


def _without(
    situation: Situation, pieces: Sequence[Piece], blocked: set[int], polls: list[int], owed: list[Owed]
) -> list[Piece]:
    """The batch without updates that cannot be applied yet: as if they had been lost on the way.

    A counter does not move past such a one, so its poll or its debt brings it again.
    """
    left: list[Piece] = []
    for piece in pieces:
        updates = tuple(update for update in piece.updates if id(update) not in blocked)
        if len(updates) < len(piece.updates):
            if piece.claim is not None:
                polls.append(piece.claim.cursor)
                continue
            polls += polled(situation.protocol)
        keyed = tuple(it for it in piece.keyed if it.update is None or id(it.update) not in blocked)
        for it in piece.keyed:
            if it not in keyed:
                top = None if it.claim is None else (it.claim.part, it.claim.end)
                debt = situation.debt(it.instance, None if it.claim is None else it.claim.end)
                owed.append(Owed(debt, top))
        left.append(replace(piece, updates=updates, keyed=keyed))
    return left


def polled(protocol: SyncProtocol) -> tuple[int, ...]:
    """The box-wide cursors that can be polled."""
    return tuple(
        spec.id for spec in protocol.cursors.values() if not spec.keyed and spec.difference is not None
    )
