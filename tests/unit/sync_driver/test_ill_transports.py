"""Connections that fail in ways of their own: none of them ends the engine, and each is told."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.unit.sync_driver.scripted import ONE, FakeTransport, Rig, Script, Unshown, settle
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import UsageError
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.signals import (
    Failed,
    Failure,
    Flood,
    Id,
    Log,
    Received,
    Refused,
    Send,
    SessionLost,
    Started,
    Transient,
)
from pillarbox.sync.transport import SystemClock

pytestmark = pytest.mark.anyio

ASKS: Script = {Started: lambda _: [Send(ONE, "question")]}


async def given_up() -> None:
    """What many a connection does when it closes with those who wait for answers."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(future.cancel)
    await future


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
    rig.driver._talk._transport = ill
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
    rig.driver._talk._transport = Ill(unclosable)
    async with rig:
        await rig.machine.hears(2)

    assert rig.machine.types()[-1] == "Stopped"
    assert "it was cut already" in caplog.text


DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("given", "heard", "logged"),
    [
        (Flood(5), Flood(5), False),
        (Flood(1.5), Flood(1), False),  # type: ignore[arg-type]
        (Flood(-5), Flood(0), False),
        (Flood(10**15), Flood(DAY_MS), False),
        (Flood("5"), Transient("asked too often"), True),  # type: ignore[arg-type]
        (Flood(math.nan), Transient("asked too often"), True),  # type: ignore[arg-type]
        (Flood(math.inf), Transient("asked too often"), True),  # type: ignore[arg-type]
        (Flood(None), Transient("asked too often"), True),  # type: ignore[arg-type]
        (Refused("NO"), Refused("NO"), False),
        (Refused(401), Refused("401"), True),  # type: ignore[arg-type]
        (Refused([]), Refused("[]"), True),  # type: ignore[arg-type]
        (Transient(ValueError()), Transient("ValueError()"), False),  # type: ignore[arg-type]
        (SessionLost(), SessionLost(), False),
    ],
    ids=str,
)
async def test_a_failure_is_one_that_the_machine_can_take(
    given: Failure, heard: Failure, logged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """12: an adapter makes it of what a server sends."""
    async with Rig(ASKS, answer=lambda _: given) as rig:
        await rig.machine.hears(2)

    assert rig.machine.heard[1] == Failed(1_000, ONE, heard)
    assert bool(caplog.records) == logged


async def test_who_does_not_let_go_of_a_question_holds_up_that_question_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """12: it is lost in time, what it says later is not heard, and at the end it is waited for, and named."""
    let_go = anyio.Event()

    async def stubborn() -> str:
        with anyio.CancelScope(shield=True):
            await let_go.wait()
        return "late"

    limits = DriverLimits(answer_ms=20, let_go_ms=20)
    with anyio.fail_after(SECONDS_MAX):
        async with anyio.create_task_group() as tasks:
            rig = Rig(ASKS, answer=lambda _: stubborn(), limits=limits)
            async with rig:
                await rig.machine.hears(2)
                assert rig.machine.heard[1:] == [Failed(1_000, ONE, Transient("no answer"))]
                assert "no answer within 20 ms to 'question'" in caplog.text
                rig.transport.say("more")
                await rig.machine.hears(3)

                async def free_it() -> None:
                    await until(lambda: "the engine cannot end" in caplog.text)
                    let_go.set()

                tasks.start_soon(free_it)

    assert rig.machine.types() == ["Started", "Failed", "Received", "Stopped"]
    assert "the transport does not end: 'question'" in caplog.text


async def test_each_question_is_lost_at_its_own_time() -> None:
    """12: those that were asked later, later."""
    asks: Script = {
        Started: lambda _: [Send(ONE, "first")],
        Received: lambda _: [Send(Id("one", 2), "second")],
    }
    began = anyio.current_time()
    async with Rig(asks, limits=DriverLimits(answer_ms=200)) as rig:
        await anyio.sleep(0.1)
        later = anyio.current_time()
        rig.transport.say("news")
        await rig.machine.hears(3)
        first = anyio.current_time() - began
        await rig.machine.hears(4)
        second = anyio.current_time() - later

    assert [it.id.number for it in rig.machine.heard if isinstance(it, Failed)] == [1, 2]
    assert first >= 0.19
    assert second >= 0.19


async def test_whatever_a_server_sends_a_line_of_the_log_is_short(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    fields = {"container": ["x" * 9] * 100_000, "error": Unshown(), "cursor": "account"}
    async with Rig({Started: lambda _: [Log("U-1", "dropped", fields)]}):
        pass

    (line,) = (record.getMessage() for record in caplog.records)
    assert len(line) < 1_000
    assert line.startswith("U-1: dropped {'container': ['xxxxxxxxx', 'xxxx")
    assert "(1,300,000 characters)" in line
    assert "'error': <Unshown, whose repr fails with RuntimeError>, 'cursor': 'account'}" in line


@pytest.mark.parametrize(
    "limits", [{"waiting_max": 0}, {"answer_ms": -1}, {"listen_ms": (0, 5)}, {"flood_ms": 0}]
)
def test_limits_that_nothing_passes_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="must be at least 1"):
        DriverLimits(**limits)


async def test_after_a_night_asleep_what_is_due_is_noticed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the machine went on; that of the event loop need not have."""
    slept: list[float] = []
    night = 0

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("pillarbox.sync.transport.anyio.sleep", sleep)
    monkeypatch.setattr("pillarbox.sync.transport._even_ns", lambda: night)
    clock = SystemClock()
    before = clock.now()
    night = 8 * 3_600 * 10**9
    await clock.sleep(900_000)
    await clock.sleep(20)

    assert clock.now() - before == 8 * 3_600_000
    assert slept == [15.0, 0.02]
