"""The engine follows halls, each by a token of its own, and fetches what was cut out of them by marks.

`python -m pillarbox.testing --server tests.sim.halls_server:HallServer` runs more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

import pytest
from tests.property.mutants import Fault
from tests.sim.halls_server import HallServer

from pillarbox.sync import answers, decide, links
from pillarbox.sync.debts import Debts
from pillarbox.sync.drafts import BatchDraft, ResetDraft
from pillarbox.sync.fold import Fold
from pillarbox.sync.hole_drafts import Page
from pillarbox.sync.hole_notes import Notes
from pillarbox.sync.needs import Needs
from pillarbox.testing import Knobs
from pillarbox.testing.knobs import drawn
from pillarbox.testing.plugin import Simulator


def looking(seed: int) -> Knobs:
    """Somebody looks while much happens, so that pages meet what is told."""
    return replace(drawn(Random(f"{seed}/knobs")), looks=8)


def hurried(seed: int) -> Knobs:
    """The same, where more happens while a page is on its way."""
    return replace(looking(seed), looks=20, answer_ms=400, pause_ms=150, changes=40)


def overtaken(seed: int) -> Knobs:
    """The same, where much is forgotten, comes late, and is asked for in vain."""
    late = replace(hurried(seed), expiries=8, overtakes=0.5, behind_ms=500, lost=0.02, fails=0.2)
    return replace(late, answer_ms=700, outs=0, refusals=0, crashes=0)


def drawn_by(_seed: int) -> None:
    """The seed draws them."""


#: Faults, and a run of each that notices it.
FAULTS: Final = (
    (
        Fault("behind a token its hall is where it was", Fold, "see", "claim.start == here if", "False if"),
        drawn_by,
        1,
    ),
    (
        Fault("behind what is old its hall is there", Fold, "see", "claim.start == here if", "True if"),
        looking,
        32,
    ),
    (Fault("an answer ends where each of it ends", answers, "_end", "type(claim.end))", "int)"), looking, 2),
    (Fault("a row that nobody read is none", Needs, "row", "self.unread.add(row)", "pass"), hurried, 28),
    (Fault("nothing that follows on another token waits", links, "follow", "held += [", "_ = ["), hurried, 7),
    (Fault("a gap is not owed", decide, "_hold_keyed", "decision.owed.append(", "id("), hurried, 7),
    (
        Fault("a page goes on where it meets what is here", Page, "_joined", "rule.joins is None", "True"),
        drawn_by,
        2,
    ),
    (Fault("a page of another mark is written", Page, "apply", "!= asked.mark", "is self"), hurried, 1035),
    (
        Fault("a page undoes an edit of its hall", Notes, "changes", "id in self._changed", "False"),
        hurried,
        110,
    ),
    (
        Fault(
            "an answer is applied though its hall has moved", BatchDraft, "stale", "!= expected", "is self"
        ),
        hurried,
        7,
    ),
    (
        Fault("a hall that has moved is made anew", ResetDraft, "stale", "if moved", "if False"),
        overtaken,
        1589,
    ),
    (
        Fault("what is owed once more is paid", Debts, "_pays", "if again is None or", "if True or"),
        drawn_by,
        105,
    ),
)


@pytest.mark.parametrize("first", range(0, 24, 12))
def test_what_is_said_in_a_hall_is_heard_once_and_in_order(simulator: Simulator, first: int) -> None:
    """G-2, G-3, K-1, K-7, 8.6, E-13, E-15, E-21: with tokens that nobody can compare, and marks."""
    simulator.check(HallServer, range(first, first + 12))
    for seed in range(first, first + 12):
        simulator.check(HallServer, [seed], hurried(seed))


@pytest.mark.parametrize(
    ("fault", "knobs", "seed"), FAULTS, ids=lambda it: str(it) if isinstance(it, Fault) else ""
)
def test_a_planted_fault_is_noticed(
    fault: Fault, knobs: Callable[[int], Knobs | None], seed: int, simulator: Simulator
) -> None:
    simulator.check(HallServer, [seed], knobs(seed))

    with fault.planted():
        report = simulator.play(HallServer, seed, knobs(seed))

    assert report.violation is not None, f"{fault} lives"
