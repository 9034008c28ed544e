"""Counters of box-wide cursors: what applies, what is old, what waits, through the whole engine."""

from __future__ import annotations

import pytest
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    DATE,
    HOLD_MS,
    A,
    C,
    Tables,
    U,
    Web,
    body,
    channel,
    push,
    qts,
    rev,
    seq,
)

from pillarbox.sync import Claim
from pillarbox.sync.protocol import Opened, Poll, Stamp

#: (pts, count) offered where 10 is the local value -> applied, where it stands then, whether it is held.
CHECKS = (
    ((11, 1), True, 11, False),
    ((10, 1), False, 10, False),
    ((10, 0), True, 10, False),
    ((12, 2), True, 12, False),
    ((12, 1), False, 10, True),
    ((12, 5), False, 10, False),
    ((11, 0), False, 10, True),
)


@pytest.mark.parametrize(("item", "applied", "stands", "held"), CHECKS)
def test_worked_checks_of_values_and_counts(
    item: tuple[int, int], applied: bool, stands: int, held: bool
) -> None:
    """Section 15; G-2, G-4."""
    rig = Rig().start()

    rig.receive(push(U("it", rev(*item))))

    assert rig.tables.done == ["it"] * applied
    assert rig.position() == (stands, 5, 7, 0)
    assert rig.machine.held == held


def test_a_batch_is_sorted_by_where_its_items_start() -> None:
    """Section 15, G-1: batch (12,1) (11,1)."""
    rig = Rig().start().receive(push(U("12", rev(12)), U("11", rev(11))))

    assert rig.tables.done == ["11", "12"]
    assert rig.position() == (12, 5, 7, 0)


def test_an_item_of_count_zero_comes_behind_the_one_that_moves_to_its_value() -> None:
    """G-1: sorting by the start and then the end."""
    rig = Rig().start().receive(push(U("zero", rev(11, 0)), U("one", rev(11))))

    assert rig.tables.done == ["one", "zero"]


def test_what_comes_late_closes_the_gap_without_a_poll() -> None:
    """Section 15, G-15: batch (13,1) (12,1), later (11,1) in time."""
    rig = Rig().start().receive(push(U("13", rev(13)), U("12", rev(12))))
    assert (rig.tables.done, rig.machine.held) == ([], 2)

    rig.wait(HOLD_MS - 1).receive(push(U("11", rev(11)))).wait(HOLD_MS)

    assert rig.tables.done == ["11", "12", "13"]
    assert rig.asked == []


def test_old_items_drop_while_those_beyond_a_gap_wait() -> None:
    """Section 15, G-3: batch (12,1) (10,1)."""
    rig = Rig().start().receive(push(U("12", rev(12)), U("10", rev(10))))

    assert rig.tables.done == []
    assert rig.machine.held == 1


def test_behind_a_gap_everything_of_the_counter_waits() -> None:
    """G-3."""
    rig = Rig().start().receive(push(U("12", rev(12)), U("13", rev(13)), U("11 of 0", rev(11, 0))))

    assert rig.tables.done == []
    assert rig.machine.held == 3


@pytest.mark.parametrize(("value", "stands", "held"), [(5, 5, False), (6, 6, False), (8, 5, True)])
def test_worked_checks_of_single_steps(value: int, stands: int, held: bool) -> None:
    """Section 15, G-9, U-3, Q-2: qts 5 against 5 / 6 / 8."""
    rig = Rig().start().receive(push(U("it", qts(value))))

    assert rig.position() == (10, stands, 7, 0)
    assert rig.machine.held == held
    assert rig.tables.done == ["it"] * (value == 6)


def test_zero_is_a_normal_value_of_a_counter() -> None:
    """G-9: L = 0."""
    rig = Rig(Tables({(ACCOUNT, b""): (0, 0, 0, 0)})).start().receive(push(U("it", qts(1))))

    assert rig.position() == (0, 1, 0, 0)


#: Container claims where the local value is 7 -> applied, where it stands then, whether it is held.
CONTAINERS = (
    ((8, 10), True, 10, False),
    ((6, 7), False, 7, False),
    ((7, 9), False, 7, False),
    ((9, 10), False, 7, True),
    ((8, 8), True, 8, False),
    (None, True, 7, False),
)


@pytest.mark.parametrize(("span", "applied", "stands", "held"), CONTAINERS)
def test_worked_checks_of_containers(
    span: tuple[int, int] | None, applied: bool, stands: int, held: bool
) -> None:
    """Section 15; G-11, U-5."""
    rig = Rig().start()

    rig.receive(push(U("it"), claim=None if span is None else seq(*span), side=["side"]))

    assert rig.tables.done == ["side", "it"] * applied
    assert rig.position() == (10, 5, stands, 0)
    assert rig.machine.held == held


