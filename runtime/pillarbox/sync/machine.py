"""The engine: inputs in, outputs out.

Depends on: all of sync but the store, the driver and the transport.  Never on: clocks, randomness, I/O.

Law: the same machine and the same inputs give the same outputs (E-11); a cursor and what it covers become
durable in one commit or not at all (E-1), and events are told after it, once and in order (E-9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from pillarbox.sync.behind import Behind
from pillarbox.sync.build import Ready, polled
from pillarbox.sync.circles import Circles
from pillarbox.sync.confirm import Confirms
from pillarbox.sync.debt_rows import Author, Debt
from pillarbox.sync.debts import Debts
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import acts_owed, debt_of
from pillarbox.sync.endless import OWNER as ENDLESS
from pillarbox.sync.endless import Endless
from pillarbox.sync.flight import Flight
from pillarbox.sync.idle import Idle
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.job_process import Collect, give_up
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.jobs import CustomJob
from pillarbox.sync.limits import Limits
from pillarbox.sync.open_polls import OpenPolls
from pillarbox.sync.owing import Owing
from pillarbox.sync.pieces import Piece, polling, take_apart
from pillarbox.sync.protocol import Act, Answer, Container, Operation, Poll, SyncProtocol
from pillarbox.sync.queue import Queue
from pillarbox.sync.resting import Resting
from pillarbox.sync.sides import Sides
from pillarbox.sync.signals import (
    NOBODY,
    Answered,
    Asked,
    CommitFailed,
    Committed,
    Custom,
    Failed,
    Flush,
    Input,
    Loaded,
    Look,
    Output,
    Poke,
    Publish,
    Received,
    Refusal,
    Resync,
    RoleChanged,
    SessionChanged,
    Settled,
    Started,
    Stopped,
    Ticked,
    Untaken,
    Woken,
)
from pillarbox.sync.unwritten import Unwritten

_Handler: TypeAlias = "Callable[[Machine, Any], None]"


class Machine:
    """One box followed through one protocol.

    `step` takes one input at a time, the first a Started, with a `now` that never goes back. What it gives
    is carried out in order; commits and reads one at a time.
    """

    def __init__(self, protocol: SyncProtocol, limits: Limits | None = None) -> None:
        self.protocol = protocol
        self.flight = Flight(protocol, limits or Limits())
        self.queue = Queue()
        self.resting = Resting(self)
        self._debts = Debts(self)
        self.circles = Circles(self, self._debts.put_off)
        self._owing = Owing(self)
        self._open_polls = OpenPolls(self)
        self._idle = Idle(self)
        self._endless = Endless(self)
        self._confirms = Confirms(self.flight)
        self._sides = Sides(self.flight, self)
        self._unwritten = Unwritten(self, self._sides.taken)
        self._behind = Behind()
        self._resyncs: list[int] = []
        self._tickets: set[int] = set()
        self._over = False

    # --------------------------------------------------------------------------------------- what it is like

    @property
    def updating(self) -> bool:
        """Whether the server has more, as far as is known, and may tell it (sync.md D-4)."""
        return self._behind.may_be_told or self._debts.busy

    @property
    def stopped(self) -> Refusal | None:
        """Why a box-wide cursor does not move, until an answer about it is no such refusal (sync.md Q6)."""
        return self._behind.refusal

    @property
    def untaken(self) -> Untaken | None:
        """What the store does not take, however often it comes (sync.md A-11)."""
        return self.resting.untaken or self._debts.untaken

    @property
    def beside(self) -> Sides:
        """The side machines."""
        return self._sides

    @property
    def held(self) -> int:
        """How many pieces of containers wait."""
        return sum(len(job.pieces) for job in self.queue.jobs if isinstance(job, Collect))

    @property
    def is_resting(self) -> bool:
        """Whether nothing is left to do but what timers, callers or the server bring, and no poll."""
        return not (self.queue.jobs or self.resting.works or self.flight.works(ENDLESS) or self._sides.works)

    @property
    def views(self) -> Mapping[str, Any]:
        """Side machine -> the key of the view that its pokes are about."""
        return self._sides.views

    # --------------------------------------------------------------------------------------------- a step

    def step(self, given: Input) -> tuple[Output, ...]:
        """What follows on an input."""
        if self._over:
            return ()
        self.flight.now = max(self.flight.now, given.now)
        _HANDLERS[type(given)](self, given)
        if not self._over:
            self.queue.pump()
            # Neither an ill store nor others who were first say anything of what was dropped.
            self._unwritten.look(is_ill=isinstance(given, CommitFailed) and (given.ill or given.stale))
            self._settle_resyncs()
        return self.flight.take()

    def _started(self, given: Started) -> None:
        self.flight.marker = given.marker
        self._sides.all(given)
        self._role(given.master)
        cursors = polled(self.protocol)
        self.replace(cursors)
        if not cursors:
            self._debts.read()

    def _received(self, given: Received) -> None:
        self._take(given.container, given.did)

    def _session_changed(self, given: SessionChanged) -> None:
        self._idle.heard()
        self.flight.sessions += 1
        self.resting.session()
        self._debts.session()
        self._open_polls.session()
        self.collect((polling(polled(self.protocol)),))
        self._debts.read()
        self._sides.all(given)

    def _came(self, given: Answered | Failed | Ticked | Loaded | Committed | CommitFailed) -> None:
        if not self._sides.own(given.id.owner, given):
            self.flight.come(given)

    def _role_changed(self, given: RoleChanged) -> None:
        self._role(given.master)
        self._sides.all(given)
        if given.master:
            self._debts.read()
            for cursor in self._endless.cursors:
                self.polled(cursor, self._behind.why(cursor))

    def _role(self, master: bool) -> None:
        self._debts.role(master)
        self._idle.role(master)
        self._open_polls.role(master)
        self._endless.role(master)

    def _was_woken(self, given: Woken) -> None:
        self._sides.all(given)
        self._debts.read()

    def _poked(self, given: Poke) -> None:
        self._sides.own(given.owner, given)

    def _stopped(self, given: Stopped) -> None:
        self._sides.all(given)
        for ticket in sorted(self._tickets):
            self.settle(ticket, "stopped")
        self.flight.stop()
        self._over = True

    # -------------------------------------------------------------------------------------- what is asked

    def _asked(self, given: Asked) -> None:
        what = given.what
        if given.ticket != NOBODY:
            self._tickets.add(given.ticket)
        if isinstance(what, Look):
            self._open_polls.look((what.cursor, what.key), what.open)
            self.settle(given.ticket)
        elif isinstance(what, Resync):
            if given.ticket != NOBODY:
                self._resyncs.append(given.ticket)
            self.replace(polled(self.protocol))
        elif len(self._tickets) > self.flight.limits.queue_max:
            self.settle(given.ticket, "too many are waiting")
        elif isinstance(what, Flush):
            self.resting.join(given.ticket)
        elif isinstance(what, Custom):
            self.queue.last(CustomJob(self, given.ticket, what.draft))

    def _settle_resyncs(self) -> None:
        if self._resyncs and not self._behind.is_asked:
            tickets, self._resyncs = self._resyncs, []
            for ticket in tickets:
                self.settle(ticket, self._behind.errors)

    def settle(self, ticket: int, error: str | Refusal | Untaken | None = None, result: Any = None) -> None:
        """Once for each (E-18)."""
        if ticket in self._tickets:
            self._tickets.remove(ticket)
            self.flight.put(Settled(ticket, error, result))

    # ------------------------------------------------------------------------------- what is to be applied

    def receive(self, container: Container, did: tuple[Operation, ...] = ()) -> object:
        """The answer to a request of a side machine, as if it was pushed."""
        return self._unwritten.add(self._take(container, did))

    def _take(self, container: Container, did: tuple[Operation, ...]) -> tuple[Piece, ...]:
        self._idle.heard()
        if pieces := take_apart(self.protocol, container, self.flight.log, did):
            self.collect(pieces)
        return pieces

    def collect(self, pieces: Sequence[Piece]) -> None:
        """Into the one collect of the queue (sync.md Q3).

        One alone, wherever it stands: what closes a gap must meet what waits for it.
        """
        collect = next((job for job in self.queue.jobs if isinstance(job, Collect)), None)
        dropped = (*(() if collect is None else collect.pieces), *pieces)
        # One container of any size is worked on; what waits has a limit.
        waits = collect is not None or any(piece.deadline is not None for piece in pieces)
        if waits and len(dropped) > self.flight.limits.held_max:
            self.flight.log("G-16", "too much waits: it is dropped and asked for", pieces=len(dropped))
            if collect is not None:
                collect.pause()
                self.queue.jobs.remove(collect)
            give_up(self, dropped)
        elif collect is None:
            self.queue.last(Collect(self, pieces))
        else:
            collect.add(pieces)

    # --------------------------------------------------------------------------------- what is to be asked

    def replace(self, cursors: Iterable[int]) -> None:
        """Poll these box-wide cursors. What waits for them is dropped: answers bring it (sync.md Q4)."""
        chosen = dict.fromkeys(cursors)
        if not chosen:
            return
        polls = [job for job in self.queue.waiting(PollJob) if job.cursor not in chosen]
        for cursor in chosen:
            if not self.resting.forbids(cursor):
                polls.append(PollJob(self, cursor))
            self.asks(cursor)
        self.queue.sort(polls)
        for job in list(self.queue.jobs):
            if isinstance(job, Collect):
                job.pieces = [it for it in job.pieces if it.claim is None or it.claim.cursor not in chosen]
                if not job.pieces:
                    self.queue.jobs.remove(job)

    def poll_next(self, cursor: int, recipe: str) -> None:
        """Poll before anything else; what waits for the cursor is checked against what that brings."""
        self.asks(cursor)
        if not self.resting.forbids(cursor):
            self.resting.poll(cursor, recipe)

    def ask(self, act: Act) -> None:
        """What a refusal asked for; nothing of it stands yet."""
        debt = debt_of(self.protocol, act, self.flight.author())
        if debt is None:
            self.act(act)
        elif self.protocol.cursors[debt.cursor].keyed:
            self._owing.add((debt,))
        else:  # Who was refused stands where it stood: it would be refused again.
            self._run(debt, is_owed=False)

    def author(self) -> Author:
        """Of one more draft."""
        return self.flight.author()

    def act(self, act: Act) -> None:
        """What a commit asked for; the debts that it speaks of stand already."""
        if isinstance(act, Poll) and not self.protocol.cursors[act.cursor].keyed:
            self.replace((act.cursor,))
        else:
            self.owe(Owed(debt) for debt in acts_owed(self.protocol, (act,), self.flight.author()))

    def remake(self, debt: Debt) -> None:
        """A recipe of a box-wide cursor is owed; one that is refused for good waits for the next poll."""
        rests = self.resting.holds(debt.cursor, debt.cure)
        if not rests and not isinstance(self._behind.why(debt.cursor), Refusal):
            self._run(debt, is_owed=self.protocol.debts is not None)

    def _run(self, debt: Debt, *, is_owed: bool) -> None:
        """One that runs is followed by a poll, which finds what was asked for meanwhile."""
        if not any(job.spec.name == debt.cure for job in self.queue.jobs if isinstance(job, ResetJob)):
            self.asks(debt.cursor)
            self.queue.first(ResetJob(self, debt.cure, is_owed=is_owed))

    def rest(self, debt: Debt, wait_ms: int) -> None:
        """Such a recipe was run in vain; it is owed as before."""
        self._debts.rest(debt, wait_ms)

    def asks(self, cursor: int) -> None:
        """The server has more, or may have."""
        self._behind.ask(cursor)
        self._endless.stop(cursor)

    def answered(self, cursor: int, answer: Answer | None = None) -> None:
        """The server says something about it, whatever it is."""
        self._behind.answered(cursor)
        if answer is not None:
            self._idle.told(cursor, answer)

    def polled(self, cursor: int, error: str | Refusal | None = None) -> None:
        """There is nothing more to come of a poll."""
        self._idle.heard(cursor)
        if isinstance(error, Refusal):
            self.resting.stop(cursor)
        if self.resting.holds(cursor) or any(job.asks(cursor) for job in self.queue.jobs):
            self._behind.ask(cursor)
            return
        self._behind.over(cursor, error)
        if error is None:
            self._endless.begin(cursor)
        else:
            self._endless.stop(cursor)
        if self.stopped is not None:
            self.resting.look()

    def owe(self, owed: Iterable[Owed]) -> None:
        """These debts stand in the box."""
        self._debts.owe(owed)

    def owe_alone(self, debts: Iterable[Debt]) -> None:
        """These are to be written in a commit of their own."""
        self._owing.add(debts)

    def found(self, debts: Sequence[Debt]) -> None:
        """These debts stood in the box when it was read."""
        self._debts.found(debts)

    # -------------------------------------------------------------------------------------- what was written

    def publish(self, events: Sequence[object]) -> None:
        """These are durable (sync.md A-14)."""
        if events:
            self.flight.put(Publish(tuple(events)))
            self.resting.hear(events)

    def wrote(self, ready: Ready, pieces: Sequence[Piece] = ()) -> None:
        """Its draft is durable, and was made of these."""
        self._unwritten.wrote(pieces, ready)
        self._confirms.wrote(ready.draft)
        self.owe(ready.owed)


_HANDLERS: dict[type[Any], _Handler] = {
    Started: Machine._started,
    Received: Machine._received,
    Answered: Machine._came,
    Failed: Machine._came,
    SessionChanged: Machine._session_changed,
    Ticked: Machine._came,
    Loaded: Machine._came,
    Committed: Machine._came,
    CommitFailed: Machine._came,
    RoleChanged: Machine._role_changed,
    Asked: Machine._asked,
    Woken: Machine._was_woken,
    Poke: Machine._poked,
    Stopped: Machine._stopped,
}
