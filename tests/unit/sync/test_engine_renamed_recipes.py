"""What an earlier schema owes: recipes that have another name now, or are no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    CURSORS,
    RESETS,
    A,
    Page,
    channel_at,
    protocol,
)
from tests.unit.sync.test_engine_owed_recipes import EVERYTHING, STATE, asked, followed, rows

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.protocol import AnswerKind
from pillarbox.sync.signals import Commit, SessionChanged, Started, Woken


@pytest.mark.parametrize(
    "debt",
    [
        Debt(ACCOUNT, b"old", 1, "old", 5),
        Debt(ACCOUNT, b"channel", 1, "channel", 5),
        Debt(88, 5, None, "", 5),
    ],
)
def test_what_an_earlier_schema_owes_and_this_one_has_not_is_given_up(debt: Debt) -> None:
    """K-14: of a recipe, or a cursor, that is no more, or of a recipe that is another cursor's now."""
    rig = Rig(channel_at(), spec=protocol(resets={"channel": RESETS["channel"]}))
    rig.tables.debts[debt.instance] = debt

    rig.start()

    assert rig.tables.debts == {}
    assert rig.rules() == ["K-14"]
    assert rig.machine.is_resting


def test_a_recipe_that_has_another_name_now_is_run_by_that() -> None:
    """K-14, D-6: a name is no number, and what was to be brought anew is not forgotten with it."""
    rig = asked()
    renamed = {"anew": replace(RESETS["everything"], name="anew")}
    other = Rig(rig.tables, spec=protocol(resets=renamed))
    other.now = rig.now

    other.start(77)

    assert other.rules() == ["K-14"]
    assert rows(other) == [(b"anew", "anew", 77)]
    other.answer("state", STATE).answer("pages", Page(("all",))).answer("difference", A())
    assert (other.tables.done, other.tables.debts) == (["it", "all"], {})
    assert other.machine.is_resting


def test_it_is_run_once_however_often_that_is_read_before_it_is_written() -> None:
    """K-14, D-6: a start reads it, a new session, and whatever others write."""
    renamed = {"anew": replace(RESETS["everything"], name="anew")}
    other = Rig(asked().tables, spec=protocol(resets=renamed))
    other.step(Started(other.now, 77))
    other.step(SessionChanged(other.now))
    other.step(Woken(other.now))
    other.work()

    other.answer("difference", A()).answer("difference", A())
    followed(other)

    assert (other.tables.done, other.tables.debts, other.sent) == (["it", "all"], {}, {})
    assert other.rules() == ["K-14"]


def test_what_cannot_be_written_of_it_is_written_after_a_while() -> None:
    """K-14, A-11."""
    rig = Rig(asked().tables, spec=protocol(resets={}))
    rig.step(Started(rig.now, 77))
    rig.work_one()  # It is read.
    rig.answer("difference", A(AnswerKind.EMPTY), work=False)
    while not isinstance(rig.store[0], Commit):
        rig.work_one()
    rig.work_one(failure="the disk is full")
    rig.work()
    assert set(rig.tables.debts) == {EVERYTHING}

    rig.wait(100)

    assert rig.tables.debts == {}
    assert rig.machine.is_resting


def test_of_an_instance_without_a_difference_as_well() -> None:
    """K-14."""
    alone = replace(CURSORS[CHANNEL], difference=None)
    rig = Rig(channel_at(), spec=protocol(cursors={**CURSORS, CHANNEL: alone}))
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, None, "old", 5)

    rig.start().answer("pages", Page(("all",)))

    assert (rig.tables.done, rig.tables.debts) == (["all"], {})


@pytest.mark.parametrize("cure", ["old", "everything"])
def test_an_instance_whose_recipe_is_no_more_is_asked_about(cure: str) -> None:
    """K-14."""
    rig = Rig(channel_at())
    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, None, cure, 5)

    rig.start()

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]
