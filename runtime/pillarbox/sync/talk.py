"""Talking to a transport, which may be wrong in any way.

Depends on: inbox, limits, protocol, shown, signals, transport.  Never on: machines, boxes, ids.

Law: of a question an answer comes out, or a failure, of listening what was said; nothing that a transport
raises, gives back or yields ends the engine, and each such thing is logged. Only who cancels ends them.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio

from pillarbox.sync.inbox import Post
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.protocol import Answer, Container, Request
from pillarbox.sync.shown import Shown, said, writable
from pillarbox.sync.signals import (
    Failure,
    Flood,
    Received,
    Refused,
    SessionChanged,
    SessionLost,
    Transient,
)
from pillarbox.sync.transport import Clock, Transport, sleep_until

_log = logging.getLogger("pillarbox.sync")
#: What a connection that is not there, or not any more, raises; the rest are bugs of an adapter.
_CUT = (OSError, EOFError, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


class Talk:
    """One transport, in one event loop."""

    def __init__(
        self,
        transport: Transport,
        *,
        clock: Clock,
        limits: DriverLimits,
        answers: Mapping[type[Any], tuple[type[Any], ...]],
    ) -> None:
        """`answers`: as `SyncProtocol.answers`."""
        self._transport = transport
        self._clock = clock
        self._limits = limits
        self._answers = answers
        #: What the transport has not come back from.
        self._holds: dict[object, object] = {}
        self._is_let_go = anyio.Event()

    async def ask(self, request: Request) -> Answer | Failure:
        """What came of it; as long as it takes."""
        try:
            with self._held(request):
                answer = await self._transport.send(request)
            return self._sound(request, answer)
        except Exception as error:
            text = "the transport failed, and is asked again; it was asked %s"
            _log_failure(error, text, Shown(request))
            return Transient(f"{type(error).__name__}: {said(error)}")
        except anyio.get_cancelled_exc_class():
            if _is_cancelled():
                raise
            _log.warning("the transport gave up, and is asked again; it was asked %s", Shown(request))
            return Transient("the transport gave up")

    async def listen(self, bring: Callable[[Post], Awaitable[None]]) -> None:
        """Bring all that it says, for ever."""
        least, most = self._limits.listen_ms
        wait = least
        while True:
            listening: AsyncIterator[Container | SessionChanged] | None = None
            try:
                with self._held("listen"):
                    listening = self._transport.listen()
                    async for what in listening:
                        wait = least
                        await bring(_heard(what))
                _log.info("listening has ended; it begins anew in %d ms", wait)
            except Exception as error:
                _log_failure(error, "listening failed; it is tried again in %d ms", wait)
            except anyio.get_cancelled_exc_class():
                if _is_cancelled():
                    raise
                _log.warning("listening failed: the transport gave up; it is tried again in %d ms", wait)
            finally:
                if isinstance(listening, AsyncGenerator):
                    with self._held("listen"):
                        await _close(listening)
            await sleep_until(self._clock, self._clock.now() + wait)
            wait = min(2 * wait, most)
            await bring(SessionChanged)

    async def let_go(self) -> None:
        """All was cancelled: say so where the transport does not heed that, since the engine waits for it."""
        if self._holds:
            self._is_let_go = anyio.Event()
            with anyio.move_on_after(self._limits.let_go_ms / 1_000, shield=True):
                await self._is_let_go.wait()
        if self._holds:
            held = ", ".join(str(Shown(it)) for it in self._holds.values())
            _log.error("the engine cannot end: it was cancelled, and the transport does not end: %s", held)

    @contextmanager
    def _held(self, what: object) -> Iterator[None]:
        place = object()
        self._holds[place] = what
        try:
            yield
        finally:
            del self._holds[place]
            if not self._holds:
                self._is_let_go.set()

    def _sound(self, request: Request, answer: Answer | Failure) -> Answer | Failure:
        """As a machine can take it: a transport makes failures of what a server sends."""
        match answer:
            case Flood(wait_ms):
                if isinstance(wait_ms, int | float) and math.isfinite(wait_ms):
                    return Flood(max(0, min(int(wait_ms), self._limits.flood_ms)))
                _log.error("Flood takes a number of milliseconds, and was given %s", Shown(wait_ms))
                return Transient("asked too often")
            case Refused(code):
                if isinstance(code, str):
                    return Refused(writable(code))
                _log.error("Refused takes a code of the schema, a text, and was given %s", Shown(code))
                return Refused(str(Shown(code)))
            case Transient(reason):
                return Transient(writable(reason) if isinstance(reason, str) else str(Shown(reason)))
            case SessionLost():
                return SessionLost()
        expected = self._answers.get(type(request))
        if expected is None or type(answer) in expected:
            return answer
        names = " or ".join(type.__name__ for type in expected)
        _log.error("%s is answered by %s, and came %s", type(request).__name__, names, Shown(answer))
        return Transient(f"an answer of the type {type(answer).__name__}")


def _is_cancelled() -> bool:
    """Whether somebody wants this task to end.

    Else a connection has cancelled a future of its own that the task waited for, as many do when they close.
    """
    return anyio.current_effective_deadline() == -math.inf


async def _close(listening: AsyncGenerator[Any, None]) -> None:
    try:
        await listening.aclose()
    except Exception as error:
        _log_failure(error, "what was listened to could not be closed")


def _log_failure(error: Exception, text: str, *about: object) -> None:
    """Of a connection that fails a line; of anything else also where it happened."""
    if isinstance(error, _CUT):
        _log.warning(text + ": %s %s", *about, type(error).__name__, said(error))
    else:
        _log.error(text, *about, exc_info=error)


def _heard(what: Container | SessionChanged) -> Post:
    if isinstance(what, SessionChanged):
        return SessionChanged
    return lambda now: Received(now, what)
