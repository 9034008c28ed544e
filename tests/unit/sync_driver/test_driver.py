"""What the driver does for the machine, and what the machine never hears of."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from tests.unit.sync_driver.scripted import ONE, TWO, Question, Reply, Rig, Script, on_start, settle

from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Cancel,
    DropTimer,
    Failed,
    Flood,
    Input,
    Log,
    Output,
    Publish,
    Received,
    Refusal,
    Refused,
    Resync,
    Send,
    SessionChanged,
    SetTimer,
    Settled,
    Started,
    Stopped,
    Ticked,
    Transient,
    Untaken,
)

pytestmark = pytest.mark.anyio


async def test_what_the_server_says_is_heard_in_order_and_between_start_and_stop() -> None:
    async with Rig() as rig:
        rig.transport.say("one", SessionChanged(), "two")
        await rig.machine.hears(4)

    now = rig.clock.now()
    assert rig.machine.heard == [
        Started(now, 7),
        Received(now, "one"),
        SessionChanged(now),
        Received(now, "two"),
        Stopped(now),
    ]
    assert rig.record.inputs == rig.machine.heard


async def test_time_never_goes_back_though_the_clock_does() -> None:
    async with Rig() as rig:
        rig.clock.move(-500)
        rig.transport.say("one")
        await rig.machine.hears(2)

    assert [it.now for it in rig.machine.heard] == [1_000, 1_000, 1_000]


async def test_a_timer_that_is_due_at_once_lets_a_burst_through_first() -> None:
    """Q3: a wait of 0 still yields once, so that a burst becomes one batch."""
    rig = Rig({Received: lambda it: [SetTimer(ONE, it.now)] if it.container == 0 else []})
    rig.transport.say(*range(5))
    async with rig:
        await rig.machine.hears(7)

    assert rig.machine.types() == ["Started", *["Received"] * 5, "Ticked", "Stopped"]


async def test_what_the_program_asks_is_heard_in_its_turn() -> None:
    async with Rig() as rig:
        rig.transport.say("one")
        await rig.machine.hears(2)
        rig.driver.inbox.put(lambda now: Asked(now, 3, Resync()))
        await rig.machine.hears(3)

    assert rig.machine.types() == ["Started", "Received", "Asked", "Stopped"]


async def test_an_answer_is_heard_with_its_id() -> None:
    async with Rig(on_start(Send(ONE, Question())), answer=lambda _: Reply()) as rig:
        await rig.machine.hears(2)

    assert rig.machine.heard[1] == Answered(1_000, ONE, Reply())
    assert rig.record.sends == [Send(ONE, Question())]


@pytest.mark.parametrize("failure", [Flood(300), Refused("GONE"), Transient("busy")])
async def test_a_failure_is_heard_as_the_transport_says_it(failure: Any) -> None:
    async with Rig(on_start(Send(ONE, Question())), answer=lambda _: failure) as rig:
        await rig.machine.hears(2)

    assert rig.machine.heard[1] == Failed(1_000, ONE, failure)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError("nobody\nthere"),
        EOFError("cut"),
        anyio.EndOfStream(),
        anyio.BrokenResourceError(),
    ],
    ids=repr,
)
async def test_a_connection_that_fails_is_a_line_and_no_traceback(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """It is ordinary, and may go on for hours."""

    def answer(_: object) -> Any:
        raise error

    async with Rig(
        on_start(Send(ONE, Question())), answer=answer, limits=DriverLimits(listen_ms=(9, 9))
    ) as rig:
        rig.transport.say(error)
        await rig.machine.hears(2)
        await settle()

    assert [(it.levelname, it.exc_info) for it in caplog.records] == [("WARNING", None)] * 2
    assert all(type(error).__name__ in line for line in caplog.text.splitlines())


async def test_a_transport_that_raises_is_asked_again_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    def answer(_: object) -> Any:
        raise ValueError("cable cut")

    async with Rig(on_start(Send(ONE, Question())), answer=answer) as rig:
        await rig.machine.hears(2)

    assert rig.machine.heard[1] == Failed(1_000, ONE, Transient("ValueError: cable cut"))
    assert "the transport failed" in caplog.text
    assert "cable cut" in caplog.text
    assert caplog.records[0].exc_info, "where it happened"


@pytest.mark.parametrize("answer", ["no reply", None, Question()])
async def test_an_answer_of_a_wrong_type_is_no_answer(answer: Any, caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig(on_start(Send(ONE, Question())), answer=lambda _: answer, answers={Question: (Reply,)})
    async with rig:
        await rig.machine.hears(2)

    failed = rig.machine.heard[1]
    assert isinstance(failed, Failed)
    assert failed.failure == Transient(f"an answer of the type {type(answer).__name__}")
    assert "Question is answered by Reply" in caplog.text


async def test_an_answer_that_never_comes_is_lost_after_a_while(caplog: pytest.LogCaptureFixture) -> None:
    async with Rig(on_start(Send(ONE, Question())), limits=DriverLimits(answer_ms=10)) as rig:
        await rig.machine.hears(2)

    assert rig.machine.heard[1] == Failed(1_000, ONE, Transient("no answer"))
    assert rig.transport.cancelled == [Question()]
    assert "no answer within 10 ms" in caplog.text


async def test_requests_do_not_wait_for_each_other() -> None:
    gate = anyio.Event()

    async def late() -> Reply:
        await gate.wait()
        return Reply("late")

    def answer(request: Question) -> Awaitable[Reply] | Reply:
        return late() if request.text == "slow" else Reply("soon")

    async with Rig(on_start(Send(ONE, Question("slow")), Send(TWO, Question("fast"))), answer=answer) as rig:
        await rig.machine.hears(2)
        gate.set()
        await rig.machine.hears(3)

    assert rig.machine.heard[1:3] == [
        Answered(1_000, TWO, Reply("soon")),
        Answered(1_000, ONE, Reply("late")),
    ]


async def test_nothing_is_heard_of_a_request_that_was_cancelled() -> None:
    script: Script = {Started: lambda _: [Send(ONE, Question())], Received: lambda _: [Cancel(ONE)]}
    async with Rig(script) as rig:
        await settle()
        rig.transport.say("go")
        await settle()

    assert rig.transport.cancelled == [Question()]
    assert rig.machine.types() == ["Started", "Received", "Stopped"]


async def test_nothing_is_heard_of_an_answer_that_was_cancelled_when_it_was_there_already() -> None:
    def answer(_: Question) -> Reply:
        for number in range(10):  # the answer comes right behind these
            rig.driver.inbox.put(partial(Received, container=number))
        return Reply()

    def follow(it: Received) -> list[Output]:
        return [Cancel(ONE)] if it.container == 9 else []

    rig = Rig({Started: lambda _: [Send(ONE, Question())], Received: follow}, answer=answer)
    async with rig:
        await settle()

    assert rig.transport.cancelled == []
    assert rig.machine.types() == ["Started", *["Received"] * 10, "Stopped"]


async def test_a_timer_ticks_when_it_is_due_and_not_before() -> None:
    async with Rig(on_start(SetTimer(ONE, 1_500))) as rig:
        await settle()
        rig.clock.move(499)
        await settle()
        assert rig.machine.types() == ["Started"]
        rig.clock.move(1)
        await rig.machine.hears(2)
        rig.clock.move(5_000)
        await settle()

    assert rig.machine.heard[1] == Ticked(1_500, ONE)
    assert rig.machine.types() == ["Started", "Ticked", "Stopped"]


async def test_a_timer_that_is_dropped_or_set_anew_does_not_tick_at_its_old_time() -> None:
    script: Script = {
        Started: lambda _: [SetTimer(ONE, 1_500), SetTimer(TWO, 1_500)],
        Received: lambda it: [DropTimer(ONE), SetTimer(TWO, it.now + 2_000)],
    }
    async with Rig(script) as rig:
        rig.transport.say("go")
        await rig.machine.hears(2)
        rig.clock.move(1_000)
        await settle()
        assert rig.machine.types() == ["Started", "Received"]
        rig.clock.move(1_000)
        await settle()

    assert [it for it in rig.machine.heard if isinstance(it, Ticked)] == [Ticked(3_000, TWO)]


async def test_a_tick_that_was_waiting_is_not_heard_once_its_timer_is_dropped() -> None:
    def follow(_: Received) -> list[Output]:
        return [DropTimer(ONE)]

    rig = Rig({Started: lambda it: [SetTimer(ONE, it.now)], Received: follow})
    rig.driver.inbox.put(lambda now: Started(now, 1))
    rig.driver.inbox.put(lambda now: Received(now, "drop it"))
    async with rig:
        await settle()

    # The tick waited behind what dropped the first timer; the second start set it anew.
    assert rig.machine.types() == ["Started", "Received", "Started", "Ticked", "Stopped"]


async def test_timers_of_an_engine_that_has_ended_do_nothing() -> None:
    async with Rig(on_start(SetTimer(ONE, 1_500), Send(TWO, Question()))) as rig:
        await settle()
        assert rig.clock.sleepers == 1

    assert rig.clock.sleepers == 0
    assert rig.transport.cancelled == [Question()]
    rig.clock.move(1_000)
    await settle()
    assert rig.machine.types() == ["Started", "Stopped"]


async def test_what_the_machine_says_to_the_program_reaches_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    said = on_start(Publish(("a", "b")), Settled(4, None, "done"), Log("G-7", "dropped", {"end": -1}))
    async with Rig(said) as rig:
        pass

    assert rig.ear.published == [("a", "b")]
    assert rig.ear.settled == [Settled(4, None, "done")]
    assert "G-7: dropped {'end': -1}" in caplog.text


@pytest.mark.parametrize(
    ("rule", "level"), [("D-2", "INFO"), ("D-3", "INFO"), ("E-21", "INFO"), ("G-7", "WARNING")]
)
async def test_that_another_process_was_first_is_nothing_to_worry_about(
    rule: str, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    """D-2, D-3: of two engines on one box one writes, and the other begins anew."""
    caplog.set_level(logging.INFO, "pillarbox.sync")
    async with Rig(on_start(Log(rule, "it was otherwise", {}))):
        pass

    assert [it.levelname for it in caplog.records if it.getMessage().startswith(rule)] == [level]


async def test_who_listens_is_told_when_updating_is_another_and_only_then() -> None:
    def follow(it: Received) -> list[Output]:
        rig.machine.updating = it.container
        return []

    rig = Rig({Received: follow})
    async with rig:
        rig.transport.say(True, True, False, False, True)
        await rig.machine.hears(6)

    assert rig.ear.updates == [True, False, True]


async def test_who_listens_is_told_why_nothing_more_is_asked_before_that_it_updates_no_more() -> None:
    """Q6, D-4: who hears that all is done can see why."""
    refusal = Refusal("SIGNED_OUT", Question())

    def follow(it: Received) -> list[Output]:
        rig.machine.stopped = refusal if it.container == "refused" else None
        rig.machine.updating = it.container != "refused"
        return []

    rig = Rig({Received: follow})
    async with rig:
        rig.transport.say("goes on", "refused", "refused", "goes on")
        await rig.machine.hears(5)

    assert rig.ear.states == [True, refusal, False, None, True]


async def test_who_listens_is_told_what_the_store_does_not_take_and_when_it_does() -> None:
    """A-11: once, however often it is refused."""
    untaken = Untaken("account", b"", "OwnerMissing")

    def follow(it: Received) -> list[Output]:
        rig.machine.untaken = untaken if it.container == "refused" else None
        return []

    rig = Rig({Received: follow})
    async with rig:
        rig.transport.say("refused", "refused", "taken", "taken")
        await rig.machine.hears(5)

    assert rig.ear.states == [untaken, None]


async def test_a_machine_that_fails_ends_the_engine_with_its_error_and_hears_nothing_more() -> None:
    def follow(_: Input) -> list[Output]:
        raise ZeroDivisionError

    rig = Rig({Started: follow})
    rig.driver.inbox.put(lambda now: Started(now, 7))
    with pytest.raises(BaseExceptionGroup) as group:
        await rig.driver.run()

    assert group.group_contains(ZeroDivisionError)
    assert rig.machine.types() == ["Started"]
