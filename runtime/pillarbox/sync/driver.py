"""Runs a machine: brings it what happens, one thing after the other, and does what it says.

Depends on: inbox, limits, shown, signals, store, talk, transport.  Never on: what the machine decides.

Laws. The machine hears of everything in one order, with a time that never goes back, and never in two
threads at once. Of what it has cancelled, and of timers it has dropped, it hears nothing more. A transaction
that has begun is never left: who cancels waits for it, and the machine hears what it did.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

import anyio
import anyio.abc
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread

from pillarbox.sync.inbox import Inbox, Post
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.protocol import Request
from pillarbox.sync.shown import Shown, ShownFields
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    DropTimer,
    Failed,
    Failure,
    Id,
    Input,
    Load,
    Log,
    Output,
    Publish,
    Refusal,
    Send,
    SetTimer,
    Settled,
    Stopped,
    Ticked,
    Transient,
    Untaken,
)
from pillarbox.sync.store import Outcome
from pillarbox.sync.talk import Talk
from pillarbox.sync.transport import Clock, Transport, sleep_until

_log = logging.getLogger("pillarbox.sync")
#: Rules that only say that somebody else was first, mostly another process.
_ORDINARY = frozenset({"D-2", "D-3", "E-21"})


class Stepping(Protocol):
    """What a driver needs of a machine."""

    @property
    def updating(self) -> bool:
        """Whether there is more to come that the server has already (D-4)."""

    @property
    def stopped(self) -> Refusal | None:
        """Why nothing more is asked (Q6)."""

    @property
    def untaken(self) -> Untaken | None:
        """What the store does not take, however often it comes (A-11)."""

    def step(self, input: Input, /) -> Sequence[Output]:
        """What is to be done about an input, in order."""


class Ear(Protocol):
    """Who is told what the machine says to the program, in the event loop. Must not raise."""

    def publish(self, events: tuple[object, ...], /) -> None:
        """What commits did."""

    def settle(self, settled: Settled, /) -> None:
        """The end of what was asked."""

    def updating(self, updating: bool, /) -> None:
        """It is another than before."""

    def stopped(self, refusal: Refusal | None, /) -> None:
        """It is another than before; told before `updating`, which follows from it."""

    def untaken(self, untaken: Untaken | None, /) -> None:
        """It is another than before."""


class Record(Protocol):
    """Who writes down what happens."""

    def heard(self, input: Input, /) -> Input:
        """The machine is about to hear it: this, or what stands for it in the record."""

    def sent(self, output: Send, /) -> None:
        """The machine has asked for it."""


class _Question:
    """What was sent, and is waited for until then, on the clock of the event loop."""

    __slots__ = ("request", "scope", "until")

    def __init__(self, request: Request, until: float) -> None:
        self.request = request
        self.until = until
        self.scope = anyio.CancelScope()


class Driver:
    """One run of one machine, in one event loop."""

    def __init__(
        self,
        machine: Stepping,
        store: Callable[[Load | Commit], Outcome],
        transport: Transport,
        ear: Ear,
        *,
        clock: Clock,
        limits: DriverLimits,
        answers: Mapping[type[Any], tuple[type[Any], ...]],
        record: Record | None = None,
        in_loop: bool = False,
    ) -> None:
        """`answers`: as `SyncProtocol.answers`. To be made in the event loop.

        `in_loop`: transactions run in the event loop, which stands still for them; else in a thread.
        """
        self._machine = machine
        self._store = store
        self._talk = Talk(transport, clock=clock, limits=limits, answers=answers)
        self._ear = ear
        self._clock = clock
        self._answer_seconds = limits.answer_ms / 1_000
        self._record = record
        self._in_loop = in_loop
        self.inbox = Inbox(limits.waiting_max)
        self._now = 0
        self._updating = machine.updating
        self._stopped = machine.stopped
        self._untaken = machine.untaken
        self._is_broken = False
        #: What is under way; who is not here any more is not heard.
        self._asking: dict[Id, _Question] = {}
        self._timers: dict[Id, anyio.CancelScope] = {}
        #: What the machine said last that is not carried out yet.
        self._said: Sequence[Output] = ()
        #: Transactions that have not begun, in order.
        self._works: deque[Load | Commit] = deque()

    async def run(self) -> None:
        """Until it is cancelled; Started is in the inbox. Raises BoxClosed, and what the machine raises."""
        limiter = anyio.CapacityLimiter(1)  # one of its own: threads of the program hold up no commit
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_grouped, self._talk.listen, self.inbox.bring)
                tasks.start_soon(self._lose)
                while True:
                    if self._works:
                        if self._in_loop:
                            self._said = self._work()
                            await anyio.lowlevel.checkpoint()  # others of the loop have waited
                        else:
                            self._said = await anyio.to_thread.run_sync(self._work, limiter=limiter)
                            await anyio.lowlevel.checkpoint_if_cancelled()
                        self._carry_out(tasks)
                    if not self._works or self.inbox.waits:
                        post = await self.inbox.take()
                        self._said = self._step(post)
                        self._carry_out(tasks)
        finally:
            if not self._is_broken:
                self._end()

    # ------------------------------------------------------------------------------------- the machine

    def _step(self, post: Post) -> Sequence[Output]:
        self._now = max(self._now, self._clock.now())
        input = post(self._now)
        return () if input is None else self._hear(input)

    def _hear(self, input: Input) -> Sequence[Output]:
        self._is_broken = True  # until it has answered
        if self._record is not None:
            input = self._record.heard(input)
        outputs = self._machine.step(input)
        if self._record is not None:
            for output in outputs:
                if isinstance(output, Send):
                    self._record.sent(output)
        self._is_broken = False
        return outputs

    def _work(self) -> Sequence[Output]:
        """A transaction; in a thread, others after it while they lead to nothing but to more of them.

        The machine hears here what they did, and the event loop does not touch it meanwhile. Cancelling waits
        for the one that runs.
        """
        while True:
            outputs = self._step(self._store(self._works.popleft()))
            works = [it for it in outputs if isinstance(it, Load | Commit)]
            if self._in_loop or len(works) < len(outputs):
                return outputs
            self._works += works
            if not self._works:
                return ()
            anyio.from_thread.check_cancelled()

    # ------------------------------------------------------------------------------------- what it says

    def _carry_out(self, tasks: anyio.abc.TaskGroup) -> None:
        outputs, self._said = self._said, ()
        self._tell_state()
        for output in outputs:
            match output:
                case Load() | Commit():
                    self._works.append(output)
                case SetTimer(id, due):
                    _cancel(self._timers, id)
                    scope = self._timers[id] = anyio.CancelScope()
                    if due > self._now:
                        tasks.start_soon(self._wait, id, due, scope)
                    else:  # behind all that waits already
                        self.inbox.put(self._tick(id, scope))
                case DropTimer(id):
                    _cancel(self._timers, id)
                case Send(id, request):
                    question = _Question(request, anyio.current_time() + self._answer_seconds)
                    self._asking[id] = question
                    tasks.start_soon(_grouped, self._ask, id, question)
                case Cancel(id):
                    if (given_up := self._asking.pop(id, None)) is not None:
                        given_up.scope.cancel()
                case _:
                    self._tell(output)

    def _tell_state(self) -> None:
        if self._machine.stopped != self._stopped:
            self._stopped = self._machine.stopped
            self._ear.stopped(self._stopped)
        if self._machine.untaken != self._untaken:
            self._untaken = self._machine.untaken
            self._ear.untaken(self._untaken)
        if self._machine.updating != self._updating:
            self._updating = self._machine.updating
            self._ear.updating(self._updating)

    def _tell(self, output: Output) -> None:
        match output:
            case Publish(events):
                self._ear.publish(events)
            case Settled():
                self._ear.settle(output)
            case Log(rule, text, fields):
                level = logging.INFO if rule in _ORDINARY else logging.WARNING
                _log.log(level, "%s: %s %s", rule, text, ShownFields(fields))

    def _end(self) -> None:
        """What was committed is still published; nothing new begins."""
        outputs = (*self._said, *self._hear(Stopped(self._now)))
        self._tell_state()
        for output in outputs:
            self._tell(output)

    # ---------------------------------------------------------------------------------------- its tasks

    async def _wait(self, id: Id, due: int, scope: anyio.CancelScope) -> None:
        with scope:
            await sleep_until(self._clock, due)
            self.inbox.put(self._tick(id, scope))

    def _tick(self, id: Id, scope: anyio.CancelScope) -> Post:
        def post(now: int) -> Input | None:
            if self._timers.get(id) is not scope:
                return None
            del self._timers[id]
            return Ticked(now, id)

        return post

    async def _ask(self, id: Id, question: _Question) -> None:
        with question.scope:
            result = await self._talk.ask(question.request)
            for _ in range(2):  # what was said before the answer, and lies ready, is heard before it
                await anyio.lowlevel.checkpoint()
            self.inbox.put(self._reply(id, question, result))

    def _reply(self, id: Id, question: _Question, result: Any) -> Post:
        def post(now: int) -> Input | None:
            if self._asking.get(id) is not question:
                return None
            del self._asking[id]
            return Failed(now, id, result) if isinstance(result, Failure) else Answered(now, id, result)

        return post

    async def _lose(self) -> None:
        """What is not answered in time counts as lost, also where the transport does not let go of it."""
        try:
            while True:
                now = anyio.current_time()
                for id, question in self._asking.items():
                    if question.until <= now:
                        question.until = math.inf
                        question.scope.cancel()
                        milliseconds = round(1_000 * self._answer_seconds)
                        _log.warning("no answer within %d ms to %s", milliseconds, Shown(question.request))
                        self.inbox.put(self._reply(id, question, Transient("no answer")))
                # What is asked while this sleeps is waited for until after that.
                due = min((it.until for it in self._asking.values()), default=math.inf)
                await anyio.sleep(min(due - now, self._answer_seconds))
        finally:
            await self._talk.let_go()


async def _grouped(work: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    """For what runs code of an adapter: an error that would end the event loop at once ends the engine."""
    try:
        await work(*arguments)
    except (SystemExit, KeyboardInterrupt) as error:
        raise BaseExceptionGroup("an adapter ended the program", [error]) from None


def _cancel(scopes: dict[Id, anyio.CancelScope], id: Id) -> None:
    scope = scopes.pop(id, None)
    if scope is not None:
        scope.cancel()
