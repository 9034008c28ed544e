"""What commits have to tell, waiting to be told: emissions of views, events, and calls.

Depends on: views (how an emission is handed over).  Never on: the box, its lock or its files.

Laws. Rounds are delivered whole, in the order in which they were added, by one thread at a time, and
each exactly once. Who is interrupted leaves the rest of a round to who delivers next.

Where several threads commit faster than somebody listens, what waits stays bounded, and nobody delivers for
the others for ever: who commits while too much waits stops until there is room, or takes over.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import Any, Final, Protocol, TypeAlias

from pillarbox.arguments import refuse_no_function
from pillarbox.views import Delivery

Listener: TypeAlias = Callable[[object], None]
Call: TypeAlias = Callable[[], None]

_log = logging.getLogger("pillarbox")

#: From so many on that wait to be told, who commits waits as well: in most cases one commit tells a few.
_WAITING_MAX: Final = 1_000
#: For so long at most: somebody who is told may wait for whoever that is.
_PATIENCE_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.001


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
        #: Which thread that is; and how many others wait until there is room, or to take over.
        self._teller = 0
        self._pressing = 0
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
        is_patient = True
        while self._waiting:
            mine = False
            try:
                with self._lock:
                    if self._delivering:
                        is_own = self._teller == threading.get_ident()
                    else:
                        self._delivering = mine = True
                        self._teller = threading.get_ident()
                if not mine:
                    if is_own or not is_patient or len(self._waiting) <= _WAITING_MAX:
                        return
                    is_patient = self._press()
                    continue
                waiting, share = self._waiting, len(self._waiting)
                while waiting:
                    taker, what = waiting[0]
                    taker.receive(what)
                    del waiting[0]
                    share -= 1
                    if share <= 0 and self._pressing:
                        with self._lock:  # who presses looks under it, once more when it does so no longer
                            if self._pressing:
                                self._delivering = mine = False
                                return
            finally:
                if mine:
                    self._delivering = False

    def _press(self) -> bool:
        """Wait until nobody delivers or there is room; whether it came to that."""
        until = monotonic() + _PATIENCE_SECONDS
        is_seen = False
        try:
            with self._lock:
                self._pressing += 1
                is_seen = True
            while self._delivering and len(self._waiting) > _WAITING_MAX:
                if monotonic() >= until:
                    return False
                sleep(_LOOK_SECONDS)
            return True
        finally:
            if is_seen:
                with self._lock:
                    self._pressing -= 1


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
