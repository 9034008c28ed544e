"""The engine for programs without an event loop: it runs in a thread, and one waits for it where one is.

Depends on: engine.  Never on: what the engine does.

Law: each method does what its namesake of `Engine` does, and returns when that is done. None waits where the
engine may be waiting for who calls: that is refused. Whatever interrupts who runs it, nobody waits for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

import anyio
import anyio.from_thread
import anyio.lowlevel

from pillarbox.box.package import Rd, Tx
from pillarbox.storage import StoredKey
from pillarbox.sync.ear import EventsListener, StoppedListener, UntakenListener, UpdatingListener
from pillarbox.sync.engine import Engine
from pillarbox.sync.protocol import Container, Operation
from pillarbox.sync.signals import Refusal, Untaken

R = TypeVar("R")


class EngineThread(Generic[Tx, Rd]):
    """An engine that runs in another thread, in which listeners are called, of views as well.

    For any thread. What waits raises UsageError inside a transaction or a `reading` of the box, for which the
    engine may wait; it must not be called in a listener either.
    """

    def __init__(self, engine: Engine[Tx, Rd], portal: anyio.from_thread.BlockingPortal) -> None:
        self._engine = engine
        self._portal = portal

    @property
    def updating(self) -> bool:
        """As `Engine.updating`."""
        return self._engine.updating

    def on_updating(self, listener: UpdatingListener) -> Callable[[], None]:
        """As `Engine.on_updating`; the listener is called in the engine's thread."""
        return self._engine.on_updating(listener)

    @property
    def stopped(self) -> Refusal | None:
        """As `Engine.stopped`."""
        return self._engine.stopped

    def on_stopped(self, listener: StoppedListener) -> Callable[[], None]:
        """As `Engine.on_stopped`; the listener is called in the engine's thread."""
        return self._engine.on_stopped(listener)

    @property
    def untaken(self) -> Untaken | None:
        """As `Engine.untaken`."""
        return self._engine.untaken

    def on_untaken(self, listener: UntakenListener) -> Callable[[], None]:
        """As `Engine.on_untaken`; the listener is called in the engine's thread."""
        return self._engine.on_untaken(listener)

    def on_events(self, listener: EventsListener) -> Callable[[], None]:
        """As `Engine.on_events`; the listener is called in the engine's thread."""
        return self._engine.on_events(listener)

    def resync(self) -> None:
        """As `Engine.resync`."""
        self._engine.resync()

    def flush(self) -> tuple[object, ...]:
        """As `Engine.flush`."""
        self._refuse_waiting()
        return self._portal.call(self._engine.flush)

    def run_custom(self, work: Callable[[Tx], R]) -> R:
        """As `Engine.run_custom`."""
        self._refuse_waiting()
        return self._portal.call(self._engine.run_custom, work)

    def did(self, answer: Container, operations: Iterable[Operation]) -> None:
        """As `Engine.did`."""
        self._refuse_waiting()
        self._portal.call(self._engine.did, answer, operations)

    def look(self, cursor: str, key: StoredKey) -> AbstractContextManager[None]:
        """As `Engine.look`."""
        return self._engine.look(cursor, key)

    def _refuse_waiting(self) -> None:
        self._engine.box.refuse_inside()
        self._engine.box.refuse_reading()


@contextmanager
def in_thread(engine: Engine[Tx, Rd]) -> Iterator[EngineThread[Tx, Rd]]:
    """Run an engine in a thread of its own, as long as the block lasts. Its errors come out of the block."""
    engine.owns_loop()
    life = _Life(engine)
    thread = Thread(target=life.run, name="pillarbox-engine", daemon=True)
    has_begun = False
    try:
        thread.start()
        has_begun = True
        life.ready.get()
        if life.portal is not None:
            yield EngineThread(engine, life.portal)
    finally:  # whatever interrupts, at any moment: nobody waits for a thread that was not told to end
        try:
            life.end()
        finally:  # where that was interrupted
            life.end()
        if has_begun:
            thread.join()
        if life.error is not None:
            raise life.error


class _Life:
    """An engine in an event loop of its own, until it is told to end.

    What ends it otherwise waits until then, also such as would end an event loop at once; who calls meanwhile
    hears of it by that loop.
    """

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self._engine = engine
        #: Told once it runs, or failed. No Event: one that is interrupted in its midst stays locked.
        self.ready: SimpleQueue[None] = SimpleQueue()
        self.portal: anyio.from_thread.BlockingPortal | None = None
        self.error: BaseException | None = None
        self._end: Callable[[], object] | None = None
        self._is_over = False

    def run(self) -> None:
        """In the thread."""
        try:
            anyio.run(self._main)
        except BaseException as error:
            self.error = error
        finally:
            self.ready.put(None)

    def end(self) -> None:
        """From any thread, any number of times, also before it began."""
        self._is_over = True
        try:
            if self._end is not None:
                self._end()
        except RuntimeError:  # its event loop is closed
            return

    async def _main(self) -> None:
        loop: Any = anyio.lowlevel.current_token().native_token
        async with anyio.from_thread.BlockingPortal() as portal:
            with anyio.CancelScope() as scope:
                self._end = partial(loop.call_soon_threadsafe, scope.cancel)
                if not self._is_over:
                    await self._live(portal)
                    self.ready.put(None)
                    await anyio.sleep_forever()

    async def _live(self, portal: anyio.from_thread.BlockingPortal) -> None:
        try:
            async with self._engine:
                self.portal = portal
                self.ready.put(None)
                await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:
            self.error = error
