"""Looks for the seeds at which planted faults are noticed: `python -m tests.sim.hunt`.

Depends on: mutants, tracker_server, pillarbox.testing.  Never on: pytest.

What it prints goes into mutants.py, by hand: a fault and the seed that caught it are reviewed together.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable

from tests.sim.mutants import MUTANTS, Mutant
from tests.sim.tracker_server import TrackerServer

from pillarbox.testing import Images, Knobs, Report, Run, play


def caught(mutant: Mutant, seeds: Iterable[int], images: Images, knobs: Knobs | None = None) -> Report | None:
    """The first of these runs that breaks a law with the fault, and none without it."""
    for seed in seeds:
        with mutant.fault.planted():
            report = play(Run(seed, knobs), TrackerServer, images)
        if report.violation is not None and play(Run(seed, knobs), TrackerServer, images).violation is None:
            return report
    return None


def main(first: int, count: int, seconds: float = 90.0) -> None:
    """Look at each fault for a while."""
    with Images() as images:
        for mutant in MUTANTS:
            began = time.monotonic()
            report = None
            for seed in range(first, first + count):
                report = caught(mutant, [seed], images, mutant.knobs)
                if report is not None or time.monotonic() - began > seconds:
                    break
            found = "-" if report is None else f"seed {report.seed}: {report.violation}"
            print(f"{mutant.number:>3} {mutant.fault.name}: {found}"[:230], flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
