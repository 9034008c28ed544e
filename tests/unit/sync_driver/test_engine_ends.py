"""However an engine ends, who waits for it is told, and errors come out of its block as they are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import pytest
from tests.unit.sync_driver.engines import running
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.box import Box as opened
from pillarbox.box import Package
from pillarbox.errors import (
    BoxClosed,
    EngineStopped,
    LayoutConflict,
    LayoutNewer,
    StoreMissing,
    Unsettled,
    UsageError,
)
from pillarbox.sync import Engine, Machine
from pillarbox.sync.signals import Received
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.operations import PutProjects
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.types import Projects, UserId

pytestmark = pytest.mark.anyio


async def test_an_error_of_the_block_comes_out_as_it_is(box: Box, server: SmallServer) -> None:
    with pytest.raises(ZeroDivisionError):
        async with running(box, server):
            raise ZeroDivisionError


async def test_a_group_of_errors_of_the_block_is_not_taken_apart(box: Box, server: SmallServer) -> None:
    with pytest.raises(ExceptionGroup, match="mine"):
        async with running(box, server):
            raise ExceptionGroup("mine", [ZeroDivisionError()])


async def test_a_machine_that_fails_ends_the_block_and_all_waiting_with_its_error(
    box: Box, server: SmallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, told = Machine.step, list[str]()

    def fail(machine: Machine, given: Any) -> Any:
        if isinstance(given, Received):
            raise ZeroDivisionError("a bug")
        return step(machine, given)

    async def wait(engine: Engine[Any, Any]) -> None:
        try:
            await engine.flush()
        except Unsettled as error:
            told.append(error.reason)

    async def fall(tasks: anyio.abc.TaskGroup) -> None:
        async with running(box, server) as (engine, cable):
            cable.is_mute = True
            tasks.start_soon(wait, engine)
            await anyio.sleep(0.02)
            cable.push(server.rename("one"))
            await anyio.sleep_forever()

    monkeypatch.setattr(Machine, "step", fail)
    async with anyio.create_task_group() as tasks:
        with pytest.raises(ZeroDivisionError, match="a bug"):
            await fall(tasks)

    assert told == ["the engine ended"]


async def test_an_engine_that_is_over_does_nothing_more(box: Box, server: SmallServer) -> None:
    async with running(box, server) as (engine, _):
        pass

    with pytest.raises(EngineStopped):
        engine.resync()
    with pytest.raises(EngineStopped):
        await engine.flush()
    with pytest.raises(UsageError, match="an engine runs once"):
        await engine.__aenter__()


async def test_what_it_watched_is_watched_no_more_when_it_is_over(box: Box, server: SmallServer) -> None:
    async with running(box, server):
        assert box.view_counters()

    assert box.view_counters() == ()


async def test_who_waits_when_the_engine_ends_is_told(box: Box, server: SmallServer) -> None:
    """E-18: every ticket is settled."""
    errors: list[Exception] = []
    cable = Cable(server.answer)

    async def wait(engine: Engine[Any, Any]) -> None:
        try:
            await engine.flush()
        except Unsettled as error:
            errors.append(error)

    async with anyio.create_task_group() as tasks, Engine(box, PROTOCOL, cable) as engine:
        await until(lambda: bool(cable.asked))
        cable.is_mute = True
        tasks.start_soon(wait, engine)
        await anyio.sleep(0.02)

    assert len(errors) == 1


async def test_a_box_that_is_closed_under_it_ends_the_block_with_that(
    path: Path, server: SmallServer
) -> None:
    async def close_it() -> None:
        async with running(closing, server) as (_, cable):
            closing.close()
            cable.push(server.rename("one"))
            await anyio.sleep_forever()

    closing = open_box(path, durability="relaxed")
    with pytest.raises(BoxClosed), anyio.fail_after(SECONDS_MAX):
        await close_it()


async def test_a_box_that_is_moved_away_under_it_ends_the_block_with_that_and_who_waits(
    path: Path, server: SmallServer
) -> None:
    told: list[str] = []

    async def wait(engine: Engine[Any, Any]) -> None:
        while not told:  # it is found within a second
            try:
                await engine.flush()
            except Unsettled as error:
                told.append(error.reason)

    async def move_it(box: Box, tasks: anyio.abc.TaskGroup) -> None:
        async with running(box, server) as (engine, cable):
            path.rename(path.with_name("b.box"))
            tasks.start_soon(wait, engine)
            while True:
                cable.push(server.rename("one"))
                await anyio.sleep(0.02)

    with open_box(path, durability="relaxed") as moved, anyio.fail_after(SECONDS_MAX):
        async with anyio.create_task_group() as tasks:
            with pytest.raises(StoreMissing, match="moved, removed or replaced"):
                await move_it(moved, tasks)

    assert len(told) == 1


def newer() -> Package[Any, Any]:
    """A package that has a field more."""
    tree = json.loads(PACKAGE.layout)
    tree["tables"]["20"]["fields"].append({"number": 99, "name": "new", "type": "int64", "default": 0})
    return replace(PACKAGE, layout=json.dumps(tree), layout_hash="newer")


@pytest.mark.parametrize("transactions", ["thread", "loop"])
async def test_a_box_that_is_upgraded_under_it_ends_the_block_where_nothing_is_said(
    path: Path, box: Box, server: SmallServer, transactions: str
) -> None:
    async def follow() -> None:
        async with running(box, server, transactions=transactions):
            await anyio.to_thread.run_sync(lambda: opened(path, newer()).close())
            await anyio.sleep_forever()

    # The next question that is asked by itself would end it as well, after a minute.
    with anyio.fail_after(30), pytest.raises(LayoutConflict, match="another process has upgraded"):
        await follow()


async def test_it_ends_the_block_also_where_another_is_the_master(
    path: Path, box: Box, server: SmallServer
) -> None:
    """Which watches no view, and asks nothing by itself."""

    def take() -> None:
        with open_box(path, durability="relaxed") as other:
            other.take_master(now=True)

    async def follow() -> None:
        async with running(box, server):
            await anyio.to_thread.run_sync(take)
            await until(lambda: not box.view_counters())
            await anyio.to_thread.run_sync(lambda: opened(path, newer()).close())
            await anyio.sleep_forever()

    with anyio.fail_after(30), pytest.raises(LayoutConflict, match="another process has upgraded"):
        await follow()


async def test_cancelling_ends_it(box: Box, server: SmallServer) -> None:
    with anyio.move_on_after(0.05) as scope:
        cable = Cable(server.answer)
        await Engine(box, PROTOCOL, cable).run()

    assert scope.cancelled_caught
    box.replay([PutProjects((Projects(PROJECT, "mine", "m", UserId(1)),))])


async def test_a_box_for_reading_is_refused(path: Path, box: Box, server: SmallServer) -> None:
    with (
        open_box(path, read_only=True) as reading,
        pytest.raises(UsageError, match="opened for reading"),
    ):
        Engine(reading, PROTOCOL, Cable(server.answer))


async def test_who_is_older_than_the_box_is_told_so(path: Path, server: SmallServer) -> None:
    opened(path, newer()).close()

    with open_box(path) as box, pytest.raises(LayoutNewer, match="Update the package"):
        Engine(box, PROTOCOL, Cable(server.answer))
