"""Resets of box-wide cursors, through the whole engine."""

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
    State,
    TooLong,
    U,
    protocol,
    push,
    rev,
)
from tests.unit.sync.test_engine_polls import polling

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import Poll, ResetAsk, SyncProtocol
from pillarbox.sync.signals import Custom, Flush, Resync, SessionChanged, SessionLost, Untaken


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


def leading_to_itself() -> SyncProtocol:
    """A page may lead to itself."""
    everything = RESETS["everything"]
    state, pages = everything.fetch
    pages = replace(
        pages,
        request=lambda key, answers: ("pages", key, answers["pages"][-1].at if "pages" in answers else 0),
    )
    return protocol(resets={**RESETS, "everything": replace(everything, fetch=(state, pages))})


def test_a_reset_whose_page_leads_to_itself_is_given_up() -> None:
    """D-7: it would be asked for at once, and without end."""
    rig = Rig(spec=leading_to_itself()).start().ask(1, Resync()).answer("difference", TooLong())

    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("one",), more=True, at=1))
    assert rig.waiting("pages") == [("pages", b"", 1)]
    rig.answer("pages", Page(("two",), more=True, at=1))

    assert rig.sent == {}
    assert (rig.position(), rig.tables.done) == ((10, 5, 7, 0), [])
    assert rig.settled[1].error == "the recipe was given up"
    assert "D-7" in rig.rules()
    assert rig.machine.updating


def test_a_reset_that_is_given_up_is_asked_for_again_after_a_while() -> None:
    """D-7, E-20: no row says that it was asked for, and nobody may ask for another poll."""
    rig = given_up(Rig(spec=leading_to_itself()).start().ask(1, Resync()).answer("difference", TooLong()))
    assert (rig.sent, rig.tables.debts) == ({}, {})

    assert rig.ask(2, Resync()).ask(3, Flush()).wait(4_999).sent == {}
    given_up(rig.wait(1).answer("difference", TooLong()))
    assert rig.settled[2].error == "the recipe was given up"
    rig.wait(5_000).answer("difference", A()).answer("state", State((10, 5, 7, 0)))

    assert rig.settled[3].error is None
    assert not rig.machine.updating
    assert rig.wait(60_000).sent == {}


def test_who_wants_a_poll_while_a_reset_runs_that_is_given_up_need_not_wait() -> None:
    """D-7, Q5: it is somebody else's question."""
    rig = Rig(spec=leading_to_itself()).start().ask(1, Resync()).answer("difference", TooLong())

    given_up(rig.ask(2, Resync()))

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
    rig.answer("difference", A())
    assert rig.settled[2].error is None
    assert rig.wait(60_000).sent == {}


def test_of_a_reset_that_is_given_up_it_is_told_no_more_that_the_store_does_not_take_it() -> None:
    """A-11: nobody waits for that any more."""
    rig = Rig(spec=leading_to_itself()).start().ask(1, Resync()).answer("difference", TooLong())
    for tries in range(1, 4):
        rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("!",))).wait(100 * tries)
    assert rig.machine.untaken is not None

    given_up(rig)

    assert rig.machine.untaken is None


def given_up(rig: Rig) -> Rig:
    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("one",), more=True, at=1))
    return rig.answer("pages", Page(("two",), more=True, at=1))


def test_a_recipe_that_ends_before_the_poll_of_a_new_session_does_not_end_who_waits_for_that() -> None:
    """Q5, D-4: its poll had rested until there is a connection, and is asked for by the session."""
    rig = Rig(spec=leading_to_itself()).start().ask(1, Resync()).fail("difference", SessionLost())
    rig.receive(push(U("it", acts=(ResetAsk("everything"),)))).answer("state", State((90, 80, 70, 60)))
    rig.answer("pages", Page(("one",), more=True, at=1)).step(SessionChanged(rig.now))

    rig.answer("pages", Page(("two",), more=True, at=1))

    assert rig.settled == {}
    rig.answer("difference", A())
    assert rig.settled[1].error is None


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


