"""What a container is made of: pieces that are checked, wait and drop as one.

Depends on: claims, protocol.  Never on: positions, the queue, clocks.

Law: an update with a counter of its own waits and drops alone; all others of a container share the fate of
the container's claim, but for those of keyed cursors that travel alone (sync.md U-1, U-4, U-6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.cursor_parts import PartKind
from pillarbox.sync.protocol import (
    Act,
    Asks,
    Container,
    Opened,
    Operation,
    Poll,
    Row,
    Stamp,
    SyncProtocol,
    Update,
)

#: Called with a rule, a text and the fields of a log line.
OnLog: TypeAlias = Callable[..., None]


@dataclass(frozen=True, eq=False)
class Origin:
    """The container that a piece came in: equal only to itself."""

    side: tuple[Operation, ...] = ()
    brings: frozenset[Row] = frozenset()
    date: int = 0
    #: Whether it has a claim, and so shows when it is lost.
    claimed: bool = False
    brought: Asks | None = None


class Keyed(NamedTuple):
    """Something that is sorted with the claims of one instance of a keyed cursor."""

    instance: Instance
    #: None: a step, which only moves.
    update: Update | None
    #: None: it rides behind the claims, unchecked (sync.md K-4).
    claim: Claim | None
    #: What the program did itself, of which the claim counts the effect.
    did: tuple[Operation, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """Updates under one claim, or under none. Equal only to itself."""

    origin: Origin
    #: Of a box-wide cursor; None: it always applies.
    claim: Claim | None = None
    updates: tuple[Update, ...] = ()
    keyed: tuple[Keyed, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    acts: tuple[Act, ...] = ()
    asks: Asks | None = None
    #: Whether it stands for a container, and not for one update of it.
    container: bool = False
    #: Until when a gap before it may wait; None: it has not been checked yet (sync.md G-15).
    deadline: int | None = None
    #: What the program did itself, of which the claim counts the effect.
    did: tuple[Operation, ...] = ()

    @property
    def is_bare(self) -> bool:
        """Whether it is a step, which says that something was counted, and not what (sync.md G-19)."""
        return not (self.updates or self.keyed or self.container or self.did)


def is_told_once(piece: Piece) -> bool:
    """Whether some of it claims no length of a counter, so that no answer to a question brings that."""
    claims = [it.claim for it in piece.keyed if it.update is not None or it.did]
    if not piece.is_bare:
        claims.append(piece.claim)
    return any(claim is not None and claim.counts_nothing for claim in claims)


def take_apart(
    protocol: SyncProtocol, container: Container, log: OnLog, did: tuple[Operation, ...] = ()
) -> tuple[Piece, ...]:
    """The pieces of one container; its own, the last, is there even when it is empty.

    `did`: the effect of what it answers, which the first of its steps counts. What cannot be read is logged
    and dropped.
    """
    try:
        opened = protocol.open(container)
        if not isinstance(opened, Opened):
            raise TypeError("it is no container of the schema")
        updates = tuple(opened.updates)
        for claim in (*opened.steps, *(() if opened.claim is None else (opened.claim,))):
            refuse_unsound(protocol, claim)
        if not isinstance(opened.date, int):
            raise TypeError(f"its date is {opened.date!r}")
    except Exception as error:  # Whatever a server sends must not stop the engine.
        log("U-1", "dropped a container that cannot be opened", container=container, error=repr(error))
        return ()
    claimed = opened.claim is not None
    origin = Origin(tuple(opened.side), frozenset(opened.brings), opened.date, claimed, opened.brought)
    own: list[Piece] = []
    rest: list[Update] = []
    keyed: list[Keyed] = []
    alone: list[Keyed] = []
    for update in updates:
        try:
            claim, instance = relation(protocol, update)
        except Exception as error:
            log("U-1", "dropped an update that cannot be placed", update=update, error=repr(error))
            continue
        if instance is None:
            rest.append(update)
        elif not protocol.cursors[instance[0]].keyed:
            own.append(Piece(origin, claim, (update,)))
        elif travels(protocol, instance, opened.claim):
            keyed.append(Keyed(instance, update, claim))
        else:
            alone.append(Keyed(instance, update, claim))
    for step in opened.steps:
        if protocol.cursors[step.cursor].keyed:
            alone.append(Keyed(step.instance, None, step, did))
        else:
            own.append(Piece(origin, step, did=did))
        did = ()
    if did:  # No counter of this client counts it.
        own.append(Piece(origin, did=did))
    if alone:
        own.append(Piece(origin, keyed=tuple(alone)))
    return (*own, _container_piece(origin, opened, rest, keyed))


def _container_piece(origin: Origin, opened: Opened, rest: list[Update], keyed: list[Keyed]) -> Piece:
    return Piece(
        origin,
        opened.claim,
        tuple(rest),
        tuple(keyed),
        tuple(opened.stamps),
        tuple(opened.acts),
        opened.asks,
        container=True,
    )


def relation(protocol: SyncProtocol, update: Update) -> tuple[Claim | None, Instance | None]:
    """The claim of an update and the cursor row that it is sorted with, which may be without a claim.

    Raises KeyError for a cursor that is not of this schema, TypeError for what is no number of a counter.
    """
    claim = protocol.updates.claim(update)
    instance = protocol.updates.beside(update) if claim is None else claim.instance
    if instance is not None and claim is None and not protocol.cursors[instance[0]].keyed:
        instance = None  # Beside a box-wide cursor there is nothing to wait for.
    if claim is not None:
        refuse_unsound(protocol, claim)
    return claim, instance


def refuse_unsound(protocol: SyncProtocol, claim: Claim) -> None:
    """Claims are sorted and compared. Raises TypeError for one that an adapter made of something else."""
    is_token = protocol.cursors[claim.cursor].parts[claim.part].kind is PartKind.TOKEN
    kind: type[Any] = str if is_token else int
    if not (isinstance(claim.start, kind) and isinstance(claim.end, kind)):
        what = "token" if is_token else "number of a counter"
        wrong = claim.start if isinstance(claim.end, kind) else claim.end
        raise TypeError(f"{wrong!r} is no {what}")


def travels(protocol: SyncProtocol, instance: Instance, container: Claim | None) -> bool:
    """Whether what belongs to a keyed cursor shares the fate of its container's claim (sync.md U-4)."""
    if container is None:
        return True
    return protocol.cursors[instance[0]].travels == (container.cursor, container.part)


def polling(cursors: Iterable[int]) -> Piece:
    """A group that only asks for polls (sync.md U-11)."""
    return Piece(Origin(), acts=tuple(Poll(cursor) for cursor in cursors))
