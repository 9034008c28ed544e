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
from typing import TypeAlias

from pillarbox.views import Delivery

Listener: TypeAlias = Callable[[object], None]
Call: TypeAlias = Callable[[], None]

_log = logging.getLogger("pillarbox")


class Rounds:
    """The queue between a commit, which must not wait for anybody, and those who listen."""

    def __init__(self) -> None:
        self._waiting: deque[_Round] = deque()
        #: Held for moments; who delivers has said so under it.
        self._lock = threading.Lock()
        self._delivering = False
        self._listeners: dict[object, Listener] = {}

    def add(
        self, deliveries: Sequence[Delivery], events: tuple[object, ...] = (), call: Call | None = None
    ) -> None:
        """Put a round at the end. `call` is made first, and does not raise."""
        if deliveries or events or call is not None:
            self._waiting += (_Round(deliveries, events, call),)  # no interrupt comes behind it

    @property
    def is_idle(self) -> bool:
        """Whether everybody has heard of all that was added. Under the lock of who adds."""
        return not self._waiting and not self._delivering

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event; call the result, any number of times, to stop."""
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
                while self._waiting:
                    self._waiting[0].tell(self._listeners)
                    del self._waiting[0]
            finally:
                if mine:
                    self._delivering = False


class _Round:
    """What is left of one. What takes the same twice as once is taken away behind it, all else before."""

    __slots__ = ("_call", "_deliveries", "_events", "_told")

    def __init__(self, deliveries: Sequence[Delivery], events: tuple[object, ...], call: Call | None) -> None:
        self._call = call
        self._deliveries = deque(deliveries)
        self._events = events
        #: Who is still to be called with which event.
        self._told: deque[tuple[object, object]] | None = None

    def tell(self, listeners: Mapping[object, Listener]) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()
        deliveries = self._deliveries
        while deliveries:
            subscription, what = deliveries[0]
            subscription.receive(what)  # which takes the same but once
            del deliveries[0]
        if self._events:
            self._told = deque([(entry, event) for event in self._events for entry in tuple(listeners)])
            self._events = ()
        while self._told:
            entry, event = self._told[0]
            listener = listeners.get(entry)
            del self._told[0]
            if listener is not None:
                try:
                    listener(event)
                except Exception:
                    _log.exception("an event listener failed; the event was %r", event)
