"""An account that is signed out now and then: who is refused for good says so, and goes on later.

`python -m pillarbox.testing --server tests.sim.signing_server:SigningServer` runs more of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest
from tests.property.mutants import Fault
from tests.sim.signing_server import SigningServer

from pillarbox.sync import flight
from pillarbox.sync.behind import Behind
from pillarbox.sync.debts import Debts
from pillarbox.sync.inquiry import Inquiry
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.jobs import FlushJob
from pillarbox.sync.open_polls import OpenPolls
from pillarbox.testing import Knobs
from pillarbox.testing.plugin import Simulator

#: Signed out again and again, while somebody asks and looks.
RESTLESS: Final = Knobs(outs=3, looks=20, changes=40, lost=0.1, zeros=0.2)


class Planted(NamedTuple):
    """A fault, and seeds of runs that notice it."""

    fault: Fault
    seeds: tuple[int, ...]
    knobs: Knobs | None = None

    def __str__(self) -> str:
        return str(self.fault)


FAULTS: Final = (
    Planted(
        Fault(
            "what is refused for good is asked again",
            PollJob,
            "_refused",
            "if remedy is Remedy.RETRY or",
            "if remedy in (Remedy.RETRY, Remedy.STOP) or",
        ),
        (5, 12),
    ),
    Planted(
        Fault(
            "nobody is told that all is refused",
            PollJob,
            "_refused",
            "Refusal(refused.code, self._request)",
            "refused.code",
        ),
        (5, 12),
    ),
    Planted(
        Fault(
            "an answer does not take the refusal back",
            Behind,
            "answered",
            "self._refused.pop(cursor, None)",
            "pass",
        ),
        (0, 1),
        RESTLESS,
    ),
    Planted(
        Fault("a flush does not say that all is refused", FlushJob, "_settle", "self._refused", "None"),
        (0, 1),
        RESTLESS,
    ),
    Planted(
        Fault(
            "a flush that is refused tells nobody", FlushJob, "_come", "if refusal is not None:", "if False:"
        ),
        (6, 7),
        RESTLESS,
    ),
    Planted(
        Fault(
            "what was refused so is taken for any other answer",
            flight.Flight,
            "refusal",
            "return Refusal(answer.code, request)",
            "return None",
        ),
        (6, 7),
        RESTLESS,
    ),
    Planted(
        Fault(
            "of an instance that was refused nothing is missing",
            Inquiry,
            "_refused",
            "self._end(Ending.STOPPED)",
            "self._end(Ending.REFUSED)",
        ),
        (64, 78, 131),
    ),
    Planted(
        Fault(
            "an instance that was refused is never asked about again",
            Debts,
            "session",
            "self._stopped.clear()",
            "pass",
        ),
        (252, 534),
        RESTLESS,
    ),
    Planted(
        Fault(
            "an instance that was refused is asked about at once",
            Debts,
            "_ended",
            "self._stopped.add(instance)",
            "self._add(owed)",
        ),
        (18, 56),
        RESTLESS,
    ),
    Planted(
        Fault(
            "who looks at what was refused asks on",
            OpenPolls,
            "_done",
            "if found.ending is Ending.STOPPED:",
            "if False:",
        ),
        (9, 16),
        RESTLESS,
    ),
)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_who_is_signed_out_asks_nothing_and_has_everything_afterwards(
    simulator: Simulator, first: int
) -> None:
    """N-12, N-1, N-2, N-3, N-6: it says so, whoever flushes is told, and nothing is lost."""
    simulator.check(SigningServer, range(first, first + 20))


@pytest.mark.parametrize("planted", FAULTS, ids=str)
def test_a_planted_fault_is_noticed(planted: Planted, simulator: Simulator) -> None:
    """Each seed of a fault is played with it and without it."""
    simulator.check(SigningServer, planted.seeds, planted.knobs)

    with planted.fault.planted():
        runs = (simulator.play(SigningServer, seed, planted.knobs) for seed in planted.seeds)
        broken = any(report.violation is not None for report in runs)

    assert broken, f"{planted.fault} lives"
