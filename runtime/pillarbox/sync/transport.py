"""What the engine needs of a connection, and of a clock: the adapter of a protocol implements it.

Depends on: protocol, signals.  Never on: boxes, and how bytes move.

Law: an adapter moves bytes and decides nothing. It never reorders, drops or repeats what the server said, and
it remembers no counter.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Protocol

import anyio

from pillarbox.sync.protocol import Answer, Container, Request
from pillarbox.sync.signals import Failure, SessionChanged


class Transport(Protocol):
    """A connection to one server, as one account."""

    async def send(self, request: Request, /) -> Answer | Failure:
        """Ask, and give back what came of it. Several may be under way at once.

        Raising anything is as good as `Transient`. It is cancelled when nobody wants the answer any more.
        """

    def listen(self) -> AsyncIterator[Container | SessionChanged]:
        """All that the server says by itself, in order, and `SessionChanged()` after each new connection.

        When it ends it is called anew after a while, and the session counts as changed; so when it raises,
        which is logged. Where nothing is ever said it waits for ever (`anyio.sleep_forever`).
        """


class Clock(Protocol):
    """The time, and a way to wait for it."""

    def now(self) -> int:
        """Milliseconds since 1970; never less than it said before. From any thread."""

    async def sleep(self, milliseconds: int, /) -> None:
        """Until so much later, or a little longer."""


class SystemClock:
    """The clock of this machine as of now, which goes on evenly whatever becomes of that one."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """As `Clock.now`."""
        return (time.monotonic_ns() + self._offset) // 1_000_000

    async def sleep(self, milliseconds: int, /) -> None:
        """As `Clock.sleep`."""
        await anyio.sleep(milliseconds / 1_000)
