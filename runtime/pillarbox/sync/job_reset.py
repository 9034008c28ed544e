"""Making a box-wide cursor and its rows anew.

Depends on: jobs, recipe, drafts.  Never on: clocks, transports, boxes.

Law: the recipe's rows and its cursor become durable in one commit, and only while the cursor stands where
the recipe began; then it is polled (sync.md D-6, D-7).
"""

from __future__ import annotations

from pillarbox.storage import StoredKey
from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Position
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, Reading, ResetDraft, Snapshot, Wrote
from pillarbox.sync.jobs import OWNER, Base, Core
from pillarbox.sync.protocol import Answers
from pillarbox.sync.queue import Kind
from pillarbox.sync.recipe import Recipe
from pillarbox.sync.signals import Facts, Refusal, Refused


class ResetJob(Base):
    """One recipe of a box-wide cursor."""

    kind = Kind.RESET

    def __init__(
        self,
        core: Core,
        name: str,
        key: StoredKey = b"",
        carried: tuple[object, ...] = (),
        failures: int = 0,
    ) -> None:
        super().__init__(core)
        self.spec = core.protocol.resets[name]
        self._key = key
        self.carried = carried
        self._failures = failures
        self._expected: Position = None

    @property
    def cursor(self) -> int:
        """What it makes anew."""
        return self.spec.cursor

    def begin(self) -> None:
        """After a failure of the store only when it has had time."""
        if self._failures:
            self.core.flight.rest(OWNER, self._failures, self._read)
        else:
            self._read()

    def _read(self) -> None:
        instance = (self.spec.cursor, self._key)

        def loaded(snapshot: Snapshot) -> None:
            self._expected = snapshot.positions[instance]
            Recipe(self.core.flight, OWNER, self.spec, self._key, self._fetched)

        self.core.flight.load(OWNER, Reading(frozenset({instance})), loaded)

    def _fetched(self, answers: Answers | Refusal | Refused | None) -> None:
        if answers is None or isinstance(answers, Refusal | Refused):
            self.core.flight.log("D-7", "a recipe is given up", recipe=self.spec.name, answer=answers)
            self._over(answers if isinstance(answers, Refusal) else "the recipe was given up")
            return
        draft = ResetDraft(self.spec, self._key, answers, self._expected, self.core.flight.marker)
        self.core.flight.commit(OWNER, draft, self._done, self._failed)

    def _done(self, facts: Facts) -> None:
        """It is polled at once: the server went on between the requests."""
        self.end()
        wrote = facts.result if isinstance(facts.result, Wrote) else Wrote()
        instance = (self.cursor, self._key)
        # What the server may want to hear of.
        self.core.wrote(Ready(BatchDraft(sets={instance: wrote.sets}, expects={instance: self._expected})))
        self.core.publish((*self.carried, *facts.events, *wrote.unhandled))
        self.core.poll_next(self.cursor)
        self.core.owe(Owed(debt) for debt in wrote.owed)
        for act in wrote.acts:
            self.core.act(act)

    def _failed(self, stale: bool) -> None:
        if stale:
            self.end()
            self.core.publish(self.carried)
            self.core.replace((self.cursor,))
        else:
            self.end()
            again = ResetJob(self.core, self.spec.name, self._key, self.carried, self._failures + 1)
            self.core.queue.first(again)

    def _over(self, error: str | Refusal) -> None:
        self.end()
        self.core.publish(self.carried)
        self.core.polled(self.cursor, error)
