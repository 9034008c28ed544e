"""What other runs owe, or an earlier schema does, made this run's.

Depends on: drafts, jobs.  Never on: rounds, clocks, transports, boxes.

Law: a row is this run's before it is asked about, so that one which others write anew meanwhile is another
one; it is made so once at a time, and by the master alone (sync.md K-14, P-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from pillarbox.sync.claims import Instance
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, Wrote, acts_owed
from pillarbox.sync.follow_ups import OWNER
from pillarbox.sync.jobs import Adopt, Core
from pillarbox.sync.protocol import ResetAsk
from pillarbox.sync.signals import CommitFailed, Facts


class Owner(Protocol):
    """Who asks about what is owed."""

    @property
    def is_master(self) -> bool:
        """Whether this process asks."""

    def owe(self, owed: Iterable[Owed]) -> None:
        """These rows stand, and are this run's."""

    def read(self) -> None:
        """See what stands."""


class Taking:
    """The rows that are being written as this run's."""

    def __init__(self, core: Core, owner: Owner) -> None:
        self._core = core
        self._owner = owner
        self._instances: set[Instance] = set()
        #: How often in a row they could not be written.
        self._tries = 0

    @property
    def works(self) -> bool:
        """Whether there are any."""
        return bool(self._instances)

    def __contains__(self, instance: Instance) -> bool:
        return instance in self._instances

    def known(self, debts: Sequence[Debt]) -> list[Debt]:
        """Without those that an earlier schema has left: of a cursor, or a recipe, of which nobody knows."""
        protocol = self._core.protocol
        known: list[Debt] = []
        strange: list[Debt] = []
        for debt in debts:
            spec = protocol.cursors.get(debt.cursor)
            is_known = spec is not None and (spec.keyed or protocol.cures(debt.cure, spec.id))
            if is_known:
                known.append(debt)
            elif debt.instance not in self._instances:
                strange.append(debt)
        if strange:
            self._replace(strange)
        return known

    def _replace(self, strange: Sequence[Debt]) -> None:
        """A recipe has no number: one that is not known may be called otherwise now. So what its cursor has
        of recipes is owed in its place; of a cursor that has none, or is no more, nothing is.
        """
        core, protocol = self._core, self._core.protocol
        of = {debt.cursor for debt in strange}
        names = [name for name, recipe in protocol.resets.items() if recipe.cursor in of]
        text = "given up, since this schema has no such cursor or recipe"
        core.flight.log("K-14", text, debts=strange, instead=names)
        owes = acts_owed(protocol, map(ResetAsk, names), core.flight.author())
        self._take_on(BatchDraft(owes=owes, pays=tuple(strange)), strange)

    def take_over(self, others: Sequence[Debt]) -> None:
        """Write them as this run's: so one that others write anew while it is asked about is another one."""
        if not others:
            return
        marker = self._core.flight.marker
        self._take_on(BatchDraft(takes=tuple(debt._replace(run=marker) for debt in others)), others)

    def _take_on(self, draft: BatchDraft, debts: Sequence[Debt]) -> None:
        """Write what makes these rows ones of this run. Who reads them till then does not see to them."""
        instances = {debt.instance for debt in debts}
        self._instances |= instances

        def over() -> None:
            self._instances -= instances
            self._owner.read()  # What was read meanwhile was taken for what is written now.

        def make() -> BatchDraft | None:
            if self._owner.is_master:
                return draft
            self._instances -= instances
            return None

        def done(outcome: Facts | CommitFailed) -> None:
            if isinstance(outcome, CommitFailed):
                # By then they may be another's, as the role may.
                self._tries += 1
                self._core.flight.rest(OWNER, self._tries, over)
                return
            self._tries = 0
            if isinstance(outcome.result, Wrote):
                self._owner.owe(Owed(debt) for debt in outcome.result.rows)
            over()

        self._core.queue.last(Adopt(self._core, make, done))
