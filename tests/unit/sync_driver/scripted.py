"""A machine that follows a script, and a transport, a store and a clock that do as they are told.

Depends on: the driver's interfaces.  Never on: the real machine, boxes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import anyio
import anyio.lowlevel
from tests.waiting import SECONDS_MAX

from pillarbox.sync.driver import Driver
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.signals import (
    Commit,
    Committed,
    Facts,
    Id,
    Input,
    Load,
    Loaded,
    Output,
    Refusal,
    Send,
    Settled,
    Started,
    Untaken,
)
from pillarbox.sync.store import Outcome

#: Input type -> what follows on one.
Script: TypeAlias = Mapping[type[Any], Callable[[Any], Sequence[Any]]]
ONE, TWO = Id("queue", 1), Id("queue", 2)


@dataclass(frozen=True)
class Question:
    """A request."""

    text: str = "?"


@dataclass(frozen=True)
class Reply:
    """An answer."""

    text: str = "!"


class Unshown:
    """What nobody can look at."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Nothing:
    """A plan, and a draft."""

    def read(self, tables: Any, protocol: Any, /) -> None: ...

    def apply(self, tx: Any, protocol: Any, /) -> None: ...


def on_start(*outputs: Output) -> dict[type[Any], Any]:
    """A script that says this at the start."""
    return {Started: lambda _: outputs}


async def settle() -> None:
    """Let everything happen that can."""
    for _ in range(50):
        await anyio.lowlevel.checkpoint()


class Scripted:
    """A machine; what it heard is kept."""

    def __init__(self, script: Script | None = None) -> None:
        self.heard: list[Input] = []
        self.script = dict(script or {})
        self.updating = False
        self.stopped: Refusal | None = None
        self.untaken: Untaken | None = None

    def step(self, input: Input, /) -> Sequence[Output]:
        """As `Machine.step`."""
        self.heard.append(input)
        follow = self.script.get(type(input))
        return () if follow is None else follow(input)

    def types(self) -> list[str]:
        """What it heard, by name."""
        return [type(it).__name__ for it in self.heard]

    async def hears(self, count: int) -> None:
        """Wait until it heard so much."""
        with anyio.fail_after(SECONDS_MAX):
            while len(self.heard) < count:
                await anyio.lowlevel.checkpoint()


class FakeTransport:
    """Says what it is told; `answer` makes an answer, or raises, or waits."""

    def __init__(self, answer: Callable[[Any], Any] | None = None) -> None:
        self.said: deque[Any] = deque()
        self.news = anyio.Event()
        self.asked: list[Any] = []
        self.cancelled: list[Any] = []
        self.listens = 0
        self.closed = 0
        self._answer = answer

    def say(self, *what: Any) -> None:
        """An exception is raised, None is the end."""
        self.said += what
        self.news.set()

    async def send(self, request: Any, /) -> Any:
        """As `Transport.send`."""
        self.asked.append(request)
        try:
            if self._answer is not None:
                answer = self._answer(request)
                return await answer if hasattr(answer, "__await__") else answer
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            self.cancelled.append(request)
            raise

    async def listen(self) -> AsyncIterator[Any]:
        """As `Transport.listen`."""
        self.listens += 1
        try:
            while True:
                while not self.said:
                    self.news = anyio.Event()
                    await self.news.wait()
                what = self.said.popleft()
                if what is None:
                    return
                if isinstance(what, Exception):
                    raise what
                yield what
        finally:
            self.closed += 1


class ManualClock:
    """Stands still until it is moved."""

    def __init__(self, now: int = 1_000) -> None:
        self._now = now
        self._moved = anyio.Event()
        self.sleepers = 0

    def now(self) -> int:
        """As `Clock.now`."""
        return self._now

    async def sleep(self, milliseconds: int, /) -> None:
        """As `Clock.sleep`."""
        due = self._now + milliseconds
        self.sleepers += 1
        try:
            while self._now < due:
                await self._moved.wait()
        finally:
            self.sleepers -= 1

    def move(self, milliseconds: int) -> None:
        """Wake whoever is due; backwards, nobody."""
        self._now += milliseconds
        moved, self._moved = self._moved, anyio.Event()
        moved.set()


class FakeEar:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.published: list[tuple[object, ...]] = []
        self.settled: list[Settled] = []
        self.updates: list[bool] = []
        #: What it was told of `stopped`, of `untaken`, and of `updating`.
        self.states: list[Refusal | Untaken | bool | None] = []

    def publish(self, events: tuple[object, ...], /) -> None:
        """As `Ear.publish`."""
        self.published.append(events)

    def settle(self, settled: Settled, /) -> None:
        """As `Ear.settle`."""
        self.settled.append(settled)

    def updating(self, updating: bool, /) -> None:
        """As `Ear.updating`."""
        self.updates.append(updating)
        self.states.append(updating)

    def stopped(self, refusal: Refusal | None, /) -> None:
        """As `Ear.stopped`."""
        self.states.append(refusal)

    def untaken(self, untaken: Untaken | None, /) -> None:
        """As `Ear.untaken`."""
        self.states.append(untaken)


class FakeRecord:
    """Keeps what was written."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self.sends: list[Send] = []

    def heard(self, input: Input, /) -> Input:
        """As `driver.Record.heard`."""
        self.inputs.append(input)
        return input

    def sent(self, output: Send, /) -> None:
        """As `driver.Record.sent`."""
        self.sends.append(output)


def fake_store(work: Load | Commit) -> Outcome:
    """Does nothing, and says that it is done."""
    if isinstance(work, Load):
        return lambda now: Loaded(now, work.id, "snapshot")
    return lambda now: Committed(now, work.id, Facts((work.id,)))


class Rig:
    """A driver with everything it needs."""

    def __init__(
        self,
        script: Script | None = None,
        *,
        answer: Callable[[Any], Any] | None = None,
        store: Callable[[Load | Commit], Outcome] = fake_store,
        limits: DriverLimits | None = None,
        answers: Mapping[type[Any], tuple[type[Any], ...]] | None = None,
        in_loop: bool = False,
    ) -> None:
        self.machine = Scripted(script)
        self.transport = FakeTransport(answer)
        self.clock = ManualClock()
        self.ear = FakeEar()
        self.record = FakeRecord()
        self.driver = Driver(
            self.machine,
            store,
            self.transport,
            self.ear,
            clock=self.clock,
            limits=limits or DriverLimits(),
            answers=answers or {},
            record=self.record,
            in_loop=in_loop,
        )

    async def __aenter__(self) -> Rig:
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self.driver.inbox.put(lambda now: Started(now, 7))
        self._tasks.start_soon(self.driver.run)
        await self.machine.hears(1)
        return self

    def when_it_ends(self, work: Callable[[], object]) -> None:
        """Do this once the driver is being cancelled, and not before."""

        async def wait() -> None:
            try:
                await anyio.sleep_forever()
            finally:
                work()

        self._tasks.start_soon(wait)

    async def __aexit__(self, *error: object) -> None:
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(None, None, None)
