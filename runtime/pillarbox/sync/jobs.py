"""What the jobs of the queue share, and the short ones: adopt, custom, flush.

Depends on: flight, queue, build, drafts, signals.  Never on: clocks, transports, boxes.

Law: a job that has ended leaves the queue in the same step, and every job ends (E-20).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from typing import Any, Final, Protocol

from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Instance
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, Reading
from pillarbox.sync.flight import Flight
from pillarbox.sync.pieces import Piece
from pillarbox.sync.protocol import Act, Answer, Backoff, CursorSpec, Request, SyncProtocol
from pillarbox.sync.queue import Kind, Queue
from pillarbox.sync.signals import CommitFailed, Draft, Facts, Refusal, Untaken

OWNER: Final = "queue"


class Beside(Protocol):
    """The side machines, as who is to write what pays for debts sees them."""

    @property
    def writes(self) -> bool:
        """Whether any has a commit on its way that may owe what nobody knows of yet."""

    def hold(self) -> None:
        """They begin no such commit until they are let go."""

    def let_go(self) -> None:
        """They hear of all that came meanwhile."""


class AtRest(Protocol):
    """The box-wide cursors that may not be asked about for a while, as jobs see them."""

    @property
    def untaken(self) -> Untaken | None:
        """What the store does not take, however often it comes."""

    def put(self, cursor: int, wait_ms: int, /) -> None:
        """Its poll has ended in vain, and there is none before that time."""

    def put_off(self, cursor: int, /) -> None:
        """What asks for its poll asks without end; unless somebody else waits for it."""

    def gave_up(self, cursor: int, wait_ms: int, /) -> None:
        """A recipe that its poll had asked for came to nothing, and is not asked for before that time."""

    def again(self, cursor: int, backoff: Backoff, /, *, is_lost: bool = False) -> None:
        """Nothing came of its poll that could be used: the same, later each time (section 12); where it
        `is_lost`, for want of a connection, until there is a new one at most.
        """

    def doubts(self, cursor: int, /) -> bool:
        """Nobody knows whether the server has what an answer needs: whether to ask anew for that (A-9)."""

    def told(self, cursor: int, /) -> None:
        """Whatever was tried in vain, the server has said something."""

    def refused(self, cursor: int, why: CommitFailed, /) -> None:
        """The store did not take what its poll brought: it rests as well, longer each time (A-11)."""

    def refused_recipe(self, cursor: int, why: CommitFailed, recipe: str, debt: Debt | None, /) -> None:
        """The same, of a recipe; of one that is owed, with the row that asks for it."""

    def took(self, cursor: int, recipe: str = "", /, *, but: Container[str] = ()) -> None:
        """What that brought is written, or nobody waits for it any more. `but`: recipes it asks for."""

    def keeps(self, flush: FlushJob, /) -> bool:
        """Whether there are any; then it has left the queue, and comes back behind the first of them."""


class Turning(Protocol):
    """Whose answers led nowhere of late, as those see it who have one more."""

    def goes_round(self, of: Instance, draft: BatchDraft) -> bool:
        """Whether an answer that asks for something, which is written, has led to where `of` was of late."""

    def at_once(self, of: Instance, readies: Sequence[Ready], *, leads_on: bool) -> list[Ready]:
        """What is to be asked for now of what the answers to one inquiry about `of` ask for; or the commit of
        a recipe of a box-wide cursor.
        """


class Core(Protocol):
    """The machine, as its jobs see it."""

    @property
    def protocol(self) -> SyncProtocol: ...
    @property
    def flight(self) -> Flight: ...
    @property
    def queue(self) -> Queue: ...
    @property
    def stopped(self) -> Refusal | None: ...
    @property
    def beside(self) -> Beside: ...
    @property
    def resting(self) -> AtRest: ...
    @property
    def circles(self) -> Turning: ...

    def collect(self, pieces: Sequence[Piece]) -> None:
        """Into the one collect of the queue."""

    def replace(self, cursors: Iterable[int]) -> None:
        """Poll these, instead of whatever polls wait (sync.md Q4)."""

    def poll_next(self, cursor: int, recipe: str) -> None:
        """Poll before anything else what was made anew by that; what waits for the cursor is checked against
        what that brings. After a while, where nothing else was done with it since the last time.
        """

    def publish(self, events: Sequence[object]) -> None:
        """They are durable."""

    def wrote(self, ready: Ready, pieces: Sequence[Piece] = ()) -> None:
        """Its draft, made of these, is durable: confirm what moved, see to what is owed."""

    def act(self, act: Act) -> None:
        """What a commit asked for."""

    def remake(self, debt: Debt) -> None:
        """A recipe of a box-wide cursor is owed."""

    def rest(self, debt: Debt, wait_ms: int) -> None:
        """Such a recipe was run in vain; it is owed as before, and not to be run for so long."""

    def ask(self, act: Act) -> None:
        """What a refusal asked for; nothing of it stands yet."""

    def owe(self, owed: Iterable[Owed]) -> None:
        """These debts stand in the box."""

    def owe_alone(self, debts: Iterable[Debt]) -> None:
        """Write these in a commit of their own: nothing else shows these gaps."""

    def found(self, debts: Sequence[Debt]) -> None:
        """These debts stood in the box when it was read (sync.md K-14)."""

    def asks(self, cursor: int) -> None:
        """The server has more about it, or may have, and will be asked."""

    def answered(self, cursor: int, answer: Answer | None = None) -> None:
        """The server did not refuse to say something about a cursor: the answer, if to its difference."""

    def polled(self, cursor: int, error: str | Refusal | None = None) -> None:
        """The final answer of a poll is written, or there will be none."""

    def settle(self, ticket: int, error: str | Refusal | Untaken | None = None, result: Any = None) -> None:
        """Once for each (E-18)."""


class Base:
    """A job that runs from its start on."""

    kind: Kind

    def __init__(self, core: Core) -> None:
        self.core = core
        self.started = False
        self.running = False

    def asks(self, _cursor: int) -> bool:
        """Whether it is to ask about that box-wide cursor, or has it asked about."""
        return False

    def start(self) -> None:
        """It is the head."""
        self.started = self.running = True
        self.begin()

    def begin(self) -> None:
        """What it does."""
        raise NotImplementedError

    def pause(self) -> None:
        """Never called while it runs."""

    def end(self) -> None:
        """It leaves the queue."""
        self.running = False
        self.core.queue.finish(self)


class Adopt(Base):
    """Commit a finished draft (sync.md K-12)."""

    kind = Kind.ADOPT

    def __init__(
        self, core: Core, make: Callable[[], Draft | None], done: Callable[[Facts | CommitFailed], None]
    ) -> None:
        super().__init__(core)
        self._make = make
        self._done = done

    def begin(self) -> None:
        """The draft is made only now, when nothing that is being written can owe more than it knows of.

        What is not being written yet comes behind it: who waited for that too might wait for ever.
        """
        if self.core.beside.writes:
            self.core.beside.hold()
            self.core.flight.behind(OWNER, Reading(), self.begin)
            return
        draft = self._make()
        if draft is None:
            self.end()
        else:
            self.core.flight.commit(OWNER, draft, self._wrote, self._wrote)
        self.core.beside.let_go()

    def _wrote(self, outcome: Facts | CommitFailed) -> None:
        self.end()
        if isinstance(outcome, Facts):
            self.core.publish(outcome.events)
        self._done(outcome)


class CustomJob(Base):
    """A draft of the caller's, while no cursor moves (sync.md Q11)."""

    kind = Kind.CUSTOM

    def __init__(self, core: Core, ticket: int, draft: Draft) -> None:
        super().__init__(core)
        self.ticket = ticket
        self._draft = draft

    def begin(self) -> None:
        """Commit it."""
        self.core.flight.commit(OWNER, self._draft, self._wrote, self._failed)

    def _wrote(self, facts: Facts) -> None:
        self.end()
        self.core.publish(facts.events)
        self.core.settle(self.ticket, None, facts.result)

    def _failed(self, why: CommitFailed) -> None:
        self.end()
        self.core.settle(self.ticket, "stale" if why.stale else "the commit failed; the log says why")


