"""The answer to a difference: taken apart, and made into a draft.

Depends on: build, fold, decide, needs, pieces, drafts, protocol.  Never on: the queue, jobs, clocks.

Law: what an answer covers is applied unchecked, and its new position is taken as it is (sync.md G-8, C-4,
D-1); what it does not cover is checked like a push, and nothing of it waits (K-7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pillarbox.sync.build import Ready, Wants
from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.decide import Decision, Owed, Situation, decide
from pillarbox.sync.drafts import Reading
from pillarbox.sync.fold import Fold, Lines
from pillarbox.sync.needs import ALONE, Before, Fetched, Needs
from pillarbox.sync.pieces import Keyed, OnLog, Origin, Piece, relation
from pillarbox.sync.protocol import (
    Absent,
    Answer,
    AnswerKind,
    Body,
    Difference,
    Row,
    SyncProtocol,
    Update,
)


@dataclass(frozen=True, slots=True)
class Taken:
    """An answer, as its rule reads it."""

    instance: Instance
    kind: AnswerKind
    set: Mapping[int, Any] = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    reset: str | None = None
    #: Whether to ask once more: a slice, or an answer that is not the last.
    again: bool = False
    answer: Answer = None


def take(difference: Difference, instance: Instance, answer: Answer, log: OnLog) -> Taken | None:
    """Read an answer; None, and a line of the log, where it is none to this question."""
    rule = difference.answers.get(type(answer))
    if rule is None:
        log("5", "an answer of a type that this question does not have", answer=answer)
        return None
    try:
        kind = rule.kind(answer)
        body = Body() if rule.body is None else rule.body(answer, instance[1])
        iter(body.updates)  # It may be anything, and is gone through later.
        values = {} if rule.set is None else rule.set(answer)
        again = kind is AnswerKind.SLICE or (rule.again is not None and rule.again(answer))
    except Exception as error:  # Whatever a server sends must not stop the engine.
        log("5", "an answer that cannot be read", answer=answer, error=repr(error))
        return None
    if kind is AnswerKind.TOO_LONG and rule.body is None and rule.reset is None:
        log("5", "too much is missing, and no recipe is there for it", answer=answer)
        return None
    return Taken(instance, kind, values, body, rule.reset, again, answer)


class Free(NamedTuple):
    """An update that is applied unchecked."""

    update: Update
    end: Any
    #: Which was checked all the same.
    claim: Claim | None = None


@dataclass(slots=True)
class Order:
    """The updates of an answer, in the order to interpret them (sync.md D-1, K-1)."""

    #: Up to the first that is about another instance.
    front: list[Free] = field(default_factory=list)
    #: About instances of keyed cursors that the answer does not cover.
    keyed: list[Keyed] = field(default_factory=list)
    back: list[Free] = field(default_factory=list)
    #: Box-wide claims that it does not cover.
    own: list[tuple[Update, Claim]] = field(default_factory=list)
    #: They ride behind the claims of the instance that was asked about.
    riders: list[Free] = field(default_factory=list)


def arrange(protocol: SyncProtocol, taken: Taken, log: OnLog) -> Order:
    """Which updates are covered, and which have to be checked."""
    order = Order()
    for update in taken.body.updates:
        try:
            claim, instance = relation(protocol, update)
        except Exception as error:
            log("U-1", "dropped an update that cannot be placed", update=update, error=repr(error))
            continue
        covered = claim is not None and (claim.cursor, claim.part) in taken.body.covered
        if claim is None and instance == taken.instance:
            order.riders.append(Free(update, None))
        elif instance is None or covered:
            (order.back if order.keyed else order.front).append(Free(update, _end(taken, claim)))
        elif protocol.cursors[instance[0]].keyed:
            order.keyed.append(Keyed(instance, update, claim))
        elif claim is not None:
            order.own.append((update, claim))
    return order


def _end(taken: Taken, claim: Claim | None) -> Any:
    """A covered claim ends where the answer does (sync.md G-8)."""
    if claim is None:
        return None
    if claim.instance == taken.instance and isinstance(value := taken.set.get(claim.part), type(claim.end)):
        return value
    return claim.end


def build_answer(
    situation: Situation,
    taken: Taken,
    rows: Mapping[Row, Any],
    fetched: Fetched,
    before: Before = ALONE,
) -> Ready | Wants:
    """Phases one and two of an answer. It is never discarded (sync.md A-9); who has time may ask anew."""
    log = Lines()
    body = taken.body
    needs = Needs(situation.protocol, rows, body.brings, fetched, before)
    needs.along(body.updates)
    order = arrange(situation.protocol, taken, log)
    origin = Origin(tuple(body.side), frozenset(body.brings), brought=body.brought)
    lost: list[Owed] = []
    keyed = tuple(it for it in order.keyed if _stands(situation, needs, it, lost))
    pieces = [Piece(origin, claim, (update,)) for update, claim in order.own]
    decision = decide(situation, [*pieces, Piece(origin, keyed=keyed)], log)
    fold = Fold(situation, needs, log)
    fold.sides([origin])
    checked = [(free, needs.check(free.update)) for free in _in_order(order, decision)]
    fold.fetched(needs.used())
    for (update, end, claim), absent in checked:
        if absent is None or absent is Absent.IGNORE:
            fold.emit(update, end)
        else:
            log("A-9", "left out of an answer, since a row that it needs is not known", update=update)
        fold.see(decision.moves, claim)
    if asks := needs.asks():
        return Wants(asks)
    fold.operations += body.tail
    fold.acts(body.acts)
    fold.asks(body.asks)
    if fold.unread != Reading():
        return Wants((), fold.unread)
    for instance, parts in (*decision.moves.items(), (taken.instance, taken.set)):
        for part, value in parts.items():
            fold.move(instance, part, value)
    for one in (*decision.owed, *lost):
        fold.owe(one)
    return Ready(
        fold.draft({taken.instance: situation.position(taken.instance)}, ()),
        polls=tuple(dict.fromkeys((*decision.polls, *fold.polls))),
        owed=tuple(fold.owed.values()),
        unhandled=tuple(fold.unhandled),
        doubts=needs.doubts,
        log=tuple(log),
        after=needs.after(),
    )


def _in_order(order: Order, decision: Decision) -> Iterator[Free]:
    """All that is interpreted of an answer (sync.md D-1)."""
    yield from order.front
    for keyed, _ in decision.keyed:
        if keyed.update is not None:
            yield Free(keyed.update, None if keyed.claim is None else keyed.claim.end, keyed.claim)
    yield from order.back
    for piece in (*decision.late, *decision.applied):
        for update in piece.updates:
            yield Free(update, None if piece.claim is None else piece.claim.end, piece.claim)
    yield from order.riders


def _stands(situation: Situation, needs: Needs, keyed: Keyed, lost: list[Owed]) -> bool:
    """Whether an update of an instance may be applied; if it is to be polled, its instance is owed."""
    if needs.check(keyed.update) is not Absent.POLL:
        return True
    claim = keyed.claim
    far = None if claim is None else claim.far
    top = None if claim is None or far is None else (claim.part, far)
    lost.append(Owed(situation.debt(keyed.instance, far), top))
    return False
