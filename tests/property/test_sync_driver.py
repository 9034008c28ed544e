"""Whatever a machine says and a world does, the driver brings it every input once, and does all that it said.

Laws. A machine that says anything at random, before a server, a store and a clock that do as they like, hears
of things one at a time, never in two threads at once, with a time that never goes back; first that it
starts, last that it stops. It hears the end of each request, timer and transaction once, unless it gave that
up, and then never; of transactions in their order, and of what the server says in its order. All that it told
the program arrives, in order. A transaction that was done before the end is heard of. All of it holds where
transactions run in a thread as where they run in the event loop, and there they run, and nowhere else.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from typing import Any, Final

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.unit.sync_driver.scripted import (
    FakeEar,
    FakeRecord,
    FakeTransport,
    ManualClock,
    Nothing,
    fake_store,
)
from tests.waiting import SECONDS_MAX

from pillarbox.sync import driver
from pillarbox.sync.driver import Driver
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    DropTimer,
    Failed,
    Id,
    Input,
    Load,
    Loaded,
    Output,
    Publish,
    Received,
    Send,
    SessionChanged,
    SetTimer,
    Settled,
    Started,
    Stopped,
    Ticked,
    Transient,
)
from pillarbox.sync.store import Outcome
from pillarbox.sync.talk import Talk

#: What a machine says at a step: kinds of outputs, and which of those that are under way is meant.
Says = list[tuple[str, int]]
KINDS: Final = (
    "send",
    "send",
    "cancel",
    "timer",
    "drop",
    "again",
    "load",
    "commit",
    "commit",
    "publish",
    "settle",
)


class Machine:
    """Says what it was told to say, and holds what it hears against what it said before."""

    def __init__(self, says: Sequence[Says]) -> None:
        self._says = iter(says)
        self._number = 0
        self._lock = threading.Lock()
        self.heard: list[Input] = []
        self.asked: list[Id] = []
        self.timers: dict[Id, int] = {}
        self.works: list[Id] = []
        self.told: list[object] = []
        self.updating = False
        self.stopped = self.untaken = None
        #: Raised in here, it would only end the driver.
        self.wrong: list[str] = []

    def step(self, given: Input, /) -> Sequence[Output]:
        """As `Machine.step`."""
        if not self._lock.acquire(blocking=False):
            self.wrong.append("two threads are in the machine")
            return ()
        try:
            self._hear(given)
            said = next(self._says, []) if not isinstance(given, Stopped) else [("publish", 0)]
            return [output for kind, choice in said for output in self._say(given.now, kind, choice)]
        finally:
            self._lock.release()

    def _hear(self, given: Input) -> None:
        if isinstance(given, Started) != (not self.heard):
            self.wrong.append(f"{given} is not the first, or the first is another")
        elif self.heard and (given.now < self.heard[-1].now or isinstance(self.heard[-1], Stopped)):
            self.wrong.append(f"{given} comes after {self.heard[-1]}")
        self.heard.append(given)
        match given:
            case Answered(id=id) | Failed(id=id):
                self._end(self.asked, id)
            case Ticked(now, id):
                if self.timers.pop(id, now + 1) > now:
                    self.wrong.append(f"{id} is not due, or nobody waits for it")
            case Loaded(id=id) | Committed(id=id) | CommitFailed(id=id):
                if self.works[:1] != [id]:
                    self.wrong.append(f"{id} ends, and it is the turn of {self.works}")
                self._end(self.works, id)

    def _end(self, waiting: list[Id], id: Id) -> None:
        if id in waiting:
            waiting.remove(id)
        else:
            self.wrong.append(f"nobody waits for {id}")

    def _say(self, now: int, kind: str, choice: int) -> Sequence[Output]:
        self._number += 1
        id = Id("one", self._number)
        match kind:
            case "send":
                self.asked.append(id)
                return (Send(id, id),)
            case "cancel" if self.asked:
                return (Cancel(self.asked.pop(choice % len(self.asked))),)
            case "timer":
                self.timers[id] = now + choice - 2
                return (SetTimer(id, now + choice - 2),)
            case "again" | "drop" if self.timers:
                id = list(self.timers)[choice % len(self.timers)]
                del self.timers[id]
                if kind == "drop":
                    return (DropTimer(id),)
                self.timers[id] = now + choice
                return (SetTimer(id, now + choice),)
            case "load":
                self.works.append(id)
                return (Load(id, Nothing()),)
            case "commit":
                self.works.append(id)
                return (Commit(id, Nothing()),)
            case "publish":
                self.told.append(self._number)
                return (Publish((self._number,)),)
            case "settle":
                self.told.append(Settled(self._number))
                return (Settled(self._number),)
        return ()


class Ear(FakeEar):
    """Keeps what it was told in one list."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    def publish(self, events: tuple[object, ...], /) -> None:
        self.told += events

    def settle(self, settled: Settled, /) -> None:
        self.told.append(settled)


