"""Cursors with a key: order, gaps, debts and the rounds that repair them, looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.sync.engine_world import (
    ACCOUNT,
    ADOPTED,
    CHANNEL,
    CURSORS,
    DROPPED,
    HOLD_MS,
    MAILBOX,
    PROJECT,
    RESETS,
    A,
    C,
    Page,
    Rig,
    Tables,
    TooLong,
    U,
    body,
    channel,
    keyed,
    protocol,
    push,
    rev,
    seq,
)

from pillarbox.storage import StoredKey
from pillarbox.sync.cursor_parts import PartKind, PartSpec
from pillarbox.sync.protocol import AnswerKind, Debt, Opened, Poll, SyncProtocol
from pillarbox.sync.signals import Flood, Look, Resync, RoleChanged, SessionChanged, Woken

COVERED = [(CHANNEL, 0)]


def at(value: int | None = 50, **more: tuple[int, ...]) -> Tables:
    """A box whose channel 5 stands there."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0)})
    if value is not None:
        tables.positions[CHANNEL, 5] = (value,)
    return tables


def rig_at(value: int | None = 50) -> Rig:
    return Rig(at(value)).start()


def test_claims_of_one_instance_are_sorted() -> None:
    """Section 15, K-1, K-2: channel 50, delete (52,2), new (53,1)."""
    rig = rig_at().receive(push(U("new", channel(53)), U("delete", channel(52, 2))))

    assert rig.tables.done == ["delete", "new"]
    assert rig.position(CHANNEL, 5) == (53,)


def test_a_gap_is_owed_and_asked_about_at_once() -> None:
    """Section 15, K-7, E-13: channel 50, new (52,1) -> difference from 50."""
    rig = rig_at().receive(push(U("new", channel(52)), U("next", channel(53))))

    assert rig.tables.done == []
    assert rig.tables.debts == {(CHANNEL, 5): Debt(CHANNEL, 5, 52, "", 99)}
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
    assert rig.tables.debts == {(CHANNEL, 6): Debt(CHANNEL, 6, None, "", 99)}
    assert rig.asked == [("difference", CHANNEL, 6, None)]


def test_what_comes_later_in_a_batch_sees_what_came_before() -> None:
    """A-1: where a cursor stands is that of the batch, not that of the store."""
    rig = rig_at().receive(push(U("one@", channel(51)), U("two@", channel(52))))

    assert [name.split("at=")[1] for name in rig.tables.done] == ["(50,)", "(51,)"]


def test_a_gap_of_one_instance_stops_no_other_and_not_the_account() -> None:
    """K-6, E-4."""
    tables = at()
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
    tables = at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("it", keyed(PROJECT, 1, 4)), U("rest"), claim=seq(9)))

    assert rig.tables.done == ["it"]


def test_a_keyed_gap_waits_where_its_schema_says_so_and_is_owed_afterwards() -> None:
    """G-14, G-16, E-7."""
    tables = at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("5", keyed(PROJECT, 1, 5))))
    assert (rig.asked, rig.machine.held) == ([], 1)

    rig.wait(HOLD_MS - 1).receive(push(U("6", keyed(PROJECT, 1, 6)))).wait(1)

    assert rig.asked == [("difference", PROJECT, 1, (3,))]
    assert rig.machine.held == 0


def test_a_keyed_gap_does_not_wait_when_its_container_moves_the_cursor_past_it() -> None:
    """E-13: else nothing would show it after a crash."""
    tables = at()
    tables.positions[PROJECT, 1] = (3,)
    rig = Rig(tables).start().receive(push(U("5", keyed(PROJECT, 1, 5)), claim=seq(8)))

    assert rig.position() == (10, 5, 8, 0)
    assert (PROJECT, 1) in rig.tables.debts


