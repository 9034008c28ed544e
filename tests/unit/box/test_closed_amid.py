"""Law: whenever a subscription is closed in the very thread that tells of a commit, others miss nothing.

So a finalizer closes it, which runs where garbage is collected, and a handler of signals.
"""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from tests.unit.box.moments import Interrupt, files_of
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, PutIssue, Say, issue
from tests.waiting import SECONDS_MAX

import pillarbox.box
from pillarbox import transaction, views
from pillarbox.box import Box
from pillarbox.storage import MEMORY
from pillarbox.views import Emission, Subscription

FILES: Final = files_of(transaction) | {
    str(path) for package in (views, pillarbox.box) for path in Path(package.__path__[0]).rglob("*.py")
}
KEYS: Final[tuple[Any, ...]] = (One(1, 1), One(1, 1), One(1, 1), Board(1), Board(1), One(1, 2))


class Amid(Interrupt):
    """Does something at a moment, where an interrupt would come."""

    def __init__(self, moment: int, act: Callable[[], object], files: Collection[str] = FILES) -> None:
        super().__init__(moment, files)
        self._act = act

    def _pass(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.came = True
            self._act()


class Audience:
    """A box, who listens to it, and who reads it."""

    def __init__(self) -> None:
        self.box = Box(MEMORY, PACKAGE)
        self.told: list[list[Any]] = [[] for _ in KEYS]
        self.subscriptions: list[Subscription[Any]] = [
            self.box.watch(key).listen(lambda emission, told=told: told.append(emission.snapshot))  # type: ignore[misc]
            for key, told in zip(KEYS, self.told, strict=True)
        ]
        self.subscriptions += [self.box.watch(One(1, 1)), self.box.watch(Board(1))]
        self.subscriptions.append(self.box.watch_all(One(1, 1), Board(1)))

    def check(self, but: int) -> None:
        """All but one were told of the commit, once; when everybody goes nothing is left."""
        for number, told in enumerate(self.told):
            if number != but:
                assert len(told) == 2
                assert told[-1] == self.box.get(KEYS[number])
        for subscription in self.subscriptions:
            subscription.close()
        assert self.box.view_counters() == ()
        self.box.close()


@pytest.mark.parametrize("which", [0, 5, 6, 8])
def test_who_is_closed_amid_a_commit_takes_nothing_from_others(which: int) -> None:
    for moment in count(1):
        audience = Audience()
        amid = Amid(moment, audience.subscriptions[which].close)
        with amid:
            audience.box.replay([PutIssue(issue(1, 1, 5)), PutIssue(issue(1, 2, 6))])
        audience.box.replay([Say(1)])
        audience.check(but=which)
        if not amid.came:
            assert moment > 100
            return


def test_who_is_closed_amid_waiting_for_an_emission_waits_no_more() -> None:
    for moment in range(1, 30):
        with Box(MEMORY, PACKAGE) as box:
            subscription = box.watch(One(1, 1))
            next(subscription)
            amid = Amid(moment, subscription.close)
            late = threading.Timer(0.02, subscription.close)  # where the moment never comes
            late.start()
            with amid:
                assert list(subscription) == []
            late.join()
        assert amid.came or moment > 5


def test_what_is_written_amid_waiting_for_an_emission_is_read() -> None:
    """As a handler of signals may do."""
    for moment in range(1, 30):
        with Box(MEMORY, PACKAGE) as box:
            subscription = box.watch(One(1, 1))
            next(subscription)
            put = [PutIssue(issue(1, 1, 5))]
            amid = Amid(moment, partial(box.replay, put))
            late = threading.Timer(0.02, partial(box.replay, put))  # where the moment never comes
            late.start()
            with amid:
                assert next(subscription).snapshot.issue == issue(1, 1, 5)
            late.join()
        assert amid.came or moment > 5


def test_garbage_that_closes_subscriptions_is_collected_anywhere() -> None:
    class Widget:
        def __init__(self, box: Box[Any, Any], key: Any) -> None:
            self.me = self
            self._subscription = box.watch(key)

        def __del__(self) -> None:
            self._subscription.close()

    before = gc.get_threshold()
    told: list[Emission[Any]] = []
    with Box(MEMORY, PACKAGE) as box:
        try:
            gc.set_threshold(20, 2, 2)
            for rank in range(200):
                for key in KEYS:
                    Widget(box, key)
                if rank == 100:
                    box.watch(One(1, 1)).listen(told.append)
                box.replay([PutIssue(issue(1, 1, rank % 250)), PutIssue(issue(1, 2, rank % 250))])
        finally:
            gc.set_threshold(*before)
        gc.collect()
        assert [emission.snapshot.issue.rank for emission in told] == list(range(99, 200))
        assert len(box.view_counters()) == 1


def test_a_signal_ends_a_loop_over_emissions() -> None:
    with Box(MEMORY, PACKAGE) as box, box.watch(One(1, 1)) as watched:
        before = signal.signal(signal.SIGALRM, lambda *_: watched.close())
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            begin = time.monotonic()
            assert len(list(watched)) == 1
        finally:
            signal.signal(signal.SIGALRM, before)
        assert time.monotonic() - begin < SECONDS_MAX
