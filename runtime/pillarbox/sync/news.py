"""What an open box tells a running engine: who is master, what others committed, what side machines watch.

Depends on: inbox, signals, box.  Never on: the machine.

Laws. The machine hears of the role only when it is another. A side machine is poked while this box is the
master, with the newest state of its view and only that, first of all when it becomes it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pillarbox.box import Box
from pillarbox.sync.inbox import Inbox, Post
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import Input, Poke, RoleChanged, Woken
from pillarbox.views import Emission, Hole, WantedHoles


class Followed(NamedTuple):
    """Views that a side machine follows, watched as one, and what it is told of their snapshots."""

    owner: str
    views: Mapping[str, Any]
    what: Callable[[Mapping[str, Any]], Any]


def followed(protocol: SyncProtocol) -> tuple[Followed, ...]:
    """What the side machines of a protocol follow."""
    found = []
    if protocol.outbox is not None:
        found.append(Followed("outbox", {"outbox": protocol.outbox.view}, lambda shown: shown["outbox"]))
    if protocol.holes:
        wanted = {name: WantedHoles(name) for name in protocol.holes}
        found.append(Followed("holes", wanted, _united))
    return tuple(found)


def _united(wanted: Mapping[str, frozenset[Hole]]) -> frozenset[Hole]:
    return frozenset[Hole]().union(*wanted.values())


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
        with self._lock:
            self._is_waiting = False
            return self._make(now, self._what)


class News:
    """From `start` to `stop`."""

    def __init__(self, box: Box[Any, Any], inbox: Inbox, follow: Sequence[Followed]) -> None:
        self._box = box
        self._inbox = inbox
        self._follow = follow
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self._subscriptions: list[Any] = []
        #: What the machine was told.
        self._master = False
        self._is_stopped = False

    def start(self, *, master: bool) -> None:
        """`master` is what the machine was started with. Reads the views, in this thread."""
        self._master = master
        woken = Newest(self._inbox, lambda now, _: Woken(now))
        self._stops = [self._box.on_others(woken.tell), self._box.on_master(self._take_role)]
        if master:
            self._watch()
        if self._box.is_master != master:
            self._take_role(self._box.is_master)

    def stop(self) -> None:
        """Nothing is told any more. Not inside a transaction."""
        self._is_stopped = True
        for stop in self._stops:
            stop()
        self._unwatch()

    def _take_role(self, master: bool) -> None:
        with self._lock:
            if self._is_stopped or master == self._master:
                return
            self._master = master
            self._inbox.soon(_role(master))
        if master:
            self._watch()
        else:
            self._unwatch()

    def _watch(self) -> None:
        for follow in self._follow:
            subscription = self._box.watch_all(follow.views)
            self._subscriptions.append(subscription)
            subscription.listen(_poking(Newest(self._inbox, _poke(follow))))

    def _unwatch(self) -> None:
        while self._subscriptions:
            self._subscriptions.pop().close()


def _role(master: bool) -> Post:
    return lambda now: RoleChanged(now, master)


def _poke(follow: Followed) -> Callable[[int, Any], Input]:
    return lambda now, shown: Poke(now, follow.owner, follow.what(shown))


def _poking(newest: Newest) -> Callable[[Emission[Any]], None]:
    return lambda emission: newest.tell(emission.snapshot)
