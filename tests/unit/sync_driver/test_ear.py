"""Who listens to an engine is told, and who waits for it does not wait for ever."""

from __future__ import annotations

import anyio
import pytest

from pillarbox.errors import AccountError, AccountRefused, ChangeUntaken, Unsettled, UsageError
from pillarbox.sync.ear import Listeners
from pillarbox.sync.signals import Refusal, Settled, Untaken

pytestmark = pytest.mark.anyio


async def test_every_listener_is_told_in_order_until_it_stops(caplog: pytest.LogCaptureFixture) -> None:
    """A-14: events are told by the engine, after the commit."""
    listeners = Listeners()
    told: list[object] = []

    def fail(_: object) -> None:
        raise ValueError("out of order")

    listeners.on_events(fail)
    stop = listeners.on_events(told.append)
    listeners.publish(("a",))
    listeners.publish(("b", "c"))
    stop()
    stop()
    listeners.publish(("d",))

    assert told == [("a",), ("b", "c")]
    assert "a listener of the engine failed" in caplog.text


async def test_updating_is_told_and_can_be_asked() -> None:
    """D-4: whether there is more to come."""
    listeners = Listeners()
    told: list[bool] = []
    listeners.on_updating(told.append)
    listeners.updating(True)
    assert listeners.is_updating
    listeners.updating(False)

    assert told == [True, False]
    assert not listeners.is_updating


async def test_why_it_has_stopped_is_told_and_can_be_asked() -> None:
    """Q6: nothing more is asked."""
    listeners = Listeners()
    told: list[Refusal | None] = []
    stop = listeners.on_stopped(told.append)
    refusal = Refusal("SIGNED_OUT", "what is new?")
    listeners.stopped(refusal)
    assert listeners.refusal == refusal
    listeners.stopped(None)
    stop()
    listeners.stopped(refusal)

    assert told == [refusal, None]


async def test_who_waits_for_what_the_server_refuses_is_told_who_must_act() -> None:
    listeners = Listeners()
    ticket = listeners.ask()
    listeners.settle(Settled(ticket.number, Refusal("SIGNED_OUT", "what is new?")))

    with pytest.raises(AccountRefused, match=r"'what is new\?' with SIGNED_OUT.*sign in again") as raised:
        await ticket.result()
    assert isinstance(raised.value, AccountError)
    assert (raised.value.code, raised.value.request) == ("SIGNED_OUT", "what is new?")


async def test_who_waits_for_what_the_store_does_not_take_is_told_who_must_act() -> None:
    listeners = Listeners()
    ticket = listeners.ask()
    listeners.settle(Settled(ticket.number, Untaken("account", b"", "OwnerMissing: not there")))

    with pytest.raises(ChangeUntaken, match=r"of 'account': OwnerMissing: not there.*schema") as raised:
        await ticket.result()
    assert isinstance(raised.value, UsageError)
    assert (raised.value.cursor, raised.value.reason) == ("account", "OwnerMissing: not there")


async def test_each_waits_for_its_own_ticket() -> None:
    listeners = Listeners()
    one, two = listeners.ask(), listeners.ask()
    listeners.settle(Settled(two.number, None, "two"))
    listeners.settle(Settled(99))

    assert await two.result() == "two"
    with anyio.move_on_after(0.01) as scope:
        await one.result()
    assert scope.cancelled_caught


async def test_what_came_to_nothing_raises() -> None:
    listeners = Listeners()
    ticket = listeners.ask()
    listeners.settle(Settled(ticket.number, "the queue is full"))
    listeners.settle(Settled(ticket.number, None))

    with pytest.raises(Unsettled, match="the queue is full"):
        await ticket.result()


async def test_when_the_engine_ends_nobody_waits_any_more() -> None:
    """E-18: each ticket is settled, once."""
    listeners = Listeners()
    kept, forgotten = listeners.ask(), listeners.ask()
    listeners.forget(forgotten)
    listeners.end()

    with pytest.raises(Unsettled, match="the engine ended"):
        await kept.result()
