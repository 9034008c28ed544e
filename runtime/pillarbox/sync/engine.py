"""The engine: keeps a box in step with a server while a program does something else.

Depends on: driver, machine, news, recording, store, transport.  Never on: what a schema says, which is handed
in as a `SyncProtocol`.

Law: all of it ends with its block; what was asked and not settled by then raises, nobody waits for ever.
"""

from __future__ import annotations

import secrets
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike
from types import TracebackType
from typing import Any, Generic, Literal, NoReturn, Self, TypeVar

import anyio
import anyio.abc
import anyio.to_thread

from pillarbox.box import Box
from pillarbox.box.package import Rd, Tx
from pillarbox.errors import EngineStopped, Unsettled, UsageError
from pillarbox.storage import StoredKey
from pillarbox.sync.driver import Driver
from pillarbox.sync.ear import (
    EventsListener,
    Listeners,
    StoppedListener,
    Ticket,
    UntakenListener,
    UpdatingListener,
)
from pillarbox.sync.limits import DriverLimits, Limits
from pillarbox.sync.machine import Machine
from pillarbox.sync.news import Newest, News, followed
from pillarbox.sync.own_work import OwnWork
from pillarbox.sync.protocol import Container, Operation, SyncProtocol
from pillarbox.sync.recording import Recorder
from pillarbox.sync.shown import Shown
from pillarbox.sync.signals import (
    NOBODY,
    Asked,
    Custom,
    Flush,
    Look,
    Received,
    Refusal,
    Resync,
    Started,
    Untaken,
)
from pillarbox.sync.store import Store
from pillarbox.sync.transport import Clock, SystemClock, Transport

R = TypeVar("R")
#: Whether this process is to run what only one of those that share a box may run: it takes that at the start,
#: takes it back besides whenever another has taken it, or leaves it as it is.
Mastery = Literal["take", "always", "leave"]
#: Where transactions run: in a thread beside the event loop, or in the event loop.
Place = Literal["thread", "loop"]
#: The boxes of this process that are kept in step.
_kept: weakref.WeakSet[Box[Any, Any]] = weakref.WeakSet()
_keeping = threading.Lock()