def test_a_keyed_gap_that_closes_in_time_is_not_asked_about() -> None:
    """G-15."""
    tables = at()
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
    tables = at()
    tables.positions[MAILBOX, b"in"] = (20,)
    mark = {value: keyed(MAILBOX, b"in", value, 0) for value in (20, 21, 30)}
    rig = Rig(tables).start().receive(push(*(U(str(value), claim) for value, claim in mark.items())))

    assert rig.tables.done == ["21", "30"]
    assert rig.position(MAILBOX, b"in") == (20,)
    assert rig.asked == []


# ------------------------------------------------------------------------------------------------ rounds


def test_an_answer_repairs_and_pays_in_one_commit() -> None:
    """K-13, E-1, G-8: covered claims are not checked."""
    rig = rig_at().receive(push(U("lost", channel(52))))
    commits = rig.commits

    rig.answer(
        "difference", A(set={0: 53}, body=body(U("51", channel(51)), U("52", channel(52)), covered=COVERED))
    )

    assert rig.commits == commits + 1
    assert rig.tables.done == ["51", "52"]
    assert rig.position(CHANNEL, 5) == (53,)
    assert rig.tables.debts == {}


def test_an_answer_that_is_not_the_last_is_asked_on_at_once() -> None:
    """K-8, Q-10: from where it ended, and all of it is one commit."""
    rig = rig_at().receive(push(U("lost", channel(52))))
    commits = rig.commits

    rig.answer("difference", A(set={0: 51}, body=body(U("51", channel(51)), covered=COVERED), again=True))
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (51,))]
    rig.answer("difference", A(set={0: 52}, body=body(U("52", channel(52)), covered=COVERED)))

    assert rig.commits == commits + 1
    assert rig.tables.done == ["51", "52"]


def two_owed() -> Rig:
    tables = at()
    tables.positions[CHANNEL, 6] = (1,)
    rig = Rig(tables).start().receive(push(U("x", channel(52)), U("y", channel(9, key=6))))
    assert rig.asked == [("difference", CHANNEL, 5, (50,)), ("difference", CHANNEL, 6, (1,))]
    return rig


def answer_for(rig: Rig, key: StoredKey, answer: A) -> None:
    """Answer the question about one key, whichever waits first."""
    found = next(it for it, request in rig.sent.items() if request[:3] == ("difference", CHANNEL, key))
    rig.sent = {found: rig.sent.pop(found), **rig.sent}
    rig.answer("difference", answer)


@pytest.mark.parametrize("order", [(5, 6), (6, 5)])
def test_answers_are_merged_in_a_fixed_order_whichever_came_first(order: tuple[int, int]) -> None:
    """A-7, A-5, A-6, E-14."""
    rig = two_owed()
    commits = rig.commits

    for key in order:
        found = U(f"of {key}", channel(60, key=key))
        answer_for(rig, key, A(set={0: 60}, body=body(found, covered=COVERED)))

    assert rig.tables.done == ["of 5", "of 6"]
    assert rig.commits == commits + 1


def test_one_that_is_refused_for_good_does_not_hold_up_the_others() -> None:
    """K-10, A-8: nothing of it is written, it is not owed any more, and the account is polled."""
    rig = two_owed()

    rig.refuse("difference", "PRIVATE", cursor=CHANNEL)
    answer_for(rig, 6, A(set={0: 60}))

    assert rig.position(CHANNEL, 5) == (50,)
    assert rig.position(CHANNEL, 6) == (60,)
    assert rig.tables.debts == {}
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]


