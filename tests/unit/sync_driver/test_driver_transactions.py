"""Transactions run one at a time and in order, beside the event loop or in it, and hold up nobody's news."""

from __future__ import annotations

import threading
import time
from functools import partial

import anyio
import anyio.lowlevel
import pytest
from tests.unit.sync_driver.scripted import (
    ONE,
    TWO,
    Nothing,
    Question,
    Rig,
    Script,
    fake_store,
    on_start,
    settle,
)
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import BoxClosed
from pillarbox.sync.limits import DriverLimits
from pillarbox.sync.signals import (
    Commit,
    Committed,
    Id,
    Input,
    Load,
    Loaded,
    Output,
    Publish,
    Received,
    Send,
    SetTimer,
    Started,
    Ticked,
)
from pillarbox.sync.store import Outcome

pytestmark = pytest.mark.anyio


async def test_transactions_run_one_at_a_time_in_order_off_the_event_loop() -> None:
    running: list[Id] = []
    threads = set()

    def store(work: Load | Commit) -> Outcome:
        threads.add(threading.get_ident())
        running.append(work.id)
        assert len(running) == 1
        running.remove(work.id)
        return fake_store(work)

    works: list[Output] = [
        (Load(Id("a", n), Nothing()) if n % 2 else Commit(Id("a", n), Nothing())) for n in range(10)
    ]
    async with Rig(on_start(*works), store=store) as rig:
        await rig.machine.hears(11)

    outcomes = [it for it in rig.machine.heard if isinstance(it, Loaded | Committed)]
    assert [it.id.number for it in outcomes] == list(range(10))
    assert threading.get_ident() not in threads


async def test_a_transaction_that_runs_is_waited_for_and_its_events_are_published() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def store(work: Load | Commit) -> Outcome:
        begun.set()
        assert go_on.wait(SECONDS_MAX)
        return fake_store(work)

    def follow(it: Committed) -> list[Output]:
        return [Publish(it.facts.events), Commit(TWO, Nothing()), Send(ONE, Question())]

    rig = Rig({Started: lambda _: [Commit(ONE, Nothing())], Committed: follow}, store=store)
    async with rig:
        await until(begun.is_set)
        rig.when_it_ends(go_on.set)

    assert rig.machine.types() == ["Started", "Committed", "Stopped"]
    assert rig.ear.published == [(ONE,)]
    assert rig.transport.asked == []


async def test_what_has_not_begun_when_the_engine_ends_never_does() -> None:
    begun: list[Id] = []

    def store(work: Load | Commit) -> Outcome:
        begun.append(work.id)
        return fake_store(work)

    def follow(_: Input) -> list[Output]:
        raise_stop.cancel()
        return [Commit(TWO, Nothing())]

    rig = Rig({Received: follow}, store=store)
    with anyio.fail_after(SECONDS_MAX), anyio.CancelScope() as raise_stop:
        async with rig:
            rig.transport.say("go")
            await anyio.sleep_forever()

    assert begun == []
    assert rig.machine.types() == ["Started", "Received", "Stopped"]


async def test_of_what_waits_when_the_engine_ends_nothing_is_heard() -> None:
    async with Rig(on_start(SetTimer(ONE, 900))) as rig:
        await settle()
        for number in range(5):  # the first may have been taken out by then
            rig.driver.inbox.put(partial(Received, container=number))

    assert rig.machine.types()[-1] == "Stopped"
    assert rig.machine.types().count("Received") < 5


async def test_what_follows_on_a_transaction_alone_follows_in_its_thread() -> None:
    threads: list[tuple[str, int]] = []

    def store(work: Load | Commit) -> Outcome:
        threads.append((type(work).__name__, threading.get_ident()))
        return fake_store(work)

    def heard(it: Input) -> None:
        threads.append((type(it).__name__, threading.get_ident()))

    def loaded(it: Loaded) -> list[Output]:
        heard(it)
        return [Commit(TWO, Nothing())]

    def committed(it: Committed) -> list[Output]:
        heard(it)
        return [Publish(it.facts.events)]

    script = {**on_start(Load(ONE, Nothing())), Loaded: loaded, Committed: committed}
    async with Rig(script, store=store) as rig:
        await rig.machine.hears(3)
        await settle()

    assert [what for what, _ in threads] == ["Load", "Loaded", "Commit", "Committed"]
    assert len({thread for _, thread in threads} | {threading.get_ident()}) == 2
    assert rig.ear.published == [(TWO,)]


