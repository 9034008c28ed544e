"""What a program does in callbacks of an engine and of views works, or ends with an error that says so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import pytest
from tests.unit.sync_driver.engines import name
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import BoxClosed, UsageError
from pillarbox.sync import Engine, SessionChanged
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.operations import PutProjects
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.types import ProjectId, Projects, UserId
from pillarbox_tracker.views import Project

pytestmark = pytest.mark.anyio
PLACES = pytest.mark.parametrize("place", ["thread", "loop"])


def broken(*_told: object, **_more: object) -> None:
    raise RuntimeError("a bug of the program")


@PLACES
async def test_callbacks_that_fail_fail_alone(box: Box, place: Any, caplog: pytest.LogCaptureFixture) -> None:
    """The law of emissions: each is told the others, and the engine goes on."""
    server = SmallServer()
    cable = Cable(server.answer)
    shown: list[object] = []
    with box.watch(Project(PROJECT)) as first, box.watch(Project(PROJECT)) as second:
        first.listen(broken)
        second.listen(shown.append)
        box.on_event(broken)
        with anyio.fail_after(SECONDS_MAX):
            async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
                engine.on_events(broken)
                engine.on_updating(broken)
                for text in ("one", "two"):
                    cable.push(server.rename(text))
                    cable.push(server.say(text))
                    await engine.flush()
                cable.push(SessionChanged())
                await engine.flush()

    assert name(box) == "two"
    assert shown
    assert "a bug of the program" in caplog.text
    assert "a listener of the engine failed" in caplog.text


@PLACES
@pytest.mark.parametrize("watches", [False, True])
async def test_who_ends_the_block_in_a_callback_ends_it_and_what_was_committed_stands(
    box: Box, place: Any, watches: bool
) -> None:
    """Of events, and of views, which are called in the thread of the transaction."""
    server = SmallServer()
    cable = Cable(server.answer)
    told: list[object] = []
    with anyio.fail_after(SECONDS_MAX), anyio.CancelScope() as scope:
        loop_thread = threading.get_ident()

        def stop(what: object) -> None:
            told.append(what)
            if threading.get_ident() == loop_thread:
                scope.cancel()
            else:
                anyio.from_thread.run_sync(scope.cancel)

        with box.watch(Project(PROJECT)) as subscription:
            async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
                await engine.flush()
                if watches:
                    subscription.listen(lambda it: stop(it) if name(box) == "last" else None)
                else:
                    engine.on_events(stop)
                cable.push(server.rename("last"), server.say("last"))
                await anyio.sleep_forever()

    assert scope.cancelled_caught
    assert told
    assert name(box) == "last"


@PLACES
async def test_a_box_that_is_closed_in_a_callback_ends_the_block_with_that(box: Box, place: Any) -> None:
    server = SmallServer()
    cable = Cable(server.answer)
    closed: list[object] = []

    def close(event: object) -> None:
        box.close()
        closed.append(event)

    async def run() -> None:
        with anyio.fail_after(SECONDS_MAX):
            async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
                await engine.flush()
                box.on_event(close)
                cable.push(server.say("one"))
                await until(lambda: closed)
                cable.push(server.rename("two"))
                await anyio.sleep_forever()

    with pytest.raises(BoxClosed):
        await run()


@PLACES
async def test_a_callback_that_writes_and_asks_anew_each_time_ends(box: Box, place: Any) -> None:
    server = SmallServer()
    cable = Cable(server.answer)
    number = 0

    def write(engine: Engine[Any, Any], _emission: object) -> None:
        nonlocal number
        number += 1
        box.replay([PutProjects((Projects(ProjectId(6), f"{number}", "six", UserId(1)),))])
        engine.resync()

    with anyio.fail_after(SECONDS_MAX), box.watch(Project(PROJECT)) as subscription:
        async with Engine(box, PROTOCOL, cable, transactions=place) as engine:
            subscription.listen(partial(write, engine))
            for text in ("one", "two", "three"):
                cable.push(server.rename(text))
                await engine.flush()

    assert name(box) == "three"
    assert name(box, 6) == f"{number}"


async def test_a_second_engine_of_this_process_on_the_same_box_is_refused(box: Box, tmp_path: Path) -> None:
    """P-3: both would be the one that sends what is to be sent."""
    server = SmallServer()
    async with Engine(box, PROTOCOL, Cable(server.answer)) as engine:
        with pytest.raises(UsageError, match="another engine of this process keeps this box in step"):
            await Engine(box, PROTOCOL, Cable(server.answer)).__aenter__()
        await engine.flush()
        with open_box(tmp_path / "a.box") as other:
            async with Engine(other, PROTOCOL, Cable(server.answer), master="leave") as second:
                await second.flush()
    async with Engine(box, PROTOCOL, Cable(server.answer)) as engine:
        await engine.flush()


async def test_a_box_is_free_again_after_an_engine_that_could_not_begin(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(box, "take_master", broken)
        with pytest.raises(RuntimeError, match="a bug of the program"):
            await Engine(box, PROTOCOL, Cable(SmallServer().answer)).__aenter__()
    async with Engine(box, PROTOCOL, Cable(SmallServer().answer)) as engine:
        await engine.flush()


async def test_a_listener_that_would_have_to_be_awaited_is_refused(box: Box) -> None:
    async def listener(_what: object) -> None: ...

    engine = Engine(box, PROTOCOL, Cable(SmallServer().answer))
    listens: tuple[Callable[[Any], object], ...] = (
        engine.on_events,
        engine.on_updating,
        engine.on_stopped,
    )
    for listen in listens:
        with pytest.raises(UsageError, match="nobody awaits what it gives back"):
            listen(listener)


async def test_who_waits_in_another_event_loop_is_refused(box: Box) -> None:
    """It would wait for ever: nothing wakes that loop."""
    server = SmallServer()

    def elsewhere(engine: Engine[Any, Any]) -> None:
        for ask in (engine.flush, partial(engine.run_custom, lambda tx: None), partial(engine.did, None, ())):
            with pytest.raises(UsageError, match="the event loop of another thread"):
                anyio.run(ask)
        anyio.from_thread.run(engine.flush)

    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, Cable(server.answer)) as engine:
            await anyio.to_thread.run_sync(elsewhere, engine)