def test_a_container_claim_that_applied_sets_the_date_and_another_does_not() -> None:
    """G-11, G-12, E-3."""
    stamps = (Stamp(ACCOUNT, b"", DATE, 400),)
    rig = Rig().start()

    rig.receive(push(claim=seq(9), stamps=stamps))
    assert rig.position() == (10, 5, 7, 0)
    rig.receive(push(claim=seq(8)))

    assert rig.position() == (10, 5, 9, 400)


def test_domains_of_one_container_have_no_say_in_each_other() -> None:
    """U-6, U-1, G-14, E-4: a gap in seq holds the others of it back, and nothing else."""
    rig = Rig().start().receive(push(U("other"), U("rev", rev(11)), U("qts", qts(6)), claim=seq(9)))

    assert rig.tables.done == ["rev", "qts"]
    assert rig.position() == (11, 6, 7, 0)
    assert rig.machine.held == 1


def test_a_container_that_was_seen_does_not_drop_its_new_updates() -> None:
    """U-6: an already seen seq."""
    rig = Rig().start().receive(push(U("other"), U("rev", rev(11)), claim=seq(7)))

    assert rig.tables.done == ["rev"]


def test_an_update_without_a_counter_goes_with_its_container() -> None:
    """U-2, U-3: a count of 0 or a value of 0 that means "none" claims nothing."""
    rig = Rig().start().receive(push(U("free"), claim=seq(9)))
    assert rig.tables.done == []

    rig.receive(push(U("free too")))

    assert rig.tables.done == ["free too"]


def test_what_is_brought_beside_updates_comes_first_and_with_each_bucket_that_applies() -> None:
    """G-6, U-1: sides once a bucket; the container's is there even when it is empty."""
    rig = Rig().start().receive(push(U("rev", rev(11)), claim=seq(9), side=["side"]))
    assert rig.tables.done == ["side", "rev"]

    rig.receive(push(claim=seq(8)))

    assert rig.tables.done == ["side", "rev", "side"]


def test_an_old_update_of_a_kind_that_says_so_is_applied_and_moves_nothing() -> None:
    """G-5."""
    rig = Rig().start().receive(push(Web("web", rev(9)), U("new", rev(11))))

    assert rig.tables.done == ["web", "new"]
    assert rig.position() == (11, 5, 7, 0)


@pytest.mark.parametrize("claim", [rev(0), rev(-1), rev(5, -1), seq(8, 7), seq(-3, -2)])
def test_impossible_counters_are_logged_and_dropped(claim: Claim) -> None:
    """G-7, U-5. The log says which update it was, and nothing of how it was taken apart."""
    rig = Rig().start().receive(push(U("it", claim)))

    assert rig.rules() == ["G-7"]
    assert "Piece" not in str(rig.logs[0].fields)
    assert rig.tables.done == []
    assert rig.position() == (10, 5, 7, 0)
    assert rig.machine.is_resting


def test_a_step_with_what_was_done_moves_the_counter_and_can_close_a_gap() -> None:
    """G-6, G-19, U-9: an answer to an own request; its effect and its counter are written together (E-1)."""
    rig = Rig().start().receive(push(U("12", rev(12))))

    rig.did(C(Opened(steps=(rev(11),))), "own 11")

    assert rig.tables.done == ["own 11", "12"]
    assert rig.position() == (12, 5, 7, 0)
    assert rig.asked == []


def test_what_was_done_waits_for_what_was_counted_before_it() -> None:
    """G-14, E-7: what comes later, and is older, does not undo it."""
    rig = Rig().start().did(C(Opened(steps=(rev(12),))), "own 12")
    assert rig.tables.done == []

    rig.receive(push(U("11", rev(11))))

    assert rig.tables.done == ["11", "own 12"]
    assert (rig.position(), rig.asked) == ((12, 5, 7, 0), [])


def test_what_was_done_and_told_already_is_not_done_again() -> None:
    """G-2, E-2."""
    rig = Rig().start().receive(push(U("11", rev(11))))

    rig.did(C(Opened(steps=(rev(11),))), "own 11")

    assert rig.tables.done == ["11"]


def test_what_no_counter_counts_is_done_at_once() -> None:
    """G-19: a counter of 0 in an answer means nothing."""
    rig = Rig().start().did(C(Opened()), "own")

    assert rig.tables.done == ["own"]
    assert rig.position() == (10, 5, 7, 0)


@pytest.mark.parametrize("end", [11, 12])
def test_a_step_that_brings_nothing_does_not_move_the_counter(end: int) -> None:
    """E-1, G-16: whether what it counts stands here nobody knows, so it is waited for, and asked for."""
    rig = Rig().start().receive(C(Opened(steps=(rev(end),))))
    assert (rig.position(), rig.asked, rig.machine.held) == ((10, 5, 7, 0), [], 1)

    rig.wait(HOLD_MS)

    assert rig.asked == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]
    assert rig.machine.held == 0


