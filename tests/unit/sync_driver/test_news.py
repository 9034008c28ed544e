"""What a running engine hears of its box: its role, commits of others, and what side machines follow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue
from tests.waiting import SECONDS_MAX

from pillarbox.box import Box
from pillarbox.sync.inbox import Inbox
from pillarbox.sync.news import News
from pillarbox.sync.signals import Input, Poke, RoleChanged, Woken
from pillarbox.views import Subscription

pytestmark = pytest.mark.anyio
VIEWS = {"watcher": Board(1)}


class Told(News):
    """Hears of its role, as if by the box."""

    def tell(self, master: bool) -> None:
        self._take_role(master)


@pytest.fixture
def box(path: Path) -> Iterator[TrackerBox]:
    with Box(path, PACKAGE, durability="relaxed") as opened:
        yield opened


async def heard(inbox: Inbox, until: Callable[[list[Input]], bool]) -> list[Input]:
    inputs: list[Input] = []
    with anyio.fail_after(SECONDS_MAX):
        while not until(inputs):
            input = (await inbox.take())(5)
            assert input is not None
            inputs.append(input)
    return inputs


async def rest(inbox: Inbox) -> list[Input]:
    return await heard(inbox, lambda _: not inbox.waits)


async def test_commits_of_others_wake_it_and_own_ones_do_not(box: TrackerBox, path: Path) -> None:
    """P-2: there is no timer, a process learns of others when they commit."""
    inbox = Inbox(10)
    news = News(box, inbox, {})
    news.start(master=False)
    box.replay([PutIssue(issue(1, 1))])
    with Box(path, PACKAGE) as other:
        other.replay([PutIssue(issue(1, 2))])
        await heard(inbox, lambda inputs: inputs == [Woken(5)])
    news.stop()
    assert not inbox.waits


async def test_the_role_is_told_when_it_is_another(box: TrackerBox, path: Path) -> None:
    """P-3: a process is the master when the stored id is its own."""
    inbox = Inbox(10)
    box.take_master(now=True)
    news = News(box, inbox, {})
    news.start(master=True)
    with Box(path, PACKAGE) as other:
        other.take_master(now=True)
        inputs = await heard(inbox, lambda inputs: RoleChanged(5, False) in inputs)
        assert RoleChanged(5, True) not in inputs
        await anyio.to_thread.run_sync(lambda: box.take_master(now=True))
        await heard(inbox, lambda inputs: RoleChanged(5, True) in inputs)
    news.stop()


async def test_a_role_that_another_thread_loses_and_the_loop_takes_back_is_had(
    box: TrackerBox,
) -> None:
    """P-3: the box would be the master, and its engine would not do what a master does, for ever."""
    inbox = Inbox(10)
    box.take_master(now=True)
    news = Told(box, inbox, {})
    news.start(master=True)
    thread = threading.Thread(target=news.tell, args=(False,))
    thread.start()
    thread.join()
    news.tell(True)

    inputs = await heard(inbox, lambda inputs: len(inputs) == 2)
    assert inputs == [RoleChanged(5, False), RoleChanged(5, True)]
    news.stop()


async def test_a_role_that_changed_before_it_listened_is_told_too(box: TrackerBox) -> None:
    inbox = Inbox(10)
    box.take_master(now=True)
    news = News(box, inbox, {})
    news.start(master=False)

    assert await heard(inbox, bool) == [RoleChanged(5, True)]
    news.stop()


class Late:
    """A box that loses the role as it is looked at, and takes it back in another thread, which says so."""

    def __init__(self) -> None:
        self.listener: Callable[[bool], None] = lambda _: None
        self.saying: threading.Thread | None = None

    @property
    def is_master(self) -> bool:
        if self.saying is None:
            self.saying = threading.Thread(target=self.listener, args=(True,))
            self.saying.start()
            self.saying.join(0.1)  # It may have to wait until who looks is done.
            return False
        return True

    def on_others(self, *_: object, **__: object) -> Callable[[], None]:
        return lambda: None

    def on_master(self, listener: Callable[[bool], None]) -> Callable[[], None]:
        self.listener = listener
        return lambda: None


async def test_a_role_that_is_taken_back_while_it_is_looked_at_is_had() -> None:
    """P-3: the box would be the master, and its engine would not do what a master does, for ever."""
    box: Any = Late()
    inbox = Inbox(10)
    news = News(box, inbox, {})
    news.start(master=True)
    box.saying.join()

    inputs = await heard(inbox, lambda inputs: len(inputs) == 2)
    assert inputs == [RoleChanged(5, False), RoleChanged(5, True)]
    news.stop()


async def test_the_master_is_poked_with_the_newest_state_and_only_that(box: TrackerBox) -> None:
    inbox = Inbox(10)
    box.take_master(now=True)
    box.replay([PutIssue(issue(1, 1))])
    news = News(box, inbox, VIEWS)
    news.start(master=True)

    first = (await heard(inbox, bool))[0]
    assert isinstance(first, Poke)
    assert first.owner == "watcher"
    assert first.what == box.get(Board(1))
    for number in range(2, 20):
        box.replay([PutIssue(issue(1, number))])
    inputs = await heard(inbox, bool)

    assert [it.what for it in inputs if isinstance(it, Poke)] == [box.get(Board(1))]
    news.stop()
    box.replay([PutIssue(issue(1, 20))])
    assert not inbox.waits


@pytest.mark.parametrize("end", [News.stop, lambda news: news.tell(False)])
async def test_who_ends_while_another_thread_begins_to_watch_leaves_nothing_watched(
    box: TrackerBox, monkeypatch: pytest.MonkeyPatch, end: Callable[[News], None]
) -> None:
    news = Told(box, Inbox(10), VIEWS)
    news.start(master=False)
    watch = box.watch

    def meanwhile(key: Any) -> Any:
        monkeypatch.undo()
        end(news)
        return watch(key)

    monkeypatch.setattr(box, "watch", meanwhile)
    news.tell(True)

    assert not box._tracker.has_subscriptions
    news.stop()


async def test_a_role_that_is_taken_back_while_another_thread_lets_go_of_it_is_watched(
    box: TrackerBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L-3: else no wish is sent any more."""
    box.take_master(now=True)
    news = Told(box, Inbox(10), VIEWS)
    news.start(master=True)
    close = Subscription.close

    def meanwhile(subscription: Subscription[Any]) -> None:
        monkeypatch.undo()
        close(subscription)
        news.tell(True)

    monkeypatch.setattr(Subscription, "close", meanwhile)
    news.tell(False)

    assert box._tracker.has_subscriptions
    news.stop()
    assert not box._tracker.has_subscriptions


