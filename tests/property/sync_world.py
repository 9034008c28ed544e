"""A server with logs, a network that loses, repeats and reorders, and a client that is run by the engine.

Depends on: the hand-written protocol and the store of dicts of the unit tests.  Never on: what a schema says.

What happened is in the store as a list of names; every law is said of that list and of the cursors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    HOLD_MS,
    PROJECT,
    QTS,
    RESETS,
    REV,
    SEQ,
    A,
    C,
    Page,
    Rig,
    State,
    Tables,
    TooLong,
    U,
    body,
    protocol,
    push,
    seq,
)

from pillarbox.sync import Limits, Machine
from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.job_process import Collect
from pillarbox.sync.protocol import AnswerKind, Poll
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

#: Two that travel with containers and are cured by a recipe, one that travels alone and waits.
KEYED: Final[tuple[Instance, ...]] = ((CHANNEL, 5), (CHANNEL, 6), (PROJECT, 1))
#: Counters that the laws follow.
COUNTERS: Final[tuple[Instance, ...]] = ((ACCOUNT, b""), *KEYED)


def _everything(_tables: Any, _key: Any, answers: Mapping[str, Any]) -> list[Any]:
    """The account is made anew, as it was when the recipe began."""
    acts = [act for page in answers["pages"] for act in page.acts]
    return [f"reset:{ACCOUNT}:b'':{answers['state'].at[REV]}", *acts]


#: A recipe that gives up leaves what it was for unrepaired (4.4): here none does, so that rest is the server.
PROTOCOL: Final = protocol(
    resets={
        "everything": replace(RESETS["everything"], commit=_everything),
        "channel": replace(RESETS["channel"], retry=True),
    }
)


class Server:
    """What happened there, as moments: each is one container, and one step of seq."""

    def __init__(self) -> None:
        self.moments: list[tuple[U, ...]] = []
        self.ends: dict[Instance, int] = dict.fromkeys(COUNTERS, 0)
        #: What no container with a claim ever brings.
        self.whispers: list[U] = []

    def happen(self, choice: int) -> None:
        """One moment: up to three updates. Or something that is only whispered."""
        if choice > 20:
            instance: Instance = (PROJECT, 1)
            self.ends[instance] += 1
            end = self.ends[instance]
            self.whispers.append(U(f"{PROJECT}:1:{end - 1}:{end}:w", Claim(*instance, 0, end - 1, end)))
            return
        made: list[U] = []
        for place in range(1 + choice % 3):
            instance = COUNTERS[(choice // 3 + place) % 4]
            count = (1, 2, 1, 0)[(choice + place) % 4]
            self.ends[instance] += count
            end = self.ends[instance]
            if end > 0:
                claim = Claim(*instance, 0, end - count, end)
                made.append(
                    U(f"{instance[0]}:{instance[1]!r}:{end - count}:{end}:{len(self.moments)}", claim)
                )
        self.moments.append(tuple(made))

    def container(self, place: int, choice: int) -> C:
        """A moment as it is pushed: whole, or in two, or with what moves its counter said twice."""
        updates = self.moments[place]
        claim = seq(place + 1)
        if choice % 4 == 1:
            return push(*(it for it in updates if it.claim and it.claim.cursor == ACCOUNT))
        if choice % 4 == 2:
            return push(*(it for it in updates if it.claim and it.claim.cursor != ACCOUNT), claim=claim)
        if choice % 8 == 3:
            return push(*(it for it in updates if it.claim and it.claim.cursor != ACCOUNT))
        return push(*reversed(updates), claim=claim)

    def answer(self, request: Any, choice: int) -> Any:
        """What it says to a request, as things are now."""
        if request[0] == "state":
            return State((self.ends[ACCOUNT, b""], 0, len(self.moments), 0))
        if request[0] == "pages":
            return self._page(request[1])
        if request[0] == "difference":
            _, cursor, key, position = request
            if cursor == ACCOUNT:
                return self._account(position, choice)
            return self._keyed((cursor, key), position, choice)
        raise AssertionError(f"what is {request}?")

    def _page(self, key: Any) -> Page:
        if key == b"":
            asks = tuple(Poll(*instance) for instance in KEYED)
            return Page((), acts=asks)
        end = self.ends[CHANNEL, key]
        return Page((f"reset:{CHANNEL}:{key!r}:{end}",), at=end)

    def _account(self, position: Any, choice: int) -> A | TooLong:
        at, seen = position[REV], position[SEQ]
        behind = len(self.moments) - seen
        if behind > 5 and choice % 3 == 0:
            return TooLong()
        until = len(self.moments) if choice % 2 else min(len(self.moments), seen + 2)
        found = [it for moment in self.moments[:until] for it in moment if _is_new(it, at)]
        found += [
            it
            for moment in self.moments[seen:until]
            for it in moment
            if it.claim and it.claim.cursor != ACCOUNT
        ]
        end = max([at, *(it.claim.end for it in found if it.claim and it.claim.cursor == ACCOUNT)])
        kind = AnswerKind.FULL if until == len(self.moments) else AnswerKind.SLICE
        if not found and choice % 2:
            return A(AnswerKind.EMPTY, set={SEQ: until})
        return A(kind, {REV: end, SEQ: until}, body(*found, covered=((ACCOUNT, REV), (ACCOUNT, QTS))))

    def _keyed(self, instance: Instance, position: Any, choice: int) -> A | TooLong:
        at = 0 if position is None else position[0]
        told = (*self.moments, tuple(self.whispers))
        log = [it for moment in told for it in moment if it.claim and it.claim.instance == instance]
        log.sort(key=lambda it: it.claim or Claim(*instance, 0, 0, 0))
        found = [it for it in log if it.claim and it.claim.end > at]
        if len(found) > 3 and choice % 3 == 0 and instance[0] == CHANNEL:
            return TooLong()
        some = found[:2] if choice % 2 else found
        end = max([at, *(it.claim.end for it in some if it.claim)])
        return A(
            AnswerKind.FULL,
            {0: end},
            body(*some, covered=((instance[0], 0),)),
            again=len(some) < len(found),
        )


def _is_new(update: U, at: int) -> bool:
    return update.claim is not None and update.claim.cursor == ACCOUNT and update.claim.end > at


# ------------------------------------------------------------------------------------------------ client


@dataclass
class Watched:
    """What the laws remember from step to step."""

    deadlines: dict[str, int] = field(default_factory=dict)
    inputs: list[Input] = field(default_factory=list)
    outputs: list[tuple[Output, ...]] = field(default_factory=list)


class Recording(Rig):
    """A rig that remembers what went in and out."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables, PROTOCOL, Limits(debt_tries_max=2))
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

    def __init__(self) -> None:
        self.server = Server()
        tables = Tables({(ACCOUNT, b""): (0, 0, 0, 0), (CHANNEL, 5): (0,), (PROJECT, 1): (0,)})
        self.runs = 1
        self.frees = 0
        #: How far this run was told that each counter is.
        self.told: dict[tuple[Instance, int], int] = {}
        self.tickets = 0
        self.asked: set[int] = set()
        #: Answers as they were when the question came.
        self.early: dict[Id, Any] = {}
        self.rig = Recording(tables)
        self.rig.step(Started(self.rig.now, self.runs))

    def act(self, name: str, choice: int) -> None:
        """One action, then all laws."""
        ACTIONS[name](self, choice)
        check(self)

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
        self.rig = Recording(tables)
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
            check(self)
            if self.rig.sent:
                self.early = {}
                self.answer(turn)
            elif timers := [at for found, at in self.rig.timers.items() if found.owner != "idle"]:
                self.rig.wait(max(min(timers) - self.rig.now, 0))
            else:
                break
            check(self)
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


