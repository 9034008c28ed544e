"""What stands in a container or an answer may be anything: adapters make structs, which check nothing.

Nothing of it ends the engine: it is logged under its rule, and dropped or asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    REV,
    A,
    C,
    U,
    body,
    channel,
    protocol,
    push,
    rev,
    seq,
)

from pillarbox.sync.claims import Claim
from pillarbox.sync.protocol import Absent, Need, Opened, Poll, SyncProtocol

WRONG: Any = "x"


@pytest.mark.parametrize(
    "opened",
    [
        Opened(updates=None),  # type: ignore[arg-type]
        Opened((U("a"),), claim=Claim(ACCOUNT, b"", REV, 10, WRONG)),
        Opened((U("a"),), steps=(Claim(ACCOUNT, b"", REV, WRONG, 11),)),
        Opened((U("a"),), date=WRONG),
    ],
    ids=["updates", "claim", "step", "date"],
)
def test_a_container_that_is_none_is_dropped_and_others_are_not(opened: Opened) -> None:
    """U-1."""
    rig = Rig().start()

    rig.receive(C(opened), push(U("b", rev(11))), push(U("c"), claim=seq(8), date=5))

    assert rig.tables.done == ["b", "c"]
    assert "U-1" in rig.rules()


def test_an_update_whose_counter_is_no_number_is_dropped_and_others_are_not() -> None:
    """U-1: what it counted shows as a gap."""
    rig = Rig().start()

    rig.receive(push(U("a", Claim(ACCOUNT, b"", REV, 10, WRONG)), U("b", rev(11)), U("c", channel(4))))

    assert rig.tables.done == ["b"]
    assert "U-1" in rig.rules()


def test_a_hint_that_is_no_number_is_none() -> None:
    """K-3: what is asked for is asked for."""
    rig = Rig().start()
    rig.tables.positions[CHANNEL, 5] = (3,)

    rig.receive(push(U("a", acts=(Poll(CHANNEL, 5, WRONG),))))

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (3,))]


def test_an_answer_that_brings_nothing_to_go_through_is_asked_for_again() -> None:
    rig = Rig().start()
    rig.receive(push(U("b", rev(12)))).wait(2_000)
    before = len(rig.asked)

    rig.answer("difference", A(set={REV: 12}, body=replace(body(), updates=None)))  # type: ignore[arg-type]
    rig.wait(1_000)

    assert len(rig.asked) == before + 1
    assert rig.position() == (10, 5, 7, 0)
    assert "5" in rig.rules()


def told(**rules: Any) -> SyncProtocol:
    """What says something of updates that cannot be said of all."""
    given = protocol()
    return replace(given, updates=replace(given.updates, **rules))


def fails(_: U) -> Any:
    raise ValueError("it is not in the range of its type")


def test_an_update_that_cannot_say_what_it_needs_is_asked_for() -> None:
    """A-9: nothing of the batch is written."""
    rig = Rig(spec=told(needs=fails)).start()

    rig.receive(push(U("a", rev(11))))

    assert rig.tables.done == []
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]


def test_an_update_that_cannot_say_what_it_brings_brings_nothing() -> None:
    rig = Rig(spec=told(brings=fails)).start()

    rig.receive(push(U("a", rev(11), needs=(Need((9, b"r"), Absent.SKIP),)), U("b", rev(12))))

    assert rig.tables.done == ["b"]
    assert rig.position() == (12, 5, 7, 0)
