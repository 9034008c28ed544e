"""The engine for programs without an event loop: it runs in a thread, and one waits for it where one is.

Depends on: engine.  Never on: what the engine does.

Law: each method does what its namesake of `Engine` does, and returns when that is done. None waits where the
engine may be waiting for who calls: that is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, TypeVar

import anyio.from_thread

from pillarbox.box.package import Rd, Tx
from pillarbox.storage import StoredKey
from pillarbox.sync.ear import EventsListener, StoppedListener, UntakenListener, UpdatingListener
from pillarbox.sync.engine import Carried, Engine
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
    try:
        with (
            anyio.from_thread.start_blocking_portal() as portal,
            portal.wrap_async_context_manager(engine) as running,
        ):
            yield EngineThread(running, portal)
    except Carried as carried:
        raise carried.error from None
