"""Filling what live views miss: what is wanted, handed to whoever fetches it.

Depends on: errors, views.  Never on: the box, which is made of this; networks, and how anything is fetched.

Law: a fetcher is told to start once for each hole that comes to be wanted and to cancel once for each that
is wanted no more, whatever views came and went in between; after `close`, of it or of the box, nothing is
left started.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from pillarbox.errors import BoxClosed, UsageError
from pillarbox.views import Emission, Hole, Subscription, Tracker, ViewCounters, ViewKey, WantedHoles

S = TypeVar("S")
_log = logging.getLogger("pillarbox")


class Fetcher(Protocol):
    """Gets what holes miss, from wherever it is.

    Both are called after the commit, or the `watch` or `close`, that made the difference, in its thread and
    never two at a time; they must not wait for what they begin. They may open transactions.

    What was fetched is written in a transaction that also says in the table of holes what is known now. The
    view then reports a smaller hole, another one or none, so the one that was filled is cancelled. One that
    failed stays wanted: try again, or leave it until somebody looks anew.
    """

    def start(self, hole: Hole, /) -> object:
        """Begin to fetch."""

    def cancel(self, hole: Hole, /) -> object:
        """It was filled, or nobody looks any more: what comes of it is not needed."""


class Wanted(NamedTuple):
    """What to do when other holes are wanted than before."""

    cancel: list[Hole]
    start: list[Hole]


def difference(before: frozenset[Hole], now: frozenset[Hole]) -> Wanted:
    """Holes to cancel and to start, in an order that only depends on them."""
    return Wanted(sorted(before - now, key=repr), sorted(now - before, key=repr))


class Fetching:
    """A fetcher at work. Close it, or use it in a `with` block."""

    def __init__(self, subscription: Subscription[frozenset[Hole]], fetcher: Fetcher) -> None:
        self._subscription = subscription
        self._fetcher = fetcher
        #: Held while the fetcher is told, by the thread that may close from within.
        self._lock = threading.RLock()
        self._started: frozenset[Hole] = frozenset()
        #: What was to be fetched at last; who is told may close, and then the rest is of the past.
        self._wanted = self._started
        try:
            subscription.listen(self._take, ended=self._end)
        except BaseException:  # an interrupt, after which nobody could close it
            self.close()
            raise

    @property
    def started(self) -> frozenset[Hole]:
        """What is being fetched."""
        return self._started

    def close(self) -> None:
        """Cancel all. Closing twice is fine. Not inside a transaction: the fetcher may wait for that."""
        self._subscription.close()
        self._end(None)  # at once, also for who is told of something just now

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, emission: Emission[frozenset[Hole]]) -> None:
        with self._lock:
            if not self._subscription.closed:
                self._move(emission.snapshot)

    def _end(self, error: BaseException | None) -> None:
        """The box was closed, or nobody can tell any more what is wanted."""
        if error is not None:
            _log.error("nothing is fetched any more: %s", error)
        self._move(frozenset())

    def _move(self, now: frozenset[Hole]) -> None:
        with self._lock:
            self._wanted = now
            cancel, start = difference(self._started, now)
            for hole in cancel:
                if self._wanted is now:
                    self._started -= {hole}
                    _tell(self._fetcher.cancel, hole)
            for hole in start:
                if self._wanted is now:
                    self._started |= {hole}
                    _tell(self._fetcher.start, hole)


class ThreadFetcher:
    """A fetcher that runs `work(hole, cancelled)` on threads of its own; `cancelled` is set when it was.

    `work` does all of it: ask, wait, and write what came in a transaction. Work that waits for a thread when
    it is cancelled never begins. An error is reported, and the hole stays as it is.
    """

    def __init__(self, work: Callable[[Hole, threading.Event], object], *, threads: int = 2) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._cancelled: dict[Hole, threading.Event] = {}
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pillarbox-fetcher")

    def start(self, hole: Hole, /) -> None:
        """As `Fetcher.start`."""
        cancelled = threading.Event()
        with self._lock:
            self._cancelled[hole] = cancelled
        self._pool.submit(self._run, hole, cancelled)

    def cancel(self, hole: Hole, /) -> None:
        """As `Fetcher.cancel`."""
        with self._lock:
            cancelled = self._cancelled.pop(hole, None)
        if cancelled is not None:
            cancelled.set()

    def close(self) -> None:
        """Wait for what runs; what has not begun never will. Close what tells it to start before."""
        self._pool.shutdown(cancel_futures=True)

    def _run(self, hole: Hole, cancelled: threading.Event) -> None:
        if not cancelled.is_set():
            try:
                self._work(hole, cancelled)
            except BaseException as error:  # also one that ends its thread: nobody else would hear of it
                if not (isinstance(error, BoxClosed) and cancelled.is_set()):  # it came too late, as work may
                    _log.exception("fetching failed, and is left; it was %r", hole)


class Fetches(ABC):
    """What a box offers to those who fetch, and to those who look at what views cost."""

    _tracker: Tracker

    def view_counters(self) -> tuple[ViewCounters, ...]:
        """What each live view did so far, in the order in which views emit."""
        return self._tracker.counters()

    @abstractmethod
    def watch(self, key: ViewKey[S], *, every: bool = False, queue_max: int = 1_000) -> Subscription[S]:
        """Subscribe to a view."""

    def fetch(self, name: str, fetcher: Fetcher, *, everywhere: bool = False) -> Fetching:
        """Tell `fetcher` of all holes that live views want filled under a name, until that is closed.

        With `everywhere` also of those that views of other processes want, which fetch nothing under that
        name themselves; let one process do so, as the one with the connection. Several may fetch under one
        name, each of which is told of all. Raises UsageError for a name under which no view of the schema
        wants anything, and for what is no fetcher.
        """
        if not all(callable(getattr(fetcher, verb, None)) for verb in ("start", "cancel")):
            raise UsageError(
                f"{fetcher!r} is no fetcher, which has `start` and `cancel`; hand a function of a hole over "
                f"as `ThreadFetcher(work)` of pillarbox.box"
            )
        key: Any = WantedHoles(name, everywhere)
        return Fetching(self.watch(key), fetcher)


def _tell(what: Callable[[Hole], object], hole: Hole) -> None:
    try:
        what(hole)
    except Exception:
        _log.exception("a fetcher failed; it was told of %r", hole)
