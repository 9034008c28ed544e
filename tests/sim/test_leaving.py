"""Halls are left and joined again: what was known of them is forgotten, and nothing of it comes back.

`python -m pillarbox.testing --server tests.sim.leaving_server:LeavingServer` runs more of them.
"""

from __future__ import annotations

from typing import Final

import pytest
from tests.property.mutants import Fault
from tests.sim.leaving_server import LeavingServer

from pillarbox.sync import decide
from pillarbox.sync.drafts import BatchDraft
from pillarbox.testing.plugin import Simulator

SEEDS: Final = range(16)
#: Faults, and the seeds of runs that notice them.
FAULTS: Final = (
    (Fault("an unknown hall is not owed", decide, "_keyed", "if found.unknown:", "if False:"), 1),
    (
        Fault("what was forgotten is set", BatchDraft, "write", "if not was_known or", "if True or"),
        14,
    ),
)


def test_a_hall_that_was_left_is_forgotten_and_whoever_joins_it_begins_anew(simulator: Simulator) -> None:
    """C-6, D-2, E-13."""
    simulator.check(LeavingServer, SEEDS)


@pytest.mark.parametrize(("fault", "seed"), FAULTS, ids=str)
def test_a_planted_fault_is_noticed(fault: Fault, seed: int, simulator: Simulator) -> None:
    simulator.check(LeavingServer, [seed])

    with fault.planted():
        report = simulator.play(LeavingServer, seed)

    assert report.violation is not None, f"{fault} lives"
