"""Cursors with a key: what they order and what is a gap of theirs, for each what its schema says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import (
    ACCOUNT,
    ADOPTED,
    CHANNEL,
    CURSORS,
    DROPPED,
    HOLD_MS,
    MAILBOX,
    PROJECT,
    A,
    C,
    Tables,
    U,
    channel,
    channel_at,
    keyed,
    protocol,
    push,
    rev,
    seq,
)

from pillarbox.sync.cursor_parts import PartKind, PartSpec
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.protocol import AnswerKind, Opened, Poll


def test_claims_of_one_instance_are_sorted() -> None:
    """Section 15, K-1, K-2: channel 50, delete (52,2), new (53,1)."""
    rig = rig_at().receive(push(U("new", channel(53)), U("delete", channel(52, 2))))

    assert rig.tables.done == ["delete", "new"]
    assert rig.position(CHANNEL, 5) == (53,)


def test_a_gap_is_owed_and_asked_about_at_once() -> None:
    """Section 15, K-7, E-13: channel 50, new (52,1) -> difference from 50."""
    rig = rig_at().receive(push(U("new", channel(52)), U("next", channel(53))))

    assert rig.tables.done == []
    assert rig.tables.debts == {(CHANNEL, 5): Debt(CHANNEL, 5, 52, "", 99, 101)}
    assert rig.asked == [("difference", CHANNEL, 5, (50,))]
    assert rig.machine.held == 0


def test_an_instance_of_which_more_is_said_to_come_and_does_not_is_asked_about_after_a_while() -> None:
    """K-8, K-13: asked at once, it would be without end; what is missing stays owed."""
    rig = rig_at().receive(push(U("new", channel(52))))

    for _ in range(3):
        rig.answer("difference", A(AnswerKind.SLICE, {0: 50}), cursor=CHANNEL).wait(4_999)
        assert rig.sent == {}
        assert rig.tables.debts.keys() == {(CHANNEL, 5)}
        rig.wait(1)
        assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]
    assert rig.rules().count("K-8") == 3

    rig.answer("difference", A(AnswerKind.SLICE, {0: 51}), cursor=CHANNEL)
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (51,))], "at once, from there"
    rig.answer("difference", A(set={0: 52}), cursor=CHANNEL)
    assert (rig.position(CHANNEL, 5), rig.tables.debts) == ((52,), {})


def test_an_instance_that_is_not_known_and_stays_so_is_asked_about_after_a_while() -> None:
    """K-8: an answer may say nothing of where it ends."""
    rig = rig_at(None).receive(push(U("new", channel(52))))

    for _ in range(3):
        rig.answer("difference", A(AnswerKind.SLICE), cursor=CHANNEL).wait(4_999)
        assert rig.sent == {}
        rig.wait(1)
        assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]
    assert rig.rules().count("K-8") == 3

    rig.answer("difference", A(AnswerKind.SLICE, {0: 51}), cursor=CHANNEL)
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (51,))], "at once, from there"


def test_a_stamp_that_moves_leads_an_instance_nowhere() -> None:
    """K-8, K-13: it may be what time it is there, and is another in each answer."""
    parts = (*CURSORS[CHANNEL].parts, PartSpec("date", PartKind.STAMP))
    spec = protocol(cursors={**CURSORS, CHANNEL: replace(CURSORS[CHANNEL], parts=parts)})
    rig = Rig(Tables({(ACCOUNT, b""): (10, 5, 7, 0), (CHANNEL, 5): (50, 1)}), spec).start()
    rig.receive(push(U("new", channel(52))))

    rig.answer("difference", A(AnswerKind.SLICE, {0: 50, 1: 2}), cursor=CHANNEL).wait(4_999)
    assert rig.sent == {}
    rig.wait(1)
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50, 2))]


def test_an_instance_that_is_not_known_is_asked_about_from_nothing() -> None:
    """Section 15, K-3: channel unknown, new (52,1)."""
    rig = rig_at(None).receive(push(U("new", channel(52))))

    assert rig.asked == [("difference", CHANNEL, 5, None)]
    assert rig.position(CHANNEL, 5) is None


@pytest.mark.parametrize(("hint", "asked"), [(50, False), (60, True), (None, True)])
def test_a_hint_that_is_not_ahead_is_not_followed(hint: int | None, asked: bool) -> None:
    """Section 15, K-3: channel 50, tooLong pts 50 / 60 / none."""
    too_long = U("too long", beside=(CHANNEL, 5), acts=(Poll(CHANNEL, 5, hint),))

    rig = rig_at().receive(push(too_long))

    assert bool(rig.asked) == asked


def test_what_rides_comes_behind_the_claims_and_moves_nothing() -> None:
    """K-1, K-4, E-3: a rider on an unknown instance opens no gap and is no first position."""
    rider = U("rides@", beside=(CHANNEL, 5))
    rig = rig_at().receive(push(rider, U("new", channel(51))))
    assert rig.tables.done == ["new", "rides@ end=None date=0 at=None"]

    rig = rig_at(None).receive(push(rider))

    assert rig.tables.done == ["rides@ end=None date=0 at=None"]
    assert rig.position(CHANNEL, 5) is None
    assert rig.asked == []


def test_a_count_of_zero_at_the_position_is_interpreted() -> None:
    """K-2, G-4: the same decision as for box-wide counters."""
    rig = rig_at().receive(push(U("zero", channel(50, 0)), U("old", channel(50))))

    assert rig.tables.done == ["zero"]
    assert rig.asked == []


def test_a_container_can_ask_for_an_instance() -> None:
    """K-5: one that was just joined is asked about, whether or not something of it is missing."""
    rig = rig_at().receive(push(U("free"), acts=(Poll(CHANNEL, 6),)))

    assert rig.tables.done == ["free"]
    assert rig.tables.debts == {(CHANNEL, 6): Debt(CHANNEL, 6, None, "", 99, 101)}
    assert rig.asked == [("difference", CHANNEL, 6, None)]


def test_what_comes_later_in_a_batch_sees_what_came_before() -> None:
    """A-1: where a cursor stands is that of the batch, not that of the store."""
    rig = rig_at().receive(push(U("one@", channel(51)), U("two@", channel(52))))

    assert [name.split("at=")[1] for name in rig.tables.done] == ["(50,)", "(51,)"]


def test_a_gap_of_one_instance_stops_no_other_and_not_the_account() -> None:
    """K-6, E-4."""
    tables = channel_at()
    tables.positions[CHANNEL, 6] = (1,)
    rig = Rig(tables).start()

    rig.receive(push(U("gap", channel(52)), U("six", channel(2, key=6)), U("rev", rev(11)), U("free")))

    assert rig.tables.done == ["six", "rev", "free"]


def test_what_travels_with_a_container_waits_and_drops_with_it() -> None:
    """U-4, U-6."""
    rig = rig_at().receive(push(U("waits", channel(51)), claim=seq(9)))
    assert rig.tables.done == []

    rig.receive(push(U("drops", channel(51)), claim=seq(7)), push(claim=seq(8)))

    assert rig.tables.done == ["waits"]


def test_what_travels_alone_does_not_wait_for_its_container() -> None:
    """U-4: `travels: alone`."""
    tables = channel_at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("it", keyed(PROJECT, 1, 4)), U("rest"), claim=seq(9)))

    assert rig.tables.done == ["it"]


def test_a_keyed_gap_waits_where_its_schema_says_so_and_is_owed_afterwards() -> None:
    """G-14, G-16, E-7."""
    tables = channel_at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("5", keyed(PROJECT, 1, 5))))
    assert (rig.asked, rig.machine.held) == ([], 1)

    rig.wait(HOLD_MS - 1).receive(push(U("6", keyed(PROJECT, 1, 6)))).wait(1)

    assert rig.asked == [("difference", PROJECT, 1, (3,))]
    assert rig.machine.held == 0


def test_a_keyed_gap_does_not_wait_when_its_container_moves_the_cursor_past_it() -> None:
    """E-13: else nothing would show it after a crash."""
    tables = channel_at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("5", keyed(PROJECT, 1, 5)), claim=seq(8)))

    assert rig.position() == (10, 5, 8, 0)
    assert (PROJECT, 1) in rig.tables.debts


def test_a_keyed_gap_that_closes_in_time_is_not_asked_about() -> None:
    """G-15."""
    tables = channel_at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("5", keyed(PROJECT, 1, 5))))

    rig.receive(push(U("4", keyed(PROJECT, 1, 4)))).wait(2 * HOLD_MS)

    assert rig.tables.done == ["4", "5"]
    assert rig.asked == []


def test_an_unknown_instance_may_begin_with_its_first_claim_or_be_left_alone() -> None:
    """K-3: `unknown: adopt` and `unknown: drop`."""
    rig = rig_at().receive(
        push(U("b", keyed(ADOPTED, 1, 8)), U("a", keyed(ADOPTED, 1, 7)), U("no", keyed(DROPPED, 1, 7)))
    )

    assert rig.tables.done == ["a", "b"]
    assert rig.position(ADOPTED, 1) == (8,)
    assert rig.position(DROPPED, 1) is None
    assert rig.asked == []


def test_a_step_for_an_instance_that_is_not_known_is_ignored() -> None:
    """G-19: no poll."""
    rig = rig_at(None).receive(C(Opened(steps=(channel(52),))))

    assert rig.asked == []
    assert rig.position(CHANNEL, 5) is None


def test_a_step_of_an_instance_is_checked_like_an_update() -> None:
    """G-19, G-13: with what was done it moves the counter."""
    rig = rig_at().did(C(Opened(steps=(channel(51),))), "own 51").receive(push(U("52", channel(52))))

    assert rig.tables.done == ["own 51", "52"]
    assert rig.position(CHANNEL, 5) == (52,)
    assert rig.asked == []


def test_a_step_of_an_instance_that_brings_nothing_is_owed() -> None:
    """E-1, E-13: its counter moves with what it counts."""
    rig = rig_at().receive(C(Opened(steps=(channel(51),))))

    assert rig.position(CHANNEL, 5) == (50,)
    assert rig.asked == [("difference", CHANNEL, 5, (50,))]


def test_what_was_done_to_an_instance_that_is_not_known_is_done_at_once() -> None:
    """G-19: there is no counter that could order it, and it is asked about from its beginning."""
    rig = rig_at(None).did(C(Opened(steps=(channel(52),))), "own")

    assert rig.tables.done == ["own"]
    assert rig.asked == []
    assert rig.position(CHANNEL, 5) is None


def test_a_watermark_applies_what_is_above_it_and_does_not_move() -> None:
    """E-3: no gap is ever visible; only answers move it."""
    tables = channel_at()
    tables.positions[MAILBOX, b"in"] = (20,)
    mark = {value: keyed(MAILBOX, b"in", value, 0) for value in (20, 21, 30)}
    rig = Rig(tables).start().receive(push(*(U(str(value), claim) for value, claim in mark.items())))

    assert rig.tables.done == ["21", "30"]
    assert rig.position(MAILBOX, b"in") == (20,)
    assert rig.asked == []
