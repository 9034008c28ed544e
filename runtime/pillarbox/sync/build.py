"""A batch, or an answer, and what was read for it, made into a draft.

Depends on: decide, fold, needs, pieces, drafts, protocol.  Never on: the queue, jobs, clocks.

Law: the same batch, snapshot and answers give equal drafts, whatever came in which order (E-12); building
starts over when answers come, so nothing of it is ever kept half done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.decide import Decision, Owed, Situation, decide
from pillarbox.sync.drafts import BatchDraft, Reading
from pillarbox.sync.fold import Fold, Line, Lines
from pillarbox.sync.needs import ALONE, Before, Fetched, Needs
from pillarbox.sync.pieces import Origin, Piece, is_told_once
from pillarbox.sync.protocol import (
    Absent,
    Body,
    Request,
    Row,
    SyncProtocol,
    Unhandled,
    Update,
)


class Wants(NamedTuple):
    """It can go on only with the answers to these, and when this is read as well."""

    requests: tuple[Request, ...]
    what: Reading = Reading()


@dataclass(frozen=True, slots=True)
class Ready:
    """What to write, and what to do after that."""

    draft: BatchDraft
    held: tuple[Piece, ...] = ()
    #: Box-wide cursors to poll.
    polls: tuple[int, ...] = ()
    #: Debts that the draft writes.
    owed: tuple[Owed, ...] = ()
    unhandled: tuple[Unhandled, ...] = ()
    #: Nothing may be written (sync.md A-9).
    discard: bool = False
    #: Containers of which something was left out that no poll and no debt brings again.
    lacking: frozenset[Origin] = frozenset()
    #: Of an answer: something was left out though nobody knows whether the server has what it needs.
    doubts: bool = False
    log: tuple[Line, ...] = ()
    #: Of an answer: what is known to the next, where they are written as one.
    after: Before = ALONE

    def owes(self, instance: Instance) -> bool:
        """Whether its draft owes anything of it."""
        return any(one.debt.instance == instance for one in self.owed)

    def without(self, instance: Instance) -> Ready:
        """The same, where somebody sees to what its draft owes of it."""
        return replace(self, owed=tuple(one for one in self.owed if one.debt.instance != instance))


# ------------------------------------------------------------------------------------------ what is pushed


def build_pushed(
    situation: Situation, pieces: Sequence[Piece], rows: Mapping[Row, Any], fetched: Fetched
) -> Ready | Wants:
    """Phases one and two of a batch of containers (sync.md 6.1, 6.2)."""
    origins = {piece.origin for piece in pieces}
    brings: frozenset[Row] = frozenset().union(*(origin.brings for origin in origins))
    needs = Needs(situation.protocol, rows, brings, fetched)
    polls: list[int] = []
    owed: list[Owed] = []
    skipped: set[int] = set()
    lacking: set[Origin] = set()
    while True:
        log = Lines()
        decision = decide(situation, pieces, log)
        updates = _updates(decision)
        needs.along(updates)
        found = [(update, needs.check(update)) for update in updates]
        if any(absent is Absent.DISCARD for _, absent in found) and not needs.asks():
            log("A-9", "a batch is not written, since a row that it needs is not known", updates=found)
            return Ready(BatchDraft(), discard=True, log=tuple(log))
        skipped |= {id(update) for update, absent in found if absent is Absent.SKIP}
        blocked = {id(update) for update, absent in found if absent is Absent.POLL}
        if not blocked:
            break
        lacking.update(piece.origin for piece in pieces if _is_lost(piece, blocked))
        pieces = _without(situation, pieces, blocked, polls, owed)
    if asks := needs.asks():
        return Wants(asks)
    fold = Fold(situation, needs, log)
    _interpret(fold, decision, needs.used(), skipped)
    if fold.unread != Reading():
        return Wants((), fold.unread)
    if fold.discard:
        return Ready(BatchDraft(), discard=True, log=tuple(log))
    for one in (*decision.owed, *owed):
        fold.owe(one)
    asked = tuple(dict.fromkeys((*decision.polls, *polls, *fold.polls)))
    held = tuple(it for it in decision.held if it.claim is None or it.claim.cursor not in asked)
    left = (it for it in decision.held if it not in held and is_told_once(it))
    lacking.update(piece.origin for piece in (*decision.lost, *left))
    return Ready(
        fold.draft({}, needs.relied),
        held,
        asked,
        tuple(fold.owed.values()),
        tuple(fold.unhandled),
        lacking=frozenset(lacking),
        log=tuple(log),
    )


def _updates(decision: Decision) -> list[Update]:
    """All that would be interpreted."""
    of_pieces = [update for piece in (*decision.late, *decision.applied) for update in piece.updates]
    return of_pieces + [it.keyed.update for it in decision.keyed if it.keyed.update is not None]


def _interpret(fold: Fold, decision: Decision, fetched: Sequence[Body], skipped: set[int]) -> None:
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
        fold.operations += it.keyed.did
        fold.see(decision.moves, it.keyed.claim)
    for piece in pieces:
        for update in piece.updates:
            emit(update, piece.claim)
        fold.operations += piece.did
        if piece.claim is not None:
            fold.see(decision.moves, piece.claim)
            fold.stamps(piece.stamps)
        fold.acts(piece.acts)
        fold.asks(piece.asks)
    for instance, parts in decision.moves.items():
        for part, value in parts.items():
            fold.move(instance, part, value)


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
                far = None if it.claim is None else it.claim.far
                top = None if it.claim is None or far is None else (it.claim.part, far)
                owed.append(Owed(situation.debt(it.instance, far), top))
        left.append(replace(piece, updates=updates, keyed=keyed))
    return left


def _is_lost(piece: Piece, blocked: set[int]) -> bool:
    """Whether one of these is in it, and moves nothing that would be asked for."""
    places = [(update, piece.claim) for update in piece.updates]
    places += [(it.update, it.claim) for it in piece.keyed]
    return any(id(update) in blocked and (claim is None or claim.counts_nothing) for update, claim in places)


def polled(protocol: SyncProtocol) -> tuple[int, ...]:
    """The box-wide cursors that can be polled."""
    return tuple(
        spec.id for spec in protocol.cursors.values() if not spec.keyed and spec.difference is not None
    )
