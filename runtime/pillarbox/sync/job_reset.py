"""Making a box-wide cursor and its rows anew.

Depends on: jobs, recipe, drafts.  Never on: clocks, transports, boxes.

Law: the recipe's rows and its cursor become durable in one commit, and only while the cursor stands where
the recipe began; then it is polled (sync.md D-6, D-7). That commit pays for what asked for the recipe before
it began; what has asked for it since is owed, and found by that poll (E-13).
"""

from __future__ import annotations

from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Position
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, Reading, ResetDraft, Snapshot, Wrote
from pillarbox.sync.jobs import OWNER, Base, Core
from pillarbox.sync.protocol import Answers, Poll
from pillarbox.sync.queue import Kind
from pillarbox.sync.recipe import Recipe
from pillarbox.sync.signals import CommitFailed, Facts, Refusal, Refused


class ResetJob(Base):
    """One recipe of a box-wide cursor. One that `is_owed` is run only while its debt stands."""

    kind = Kind.RESET

    def __init__(
        self,
        core: Core,
        name: str,
        *,
        is_owed: bool = False,
    ) -> None:
        super().__init__(core)
        self.spec = core.protocol.resets[name]
        self.is_owed = is_owed
        self._instance = (self.spec.cursor, b"")
        self._expected: Position = None
        #: The row that asks for it, as it stood when it began.
        self._debt: Debt | None = None
        self._recipe: Recipe | None = None

    @property
    def cursor(self) -> int:
        """What it makes anew."""
        return self.spec.cursor

    def asks(self, cursor: int) -> bool:
        """It is followed by a poll."""
        return cursor == self.cursor

    def begin(self) -> None:
        """What asks for it may be paid for by now."""
        self.core.flight.load(OWNER, Reading(frozenset({self._instance}), debts=True), self._loaded)

    def _loaded(self, snapshot: Snapshot) -> None:
        self._expected = snapshot.positions[self._instance]
        asked = (self.cursor, self.spec.name.encode())
        self._debt = next((debt for debt in snapshot.debts if debt.instance == asked), None)
        if self.is_owed and self._debt is None:
            self._over(None)  # Another process has run it.
        else:
            self._recipe = Recipe(self.core.flight, OWNER, self.spec, b"", self._fetched)

    def _fetched(self, answers: Answers | Refusal | Refused | None) -> None:
        if answers is None or isinstance(answers, Refusal | Refused):
            self.core.flight.log("D-7", "a recipe is given up", recipe=self.spec.name, answer=answers)
            self._over(answers if isinstance(answers, Refusal) else "the recipe was given up")
            wait_ms = 0 if self._recipe is None else self._recipe.wait_ms
            if isinstance(answers, Refusal):
                return
            if self._debt is not None:
                self.core.rest(self._debt, wait_ms)
            else:  # No row says that it is still to be run, but the server will.
                self.core.resting.gave_up(self.cursor, wait_ms)
            return
        pays = () if self._debt is None else (self._debt,)
        draft = ResetDraft(self.spec, b"", answers, self._expected, self.core.flight.author(), pays)
        self.core.flight.commit(OWNER, draft, self._done, self._failed)

    def _done(self, facts: Facts) -> None:
        """It is polled at once: the server went on between the requests."""
        self.end()
        self.core.resting.took(self.cursor, self.spec.name)
        wrote = facts.result if isinstance(facts.result, Wrote) else Wrote()
        # What the server may want to hear of.
        moved = BatchDraft(sets={self._instance: wrote.sets}, expects={self._instance: self._expected})
        itself = (self.cursor, self.spec.name.encode())
        owed = tuple(Owed(debt) for debt in wrote.owed if debt.instance != itself)
        polls = tuple(act.cursor for act in wrote.acts if isinstance(act, Poll))
        ready = Ready(moved, polls=polls, owed=owed)
        (asks,) = self.core.circles.at_once(itself, (ready,), leads_on=False)
        self.core.publish((*facts.events, *wrote.unhandled))
        self.core.poll_next(self.cursor, self.spec.name)
        self.core.wrote(asks)
        for debt in wrote.owed:
            if debt.instance == itself:  # Run at once, one that always asks for itself would be without end.
                self.core.rest(debt, 0)
        self.core.replace(asks.polls)

    def _failed(self, why: CommitFailed) -> None:
        """Nothing was written (sync.md D-3); of some answers nothing ever is, however often they come."""
        self.end()
        if why.stale:
            self.core.resting.took(self.cursor, self.spec.name)
            self.core.replace((self.cursor,))
        else:
            debt = self._debt if self.is_owed else None
            self.core.resting.refused_recipe(self.cursor, why, self.spec.name, debt)

    def _over(self, error: str | Refusal | None) -> None:
        self.end()
        self.core.resting.took(self.cursor, self.spec.name)
        self.core.polled(self.cursor, error)
