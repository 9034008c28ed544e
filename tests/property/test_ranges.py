"""Tables of ranges are sets of points, whatever happens in between.

Seeds are there before they are written.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from tests.property.mutants import HARD, Fault
from tests.property.mutants_ranges import RANGES_FAULTS, SEED_FAULTS
from tests.property.ranges_machine import FileMachine, RangesMachine, SpreadingMachine, package

from pillarbox.errors import PillarboxError
from pillarbox.maintainers.seeded import SeededReader
from pillarbox.storage import open_engine

(DOES_NOT_SPREAD,) = (fault for fault in RANGES_FAULTS if fault.name == "steps do not spread")
#: Too seldom met by chance.
TAKEN_IN_BATCHES = Fault(
    "what an upgrade takes is shown", SeededReader, "cells_at", "found.pop(key, None)", "pass"
)

TestInMemory = RangesMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=40)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=40, max_examples=30)


TestSpreading = SpreadingMachine.TestCase
TestSpreading.settings = settings(stateful_step_count=40, max_examples=30)


@pytest.mark.parametrize("fault", [*RANGES_FAULTS, *SEED_FAULTS], ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    machine = SpreadingMachine if fault is DOES_NOT_SPREAD else RangesMachine
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, LookupError, ArithmeticError)):
        run_state_machine_as_test(machine, settings=HARD)


# ----------------------------------------------------------------------------------- worked examples


def test_an_upgraded_seed_adds_its_ranges_to_old_groups_only_and_only_once() -> None:
    """S-2."""
    old, new = package(False), package(True)
    engine = open_engine(":memory:", durability="relaxed")
    engine.begin()
    for spec in old.specs.ALL:
        engine.create(spec.layout)
    engine.commit()
    tx = old.transaction.Transaction(engine)
    tx.begin()
    tx.holes.cut_range(3, -1, 0, 0, 2, 3)
    tx.seal()
    tx.commit()

    tx = new.transaction.Transaction(engine)
    tx.begin()
    tx.holes.cut_range(3, -1, 0, 3, 1, 4)
    tx.holes.cut_range(3, -2, 0, 3, 1, 4)
    tx.seal()
    tx.commit()
    tx.begin()
    tx.holes.cut_range(3, -1, 0, 0, 1, 1)

    def held(side: int) -> list[tuple[int, int, int, int]]:
        return [
            (row.label, row.tag, row.lower, row.upper) for row in tx.holes.of_side(3, side) if not row.label
        ]

    assert held(-1) == [(0, 0, 4, 5), (0, 1, 4, 5), (0, 2, 4, 5), (0, 3, 5, 5)]
    assert held(-2) == [(0, 0, 1, 5), (0, 1, 1, 5), (0, 2, 1, 5), (0, 3, 5, 5)]
    tx.rollback()
    engine.close()


def test_what_an_upgrade_takes_away_is_not_found_by_its_key() -> None:
    old, new = package(False), package(True)
    engine = open_engine(":memory:", durability="relaxed")
    engine.begin()
    for spec in old.specs.ALL:
        engine.create(spec.layout)
    engine.commit()
    tx = old.transaction.Transaction(engine)
    tx.begin()
    tx.spots.cut_range(3, 2, 255, 2, 254)
    tx.seal()
    tx.commit()
    spots = new.transaction.Tables(engine).spots
    (key,) = [key for key, _ in engine.scan(spots.spec.layout, None, None)]

    assert spots.cell(key) is None
    assert spots.cells_at([key]) == {}
    with TAKEN_IN_BATCHES.planted():
        assert spots.cells_at([key]) != {}, "the fault is none"
    engine.close()
