"""Wishes that are answered by a container: when they are done, where that lies in memory alone."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_answered import LOST, again, counts, go_on, stands, wished
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import (
    ACCOUNT,
    HOLD_MS,
    PROJECT,
    A,
    C,
    Tables,
    U,
    body,
    channel,
    channel_at,
    keyed,
    push,
    rev,
    seq,
)

from pillarbox.sync.claims import Claim
from pillarbox.sync.signals import Resync, RoleChanged


@pytest.mark.parametrize("answer", LOST)
def test_a_wish_stands_until_what_no_poll_brings_is_written(answer: C) -> None:
    """L-4: a crash between the two would lose it, and the wish would not be sent again."""
    rig = wished(tables=channel_at(50))

    rig.answer("wish", answer, work=False)
    while "it" not in rig.tables.done:
        assert stands(rig)
        go_on(rig)

    assert stands(rig)
    rig.work()
    assert not stands(rig)
    assert rig.tables.done == ["it"]


@pytest.mark.parametrize("answer", LOST)
@pytest.mark.parametrize("steps", range(10))
def test_a_crash_at_any_time_loses_nothing_of_an_answer(answer: C, steps: int) -> None:
    """L-4, E-1: what was not written is asked for again, since the wish stands."""
    rig = wished(tables=channel_at(50)).answer("wish", answer, work=False)
    for _ in range(steps):
        go_on(rig)

    after = Rig(rig.tables, rig.protocol).start()
    if stands(after):
        show(after, Wish())
        after.work()
        after.answer("wish", answer)

    assert "it" in after.tables.done
    assert not stands(after)


def test_what_is_done_with_an_answer_that_counts_nothing_is_written_first() -> None:
    """L-4: nothing else tells that it was done."""
    rig = wished("done")

    rig.push(push(U("11", rev(11))))
    rig.answer("wish", push(), work=False)
    while "done" not in rig.tables.done:
        assert stands(rig)
        go_on(rig)
    rig.work()

    assert rig.tables.done == ["11", "done"]
    assert not stands(rig)


@pytest.mark.parametrize("answer", [push(U("it", rev(11))), push(U("it"), claim=seq(8)), counts(rev(12))])
def test_what_a_poll_brings_is_not_waited_for(answer: C) -> None:
    """L-4, C-6: the first poll of the next run asks from where the cursor stands."""
    rig = wished().push(push(U("free")))

    rig.answer("wish", answer, work=False)

    while stands(rig):
        assert "it" not in rig.tables.done
        rig.work_one()


def test_what_waits_for_a_gap_is_not_waited_for() -> None:
    """L-4, G-14: the lane goes on, as what was pushed would."""
    rig = wished(tables=Tables({(1, b""): (10, 5, 7, 0), (3, 1): (3,)}))

    rig.answer("wish", push(U("5", Claim(3, 1, 0, 4, 5))))

    assert (rig.machine.held, stands(rig)) == (1, False)


BEYOND = (
    (push(U("it", rev(12, 0))), push(U("it", rev(13, 0)))),
    (counts(rev(12, 0)), counts(rev(13, 0))),
    (push(U("it", channel(52, 0))), push(U("it", channel(53, 0)))),
    (push(U("it", keyed(PROJECT, 1, 5, 0))), push(U("it", keyed(PROJECT, 1, 6, 0)))),
    (push(U("it", channel(2, 0, key=6))), push(U("it", channel(3, 0, key=6)))),
    # In what moves a counter, and so leaves it behind.
    (push(U("it", channel(52, 0)), claim=seq(8)), push(U("it", channel(53, 0)), claim=seq(9))),
    (push(U("it", channel(2, 0, key=6)), claim=seq(8)), push(U("it", channel(3, 0, key=6)), claim=seq(9))),
)


@pytest.mark.parametrize("answers", BEYOND)
def test_a_wish_whose_answer_counts_nothing_and_is_beyond_a_gap_is_sent_again(answers: tuple[C, C]) -> None:
    """L-4, G-4: who is asked for the gap tells what was counted, and not this."""
    tables = channel_at(50)
    tables.positions[PROJECT, 1] = (3,)
    rig = wished("it", tables=tables) if answers[0].opened.steps else wished(tables=tables)

    rig.answer("wish", answers[0])
    while not rig.waiting("wish"):
        assert stands(rig)
        for _, cursor, key, _ in rig.waiting("difference"):
            end = {ACCOUNT: 13, PROJECT: 6}.get(cursor, 53 if key == 5 else 3)
            rig.answer("difference", A(set={0: end}), cursor=cursor)
        rig.wait(100)
    rig.answer("wish", answers[1])

    assert rig.tables.done == ["it"]
    assert not stands(rig)


@pytest.mark.parametrize("answer", [push(U("it", rev(12, 0))), push(U("it", keyed(PROJECT, 1, 5, 0)))])
def test_what_counts_nothing_is_done_once_where_its_gap_is_closed(answer: C) -> None:
    """L-4, G-15: the wish is not sent again while its answer waits, nor after that was written."""
    rig = wished(tables=Tables({(1, b""): (10, 5, 7, 0), (PROJECT, 1): (3,)})).answer("wish", answer)
    assert (rig.machine.held, stands(rig)) == (1, True)

    rig.wait(1_000).receive(push(*(U(str(end), rev(end)) for end in (11, 12))))
    rig.receive(push(*(U(str(end), keyed(PROJECT, 1, end)) for end in (4, 5)))).wait(60_000)

    assert "wish" not in [request[0] for request in rig.asked[1:]]
    assert rig.tables.done.count("it") == 1
    assert not stands(rig)


def test_a_wish_whose_answer_waits_with_what_counts_nothing_and_is_asked_for_is_sent_again() -> None:
    """L-4, G-4, G-16: who is asked for the gap before the container tells what that counts, and not this."""
    rig = wished(tables=channel_at(50)).answer("wish", push(U("it", channel(50, 0)), claim=seq(9)))
    assert (rig.machine.held, stands(rig)) == (1, True)

    rig.wait(HOLD_MS).answer("difference", A(set={2: 9}), cursor=ACCOUNT)
    again(rig).answer("wish", push(U("it", channel(50, 0)), claim=seq(10)))

    assert rig.tables.done == ["it"]
    assert not stands(rig)


def test_what_counts_nothing_is_done_once_where_the_gap_before_its_container_is_closed() -> None:
    """L-4, G-15."""
    rig = wished(tables=channel_at(50)).answer("wish", push(U("it", channel(50, 0)), claim=seq(9)))

    rig.receive(push(U("8"), claim=seq(8))).wait(60_000)

    assert sorted(rig.tables.done) == ["8", "it"]
    assert (stands(rig), rig.sent) == (False, {})


def test_a_wish_that_waits_for_a_poll_ends_though_the_role_is_lost() -> None:
    """P-3, L-4: its answer is here, so nobody need send it again."""
    rig = wished().ask(1, Resync())
    rig.answer("wish", push(U("it"))).step(RoleChanged(rig.now, master=False))
    rig.work()
    assert stands(rig)

    rig.answer("difference", A(set={0: 11}, body=body(U("11", rev(11)))))

    assert rig.tables.done == ["11", "it"]
    assert not stands(rig)


def test_the_next_of_its_group_is_sent_when_it_is_done() -> None:
    """L-3."""
    wishes = (Wish(), Wish(2, "b"))
    rig = Rig(spec=wishing(wishes=wishes, containers=(C,))).start()
    show(rig, *wishes)
    rig.work()
    rig.ask(1, Resync()).answer("wish", push(U("it")))
    show(rig, *wishes)
    assert rig.waiting("wish") == []

    rig.answer("difference", A()).wait(HOLD_MS)
    show(rig, wishes[1])
    rig.work()

    assert rig.waiting("wish") == [("wish", "b")]
