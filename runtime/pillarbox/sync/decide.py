"""Which pieces of a batch take effect, which wait, and what has to be asked for.

Depends on: claims, links, pieces, protocol.  Never on: what updates do, the queue, clocks.

Law: a claim of positive count takes effect once and in order; a gap of one counter holds back nothing but
what claims that counter, and what travels with it (sync.md G-2, G-3, K-6, E-4). A claim that comes without
its effect moves nothing: it only shows that something is missing (E-1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from pillarbox.sync import links
from pillarbox.sync.claims import Claim, Instance, Plan, Position, Verdict, check, plan
from pillarbox.sync.cursor_parts import PartKind, Unknown
from pillarbox.sync.debt_rows import Author, Debt
from pillarbox.sync.pieces import Keyed, OnLog, Piece, is_told_once
from pillarbox.sync.protocol import SyncProtocol, Update

T = TypeVar("T")


class Owed(NamedTuple):
    """A debt, and the farthest that was seen of what is missing: (part, value), None where nobody said."""

    debt: Debt
    top: tuple[int, int] | None = None


class Applied(NamedTuple):
    """An update of a keyed cursor that takes effect, and with what it came."""

    keyed: Keyed
    piece: Piece


@dataclass(frozen=True, slots=True)
class Situation:
    """What the checks depend on besides the pieces."""

    protocol: SyncProtocol
    positions: Mapping[Instance, Position]
    now: int
    #: Of what is owed.
    author: Author
    #: None: pushed. Else the answer's cursor: then nothing is held (sync.md K-7).
    inside: int | None = None

    def position(self, instance: Instance) -> Position:
        """Where a cursor row stood when the batch was begun."""
        return self.positions.get(instance)

    def debt(self, instance: Instance, hint: int | None) -> Debt:
        """What is owed of an instance, and how it is cured (sync.md K-7)."""
        cure = ""
        if self.inside is not None and not self.protocol.cursors[self.inside].keyed:
            cure = self.protocol.cursors[instance[0]].inside or ""
        return Debt(instance[0], instance[1], hint, cure, self.author.run, self.author.number)


@dataclass(slots=True)
class Decision:
    """What becomes of a batch."""

    #: In the order to interpret them: own claims, claims of containers, then by date (sync.md G-13).
    applied: list[Piece] = field(default_factory=list)
    #: Old, and applied nevertheless (sync.md G-5).
    late: list[Piece] = field(default_factory=list)
    #: By instance, and in it by claim (sync.md K-1).
    keyed: list[Applied] = field(default_factory=list)
    moves: dict[Instance, dict[int, Any]] = field(default_factory=dict)
    held: list[Piece] = field(default_factory=list)
    #: Box-wide cursors to poll.
    polls: list[int] = field(default_factory=list)
    owed: list[Owed] = field(default_factory=list)
    #: Beyond a gap, and brought by nothing that is asked for it.
    lost: list[Piece] = field(default_factory=list)

    def poll(self, cursor: int) -> None:
        """Once each, in the order in which they were found."""
        if cursor not in self.polls:
            self.polls.append(cursor)


class Sorted(NamedTuple):
    """Claims of one instance, or of all box-wide cursors, decided."""

    apply: list[Any]
    old: list[Any]
    held: list[Any]
    #: Of an instance that is not known and is to be asked about.
    unknown: list[Any]
    moves: Mapping[Instance, Mapping[int, Any]]


def decide(situation: Situation, pieces: Sequence[Piece], log: OnLog) -> Decision:
    """Hold all pieces of a batch against where the cursors stand."""
    decision = Decision()
    _box_wide(situation, decision, pieces, log)
    _keyed(situation, decision, log)
    return decision


# -------------------------------------------------------------------------------------- box-wide cursors


def _box_wide(situation: Situation, decision: Decision, pieces: Sequence[Piece], log: OnLog) -> None:
    claimed = [(piece, piece.claim) for piece in pieces if piece.claim is not None]
    found = sort_out(situation, claimed, log, bare=lambda piece: piece.is_bare)
    applied: list[Piece] = found.apply
    decision.applied += [piece for piece in applied if not piece.container]
    decision.applied += [piece for piece in applied if piece.container]
    free = [piece for piece in pieces if piece.claim is None]
    decision.applied += sorted(free, key=lambda piece: piece.origin.date)
    decision.late += [piece for piece in found.old if not piece.container and _late(situation, piece.updates)]
    for instance, parts in found.moves.items():
        decision.moves[instance] = dict(parts)
    for piece in found.unknown:
        decision.poll(piece.claim.cursor)
    for piece in found.held:
        _hold(situation, decision, piece)
    decision.held = [piece for piece in decision.held if _cursor(piece) not in decision.polls]
    beyond = (piece for piece in (*found.unknown, *found.held) if is_told_once(piece))
    decision.lost += [piece for piece in beyond if _cursor(piece) in decision.polls]


def _hold(situation: Situation, decision: Decision, piece: Piece) -> None:
    """Beyond a gap: it waits until its deadline, which nothing moves (sync.md G-14, G-15, E-7)."""
    claim = piece.claim
    assert claim is not None
    if situation.inside is not None:
        if claim.cursor != situation.inside:
            decision.poll(claim.cursor)
        return
    hold_ms = situation.protocol.cursors[claim.cursor].parts[claim.part].hold_ms
    deadline = situation.now + hold_ms if piece.deadline is None else piece.deadline
    if deadline <= situation.now:
        decision.poll(claim.cursor)
    else:
        decision.held.append(replace(piece, deadline=deadline))


def _cursor(piece: Piece) -> int | None:
    return None if piece.claim is None else piece.claim.cursor


def _late(situation: Situation, updates: Iterable[Update | None]) -> bool:
    return any(type(update) in situation.protocol.updates.when_old for update in updates)


# ----------------------------------------------------------------------------------------- keyed cursors


def _keyed(situation: Situation, decision: Decision, log: OnLog) -> None:
    """All instances, one after the other: no one has a say in another (sync.md K-1, K-6)."""
    instances: dict[Instance, list[Applied]] = {}
    for piece in decision.applied:
        for keyed in piece.keyed:
            instances.setdefault(keyed.instance, []).append(Applied(keyed, piece))
    for instance in sorted(instances):
        items = instances[instance]
        known = situation.position(instance) is not None
        # Of an instance that is not known a step says nothing (G-19); what was done is done all the same.
        claimed = [
            (item, item.keyed.claim)
            for item in items
            if item.keyed.claim is not None and (known or item.keyed.update is not None)
        ]
        checked = {id(item) for item, _ in claimed}
        found = sort_out(situation, claimed, log, bare=_is_bare)
        decision.keyed += [item for item in found.old if _late(situation, (item.keyed.update,))]
        decision.keyed += found.apply
        decision.keyed += [item for item in items if id(item) not in checked]
        for moved, parts in found.moves.items():
            decision.moves[moved] = dict(parts)
        if found.unknown:
            decision.owed.append(Owed(situation.debt(instance, None), _span(found.unknown)[1]))
            decision.lost += _told_once(found.unknown)
        if found.held:
            _hold_keyed(situation, decision, instance, found.held)


def _hold_keyed(
    situation: Situation, decision: Decision, instance: Instance, items: Sequence[Applied]
) -> None:
    """A gap of one instance waits, if nothing that shows it has moved; else it is owed (E-13)."""
    deadlines: list[int] = []
    for keyed, piece in items:
        assert keyed.claim is not None
        hold_ms = situation.protocol.cursors[instance[0]].parts[keyed.claim.part].hold_ms
        waits = situation.inside is None and not piece.origin.claimed
        deadline = situation.now + hold_ms if piece.deadline is None else piece.deadline
        deadlines.append(deadline if waits else situation.now)
    if min(deadlines) <= situation.now:
        hint, top = _span(items)
        decision.owed.append(Owed(situation.debt(instance, hint), top))
        decision.lost += _told_once(items)
        return
    for (keyed, piece), deadline in zip(items, deadlines, strict=True):
        decision.held.append(Piece(piece.origin, keyed=(keyed,), deadline=deadline))


def _told_once(items: Sequence[Applied]) -> list[Piece]:
    return [piece for keyed, piece in items if is_told_once(Piece(piece.origin, keyed=(keyed,)))]


def _span(items: Sequence[Applied]) -> tuple[int | None, tuple[int, int] | None]:
    """The nearest end of their claims; and the farthest, if they are all of one part. Tokens have neither."""
    claims = [item.keyed.claim for item in items if item.keyed.claim]
    ends = [(claim.part, claim.far) for claim in claims if claim.far is not None]
    if len(ends) < len(claims):
        return None, None
    nearest = min(end for _, end in ends)
    return nearest, max(ends) if len({part for part, _ in ends}) == 1 else None


# ------------------------------------------------------------------------------------------- both kinds


def sort_out(
    situation: Situation, items: Sequence[tuple[T, Claim]], log: OnLog, *, bare: Callable[[T], bool]
) -> Sorted:
    """Decide on claims by the kinds of their parts, and of their cursors where nothing is known yet.

    `bare`: whether an item comes without what its claim counts.
    """
    counted: list[tuple[T, Claim]] = []
    linked: list[tuple[T, Claim]] = []
    steps: list[tuple[T, Claim]] = []
    apply: list[T] = []
    old: list[T] = []
    unknown: list[T] = []
    positions: dict[Instance, Position] = {}
    for item, claim in items:
        spec = situation.protocol.cursors[claim.cursor]
        part = spec.parts[claim.part]
        position = situation.position(claim.instance)
        positions[claim.instance] = position
        if part.zero_refused and claim.counts_nothing:
            log("G-7", "dropped a claim of no length, which this counter never has", claim=claim)
        elif position is None and spec.unknown is Unknown.DROP:
            log("K-3", "dropped an update of an instance that is not known", claim=claim)
        elif position is None and spec.unknown is Unknown.POLL:
            unknown.append(item)
        elif part.kind is PartKind.WATERMARK:
            (old if position is not None and claim.end <= position[claim.part] else apply).append(item)
        else:
            known = linked if part.kind is PartKind.TOKEN else counted
            (steps if bare(item) else known).append((item, claim))
    sound = [claim for _, claim in counted if 0 < claim.end >= claim.start]
    _adopt(situation, positions, [*sound, *(claim for _, claim in linked if claim.end)])
    found = plan(counted, positions)
    if linked:
        found = _both(found, links.follow(linked, positions))
    held = list(found.held)
    for item, claim in steps:
        verdict = _of_step(claim, found.moves, positions)
        if verdict is Verdict.GAP:
            held.append(item)
        elif verdict is Verdict.MALFORMED:
            log("G-7", "dropped a step with impossible counters", claim=claim)
    for item in found.malformed:
        log("G-7", "dropped an update with impossible counters", updates=_updates(item))
    return Sorted([*found.apply, *apply], [*found.old, *old], held, unknown, found.moves)


def _both(counters: Plan[T], tokens: Plan[T]) -> Plan[T]:
    """What was decided of counters, and of tokens behind them."""
    instances = dict.fromkeys((*counters.moves, *tokens.moves))
    moves = {it: {**counters.moves.get(it, {}), **tokens.moves.get(it, {})} for it in instances}
    return Plan(
        counters.apply + tokens.apply,
        moves,
        counters.old + tokens.old,
        counters.held + tokens.held,
        counters.malformed + tokens.malformed,
        counters.gaps + tokens.gaps,
    )


def _updates(item: object) -> tuple[Update, ...]:
    """What the server said, for who reads the log."""
    if isinstance(item, Applied):
        return (item.keyed.update,)
    return item.updates if isinstance(item, Piece) else (item,)


def _of_step(claim: Claim, moves: Mapping[Instance, Any], positions: Mapping[Instance, Position]) -> Verdict:
    """A step brings nothing, so what follows on what is here is missing (E-1). It comes behind all others.

    What it counts was written before it came, perhaps on older rows than stand now, or by nobody.
    """
    position = positions[claim.instance]
    here = moves.get(claim.instance, {}).get(claim.part, None if position is None else position[claim.part])
    verdict = check(here, claim) if claim.far is not None else links.check(here, claim)
    if verdict is not Verdict.APPLY:
        return verdict
    return Verdict.OLD if claim.counts_nothing else Verdict.GAP


def _is_bare(item: Applied) -> bool:
    return item.keyed.update is None and not item.keyed.did


def _adopt(situation: Situation, positions: dict[Instance, Position], claims: Sequence[Claim]) -> None:
    """An instance that is not known begins where its first claim begins."""
    for instance in [instance for instance, position in positions.items() if position is None]:
        zero = situation.protocol.cursors[instance[0]].zero
        own = [it for it in claims if it.instance == instance]
        positions[instance] = tuple(
            _begin([it for it in own if it.part == part], nothing) for part, nothing in enumerate(zero)
        )


def _begin(claims: Sequence[Claim], nothing: Any) -> Any:
    """Where the first of the claims of one part begins: of tokens one that is no other's end."""
    starts = [it.start for it in claims]
    if not starts:
        return nothing
    if claims[0].far is not None:
        return min(starts)
    ends = {it.end for it in claims}
    return next((start for start in starts if start not in ends), starts[0])
