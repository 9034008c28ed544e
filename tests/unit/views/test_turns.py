"""Who reads on an event loop or an executor, and is slower than those who write, leaves it to others, too."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import anyio
import pytest
from tests.unit.views.test_subscription import Source

from pillarbox.views import Emission

#: Emissions of a writer that is always ahead.
AHEAD: Final = 200


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_loop_over_what_always_waits_can_be_left_by_a_timeout(backend: str) -> None:
    source = Source()
    turns = 0

    async def beside() -> None:
        nonlocal turns
        while True:
            turns += 1
            await anyio.sleep(0)

    async def main() -> bool:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(beside)
            with anyio.move_on_after(0.05) as scope:
                async for emission in source.subscription:
                    if emission.snapshot == AHEAD * 100:
                        break
                    source.emit(emission.snapshot + 1)  # so that one waits again
            tasks.cancel_scope.cancel()
        return scope.cancelled_caught

    assert anyio.run(main, backend=backend), "the timeout never came"
    assert turns > 10
    assert next(source.subscription).snapshot > 0, "what was not taken waits for the next reader"


def test_a_callback_on_a_loop_lets_others_there_be_called() -> None:
    source = Source(every=True, queue_max=9)
    told: list[object] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        done = asyncio.Event()

        def take(emission: Emission[int]) -> None:
            told.append(emission.snapshot)
            if emission.snapshot < AHEAD:
                source.emit(emission.snapshot + 1)
            else:
                done.set()

        source.subscription.listen(take, loop=loop)
        loop.call_soon(told.append, "other")
        await done.wait()

    asyncio.run(main())

    assert [what for what in told if what != "other"] == list(range(AHEAD + 1))
    assert told.index("other") <= 1


def test_a_callback_on_an_executor_lets_other_work_be_done_there() -> None:
    source = Source(every=True, queue_max=9)
    told: list[object] = []
    done, go = threading.Event(), threading.Event()

    def take(emission: Emission[int]) -> None:
        go.wait()
        told.append(emission.snapshot)
        if emission.snapshot < AHEAD:
            source.emit(emission.snapshot + 1)
        else:
            done.set()

    with ThreadPoolExecutor(1) as executor:
        source.subscription.listen(take, executor=executor)
        executor.submit(told.append, "other")
        go.set()
        assert done.wait(10)

    assert [what for what in told if what != "other"] == list(range(AHEAD + 1))
    assert told.index("other") <= 1


def test_what_waits_when_the_executor_is_shut_down_is_given_in_its_last_turn() -> None:
    source = Source(every=True, queue_max=9)
    told: list[int] = []
    go = threading.Event()

    def take(emission: Emission[int]) -> None:
        go.wait()
        told.append(emission.snapshot)

    executor = ThreadPoolExecutor(1)
    source.subscription.listen(take, executor=executor)
    for number in range(1, 5):
        source.emit(number)
    executor.shutdown(wait=False)
    go.set()
    executor.shutdown()

    assert told == [0, 1, 2, 3, 4]
    assert not source.errors


def test_what_waits_behind_a_callback_that_ends_its_thread_is_given_all_the_same() -> None:
    source = Source(every=True, queue_max=9)
    told: list[int] = []
    done, go = threading.Event(), threading.Event()

    def take(emission: Emission[int]) -> None:
        go.wait()
        told.append(emission.snapshot)
        if emission.snapshot == 1:
            raise SystemExit
        if emission.snapshot == 3:
            done.set()

    with ThreadPoolExecutor(1) as executor:
        source.subscription.listen(take, executor=executor)
        for number in (1, 2, 3):
            source.emit(number)
        go.set()
        assert done.wait(10)

    assert told == [0, 1, 2, 3]
