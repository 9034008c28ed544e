"""Who is cancelled by asyncio itself while the block of an engine ends is cancelled: it does not go on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.sync_driver.engines import running
from tests.unit.sync_driver.small_server import SmallServer

from pillarbox_tracker import Box

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Trio has one kind of cancelling."""
    return "asyncio"


@pytest.mark.parametrize("place", ["thread", "loop"])
async def test_a_task_that_is_cancelled_while_its_engine_ends_is_cancelled(
    box: Box, server: SmallServer, place: Any
) -> None:
    for turns in range(12):
        is_ending = asyncio.Event()

        async def session(is_ending: asyncio.Event = is_ending) -> None:
            async with running(box, server, transactions=place) as (engine, _cable):
                await engine.flush()
                is_ending.set()
            await asyncio.sleep(0)  # where a cancelling that comes late is heard
            await asyncio.sleep(0)

        task = asyncio.create_task(session())
        await is_ending.wait()
        for _ in range(turns):
            await asyncio.sleep(0)
        was_over = task.done()
        task.cancel()
        await asyncio.wait([task])
        assert was_over or task.cancelled(), f"it went on, cancelled after {turns} turns"
