"""Who listens to a running engine, and who waits for an answer of it.

Depends on: signals.  Never on: boxes, transports, machines.

Law: a ticket is settled once: by the machine, or, when the engine ends, with an error (E-18).
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import anyio

from pillarbox.errors import AccountRefused, ChangeUntaken, Unsettled, UsageError
from pillarbox.sync.signals import Refusal, Settled, Untaken

T = TypeVar("T")
#: Given the events of all commits of a batch, in order.
EventsListener: TypeAlias = Callable[[tuple[object, ...]], object]
UpdatingListener: TypeAlias = Callable[[bool], object]
#: Given why nothing more is asked, or None: it goes on.
StoppedListener: TypeAlias = Callable[[Refusal | None], object]
#: Given what the store does not take, or None: it took it.
UntakenListener: TypeAlias = Callable[[Untaken | None], object]

_log = logging.getLogger("pillarbox.sync")


class Ticket:
    """Something that was asked. Wait for it in the event loop."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._settled: Settled | None = None
        self._over = anyio.Event()

    async def result(self) -> Any:
        """What came of it. Raises Unsettled, AccountRefused, ChangeUntaken."""
        await self._over.wait()
        assert self._settled is not None, "it is over"
        match self._settled.error:
            case Refusal(code, request):
                raise AccountRefused(code, request)
            case Untaken(cursor, _, reason):
                raise ChangeUntaken(cursor, reason)
            case str(reason):
                raise Unsettled(reason)
        return self._settled.result

    def settle(self, settled: Settled) -> None:
        """It is over."""
        self._settled = settled
        self._over.set()


class Listeners:
    """All of them, of one engine. In the event loop; `listen` in any thread."""

    def __init__(self) -> None:
        self._events: dict[object, EventsListener] = {}
        self._updating: dict[object, UpdatingListener] = {}
        self._stopped: dict[object, StoppedListener] = {}
        self._untaken: dict[object, UntakenListener] = {}
        self._tickets: dict[int, Ticket] = {}
        self._last = 0
        self.is_updating = False
        self.refusal: Refusal | None = None
        self.refused_change: Untaken | None = None

    def on_events(self, listener: EventsListener) -> Callable[[], None]:
        """Call it with what commits did; call the result, any number of times, to stop."""
        return _listen(self._events, listener)

    def on_updating(self, listener: UpdatingListener) -> Callable[[], None]:
        """Call it when `is_updating` is another; call the result, any number of times, to stop."""
        return _listen(self._updating, listener)

    def on_stopped(self, listener: StoppedListener) -> Callable[[], None]:
        """Call it when `refusal` is another; call the result, any number of times, to stop."""
        return _listen(self._stopped, listener)

    def on_untaken(self, listener: UntakenListener) -> Callable[[], None]:
        """Call it when `refused_change` is another; call the result, any number of times, to stop."""
        return _listen(self._untaken, listener)

    def ask(self) -> Ticket:
        """A new ticket."""
        self._last += 1
        ticket = self._tickets[self._last] = Ticket(self._last)
        return ticket

    def forget(self, ticket: Ticket) -> None:
        """Nobody waits for it any more."""
        self._tickets.pop(ticket.number, None)

    def publish(self, events: tuple[object, ...], /) -> None:
        """As `Ear.publish`."""
        _tell(self._events, events)

    def updating(self, updating: bool, /) -> None:
        """As `Ear.updating`."""
        self.is_updating = updating
        _tell(self._updating, updating)

    def stopped(self, refusal: Refusal | None, /) -> None:
        """As `Ear.stopped`."""
        self.refusal = refusal
        _tell(self._stopped, refusal)

    def untaken(self, untaken: Untaken | None, /) -> None:
        """As `Ear.untaken`."""
        self.refused_change = untaken
        _tell(self._untaken, untaken)

    def settle(self, settled: Settled, /) -> None:
        """As `Ear.settle`; of what nobody waits for, nothing."""
        ticket = self._tickets.pop(settled.ticket, None)
        if ticket is not None:
            ticket.settle(settled)

    def end(self) -> None:
        """Nothing more will be settled."""
        for number in tuple(self._tickets):
            self.settle(Settled(number, "the engine ended"))


def _listen(listeners: dict[object, T], listener: T) -> Callable[[], None]:
    if inspect.iscoroutinefunction(listener):
        raise UsageError(
            "a listener is called, and nobody awaits what it gives back; let a plain function put what it is "
            "told where a task of the program waits for it"
        )
    entry = object()
    listeners[entry] = listener

    def stop() -> None:
        listeners.pop(entry, None)

    return stop


def _tell(listeners: dict[object, Callable[[T], object]], what: T) -> None:
    for listener in tuple(listeners.values()):
        try:
            listener(what)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException:  # also what asyncio cancels with: it was not this task that somebody cancelled
            _log.exception("a listener of the engine failed; it was told %r", what)
