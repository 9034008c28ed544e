"""Every planted fault is noticed, and politeness hides many of them: the simulator is as mean as it says."""

from __future__ import annotations

import pytest
from tests.sim.mutants import MUTANTS, Mutant
from tests.sim.tracker_server import TrackerServer

from pillarbox.testing import POLITE
from pillarbox.testing.plugin import Simulator

#: Seeds of a run in which nobody does anything that a manual does not show.
_POLITE_SEEDS = range(4)
_HIDDEN_LEAST = 6


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.number} {mutant.fault}")
def test_a_planted_fault_breaks_a_law_and_the_same_runs_without_it_break_none(
    mutant: Mutant, simulator: Simulator
) -> None:
    """E-1, E-2, E-3, E-6, E-8, E-10, E-13, E-19: each seed of a fault is played with it and without it."""
    simulator.check(TrackerServer, mutant.seeds, mutant.knobs)

    with mutant.fault.planted():
        runs = (simulator.play(TrackerServer, seed, mutant.knobs) for seed in mutant.seeds)
        broken = any(report.violation is not None for report in runs)

    assert broken, f"{mutant.fault} lives; look for a seed by `python -m tests.sim.hunt`"


def test_politeness_hides_faults(simulator: Simulator) -> None:
    """What too polite a server hides: with no knob turned at least six faults are never noticed."""
    simulator.check(TrackerServer, _POLITE_SEEDS, POLITE)

    hidden = [mutant.fault.name for mutant in MUTANTS if not _is_noticed(mutant, simulator)]

    assert len(hidden) >= _HIDDEN_LEAST, hidden


def _is_noticed(mutant: Mutant, simulator: Simulator) -> bool:
    with mutant.fault.planted():
        runs = (simulator.play(TrackerServer, seed, POLITE) for seed in _POLITE_SEEDS)
        return any(report.violation is not None for report in runs)