def test_nothing_that_can_go_on_waits_for_a_reset_that_is_not_taken() -> None:
    """A-11, E-4: what was pushed of something else is applied, the program has its turn; it is told."""
    rig = too_long()
    for tries in range(1, 4):
        rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("!",)))
        assert rig.waiting("state") == rig.waiting("difference") == []
        rig.receive(push(U(f"free {tries}"))).ask(tries + 10, Custom(BatchDraft(operations=("custom",))))
        rig.ask(tries + 20, Resync()).ask(tries + 30, Flush())
        assert (rig.machine.untaken is not None) == (tries == 3)
        rig.wait(100 * tries)

    assert rig.tables.done == ["free 1", "custom", "free 2", "custom", "free 3", "custom"]
    assert {rig.settled[ticket].error for ticket in (31, 32, 33)} == {
        Untaken("account", b"", "the operation cannot be done")
    }
    rig.answer("state", State((91, 80, 70, 60))).answer("pages", Page(("one",)))
    assert (rig.position(), rig.machine.untaken) == ((91, 80, 70, 60), None)


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

    assert rig.tables.debts == {(CHANNEL, 5): Debt(CHANNEL, 5, None, "", 99, 101)}
    assert len(rig.waiting("difference")) == 2


def test_an_update_can_ask_for_a_recipe() -> None:
    """1.3 of the vocabulary: `reset: RECIPE`."""
    rig = Rig().start().receive(push(U("it", acts=(ResetAsk("everything"),))))

    assert rig.tables.done == ["it"]
    assert rig.waiting("state") == [("state",)]


def expiring() -> Rig:
    """A server that refuses to tell what is missing until the cursor is made anew."""
    account = CURSORS[ACCOUNT]
    assert account.difference is not None
    errors = {**account.difference.errors, "EXPIRED": ResetAsk("everything")}
    asks = replace(account, difference=replace(account.difference, errors=errors))
    return Rig(spec=protocol(cursors={**CURSORS, ACCOUNT: asks})).start()


def remade(rig: Rig, *, refuses: bool) -> Rig:
    """The cursor is made anew, once more, since the server tells nothing else."""
    if refuses:
        rig.refuse("difference", "EXPIRED")
    else:
        rig.answer("difference", TooLong())
    return rig.answer("state", State((10, 5, 7, 0))).answer("pages", Page(("page",)))


@pytest.mark.parametrize("refuses", [False, True])
def test_a_server_that_always_asks_for_a_reset_is_asked_later_each_time(refuses: bool) -> None:
    """D-6, section 12: the first poll behind it is at once, later ones hold up nobody."""
    rig = expiring().ask(1, Resync()).ask(2, Custom(BatchDraft(operations=("custom",))))
    waits = []
    for _ in range(60):
        remade(rig, refuses=refuses)
        before = rig.now
        while not rig.sent:
            rig.wait(1)
        waits.append(rig.now - before)

    assert waits[:4] == [0, 100, 200, 300]
    assert waits[-1] == 5_000
    assert rig.tables.done[:3] == ["page", "page", "custom"]
    assert rig.machine.updating


def test_a_reset_after_another_answer_is_followed_by_a_poll_at_once() -> None:
    """D-6."""
    rig = expiring().ask(1, Resync())
    for ticket in range(2, 9):
        remade(rig, refuses=False).answer("difference", A()).ask(ticket, Resync())

    assert len(rig.waiting("difference")) == 1
    assert rig.now == 1_000


def test_a_reset_that_cannot_be_written_is_not_one_that_was_in_vain() -> None:
    """D-6, D-7, A-11: but those before it are."""
    rig = remade(expiring().ask(1, Resync()), refuses=False).answer("difference", TooLong())
    rig.answer("state", State((10, 5, 7, 0))).answer("pages", Page(("page",)), work=False)
    rig.work_one(failure="no space left")
    rig.wait(100).answer("state", State((10, 5, 7, 0))).answer("pages", Page(("page",)))

    assert rig.waiting("difference") == []
    assert rig.wait(100).waiting("difference") != []


def test_claims_are_checked_against_what_a_reset_set() -> None:
    """G-17, C-4."""
    rig = too_long().receive(push(U("91", rev(91)), U("11", rev(11))))
    rig.answer("state", State((90, 80, 70, 60))).answer("pages", Page(("page",)))

    rig.answer("difference", A())

    assert rig.tables.done == ["page", "91"]