async def test_who_is_not_master_is_not_poked_until_it_is(box: TrackerBox, path: Path) -> None:
    inbox = Inbox(10)
    news = News(box, inbox, VIEWS)
    news.start(master=False)
    box.replay([PutIssue(issue(1, 1))])
    await anyio.to_thread.run_sync(lambda: box.take_master(now=True))

    inputs = await heard(inbox, lambda inputs: len(inputs) == 2)

    assert inputs == [RoleChanged(5, True), Poke(5, "watcher", box.get(Board(1)))]
    with Box(path, PACKAGE) as other:
        other.take_master(now=True)
        await heard(inbox, lambda inputs: RoleChanged(5, False) in inputs)
        other.replay([PutIssue(issue(1, 2))])
        inputs = await heard(inbox, lambda inputs: Woken(5) in inputs)
        await anyio.sleep(0.05)
        inputs += await rest(inbox)
        assert not [it for it in inputs if isinstance(it, Poke)]
    news.stop()


async def test_a_role_that_is_told_twice_is_heard_once(box: TrackerBox) -> None:
    inbox = Inbox(10)
    news = Told(box, inbox, {})
    news.start(master=False)
    for master in (False, True, True, False, False):
        news.tell(master)
    news.stop()
    news.tell(True)
    await anyio.sleep(0.01)

    assert await rest(inbox) == [RoleChanged(5, True), RoleChanged(5, False)]
