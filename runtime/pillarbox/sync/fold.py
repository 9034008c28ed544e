"""Interpreting updates one after the other, on an overlay of the cursors.

Depends on: decide, drafts, needs, pieces, protocol.  Never on: the queue, jobs, clocks.

Law: what is interpreted later sees what came before it, and nothing else changes (sync.md 6.2, A-1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Claim, Instance, Position
from pillarbox.sync.decide import Owed, Situation
from pillarbox.sync.drafts import BatchDraft, Reading, debt_of, lower, split
from pillarbox.sync.needs import Needs
from pillarbox.sync.pieces import Origin
from pillarbox.sync.protocol import (
    Act,
    Around,
    Asks,
    Body,
    Operation,
    Poll,
    Row,
    Stamp,
    Unhandled,
    Update,
)

#: A line of the log: rule, text, fields.
Line: TypeAlias = tuple[str, str, Mapping[str, Any]]


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
        self._unread: set[Instance] = set()
        self.date = 0
        self.discard = False
        self.operations: list[Operation] = []
        self.sets: dict[Instance, dict[int, Any]] = {}
        self.polls: list[int] = []
        self.owed: dict[Instance, Owed] = {}
        self.unhandled: list[Unhandled] = []

    @property
    def unread(self) -> Reading:
        """What was looked at though it was not read: all of this is worth nothing until it is."""
        return Reading(frozenset(self._unread), frozenset(self._needs.unread))

    def sides(self, origins: Iterable[Origin]) -> None:
        """What containers bring besides updates, once each (sync.md G-6, K-5)."""
        for origin in origins:
            if origin not in self._sided:
                self._sided.add(origin)
                self.operations += origin.side
                self.asks(origin.brought)

    def fetched(self, bodies: Sequence[Body]) -> None:
        """What was asked for comes before all that needs it (sync.md A-3)."""
        for body in bodies:
            self.operations += body.side
            self.asks(body.brought)
        for body in bodies:
            for update in body.updates:
                self.emit(update, None)
            self.operations += body.tail
            self.acts(body.acts)
            self.asks(body.asks)

    def emit(self, update: Update, end: Any) -> None:
        """One update; one that cannot be interpreted is told of, and in a push nothing is written."""
        try:
            entries = self._protocol.updates.emit(update, self._around(end))
        except Exception as error:  # A moved cursor without its data would be worse than any poll.
            self._log("A-9", "an update cannot be interpreted", update=update, error=repr(error))
            self.discard = self._situation.inside is None
            return
        operations, acts, unhandled = split(entries)
        self.operations += operations
        self.unhandled += unhandled
        self.acts(acts)

    def _around(self, end: Any) -> Around:
        return Around(self.date, self._situation.now, end, self._look, self._needs.row)

    def asks(self, asks: Asks | None) -> None:
        """What is asked for once it is seen where cursors and rows stand."""
        if asks is None:
            return
        try:
            acts = asks(self._around(None))
        except Exception as error:  # As of an update: what cannot be asked for would never be missed.
            self._log("A-9", "what something brought cannot be interpreted", error=repr(error))
            self.discard = self._situation.inside is None
            return
        self.acts(acts)

    def acts(self, acts: Iterable[Act]) -> None:
        """What was asked for besides operations."""
        for act in acts:
            if isinstance(act, Poll) and not isinstance(act.hint, int | None):
                act = act._replace(hint=None)  # What is no number of a counter says nothing of where it is.
            debt = debt_of(self._protocol, act, self._situation.author)
            if not isinstance(act, Poll):
                assert debt is not None, "every recipe is owed"
                self.owe(Owed(debt))
            elif self._reached((act.cursor, act.key), act.hint):
                continue
            elif debt is not None:
                part = self._protocol.cursors[act.cursor].counter
                top = None if act.hint is None or part is None else (part, act.hint)
                self.owe(Owed(self._situation.debt(debt.instance, act.hint), top))
            elif act.cursor not in self.polls:
                self.polls.append(act.cursor)

    def _reached(self, instance: Instance, hint: int | None) -> bool:
        """Whether all up to the hint is there already (sync.md K-3)."""
        part = self._protocol.cursors[instance[0]].counter
        if hint is None or part is None:
            return False
        known = self._look(*instance)
        return known is not None and bool(known[part] >= hint)

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

    def _look(self, cursor: int, key: StoredKey) -> Position:
        """The same, for what is interpreted; that it was not read is found out."""
        if (cursor, key) not in self._positions:
            self._unread.add((cursor, key))
        return self._positions.get((cursor, key))

    def move(self, instance: Instance, part: int, value: Any) -> None:
        """The overlay and the draft."""
        self.sets.setdefault(instance, {})[part] = value
        self.overlay(instance, part, value)

    def overlay(self, instance: Instance, part: int, value: Any) -> None:
        """The overlay alone, so that what follows sees it."""
        known = list(self._positions.get(instance) or self._protocol.cursors[instance[0]].zero)
        known[part] = value
        self._positions[instance] = tuple(known)

    def see(self, moves: Mapping[Instance, Mapping[int, Any]], claim: Claim | None) -> None:
        """What is interpreted behind a claim sees its counter moved."""
        if claim is None or claim.part not in moves.get(claim.instance, {}):
            return
        known = self.position(*claim.instance)
        here = None if known is None else known[claim.part]
        if here is None or (claim.start == here if claim.far is None else here < claim.end):
            self.overlay(claim.instance, claim.part, claim.end)

    def stamps(self, stamps: Iterable[Stamp]) -> None:
        """Values that nothing checks (sync.md G-11)."""
        for stamp in stamps:
            self.move((stamp.cursor, stamp.key), stamp.part, stamp.value)

    def draft(self, expects: Mapping[Instance, Position], stands: Iterable[Row]) -> BatchDraft:
        """All that was gathered. What it sets must stand as it was read (sync.md 6.5)."""
        return BatchDraft(
            operations=tuple(self.operations),
            sets=self.sets,
            expects={**{it: self._situation.position(it) for it in self.sets}, **expects},
            stands=frozenset(stands),
            lacks=frozenset(self._needs.lacked),
            owes=tuple(owed.debt for owed in self.owed.values()),
        )
