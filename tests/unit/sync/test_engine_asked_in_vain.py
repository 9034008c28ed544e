"""A request for a row that comes to nothing does not say that the server has no such row."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_rig import Rig, rig_at
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, COVERED, HOLD_MS, A, U, body, channel, push, rev
from tests.unit.sync.test_engine_polls import polling
from tests.unit.sync.test_engine_slices import ROW, need

from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.protocol import Absent, AnswerKind, Backoff, Body
from pillarbox.sync.signals import Flood

IT = U("it", rev(11), needs=need(ROW))
THERE = A(body=Body(("+row",), brings=frozenset({ROW})))
#: Tries for a row; and how often an answer is asked for anew without it.
TRIES = 3


def in_vain(rig: Rig) -> Rig:
    """All tries for a row."""
    for _ in range(TRIES):
        rig.fail("row").wait(1_000)
    return rig


def test_what_was_pushed_is_told_again_where_its_row_could_not_be_asked_for() -> None:
    """A-9, E-1: the counter does not move past it, as if it had been lost on the way."""
    rig = in_vain(Rig().start().receive(push(IT, U("free"))))

    assert (rig.tables.done, rig.position()) == (["free"], (10, 5, 7, 0))
    rig.answer("difference", A(set={0: 11}, body=body(IT))).answer("row", THERE)
    assert (rig.tables.done, rig.position()) == (["free", "+row", "it"], (11, 5, 7, 0))


def test_an_instance_is_asked_about_where_the_row_of_what_was_pushed_could_not_be_asked_for() -> None:
    """A-9, E-13."""
    it = U("it", channel(51), needs=need(ROW))
    rig = in_vain(rig_at().receive(push(it)))

    assert (rig.tables.done, rig.position(CHANNEL, 5)) == ([], (50,))
    rig.answer("difference", A(set={0: 51}, body=body(it, covered=COVERED)), cursor=CHANNEL)
    rig.answer("row", THERE)
    assert (rig.tables.done, rig.tables.debts) == (["+row", "it"], {})


@pytest.mark.parametrize("cursor", [ACCOUNT, CHANNEL])
def test_an_answer_is_asked_for_anew_where_a_row_could_not_be_asked_for(cursor: int) -> None:
    """A-9, D-1: what is left out of an answer never comes again. A server that answers is there again."""
    rig, found = answered(cursor)

    in_vain(rig.answer("difference", found))

    assert rig.tables.done == []
    rig.answer("difference", found).answer("row", THERE)
    assert rig.tables.done == ["+row", "it"]
    assert rig.tables.debts == {}


@pytest.mark.parametrize(("at", "there"), [((ACCOUNT, b""), (11, 5, 7, 0)), ((CHANNEL, 5), (52,))])
def test_a_row_that_can_never_be_asked_for_holds_nothing_up_for_ever(at: Instance, there: Position) -> None:
    """A-9, E-22: though the question itself is answered each time. Then it counts as absent."""
    rig, found = answered(at[0])

    for _ in range(TRIES):
        in_vain(rig.answer("difference", found))
        assert rig.tables.done == []
    in_vain(rig.answer("difference", found))

    assert (rig.tables.done, rig.waiting("difference")) == ([], [])
    assert rig.position(*at) == there
    assert rig.tables.debts == {}


def answered(cursor: int) -> tuple[Rig, A]:
    """One that asks about a cursor, and an answer that needs a row."""
    if cursor == ACCOUNT:
        return polling(), A(set={0: 11}, body=body(IT))
    it = U("it", channel(51), needs=need(ROW))
    return rig_at().receive(push(U("52", channel(52)))), A(set={0: 52}, body=body(it, covered=COVERED))


def test_after_a_flood_of_no_time_a_row_is_asked_for_later_each_time() -> None:
    """Section 12: what is no try would else be asked for without a pause."""
    rig = Rig().start().receive(push(IT))
    for times in range(1, 2 * TRIES):
        rig.fail("row", Flood(0))
        asked = rig.now
        while not rig.waiting("row"):
            rig.wait(1)
        assert rig.now - asked == min(times * Backoff().step_ms, Backoff().cap_ms)


def test_a_flood_is_no_try_for_a_row_of_what_was_pushed() -> None:
    """A-9, section 12: the server says when it may be asked, and has said nothing of the row."""
    rig = Rig().start().receive(push(IT))
    for _ in range(2 * TRIES):
        rig.fail("row", Flood(60_000)).wait(59_999)
        assert rig.waiting("row") == []
        rig.wait(1)

    rig.answer("row", THERE)

    assert rig.tables.done == ["+row", "it"]


@pytest.mark.parametrize("absent", [Absent.SKIP, Absent.IGNORE])
@pytest.mark.parametrize("floods", [[60_000], [1_000, 1_000, 4_000]])
def test_a_flood_of_a_row_of_an_instance_is_waited_for_without_the_others(
    absent: Absent, floods: list[int]
) -> None:
    """Section 12, K-13: it rests until that is over, and the round goes on without it."""
    it = U("it", channel(51), needs=need(ROW, absent))
    rig = rig_at().receive(push(U("52", channel(52))))
    rig.tables.positions[CHANNEL, 6] = (1,)
    rig.receive(push(U("9", channel(9, key=6))))
    rig.answer("difference", A(set={0: 52}, body=body(it, covered=COVERED)), cursor=CHANNEL)
    for flood in floods:
        rig.wait(1_000).fail("row", Flood(flood))

    assert (rig.tables.done, rig.waiting("row")) == ([], [])
    assert (CHANNEL, 5) in rig.tables.debts
    rest = max(floods[-1], 5_000)
    assert [request[2] for request in rig.wait(rest - 1).waiting("difference")] == [6]
    rig.wait(1)
    assert [request[2] for request in rig.waiting("difference")] == [6, 5]


def flooded_for_an_instance() -> Rig:
    """The row that channel 5 needs may not be asked for: for a minute."""
    rig = rig_at().receive(push(U("52", channel(52))))
    it = U("it", channel(51), needs=need(ROW))
    rig.answer("difference", A(set={0: 52}, body=body(it, covered=COVERED)), cursor=CHANNEL)
    return rig.fail("row", Flood(60_000))


def test_what_is_pushed_waits_for_the_flood_of_another_who_needs_the_same() -> None:
    """Section 12: the server wants not to be asked, whoever asks."""
    rig = flooded_for_an_instance().receive(push(IT))

    assert rig.wait(59_999).waiting("row") == []
    assert rig.tables.done == []
    rig.wait(1).answer("row", THERE)
    assert rig.tables.done == ["+row", "it"]


def test_another_instance_does_not_ask_for_what_is_flooded() -> None:
    """Section 12, K-13: it rests as well."""
    rig = flooded_for_an_instance()
    rig.tables.positions[CHANNEL, 6] = (1,)
    rig.receive(push(U("9", channel(9, key=6))))
    it = U("it", channel(2, key=6), needs=need(ROW))

    rig.answer("difference", A(set={0: 9}, body=body(it, covered=COVERED)), cursor=CHANNEL)

    assert (rig.waiting("row"), sorted(rig.tables.debts)) == ([], [(CHANNEL, 5), (CHANNEL, 6)])
    assert rig.wait(59_999).sent == {}
    assert len(rig.wait(1).waiting("difference")) == 2


@pytest.mark.parametrize("push_first", [True, False])
def test_an_instance_does_not_ask_for_what_a_push_or_a_poll_waits_for(push_first: bool) -> None:
    """Section 12: nobody has given it up, and the server wants not to be asked all the same."""
    rig = rig_at().receive(push(U("52", channel(52))))
    if push_first:
        rig.receive(push(IT))
    else:
        rig.receive(push(U("60", rev(60)))).wait(HOLD_MS)
        rig.answer("difference", A(set={0: 11}, body=body(IT)), cursor=ACCOUNT)
    rig.fail("row", Flood(60_000))
    it = U("it", channel(51), needs=need(ROW))

    rig.answer("difference", A(set={0: 52}, body=body(it, covered=COVERED)), cursor=CHANNEL)

    assert (rig.waiting("row"), list(rig.tables.debts)) == ([], [(CHANNEL, 5)])
    rig.wait(60_000).answer("row", THERE)
    assert "it" in rig.tables.done


def test_what_could_not_be_asked_for_is_asked_for_again_by_the_next_slice() -> None:
    """A-9: only what the server had not holds for all of them."""
    rig = Rig().start().receive(push(U("60", rev(60)))).wait(2_000)
    it = U("11", rev(11), needs=need(ROW, Absent.IGNORE))

    in_vain(rig.answer("difference", A(AnswerKind.SLICE, {0: 11}, body(it))))
    rig.answer("difference", A(set={0: 60}, body=body(U("60", rev(60), needs=need(ROW)))))

    rig.answer("row", THERE)
    assert rig.tables.done == ["11", "+row", "60"]