class Engine(Generic[Tx, Rd]):
    """Keeps `box` in step with the server behind `transport`, in an `async with` block, once.

    `record` is the path of a file to which the session is written. `marker` is a number that tells this run
    from others, random by default. Runs on asyncio and on trio. What is awaited is for the event loop, the
    rest for any thread; `in_thread` is for programs without an event loop.

    `transactions` says where the engine reads and writes. In a "thread", which is so without the word, the
    event loop goes on meanwhile. In the "loop" a container is on screen 0.1 to 0.2 ms sooner, since no other
    thread has to wake up and to fill the caches of another core; but the loop stands still for as long as a
    commit takes, and as another process holds the write lock. `in_thread` gives the engine a loop of its
    own, for which nobody else waits: there it is "loop" without the word.
    """

    def __init__(
        self,
        box: Box[Tx, Rd],
        protocol: SyncProtocol,
        transport: Transport,
        *,
        master: Mastery = "take",
        transactions: Place | None = None,
        record: str | PathLike[str] | None = None,
        clock: Clock | None = None,
        marker: int | None = None,
        limits: Limits | None = None,
        driver_limits: DriverLimits | None = None,
    ) -> None:
        box.refuse_newer()
        if box.read_only:
            raise UsageError("a box that is opened for reading cannot be kept in step; open it for writing")
        self.box = box
        self._protocol = protocol
        self._transport = transport
        self._mastery = master
        self._place = transactions
        self._record = record
        self._clock = SystemClock() if clock is None else clock
        self._marker = secrets.randbits(63) if marker is None else marker
        self._limits = Limits() if limits is None else limits
        self._driver_limits = DriverLimits() if driver_limits is None else driver_limits
        self._listeners = Listeners()
        #: How many look at each instance, as the machine has heard.
        self._looks: Counter[tuple[int, StoredKey]] = Counter()
        self._driver: Driver | None = None
        self._tasks: anyio.abc.TaskGroup | None = None

    # ----------------------------------------------------------------------------------------- its life

    def owns_loop(self) -> None:
        """It is about to run in an event loop of its own. For `in_thread`."""
        self._place = self._place or "loop"

    async def run(self) -> NoReturn:
        """Until it is cancelled; for who asks nothing of it."""
        async with self:
            await anyio.sleep_forever()
        raise AssertionError("nothing ends that sleep but an exception")

    async def __aenter__(self) -> Self:
        if self._tasks is not None:
            raise UsageError("an engine runs once; make another one")
        _keep(self.box)
        try:
            return await self._enter()
        except BaseException:
            _kept.discard(self.box)
            raise

    async def _enter(self) -> Self:
        if self._mastery != "leave":
            take = partial(self.box.take_master, always=self._mastery == "always", now=True)
            await anyio.to_thread.run_sync(take)
        self._tasks = anyio.create_task_group()
        # Of the engine alone: of who runs it asyncio forgets a cancelling that comes beside one of ours.
        self._scope = anyio.CancelScope()
        recorder = (
            None
            if self._record is None
            else Recorder(
                self._record, self.box.package, self._protocol, self._limits, lambda: self.box.commits
            )
        )
        self._driver = Driver(
            Machine(self._protocol, limits=self._limits),
            Store(self.box, self._protocol).run,
            self._transport,
            self._listeners,
            clock=self._clock,
            limits=self._driver_limits,
            answers=self._protocol.answers,
            record=recorder,
            in_loop=self._place == "loop",
        )
        master = self.box.is_master
        self._resyncing = Newest(self._driver.inbox, lambda now, _: Asked(now, NOBODY, Resync()))
        self._driver.inbox.put(lambda now: Started(now, self._marker, master))
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._run, self._driver, recorder, master)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        assert self._tasks is not None, "it was entered"
        self._scope.cancel()
        is_cancelled = isinstance(error, anyio.get_cancelled_exc_class())
        try:
            # An error of the block stays what it is; only who is cancelled asks the group who did that.
            if is_cancelled:
                return bool(await self._tasks.__aexit__(kind, error, trace))
            await self._tasks.__aexit__(None, None, None)
        except BaseExceptionGroup as group:
            raise _innermost(group) from None
        finally:
            _kept.discard(self.box)
        return False

    async def _run(self, driver: Driver, recorder: Recorder | None, master: bool) -> None:
        news = News(self.box, driver.inbox, followed(self._protocol))
        try:
            with self._scope:
                await anyio.to_thread.run_sync(partial(news.start, master=master))
                await driver.run()
        finally:
            self._driver = None
            driver.inbox.end()
            news.stop()
            self._listeners.end()
            if recorder is not None:
                recorder.close()

    # --------------------------------------------------------------------------------- what it can be asked

    @property
    def updating(self) -> bool:
        """Whether the server is known to have more than is in the box, and is asked for it (D-4)."""
        return self._listeners.is_updating

    def on_updating(self, listener: UpdatingListener) -> Callable[[], None]:
        """Call `listener` when `updating` is another, in the event loop; call the result to stop."""
        return self._listeners.on_updating(listener)

    @property
    def stopped(self) -> Refusal | None:
        """What the server refused, if the schema says `stop` to that: who is signed out, or banned (Q6).

        It asks anew with a new session, by `resync`, and after a long silence; None again with the first
        answer that is no such refusal.
        """
        return self._listeners.refusal

    def on_stopped(self, listener: StoppedListener) -> Callable[[], None]:
        """Call `listener` when `stopped` is another, in the event loop; call the result to stop."""
        return self._listeners.on_stopped(listener)

    @property
    def untaken(self) -> Untaken | None:
        """What the server says, and the store refuses each time (A-11).

        It is asked for again all the same: None once it is written, as after the program was mended.
        """
        return self._listeners.refused_change

    def on_untaken(self, listener: UntakenListener) -> Callable[[], None]:
        """Call `listener` when `untaken` is another, in the event loop; call the result to stop."""
        return self._listeners.on_untaken(listener)

    def on_events(self, listener: EventsListener) -> Callable[[], None]:
        """Call `listener` with the events of each batch, once it is committed, in the event loop.

        Each event comes once, in the order of the commits; none of what this process wrote otherwise.
        Call the result to stop.
        """
        return self._listeners.on_events(listener)

    def resync(self) -> None:
        """Ask the server what is missing, now (sync.md Q5)."""
        self._running()
        self._resyncing.tell()

    async def flush(self) -> tuple[object, ...]:
        """Wait until all is in the box that the server had told before this was called (sync.md Q10).

        What was lost on the way it does not ask for: `resync` before it does. Nor does it wait for what
        cursors with a key miss: see `updating`. Gives the newest events that were published meanwhile.
        Raises AccountRefused where the server tells nothing any more (see `stopped`), ChangeUntaken where the
        store does not take what it tells (see `untaken`), Unsettled, EngineStopped.
        """
        events: tuple[object, ...] | None = await self._settled(Flush())
        return events or ()

    async def run_custom(self, work: Callable[[Tx], R]) -> R:
        """Run `work` in a transaction while no cursor moves (sync.md Q11); what it returns, or raises.

        In a thread. Until it is done the engine hears of nothing. Raises Unsettled where it was not run,
        EngineStopped.
        """
        draft = OwnWork(work)
        try:
            await self._settled(Custom(draft))
        except Unsettled:
            if draft.error is not None:
                raise draft.error from None
            raise
        return draft.result

    async def did(self, answer: Container, operations: Iterable[Operation]) -> None:
        """The server has done what the program asked for, and its `answer` tells only what counters moved.

        `operations` are the effect, here. They are replayed with those counters: when everything is there
        that was counted before, once, and not at all where the server has told the effect by itself.
        Raises EngineStopped.
        """
        driver = self._running()
        driver.inbox.refuse_others()
        effect = tuple(operations)
        await driver.inbox.bring(lambda now: Received(now, answer, effect))
        if self._driver is not driver:
            raise EngineStopped

    @contextmanager
    def look(self, cursor: str, key: StoredKey) -> Iterator[None]:
        """Somebody looks at an instance of a keyed cursor: it is asked about again and again (sync.md K-9).

        `cursor` is its name in the schema, `key` what the package's `keys` make of the fields of its key.
        """
        look = Look(self._keyed(cursor), key, open=True)
        if not isinstance(key, bytes | int) or (isinstance(key, int) and not -(2**63) <= key < 2**63):
            what = f"{Shown(key)} is no key of the cursor {cursor!r}"
            raise UsageError(f"{what}; pass what the package's `keys` make of the fields of its key")
        driver = self._running()
        driver.inbox.soon(partial(self._looked, look))
        try:
            yield
        finally:
            driver.inbox.soon(partial(self._looked, replace(look, open=False)))

    def _looked(self, look: Look, now: int) -> Asked | None:
        """In the order of the calls, and not in them: where one comes in the midst of another, too."""
        place = look.cursor, look.key
        before = self._looks[place]
        self._looks[place] = after = before + (1 if look.open else -1)
        if not after:
            del self._looks[place]
        return None if before and after else Asked(now, NOBODY, look)

    def _keyed(self, name: str) -> int:
        keyed = {spec.name: spec.id for spec in self._protocol.cursors.values() if spec.keyed}
        if name not in keyed:
            names = ", ".join(sorted(keyed)) or "there is none"
            raise UsageError(f"{name!r} is no cursor with a key; look at one of those that have: {names}")
        return keyed[name]

    def _running(self) -> Driver:
        if self._driver is None:
            raise EngineStopped
        return self._driver

    def _ask(self, what: Flush | Custom) -> Ticket:
        driver = self._running()
        driver.inbox.refuse_others()
        ticket = self._listeners.ask()
        driver.inbox.put(lambda now: Asked(now, ticket.number, what))
        return ticket

    async def _settled(self, what: Flush | Custom) -> Any:
        ticket = self._ask(what)
        try:
            return await ticket.result()
        finally:
            self._listeners.forget(ticket)


def _keep(box: Box[Any, Any]) -> None:
    with _keeping:
        if box in _kept:
            raise UsageError(
                "another engine of this process keeps this box in step, and what must be done once would be "
                "done twice; leave its block first, or open the path once more and give this one that box"
            )
        _kept.add(box)


def _innermost(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What went wrong, where it is one thing."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
