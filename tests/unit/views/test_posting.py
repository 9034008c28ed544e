"""Callbacks that run on an event loop or on an executor, and what becomes of them where that goes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

from tests.unit.views.test_subscription import Source

from pillarbox.errors import UsageError
from pillarbox.views import Emission


def test_a_callback_runs_on_its_loop() -> None:
    source = Source()
    got: list[tuple[int, int]] = []

    async def main() -> None:
        done = asyncio.Event()

        def take(emission: Emission[int]) -> None:
            got.append((emission.snapshot, threading.get_ident()))
            if emission.snapshot == 1:
                done.set()

        source.subscription.listen(take, loop=asyncio.get_running_loop())
        await asyncio.sleep(0)
        await asyncio.to_thread(source.emit, 1)
        await done.wait()

    asyncio.run(main())

    assert got == [(0, threading.get_ident()), (1, threading.get_ident())]


def test_a_loop_that_is_closed_ends_the_subscription() -> None:
    source = Source()
    loop = asyncio.new_event_loop()
    source.subscription.listen(lambda emission: None, loop=loop)
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()

    source.emit(1)

    assert source.subscription.closed
    assert [type(error) for error in source.errors] == [RuntimeError]


def test_a_loop_that_is_closed_before_it_calls_ends_the_subscription() -> None:
    source = Source()
    loop = asyncio.new_event_loop()
    source.subscription.listen(lambda emission: None, loop=loop)
    loop.close()

    source.emit(1)

    assert source.subscription.closed
    assert [type(error) for error in source.errors] == [RuntimeError]


def test_an_executor_that_drops_a_call_ends_the_subscription() -> None:
    source = Source()
    with ThreadPoolExecutor(1) as executor:
        go = threading.Event()
        executor.submit(go.wait)
        source.subscription.listen(lambda emission: None, executor=executor)
        executor.shutdown(wait=False, cancel_futures=True)
        go.set()

        source.emit(1)

    assert source.subscription.closed
    assert [type(error) for error in source.errors] == [RuntimeError]


class Refusing(Executor):
    """Takes any work and does none of it, as one of processes does with what they cannot be handed."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(TypeError("cannot pickle this"))
        return future


def test_an_executor_that_cannot_call_ends_the_subscription() -> None:
    source = Source()

    source.subscription.listen(lambda emission: None, executor=Refusing())

    assert source.subscription.closed
    (error,) = source.errors
    assert isinstance(error, UsageError)
    assert "did not call the callback: TypeError('cannot pickle this')" in str(error)


def test_what_waits_on_a_loop_is_called_once_for_all_that_came() -> None:
    source = Source(every=True, queue_max=10)
    got: list[int] = []
    loop = asyncio.new_event_loop()
    with patch.object(loop, "call_soon_threadsafe", wraps=loop.call_soon_threadsafe) as posted:
        source.subscription.listen(lambda emission: got.append(emission.snapshot), loop=loop)
        for number in (1, 2, 3):
            source.emit(number)

    loop.run_until_complete(asyncio.sleep(0))
    loop.close()

    assert got == [0, 1, 2, 3]
    assert posted.call_count == 1


def test_a_callback_runs_on_its_executor_one_call_at_a_time() -> None:
    source = Source(every=True, queue_max=100)
    got: list[int] = []
    running = threading.Lock()

    def take(emission: Emission[int]) -> None:
        assert running.acquire(blocking=False)
        got.append(emission.snapshot)
        running.release()

    with ThreadPoolExecutor(4) as executor:
        source.subscription.listen(take, executor=executor)
        for snapshot in range(1, 50):
            source.emit(snapshot)

    assert got == list(range(50))
    assert not source.errors
