"""Differences and resets of box-wide cursors, and what updates need, through the whole engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    CURSORS,
    HOLD_MS,
    RESETS,
    A,
    Bare,
    Page,
    Rig,
    State,
    Tables,
    TooLong,
    U,
    body,
    channel,
    protocol,
    push,
    rev,
    seq,
)

from pillarbox.sync.protocol import Absent, AnswerKind, Body, Debt, Need, Poll, ResetAsk, Unhandled
from pillarbox.sync.signals import (
    Asked,
    Failure,
    Flood,
    Flush,
    Received,
    Refusal,
    Resync,
    SessionChanged,
    SessionLost,
    Started,
    Transient,
)

ROW = (9, b"row")
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
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (CHANNEL, 5): (50,)})
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


def test_a_slice_is_followed_by_a_poll_before_anything_else_and_its_events_wait() -> None:
    """Q6, A-13, E-9, section 5."""
    rig = polling().receive(push(U("free")))

    rig.answer("difference", A(AnswerKind.SLICE, set={0: 12}, body=body(U("11", rev(11)))))
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (12, 5, 7, 0))]
    assert (rig.position(), rig.events) == ((12, 5, 7, 0), [])
    rig.answer("difference", A(set={0: 13}, body=body(U("13", rev(13)))))

    assert rig.events == ["11", "13", "free"]


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


@pytest.mark.parametrize("clock", [0, 1], ids=["nothing moves", "only what time it is there"])
def test_a_slice_that_leads_nowhere_is_followed_by_the_same_question_later_each_time(clock: int) -> None:
    """5: a server that says that there is more, and does not tell it, would be asked without end."""
    rig = polling()
    waits = []
    for name in ("first", "second", "third"):
        rig.answer("difference", A(AnswerKind.SLICE, {0: 10, 3: clock and rig.now}, Body(tail=(name,))))
        assert (rig.tables.done[-1], rig.events[-1]) == (name, name), "what it told is told"
        before = rig.now
        while not rig.sent:
            rig.wait(1)
        assert rig.waiting("difference") == [ASKED]
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


def test_a_refusal_that_says_stop_ends_the_poll_and_is_told() -> None:
    """Q6, D-4, section 12: nothing more is asked, so it is not updating, and says why."""
    rig = polling().refuse("difference", "STOP").wait(60_000)

    assert rig.sent == {}
    assert rig.machine.stopped == Refusal("STOP", ASKED)
    assert not rig.machine.updating
    assert rig.settled[1].error == "STOP"


def test_who_waits_where_it_has_stopped_is_told_why_and_nothing_is_asked() -> None:
    """Q10, Q6: also who began to wait before."""
    rig = polling().ask(2, Flush()).refuse("difference", "STOP").ask(3, Flush())

    assert rig.sent == {}
    assert rig.settled[2].error == rig.settled[3].error == Refusal("STOP", ASKED)


def state(rig: Rig) -> tuple[Refusal | None, bool]:
    """As a program sees it."""
    return rig.machine.stopped, rig.machine.updating


@pytest.mark.parametrize("again", [SessionChanged(0), Asked(0, 7, Resync())])
def test_a_new_session_or_a_resync_lets_it_go_on(again: SessionChanged | Asked) -> None:
    """Q5, Q6: the first answer takes the refusal back, and who waits hears what comes of that."""
    rig = polling().refuse("difference", "STOP")
    rig.step(again)
    rig.ask(2, Flush()).work()

    assert state(rig) == (Refusal("STOP", ASKED), False), "nobody has said anything else yet"
    rig.answer("difference", A(AnswerKind.SLICE, {0: 11}))
    assert state(rig) == (None, True)
    rig.answer("difference", A(AnswerKind.EMPTY)).answer("state", State((0,)))
    assert (rig.settled[2].error, rig.machine.updating) == (None, False)
    rig.ask(3, Flush()).answer("state", State((0,)))
    assert rig.settled[3].error is None


def test_a_long_silence_asks_and_until_that_is_answered_it_has_stopped() -> None:
    """Q6, G-20: a ban that ends is told to nobody, and one that stands is told once."""
    rig = polling().refuse("difference", "STOP")
    for _ in range(3):
        rig.wait(900_000)
        assert rig.waiting("difference") == [ASKED]
        assert state(rig) == (Refusal("STOP", ASKED), False)
        rig.refuse("difference", "STOP")
        assert state(rig) == (Refusal("STOP", ASKED), False)

    rig.wait(900_000).answer("difference", A(AnswerKind.EMPTY))

    assert state(rig) == (None, False)


def test_another_refusal_than_that_takes_it_back() -> None:
    """Q6: what follows on that is something else than to stop."""
    rig = polling().refuse("difference", "STOP").ask(2, Resync()).refuse("difference", "DONE")

    assert rig.machine.stopped is None


def test_it_has_not_stopped_while_another_question_waits() -> None:
    """Q6: asked for after what is refused was sent, as when somebody has signed in."""
    rig = polling()
    rig.step(Asked(rig.now, 2, Resync()))
    rig.refuse("difference", "STOP")

    assert rig.machine.stopped is None
    assert rig.waiting("difference") == [ASKED]
    rig.answer("difference", A(AnswerKind.EMPTY))
    assert (rig.settled[1].error, rig.settled[2].error) == (None, None)


def test_a_flush_whose_own_question_is_refused_so_has_stopped_it() -> None:
    """Q10, section 12: as where nothing is missing, and nobody else asks."""
    rig = Rig().start().ask(1, Flush()).refuse("state", "STOP")

    assert rig.settled[1].error == rig.machine.stopped == Refusal("STOP", ("state",))


def test_a_flush_whose_own_question_is_refused_otherwise_is_done() -> None:
    """Q10: errors of the round trip count as done."""
    rig = Rig().start().ask(1, Flush()).refuse("state", "ODD")

    assert (rig.settled[1].error, rig.machine.stopped) == (None, None)


@pytest.mark.parametrize("retry", [True, False])
def test_a_recipe_that_is_refused_so_has_stopped_it(retry: bool) -> None:
    """D-7, section 12: it would else be asked for ever, or given up for no reason that anybody sees."""
    spec = protocol(resets={**RESETS, "everything": replace(RESETS["everything"], retry=retry)})
    rig = Rig(spec=spec).start().ask(1, Resync()).answer("difference", TooLong())

    rig.refuse("state", "STOP").wait(60_000)

    assert rig.sent == {}
    assert rig.machine.stopped == Refusal("STOP", ("state",))


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


# ------------------------------------------------------------------------------------------------ resets


def too_long() -> Rig:
    return polling().answer("difference", TooLong())


def test_a_reset_asks_for_the_state_first_and_writes_all_of_it_at_once() -> None:
    """D-6, K-11, C-6: the cursor is that of before the pages, and is written with them."""
    rig = too_long()
    assert rig.waiting("state") == [("state",)]
    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("one",), more=True))
    assert (rig.position(), rig.tables.done) == ((10, 5, 7, 0), [])
    commits = rig.commits

    rig.answer("pages", Page(("two",)))

    assert rig.commits == commits + 1
    assert rig.tables.done == ["one", "two"]
    assert rig.position() == (90, 80, 70, 60)
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (90, 80, 70, 60))]


def test_what_a_reset_set_is_confirmed_once_it_is_written() -> None:
    """G-10, E-8."""
    rig = too_long().answer("state", State((90, 80, 70, 60)))
    rig.answer("pages", Page(("one",)), work=False)
    assert rig.waiting("confirm") == []

    rig.work()

    assert rig.waiting("confirm") == [("confirm", 80)]


def test_a_reset_whose_page_cannot_be_fetched_writes_nothing_and_tries_on() -> None:
    """D-7."""
    rig = too_long().answer("state", State((90, 80, 70, 60))).fail("pages").wait(200)
    assert (rig.position(), len(rig.waiting("pages"))) == ((10, 5, 7, 0), 1)

    rig.refuse("pages", "ANY").wait(400)

    assert rig.waiting("state") == [("state",)]
    assert rig.position() == (10, 5, 7, 0)


def test_a_reset_begins_anew_where_a_page_is_refused() -> None:
    """D-7: what names the page may be known no more; asked for again it is refused for ever."""
    rig = too_long()
    for tried in (1, 2):
        rig.answer("state", State((80, 80, 70, 60))).answer("pages", Page(("old",), more=True))
        rig.refuse("pages", "NO_SUCH_PAGE")
        rig.wait(200 * tried - 1)
        assert rig.waiting("state") == [], "later each time"
        rig.wait(1)

    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("one",)))

    assert rig.tables.done == ["one"]
    assert rig.position() == (90, 80, 70, 60)


def test_a_reset_begins_anew_where_another_answer_came() -> None:
    """D-7."""
    rig = too_long().answer("state", State((90, 80, 70, 60))).answer("pages", TooLong()).wait(200)

    assert rig.waiting("pages") == []
    assert rig.waiting("state") == [("state",)]


def test_a_reset_whose_page_leads_to_itself_is_given_up() -> None:
    """D-7: it would be asked for at once, and without end."""
    everything = RESETS["everything"]
    state, pages = everything.fetch
    pages = replace(
        pages,
        request=lambda key, answers: ("pages", key, answers["pages"][-1].at if "pages" in answers else 0),
    )
    spec = protocol(resets={**RESETS, "everything": replace(everything, fetch=(state, pages))})
    rig = Rig(spec=spec).start().ask(1, Resync()).answer("difference", TooLong())

    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("one",), more=True, at=1))
    assert rig.waiting("pages") == [("pages", b"", 1)]
    rig.answer("pages", Page(("two",), more=True, at=1))

    assert rig.sent == {}
    assert (rig.position(), rig.tables.done) == ((10, 5, 7, 0), [])
    assert rig.settled[1].error == "the recipe was given up"
    assert "D-7" in rig.rules()


def test_a_page_that_is_asked_for_as_the_step_before_leads_on() -> None:
    """D-7: the answers are told apart by their steps."""
    everything = RESETS["everything"]
    state, pages = everything.fetch
    fetch = replace(state, request=lambda key, _: ("pages", key, 0)), pages
    spec = protocol(resets={**RESETS, "everything": replace(everything, fetch=fetch)})
    rig = Rig(spec=spec).start().ask(1, Resync()).answer("difference", TooLong())

    rig.answer("pages", State((90, 80, 70, 60))).answer("pages", Page(("one",)))

    assert (rig.position(), rig.tables.done) == ((90, 80, 70, 60), ["one"])


def test_a_reset_that_another_process_was_faster_with_is_dropped() -> None:
    """6.5, P-4, E-10."""
    rig = too_long().answer("state", State((90, 80, 70, 60)))

    rig.tables.positions[ACCOUNT, b""] = (91, 80, 70, 60)
    rig.answer("pages", Page(("one",)))

    assert rig.tables.done == []
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (91, 80, 70, 60))]


def test_a_reset_that_cannot_be_written_is_fetched_again_after_a_while() -> None:
    """D-7, A-11."""
    rig = too_long().answer("state", State((90, 80, 70, 60))).answer("pages", Page(("!",)))
    assert rig.position() == (10, 5, 7, 0)

    rig.wait(100).answer("state", State((91, 80, 70, 60))).answer("pages", Page(("one",)))

    assert rig.position() == (91, 80, 70, 60)


def test_a_reset_whose_answer_cannot_be_read_is_no_error_of_the_step() -> None:
    """E-11, A-11: what is made of answers is made in the transaction, which may fail."""
    rig = too_long().answer("state", State(5))  # type: ignore[arg-type]
    rig.answer("pages", Page(("one",)), work=False)

    rig.work_one(failure="the answer cannot be read")

    assert rig.position() == (10, 5, 7, 0)


def test_a_recipe_may_owe_and_ask() -> None:
    """D-6, E-13: what is on no page recovers by its debt, written with the cursor."""
    rig = too_long().answer("state", State((90, 80, 70, 60)))

    rig.answer("pages", Page((), acts=(Poll(CHANNEL, 5),)))

    assert rig.tables.debts == {(CHANNEL, 5): Debt(CHANNEL, 5, None, "", 99)}
    assert len(rig.waiting("difference")) == 2


def test_an_update_can_ask_for_a_recipe() -> None:
    """1.3 of the vocabulary: `reset: RECIPE`."""
    rig = Rig().start().receive(push(U("it", acts=(ResetAsk("everything"),))))

    assert rig.tables.done == ["it"]
    assert rig.waiting("state") == [("state",)]


def test_claims_are_checked_against_what_a_reset_set() -> None:
    """G-17, C-4."""
    rig = too_long().receive(push(U("91", rev(91)), U("11", rev(11))))
    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("page",)))

    rig.answer("difference", A())

    assert rig.tables.done == ["page", "91"]


# ------------------------------------------------------------------------------------------------- needs


def need(absent: Absent, request: tuple[str, ...] | None = None) -> tuple[Need, ...]:
    return (Need(ROW, absent, request),)


def test_a_row_that_stands_or_comes_along_is_not_asked_for() -> None:
    """A-9, A-2, 6.1."""
    it = U("it", rev(11), needs=need(Absent.DISCARD, ("row",)))
    stands = Rig(Tables({(ACCOUNT, b""): (10, 5, 7, 0)}, {ROW: "there"})).start().receive(push(it))
    comes = Rig().start().receive(push(it, brings=frozenset({ROW})))

    for rig in (stands, comes):
        assert rig.tables.done == ["it"]
        assert rig.asked == []


def test_a_missing_row_is_asked_for_once_and_comes_first() -> None:
    """A-3, A-4: the misses of one request go out together; nothing is written before."""
    needs = need(Absent.DISCARD, ("row", "x"))
    rig = Rig().start().receive(push(U("a", rev(11), needs=needs), U("b", rev(12), needs=needs)))
    assert (rig.asked, rig.tables.done) == ([("row", "x")], [])

    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))))

    assert rig.tables.done == ["+row", "a", "b"]
    assert rig.position() == (12, 5, 7, 0)


def test_answers_to_needs_count_in_the_order_in_which_they_were_asked_for() -> None:
    """E-12."""
    first = Need(ROW, Absent.IGNORE, ("row", 1))
    second = Need((9, b"two"), Absent.IGNORE, ("two", 2))
    for order in (("row", "two"), ("two", "row")):
        rig = Rig().start().receive(push(U("it", rev(11), needs=(first, second))))

        for kind in order:
            rig.answer(kind, A(body=Body((kind,))))

        assert rig.tables.done == ["row", "two", "it"]


def test_an_unknown_row_discards_a_push_and_polls() -> None:
    """A-9, U-10, Q7."""
    rig = Rig().start().receive(push(U("11", rev(11)), U("it", needs=need(Absent.DISCARD))))

    assert rig.tables.done == []
    assert rig.position() == (10, 5, 7, 0)
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]


def test_what_a_discarded_push_said_of_keyed_cursors_is_owed() -> None:
    """E-13, Q7: no poll of the account brings what travelled alone."""
    rig = Rig().start().receive(push(U("it", needs=need(Absent.DISCARD)), U("52", channel(52))))

    assert list(rig.tables.debts) == []
    rig.answer("difference", A())

    assert list(rig.tables.debts) == [(CHANNEL, 5)]


def test_an_unknown_row_leaves_an_update_out_of_an_answer() -> None:
    """A-9: else one unknown row would block it for ever."""
    found = body(U("it", rev(11), needs=need(Absent.DISCARD)), U("12", rev(12)))
    rig = polling().answer("difference", A(set={0: 12}, body=found))

    assert rig.tables.done == ["12"]
    assert rig.position() == (12, 5, 7, 0)
    assert "A-9" in rig.rules()


def test_skip_leaves_the_update_out_and_moves_on() -> None:
    """A-9: `absent: skip`."""
    rig = Rig().start().receive(push(U("it", rev(11), needs=need(Absent.SKIP)), U("12", rev(12))))

    assert rig.tables.done == ["12"]
    assert rig.position() == (12, 5, 7, 0)


def test_poll_leaves_the_update_out_and_does_not_move_past_it() -> None:
    """A-9: `absent: poll`, E-3."""
    rig = (
        Rig()
        .start()
        .receive(
            push(U("11", rev(11)), U("it", rev(12), needs=need(Absent.POLL)), U("13", rev(13)), U("free"))
        )
    )

    assert rig.tables.done == ["11", "free"]
    assert rig.position() == (11, 5, 7, 0)
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))]
    assert rig.machine.held == 0


def test_poll_of_a_keyed_update_is_a_debt() -> None:
    """A-9, K-7."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (CHANNEL, 5): (50,)})
    rig = Rig(tables).start().receive(push(U("it", channel(51), needs=need(Absent.POLL)), claim=seq(8)))

    assert rig.position(CHANNEL, 5) == (50,)
    assert rig.position() == (10, 5, 8, 0)
    assert list(rig.tables.debts) == [(CHANNEL, 5)]


