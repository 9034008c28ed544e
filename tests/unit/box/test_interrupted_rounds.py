"""Law: whenever a commit is interrupted, or the telling of it, nobody misses it and nobody is told twice.

Who listens hears of it at the latest with the next commit, whatever that changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.unit.box.moments import files_of, interrupts
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, PutIssue, Say, issue

from pillarbox import transaction as transaction_module
from pillarbox import views
from pillarbox.box import Box, others, rounds, writing
from pillarbox.box import box as box_module
from pillarbox.box.rounds import Rounds
from pillarbox.errors import DataError
from pillarbox.storage import MEMORY
from pillarbox.views import Emission, Subscription, Why, over, pool, subscription, tracker, view
from pillarbox.views import round as views_round

TELLING = files_of(rounds, subscription)
COMMITTING = TELLING | files_of(box_module, writing, others, transaction_module)
#: Where views come to live and go, and where it is told that one has ended.
COMING = files_of(box_module, others, subscription, tracker, pool, over, view, views_round)
FOLDING = {str(path) for path in Path(views.__path__[0]).rglob("*.py")}


class Audience:
    """A box, and everybody who can listen to it."""

    def __init__(self) -> None:
        self.box = Box(MEMORY, PACKAGE)
        self.heard: list[tuple[Any, list[Emission[Any]]]] = []
        self.read: list[tuple[Any, Subscription[Any]]] = []
        self.events: list[object] = []
        for key, every in ((One(1, 1), False), (Board(1), True), (One(1, 2), False)):
            told: list[Emission[Any]] = []
            self.box.watch(key, every=every).listen(told.append)
            self.heard.append((key, told))
        told = []
        self.box.watch_all(One(1, 1), Board(1)).listen(told.append)
        self.heard.append(((One(1, 1), Board(1)), told))
        for key in (One(1, 1), Board(1)):
            self.read.append((key, self.box.watch(key)))
        self.box.on_event(self.events.append)

    def commit(self, rank: int) -> None:
        at = rank % 250
        self.box.replay([PutIssue(issue(1, 1, at)), PutIssue(issue(1, 2, at)), Say(rank)])

    def check(self, rank: int) -> None:
        """All are told of the last commit, and of each but once."""
        for key, told in self.heard:
            assert told[-1].snapshot == self.now(key), key
            assert all(was.snapshot != now.snapshot for was, now in pairwise(told)), "told twice"
        for key, subscribed in self.read:
            assert subscribed.latest.snapshot == next(subscribed).snapshot == self.now(key)
        landed = self.box.get(One(1, 1)).issue is not None
        assert self.events == [rank] * landed

    def leave(self) -> None:
        """When everybody goes nothing is left."""
        self.box._tracker.close()
        assert self.box.view_counters() == ()
        assert not self.box._tracker.interests

    def now(self, key: Any) -> Any:
        return tuple(map(self.box.get, key)) if isinstance(key, tuple) else self.box.get(key)


@pytest.fixture
def audience() -> Iterator[Callable[[], Audience]]:
    """Makes one box after the other; each is closed as the next one comes."""
    made: list[Audience] = []

    def make() -> Audience:
        while made:
            made.pop().box.close()
        made.append(Audience())
        return made[-1]

    yield make
    made.pop().box.close()


@pytest.mark.parametrize("files", [TELLING, COMMITTING, FOLDING], ids=["telling", "committing", "folding"])
def test_whoever_is_interrupted_loses_nothing_for_those_who_listen(
    audience: Callable[[], Audience], files: set[str]
) -> None:
    seated: list[Audience] = []

    def commit(moment: int) -> Callable[[], object]:
        seated[:] = [audience()]
        return lambda: seated[0].commit(moment)

    last = 0
    for moment in interrupts(files, commit):
        last = moment
        seated[0].box.replay([PutIssue(issue(2, 1))])
        seated[0].check(moment)
        seated[0].leave()
    assert last > 20


def test_a_view_that_ends_in_a_round_that_is_interrupted_tells_its_listeners(
    audience: Callable[[], Audience],
) -> None:
    seated: list[Audience] = []
    ended: list[Any] = []

    def make(given: tuple[Any, ...]) -> int:
        if given[0].issue is not None and given[0].issue.number == 1:
            raise ValueError("no such issue")
        return 1

    def commit(moment: int) -> Callable[[], object]:
        seated[:] = [audience()]
        ended.clear()
        seated[0].box.watch_over("a", [One(1, 1)], make).listen(lambda emission: None, ended=ended.append)
        return lambda: seated[0].commit(moment)

    for moment in interrupts(COMING, commit):
        seated[0].commit(200)
        seated[0].box.replay([PutIssue(issue(2, 1))])
        assert list(map(str, ended)) == ["no such issue"], moment
        seated[0].leave()


@pytest.mark.parametrize("how", ["watch", "watch_all", "close", "move"])
def test_who_comes_or_goes_and_is_interrupted_harms_nobody(
    audience: Callable[[], Audience], how: str
) -> None:
    seated: list[Audience] = []
    coming: list[Subscription[Any]] = []

    def come_or_go(moment: int) -> Callable[[], object]:
        seated[:] = [audience()]
        box = seated[0].box
        coming[:] = [late := box.watch(Board(1, 2))]
        works: dict[str, Callable[[], object]] = {
            "watch": lambda: box.watch(Board(2)),
            "watch_all": lambda: box.watch_all(Board(2), One(1, 1)),
            "close": late.close,
            "move": lambda: late.move(Board(1, 5)),
        }
        return works[how]

    for moment in interrupts(COMING, come_or_go):
        seated[0].commit(moment)
        seated[0].check(moment)
        late = coming[0]
        assert late.closed or late.latest.snapshot == seated[0].box.get(late.key)
        seated[0].leave()


def test_listeners_of_an_event_that_one_of_them_interrupts_hear_of_it_with_the_next_round() -> None:
    told: list[object] = []
    waiting = Rounds()

    def interrupted(event: object) -> None:
        told.append(event)
        if event == 1:
            raise KeyboardInterrupt

    waiting.listen(interrupted)
    waiting.listen(told.append)
    waiting.add((), (1, 2))
    with pytest.raises(KeyboardInterrupt):
        waiting.drain()
    waiting.drain()

    assert told == [1, 1, 2, 2]


def subscribed(told: list[Any]) -> Subscription[int]:
    """One whose reports, and what was closed, are put into `told`."""
    key: Any = "key"
    first = Emission(0, Why.INITIAL)
    return Subscription(key, first, every=False, queue_max=1, on_close=told.append, on_error=told.append)


@pytest.mark.parametrize("by_ended", [True, False])
def test_an_end_that_is_interrupted_is_told_by_who_comes_next(by_ended: bool) -> None:
    told: list[Any] = []
    made: list[Subscription[int]] = []
    broken = DataError("a row is damaged")

    def fail(moment: int) -> Callable[[], object]:
        made[:] = [subscribed(told).listen(lambda emission: None, ended=told.append if by_ended else None)]
        told.clear()
        return lambda: made[0].receive(broken)

    for moment in interrupts(TELLING, fail):
        made[0].receive(broken)
        assert told.count(broken) == 1, moment
        assert made[0] in told


def test_who_closes_in_a_callback_that_is_interrupted_is_told_of_the_end() -> None:
    told: list[Any] = []
    closing = subscribed([])

    def hear(emission: Emission[int]) -> None:
        if emission.snapshot:
            closing.close()
            raise KeyboardInterrupt

    closing.listen(hear, ended=told.append)
    waiting = Rounds()
    waiting.add([(closing, Emission(1, Why.GENERIC))])
    with pytest.raises(KeyboardInterrupt):
        waiting.drain()
    waiting.drain()

    assert told == [None]


class Impatient:
    """Whoever waits for something in it is interrupted."""

    def put(self, what: None) -> None:
        raise AssertionError("nothing comes")

    def get(self) -> None:
        raise KeyboardInterrupt


def test_who_is_interrupted_at_any_moment_of_reading_reads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscription, "SimpleQueue", Impatient)
    made: list[Subscription[int]] = []

    def read(moment: int) -> Callable[[], object]:
        made[:] = [subscribed([])]
        next(made[0])
        return lambda: next(made[0])

    for moment in interrupts(TELLING, read):
        with suppress(KeyboardInterrupt):
            next(made[0])
        made[0].receive(Emission(moment, Why.GENERIC))
        assert next(made[0]).snapshot == moment
