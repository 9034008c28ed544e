"""`plan` held against a model that looks for the next claim again and again, instead of sorting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.sync import Claim, Gap, Instance, Plan, Position, claims

#: An update of these tests: a number of its own, so that equal claims can be told apart.
Item: TypeAlias = tuple[int, Claim | None]
Positions: TypeAlias = Mapping[Instance, Position]
Counter: TypeAlias = tuple[int, int | bytes, int]

#: Two parts of a cursor without a key, and one part each of two rows of a keyed cursor.
COUNTERS: tuple[Counter, ...] = ((310, 0, 0), (310, 0, 1), (311, b"a", 0), (311, b"b", 0))

spans = st.tuples(st.integers(-1, 4), st.integers(-1, 2)).map(lambda it: (it[0], it[0] + it[1]))
some_claims = st.builds(
    lambda counter, span: Claim(*counter, *span), st.sampled_from((*COUNTERS, *COUNTERS[:1] * 4)), spans
)
batches = st.lists(st.none() | some_claims, max_size=12).map(
    lambda found: [(number, claim) for number, claim in enumerate(found)]
)
values = st.integers(0, 3)
positions = st.fixed_dictionaries(
    {
        (310, 0): st.none() | st.tuples(values, values),
        (311, b"a"): st.none() | st.tuples(values),
        (311, b"b"): st.none() | st.tuples(values),
    }
)


def counter_of(claim: Claim) -> Counter:
    return claim.cursor, claim.key, claim.part


def items_of(batch: Sequence[Item], numbers: Sequence[int]) -> list[Item]:
    return [batch[number] for number in numbers]


def value_of(where: Positions, counter: Counter) -> int | None:
    cursor, key, part = counter
    position = where[cursor, key]
    return None if position is None else position[part]


class Expected:
    """What becomes of one counter, found by taking the next claim for as long as there is one."""

    def __init__(self, batch: Sequence[Item], counter: Counter, have: int | None) -> None:
        rest = [(n, claim) for n, claim in batch if claim is not None and counter_of(claim) == counter]
        self.malformed = [n for n, claim in rest if claim.end <= 0 or claim.end < claim.start]
        rest = [it for it in rest if it[0] not in self.malformed]
        self.applied: list[int] = []
        self.have = have
        while following := [it for it in rest if it[1].start == self.have]:
            # What does not move the counter goes before what does.
            chosen = min(following, key=lambda it: (it[1].end, it[0]))
            rest.remove(chosen)
            self.applied.append(chosen[0])
            self.have = chosen[1].end
        self.old = [n for n, claim in rest if self.have is not None and claim.start < self.have]
        self.held = [n for n, claim in rest if self.have is None or claim.start > self.have]
        starts = [claim.start for n, claim in rest if n in self.held]
        self.gap = Gap(*counter, self.have, min(starts)) if starts else None


def check_plan(batch: Sequence[Item], where: Positions) -> None:
    """The whole law of `plan`."""
    found: Plan[int] = claims.plan(batch, where)

    free = [n for n, claim in batch if claim is None]
    assert list(found.apply[len(found.apply) - len(free) :]) == free
    moves: dict[Instance, dict[int, int]] = {}
    gaps: list[Gap] = []
    for counter in COUNTERS:
        expected = Expected(batch, counter, value_of(where, counter))

        def own(numbers: Sequence[int], counter: Counter = counter) -> list[int]:
            return [n for n, claim in items_of(batch, numbers) if claim and counter_of(claim) == counter]

        assert own(found.apply) == expected.applied
        assert sorted(own(found.old)) == sorted(expected.old)
        assert sorted(own(found.held)) == sorted(expected.held)
        assert sorted(own(found.malformed)) == sorted(expected.malformed)
        if expected.applied:
            assert expected.have is not None
            moves.setdefault(counter[:2], {})[counter[2]] = expected.have
        if expected.gap is not None:
            gaps.append(expected.gap)
    assert found.moves == moves
    assert sorted(found.gaps, key=repr) == sorted(gaps, key=repr)


@given(batches, positions)
def test_a_batch_is_applied_in_order_without_repeats_and_without_gaps(
    batch: list[Item], where: Positions
) -> None:
    check_plan(batch, where)


@given(batches, positions)
def test_no_counter_has_a_say_in_another(batch: list[Item], where: Positions) -> None:
    whole: Plan[int] = claims.plan(batch, where)

    for counter in COUNTERS:
        alone: Plan[int] = claims.plan([it for it in batch if it[1] and counter_of(it[1]) == counter], where)
        assert [n for n in whole.apply if n in alone.apply] == list(alone.apply)
        assert set(alone.held) <= set(whole.held)
        assert set(alone.gaps) <= set(whole.gaps)


# ------------------------------------------------------------------------------- a whole conversation


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[Item], list[list[int]]]:
    """What servers sent, counter by counter, and how the network delivered it: any part, in any order."""
    sent: list[Item] = []
    for counter in COUNTERS:
        at = 0
        for count in draw(st.lists(st.integers(0, 2), max_size=5)):
            if at + count > 0:
                sent.append((len(sent), Claim(*counter, at, at + count)))
            at += count
    numbers = list(range(len(sent)))
    deliveries = draw(st.lists(st.lists(st.sampled_from(numbers), max_size=6), max_size=4)) if sent else []
    return sent, [*deliveries, draw(st.permutations(numbers))]


def check_stream(sent: list[Item], deliveries: list[list[int]]) -> None:
    """Offering what is held again, with what was missing, applies everything once and in order."""
    where: dict[Instance, Position] = {(310, 0): (0, 0), (311, b"a"): (0,), (311, b"b"): (0,)}
    applied: list[int] = []
    held: tuple[int, ...] = ()
    for delivery in deliveries:
        batch = items_of(sent, [*held, *delivery])
        check_plan([(place, claim) for place, (_, claim) in enumerate(batch)], where)
        found: Plan[int] = claims.plan(batch, where)
        applied += found.apply
        held = found.held
        for instance, parts in found.moves.items():
            position = where[instance]
            assert position is not None
            where[instance] = tuple(parts.get(part, value) for part, value in enumerate(position))
    assert held == ()
    counting = [n for n in applied if (claim := sent[n][1]) and claim.end > claim.start]
    assert len(counting) == len(set(counting))
    for counter in COUNTERS:
        wanted = [
            n for n, claim in sent if claim and counter_of(claim) == counter and claim.end > claim.start
        ]
        assert [n for n in counting if n in wanted] == wanted


@given(streams())
def test_whatever_the_network_does_everything_takes_effect_once_and_in_order(
    stream: tuple[list[Item], list[list[int]]],
) -> None:
    check_stream(*stream)


def test_an_unknown_cursor_holds_everything_and_says_that_nothing_is_known() -> None:
    claim = Claim(310, 0, 0, 4, 5)

    found = claims.plan([("late", claim)], {(310, 0): None})

    assert found.held == ("late",)
    assert found.gaps == (Gap(310, 0, 0, None, 4),)
    assert not found.moves


# -------------------------------------------------------------------------------------- planted faults

FAULTS = (
    Fault("old for what follows", claims, "check", "claim.start == position", "claim.start < position"),
    Fault("gap for what follows", claims, "check", "claim.start > position", "claim.start >= position"),
    Fault("a zero count is old", claims, "check", "start == position", "start == position < claim.end"),
    Fault("a zero count is malformed", claims, "check", "> claim.end", ">= claim.end"),
    Fault("zero is a counter value", claims, "check", "claim.end <= 0", "claim.end < 0"),
    Fault("an unknown cursor holds nothing", claims, "check", "if position is None or", "if"),
    Fault("not sorted", claims, "plan", "claimed.sort(", "sorted(claimed, "),
    Fault("claims are sorted by end alone", claims, "plan", "item[0].start, item[0].end", "item[0].end"),
    Fault("what moves goes before what does not", claims, "plan", "item[0].end)", "-item[0].end)"),
    Fault("keys share a counter", claims, "plan", "claim.instance, claim.part", "claim.cursor, claim.part"),
    Fault("parts share a counter", claims, "plan", "claim.instance, claim.part", "claim.instance, 0"),
    Fault("a gap is applied", claims, "plan", "held.append(update)", "apply.append(update)"),
    Fault("a gap is dropped", claims, "plan", "held.append(update)", "old.append(update)"),
    Fault("the last gap is told", claims, "plan", "gaps.setdefault(counter, ", "gaps.__setitem__(counter, "),
    Fault("a counter does not move in a batch", claims, "plan", "if counter not in now:", "if True:"),
    Fault("free updates come first", claims, "plan", "apply += [update for", "apply[:0] = [update for"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    @HARD
    @given(batches, positions, streams())
    def laws(batch: list[Item], where: Positions, stream: tuple[list[Item], list[list[int]]]) -> None:
        check_plan(batch, where)
        check_stream(*stream)

    with fault.planted(), pytest.raises((AssertionError, KeyError, TypeError)):
        laws()