def test_a_need_that_nobody_answers_counts_as_absent_after_some_tries() -> None:
    """A-3, A-4, E-22."""
    rig = Rig().start().receive(push(U("it", rev(11), needs=need(Absent.IGNORE, ("row",)))))

    for _ in range(3):
        rig.fail("row").wait(1_000)

    assert rig.tables.done == ["it"]


def test_a_row_that_goes_before_the_commit_makes_it_stale() -> None:
    """6.5: what was relied on must stand."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0)}, {ROW: "there"})
    rig = Rig(tables).start().push(push(U("it", rev(11), needs=need(Absent.DISCARD))))
    rig.work_one()

    del rig.tables.rows[ROW]
    rig.work()

    assert rig.tables.done == []
    assert len(rig.waiting("difference")) == 1


# ------------------------------------------------------------------------------------------- bad input


def test_an_update_that_cannot_be_interpreted_moves_nothing_in_a_push() -> None:
    """Never a moved cursor without its data."""
    rig = Rig().start().receive(push(U("it", rev(11), broken=True)))

    assert rig.position() == (10, 5, 7, 0)
    assert "A-9" in rig.rules()
    assert len(rig.waiting("difference")) == 1


def test_a_container_that_cannot_be_opened_is_logged_and_dropped() -> None:
    """Unknown containers."""
    rig = Rig().start()

    rig.step(Received(rig.now, "what is this"))

    assert rig.rules() == ["U-1"]
    assert rig.machine.is_resting


def test_an_update_of_an_unknown_cursor_is_dropped_alone() -> None:
    """Unknown updates."""
    rig = Rig().start().receive(push(U("odd", rev(11)._replace(cursor=88)), U("11", rev(11))))

    assert rig.tables.done == ["11"]
    assert "U-1" in rig.rules()


def test_an_update_that_the_schema_says_nothing_of_arrives_as_an_event() -> None:
    """Typed only; told once it is applied."""
    it = Bare("it", rev(11))
    rig = Rig().start().receive(push(it), push(U("12", rev(12))))

    assert rig.events == ["12", Unhandled(it)]
    assert rig.position() == (12, 5, 7, 0)


def test_a_new_session_is_followed_by_a_poll() -> None:
    """Section 12, U-11: what was pushed meanwhile may be lost."""
    rig = Rig().start()

    rig.step(SessionChanged(rig.now))
    rig.work()

    assert len(rig.waiting("difference")) == 1


def test_a_flood_says_when_to_ask_again() -> None:
    """Section 12."""
    rig = polling().fail("difference", Flood(9_000)).wait(8_999)
    assert rig.sent == {}

    assert len(rig.wait(1).sent) == 1


def test_events_are_told_after_the_commit_and_never_of_one_that_failed() -> None:
    """A-14, E-8, A-12."""
    rig = Rig().start().receive(push(U("!", rev(11))))

    assert rig.events == []
    assert len(rig.wait(HOLD_MS).waiting("difference")) == 1