# -------------------------------------------------------------------------------------------------- laws


def folded(done: list[str]) -> dict[Instance, int]:
    """Where each counter stands by what happened. E-2, E-3: each counted one once, and in its order."""
    at: dict[Instance, int] = dict.fromkeys(COUNTERS, 0)
    keys = {f"{cursor}:{key!r}": (cursor, key) for cursor, key in COUNTERS}
    for name in done:
        parts = name.split(":")
        if parts[0] == "reset":
            at[keys[":".join(parts[1:3])]] = int(parts[3])
        elif parts[0] != "free":
            instance, start, end = keys[":".join(parts[:2])], int(parts[2]), int(parts[3])
            if start < end:
                assert at[instance] == start, f"E-2: {name} happened at {at[instance]}"
                at[instance] = end
    return at


def check(world: World) -> None:
    """What holds after every step."""
    rig, tables = world.rig, world.rig.tables
    at = folded(tables.done)
    for instance in COUNTERS:
        stands = tables.positions.get(instance)
        assert (0 if stands is None else stands[0]) == at[instance], f"E-1: {instance} stands at {stands}"
    frees = [name for name in tables.done if name.startswith("free")]
    assert len(frees) == len(set(frees)), "E-19: something without a counter happened twice"
    _check_evidence(world)
    _check_queue(world)
    _check_events(rig)
    _check_deadlines(rig)


