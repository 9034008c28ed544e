"""Polls that the server does not want to be asked yet: what goes on meanwhile, and what waits for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    CURSORS,
    HOLD_MS,
    A,
    Page,
    State,
    Tables,
    U,
    body,
    channel,
    channel_at,
    protocol,
    push,
    rev,
)

from pillarbox.sync import Limits
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import Absent, AnswerKind, Need, Poll, ResetAsk
from pillarbox.sync.signals import (
    NOBODY,
    Custom,
    Flood,
    Flush,
    Refused,
    Resync,
    SessionChanged,
    Started,
    Stopped,
)

SECOND, MINUTE = 1_000, 60_000
#: Another cursor that is one in the box.
OTHER = 9
FREE = Custom(BatchDraft(operations=("custom",)))


def flooded(tables: Tables | None = None) -> Rig:
    """The account may not be asked about for a minute."""
    rig = Rig(tables).start().ask(1, Resync()).fail("difference", Flood(MINUTE))
    rig.asked.clear()
    return rig


def two_cursors() -> Rig:
    """Both are asked about, and of them the account may not be for a minute."""
    account = CURSORS[ACCOUNT]
    assert account.difference is not None
    asks = replace(account.difference, request=lambda key, position: ("difference", OTHER, key, position))
    cursors = {**CURSORS, OTHER: replace(account, id=OTHER, name="other", difference=asks)}
    stand = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (OTHER, b""): (1, 0, 0, 0)})
    rig = Rig(stand, protocol(cursors=cursors))
    rig.step(Started(rig.now, 99))
    rig.work()
    return rig.fail("difference", Flood(MINUTE), cursor=ACCOUNT)


def test_nothing_that_can_go_on_waits_for_a_poll_that_is_flooded() -> None:
    """Section 12, K-6: what was pushed is applied, the program has its turn, what is owed is paid."""
    rig = flooded(channel_at(50))

    rig.receive(push(U("11", rev(11)), U("free"), U("52", channel(52)))).ask(2, FREE)
    assert rig.tables.done == ["11", "free", "custom"]
    rig.answer("difference", A(set={0: 52}, body=body(U("52", channel(52)), covered=((CHANNEL, 0),))))

    assert rig.tables.done[3:] == ["52"]
    assert rig.position(CHANNEL, 5) == (52,)
    assert rig.machine.updating


def test_it_is_asked_when_it_may_be_from_where_the_cursor_stands_then() -> None:
    """Section 12, E-10."""
    rig = flooded().receive(push(U("11", rev(11))))

    assert rig.wait(MINUTE - 1).sent == {}
    assert not rig.machine.is_resting
    rig.wait(1)

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))]
    assert rig.settled == {}
    rig.answer("difference", A(AnswerKind.EMPTY))
    assert rig.settled[1].error is None
    assert not rig.machine.updating


@pytest.mark.parametrize("why", ["gap", "resync", "session", "asked"])
def test_whoever_wants_it_asked_before_that_waits_as_well(why: str) -> None:
    """Section 12, G-16: what is held for it is dropped, and comes with its answer."""
    rig = flooded().wait(1_000)
    if why == "gap":
        rig.receive(push(U("12", rev(12)))).wait(HOLD_MS)
    elif why == "resync":
        rig.ask(NOBODY, Resync())
    elif why == "session":
        rig.step(SessionChanged(rig.now))
        rig.work()
    elif why == "asked":
        rig.receive(push(U("ask", acts=(Poll(ACCOUNT),))))

    assert rig.wait(MINUTE - 1 - (rig.now - 1_000)).sent == {}
    assert rig.machine.held == 0
    assert rig.machine.updating
    assert len(rig.wait(1).waiting("difference")) == 1


def test_a_poll_that_waits_behind_it_is_not_asked_either() -> None:
    """Section 12, Q4: it was wanted once more while it was asked."""
    rig = Rig().start().ask(1, Resync()).ask(2, Resync()).fail("difference", Flood(MINUTE))

    assert rig.wait(MINUTE - 1).sent == {}
    rig.wait(1).answer("difference", A(AnswerKind.EMPTY))

    assert rig.sent == {}
    assert sorted(rig.settled) == [1, 2]


def test_a_poll_of_another_cursor_goes_on() -> None:
    """Section 12, E-4."""
    rig = two_cursors()

    assert [request[1] for request in rig.waiting("difference")] == [OTHER]
    rig.answer("difference", A(AnswerKind.EMPTY), cursor=OTHER)
    assert rig.machine.updating
    assert [request[1] for request in rig.wait(MINUTE).waiting("difference")] == [ACCOUNT]


def test_a_flush_that_waits_for_it_is_settled_where_another_cursor_is_refused() -> None:
    """Q6, Q10: nothing that it waits for can help who is signed out."""
    rig = two_cursors().answer("difference", A(AnswerKind.EMPTY), cursor=OTHER).ask(2, Flush())
    assert rig.settled == {}

    rig.ask(NOBODY, Resync()).refuse("difference", "STOP", cursor=OTHER)

    assert getattr(rig.settled[2].error, "code", None) == "STOP"


def test_an_answer_that_lacks_a_row_is_written_however_often_it_is_flooded_between() -> None:
    """A-9, section 12: what is asked for anew some times is not asked for without end."""
    update = U("11", rev(11), needs=(Need((9, b"row"), Absent.SKIP, ("row",)),))
    rig = Rig(limits=Limits(need_tries_max=2)).start().ask(1, Resync())

    for _ in range(3):
        rig.answer("difference", A(set={0: 11}, body=body(update)))
        while rig.waiting("row"):
            rig.fail("row").wait(SECOND)
        if rig.waiting("difference"):
            rig.fail("difference", Flood(MINUTE)).wait(MINUTE)

    assert rig.position() == (11, 5, 7, 0)


def test_floods_without_end_and_of_no_length_are_asked_with_pauses() -> None:
    """Section 12: a server that says to wait for nothing is not asked without end."""
    rig = Rig().start().ask(1, Resync())

    for flood in (1, 0, 1, 0, 1, 0):
        rig.fail("difference", Flood(flood)).receive(push(U("free")))
        assert rig.sent == {}
        while not rig.sent:
            rig.wait(100)

    assert rig.tables.done[:1] == ["free"]
    assert rig.now >= 1_000 + 6 * 200


def test_the_first_question_of_all_is_put_off_as_well() -> None:
    """C-7, section 12: where nothing is known nothing is applied, and nothing is lost."""
    rig = Rig(Tables())
    rig.step(Started(rig.now, 99))
    rig.work()

    rig.fail("state", Flood(MINUTE)).receive(push(U("11", rev(11)))).ask(1, FREE)

    assert rig.tables.done == ["custom"]
    assert rig.wait(MINUTE - 1).sent == {}
    rig.wait(1).answer("state", State((10, 5, 7, 0)))
    rig.answer("difference", A(set={0: 11}, body=body(U("11", rev(11)))))
    assert rig.tables.done == ["custom", "11"]


def test_a_flush_waits_for_it_and_holds_up_nobody() -> None:
    """Q10, Q9: all share one, and are given what was told meanwhile."""
    rig = flooded().ask(2, Flush()).receive(push(U("11", rev(11)))).ask(3, Flush()).ask(4, FREE)
    assert (rig.tables.done, list(rig.settled)) == (["11", "custom"], [4])
    assert rig.wait(MINUTE - 1).sent == {}

    rig.wait(1).answer("difference", A(set={0: 12}, body=body(U("12", rev(12)))))
    assert rig.asked[-1] == ("state",)
    rig.answer("state", State((0,)))

    assert rig.settled[2].result == rig.settled[3].result == ("11", "custom", "12")


def test_a_flush_that_waits_for_it_is_settled_where_all_is_refused() -> None:
    """Q6, Q10."""
    rig = flooded().ask(2, Flush()).wait(MINUTE).refuse("difference", "STOP")

    assert [getattr(rig.settled[2].error, "code", None), rig.sent] == ["STOP", {}]


def test_who_waits_for_it_is_told_when_the_engine_stops() -> None:
    """E-18."""
    rig = flooded().ask(2, Flush())

    rig.step(Stopped(rig.now))

    assert {ticket: it.error for ticket, it in rig.settled.items()} == {1: "stopped", 2: "stopped"}
    assert rig.timers == {}


def test_a_recipe_that_is_asked_for_runs_and_its_poll_is_put_off() -> None:
    """D-6, section 12."""
    rig = flooded()
    rig.receive(push(U("reset", acts=(ResetAsk("everything"),))))

    rig.answer("state", State((20, 5, 7, 0))).answer("pages", Page(("row",)))

    assert rig.position() == (20, 5, 7, 0)
    assert (rig.sent, rig.machine.updating) == ({}, True)
    assert rig.wait(MINUTE).waiting("difference") == [("difference", ACCOUNT, b"", (20, 5, 7, 0))]


def test_a_recipe_that_is_refused_meanwhile_does_not_end_it() -> None:
    """D-7, D-4: the poll is to come still."""
    rig = flooded()
    rig.receive(push(U("reset", acts=(ResetAsk("everything"),))))

    rig.fail("state", Refused("STOP"))

    assert len(rig.wait(MINUTE).waiting("difference")) == 1
