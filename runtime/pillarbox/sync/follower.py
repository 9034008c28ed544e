"""Following one server: updates in, transactions out, gaps told.

Depends on: claims, optimiser, protocol, box.  Never on: a transport or a clock; the caller brings updates
and asks again. What needs more than that, such as rows that must stand first, is the engine's.

Law: the cursor and the effects it covers become durable in one commit, or neither does (sync.md E-1).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pillarbox.box import Box
from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Claim, Gap, Instance, Plan, Position, plan
from pillarbox.sync.optimiser import Merges, optimise
from pillarbox.sync.protocol import Act, Around, Poll, ResetAsk, Unhandled

Tx = TypeVar("Tx", bound=Any)
U = TypeVar("U")
Op = TypeVar("Op")

_log = logging.getLogger("pillarbox.sync")


@dataclass(frozen=True)
class UpdateProtocol(Generic[Tx, U, Op]):
    """The generated half: what an update claims and which operations it stands for."""

    claim: Callable[[U], Claim | None]
    #: Operations, and what it asks of the caller besides.
    emit: Callable[[U, Around], Sequence[Op | Act | Unhandled]]
    replay: Callable[[Tx, Sequence[Op]], None]
    #: The values of a cursor row's parts, or None when there is no such row.
    position: Callable[[Tx, int, StoredKey], Position]
    #: Set some parts of a cursor row: part number in schema order -> value.
    advance: Callable[[Tx, int, StoredKey, Mapping[int, int]], None]
    #: Which operations are merged before they are replayed; None: each is replayed as it is.
    merges: Merges | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call of `receive` did, as counts of updates."""

    applied: int
    old: int
    held: int
    malformed: int
    #: Ask the server for what is missing here; the held updates wait for it.
    gaps: tuple[Gap, ...]
    #: What the applied updates ask for besides, in order, and those that the schema says nothing of.
    asks: tuple[Act | Unhandled, ...] = ()


class Follower(Generic[Tx, U, Op]):
    """Applies updates to a box, each claimed one exactly once and in order.

    Updates beyond a gap are held in memory, at most `held_max` of them: they are repeated by the
    server when they are lost, since the cursor has not moved past the gap.
    """

    def __init__(
        self, box: Box[Tx, Any], protocol: UpdateProtocol[Tx, U, Op], *, held_max: int = 10_000
    ) -> None:
        if held_max < 1:
            raise UsageError(f"held_max is {held_max}; a follower must be able to hold at least one update")
        self._box = box
        self._protocol = protocol
        self._held_max = held_max
        self._held: tuple[U, ...] = ()

    @property
    def held(self) -> tuple[U, ...]:
        """The updates that wait for a gap to close."""
        return self._held

    def receive(self, updates: Iterable[U]) -> Outcome:
        """Apply what follows on the cursors, in one transaction; hold what lies beyond a gap.

        Raises what the transaction raises; then nothing was applied, no cursor moved, and the updates
        held before are still held. Threads and callbacks may call it.
        """
        mine: tuple[U, ...] = ()
        try:
            with self._box.transaction() as tx:
                mine, self._held = self._held, ()
                items = [(update, self._protocol.claim(update)) for update in (*mine, *updates)]
                outcome, asks = self._apply(tx, items)
        except BaseException:
            self._held = (*mine, *self._held)
            raise
        # Another thread, or a callback of this commit, may have received meanwhile.
        self._keep((*outcome.held, *self._held))
        for update in outcome.malformed:
            _log.warning("G-7: dropped an update with impossible counters: %r", update)
        return Outcome(
            applied=len(outcome.apply),
            old=len(outcome.old),
            held=len(self._held),
            malformed=len(outcome.malformed),
            gaps=outcome.gaps,
            asks=asks,
        )

    def drop_held(self) -> None:
        """Forget what is held: after the state was fetched as a whole."""
        self._held = ()

    def _apply(
        self, tx: Tx, items: Sequence[tuple[U, Claim | None]]
    ) -> tuple[Plan[U], tuple[Act | Unhandled, ...]]:
        protocol = self._protocol
        instances: set[Instance] = {claim.instance for _, claim in items if claim is not None}
        positions = {instance: protocol.position(tx, *instance) for instance in instances}
        outcome = plan(items, positions)
        operations: list[Op] = []
        asks: list[Act | Unhandled] = []
        for update in outcome.apply:
            claim = protocol.claim(update)
            end = None if claim is None else claim.end
            for one in protocol.emit(update, Around(end=end, position=partial(protocol.position, tx))):
                if isinstance(one, Poll | ResetAsk | Unhandled):
                    asks.append(one)
                else:
                    operations.append(one)
        if protocol.merges is not None:
            operations = list(optimise(operations, protocol.merges))
        protocol.replay(tx, operations)
        for (cursor, key), parts in outcome.moves.items():
            protocol.advance(tx, cursor, key, parts)
        return outcome, tuple(asks)

    def _keep(self, held: tuple[U, ...]) -> None:
        if len(held) > self._held_max:
            _log.warning(
                "dropped %d held updates beyond the limit of %d; the gap will bring them again",
                len(held) - self._held_max,
                self._held_max,
            )
        self._held = held[: self._held_max]
