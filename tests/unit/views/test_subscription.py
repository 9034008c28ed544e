"""Subscriptions: callback, iterator, async iterator; latest only or every emission; ending."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest
from tests.waiting import SECONDS_MAX

from pillarbox.errors import UsageError
from pillarbox.views import Emission, QueueFull, Subscription, Tracker, Why, deliver


class Source:
    """A subscription that is fed by hand; what it reports and whether it was closed are on record."""

    def __init__(self, *, every: bool = False, queue_max: int = 3) -> None:
        self.errors: list[BaseException] = []
        self.released = 0
        key: Any = ("key",)
        self.subscription: Subscription[int] = Subscription(
            key,
            Emission(0, Why.INITIAL),
            every=every,
            queue_max=queue_max,
            on_close=self._release,
            on_error=self.errors.append,
        )

    def _release(self, subscription: Subscription[int]) -> None:
        self.released += 1

    def emit(self, snapshot: int, *parts: str, why: Why = Why.GENERIC) -> None:
        deliver([(self.subscription, Emission(snapshot, why, parts))])


# ----------------------------------------------------------------------------------------- callback


def test_a_callback_gets_the_first_emission_at_once_and_the_others_as_they_come() -> None:
    source = Source()
    got: list[Emission[int]] = []

    source.subscription.listen(got.append)
    source.emit(1, "a")
    source.emit(2, "b")

    assert [(emission.snapshot, emission.why) for emission in got] == [
        (0, Why.INITIAL),
        (1, Why.GENERIC),
        (2, Why.GENERIC),
    ]
    assert source.subscription.latest is got[-1]


def test_an_error_in_a_callback_is_reported_and_stops_nobody() -> None:
    source, other = Source(), Source()
    got: list[int] = []
    source.subscription.listen(lambda emission: 1 // emission.snapshot)
    other.subscription.listen(lambda emission: got.append(emission.snapshot))

    source.emit(0)
    other.emit(5)

    assert [type(error) for error in source.errors] == [ZeroDivisionError, ZeroDivisionError]
    assert got == [0, 5]


def test_an_error_in_a_callback_is_logged_by_default(caplog: pytest.LogCaptureFixture) -> None:
    Tracker({}, {})._on_error(ValueError("spilt"))

    assert caplog.records[0].name == "pillarbox"
    assert caplog.records[0].levelno == logging.ERROR
    assert "spilt" in caplog.text


def test_an_interrupt_in_a_callback_passes_through_and_the_next_emission_is_delivered() -> None:
    source = Source()
    got: list[int] = []

    def interrupted_once(emission: Emission[int]) -> None:
        got.append(emission.snapshot)
        if emission.snapshot == 1:
            raise KeyboardInterrupt

    source.subscription.listen(interrupted_once)
    with pytest.raises(KeyboardInterrupt):
        source.emit(1)
    source.emit(2)

    assert got == [0, 1, 2]


def test_a_callback_may_close_its_own_subscription() -> None:
    source = Source()
    got: list[int] = []

    def once(emission: Emission[int]) -> None:
        got.append(emission.snapshot)
        source.subscription.close()

    source.subscription.listen(once)
    source.emit(1)

    assert (got, source.released) == ([0], 1)


def test_a_second_reader_is_refused() -> None:
    source = Source()
    source.subscription.listen(lambda emission: None)

    with pytest.raises(UsageError, match="has a reader already"):
        source.subscription.listen(lambda emission: None)
    with pytest.raises(UsageError, match="has a reader already"):
        next(source.subscription)


def test_a_coroutine_function_is_no_callback() -> None:
    source = Source()

    async def heard(emission: object) -> None: ...

    with pytest.raises(UsageError, match="nobody awaits what it gives back; loop over the subscription by"):
        source.subscription.listen(heard)
    with pytest.raises(UsageError, match="nobody awaits"):
        source.subscription.listen(print, ended=heard)
    assert next(source.subscription).snapshot == 0


def test_emissions_during_a_callback_come_after_it_in_order_and_merged() -> None:
    source = Source()
    got: list[int] = []

    def slow(emission: Emission[int]) -> None:
        got.append(emission.snapshot)
        if emission.snapshot == 1:
            for snapshot in (2, 3):
                thread = threading.Thread(target=source.emit, args=(snapshot,))
                thread.start()
                thread.join()

    source.subscription.listen(slow)
    source.emit(1)

    assert got == [0, 1, 3]


# ---------------------------------------------------------------------------------------- iterators


def test_an_iterator_gives_the_latest_with_all_that_was_missed() -> None:
    source = Source()
    assert next(source.subscription).why is Why.INITIAL

    source.emit(1, "a")
    source.emit(2, "b", why=Why.UPDATE_VISIBLE)
    source.emit(3, "a")

    assert next(source.subscription) == Emission(3, Why.UPDATE_VISIBLE, ("a", "b"))


def test_what_was_missed_of_the_first_emission_is_first_still() -> None:
    source = Source()

    source.emit(1, "a")

    assert next(source.subscription) == Emission(1, Why.INITIAL)


def test_an_iterator_of_every_emission_misses_none() -> None:
    source = Source(every=True)

    source.emit(1)
    source.emit(2)
    source.subscription.fail(ValueError("the end"))

    assert [next(source.subscription).snapshot for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="the end"):
        next(source.subscription)


def test_one_emission_too_many_ends_the_subscription_after_those_that_wait() -> None:
    source = Source(every=True, queue_max=3)

    for snapshot in (1, 2, 3, 4):
        source.emit(snapshot)

    assert source.subscription.closed
    assert [next(source.subscription).snapshot for _ in range(3)] == [0, 1, 2]
    with pytest.raises(QueueFull, match=r"3 emissions of \('key',\)"):
        next(source.subscription)
    with pytest.raises(StopIteration):
        next(source.subscription)


def test_a_waiting_iterator_is_woken_by_an_emission_and_ended_by_close() -> None:
    source = Source()
    got: list[int] = []
    taken = [threading.Event(), threading.Event()]

    def read() -> None:
        for emission in source.subscription:
            got.append(emission.snapshot)
            taken[emission.snapshot].set()

    thread = threading.Thread(target=read)
    thread.start()
    assert taken[0].wait(SECONDS_MAX)
    source.emit(1)
    assert taken[1].wait(SECONDS_MAX)
    source.subscription.close()
    thread.join(SECONDS_MAX)

    assert not thread.is_alive()
    assert got == [0, 1]


def test_an_async_iterator_is_woken_from_another_thread_and_ended_by_close() -> None:
    source = Source()

    async def read() -> list[int]:
        got = []
        async for emission in source.subscription:
            got.append(emission.snapshot)
            if emission.snapshot < 2:
                threading.Timer(0.01, source.emit, (emission.snapshot + 1,)).start()
            else:
                threading.Timer(0.01, source.subscription.close).start()
        return got

    assert asyncio.run(read()) == [0, 1, 2]


def test_an_async_reader_that_was_cancelled_can_read_on() -> None:
    source = Source()

    async def main() -> Emission[int]:
        await anext(source.subscription)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(source.subscription), 0.01)
        source.emit(1)
        return await anext(source.subscription)

    assert asyncio.run(main()).snapshot == 1


def test_an_emission_after_the_loop_of_its_reader_is_gone_disturbs_nobody() -> None:
    source = Source()

    async def leave_while_waiting() -> asyncio.Task[Emission[int]]:
        await anext(source.subscription)
        task = asyncio.ensure_future(anext(source.subscription))
        await asyncio.sleep(0)
        return task

    loop = asyncio.new_event_loop()
    task = loop.run_until_complete(leave_while_waiting())
    loop.close()

    source.emit(1)

    assert source.subscription.latest.snapshot == 1
    assert not task.done()
    task._log_destroy_pending = False  # type: ignore[attr-defined]  # it is meant to be left behind


# ------------------------------------------------------------------------------------------- ending


def test_closing_drops_what_waits_and_is_told_once() -> None:
    source = Source(every=True)
    source.emit(1)

    with source.subscription:
        pass
    source.subscription.close()
    source.emit(2)

    assert list(source.subscription) == []
    assert source.released == 1
    assert source.subscription.latest.snapshot == 1


def test_an_error_of_the_view_is_reported_where_a_callback_listens() -> None:
    source = Source()
    source.subscription.listen(lambda emission: None)

    deliver([(source.subscription, ValueError("damaged"))])

    assert [str(error) for error in source.errors] == ["damaged"]
    assert source.subscription.closed


def test_emissions_of_many_threads_all_arrive_each_threads_in_order() -> None:
    source = Source(every=True, queue_max=10_000)
    got: list[int] = []

    def read() -> None:
        for emission in source.subscription:
            got.append(emission.snapshot)
            if len(got) == 601:
                source.subscription.close()

    def write(base: int) -> None:
        for n in range(200):
            source.emit(base + n)

    threads = [threading.Thread(target=read)]
    threads += [threading.Thread(target=write, args=(base,)) for base in (1_000, 2_000, 3_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS_MAX)

    assert source.subscription.closed
    for base in (1_000, 2_000, 3_000):
        assert [n for n in got if base <= n < base + 200] == list(range(base, base + 200))