def test_one_that_is_refused_and_owed_anew_by_what_that_asks_for_is_not_asked_without_end() -> None:
    """K-10: what the first refusal asks for is asked at once, the same of the next one after a while."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.refuse("difference", "PRIVATE", cursor=CHANNEL)
    rig.answer("difference", A(set={0: 10}, body=body(acts=(Poll(CHANNEL, 5),))), cursor=ACCOUNT)
    rig.refuse("pages", "PRIVATE")

    assert rig.sent == {}
    rig.wait(4_999)
    assert rig.sent == {}
    rig.wait(1)
    assert [request[1] for request in rig.waiting("difference")] == [ACCOUNT]


def test_what_many_refusals_ask_for_meanwhile_is_asked_once() -> None:
    """K-10: each gap is asked about, and what that asks for comes once in a while."""
    rig = rig_at().receive(push(U("x", channel(52))))
    rig.refuse("difference", "PRIVATE", cursor=CHANNEL).answer("difference", A(set={0: 10}), cursor=ACCOUNT)

    for pts in range(53, 60):
        rig.receive(push(U("x", channel(pts)))).refuse("difference", "PRIVATE", cursor=CHANNEL)

    assert rig.sent == {}
    rig.wait(5_000).answer("difference", A(set={0: 10}), cursor=ACCOUNT)
    rig.wait(60_000)
    assert [request for request in rig.waiting("difference") if request[1] == ACCOUNT] == []


def test_one_that_never_answers_does_not_hold_up_the_others() -> None:
    """K-13, E-22: the round goes on without it, and it is asked about again later."""
    rig = two_owed()
    answer_for(rig, 6, A(set={0: 60}))
    assert rig.position(CHANNEL, 6) == (1,)

    for _ in range(4):
        rig.fail("difference").wait(1_000)

    assert rig.position(CHANNEL, 6) == (60,)
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    rig.wait(5_000)
    rig.answer("difference", A(set={0: 52}))
    assert rig.tables.debts == {}


def test_a_refusal_that_says_stop_is_not_asked_again_in_this_run() -> None:
    """K-10."""
    rig = rig_at().receive(push(U("x", channel(52)))).refuse("difference", "STOP").wait(60_000)

    assert rig.sent == {}
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert rig.machine.stopped is None, "the others go on"


def test_what_was_refused_so_is_asked_again_in_a_new_session() -> None:
    """K-10: who was signed out may have signed in."""
    rig = rig_at().receive(push(U("x", channel(52)))).refuse("difference", "STOP")
    rig.step(SessionChanged(rig.now))
    rig.work()

    rig.answer("difference", A(AnswerKind.EMPTY), cursor=ACCOUNT)
    rig.answer("difference", A(set={0: 52}), cursor=CHANNEL)

    assert rig.tables.debts == {}


def test_what_was_refused_so_in_an_earlier_session_is_asked_again_though_its_round_ends_in_this_one() -> None:
    """K-10, K-12: a round is written when it is its turn, and the account is asked first."""
    rig = rig_at().receive(push(U("x", channel(52)))).ask(1, Resync())
    rig.refuse("difference", "STOP", cursor=CHANNEL)
    rig.step(SessionChanged(rig.now))
    rig.work()
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]

    while any(request[1] == ACCOUNT for request in rig.waiting("difference")):
        rig.answer("difference", A(AnswerKind.EMPTY), cursor=ACCOUNT)

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


def test_a_recipe_of_an_instance_that_is_refused_so_leaves_it_owed() -> None:
    """K-10, K-13: it is not known what is missing of it."""
    rig = rig_at().receive(push(U("x", channel(52)))).answer("difference", TooLong())

    rig.refuse("pages", "STOP").wait(60_000)

    assert rig.sent == {}
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


def test_a_refusal_that_says_done_is_as_good_as_an_empty_answer() -> None:
    """K-10."""
    rig = rig_at().receive(push(U("x", channel(52)))).refuse("difference", "DONE")

    assert rig.tables.debts == {}
    assert rig.machine.is_resting


def test_being_asked_too_often_is_waited_for() -> None:
    """Section 12: a flood says how long."""
    rig = rig_at().receive(push(U("x", channel(52)))).fail("difference", Flood(3_000)).wait(2_999)
    assert rig.sent == {}

    rig.wait(1)

    assert len(rig.sent) == 1


def test_an_answer_about_an_instance_that_moved_meanwhile_is_asked_for_again() -> None:
    """D-2, E-10."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.tables.positions[CHANNEL, 5] = (51,)
    rig.answer("difference", A(set={0: 60}, body=body(U("51", channel(51)), covered=COVERED)))

    assert rig.tables.done == []
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (51,))]


