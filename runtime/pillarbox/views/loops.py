"""Waiting in an event loop, of asyncio or of trio, for what happens in another thread.

Depends on: nothing of the package.  Never on: what is waited for.

Law: who waits goes on when `wake` was called, in whatever thread, before or meanwhile; the loop never stands.
Who need not wait gives the others their `turn`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    import asyncio

R = TypeVar("R")


class Arrival(Protocol):
    """Something that comes once."""

    def wake(self) -> None:
        """It is here. From any thread; does nothing when the loop is gone."""

    async def wait(self) -> None:
        """Until it is here."""


def arrival() -> Arrival:
    """One of the event loop that runs here."""
    loop = _asyncio_loop()
    return _ArrivalInAnyLoop() if loop is None else _ArrivalInAsyncio(loop)


async def turn() -> None:
    """Once round the event loop: what else waits there goes on, and who is cancelled hears of it."""
    if _asyncio_loop() is None:
        import anyio.lowlevel

        await anyio.lowlevel.checkpoint()
    else:
        import asyncio

        await asyncio.sleep(0)


async def beside(work: Callable[[], R]) -> R:
    """Do it in another thread; what it returns, or raises."""
    if _asyncio_loop() is None:
        import anyio.to_thread

        return await anyio.to_thread.run_sync(work)
    import asyncio

    return await asyncio.to_thread(work)


def _asyncio_loop() -> asyncio.AbstractEventLoop | None:
    import asyncio  # here, as most boxes have no event loop, and it takes as long to load as all tables

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class _ArrivalInAsyncio:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._future: asyncio.Future[None] = loop.create_future()

    def wake(self) -> None:
        with suppress(RuntimeError):  # The loop is closed: nobody waits any more.
            self._loop.call_soon_threadsafe(self._resolve)

    async def wait(self) -> None:
        await self._future

    def _resolve(self) -> None:
        if not self._future.done():
            self._future.set_result(None)


class _ArrivalInAnyLoop:
    def __init__(self) -> None:
        import anyio.lowlevel

        self._token: Any = anyio.lowlevel.current_token().native_token
        self._event = anyio.Event()

    def wake(self) -> None:
        with suppress(RuntimeError):  # As above.
            self._token.run_sync_soon(self._event.set)

    async def wait(self) -> None:
        await self._event.wait()
