"""The queue in front of the machine: its order, its bound, and who may put what in from where."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import anyio
import anyio.lowlevel
import pytest
from tests.waiting import SECONDS_MAX

from pillarbox.sync.inbox import Inbox, Post
from pillarbox.sync.signals import Input, Woken

pytestmark = pytest.mark.anyio


def post(number: int) -> Post:
    return lambda now: Woken(number)


def number_of(post: Post) -> int:
    input: Input | None = post(0)
    assert input is not None
    return input.now


async def test_who_brings_more_than_the_bound_waits_until_something_was_taken() -> None:
    inbox = Inbox(2)
    brought: list[int] = []

    async def bring() -> None:
        for number in range(4):
            await inbox.bring(post(number))
            brought.append(number)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bring)
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert brought == [0, 1]
        inbox.put(post(9))  # what was asked for does not wait
        assert number_of(await inbox.take()) == 0
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert brought == [0, 1, 2]
        assert [number_of(await inbox.take()) for _ in range(3)] == [1, 9, 2]
        assert number_of(await inbox.take()) == 3


async def test_who_waits_for_room_waits_no_longer_when_nobody_takes_any_more() -> None:
    inbox = Inbox(1)
    await inbox.bring(post(0))
    with anyio.fail_after(SECONDS_MAX):
        async with anyio.create_task_group() as tasks:
            for number in range(1, 4):
                tasks.start_soon(inbox.bring, post(number))
            for _ in range(20):
                await anyio.lowlevel.checkpoint()
            inbox.end()


async def test_who_is_cancelled_while_waiting_for_room_leaves_none_behind() -> None:
    inbox = Inbox(1)
    await inbox.bring(post(1))
    with anyio.move_on_after(0.01):
        await inbox.bring(post(2))

    assert number_of(await inbox.take()) == 1
    assert not inbox.waits


async def test_other_threads_put_in_what_the_loop_takes_out_in_order() -> None:
    inbox = Inbox(1)

    def put_in() -> None:
        for number in range(100):
            inbox.soon(post(number))

    thread = threading.Thread(target=put_in)
    thread.start()
    with anyio.fail_after(SECONDS_MAX):
        taken = [number_of(await inbox.take()) for _ in range(100)]
    thread.join()

    assert taken == list(range(100))


async def test_what_another_thread_said_before_comes_before_what_the_loop_says() -> None:
    """Though the event loop had no turn between the two."""
    inbox = Inbox(1)
    for number in range(0, 6, 2):
        thread = threading.Thread(target=inbox.soon, args=(post(number),))
        thread.start()
        thread.join()
        inbox.soon(post(number + 1))

    assert [number_of(await inbox.take()) for _ in range(6)] == list(range(6))
    for _ in range(20):
        await anyio.lowlevel.checkpoint()
    assert not inbox.waits


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_what_comes_when_the_event_loop_is_gone_is_nothing(backend: str) -> None:
    async def main() -> Inbox:
        return Inbox(1)

    with ThreadPoolExecutor(1) as pool:
        inbox = pool.submit(lambda: anyio.run(main, backend=backend)).result()
        inbox.soon(post(1))

    assert not inbox.waits
