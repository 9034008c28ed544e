"""The engine on the tracker in simulated worlds: the same seeds each time, and some that nobody has seen."""

from __future__ import annotations

import random

import pytest
from tests.sim.mutants import MUTANTS
from tests.sim.tracker_server import TrackerServer

from pillarbox.testing import Images, Run, play, shrunk, trace_of
from pillarbox.testing.__main__ import main
from pillarbox.testing.plugin import Simulator

_SERVER = "tests.sim.tracker_server:TrackerServer"
#: In so many parts, that processes may share them.
_PARTS = [range(first, first + 40) for first in range(0, 200, 40)]


@pytest.mark.parametrize("seeds", _PARTS, ids=str)
def test_every_law_holds_in_these_runs(seeds: range, simulator: Simulator) -> None:
    """N-1, N-2, N-3, N-5, N-7, N-8, N-9, N-10, N-11, E-5, E-11, E-13, E-18, E-19, E-20."""
    simulator.check(TrackerServer, seeds)


def test_every_law_holds_in_runs_that_nobody_has_seen(simulator: Simulator) -> None:
    first = random.SystemRandom().randrange(1 << 40)
    print(f"seeds from {first} on")

    simulator.check(TrackerServer, range(first, first + 60))


def test_a_seed_is_one_run_to_the_letter(simulator: Simulator) -> None:
    first = simulator.play(TrackerServer, 7, trace=True)

    simulator.play(TrackerServer, 8)
    again = simulator.play(TrackerServer, 7, trace=True)

    assert again.trace.lines == first.trace.lines
    assert len(first.trace.lines) > 100


def test_a_failing_run_is_made_small(simulator: Simulator) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.number == 6)
    with mutant.fault.planted(), Images() as images:
        whole = play(Run(mutant.seeds[0]), TrackerServer, images)

        run = shrunk(Run(mutant.seeds[0]), TrackerServer, images, seconds=5)

        report = play(run, TrackerServer, images)
    assert run.keep is not None
    assert len(run.keep) < whole.actions
    assert report.violation is not None
    assert whole.violation is not None
    assert report.violation.rule == whole.violation.rule


def test_a_failing_seed_is_told_with_the_line_that_replays_it(simulator: Simulator) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.number == 15)

    with mutant.fault.planted(), pytest.raises(pytest.fail.Exception) as failed:
        simulator.check(TrackerServer, mutant.seeds[:1])

    text = str(failed.value)
    assert f"python -m pillarbox.testing --seed {mutant.seeds[0]} --server {_SERVER}" in text
    assert "broke E-13" in text


def test_one_seed_is_shown_with_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--seed", "7", "--keep", "0,1,2"])

    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert lines[0].startswith("seed 7:")
    assert lines[-1] == "every law held"
    assert any("commits" in line for line in lines)


def test_many_seeds_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--seeds", "6", "--from", "40", "--jobs", "1"])

    assert code == 0
    assert "6 of 6 runs, 0 broken" in capsys.readouterr().out


@pytest.mark.parametrize("server", ["nowhere:Server", "tests.sim.tracker_server:Nobody", "tracker"])
def test_a_server_that_is_not_there_is_wrong_use(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--seed", "1", "--server", server])

    assert code == 2
    assert "name it package.module:Class" in capsys.readouterr().err


def test_a_trace_begins_with_the_knobs_that_were_turned(simulator: Simulator) -> None:
    report = simulator.play(TrackerServer, 7, trace=True)

    assert f"page={report.knobs.page}" in next(iter(trace_of(report))) or report.knobs.page == 0
