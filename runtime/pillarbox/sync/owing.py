"""Debts that no other commit writes, because what shows them was dropped or refused.

Depends on: jobs, drafts, decide.  Never on: clocks, transports, boxes.

Law: each is written, however long the store fails, by one commit at a time; what comes meanwhile waits for
the next one, of an instance once (sync.md K-13, E-13).
"""

from __future__ import annotations

from collections.abc import Iterable

from pillarbox.sync.claims import Instance
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, lower
from pillarbox.sync.jobs import OWNER, Adopt, Core
from pillarbox.sync.signals import CommitFailed, Facts


class Owing:
    """All that is to be written down so."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._debts: dict[Instance, Debt] = {}
        #: Those that are being written.
        self._writing: tuple[Debt, ...] = ()
        self._is_busy = False
        self._tries = 0

    def add(self, debts: Iterable[Debt]) -> None:
        """These; of two about one instance the lower hint counts."""
        protocol = self._core.protocol
        if protocol.debts is None:
            return
        for debt in debts:
            if debt.cure or protocol.cursors[debt.cursor].difference is not None:
                self._debts[debt.instance] = lower(self._debts.get(debt.instance), debt)
        if not self._is_busy:
            self._begin()

    def _begin(self) -> None:
        self._is_busy = bool(self._debts)
        if self._is_busy:
            self._core.queue.last(Adopt(self._core, self._draft, self._written))

    def _draft(self) -> BatchDraft:
        self._writing, self._debts = tuple(self._debts.values()), {}
        return BatchDraft(owes=self._writing)

    def _written(self, outcome: Facts | CommitFailed) -> None:
        written, self._writing = self._writing, ()
        if isinstance(outcome, Facts):
            self._tries = 0
            self._core.owe(Owed(debt) for debt in written)
            self._begin()
            return
        for debt in written:  # Older than what came meanwhile.
            later = self._debts.get(debt.instance)
            self._debts[debt.instance] = debt if later is None else lower(debt, later)
        self._tries += 1
        self._core.flight.rest(OWNER, self._tries, self._begin)
