"""What ends a task or a thread, raised by what a program handed over, ends no engine without a word.

As SystemExit, and the CancelledError of asyncio, by which one hears of a future that was cancelled. The first
comes out of the block, of one that runs in a thread as well, where all that waits is woken.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.unit.sync_driver.engines import name
from tests.unit.sync_driver.small_server import Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import EngineStopped, Unsettled, UsageError
from pillarbox.sync import Engine
from pillarbox.sync.threaded import EngineThread, in_thread
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.protocol import PROTOCOL

PLACES = pytest.mark.parametrize("place", ["thread", "loop"])
QUIET = [asyncio.CancelledError, GeneratorExit]


def raising(error: type[BaseException], *_: object) -> Any:
    raise error


@pytest.mark.anyio
@PLACES
@pytest.mark.parametrize("error", QUIET)
async def test_a_listener_that_ends_its_task_fails_alone(
    box: Box, server: SmallServer, place: Any, error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    cable = Cable(server.answer)
    told: list[object] = []
    is_over = False
    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
            engine.on_updating(partial(raising, error))
            engine.on_events(partial(raising, error))
            engine.on_events(told.extend)
            await engine.flush()
            for text in ("one", "two"):
                cable.push(server.rename(text), server.say(text))
                await cable.said()
                await engine.flush()
            await until(lambda: len(told) == 2)
            is_over = True
    assert is_over
    assert name(box) == "two"
    assert "a listener of the engine failed" in caplog.text


@pytest.mark.anyio
@PLACES
@pytest.mark.parametrize("error", QUIET)
async def test_work_that_ends_its_task_fails_alone(
    box: Box, server: SmallServer, place: Any, error: type[BaseException]
) -> None:
    cable = Cable(server.answer)
    is_over = False
    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
            with pytest.raises(UsageError, match=f"the work of a run_custom raised {error.__name__}"):
                await engine.run_custom(partial(raising, error))
            cable.push(server.rename("on"))
            await cable.said()
            await engine.flush()
            is_over = True
    assert is_over
    assert name(box) == "on"


@pytest.mark.anyio
@PLACES
@pytest.mark.parametrize("error", QUIET)
async def test_a_callback_of_the_box_that_ends_its_task_ends_the_block_with_an_error(
    box: Box, server: SmallServer, place: Any, error: type[BaseException]
) -> None:
    cable = Cable(server.answer)

    async def run() -> None:
        with anyio.fail_after(SECONDS_MAX):
            async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
                await engine.flush()
                box.on_event(partial(raising, error))
                cable.push(server.say("one"))
                await anyio.sleep_forever()

    with pytest.raises(UsageError, match=f"calls in a commit of the engine raised {error.__name__}"):
        await run()


def by_listener(engine: EngineThread[Any, Any], box: Box, error: type[BaseException]) -> None:
    engine.on_events(partial(raising, error))


def by_callback(engine: EngineThread[Any, Any], box: Box, error: type[BaseException]) -> None:
    box.on_event(partial(raising, error))


def by_work(engine: EngineThread[Any, Any], box: Box, error: type[BaseException]) -> None:
    engine.run_custom(partial(raising, error))


def by_nothing(engine: EngineThread[Any, Any], box: Box, error: type[BaseException]) -> None: ...


class Ending(Cable):
    """Ends the program at the `ends`-th question."""

    error: type[BaseException]
    ends = 0

    async def send(self, request: Any, /) -> Any:
        """As `Transport.send`."""
        self.ends -= 1
        if self.ends == 0:
            raise self.error
        return await super().send(request)


WAYS: list[tuple[Callable[..., None], int]] = [
    (by_listener, 0),
    (by_callback, 0),
    (by_work, 0),
    (by_nothing, 2),
]


def in_a_thread(
    path: Path, way: Callable[..., None], ends: int, error: type[BaseException], told: list[BaseException]
) -> None:
    server = SmallServer()
    cable = Ending(server.answer)
    cable.error, cable.ends = error, ends
    with open_box(path, durability="relaxed") as box:
        try:
            with in_thread(Engine(box, PROTOCOL, cable)) as engine:
                try:
                    engine.flush()
                    way(engine, box, error)
                    while True:
                        engine._portal.call(cable.push, server.say("one"))
                        engine.flush()
                except (EngineStopped, Unsettled) as stopped:
                    told.append(stopped)
        except BaseException as ended:
            told.append(ended)
        with in_thread(Engine(box, PROTOCOL, Cable(server.answer))) as engine:
            engine.flush()
            told.append(AssertionError("the next one works"))


@pytest.mark.parametrize(("way", "ends"), WAYS)
@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_what_ends_the_thread_of_an_engine_comes_out_of_the_block(
    tmp_path: Path, way: Callable[..., None], ends: int, error: type[BaseException]
) -> None:
    """Who waits for that thread is woken, and hears what it was."""
    told: list[BaseException] = []
    arguments = tmp_path / "a.box", way, ends, error, told
    thread = threading.Thread(target=in_a_thread, args=arguments, daemon=True)
    thread.start()
    thread.join(SECONDS_MAX)
    assert not thread.is_alive(), "it waits for a thread that has ended"
    assert [type(it) for it in told[-2:]] == [error, AssertionError]
    assert isinstance(told[0], EngineStopped | Unsettled)
