"""Which of the processes that share a box does what only one of them may do.

Depends on: storage.  Never on: what that is.

Law: the master is who wrote its client id last, in a commit that was not empty, unless it was urgent.
Everybody else learns of it with the next commit that they meet, and nobody sooner.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Final, TypeAlias

from pillarbox.storage import Engine

#: Named value of the store: the client id of the master, eight bytes, highest first.
_MASTER: Final = "master"
_ID_BYTES: Final = 8

_log = logging.getLogger("pillarbox")
MasterListener: TypeAlias = Callable[[bool], None]


class Master:
    """What one open box knows of the master. Every method but `listen` is called under the box's lock."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._own = os.urandom(_ID_BYTES)
        self._stored = engine.meta(_MASTER)
        self._wanted = self._always = self._urgent = False
        self._told = False
        self._listeners: dict[object, MasterListener] = {}

    @property
    def client_id(self) -> int:
        """A random number of this open box, 64 bits."""
        return int.from_bytes(self._own, "big")

    @property
    def is_own(self) -> bool:
        """Whether this box is the master, as of the last commit it met."""
        return self._stored == self._own

    @property
    def is_urgent(self) -> bool:
        """Whether the next commit takes it though it is empty."""
        return self._urgent

    @property
    def has_listeners(self) -> bool:
        """Whether somebody waits to be told."""
        return bool(self._listeners)

    def take(self, *, always: bool, urgent: bool = False) -> None:
        """Become master with the next commit; with one that is not empty, unless it is urgent."""
        self._wanted, self._always = not self.is_own, always
        self._urgent = urgent and self._wanted

    def write(self) -> bool:
        """Take it in the transaction that is open, if that is wanted; whether that was done."""
        if self._wanted:
            self._engine.set_meta(_MASTER, self._own)
        return self._wanted

    def landed(self) -> None:
        """A transaction that took it is committed."""
        self._stored, self._wanted, self._urgent = self._own, False, False

    def look(self) -> None:
        """See whether another has taken it."""
        self._stored = self._engine.meta(_MASTER)
        if self._always and not self.is_own:
            self._wanted = True

    def listen(self, listener: MasterListener) -> Callable[[], None]:
        """Call `listener` with every change of `is_own`; call the result, any number of times, to stop."""
        entry = object()
        self._listeners[entry] = listener

        def stop() -> None:
            self._listeners.pop(entry, None)

        return stop

    def news(self) -> Callable[[], None] | None:
        """What tells the listeners, if it is not what they were told last."""
        is_own = self.is_own
        if is_own == self._told:
            return None
        self._told = is_own

        def tell() -> None:
            for listener in tuple(self._listeners.values()):
                try:
                    listener(is_own)
                except Exception:
                    _log.exception("a listener failed that was told whether this box is the master")

        return tell
