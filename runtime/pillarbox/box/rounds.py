"""What commits have to tell, waiting to be told: emissions of views, events, and calls.

Depends on: views (how an emission is handed over).  Never on: the box, its lock or its files.

Law: rounds are delivered whole, in the order in which they were added, by one thread at a time, and
each exactly once. Who is interrupted leaves the rest of a round to who delivers next.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from pillarbox.arguments import refuse_no_function
from pillarbox.views import Delivery

Listener: TypeAlias = Callable[[object], None]
Call: TypeAlias = Callable[[], None]

_log = logging.getLogger("pillarbox")


class Taker(Protocol):
    """Who is told of one thing."""

    def receive(self, what: Any) -> None:
        """Take it, or, if who was interrupted in that comes with it once more, what of it is left."""


class Rounds:
    """The queue between a commit, which must not wait for anybody, and those who listen."""

    def __init__(self) -> None:
        #: Who is to be told of what. What was told is taken away behind it.
        self._waiting: deque[tuple[Taker, Any]] = deque()
        #: Held for moments; who delivers has said so under it.
        self._lock = threading.Lock()
        self._delivering = False
        self._listeners: dict[object, Listener] = {}

    def add(
        self, deliveries: Sequence[Delivery], events: tuple[object, ...] = (), call: Call | None = None
    ) -> None:
        """Put a round at the end. `call` is made first, and does not raise."""
        waiting: Sequence[tuple[Taker, Any]] = deliveries
        if events:
            waiting = [*waiting, (_Audience(self._listeners), events)]
        if call is not None:
            waiting = [(_Once(), call), *waiting]
        self._waiting += waiting  # no interrupt comes behind it

    @property
    def is_idle(self) -> bool:
        """Whether everybody has heard of all that was added. Under the lock of who adds."""
        return not self._waiting and not self._delivering

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event; call the result, any number of times, to stop."""
        refuse_no_function("listener", listener, "a function of one event")
        entry = object()
        self._listeners[entry] = listener

        def stop() -> None:
            self._listeners.pop(entry, None)

        return stop

    def drain(self) -> None:
        """Deliver what waits. Whoever delivers already takes it along, a caller further up included."""
        while self._waiting:
            mine = False
            try:
                with self._lock:
                    if self._delivering:
                        return
                    self._delivering = mine = True
                waiting = self._waiting
                while waiting:
                    taker, what = waiting[0]
                    taker.receive(what)
                    del waiting[0]
            finally:
                if mine:
                    self._delivering = False


class _Once:
    """Makes a call."""

    __slots__ = ("_is_over",)

    def __init__(self) -> None:
        self._is_over = False

    def receive(self, call: Call) -> None:
        """As `Taker`: once, whatever interrupts it."""
        if not self._is_over:
            self._is_over = True
            call()


class _Audience:
    """Tells the listeners of events: those that there are when it is their turn."""

    __slots__ = ("_left", "_listeners")

    def __init__(self, listeners: Mapping[object, Listener]) -> None:
        self._listeners = listeners
        #: Who is still to be called with which event, once that has begun.
        self._left: deque[tuple[object, object]] | None = None

    def receive(self, events: tuple[object, ...]) -> None:
        """As `Taker`: what was interrupted in one of them goes on with the next."""
        if self._left is None:
            self._left = deque([(entry, event) for event in events for entry in tuple(self._listeners)])
        left = self._left
        while left:
            entry, event = left[0]
            listener = self._listeners.get(entry)
            del left[0]
            if listener is not None:
                try:
                    listener(event)
                except Exception:
                    _log.exception("an event listener failed; the event was %r", event)
