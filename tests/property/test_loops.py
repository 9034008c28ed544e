"""Who waits in an event loop for another thread goes on, whenever that says so, and the loop runs meanwhile.

Law. Woken any number of times, before it waits or meanwhile, from the loop's own thread or another, a waiter
goes on exactly once, and what else runs in the loop goes on as well. Waking when the loop is gone does
nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.views import loops

#: From where it is woken, and how long after the waiter began; below nothing: before it.
wakes: Final = st.lists(
    st.tuples(st.sampled_from(("loop", "thread")), st.sampled_from((-1, 0, 0.002))), min_size=1, max_size=3
)
#: Turns of the loop after the last call until it is clear that nobody was told of it.
_TURNS_MAX: Final = 200


def in_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


async def waits(calls: list[tuple[str, float]], troubles: list[Any]) -> Any:
    """Wait once, woken by these calls; the arrival, whose loop ends with this."""
    arrived = loops.arrival()
    threads: list[threading.Thread] = []
    gone_on: list[bool] = []
    steps = 0

    def later(seconds: float) -> None:
        time.sleep(seconds)
        arrived.wake()

    async def on_the_loop(seconds: float) -> None:
        await anyio.sleep(seconds)
        arrived.wake()

    async def beside() -> None:
        nonlocal steps
        while True:
            steps += 1
            await anyio.sleep(0)

    async def wait() -> None:
        await arrived.wait()
        gone_on.append(True)

    async with anyio.create_task_group() as group:
        async with anyio.create_task_group() as calling:
            group.start_soon(wait)
            group.start_soon(beside)
            for where, seconds in calls:
                if where == "thread":
                    threads.append(in_thread(arrived.wake if seconds < 0 else partial(later, seconds)))
                    if seconds < 0:
                        threads[-1].join()
                elif seconds < 0:
                    arrived.wake()
                else:
                    calling.start_soon(on_the_loop, seconds)
            before = steps
        while any(thread.is_alive() for thread in threads):
            await anyio.sleep(0.001)
        for _ in range(_TURNS_MAX):
            await anyio.lowlevel.checkpoint()
        assert gone_on == [True], "who waits was not told"
        assert steps > before, "the loop stood"
        group.cancel_scope.cancel()
    assert await loops.beside(lambda: threading.get_ident()) != threading.get_ident()
    return arrived


def law_of(hard: settings, backend: str) -> None:
    @hard
    @given(wakes)
    def law(calls: list[tuple[str, float]]) -> None:
        troubles: list[Any] = []

        async def main() -> Any:
            if backend == "asyncio":
                import asyncio

                asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(context))
            return await waits(calls, troubles)

        arrived = anyio.run(main, backend=backend)
        arrived.wake()
        assert not troubles

    law()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_who_waits_goes_on_once_whenever_it_was_woken(backend: str) -> None:
    law_of(settings(max_examples=30), backend)


FAULTS: Final = (
    (
        Fault(
            "a second wake is an error",
            loops._ArrivalInAsyncio,
            "_resolve",
            "if not self._future.done():",
            "if True:",
        ),
        "asyncio",
    ),
    (
        Fault(
            "the loop is not told",
            loops._ArrivalInAsyncio,
            "wake",
            "self._loop.call_soon_threadsafe(self._resolve)",
            "self._future.get_loop().is_closed() or self._future.done() or None",
        ),
        "asyncio",
    ),
    (
        Fault(
            "a loop that is gone is an error",
            loops._ArrivalInAsyncio,
            "wake",
            "with suppress(RuntimeError):",
            "if True:",
        ),
        "asyncio",
    ),
    (
        Fault(
            "a loop that is gone is an error",
            loops._ArrivalInAnyLoop,
            "wake",
            "with suppress(RuntimeError):",
            "if True:",
        ),
        "trio",
    ),
    (
        Fault(
            "the other loop is not told",
            loops._ArrivalInAnyLoop,
            "wake",
            "self._token.run_sync_soon(self._event.set)",
            "id(self._event)",
        ),
        "trio",
    ),
)


@pytest.mark.parametrize(("fault", "backend"), FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault, backend: str) -> None:
    with fault.planted(), pytest.raises((AssertionError, RuntimeError, ExceptionGroup)):
        law_of(settings(HARD, max_examples=20), backend)
