"""Connections that fail in ways of their own: none of them ends the engine, and each is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.unit.sync_driver.scripted import FakeTransport, Rig, Script

from pillarbox.sync.driver import DriverLimits
from pillarbox.sync.signals import Failed, Id, Send, Started, Transient

pytestmark = pytest.mark.anyio

ONE = Id("one", 1)
ASKS: Script = {Started: lambda _: [Send(ONE, "question")]}


async def given_up() -> None:
    """What many a connection does when it closes with those who wait for answers."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(future.cancel)
    await future


async def settle() -> None:
    for _ in range(30):
        await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_answer_that_a_connection_gives_up_did_not_come(caplog: pytest.LogCaptureFixture) -> None:
    async with Rig(ASKS, answer=lambda _: given_up()) as rig:
        await rig.machine.hears(2)
        rig.transport.say("more")
        await rig.machine.hears(3)

    (failed,) = (it for it in rig.machine.heard if isinstance(it, Failed))
    assert isinstance(failed.failure, Transient)
    assert "the transport gave up" in caplog.text


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_who_gives_up_while_the_engine_ends_is_cancelled(caplog: pytest.LogCaptureFixture) -> None:
    async with Rig(ASKS) as rig:
        await settle()

    assert rig.transport.cancelled == ["question"]
    assert rig.machine.types() == ["Started", "Stopped"]
    assert caplog.text == ""


class Ill(FakeTransport):
    """Listening to it fails once, in a way of its own."""

    def __init__(self, way: Callable[[], AsyncIterator[Any]]) -> None:
        super().__init__()
        self._ways = [way]

    def listen(self) -> AsyncIterator[Any]:
        """As `Transport.listen`."""
        return self._ways.pop()() if self._ways else super().listen()


def refused() -> AsyncIterator[Any]:
    raise OSError("there is no network")


async def left() -> AsyncIterator[Any]:
    await given_up()
    yield


class NoIterator:
    """What was forgotten to be one."""


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("way", [refused, left, NoIterator])
async def test_listening_that_fails_in_any_way_begins_anew(
    way: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    rig = Rig(limits=DriverLimits(listen_ms=(100, 100)))
    ill = Ill(way)
    rig.driver._transport = ill
    async with rig:
        await settle()
        ill.say("news")
        rig.clock.move(100)
        await rig.machine.hears(3)

    assert rig.machine.types() == ["Started", "SessionChanged", "Received", "Stopped"]
    assert "listening failed" in caplog.text


@pytest.mark.parametrize("talks", [False, True])
async def test_a_connection_that_cannot_be_closed_ends_nothing_with_its_error(
    caplog: pytest.LogCaptureFixture, talks: bool
) -> None:
    """It is closed while it waits for something, or while what it said waits for room."""

    async def unclosable() -> AsyncIterator[Any]:
        try:
            yield "news"
            while talks:
                yield "more"
            await anyio.sleep_forever()
        finally:
            raise OSError("it was cut already")

    rig = Rig(limits=DriverLimits(waiting_max=1))
    rig.driver._transport = Ill(unclosable)
    async with rig:
        await rig.machine.hears(2)

    assert rig.machine.types()[-1] == "Stopped"
    assert "it was cut already" in caplog.text