class FlushJob(Base):
    """Settle when all that the server sent before is applied, or will not be told any more (sync.md Q10)."""

    kind = Kind.FLUSH

    def __init__(self, core: Core, spec: CursorSpec | None) -> None:
        super().__init__(core)
        #: Where it begins the server is asked without effect: the answer comes behind what was sent before.
        self._spec = spec
        self.tickets: list[int] = []
        self._events: list[object] = []

    def take(self, events: Sequence[object]) -> None:
        """Something was published while it waits (sync.md Q9)."""
        self._events += events
        del self._events[: -self.core.flight.limits.flush_events_max]

    def begin(self) -> None:
        """Alone: a round trip. Else the others go first."""
        if len(self.core.queue.jobs) > 1:
            self.started = self.running = False
            self.core.queue.to_last(self)
        elif self._refused is not None:
            self._settle()
        elif self.core.resting.keeps(self):
            pass  # It comes back.
        elif self._spec is None or self._spec.first is None:
            self._settle()
        else:
            request = self._spec.first.request()
            then = partial(self._come, self._spec.id, request)
            self.core.flight.ask(OWNER, request, Backoff(), then, tries_max=1)

    def _come(self, cursor: int, request: Request, answer: Answer) -> None:
        """Errors of the round trip count as done, but for one after which nothing is asked any more."""
        refusal = self.core.flight.refusal(cursor, request, answer)
        if refusal is not None:
            self.core.polled(cursor, refusal)
        if len(self.core.queue.jobs) > 1:
            self.started = self.running = False
            self.core.queue.to_last(self)
        else:
            self._settle()

    def _settle(self) -> None:
        self.end()
        for ticket in self.tickets:
            self.core.settle(ticket, self._refused, tuple(self._events))

    @property
    def _refused(self) -> Refusal | Untaken | None:
        """Why it would wait for ever."""
        return self.core.stopped or self.core.resting.untaken
