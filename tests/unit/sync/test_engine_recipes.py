"""What an instance is cured by when no difference can: its recipe, whose rows and cursor are one commit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    HOLD_MS,
    RESETS,
    A,
    Page,
    TooLong,
    U,
    body,
    channel,
    channel_at,
    protocol,
    push,
    rev,
)

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import Flood


def test_too_long_runs_the_recipe_of_the_instance() -> None:
    """K-11, 4.3: rows and the cursor in one commit."""
    rig = rig_at().receive(push(U("x", channel(52)))).answer("difference", TooLong())
    assert rig.waiting("pages") == [("pages", 5, 0)]

    rig.answer("pages", Page(("top",), at=90))

    assert rig.tables.done == ["top"]
    assert rig.position(CHANNEL, 5) == (90,)
    assert rig.tables.debts == {}


def test_a_recipe_whose_answer_cannot_be_read_pays_nothing() -> None:
    """K-11, A-11: more was seen to be missing since, so what it sets is looked at before it is written."""
    rig = rig_at().receive(push(U("x", channel(52)))).answer("difference", TooLong())
    rig.receive(push(U("60", channel(60))))

    rig.answer("pages", Page(("top",), at="nowhere"), work=False)  # type: ignore[arg-type]
    rig.work_one(failure="the answer cannot be read")

    assert rig.position(CHANNEL, 5) == (50,)
    assert (CHANNEL, 5) in rig.tables.debts


def in_answer(spec: SyncProtocol | None = None) -> Rig:
    rig = Rig(channel_at(), spec).start().receive(push(U("12", rev(12)))).wait(HOLD_MS)
    return rig.answer("difference", A(set={0: 12}, body=body(U("gap", channel(55)), U("11", rev(11)))))


def test_a_gap_inside_an_answer_is_cured_by_the_recipe() -> None:
    """K-7, K-13, 4.4, E-13: the debt is written by the commit that passes it."""
    rig = in_answer()

    assert rig.tables.debts == {(CHANNEL, 5): Debt(CHANNEL, 5, 55, "channel", 99, 103)}
    assert rig.asked[-1] == ("pages", 5, 0)
    assert rig.machine.updating, "D-4"
    rig.answer("pages", Page(("top",), at=90))
    assert rig.tables.debts == {}
    assert not rig.machine.updating, "D-4"


def test_what_was_shown_while_the_store_failed_does_not_take_the_recipe_away() -> None:
    """K-7, A-11: both are owed, and what no difference may cure is cured by its recipe."""
    rig = in_answer().receive(push(U("60", channel(60))))
    rig.answer("pages", Page(("top",), at=90), work=False)
    rig.work_one(failure="the disk is full")

    rig.wait(5_000)

    assert rig.waiting("pages") == [("pages", 5, 0)]


def test_a_recipe_of_an_instance_that_is_refused_leaves_it_owed() -> None:
    """4.4, E-13: it is not tried again at once, but what is missing of it is not forgotten."""
    rig = in_answer().refuse("pages", "ANY")

    assert rig.position(CHANNEL, 5) == (50,)
    assert rig.sent == {}
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert not rig.machine.updating, "nobody waits for what may never be told"
    rig.wait(5_000).answer("pages", Page(("top",), at=90))
    assert rig.position(CHANNEL, 5) == (90,)
    assert rig.tables.debts == {}


def test_a_recipe_of_an_instance_that_is_refused_so_leaves_it_owed() -> None:
    """K-10, K-13: it is not known what is missing of it."""
    rig = rig_at().receive(push(U("x", channel(52)))).answer("difference", TooLong())

    rig.refuse("pages", "STOP").wait(60_000)

    assert rig.sent == {}
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


@pytest.mark.parametrize("retry", [True, False])
@pytest.mark.parametrize(("code", "asked"), [("PRIVATE", [ACCOUNT]), ("DONE", [])])
def test_a_code_says_of_a_recipe_what_it_says_of_a_difference(
    retry: bool, code: str, asked: list[int]
) -> None:
    """K-10: nothing of it is missing, or somebody else knows what is."""
    spec = protocol(resets={**RESETS, "channel": replace(RESETS["channel"], retry=retry)})
    rig = in_answer(spec).refuse("pages", code)

    assert rig.position(CHANNEL, 5) == (50,)
    assert rig.tables.debts == {}
    assert [cursor for _, cursor, *_ in rig.waiting("difference")] == asked
    assert rig.waiting("pages") == []


def test_a_recipe_that_asked_too_often_is_not_run_again_before_it_may() -> None:
    """Section 12: nor is one of which nothing is tried twice, whatever is pushed meanwhile."""
    rig = in_answer().fail("pages", Flood(60_000))
    rig.receive(push(U("60", channel(60)))).wait(59_999)
    assert rig.sent == {}

    rig.wait(1).answer("pages", Page(("top",), at=90))

    assert rig.tables.debts == {}
    assert rig.position(CHANNEL, 5) == (90,)
