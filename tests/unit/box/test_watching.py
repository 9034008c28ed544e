"""Who hears what, when, in which order and on which thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.unit.runtime.tracker_package import (
    Board,
    One,
    PutIssue,
    Say,
    TrackerBox,
    issue,
)
from tests.waiting import SECONDS_MAX, until, wait_for

from pillarbox.box import worker
from pillarbox.box.rounds import Rounds
from pillarbox.box.watcher import Watcher
from pillarbox.errors import BoxClosed, UsageError
from pillarbox.views import Emission, Subscription


def put(box: TrackerBox, number: int, rank: int = 0) -> None:
    box.replay([PutIssue(issue(1, number, rank))])


def ranks(heard: list[Emission[Any]]) -> list[int | None]:
    return [None if it.snapshot.issue is None else it.snapshot.issue.rank for it in heard]


def test_a_view_is_heard_once_per_commit_that_changed_it_and_never_else(box: TrackerBox) -> None:
    heard: list[Any] = []
    box.watch(One(1, 1)).listen(heard.append)

    for rank in (1, 2, 2):
        put(box, 1, rank)
        put(box, 2, rank)

    assert ranks(heard) == [None, 1, 2]


def test_when_a_transaction_is_left_its_views_have_emitted(box: TrackerBox) -> None:
    subscription = box.watch(Board(1))

    with box.transaction() as tx:
        tx.issues.put(issue(1, 1))
        inside = subscription.latest.snapshot

    assert inside.issues == ()
    assert subscription.latest.snapshot.issues == (issue(1, 1),)


# ---------------------------------------------------------------------------------------- callbacks


def test_a_callback_may_subscribe(box: TrackerBox) -> None:
    heard: list[Any] = []
    others: list[Subscription[Any]] = []

    def callback(emission: Emission[Any]) -> None:
        if len(others) < 2:
            others.append(box.watch(One(1, 1)).listen(heard.append))

    box.watch(Board(1)).listen(callback)
    put(box, 1, 5)
    put(box, 1, 6)

    assert ranks(heard) == [None, 5, 5, 6, 6]


def test_a_callback_may_unsubscribe_itself_and_others(box: TrackerBox) -> None:
    heard: list[Any] = []
    first, second = box.watch(Board(1)), box.watch(One(1, 1))

    def callback(emission: Emission[Any]) -> None:
        if emission.snapshot.issues:
            first.close()
            second.close()

    first.listen(callback)
    second.listen(heard.append)
    put(box, 1)
    put(box, 1, 3)

    assert ranks(heard) == [None], "it was closed before its turn came"
    assert not box._tracker.has_subscriptions


def test_a_callback_may_open_a_transaction_which_emits_after_the_round(box: TrackerBox) -> None:
    order: list[str] = []

    def writes(emission: Emission[Any]) -> None:
        order.append(f"first {len(emission.snapshot.issues)}")
        if len(emission.snapshot.issues) == 1:
            put(box, 2)
            order.append("left the inner transaction")

    box.watch(Board(1)).listen(writes)
    box.watch(Board(1, 9)).listen(lambda emission: order.append(f"second {len(emission.snapshot.issues)}"))
    put(box, 1)

    assert order[2:] == ["first 1", "left the inner transaction", "second 1", "first 2", "second 2"]


def test_a_callback_that_raises_stops_nobody(box: TrackerBox, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Any] = []

    def fails(emission: Emission[Any]) -> None:
        raise RuntimeError("planted")

    box.watch(One(1, 1)).listen(fails)
    box.watch(One(1, 1)).listen(heard.append)
    put(box, 1, 5)

    assert ranks(heard) == [None, 5]
    assert len([it for it in caplog.records if it.exc_info]) == 2


def test_an_event_listener_that_raises_stops_nobody(
    box: TrackerBox, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[object] = []

    def fails(event: object) -> None:
        raise RuntimeError("planted")

    box.on_event(fails)
    box.on_event(heard.append)
    box.replay([Say("event")])

    assert heard == ["event"]
    assert "the event was 'event'" in caplog.text


def test_a_callback_may_close_the_box(box: TrackerBox) -> None:
    box.watch(One(1, 1)).listen(lambda emission: box.close() if emission.snapshot.issue else None)

    put(box, 1)

    with pytest.raises(UsageError, match="is closed"):
        put(box, 2)


def test_who_is_told_of_the_end_of_a_box_may_wait_for_others_who_use_it(box: TrackerBox) -> None:
    told: list[object] = []

    def use() -> None:
        try:
            put(box, 1)
        except BaseException as error:
            told.append(type(error))

    def ended(error: BaseException | None) -> None:
        other = threading.Thread(target=use, daemon=True)
        other.start()
        other.join(SECONDS_MAX)
        use()
        told.append(error)

    box.watch(One(1, 1)).listen(lambda emission: None, ended=ended)
    box.close()

    assert told == [BoxClosed, BoxClosed, None]


def test_closing_ends_all_subscriptions(box: TrackerBox) -> None:
    subscription = box.watch(Board(1))

    box.close()

    assert subscription.closed
    assert list(subscription) == []


# ------------------------------------------------------------------------------------------- order


def test_emissions_of_two_committing_threads_come_in_the_order_of_the_commits(box: TrackerBox) -> None:
    heard: list[Any] = []
    at_once = threading.Barrier(2)

    def work(own: int) -> None:
        at_once.wait()
        for _ in range(100):
            with box.transaction() as tx:
                stored = tx.issues.get(1, 1)
                tx.issues.put(issue(1, 1, 1 if stored is None else stored.rank + 1))
                tx.issues.put(issue(2, own, own))

    box.watch(One(1, 1)).listen(heard.append)
    threads = [threading.Thread(target=work, args=(own,)) for own in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    wait_for(lambda: len(heard) == 201)
    assert ranks(heard) == [None, *range(1, 201)]


def test_rounds_are_delivered_whole_and_in_order_whoever_adds_them() -> None:
    rounds = Rounds()
    heard: list[object] = []

    def listener(event: object) -> None:
        heard.append(event)
        if event == "a":
            rounds.add((), ("c", "d"))
            rounds.drain()

    rounds.listen(listener)
    rounds.add((), ("a", "b"))
    rounds.drain()

    assert heard == ["a", "b", "c", "d"]


# ------------------------------------------------------------------------------------------- async


def run(work: Callable[[list[int]], Any]) -> int:
    """Run a coroutine beside a ticker; how often that could tick."""

    async def main() -> int:
        ticks: list[int] = []

        async def tick() -> None:
            while True:
                ticks.append(1)
                await asyncio.sleep(0.005)

        ticker = asyncio.create_task(tick())
        await work(ticks)
        ticker.cancel()
        return len(ticks)

    return asyncio.run(main())


def test_async_twins_leave_the_event_loop_free(box: TrackerBox) -> None:
    async def work(ticks: list[int]) -> None:
        def slow(tx: Any) -> str:
            tx.issues.put(issue(1, 2, 7))
            before = len(ticks)
            wait_for(lambda: len(ticks) - before > 5)  # else the ticker stands still
            return threading.current_thread().name

        commit = await box.replay_async([PutIssue(issue(1, 1, 5))])
        assert commit.changed
        name = await box.transact_async(slow)
        assert name.startswith("pillarbox-writer")
        assert (await box.get_async(One(1, 2))).issue == issue(1, 2, 7)

    run(work)


def test_an_async_transaction_waits_for_the_lock_without_holding_up_the_loop(box: TrackerBox) -> None:
    locked, release = threading.Event(), threading.Event()

    def holder() -> None:
        with box.transaction():
            locked.set()
            release.wait()

    async def work(ticks: list[int]) -> None:
        replaying = asyncio.create_task(box.replay_async([PutIssue(issue(1, 1))]))
        before = len(ticks)
        await until(lambda: len(ticks) - before > 5)
        assert not replaying.done()
        release.set()
        await replaying

    thread = threading.Thread(target=holder)
    thread.start()
    locked.wait()
    run(work)
    thread.join()
    assert box.get(One(1, 1)).issue == issue(1, 1)


def test_emissions_can_be_awaited(box: TrackerBox) -> None:
    async def work(ticks: list[int]) -> None:
        heard: list[Any] = []
        subscription = await box.watch_async(One(1, 1))

        async def listen() -> None:
            async for emission in subscription:
                heard.append(emission)
                if len(heard) == 3:
                    subscription.close()

        listening = asyncio.create_task(listen())
        for count, rank in enumerate((5, 6), 1):
            await until(lambda: len(heard) == count)  # noqa: B023  # it ends in this turn
            await box.replay_async([PutIssue(issue(1, 1, rank))])
        await asyncio.wait_for(listening, SECONDS_MAX)
        assert ranks(heard) == [None, 5, 6]

    run(work)


def test_a_box_may_be_closed_on_its_own_writer_thread(box: TrackerBox) -> None:
    async def work(ticks: list[int]) -> None:
        box.watch(One(1, 1)).listen(lambda emission: box.close() if emission.snapshot.issue else None)
        await box.replay_async([PutIssue(issue(1, 1))])
        with pytest.raises(UsageError, match="is closed"):
            await box.replay_async([])

    run(work)


def test_loops_of_several_threads_have_one_writer_thread(
    box: TrackerBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = threading.Barrier(2)
    writers: list[int] = []

    def made_at_once(*args: Any, **options: Any) -> Any:
        both.wait(SECONDS_MAX)
        return ThreadPoolExecutor(*args, **options)

    def write() -> None:
        asyncio.run(box.transact_async(lambda tx: writers.append(threading.get_ident())))

    monkeypatch.setattr(worker, "ThreadPoolExecutor", made_at_once)
    threads = [threading.Thread(target=write) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert len(writers) == 2
    assert len(set(writers)) == 1


# ------------------------------------------------------------------------------------------ watcher


def test_the_watcher_looks_while_it_is_wanted_and_can_start_again() -> None:
    looks: list[int] = []
    wanted = [True]
    watcher = Watcher(lambda: looks.append(1))

    watcher.start(lambda: wanted[0])
    wait_for(lambda: len(looks) > 2)
    wanted[0] = False
    wait_for(lambda: watcher._thread is None)
    looks.clear()
    wanted[0] = True
    watcher.start(lambda: wanted[0])
    wait_for(lambda: looks)
    watcher.stop()
    watcher.start(lambda: True)

    assert watcher._thread is not None
    assert not watcher._thread.is_alive(), "it was stopped for good"