def test_a_stale_part_does_not_spoil_the_rest_of_its_round() -> None:
    """D-2, A-7: the one that moved is asked about in a next round."""
    rig = two_owed()
    answer_for(rig, 5, A(set={0: 60}))

    rig.tables.positions[CHANNEL, 5] = (51,)
    answer_for(rig, 6, A(set={0: 60}))

    assert rig.position(CHANNEL, 6) == (60,)
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (51,))]


def test_what_is_seen_missing_while_it_is_asked_about_stays_owed_unless_the_answer_brings_it() -> None:
    """E-13: the answer may be older than what was pushed since."""
    for end, owed in ((52, True), (55, False)):
        rig = rig_at().receive(push(U("52", channel(52)))).receive(push(U("55", channel(55))))

        rig.answer("difference", A(set={0: end}))

        assert bool(rig.tables.debts) == owed
        assert bool(rig.waiting("difference")) == owed


def test_of_two_hints_the_lower_stays() -> None:
    """K-13."""
    rig = rig_at().receive(push(U("60", channel(60)))).receive(push(U("55", channel(55))))
    assert rig.tables.debts[CHANNEL, 5].hint == 55

    rig.receive(push(U("70", channel(70))))

    assert rig.tables.debts[CHANNEL, 5].hint == 55


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
    rig = Rig(at(), spec).start().receive(push(U("12", rev(12)))).wait(HOLD_MS)
    return rig.answer("difference", A(set={0: 12}, body=body(U("gap", channel(55)), U("11", rev(11)))))


def test_a_gap_inside_an_answer_is_cured_by_the_recipe() -> None:
    """K-7, K-13, 4.4, E-13: the debt is written by the commit that passes it."""
    rig = in_answer()

    assert rig.tables.debts == {(CHANNEL, 5): Debt(CHANNEL, 5, 55, "channel", 99)}
    assert rig.asked[-1] == ("pages", 5, 0)
    assert rig.machine.updating, "D-4"
    rig.answer("pages", Page(("top",), at=90))
    assert rig.tables.debts == {}
    assert not rig.machine.updating, "D-4"


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


LEFT = "-5"


def left() -> U:
    """An update of the account that says so."""
    return U("left", rev(11), acts=(LEFT,))


def test_what_a_batch_forgets_is_not_set_by_it() -> None:
    """C-6: whoever joins again begins anew."""
    rig = rig_at().receive(push(U("51", channel(51)), left()))

    assert rig.position(CHANNEL, 5) is None
    rig.receive(push(U("60", channel(60))))
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]


def test_what_answers_a_question_about_what_was_forgotten_meanwhile_is_not_written() -> None:
    """D-2: it was not known when it was asked about either."""
    rig = rig_at(None).receive(push(U("52", channel(52)))).receive(push(left()))

    rig.answer("difference", A(set={0: 52}, body=body(U("of before", channel(52)), covered=COVERED)))

    assert rig.position(CHANNEL, 5) is None
    assert "of before" not in rig.tables.done
    assert (rig.tables.debts, rig.sent) == ({}, {})


def test_what_was_forgotten_and_is_owed_once_more_is_asked_about_once_more() -> None:
    """D-2, E-13."""
    rig = rig_at(None).receive(push(U("52", channel(52)))).receive(push(left()))
    rig.receive(push(U("60", channel(60))))

    rig.answer("difference", A(set={0: 52}, body=body(U("of before", channel(52)), covered=COVERED)))

    assert "of before" not in rig.tables.done
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]
    rig.answer("difference", A(set={0: 60}))
    assert (rig.position(CHANNEL, 5), rig.tables.debts) == ((60,), {})


def test_what_the_answer_about_another_forgets_is_not_written_with_it() -> None:
    """A-7, D-2: the answers of a round are written one after the other."""
    rig = rig_at(None).receive(push(U("52", channel(52)), U("62", channel(62, key=6))))
    rig.answer("difference", A(set={0: 52}, body=body(U("left", acts=("-6",)), covered=COVERED)))

    rig.answer("difference", A(set={0: 62}, body=body(U("of before", channel(62, key=6)), covered=COVERED)))

    assert (rig.position(CHANNEL, 5), rig.position(CHANNEL, 6)) == ((52,), None)
    assert "of before" not in rig.tables.done
    assert (rig.tables.debts, rig.sent) == ({}, {})


