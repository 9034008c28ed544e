"""What commits have to tell, waiting to be told: emissions of views, events, and calls.

Depends on: views (how an emission is handed over).  Never on: the box, its lock or its files.

Law: rounds are delivered whole, in the order in which they were added, by one thread at a time, and
each exactly once.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

from pillarbox.views import Delivery, deliver

Listener: TypeAlias = Callable[[object], None]
Call: TypeAlias = Callable[[], None]

_log = logging.getLogger("pillarbox")


class Rounds:
    """The queue between a commit, which must not wait for anybody, and those who listen."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Sequence[Delivery], tuple[object, ...], Call | None]] = deque()
        self._delivering = threading.Lock()
        self._listeners: dict[object, Listener] = {}

    def add(
        self, deliveries: Sequence[Delivery], events: tuple[object, ...] = (), call: Call | None = None
    ) -> None:
        """Put a round at the end. `call` is made first, and does not raise."""
        if deliveries or events or call is not None:
            self._waiting.append((deliveries, events, call))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event; call the result, any number of times, to stop."""
        entry = object()
        self._listeners[entry] = listener

        def stop() -> None:
            self._listeners.pop(entry, None)

        return stop

    def drain(self) -> None:
        """Deliver what waits. Whoever delivers already takes it along, a caller further up included."""
        while self._waiting and self._delivering.acquire(blocking=False):
            try:
                while self._waiting:
                    deliveries, events, call = self._waiting.popleft()
                    if call is not None:
                        call()
                    deliver(deliveries)
                    for event in events:
                        self._tell(event)
            finally:
                self._delivering.release()

    def _tell(self, event: object) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(event)
            except Exception:
                _log.exception("an event listener failed; the event was %r", event)
