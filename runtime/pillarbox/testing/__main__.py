"""The simulator: `python -m pillarbox.testing --seeds 2000`, or `--seed 17` for one with its trace.

Depends on: run.  Never on: any schema.

Law: exit code 0 where every law held, 1 where one broke, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pillarbox.errors import UsageError
from pillarbox.testing.images import Images
from pillarbox.testing.run import default_jobs, play, play_all, server_class, shrunk, trace_of
from pillarbox.testing.world import Run

#: Where the tests of this repository keep theirs.
_SERVER = "tests.sim.tracker_server:TrackerServer"
#: `-OO` leaves out the text at the top of this file.
_ABOUT = "The simulator: `--seeds 2000` plays so many, `--seed 17` one, with its trace."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.seed is None:
            return _many(options)
        return _one(options)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pillarbox.testing", description=_ABOUT)
    parser.add_argument("--server", default=_SERVER, help="the simulated server, as package.module:Class")
    parser.add_argument("--seeds", type=int, default=2_000, help="how many seeds to run")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first of them")
    parser.add_argument("--jobs", type=int, default=default_jobs(), help="how many processes")
    parser.add_argument("--seed", type=int, help="one seed, with its trace")
    parser.add_argument("--keep", help="of that seed only these planned actions, as 1,4,7")
    parser.add_argument("--shrink", action="store_true", help="find fewer actions that break the same law")
    return parser


def _many(options: argparse.Namespace) -> int:
    seeds = range(options.first, options.first + options.seeds)
    outcome = play_all(options.server, seeds, jobs=options.jobs)
    shown = " ".join(f"{name}={count:,}" for name, count in sorted(outcome.figures.items()))
    print(shown)
    return 1 if outcome.broken else 0


def _one(options: argparse.Namespace) -> int:
    make = server_class(options.server)
    keep = None if options.keep is None else [int(number) for number in options.keep.split(",") if number]
    with Images() as images:
        run = Run(options.seed, keep=keep)
        if options.shrink:
            run = shrunk(run, make, images)
        report = play(run, make, images, keeps_trace=True)
        for line in trace_of(report):
            print(line)
        if options.shrink and run.keep is not None:
            kept = ",".join(map(str, run.keep))
            print(f"python -m pillarbox.testing --seed {run.seed} --server {options.server} --keep {kept}")
    return 0 if report.violation is None else 1


if __name__ == "__main__":
    sys.exit(main())