def test_what_the_program_forgot_meanwhile_is_not_written_either() -> None:
    """P-4: nobody is owed it."""
    rig = rig_at(None).receive(push(U("52", channel(52))))
    rig.tables.debts.clear()

    rig.answer("difference", A(set={0: 52}))

    assert rig.position(CHANNEL, 5) is None
    assert (rig.tables.debts, rig.sent) == ({}, {})


def test_what_the_program_forgot_and_is_owed_once_more_is_asked_about_once_more() -> None:
    """D-2, P-4: its debt is a new one."""
    rig = rig_at(None).receive(push(U("52", channel(52))))
    rig.tables.debts.clear()
    rig.receive(push(U("60", channel(60))))

    rig.answer("difference", A(set={0: 52}, body=body(U("of before", channel(52)), covered=COVERED)))

    assert "of before" not in rig.tables.done
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]


def test_what_rests_and_was_forgotten_is_not_asked_about() -> None:
    """K-13: it is owed to nobody."""
    rig = rig_at().receive(push(U("x", channel(52))))
    for _ in range(4):
        rig.fail("difference").wait(1_000)
    assert list(rig.tables.debts) == [(CHANNEL, 5)]

    rig.tables.debts.clear()
    rig.step(Woken(rig.now))
    rig.work()

    assert rig.wait(60_000).waiting("difference") == []


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


def test_debts_of_a_run_that_is_over_are_found_at_the_next_poll() -> None:
    """K-14, P-5, E-13."""
    tables = at()
    tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)

    rig = Rig(tables)
    rig.start()

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]
    rig.answer("difference", A(set={0: 52}))
    assert rig.tables.debts == {}


def test_debts_that_another_process_left_are_found_when_it_has_written() -> None:
    """K-14, P-4, P-3: by the master alone."""
    for master in (True, False):
        rig = Rig(at()).start(master=master)
        rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 52, "", 1)

        rig.step(Woken(rig.now))
        rig.work()

        assert bool(rig.sent) == master


def test_a_debt_that_another_run_wrote_anew_is_not_paid() -> None:
    """K-14, E-13."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.tables.debts[CHANNEL, 5] = Debt(CHANNEL, 5, 57, "", 1)
    rig.answer("difference", A(set={0: 52}))

    assert rig.tables.debts[CHANNEL, 5].run == 1


def test_one_who_is_not_the_master_owes_but_does_not_ask() -> None:
    """P-3."""
    rig = Rig(at()).start(master=False).receive(push(U("x", channel(52))))
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert rig.sent == {}

    rig.step(RoleChanged(rig.now, True))
    rig.work()

    assert len(rig.sent) == 1


def test_one_who_is_the_master_no_more_takes_its_questions_back() -> None:
    """P-3."""
    rig = rig_at().receive(push(U("x", channel(52))))

    rig.step(RoleChanged(rig.now, False))

    assert rig.sent == {}
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


# ------------------------------------------------------------------------------------------------- looks


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


def test_nobody_but_the_master_looks() -> None:
    """P-3, K-9."""
    rig = Rig(at()).start(master=False).ask(1, Look(CHANNEL, 5, True)).wait(60_000)

    assert rig.asked == []


def test_what_is_looked_at_and_was_refused_for_good_is_asked_about_in_a_new_session() -> None:
    """K-9, Q6."""
    rig = rig_at().ask(1, Look(CHANNEL, 5, True)).wait(1_000).refuse("difference", "STOP").wait(60_000)
    assert rig.waiting("difference") == []

    rig.step(SessionChanged(rig.now))
    rig.work()
    rig.answer("difference", A(AnswerKind.EMPTY), cursor=ACCOUNT).wait(1_000)

    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (50,))]


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
