"""What an open box tells a running engine: who is master, what others committed, what side machines watch.

Depends on: inbox, signals, box.  Never on: the machine.

Laws. The machine hears of the role only when it is another. A side machine is poked while this box is the
master, with the newest state of its view and only that, first of all when it becomes it. Where this process
cannot go on with the box the engine ends with the error that says so, master or not, also where nothing is
said.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from pillarbox.box import Box
from pillarbox.errors import LayoutConflict, StoreError, StoreMissing
from pillarbox.sync.inbox import Inbox, Post
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import Input, Poke, RoleChanged, Woken
from pillarbox.views import Emission, WantedHoles

#: How the names of the side machines begin that fill holes.
HOLES: Final = "holes."

_log = logging.getLogger("pillarbox.sync")


def followed(protocol: SyncProtocol) -> dict[str, Any]:
    """Name of a side machine -> key of the view that it follows."""
    views: dict[str, Any] = {} if protocol.outbox is None else {"outbox": protocol.outbox.view}
    return views | {f"{HOLES}{name}": WantedHoles(name, everywhere=True) for name in protocol.holes}


class Newest:
    """A place in the inbox for the newest state of something; whatever came before it is forgotten."""

    def __init__(self, inbox: Inbox, make: Callable[[int, Any], Input]) -> None:
        self._inbox = inbox
        self._make = make
        self._lock = threading.Lock()
        self._what: Any = None
        self._is_waiting = False

    def tell(self, what: Any = None) -> None:
        """From any thread."""
        with self._lock:
            self._what = what
            is_first, self._is_waiting = not self._is_waiting, True
        if is_first:
            self._inbox.soon(self._post)

    def _post(self, now: int) -> Input:
        with self._lock:  # nothing is called in here, and so nothing comes in the midst that tells as well
            what, self._what, self._is_waiting = self._what, None, False
        return self._make(now, what)


class News:
    """From `start` to `stop`. `views` are those of `followed`."""

    def __init__(self, box: Box[Any, Any], inbox: Inbox, views: Mapping[str, Any]) -> None:
        self._box = box
        self._inbox = inbox
        self._views = views
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self._subscriptions: list[Any] = []
        #: What the machine was told.
        self._master = False
        self._is_stopped = False

    def start(self, *, master: bool) -> None:
        """`master` is what the machine was started with. Reads the views, in this thread."""
        self._master, here = master, self._subscriptions
        woken = Newest(self._inbox, lambda now, _: Woken(now))
        self._stops = [
            self._box.on_others(woken.tell, ended=self._no_more),
            self._box.on_master(self._take_role),
        ]
        if master:
            self._watch(here)
        self._take_role()

    def stop(self) -> None:
        """Nothing is told any more. Not inside a transaction."""
        self._is_stopped = True
        for stop in self._stops:
            stop()
        with self._lock:
            before = self._begin_anew()
        _close(before)

    def _take_role(self, said: bool | None = None) -> None:
        with self._lock:
            # Read in here, or it may be older than what another thread says meanwhile.
            master = self._box.is_master if said is None else said
            if self._is_stopped or master == self._master:
                return
            self._master = master
            self._inbox.soon(_role(master))
            before, here = self._begin_anew(), self._subscriptions
        _close(before)
        if master:
            self._watch(here)

    def _begin_anew(self) -> list[Any]:
        """Under the lock: what is watched from now on is no business of who closes what was."""
        before, self._subscriptions = self._subscriptions, []
        return before

    def _watch(self, here: list[Any]) -> None:
        for owner, key in self._views.items():
            subscription = self._box.watch(key)
            here.append(subscription)
            poking = _poking(Newest(self._inbox, _poke(owner)))
            subscription.listen(poking, ended=partial(self._ended, owner))
        if here is not self._subscriptions:
            _close(here)  # another thread said so meanwhile, and closed only what was there by then

    def _no_more(self, error: BaseException) -> None:
        self._inbox.soon(_raising(error))

    def _ended(self, owner: str, error: BaseException | None) -> None:
        if isinstance(error, LayoutConflict | StoreMissing):
            self._no_more(error)
        elif error is not None:
            trace = not isinstance(error, StoreError) and error
            _log.error("nothing more is done for %s: its view failed: %s", owner, error, exc_info=trace)


def _close(subscriptions: list[Any]) -> None:
    while True:
        try:
            subscription = subscriptions.pop()
        except IndexError:  # not asked before, for another thread may take out as well
            return
        subscription.close()


def _role(master: bool) -> Post:
    return lambda now: RoleChanged(now, master)


def _raising(error: BaseException) -> Post:
    def post(now: int) -> Input:
        raise error

    return post


def _poke(owner: str) -> Callable[[int, Any], Input]:
    return lambda now, snapshot: Poke(now, owner, snapshot)


def _poking(newest: Newest) -> Callable[[Emission[Any]], None]:
    return lambda emission: newest.tell(emission.snapshot)
