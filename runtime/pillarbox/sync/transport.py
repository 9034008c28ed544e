"""What the engine needs of a connection, and of a clock: the adapter of a protocol implements it.

Depends on: protocol, signals.  Never on: boxes, and how bytes move.

Law: an adapter moves bytes and decides nothing. It never reorders, drops or repeats what the server said, and
it remembers no counter.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Final, Protocol

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
        """Until so much later, a little longer, or not so long: who waits looks at the time then."""


async def sleep_until(clock: Clock, due: int) -> None:
    """Until the clock shows that, or more."""
    while (rest := due - clock.now()) > 0:
        await clock.sleep(rest)


class SystemClock:
    """The clock of this machine as of now, which goes on evenly whatever becomes of that one.

    It goes on while the machine sleeps, and what waits for it notices that soon after the machine wakes.
    """

    def __init__(self) -> None:
        self._offset = time.time_ns() - _even_ns()

    def now(self) -> int:
        """As `Clock.now`."""
        return (_even_ns() + self._offset) // 1_000_000

    async def sleep(self, milliseconds: int, /) -> None:
        """As `Clock.sleep`. The clock of an event loop may stand still while the machine sleeps."""
        await anyio.sleep(min(milliseconds, _LOOK_MS) / 1_000)


#: How often who waits for long looks at the time.
_LOOK_MS: Final = 15_000
#: A clock that nobody sets, and that does not stop: on Linux it has a name of its own, elsewhere it has none.
_EVEN: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def _even_ns() -> int:
    return time.monotonic_ns() if _EVEN is None else time.clock_gettime_ns(_EVEN)
