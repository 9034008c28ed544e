"""What somebody looks at is asked about again and again, until the last one looks away."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    COVERED,
    A,
    Page,
    TooLong,
    U,
    body,
    channel,
    channel_at,
)

from pillarbox.sync.protocol import AnswerKind, Poll
from pillarbox.sync.signals import Flood, Look, Resync, SessionChanged


def test_what_is_looked_at_is_asked_about_again_and_again() -> None:
    """K-9: 1 s after it was opened, then as often as the answer says, until the last looks away."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).ask(2, Look(CHANNEL, 5, True)).wait(999)
    assert rig.asked == []
    rig.wait(1).answer("difference", A(AnswerKind.EMPTY, set={0: 51}, timeout_ms=7_000))
    assert rig.position(CHANNEL, 5) == (51,)

    rig.ask(3, Look(CHANNEL, 5, False)).wait(7_000)
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (51,))]
    rig.ask(4, Look(CHANNEL, 5, False)).wait(60_000)

    assert rig.sent == {}
    assert set(rig.settled) == {1, 2, 3, 4}


def test_what_is_looked_at_and_not_known_is_looked_for_later() -> None:
    """K-9: again after 30 s."""
    rig = rig_at(None).ask(1, Look(CHANNEL, 5, True)).wait(30_999)
    assert rig.asked == []

    rig.tables.positions[CHANNEL, 5] = (1,)
    rig.wait(1)

    assert len(rig.sent) == 1


def test_an_answer_to_a_look_is_thrown_away_when_the_instance_moved() -> None:
    """K-12."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000)
    rig.answer("difference", A(set={0: 60}, body=body(U("late", channel(51)), covered=COVERED)), work=False)

    rig.work_one()  # The read, after which it is drafted and waits for its turn.
    rig.tables.positions[CHANNEL, 5] = (51,)
    rig.work()

    assert rig.tables.done == []
    assert rig.position(CHANNEL, 5) == (51,)


def test_what_is_being_read_when_the_last_one_looks_away_comes_to_nothing() -> None:
    """K-9, K-12."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000)
    rig.answer("difference", A(set={0: 60}, body=body(U("late", channel(51)), covered=COVERED)), work=False)

    rig.ask(2, Look(CHANNEL, 5, False))

    assert (rig.tables.done, rig.position(CHANNEL, 5)) == ([], (50,))
    assert rig.wait(60_000).waiting("difference") == []


def test_what_is_looked_at_is_not_asked_about_before_a_flood_is_over() -> None:
    """Section 12."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000).fail("difference", Flood(90_000))
    assert rig.wait(89_999).sent == {}

    assert len(rig.wait(1).waiting("difference")) == 1


def test_what_the_recipe_of_what_is_looked_at_owes_is_asked_about() -> None:
    """K-9, E-13: its row stands, and nobody else may read that for long."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000).answer("difference", TooLong())

    rig.answer("pages", Page(("all",), at=60, acts=(Poll(CHANNEL, 6),)))

    assert (list(rig.tables.debts), rig.position(CHANNEL, 5)) == ([(CHANNEL, 6)], (60,))
    assert rig.waiting("difference") == [("difference", CHANNEL, 6, None)]
    rig.answer("difference", A(set={0: 1}))
    assert rig.tables.debts == {}


def test_what_is_looked_at_and_always_owed_anew_by_its_recipe_is_asked_about_once_in_a_while() -> None:
    """K-9, D-6: at once, it would be without end."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000)
    for _ in range(120):
        while rig.sent:
            kind, *_ = next(iter(rig.sent.values()))
            page = Page(("all",), at=60, acts=(Poll(CHANNEL, 5),))
            rig.answer(kind, TooLong() if kind == "difference" else page)
        rig.wait(1_000)

    assert len(rig.asked) < 80, "as a debt each 5 s, as what is looked at each 30 s, in two requests"


def test_nobody_but_the_master_looks() -> None:
    """P-3, K-9."""
    rig = Rig(channel_at()).start(master=False).ask(1, Look(CHANNEL, 5, True)).wait(60_000)

    assert rig.asked == []


def test_what_is_looked_at_and_was_refused_for_good_is_asked_about_in_a_new_session() -> None:
    """K-9, Q6."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000).refuse("difference", "STOP").wait(60_000)
    assert rig.waiting("difference") == []

    rig.step(SessionChanged(rig.now))
    rig.work()
    rig.answer("difference", A(AnswerKind.EMPTY), cursor=ACCOUNT).wait(1_000)

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


def test_who_was_refused_so_in_an_earlier_session_is_looked_at_though_it_is_written_in_this_one() -> None:
    """K-9, K-12, Q6: what an answer before the refusal brought is written once the account was asked."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000)
    rig.answer("difference", A(set={0: 51}, body=body(U("51", channel(51)), covered=COVERED), again=True))
    rig.ask(2, Resync()).refuse("difference", "STOP", cursor=CHANNEL)
    rig.step(SessionChanged(rig.now))
    rig.work()
    assert rig.tables.done == []

    while rig.waiting("difference"):
        rig.answer("difference", A(AnswerKind.EMPTY), cursor=ACCOUNT)

    assert rig.tables.done == ["51"]
    assert rig.wait(1_000).waiting("difference") == [("difference", CHANNEL, 5, (51,))]


def test_looking_at_one_instance_does_not_put_off_the_idle_poll() -> None:
    """G-20, K-9: else the last lost push about the rest would stay lost while somebody looks."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000)
    for _ in range(14):
        rig.answer("difference", A(AnswerKind.EMPTY, set={0: 50}, timeout_ms=60_000)).wait(60_000)

    rig.answer("difference", A(AnswerKind.EMPTY, set={0: 50}, timeout_ms=600_000)).wait(60_000)

    assert [asked for asked in rig.waiting("difference") if asked[1] != CHANNEL], "the account is polled"


@pytest.mark.parametrize("odd", [0, -5, "soon", None, float("nan"), float("inf"), 10**15])
def test_who_looks_is_not_asked_for_at_a_time_that_is_none(odd: Any) -> None:
    """K-9: a server that says to ask at once, or never, is asked as one that says nothing."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000)

    rig.answer("difference", A(AnswerKind.EMPTY, timeout_ms=odd), cursor=CHANNEL).wait(29_999)
    assert rig.sent == {}
    rig.wait(1)
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]
    assert "K-9" in rig.rules()
