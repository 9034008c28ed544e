"""What is owed of instances is asked about in rounds; a round is one commit, whichever answer came first.

One that is refused, silent or stale holds up no other.
"""

from __future__ import annotations

import pytest
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    COVERED,
    A,
    State,
    U,
    body,
    channel,
    channel_at,
    push,
    qts,
)

from pillarbox.storage import StoredKey
from pillarbox.sync.debts import Debts
from pillarbox.sync.protocol import AnswerKind, Poll
from pillarbox.sync.signals import Flood, Flush, Resync, RoleChanged, SessionChanged, Untaken, Woken


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
    tables = channel_at()
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


def test_a_refusal_that_outlives_its_session_is_found() -> None:
    """The fault: a round that ends in another session than it began in."""
    fault = Fault("a refusal outlives its session", Debts, "session", "one.stopped.clear()", "pass")

    with fault.planted(), pytest.raises(AssertionError):
        test_what_was_refused_so_in_an_earlier_session_is_asked_again_though_its_round_ends_in_this_one()


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


def test_one_that_must_not_be_asked_about_for_long_does_not_hold_up_the_others() -> None:
    """Section 12, K-13: the round goes on without it; those that rest as usual rest no longer for it."""
    rig = two_owed().fail("difference", Flood(60_000), cursor=CHANNEL)

    answer_for(rig, 6, A(set={0: 60}))

    assert rig.position(CHANNEL, 6) == (60,)
    rig.receive(push(U("z", channel(70, key=6))))
    for _ in range(4):
        rig.fail("difference").wait(1_000)
    assert rig.waiting("difference") == []
    rig.wait(5_000)
    assert rig.waiting("difference") == [("difference", CHANNEL, 6, (60,))]
    answer_for(rig, 6, A(set={0: 70}))
    assert rig.wait(40_000).sent == {}
    assert rig.wait(20_000).waiting("difference") == [("difference", CHANNEL, 5, (50,))]


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


def test_an_answer_that_speaks_of_another_cursor_which_moved_is_asked_for_again() -> None:
    """D-2, E-8: nothing of it is written, so nothing of it is confirmed, and it is owed as before."""
    rig = rig_at().receive(push(U("x", channel(52))))
    found = A(set={0: 52}, body=body(U("52", channel(52)), U("6", qts(6)), covered=COVERED))
    rig.answer("difference", found, cursor=CHANNEL, work=False)
    rig.work_one()

    rig.tables.positions[ACCOUNT, b""] = (11, 5, 7, 0)
    rig.work()

    assert rig.tables.done == []
    assert rig.waiting("confirm") == []
    rig.answer("difference", found, cursor=CHANNEL)
    assert rig.tables.done == ["52", "6"]
    assert rig.tables.debts == {}


def test_one_that_the_store_never_takes_is_told_and_no_flush_waits_for_it() -> None:
    """A-11: at the third time that it is alone, until it is written, or another is the master."""
    rig = rig_at().receive(push(U("lost", channel(60))))
    never = A(set={0: 60}, body=body(U("!", channel(60)), covered=COVERED))

    def refuse() -> None:
        for _ in range(3):
            assert rig.machine.untaken is None
            answer_for(rig, 5, never)
            rig.wait(5_000)

    refuse()
    assert rig.machine.untaken == Untaken("channel", 5, "the operation cannot be done")
    rig.ask(1, Flush()).answer("state", State((10, 5, 7, 0)))
    assert rig.settled[1].error is None
    rig.step(RoleChanged(rig.now, False))
    assert rig.machine.untaken is None

    rig.step(RoleChanged(rig.now, True))
    rig.work()
    refuse()
    answer_for(rig, 5, A(set={0: 60}))
    assert (rig.machine.untaken, rig.tables.debts) == (None, {})


def test_one_that_another_process_has_paid_is_told_no_more() -> None:
    """A-11: nobody waits for it."""
    rig = rig_at().receive(push(U("lost", channel(60))))
    for _ in range(3):
        answer_for(rig, 5, A(set={0: 60}, body=body(U("!", channel(60)), covered=COVERED)))
        rig.wait(5_000)
    assert rig.machine.untaken is not None

    rig.tables.debts.clear()
    rig.step(Woken(rig.now))
    rig.work()

    assert rig.machine.untaken is None


def test_one_that_cannot_be_written_does_not_hold_up_the_others() -> None:
    """A-11, E-4: each is written by itself from then on."""
    rig = two_owed()
    for key, name in ((5, "of 5"), (6, "!")):
        found = U(name, channel(60, key=key))
        answer_for(rig, key, A(set={0: 60}, body=body(found, covered=COVERED)))
    assert rig.tables.done == [], "in one commit"

    rig.wait(5_000)
    for key, name in ((5, "of 5"), (6, "!")):
        found = U(name, channel(60, key=key))
        answer_for(rig, key, A(set={0: 60}, body=body(found, covered=COVERED)))

    assert rig.tables.done == ["of 5"]
    assert list(rig.tables.debts) == [(CHANNEL, 6)]
    assert rig.position(CHANNEL, 6) == (1,)
    answer_for(rig.wait(5_000), 6, A(set={0: 60}))
    assert rig.tables.debts == {}
