"""What a listener is told of the end: once, after the last callback, with the error if there is one."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.unit.views.test_subscription import Source
from tests.waiting import SECONDS_MAX

from pillarbox.views import Emission, QueueFull, deliver


class Listener:
    """What one listener is told, in order: numbers, then how it ended."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def hear(self, emission: Emission[int]) -> None:
        self.told.append(emission.snapshot)

    def ended(self, error: BaseException | None) -> None:
        self.told.append(("ended", error))


def fail(source: Source, error: Exception) -> None:
    deliver([(source.subscription, error)])


def test_closing_is_told_once_without_an_error() -> None:
    source, listener = Source(), Listener()
    source.subscription.listen(listener.hear, ended=listener.ended)
    source.emit(1)

    source.subscription.close()
    source.subscription.close()
    source.emit(2)

    assert listener.told == [0, 1, ("ended", None)]
    assert source.errors == []


def test_an_error_of_the_view_is_told_and_not_reported_besides() -> None:
    source, listener = Source(), Listener()
    spilt = ValueError("spilt")
    source.subscription.listen(listener.hear, ended=listener.ended)

    fail(source, spilt)

    assert listener.told == [0, ("ended", spilt)]
    assert source.errors == []


def test_a_callback_that_closes_is_told_after_it_has_returned() -> None:
    source, listener = Source(), Listener()

    def hear(emission: Emission[int]) -> None:
        source.subscription.close()
        listener.told.append("returned")

    source.subscription.listen(hear, ended=listener.ended)

    assert listener.told == ["returned", ("ended", None)]


def test_a_listener_of_what_has_ended_is_told_at_once() -> None:
    for close in (True, False):
        source, listener = Source(), Listener()
        spilt = ValueError("spilt")
        if close:
            source.subscription.close()
        else:
            fail(source, spilt)

        source.subscription.listen(listener.hear, ended=listener.ended)

        assert listener.told == ([("ended", None)] if close else [0, ("ended", spilt)])


def test_the_end_comes_on_the_executor_after_what_waits_there() -> None:
    source, listener = Source(every=True, queue_max=2), Listener()
    entered, go = threading.Event(), threading.Event()

    def hear(emission: Emission[int]) -> None:
        entered.set()
        assert go.wait(SECONDS_MAX)
        listener.hear(emission)

    with ThreadPoolExecutor(max_workers=1) as executor:
        source.subscription.listen(hear, executor=executor, ended=listener.ended)
        assert entered.wait(SECONDS_MAX)
        for number in (1, 2, 3):
            source.emit(number)
        assert listener.told == []
        go.set()

    assert listener.told[:3] == [0, 1, 2]
    (word, error) = listener.told[3]
    assert (word, type(error)) == ("ended", QueueFull)
    assert source.errors == []


def test_the_end_comes_on_the_loop() -> None:
    source, listener = Source(), Listener()
    threads: list[int] = []

    def ended(error: BaseException | None) -> None:
        threads.append(threading.get_ident())
        listener.ended(error)

    async def run() -> None:
        source.subscription.listen(listener.hear, loop=asyncio.get_running_loop(), ended=ended)
        await asyncio.sleep(0)
        await asyncio.to_thread(source.subscription.close)
        await asyncio.sleep(0)

    asyncio.run(run())

    assert listener.told == [0, ("ended", None)]
    assert threads == [threading.get_ident()]


def test_where_the_executor_is_gone_the_end_is_told_all_the_same() -> None:
    source, listener = Source(), Listener()
    executor = ThreadPoolExecutor(max_workers=1)
    source.subscription.listen(listener.hear, executor=executor, ended=listener.ended)
    executor.shutdown()

    source.emit(1)

    assert listener.told[0] == 0
    (word, error) = listener.told[1]
    assert (word, type(error)) == ("ended", RuntimeError)


def test_an_error_in_ended_is_reported() -> None:
    source = Source()

    def ended(error: BaseException | None) -> None:
        raise ValueError("spilt")

    source.subscription.listen(lambda emission: None, ended=ended)
    source.subscription.close()

    assert [type(error) for error in source.errors] == [ValueError]


@pytest.mark.parametrize("threads", [2, 4])
def test_many_that_close_tell_it_once(threads: int) -> None:
    source, listener = Source(), Listener()
    source.subscription.listen(listener.hear, ended=listener.ended)
    start = threading.Barrier(threads)

    def close() -> None:
        start.wait(SECONDS_MAX)
        source.subscription.close()

    closers = [threading.Thread(target=close) for _ in range(threads)]
    for closer in closers:
        closer.start()
    for closer in closers:
        closer.join(SECONDS_MAX)

    assert listener.told == [0, ("ended", None)]