class World:
    """What is around a driver."""

    def __init__(self, says: Sequence[Says], *, in_loop: bool) -> None:
        self.machine = Machine(says)
        self.in_loop = in_loop
        self.thread = threading.get_ident()
        self.transport = FakeTransport(self._asked)
        self.clock = ManualClock()
        self.ear = Ear()
        self.questions: dict[Any, anyio.Event] = {}
        self.said: list[object] = []
        self.done: list[Id] = []
        self.working = 0
        self.record = FakeRecord()
        self.driver = Driver(
            self.machine,
            self._store,
            self.transport,
            self.ear,
            clock=self.clock,
            limits=DriverLimits(waiting_max=3, listen_ms=(1, 2)),
            answers={},
            record=self.record,
            in_loop=in_loop,
        )

    async def _answer(self, request: Any) -> Any:
        event = self.questions[request] = anyio.Event()
        await event.wait()
        if request.number % 5 == 0:
            raise OSError("cut")
        return Transient() if request.number % 3 == 0 else request

    def _asked(self, request: Any) -> Awaitable[Any] | Any:
        return request if request.number % 7 == 0 else self._answer(request)

    def _store(self, work: Load | Commit) -> Outcome:
        self.working += 1
        if self.working != 1:
            self.machine.wrong.append("two transactions at once")
        if (threading.get_ident() == self.thread) != self.in_loop:
            self.machine.wrong.append("a transaction runs where none should")
        outcome = fake_store(work)
        self.working -= 1
        self.done.append(work.id)
        if work.id.number % 4 == 0:
            return partial(CommitFailed, id=work.id, reason="full", stale=False)
        return outcome

    # ------------------------------------------------------------------------------------------ actions

    async def say(self, choice: int) -> None:
        """Something, a new session, or that listening failed."""
        what = (len(self.said), SessionChanged(), OSError("cut"))[choice % 3 if choice > 8 else 0]
        self.said.append(what)
        self.transport.say(what)

    async def answer(self, choice: int) -> None:
        """One of the questions."""
        waiting = [it for it, event in self.questions.items() if not event.is_set()]
        if waiting:
            self.questions[waiting[choice % len(waiting)]].set()

    async def move(self, choice: int) -> None:
        """The clock, now and then backwards."""
        self.clock.move(-1 if choice == 0 else choice)

    async def settle(self, choice: int) -> None:
        """Others run for a while."""
        for _ in range(choice):
            await anyio.lowlevel.checkpoint()

    async def rest(self, choice: int) -> None:
        """Threads, too."""
        await anyio.sleep(0.000_2)

    async def quiet(self) -> None:
        """Everything is answered, and every timer due, until nothing more is under way."""
        with anyio.fail_after(SECONDS_MAX):
            while self.machine.asked or self.machine.timers or self.machine.works or self._unheard():
                for event in self.questions.values():
                    event.set()
                self.clock.move(20)
                await anyio.sleep(0)

    def _unheard(self) -> bool:
        heard = [it for it in self.machine.heard if isinstance(it, Received | SessionChanged)]
        return len(heard) < len(self.said)

    # -------------------------------------------------------------------------------------------- laws

    def check(self, *, ended: bool) -> None:
        """After the driver has ended; `ended`: once all was quiet."""
        machine = self.machine
        assert machine.wrong == []
        assert isinstance(machine.heard[-1], Stopped), "the last is that it stops"
        assert self.record.inputs == machine.heard, "all is written down"
        heard = [it for it in machine.heard if isinstance(it, Received | SessionChanged)]
        for said, was in zip(self.said, heard, strict=ended):
            assert (said == was.container) if isinstance(was, Received) else not isinstance(said, int)
        ends = [it.id for it in machine.heard if isinstance(it, Loaded | Committed | CommitFailed)]
        assert ends == self.done, "what was done is heard"
        assert self.ear.told == machine.told, "what was said to the program arrives, in order"


