"""Answers about an instance that come in slices: what they bring is written once all are there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    HOLD_MS,
    A,
    Tables,
    U,
    body,
    channel,
    protocol,
    push,
    rev,
)

from pillarbox.sync.protocol import Absent, AnswerKind, Body, Need, Row, SyncProtocol
from pillarbox.sync.signals import Flood, SessionChanged, SessionLost

ROW: Row = (9, b"row")
OTHER: Row = (9, b"other")


def need(row: Row, absent: Absent = Absent.SKIP) -> tuple[Need, ...]:
    return (Need(row, absent, ("row", row[1])),)


def asked_about() -> Rig:
    """Much is missing of channel 5, and the server is asked for it."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (CHANNEL, 5): (50,)})
    return Rig(tables).start().receive(push(U("60", channel(60))))


def answer(rig: Rig, update: U, *brings: Row, more: bool = True) -> Rig:
    """A slice of one update."""
    kind = AnswerKind.SLICE if more else AnswerKind.FULL
    assert update.claim is not None
    found = body(update, covered=[(CHANNEL, 0)], brings=frozenset(brings))
    return rig.answer("difference", A(kind, {0: update.claim.end}, found), cursor=CHANNEL)


def test_a_row_that_was_fetched_for_a_slice_is_there_for_the_next() -> None:
    """A-3, K-8: none of it is written yet, and all of it will be, the row first and once."""
    rig = asked_about()
    answer(rig, U("51", channel(51), needs=need(ROW)))
    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))))
    for end in range(52, 60):
        answer(rig, U(f"{end}", channel(end), needs=need(ROW)))

    answer(rig, U("60", channel(60), needs=need(ROW)), more=False)

    assert rig.tables.done == ["+row", *(f"{end}" for end in range(51, 61))]
    assert rig.asked.count(("row", b"row")) == 1


def test_a_row_that_came_along_with_a_slice_is_there_for_the_next() -> None:
    """A-2, K-8."""
    rig = asked_about()
    answer(rig, U("51", channel(51)), ROW)

    answer(rig, U("60", channel(60), needs=need(ROW)), more=False)

    assert rig.tables.done == ["51", "60"]


def test_a_row_that_the_server_has_not_is_asked_for_once_in_an_answer_of_any_length() -> None:
    """A-9: what it said to the first slice holds for the others. The next question asks again."""
    rig = asked_about()
    answer(rig, U("51", channel(51), needs=need(ROW, Absent.IGNORE)))
    rig.refuse("row", "NONE")
    answer(rig, U("52", channel(52), needs=need(ROW)))

    answer(rig, U("60", channel(60), needs=need(ROW, Absent.IGNORE)), more=False)

    assert rig.tables.done == ["51", "60"]
    assert rig.asked.count(("row", b"row")) == 1

    rig.receive(push(U("61", channel(61), needs=need(ROW))))
    assert rig.waiting("row")


def test_of_the_whole_box_too() -> None:
    """A-9: slices of a cursor that is one in the box are written one by one; what was said holds for all."""
    rig = Rig().start().receive(push(U("60", rev(60)))).wait(HOLD_MS)
    for end in (11, 12):
        found = body(U(f"{end}", rev(end), needs=need(ROW, Absent.IGNORE)))
        rig.answer("difference", A(AnswerKind.SLICE, {0: end}, found))
        if rig.waiting("row"):
            rig.refuse("row", "NONE")
    rig.answer("difference", A(set={0: 60}, body=body(U("60", rev(60), needs=need(ROW, Absent.IGNORE)))))

    assert rig.tables.done == ["11", "12", "60"]
    assert rig.asked.count(("row", b"row")) == 1

    rig.receive(push(U("61", rev(61), needs=need(ROW))))
    assert rig.waiting("row"), "the next question asks again"


def test_a_row_that_went_behind_the_slice_it_was_fetched_for_is_asked_for_again() -> None:
    """A-3: the server had it, so it may have it anew."""
    rig = Rig().start().receive(push(U("60", rev(60)))).wait(HOLD_MS)
    rig.answer("difference", A(AnswerKind.SLICE, {0: 11}, body(U("11", rev(11), needs=need(ROW)))))
    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))))
    del rig.tables.rows[ROW]

    rig.answer("difference", A(set={0: 60}, body=body(U("60", rev(60), needs=need(ROW)))))
    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))))

    assert rig.tables.done == ["+row", "11", "+row", "60"]


def test_slices_that_came_are_written_though_the_next_one_never_comes() -> None:
    """K-8, E-22: it stays owed, and is asked for from where they end; else each try would begin anew."""
    rig = asked_about()
    answer(rig, U("51", channel(51)))
    answer(rig, U("52", channel(52)))

    for _ in range(4):
        rig.fail("difference", cursor=CHANNEL).wait(1_000)

    assert rig.tables.done == rig.events == ["51", "52"]
    assert list(rig.tables.debts) == [(CHANNEL, 5)]
    assert rig.waiting("difference") == [], "it rests"
    rig.wait(5_000)
    assert rig.waiting("difference") == [("difference", CHANNEL, 5, (52,))]
    answer(rig, U("60", channel(60)), more=False)
    assert (rig.tables.done, rig.tables.debts) == (["51", "52", "60"], {})