async def test_what_is_said_beside_a_transaction_goes_out_before_that_begins() -> None:
    asked: list[int] = []

    def store(work: Load | Commit) -> Outcome:
        asked.append(len(rig.transport.asked))
        return fake_store(work)

    def loaded(_: Loaded) -> list[Output]:
        return [Publish(("first",)), Commit(TWO, Nothing()), Publish(("second",))]

    rig = Rig({**on_start(Load(ONE, Nothing())), Loaded: loaded}, store=store)
    rig.ear.publish = lambda events: rig.transport.asked.append(events)  # type: ignore[method-assign]
    async with rig:
        await rig.machine.hears(3)

    assert asked == [0, 2]


async def test_what_comes_while_a_transaction_runs_is_heard_behind_it_and_holds_up_nobody() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def store(work: Load | Commit) -> Outcome:
        begun.set()
        assert go_on.wait(SECONDS_MAX)
        return fake_store(work)

    limits = DriverLimits(waiting_max=3)
    async with Rig(on_start(Commit(ONE, Nothing())), store=store, limits=limits) as rig:
        await until(begun.is_set)
        rig.transport.say(*range(10))
        await settle()  # the event loop goes on
        assert rig.machine.types() == ["Started"]
        assert len(rig.transport.said) == 6, "three wait, one more waits for room"
        go_on.set()
        await rig.machine.hears(12)

    assert rig.machine.types() == ["Started", "Committed", *["Received"] * 10, "Stopped"]
    assert [it.container for it in rig.machine.heard if isinstance(it, Received)] == list(range(10))


async def test_transactions_without_end_do_not_keep_what_else_comes_from_the_machine() -> None:
    """Publishing between them they come back to the event loop, where something else has its turn."""

    def again(it: Committed) -> list[Output]:
        return [Publish(it.facts.events), Commit(it.id, Nothing())]

    async with Rig({**on_start(Commit(ONE, Nothing())), Committed: again}) as rig:
        await rig.machine.hears(5)
        rig.transport.say("go")
        await until(lambda: "Received" in rig.machine.types())


async def test_in_the_loop_others_have_their_turn_between_two_transactions() -> None:
    """Though one leads to nothing but the next, without end."""
    threads: set[int] = set()
    turns: list[int] = []

    def store(work: Load | Commit) -> Outcome:
        threads.add(threading.get_ident())
        return fake_store(work)

    script = {**on_start(Load(ONE, Nothing())), Loaded: lambda _: [Load(ONE, Nothing())]}
    async with Rig(script, store=store, in_loop=True) as rig:
        await rig.machine.hears(2)
        for _ in range(5):
            turns.append(len(rig.machine.heard))
            await anyio.lowlevel.checkpoint()
        rig.transport.say("go")
        await until(lambda: "Received" in rig.machine.types())

    assert threads == {threading.get_ident()}
    assert turns[-1] - turns[0] <= 8


async def test_the_machine_is_never_stepped_by_two_threads_at_once() -> None:
    stepping = threading.Lock()

    def alone(it: Input) -> list[Output]:
        assert stepping.acquire(blocking=False), "another thread is in it"
        time.sleep(0.0005)
        stepping.release()
        if isinstance(it, Received):
            return [Load(Id("a", it.container), Nothing()), SetTimer(Id("b", it.container), it.now)]
        return [Commit(it.id, Nothing())] if isinstance(it, Loaded) else []

    script: Script = dict.fromkeys((Started, Received, Ticked, Loaded, Committed), alone)
    async with Rig(script) as rig:
        for number in range(20):
            rig.transport.say(number)
            await anyio.sleep(0.0005)
        await rig.machine.hears(81)

    assert rig.machine.types().count("Committed") == 20


async def test_what_would_follow_on_a_transaction_does_not_once_the_engine_ends() -> None:
    begun, go_on = threading.Event(), threading.Event()
    ran: list[Id] = []

    def store(work: Load | Commit) -> Outcome:
        ran.append(work.id)
        begun.set()
        assert go_on.wait(SECONDS_MAX)
        return fake_store(work)

    script: Script = {**on_start(Load(ONE, Nothing())), Loaded: lambda _: [Commit(TWO, Nothing())]}
    rig = Rig(script, store=store)
    async with rig:
        await until(begun.is_set)
        rig.when_it_ends(go_on.set)

    assert ran == [ONE]
    assert rig.machine.types() == ["Started", "Loaded", "Stopped"]


async def test_a_box_that_was_closed_ends_the_engine_with_that() -> None:
    def store(work: Load | Commit) -> Outcome:
        raise BoxClosed("a.box")

    rig = Rig(on_start(Commit(ONE, Nothing())), store=store)
    rig.driver.inbox.put(lambda now: Started(now, 7))
    with pytest.raises(BaseExceptionGroup) as group:
        await rig.driver.run()

    assert group.group_contains(BoxClosed)
    assert rig.machine.types() == ["Started", "Stopped"]
