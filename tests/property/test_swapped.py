"""Rows that take the place of others: which objects stay, which came, and which went."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.views import swapped as module


class Row(msgspec.Struct, frozen=True):
    """Equal ones need not be the same object."""

    key: int
    text: int = 0


def _of(numbers: Sequence[int]) -> list[Row]:
    return [Row(number % 5, number // 5) for number in numbers]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[tuple[Row, ...], list[Row]]:
    """Old rows, and new ones: some of the old objects, some equal to them, some that nobody has seen."""
    numbers = st.lists(st.integers(0, 9), max_size=6)
    old = tuple(_of(draw(numbers)))
    if draw(st.booleans()):
        new = [*old[draw(st.integers(0, 1)) :], *_of(draw(st.lists(st.integers(0, 9), max_size=2)))]
    else:
        new = draw(st.lists(st.sampled_from([*old, Row(7)]), max_size=6)) + _of(draw(numbers))
    return old, [copy.copy(row) if draw(st.integers(0, 5)) == 0 else row for row in new]


def check(pair: tuple[tuple[Row, ...], list[Row]]) -> None:
    """The law, of each list as it is, however long."""
    old, new = pair
    rows, came, left = module.swapped(old, new, lambda row: row.key)

    assert rows == tuple(new)
    assert (rows is old) == (rows == old)
    held = set(map(id, old))
    assert all(id(row) in held for row in rows if row in old), "what is equal stays the same object"
    if rows is not old:
        assert _times(came) == _times(rows) - _times(old)
        assert _times(left) == _times(old) - _times(rows)


def _times(rows: Sequence[Any]) -> Counter[int]:
    return Counter(map(id, rows))


@given(pairs())
def test_rows_that_take_the_place_of_others_keep_what_is_equal(
    pair: tuple[tuple[Row, ...], list[Row]],
) -> None:
    check(pair)


FAULTS: Final = (
    Fault("a row that is there has come", module, "_added", " or last in old", ""),
    Fault("the first stays", module, "_added", "(last,), left", "(last,), ()"),
    Fault("rows that differ are the old ones", module, "_added", "tuple(new[:-1]) != stay", "False"),
    Fault("equal rows are new ones", module, "_added", "(*stay, last)", "tuple(new)"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        HARD(given(pairs())(check))()