def test_slices_that_came_are_written_though_the_next_one_must_not_be_asked_for_for_long() -> None:
    """Section 12, K-8."""
    rig = asked_about()
    answer(rig, U("51", channel(51)))

    rig.fail("difference", Flood(60_000), cursor=CHANNEL)

    assert rig.tables.done == ["51"]
    assert rig.wait(59_000).waiting("difference") == []
    assert rig.wait(2_000).waiting("difference") == [("difference", CHANNEL, 5, (51,))]


@pytest.mark.parametrize(("code", "is_owed"), [("STOP", True), ("DONE", False)])
def test_slices_that_came_are_written_though_the_next_one_is_refused(code: str, is_owed: bool) -> None:
    """K-10: they are as good as any answer; `done` is as good as an empty one behind them."""
    rig = asked_about()
    answer(rig, U("51", channel(51)))

    rig.refuse("difference", code, cursor=CHANNEL).wait(60_000)

    assert rig.tables.done == ["51"]
    assert rig.position(CHANNEL, 5) == (51,)
    assert bool(rig.tables.debts) == is_owed
    assert rig.sent == {}


def test_slices_of_an_instance_that_is_nobodys_any_more_are_not_written() -> None:
    """K-10: what the refusal asks for says what becomes of it."""
    rig = asked_about()
    answer(rig, U("51", channel(51)))

    rig.refuse("difference", "PRIVATE", cursor=CHANNEL)

    assert (rig.tables.done, rig.tables.debts) == ([], {})


def test_what_else_a_slice_needs_is_asked_for() -> None:
    """A-3."""
    rig = asked_about()
    answer(rig, U("51", channel(51), needs=need(ROW)))
    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))))
    answer(rig, U("60", channel(60), needs=(*need(ROW), *need(OTHER))), more=False)

    rig.answer("row", A(body=Body(("+other",), brings=frozenset({OTHER}))))

    assert rig.tables.done == ["+row", "51", "+other", "60"]


def test_while_there_is_no_connection_nothing_is_found_to_be_absent() -> None:
    """A-9, E-22: a question uses up one try a session, so it ends where it is the question that ends them."""
    rig = Rig().start().receive(push(U("it", rev(11), needs=need(ROW))))
    for _ in range(2):
        for _ in range(10):
            rig.fail("row", SessionLost()).wait(5_000)
        assert rig.waiting("row"), "asked again, later each time"
        rig.step(SessionChanged(rig.now))
    assert rig.tables.done == []

    rig.fail("row", SessionLost())

    assert rig.waiting("row") == []
    assert (rig.position(), rig.tables.done) == ((10, 5, 7, 0), []), "it is not known to be absent"
    assert len(rig.waiting("difference")) == 1


def test_what_was_fetched_for_an_answer_does_not_undo_what_was_told_before_it_was_written() -> None:
    """A-3, D-2: it is as old as its question; whoever wrote the row meanwhile knew it newer."""
    rig = asked_about()
    answer(rig, U("51", channel(51), needs=need(ROW)))
    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))))
    rig.receive(push(U("+row", rev(11))))

    answer(rig, U("60", channel(60)), more=False)

    assert rig.tables.done == ["+row"], "and once more from there, since the row stands now"
    answer(rig, U("60", channel(60), needs=need(ROW)), more=False)
    assert rig.tables.done == ["+row", "60"]
    assert rig.tables.debts == {}


def test_what_was_fetched_for_a_push_does_not_undo_what_others_wrote_before_it_was_written() -> None:
    """A-3, P-4: nothing is written, and the answer to a question brings it."""
    rig = Rig().start().push(push(U("it", rev(11), needs=need(ROW))))
    rig.work_one()
    rig.answer("row", A(body=Body(("+row",), brings=frozenset({ROW}))), work=False)
    rig.work_one()
    assert rig.store, "it is being written"

    rig.tables.rows[ROW] = "newer"
    rig.work()

    assert (rig.tables.rows[ROW], rig.tables.done) == ("newer", [])
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]


def bringing() -> SyncProtocol:
    """Updates of which the schema says that they write the row of their name."""
    spec = protocol()
    rows = replace(spec.updates, brings=lambda it: [(9, it.name.encode())])
    return replace(spec, updates=rows)


@pytest.mark.parametrize("absent", [Absent.SKIP, Absent.POLL])
def test_what_is_left_out_brings_nothing_to_those_that_need_it(absent: Absent) -> None:
    """A-9, A-3: nor does what is left out because of that."""
    updates = [
        U("first", rev(11), needs=(Need(OTHER, absent),)),
        U("second", rev(12), needs=(Need((9, b"first"), absent),)),
        U("third", rev(13), needs=(Need((9, b"second"), absent),)),
    ]
    pushed = Rig(spec=bringing()).start().receive(push(*updates))
    answered = Rig(spec=bringing()).start().receive(push(U("14", rev(14)))).wait(HOLD_MS)
    answered.answer("difference", A(set={0: 14}, body=body(*updates)))

    assert (pushed.tables.done, answered.tables.done) == ([], [])


def test_for_what_is_old_in_an_answer_nothing_is_asked() -> None:
    """A-4, A-3: it brings and needs nothing any more, and the row it was about may be gone since."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (CHANNEL, 5): (50,)})
    rig = Rig(tables, bringing()).start().receive(push(U("60", channel(60))))
    updates = (U("old", rev(10), needs=need(ROW)), U("60", channel(60)))

    rig.answer("difference", A(set={0: 60}, body=body(*updates, covered=[(CHANNEL, 0)])), cursor=CHANNEL)

    assert (rig.waiting("row"), rig.tables.done) == ([], ["60"])