def _check_evidence(world: World) -> None:
    """E-13: what a container showed before seq moved past it is applied, or owed."""
    tables = world.rig.tables
    passed = world.server.moments[: tables.positions[ACCOUNT, b""][SEQ]]
    for update in (it for moment in passed for it in moment):
        claim = update.claim
        if claim is not None and claim.cursor != ACCOUNT:
            stands = (tables.positions.get(claim.instance) or (0,))[0]
            assert claim.end <= stands or claim.instance in tables.debts, f"E-13: nothing shows {update.name}"


def _check_queue(world: World) -> None:
    rig = world.rig
    running = [place for place, job in enumerate(rig.machine.queue.jobs) if job.running]
    assert running in ([], [0]), "E-5: one job runs, the head"
    head = rig.machine.queue.jobs[0] if running == [] and rig.machine.queue.jobs else None
    if isinstance(head, Collect) and not head.fresh and not rig.stray:  # Of others' commits nobody told.
        for claim in (piece.claim for piece in head.pieces):
            stands = rig.tables.positions[ACCOUNT, b""]
            assert claim is None or claim.start != stands[claim.part], "G-15: it follows, and is held"
    if not rig.sent and not rig.store and not [it for it in rig.timers if it.owner != "idle"]:
        assert rig.machine.is_resting, "E-20: nothing is in flight, and something waits"
        assert rig.machine.held == 0, "E-20: something is held, and nothing would bring it on"


def _check_events(rig: Recording) -> None:
    """E-8, E-9: events are told in the order of commits, each once, never before it."""
    own = [name for name in rig.tables.done[rig.first :] if name not in rig.stray]
    told = [event for event in rig.events if event not in rig.stray]
    assert told == own[: len(told)], "E-9: events are not told as they were written"


def _check_deadlines(rig: Recording) -> None:
    """E-7: a deadline is given once."""
    held: dict[str, int] = {}
    for job in rig.machine.queue.jobs:
        if isinstance(job, Collect):
            for piece in job.pieces:
                if piece.deadline is not None:
                    for update in (*piece.updates, *(it.update for it in piece.keyed)):
                        held[f"{update.name} {id(piece.origin)}"] = piece.deadline
    for name, deadline in held.items():
        assert deadline <= rig.watched.deadlines.get(name, deadline), "E-7: a deadline moved"
        assert deadline <= rig.now + HOLD_MS
    rig.watched.deadlines = held


def check_rest(world: World) -> None:
    """What holds when nothing more comes (N-1, N-3)."""
    rig, server = world.rig, world.server
    stands = rig.tables.positions[ACCOUNT, b""]
    assert (stands[REV], stands[SEQ]) == (server.ends[ACCOUNT, b""], len(server.moments)), "N-1"
    for instance in KEYED[:2]:  # Of the third, a whisper may be lost for ever.
        assert (rig.tables.positions.get(instance) or (0,))[0] == server.ends[instance], f"N-1: {instance}"
    assert rig.tables.debts == {}, "N-3: something is owed"
    assert rig.machine.is_resting, "N-3: a job is stuck"
    assert rig.machine.held == 0, "N-3: something is held"
    assert not rig.machine.updating, "D-4"
    assert set(rig.settled) == world.asked, "E-18"
    own = [name for name in rig.tables.done[rig.first :] if name not in rig.stray]
    assert [event for event in rig.events if event not in rig.stray] == own, "E-9: events are missing"


def check_told(world: World) -> None:
    """E-6: every gap ended in application or in a poll, so all that was shown is there."""
    for (instance, part), end in world.told.items():
        stands = world.rig.tables.positions.get(instance)
        assert stands is not None, f"E-6: {instance} was shown, and is not known"
        assert stands[part] >= end, f"E-6: {end} was shown, {instance} stands at {stands}"
    assert world.rig.tables.debts == {}, "N-3: something is owed"
    assert not world.rig.machine.updating, "D-4"
    assert world.rig.machine.is_resting, "N-3: a job is stuck"


def check_again(world: World) -> None:
    """E-11: the same inputs again give the same outputs."""
    again = Machine(world.rig.protocol, Limits(debt_tries_max=2))
    for given, outputs in zip(world.rig.watched.inputs, world.rig.watched.outputs, strict=True):
        assert again.step(given) == outputs, "E-11"
