"""What updates need, and input that is wrong, through the whole engine."""

from __future__ import annotations

from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    HOLD_MS,
    A,
    Bare,
    Tables,
    U,
    body,
    channel,
    channel_at,
    push,
    rev,
    seq,
)
from tests.unit.sync.test_engine_polls import polling

from pillarbox.sync.protocol import Absent, Body, Need, Unhandled
from pillarbox.sync.signals import (
    Flood,
    Received,
    SessionChanged,
)

ROW = (9, b"row")


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
    assert rig.tables.debts[CHANNEL, 5].since != 0  # or it were not told from what others owe anew


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
    tables = channel_at()
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