@pytest.mark.parametrize("steps", [(rev(11),), (rev(10),), (rev(10, 0),)])
def test_a_step_that_was_told_is_forgotten(steps: tuple[Claim, ...]) -> None:
    """G-15, G-4: the update that it counts came, before it or behind it."""
    rig = Rig().start().receive(C(Opened(steps=steps)), push(U("11", rev(11))))

    rig.wait(2 * HOLD_MS)

    assert rig.tables.done == ["11"]
    assert (rig.asked, rig.machine.held) == ([], 0)


def test_a_step_with_impossible_counters_is_dropped() -> None:
    """G-7."""
    rig = Rig().start().receive(C(Opened(steps=(rev(0), rev(5, -1)))))

    assert rig.rules() == ["G-7", "G-7"]
    assert rig.machine.is_resting


def test_dates_order_what_has_no_claim_and_the_oldest_is_the_date_of_the_batch() -> None:
    """G-12, U-10."""
    rig = Rig().start().receive(push(U("late@"), date=300), push(U("early@"), date=200))

    assert rig.tables.done == ["early@ end=None date=200 at=None", "late@ end=None date=200 at=None"]
    assert rig.position() == (10, 5, 7, 0)


def test_a_batch_is_interpreted_in_a_fixed_order() -> None:
    """G-13, K-1, E-12: keyed, box-wide, containers, then those without a claim."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (2, 5): (50,), (2, 4): (1,)})
    rig = Rig(tables).start()

    rig.receive(
        push(U("free"), date=1),
        push(U("seq"), U("rev", rev(11)), U("c5", channel(51)), U("c4", channel(2, key=4)), claim=seq(8)),
        push(U("qts", qts(6)), date=2),
    )

    assert rig.tables.done == ["c4", "c5", "rev", "qts", "seq", "free"]


def test_held_items_alone_go_back() -> None:
    """G-14, E-19, Q-15: what applied and what has no claim is not applied a second time."""
    rig = Rig().start().receive(push(U("free"), U("11", rev(11)), U("13", rev(13)), date=5))
    assert rig.tables.done == ["11", "free"]

    rig.receive(push(U("12", rev(12))))

    assert rig.tables.done == ["11", "free", "12", "13"]


def test_an_arrival_does_not_move_a_deadline() -> None:
    """G-15, E-7."""
    rig = Rig().start().receive(push(U("12", rev(12))))

    rig.wait(1_500).receive(push(U("14", rev(14)))).wait(499)
    assert rig.asked == []
    rig.wait(1)

    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (10, 5, 7, 0))]


def test_a_gap_that_stays_open_ends_in_a_poll_which_brings_what_was_held() -> None:
    """G-16, E-6."""
    rig = Rig().start().receive(push(U("12", rev(12)))).wait(HOLD_MS)
    assert (rig.machine.held, rig.machine.updating) == (0, True)

    rig.answer("difference", A(set={0: 12}, body=body(U("11", rev(11)), U("12", rev(12)))))

    assert rig.tables.done == ["11", "12"]
    assert not rig.machine.updating


def test_what_comes_while_a_difference_runs_is_only_collected() -> None:
    """G-17."""
    rig = Rig().start().receive(push(U("12", rev(12)))).wait(HOLD_MS)

    rig.receive(push(U("11", rev(11)), U("13", rev(13))))
    assert rig.tables.done == []
    rig.answer("difference", A(set={0: 12}, body=body(U("12!", rev(12)))))

    assert rig.tables.done == ["12!", "13"]
    assert rig.position() == (13, 5, 7, 0)


@pytest.mark.parametrize(
    "container", [push(acts=(Poll(ACCOUNT),)), push(U("changed", acts=(Poll(ACCOUNT),)))]
)
def test_a_container_and_an_update_can_ask_for_a_poll(container: C) -> None:
    """G-18, U-11, A-10: it is polled after what came with it is applied."""
    rig = Rig().start().receive(container, push(U("11", rev(11))))

    assert "11" in rig.tables.done
    assert rig.waiting("difference") == [("difference", ACCOUNT, b"", (11, 5, 7, 0))]


def test_a_poll_that_was_hinted_at_is_not_made_when_all_is_there() -> None:
    """K-3, for a box-wide cursor."""
    rig = Rig().start().receive(push(acts=(Poll(ACCOUNT, hint=10),)))

    assert rig.asked == []


def test_silence_ends_in_a_poll_and_any_container_starts_the_clock_again() -> None:
    """G-20."""
    rig = Rig().start().wait(800_000).receive(push(U("free"))).wait(899_999)
    assert rig.asked == []

    rig.wait(1)
    assert len(rig.waiting("difference")) == 1
    rig.answer("difference", A()).wait(900_000)

    assert len(rig.waiting("difference")) == 1


def test_a_counter_of_which_no_zero_is_sent_refuses_one() -> None:
    """G-7: `zero: refused`."""
    rig = Rig().start().receive(push(U("it"), claim=Claim(ACCOUNT, b"", 2, 7, 7)))

    assert rig.rules() == ["G-7"]
    assert rig.tables.done == []
