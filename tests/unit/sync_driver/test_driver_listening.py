"""Listening that fails or ends begins anew after a while, as a changed session, until the engine ends."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest
from tests.unit.sync_driver.scripted import ONE, Question, Reply, Rig, settle

from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.signals import Asked, Resync, Send

pytestmark = pytest.mark.anyio


async def test_listening_that_fails_begins_anew_after_a_while_as_a_changed_session(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Rig(limits=DriverLimits(listen_ms=(100, 300))) as rig:
        rig.transport.say("one", OSError("cut"), "two")
        await rig.machine.hears(2)
        await settle()
        assert rig.transport.listens == 1
        rig.clock.move(100)
        await rig.machine.hears(4)

    assert rig.machine.types() == ["Started", "Received", "SessionChanged", "Received", "Stopped"]
    assert "listening failed; it is tried again in 100 ms" in caplog.text
    assert rig.transport.closed == 2


async def test_listening_that_fails_again_and_again_waits_longer_each_time() -> None:
    async with Rig(limits=DriverLimits(listen_ms=(100, 300))) as rig:
        await settle()
        for wait in (100, 200, 300, 300):
            before = rig.transport.listens
            rig.transport.say(OSError("cut"))
            await settle()
            rig.clock.move(wait - 1)
            await settle()
            assert rig.transport.listens == before
            rig.clock.move(1)
            await settle()
            assert rig.transport.listens == before + 1


async def test_listening_that_ends_begins_anew_as_if_it_had_failed_but_quietly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """So ends `async for line in stream` when the server closes: it is not the end of all news."""
    limits, questions = DriverLimits(listen_ms=(100, 300)), {Asked: lambda _: [Send(ONE, Question())]}
    async with Rig(questions, answer=lambda _: Reply(), limits=limits) as rig:
        rig.transport.say("last", None, "anew")
        await rig.machine.hears(2)
        await settle()
        rig.driver.inbox.put(lambda now: Asked(now, 1, Resync()))
        await rig.machine.hears(4)
        assert rig.transport.listens == 1
        rig.clock.move(100)
        await rig.machine.hears(6)

    heard = ["Started", "Received", "Asked", "Answered", "SessionChanged", "Received", "Stopped"]
    assert rig.machine.types() == heard
    assert caplog.text == ""


async def test_listening_is_closed_with_the_engine() -> None:
    async with Rig() as rig:
        rig.transport.say("one")
        await rig.machine.hears(2)

    assert rig.transport.closed == 1


async def test_listening_is_closed_with_the_engine_also_while_what_it_said_waits_for_room() -> None:
    async with Rig(limits=DriverLimits(waiting_max=1)) as rig:
        await settle()
        rig.transport.say(*range(1_000))
        for _ in range(3):
            await anyio.lowlevel.checkpoint()

    assert rig.transport.said, "it had not come to the end"
    assert rig.transport.closed == 1
