"""A network that loses, repeats and reorders, a store that fails, and a client that is run by the engine.

Depends on: sync_server; the protocol and the store of dicts of the unit tests.  Never on: what a schema says.

What happened is in the store as a list of names; every law is said of that list and of the cursors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.property.sync_server import COUNTERS, PROTOCOL, Server
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, PROJECT, Tables, U, push

from pillarbox.sync import Limits
from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Commit,
    Failed,
    Flood,
    Flush,
    Id,
    Input,
    Output,
    Received,
    Refused,
    Resync,
    SessionChanged,
    SessionLost,
    Started,
    Ticked,
    Transient,
)


@dataclass
class Watched:
    """What the laws remember from step to step."""

    deadlines: dict[str, int] = field(default_factory=dict)
    inputs: list[Input] = field(default_factory=list)
    outputs: list[tuple[Output, ...]] = field(default_factory=list)


class Recording(Rig):
    """A rig that remembers what went in and out."""

    def __init__(self, tables: Tables, spec: SyncProtocol) -> None:
        super().__init__(tables, spec, Limits(debt_tries_max=2))
        self.watched = Watched()
        #: Where the list of what happened stood when this run began.
        self.first = len(tables.done)
        #: What others wrote.
        self.stray: set[str] = set()

    def step(self, given: Input) -> None:
        before = len(self.outputs)
        super().step(given)
        self.watched.inputs.append(given)
        self.watched.outputs.append(tuple(self.outputs[before:]))


class World:
    """A run: actions chosen from outside, laws held against every step of it."""

    def __init__(
        self, check: Callable[[World], None], server: Server | None = None, spec: SyncProtocol = PROTOCOL
    ) -> None:
        self.check = check
        self.server = server or Server()
        tables = Tables({(ACCOUNT, b""): (0, 0, 0, 0), (CHANNEL, 5): (0,), (PROJECT, 1): (0,)})
        self.runs = 1
        self.frees = 0
        #: How far this run was told that each counter is.
        self.told: dict[tuple[Instance, int], int] = {}
        self.tickets = 0
        self.asked: set[int] = set()
        #: Answers as they were when the question came.
        self.early: dict[Id, Any] = {}
        self.rig = Recording(tables, spec)
        self.rig.step(Started(self.rig.now, self.runs))

    def act(self, name: str, choice: int) -> None:
        """One action, then all laws."""
        ACTIONS[name](self, choice)
        self.check(self)

    # ------------------------------------------------------------------------------------------- actions

    def happen(self, choice: int) -> None:
        self.server.happen(choice)

    def deliver(self, choice: int) -> None:
        """Any container, again too: mostly one of the newest."""
        if self.server.moments:
            place = len(self.server.moments) - 1 - choice % min(4, len(self.server.moments))
            container = self.server.container(place, choice // 4)
            claims = [it.claim for it in container.opened.updates] + [container.opened.claim]
            self._remember([claim for claim in claims if claim is not None])
            self.rig.step(Received(self.rig.now, container))

    def _remember(self, claims: Iterable[Claim]) -> None:
        """The client was shown these."""
        for claim in claims:
            if claim.end > claim.start:
                counter = claim.instance, claim.part
                self.told[counter] = max(self.told.get(counter, 0), claim.end)

    def free(self, choice: int) -> None:
        """What has no counter: delivered once. Or what was whispered."""
        if choice % 2 and self.server.whispers:
            it = self.server.whispers[-1 - choice % min(2, len(self.server.whispers))]
            if it.claim is not None:
                self._remember([it.claim])
            self.rig.step(Received(self.rig.now, push(it)))
            return
        self.frees += 1
        self.rig.step(Received(self.rig.now, push(U(f"free:{self.frees}"), date=self.frees)))

    def work(self, choice: int) -> None:
        """The store does the next of its work; the oldest timer that is due."""
        if self.rig.store:
            self.rig.work_one(failure="the disk is odd" if choice < 3 else None)
        else:
            self.rig.wait(0)
            due = [it for it, at in self.rig.timers.items() if at <= self.rig.now]
            if due:
                del self.rig.timers[due[0]]
                self.rig.step(Ticked(self.rig.now, due[0]))

    def settle(self, _choice: int) -> None:
        self.rig.work()

    def arrive(self, choice: int) -> None:
        """The server hears a question; the client hears of it later."""
        for found, request in list(self.rig.sent.items())[: 1 + choice % 2]:
            if found not in self.early:
                self.early[found] = self.server.answer(request, choice // 2)

    def answer(self, choice: int) -> None:
        """One of the questions is answered, as of now or as of when it was heard."""
        waiting = list(self.rig.sent)
        if waiting:
            found = waiting[choice % len(waiting)]
            answer = self.early.pop(found, None)
            if answer is None:
                answer = self.server.answer(self.rig.sent[found], choice)
            del self.rig.sent[found]
            self.rig.step(Answered(self.rig.now, found, answer))

    def fail(self, choice: int) -> None:
        """A question comes to nothing."""
        waiting = list(self.rig.sent)
        if waiting:
            found = waiting[choice % len(waiting)]
            del self.rig.sent[found]
            failures = (Transient(), Flood(700), SessionLost(), Refused("ODD"))
            self.rig.step(Failed(self.rig.now, found, failures[choice % 4]))

    def tick(self, choice: int) -> None:
        """Time passes, to the next timer or not as far."""
        timers = [(at, found) for found, at in self.rig.timers.items() if found.owner != "idle"]
        if timers:
            at, found = min(timers)
            self.rig.now = max(self.rig.now, at)
            del self.rig.timers[found]
            self.rig.step(Ticked(self.rig.now, found))
        else:
            self.rig.now += choice

    def ask(self, choice: int) -> None:
        self.tickets += 1
        self.asked.add(self.tickets)
        self.rig.step(Asked(self.rig.now, self.tickets, Resync() if choice % 2 else Flush()))

    def enemy(self, choice: int) -> None:
        """Another process, which got the next update of a counter first."""
        instance = COUNTERS[choice % 4 if choice % 2 else 0]
        at = (self.rig.position(*instance) or (0,))[0]
        for moment in (*self.server.moments, self.server.whispers):
            for update in moment:
                claim = update.claim
                if claim and claim.instance == instance and claim.start == at < claim.end:
                    known = list(self.rig.position(*instance) or (0,))
                    known[0] = claim.end
                    self.rig.tables.positions[instance] = tuple(known)
                    self.rig.tables.done.append(update.name)
                    self.rig.stray.add(update.name)
                    return

    def session(self, _choice: int) -> None:
        self.rig.step(SessionChanged(self.rig.now))

    def crash(self, choice: int) -> None:
        """The process dies, maybe right after a commit that it never hears of; another begins."""
        if choice % 2 and self.rig.store and isinstance(self.rig.store[0], Commit):
            self.rig.work_one()
        now, tables = self.rig.now, self.rig.tables
        self.asked, self.early = set(), {}
        self.told = {}
        self.runs += 1
        self.rig = Recording(tables, self.rig.protocol)
        self.rig.now = now
        self.rig.step(Started(now, self.runs))

    def rest(self, *, hint: bool = True) -> None:
        """The server falls silent, everything is answered, every timer runs out.

        A hint says that something may have been lost: without one, nobody knows of what never came.
        """
        if hint:
            self.rig.step(SessionChanged(self.rig.now))
        for turn in range(200):
            self.rig.work()
            self.check(self)
            if self.rig.sent:
                self.early = {}
                self.answer(turn)
            elif timers := [at for found, at in self.rig.timers.items() if found.owner != "idle"]:
                self.rig.wait(max(min(timers) - self.rig.now, 0))
            else:
                break
            self.check(self)
        else:
            raise AssertionError(f"it never comes to rest: {self.rig.sent} {self.rig.timers}")


ACTIONS: Final[dict[str, Callable[[World, int], None]]] = {
    "happen": World.happen,
    "deliver": World.deliver,
    "free": World.free,
    "work": World.work,
    "settle": World.settle,
    "arrive": World.arrive,
    "answer": World.answer,
    "fail": World.fail,
    "tick": World.tick,
    "ask": World.ask,
    "enemy": World.enemy,
    "session": World.session,
    "crash": World.crash,
}