ACTIONS: Final[dict[str, Callable[[World, int], Awaitable[None]]]] = {
    "say": World.say,
    "answer": World.answer,
    "move": World.move,
    "settle": World.settle,
    "rest": World.rest,
}
NAMES: Final = (*ACTIONS, "say", "say", "answer", "answer", "settle")
numbers = st.integers(0, 11)
says = st.lists(st.lists(st.tuples(st.sampled_from(KINDS), numbers), max_size=3), max_size=40)
histories = st.lists(st.tuples(st.sampled_from(NAMES), numbers), max_size=40)


async def follow(
    said: Sequence[Says], history: Sequence[tuple[str, int]], *, quiet: bool, in_loop: bool
) -> None:
    """A whole run of a driver, which is cancelled at its end."""
    world = World(said, in_loop=in_loop)
    async with anyio.create_task_group() as tasks:
        world.driver.inbox.put(lambda now: Started(now, 7))
        tasks.start_soon(world.driver.run)
        for name, choice in history:
            await ACTIONS[name](world, choice)
        while not world.machine.heard:
            await anyio.lowlevel.checkpoint()
        if quiet:
            await world.quiet()
        tasks.cancel_scope.cancel()
    world.check(ended=quiet)


@pytest.mark.parametrize("place", ["thread", "loop"])
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@given(says, histories, st.booleans())
def test_whatever_is_said_and_happens_every_input_comes_once_and_every_output_is_done(
    backend: str, place: str, said: list[Says], history: list[tuple[str, int]], quiet: bool
) -> None:
    anyio.run(partial(follow, said, history, quiet=quiet, in_loop=place == "loop"), backend=backend)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("answers of what was cancelled are heard", Driver, "_reply",
          "self._asking.get(id) is not question", "False"),
    Fault("old timers tick", Driver, "_tick", "self._timers.get(id) is not scope", "False"),
    Fault("time goes back", Driver, "_step", "max(self._now, self._clock.now())", "self._clock.now()"),
    Fault("timers tick too early", driver, "sleep_until", "> 0", "> 3"),
    Fault("a failure is no answer", Talk, "ask",
          'return Transient(f"{type(error).__name__}: {said(error)}")', "raise"),
    Fault("a transaction runs elsewhere", Driver, "run", "if self._in_loop", "if not self._in_loop"),
    Fault("what is not said any more is not told", Driver, "_end", "self._hear(Stopped(self._now))", "()"),
)  # fmt: skip


def run_many(*, in_loop: bool) -> None:
    """Fixed histories; threads make each a little different."""
    for seed in range(150):
        random = Random(seed)
        said = [
            [(random.choice(KINDS), random.randrange(12)) for _ in range(random.randrange(4))]
            for _ in range(60)
        ]
        history = [(random.choice(NAMES), random.randrange(12)) for _ in range(40)]
        anyio.run(partial(follow, said, history, quiet=seed % 3 > 0, in_loop=in_loop))


@pytest.mark.parametrize("place", ["thread", "loop"])
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault, place: str) -> None:
    with fault.planted(), pytest.raises((AssertionError, BaseExceptionGroup, TimeoutError)):
        run_many(in_loop=place == "loop")
