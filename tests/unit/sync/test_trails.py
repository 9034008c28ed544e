"""A trail finds every round by one place that it keeps, and no round where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.sync.cursor_parts import PartKind, PartSpec
from pillarbox.sync.trails import Trail

PARTS = (PartSpec("at", PartKind.TOKEN), PartSpec("time", PartKind.STAMP))
LEADS = st.integers(0, 40)
LENGTHS = st.integers(1, 40)


def places(before: int, length: int) -> Iterator[tuple[str, int]]:
    """So many places, and from then on a round of so many; the stamp moves with each step."""
    step = 0
    while True:
        place = step if step < before else before + (step - before) % length
        yield f"{place:03}", step
        step += 1


def told(before: int, length: int, steps: int) -> list[int]:
    """After which of the first steps it said that it is back."""
    way = places(before, length)
    trail = Trail(PARTS, next(way))
    return [step for step, there in enumerate(islice(way, steps), 1) if trail.is_back(there)]


def finds(before: int, length: int) -> None:
    latest = max(3 * length - 1, 2 * before + length)
    found = told(before, length, latest + 3 * length)
    assert found[0] <= latest
    assert found[0] >= before + length, "it was nowhere twice by then"
    assert {later - sooner for sooner, later in pairwise(found)} == {length}
    assert len(found) >= 3
    assert not told(latest + 1, 1, latest), "that goes on to new places"


test_a_round_is_found_in_time_and_nothing_else_is = given(before=LEADS, length=LENGTHS)(finds)


def test_where_nothing_was_counted_yet_is_a_place() -> None:
    trail = Trail(PARTS, None)

    assert [trail.is_back(there) for there in (("a", 1), None, ("a", 2), None, ("a", 3))] == [
        False,
        False,
        True,
        False,
        True,
    ]


FAULTS = (
    Fault("nobody is back", Trail, "is_back", "return True", "return False"),
    Fault("the place that is kept is always the last but one", Trail, "is_back", "2 * self._most", "1"),
    Fault("the first place is kept", Trail, "is_back", "self._kept, self._steps,", "_, self._steps,"),
    Fault("who was found is lost", Trail, "is_back", "self._steps = 0", "self._kept = None"),
    Fault("the place is left later and later", Trail, "is_back", "2 * self._most", "8 * self._most"),
    Fault("a stamp is a place", Trail, "_place", "if part.kind is not PartKind.STAMP", ""),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, IndexError)):
        HARD(given(before=LEADS, length=LENGTHS)(finds))()
