"""Differences of box-wide cursors, through the whole engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    CURSORS,
    SEQ,
    A,
    State,
    Tables,
    U,
    body,
    channel,
    channel_at,
    protocol,
    push,
    rev,
    seq,
)

from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import AnswerKind, Body, Poll
from pillarbox.sync.signals import (
    NOBODY,
    Custom,
    Failure,
    Flush,
    Refusal,
    Refused,
    Resync,
    SessionChanged,
    SessionLost,
    Started,
    Stopped,
    Transient,
)

#: What is asked where the cursor stands at first.
ASKED: Final = ("difference", ACCOUNT, b"", (10, 5, 7, 0))


def polling() -> Rig:
    """The account is being polled."""
    return Rig().start().ask(1, Resync())


def test_a_cursor_that_is_not_there_begins_where_the_server_is_and_is_polled() -> None:
    """C-7: no data is made by that."""
    rig = Rig(Tables())
    rig.step(Started(rig.now, 99))
    rig.work()
    assert rig.asked == [("state",)]

    rig.answer("state", State((3, 2, 1, 9)))

    assert rig.position() == (3, 2, 1, 9)
    assert rig.tables.done == []
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (3, 2, 1, 9))]


def test_a_beginning_that_cannot_be_read_is_logged_and_asked_for_again() -> None:
    """C-7. Bad input: no crash, no cursor without its data."""
    rig = Rig(Tables())
    rig.step(Started(rig.now, 99))
    rig.work()

    rig.answer("state", State(None)).wait(200)  # type: ignore[arg-type]

    assert rig.position() is None
    assert rig.waiting("state") == [("state",)]
    assert "C-7" in rig.rules()


def test_what_follows_on_a_refused_beginning_is_what_the_difference_says() -> None:
    """C-7, section 12: who is signed out before the first answer would else ask for ever."""
    rig = Rig(Tables())
    rig.step(Started(rig.now, 99))
    rig.work()

    rig.refuse("state", "STOP").wait(60_000)

    assert rig.sent == {}
    assert rig.machine.stopped == Refusal("STOP", ("state",))
    assert rig.position() is None


def test_the_start_is_a_poll_from_what_is_stored() -> None:
    """Q5, C-3."""
    rig = Rig()
    rig.step(Started(rig.now, 99))
    rig.work()

    assert rig.asked == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
    assert rig.machine.updating, "D-4"


def test_an_empty_answer_sets_what_it_names_and_keeps_the_rest() -> None:
    """Section 5, C-4."""
    rig = polling().answer("difference", A(AnswerKind.EMPTY, set={2: 9, 3: 400}))

    assert rig.position() == (10, 5, 9, 400)
    assert not rig.machine.updating


def test_an_answer_may_lower_the_cursor() -> None:
    """C-4, E-3: taken as it is."""
    rig = polling().answer("difference", A(set={0: 4}))

    assert rig.position() == (4, 5, 7, 0)


def test_an_answer_is_applied_in_the_order_of_its_lists() -> None:
    """D-1, K-1, G-8: side data, new ones, those of keyed cursors, the rest; unchecked where it is covered."""
    tables = channel_at()
    rig = Rig(tables).start().ask(1, Resync())
    found = body(
        U("new@", rev(99)),
        U("52", channel(52)),
        U("51", channel(51)),
        U("free"),
        side=["side"],
        tail=("tail",),
    )

    rig.answer("difference", A(set={0: 20}, body=found))

    assert rig.tables.done == ["side", "new@ end=20 date=0 at=(10, 5, 7, 0)", "51", "52", "free", "tail"]
    assert rig.position() == (20, 5, 7, 0)
    assert rig.position(CHANNEL, 5) == (52,)


def test_a_slice_is_followed_by_a_poll_before_anything_else_and_its_events_are_told_at_once() -> None:
    """Q6, A-13, E-9, section 5."""
    rig = polling().receive(push(U("free")))

    rig.answer("difference", A(AnswerKind.SLICE, set={0: 12}, body=body(U("11", rev(11)))))
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (12, 5, 7, 0))]
    assert (rig.position(), rig.events) == ((12, 5, 7, 0), ["11"])
    rig.answer("difference", A(set={0: 13}, body=body(U("13", rev(13)))))

    assert rig.events == ["11", "13", "free"]


def test_events_of_a_slice_come_before_those_of_who_writes_between_it_and_the_next() -> None:
    """E-9: side machines write beside the queue, and events come in the order of the commits."""
    rig = Rig(spec=wishing("wished")).start()
    show(rig, Wish())
    rig.work()
    rig.ask(NOBODY, Resync())

    rig.answer("difference", A(AnswerKind.SLICE, set={0: 12}, body=body(U("11", rev(11)))))
    rig.answer("wish", "done")
    rig.answer("difference", A(set={0: 13}, body=body(U("13", rev(13)))))

    assert rig.events == ["11", "wished", "13"] == rig.tables.done


def test_events_of_a_slice_are_not_lost_where_the_engine_ends_before_the_next() -> None:
    """E-9: they were committed, and nobody will tell them later."""
    rig = polling()

    rig.answer("difference", A(AnswerKind.SLICE, set={0: 12}, body=body(U("11", rev(11)))))
    rig.step(Stopped(rig.now))

    assert rig.events == ["11"] == rig.tables.done


def test_an_answer_asked_for_at_another_place_is_dropped_and_asked_for_again() -> None:
    """D-2, E-10, P-4, Q-9."""
    rig = polling()

    rig.tables.positions[ACCOUNT, b""] = (11, 5, 7, 0)
    rig.answer("difference", A(set={0: 12}, body=body(U("11", rev(11)))))

    assert rig.tables.done == []
    assert "D-2" in rig.rules()
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))]


def test_a_cursor_that_moves_between_read_and_write_makes_the_draft_stale() -> None:
    """6.5, D-3, P-4, E-1, A-11: nothing is written, events so far are told, and it is polled again."""
    rig = polling()
    rig.answer("difference", A(AnswerKind.SLICE, set={0: 11}, body=body(U("11", rev(11)))))
    rig.answer("difference", A(set={0: 12}, body=body(U("12", rev(12)))), work=False)

    rig.work_one()  # The read.
    rig.tables.positions[ACCOUNT, b""] = (11, 6, 7, 0)
    rig.work()

    assert rig.tables.done == ["11"]
    assert rig.events == ["11"]
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 6, 7, 0))]


def test_a_batch_without_a_cursor_is_not_held_up_by_one_that_moved() -> None:
    """6.5: what sets no cursor expects none."""
    rig = Rig().start().push(push(U("free")))

    rig.work_one()  # The read.
    rig.tables.positions[ACCOUNT, b""] = (11, 5, 7, 0)
    rig.work()

    assert rig.tables.done == ["free"]
    assert rig.asked == []


@pytest.mark.parametrize("failure", [Transient("gone"), SessionLost()])
def test_a_poll_that_fails_is_made_again_each_time_later_and_for_ever(failure: Failure) -> None:
    """Section 12: 0.2 s more each time, at most 5 s."""
    rig = polling()
    waits = []
    for _ in range(30):
        rig.fail("difference", failure)
        before = rig.now
        while not rig.sent:
            rig.wait(1)
        waits.append(rig.now - before)

    assert waits[:3] == [200, 400, 600]
    assert waits[-1] == 5_000


@pytest.mark.parametrize(("failure", "asked"), [(SessionLost(), 1), (Transient("gone"), 0)])
def test_a_poll_there_was_no_connection_for_is_made_in_a_new_session(failure: Failure, asked: int) -> None:
    """Section 12: at once, and once; what came to nothing by itself waits its time."""
    rig = polling().ask(2, Flush())
    for _ in range(30):
        rig.fail("difference", failure)
        while not rig.sent:
            rig.wait(1)
    rig.fail("difference", failure)

    rig.step(SessionChanged(rig.now))
    rig.work()

    assert len(rig.waiting("difference")) == asked
    rig.wait(5_000).answer("difference", A(AnswerKind.EMPTY)).answer("state", State((10, 5, 7, 0)))
    assert (rig.sent, set(rig.settled)) == ({}, {1, 2})


def test_a_poll_that_is_lost_with_the_session_before_is_made_again_soon() -> None:
    """Section 12: in this one nothing was tried yet."""
    rig = polling()
    for _ in range(30):
        rig.fail("difference", SessionLost())
        while not rig.sent:
            rig.wait(1)
    rig.step(SessionChanged(rig.now))

    rig.fail("difference", SessionLost()).wait(200)

    assert len(rig.waiting("difference")) == 1


@pytest.mark.parametrize("failure", [Transient("gone"), SessionLost(), Refused("WHATEVER"), "what is this"])
def test_nothing_that_can_go_on_waits_for_a_poll_that_fails(failure: Failure | str) -> None:
    """Section 12, E-4: however long nothing comes of it, as where there is no connection."""
    rig = Rig(channel_at(50)).start().ask(1, Resync()).ask(2, Custom(BatchDraft(operations=("custom",))))

    for _ in range(3):
        if isinstance(failure, str):
            rig.answer("difference", failure)
        else:
            rig.fail("difference", failure)
        rig.wait(1_000)
    rig.receive(push(U("free"), U("51", channel(51)))).ask(3, Flush())
    assert rig.tables.done == ["custom"]
    rig.fail("difference")

    assert rig.tables.done == ["custom", "51", "free"]
    assert rig.machine.updating
    assert rig.settled.keys() == {2}
    rig.wait(1_000).answer("difference", A(AnswerKind.EMPTY)).answer("state", State((10, 5, 7, 0)))
    assert rig.settled.keys() == {1, 2, 3}


@pytest.mark.parametrize("clock", [0, 1], ids=["nothing moves", "only what time it is there"])
def test_a_slice_that_leads_nowhere_is_followed_by_a_question_later_each_time(clock: int) -> None:
    """5: a server that says that there is more, and does not tell it, would be asked without end."""
    rig = polling()
    waits = []
    for name in ("first", "second", "third"):
        rig.answer("difference", A(AnswerKind.SLICE, {0: 10, 3: clock and rig.now}, Body(tail=(name,))))
        assert (rig.tables.done[-1], rig.events[-1]) == (name, name), "what it told is told"
        before = rig.now
        while not rig.sent:
            rig.wait(1)
        assert rig.waiting("difference") == [("difference", ACCOUNT, b"", rig.position())]
        waits.append(rig.now - before)

    assert waits == [200, 400, 600]
    assert rig.rules().count("5") == 3
    rig.answer("difference", A(AnswerKind.SLICE, {0: 11, 3: 0}))
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))], "at once, from there"


def test_a_slice_that_leads_from_nowhere_to_nowhere_is_followed_later_each_time() -> None:
    """5: an answer may say nothing of where it ends, and the cursor has no place yet."""
    spec = protocol(cursors={**CURSORS, ACCOUNT: replace(CURSORS[ACCOUNT], first=None)})
    rig = Rig(Tables(), spec)
    rig.step(Started(rig.now, 99, True))
    rig.work()
    for tried in (1, 2, 3):
        rig.answer("difference", A(AnswerKind.SLICE, body=Body(tail=(f"part {tried}",))))
        rig.wait(200 * tried - 1)
        assert rig.sent == {}
        assert rig.tables.done[-1] == f"part {tried}"
        rig.wait(1)
        assert rig.waiting("difference") == [("difference", ACCOUNT, b"", None)]

    rig.answer("difference", A(AnswerKind.SLICE, {0: 11}))
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 0, 0, 0))], "at once, from there"


def test_a_refusal_that_asks_for_an_instance_writes_its_debt_first() -> None:
    """K-10, E-13."""
    account = CURSORS[ACCOUNT]
    assert account.difference is not None
    errors = {**account.difference.errors, "CHANNEL": Poll(CHANNEL, 5)}
    difference = replace(account.difference, errors=errors)
    spec = protocol(cursors={**CURSORS, ACCOUNT: replace(account, difference=difference)})
    rig = Rig(spec=spec).start().ask(1, Resync())

    rig.refuse("difference", "CHANNEL")

    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, None)]
    assert rig.settled[1].error is None


def test_another_refusal_is_tried_again() -> None:
    """Section 12."""
    rig = polling().refuse("difference", "ODD").wait(200)

    assert len(rig.sent) == 1


def test_an_answer_that_cannot_be_read_is_logged_and_asked_for_again() -> None:
    """Bad input: no crash, no moved cursor."""
    rig = polling().answer("difference", State((1,))).wait(200)

    assert rig.position() == (10, 5, 7, 0)
    assert len(rig.sent) == 1
    assert rig.logs


def test_an_error_of_the_store_is_waited_out_and_then_polled_again() -> None:
    """A-11, D-3, E-8."""
    rig = polling().answer("difference", A(set={0: 11}, body=body(U("!", rev(11)))))
    assert (rig.sent, rig.events) == ({}, [])

    rig.wait(100)

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
    assert rig.position() == (10, 5, 7, 0)


def test_a_read_that_fails_is_done_again() -> None:
    """A-11, E-20."""
    rig = Rig().start().push(push(U("11", rev(11))))

    rig.work_one(failure="locked")
    rig.wait(100)

    assert rig.tables.done == ["11"]


def test_who_waits_for_a_poll_does_not_wait_for_what_is_old_behind_it() -> None:
    """D-4, Q5: it asks for a poll where its claim applies, and the answer has brought it already."""
    rig = Rig().start().ask(1, Resync()).receive(push(claim=seq(6), acts=(Poll(ACCOUNT),)))

    rig.answer("difference", A(set={SEQ: 6}, body=body(covered=((ACCOUNT, SEQ),))))

    assert rig.settled[1].error is None
    assert not rig.machine.updating
    assert rig.machine.is_resting
    assert rig.waiting("difference") == []
