"""What no server should say and no clock should do: each is survived, and what is real is in the box."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from tests.unit.sync_driver.engines import name, running
from tests.unit.sync_driver.scripted import ManualClock, Unshown
from tests.unit.sync_driver.small_server import Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.sync import Engine, SessionChanged
from pillarbox_tracker import Box
from pillarbox_tracker.containers import Push
from pillarbox_tracker.requests import GetChanges
from pillarbox_tracker.updates import ProjectsChanged

pytestmark = pytest.mark.anyio
NIGHT_MS = 8 * 3_600_000


@asynccontextmanager
async def settled(
    box: Box, server: SmallServer, **options: Any
) -> AsyncIterator[tuple[Engine[Any, Any], Cable]]:
    """An engine whose first questions are forgotten."""
    with anyio.fail_after(SECONDS_MAX):
        async with running(box, server, **options) as (engine, cable):
            await engine.flush()
            cable.asked.clear()
            yield engine, cable


async def test_what_is_no_container_is_dropped_and_what_is_behind_it_applied(
    box: Box, server: SmallServer, caplog: pytest.LogCaptureFixture
) -> None:
    """U-1: an adapter that yields answers, or answers twice, says nothing that moves a counter."""
    async with settled(box, server) as (engine, cable):
        answer = server.answer(GetChanges(0, 0))
        odd: list[Any] = [None, 5, "x", [], object, ValueError("no"), GetChanges(0, 0), answer, Unshown()]
        for one in odd:
            cable.push(one)
        cable.push(server.rename("real"))
        await engine.flush()

    assert name(box) == "real"
    assert not any(isinstance(it, GetChanges) for it in cable.asked)
    lines = [record.getMessage() for record in caplog.records]
    assert sum(line.startswith("U-1: dropped a container that cannot be opened") for line in lines) == len(
        odd
    )


@pytest.mark.parametrize("place", ["thread", "loop"])
async def test_a_container_of_any_size_is_one_commit_and_is_not_shown_in_the_log(
    box: Box, server: SmallServer, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with settled(box, server, transactions=place) as (engine, cable):
        before = box.commits
        pushed = [server.rename(f"{number}") for number in range(2_000)]
        updates = tuple(update for push in pushed for update in push.updates)
        cable.push(Push(updates=updates, first=1, last=server.seq, at=1))
        odd = (ProjectsChanged(projects=(), rev=-1, count=1),) * 2_000
        cable.push(Push(updates=odd, first=server.seq + 1, last=server.seq + 1, at=1))
        await engine.flush()
        assert box.commits - before <= 3

    assert name(box) == "1999"
    assert max(len(record.getMessage()) for record in caplog.records) < 2_000


async def test_after_a_night_asleep_all_is_asked_once(box: Box, server: SmallServer) -> None:
    """G-20: every timer is due at once, and none is due again."""
    clock = ManualClock(1_700_000_000_000)
    async with settled(box, server, clock=clock) as (engine, cable):
        server.rename("at night")
        clock.move(NIGHT_MS)
        await until(lambda: name(box) is not None)
        await engine.flush()

    assert sum(isinstance(it, GetChanges) for it in cable.asked) == 1


async def test_a_clock_that_is_set_back_holds_nothing_up(box: Box, server: SmallServer) -> None:
    async with settled(box, server, clock=(clock := ManualClock(1_700_000_000_000))) as (engine, cable):
        clock.move(-NIGHT_MS)
        cable.push(server.rename("yesterday"))
        await engine.flush()
        assert name(box) == "yesterday"


async def test_a_connection_that_changes_all_the_time_is_asked_about_now_and_then(
    box: Box, server: SmallServer
) -> None:
    """Q4: a poll that waits stands for all that were asked for before it began."""
    async with settled(box, server) as (engine, cable):
        server.rename("meanwhile")
        cable.push(*[SessionChanged()] * 500)
        await engine.flush()

    assert name(box) == "meanwhile"
    assert sum(isinstance(it, GetChanges) for it in cable.asked) <= 5
