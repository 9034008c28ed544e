"""What updates of one batch write is there for the others, but for those that are left out themselves.

The model takes those away that lack a row, again and again, until nobody does.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.unit.sync.engine_world import protocol

from pillarbox.sync.needs import Needs
from pillarbox.sync.protocol import Absent, Need, Row, SyncProtocol

ROWS: Final[tuple[Row, ...]] = tuple((9, b"%d" % number) for number in range(6))


class Update(NamedTuple):
    """One that writes some rows and needs others; None: it cannot be asked."""

    writes: frozenset[Row] | None
    needs: frozenset[Row] | None


def spec(asked: list[Update]) -> SyncProtocol:
    """A protocol that notes who is asked what it needs."""

    def needs(update: Any) -> list[Need]:
        asked.append(update)
        if update.needs is None:
            raise ValueError("it cannot be read")
        return [Need(row, Absent.SKIP) for row in sorted(update.needs)]

    def brings(update: Any) -> list[Row]:
        if update.writes is None:
            raise ValueError("it cannot be read")
        return sorted(update.writes)

    made = protocol()
    return replace(made, updates=replace(made.updates, needs=needs, brings=brings))


def model(updates: list[Update], stand: frozenset[Row]) -> list[Update]:
    """Those that are applied."""
    left = updates
    while True:
        there = stand.union(*(update.writes or () for update in left))
        stay = [update for update in left if update.needs is not None and update.needs <= there]
        if len(stay) == len(left):
            return left
        left = stay


def check(updates: list[Update], stand: frozenset[Row]) -> None:
    needs = Needs(spec([]), dict.fromkeys(stand, "a row"), (), {})
    needs.along(updates)
    applied = [update for update in updates if needs.check(update) is None]
    assert applied == model(updates, stand)


rows = st.frozensets(st.sampled_from(ROWS), max_size=2)
updates_of = st.lists(st.builds(Update, st.none() | rows, st.none() | rows), max_size=8)


@given(updates_of, rows)
def test_an_update_is_applied_where_what_it_needs_comes_along(
    updates: list[Update], stand: frozenset[Row]
) -> None:
    """A-3, A-9."""
    check(updates, stand)


def test_a_chain_of_any_length_is_looked_at_once() -> None:
    """A-3: each needs what the one before it writes, and the first what nobody has."""
    chain = [(9, b"%d" % number) for number in range(301)]
    updates = [Update(frozenset({there}), frozenset({here})) for here, there in pairwise(chain)]
    asked: list[Update] = []
    needs = Needs(spec(asked), {}, (), {})

    needs.along(updates)

    assert len(asked) <= 4 * len(updates)
    assert [update for update in updates if needs.check(update) is None] == []


FAULTS: Final = (
    Fault("what one that is left out writes is there", Needs, "along", "writers[row] -= 1", "pass"),
    Fault("nobody is doubted again", Needs, "along", "doubted += needed_by.get(row, ())", "pass"),
    Fault("what another writes too is gone", Needs, "along", "if not writers[row]:", "if True:"),
    Fault("nobody is doubted", Needs, "along", "list(range(len(each)))", "[]"),
)


def check_many() -> None:
    """Fixed batches, so that a fault is always found by the same one."""
    for seed in range(1_000):
        random = Random(seed)
        some = [frozenset(random.sample(ROWS, random.randrange(3))) for _ in range(17)]
        check([Update(*pair) for pair in zip(some[:8], some[8:16], strict=True)], some[16])


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError)):
        check_many()
