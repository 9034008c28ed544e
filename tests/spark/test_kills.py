"""Workers and drivers that die, and twins: the run, or the next one, comes to what nobody disturbed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.spark.doomed import JOB, MODULE, PROJECTS, SMALL, write_input
from tests.spark.engine_tasks import SECONDS_MAX
from tests.unit.pipeline.oracle import left_over

from pillarbox.bulk import differences
from pillarbox_spark.manifest import read_manifest
from pillarbox_spark.pipeline import run
from pillarbox_spark.report import Report
from pillarbox_spark.spark_engine import SparkEngine

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Undisturbed:
    """A run of the same input in this process."""

    input: Path
    box: Path
    report: Report
    quarantine: Sequence[str]

    def check(self, report: Report, out: Path, box: Path) -> None:
        """Box, quarantine and figures are the same, and nothing else lies about."""
        assert differences(JOB.package, self.box, box) == []
        assert quarantine_of(out) == self.quarantine
        assert figures(report) == figures(self.report)
        assert left_over(out, read_manifest(out)) == []


def quarantine_of(out: Path) -> list[str]:
    """The lines of the committed run."""
    return [line for name in read_manifest(out).quarantine for line in (out / name).read_text().splitlines()]


def figures(report: Report) -> Report:
    """What must be the same in any run of the same input."""
    return replace(report, engine="", java=None, seconds={}, out="", into=None)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    path, box, out = write_input(folder / "history.lines"), folder / "one.box", folder / "out"
    report = run(JOB, [path], out, replace(SMALL, engine="inline", into=box))
    assert report.shards == PROJECTS + 2
    return Undisturbed(path, box, report, quarantine_of(out))


# ------------------------------------------------------------------------------------------ workers


@pytest.mark.parametrize("name", [".box", "issues.parquet", ".spill", "gather-00001"])
def test_a_worker_killed_between_write_and_rename_changes_nothing(
    name: str, undisturbed: Undisturbed, engine: SparkEngine, tmp_path: Path
) -> None:
    out, box = tmp_path / "out", tmp_path / "one.box"
    out.mkdir()
    (out / "armed").write_text(name)

    report = run(JOB, [undisturbed.input], out, replace(SMALL, into=box), engine=engine)

    assert not (out / "armed").exists(), "nobody was killed"
    undisturbed.check(report, out, box)


class Twins:
    """An engine that runs each task twice, at the same time."""

    name = "twins"

    def __init__(self, engine: SparkEngine) -> None:
        self.java, self.parallel = engine.java, engine.parallel
        self._engine = engine
        self.asked = self.told = 0

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        def tell(result: str) -> None:
            self.told += 1
            on_result(result)

        self.asked += len(descriptors)
        self._engine.run([descriptor for descriptor in descriptors for _ in range(2)], tell)


def test_twins_of_each_task_change_nothing(
    undisturbed: Undisturbed, engine: SparkEngine, tmp_path: Path
) -> None:
    out, box, twins = tmp_path / "out", tmp_path / "one.box", Twins(engine)

    report = run(JOB, [undisturbed.input], out, replace(SMALL, into=box), engine=twins)

    assert twins.told == 2 * twins.asked == 2 * (PROJECTS + 2)
    undisturbed.check(report, out, box)


# ------------------------------------------------------------------------------------------- drivers


def start_slow_run(undisturbed: Undisturbed, folder: Path) -> subprocess.Popen[str]:
    """A run in a process of its own, which has finished some boxes and not all."""
    process = start_run(undisturbed, folder)
    wait_in(process, lambda: any(folder.glob("out/run-*/boxes/*.box")))
    return process


def start_run(undisturbed: Undisturbed, folder: Path) -> subprocess.Popen[str]:
    path = write_input(folder / "history.lines")
    assert path.read_bytes() == undisturbed.input.read_bytes()
    (folder / "slow").touch()
    return subprocess.Popen(
        [sys.executable, "-m", MODULE, path, folder / "out", folder / "one.box"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_in(process: subprocess.Popen[str], done: Callable[[], object]) -> None:
    """Until it has come so far."""
    until = time.monotonic() + SECONDS_MAX
    while not done():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.05)


def wait_for_group(process: subprocess.Popen[str]) -> None:
    """Until Java is gone too."""
    until = time.monotonic() + SECONDS_MAX
    while time.monotonic() < until:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("what the run started lives on")


def test_after_a_driver_was_killed_the_next_run_is_as_if_it_had_never_been(
    undisturbed: Undisturbed, engine: SparkEngine, tmp_path: Path
) -> None:
    process = start_slow_run(undisturbed, tmp_path)
    process.kill()
    process.communicate()
    wait_for_group(process)
    out, box = tmp_path / "out", tmp_path / "one.box"
    left = list(out.glob("run-*/boxes/*.box"))
    assert left
    assert not box.exists()
    assert not (out / "manifest.json").exists()

    report = run(JOB, [undisturbed.input], out, replace(SMALL, into=box), engine=engine)

    undisturbed.check(report, out, box)
    assert not any(path.exists() for path in left)


def test_an_interrupted_run_ends_with_130_and_leaves_nothing(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    process = start_slow_run(undisturbed, tmp_path)

    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=SECONDS_MAX)[1]

    assert (process.returncode, told) == (130, "pillarbox: interrupted\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["history.lines", "out", "slow"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]
    wait_for_group(process)


def test_a_run_that_is_interrupted_while_java_starts_leaves_none(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    process = start_run(undisturbed, tmp_path)
    wait_in(process, lambda: javas_of(process))

    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=SECONDS_MAX)[1]

    assert (process.returncode, told) == (130, "pillarbox: interrupted\n")
    wait_for_group(process)


def test_a_run_whose_java_was_killed_says_so_and_leaves_nothing(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    process = start_slow_run(undisturbed, tmp_path)

    (java,) = javas_of(process)
    os.kill(java, signal.SIGKILL)
    told = process.communicate(timeout=SECONDS_MAX)[1]

    assert process.returncode == 3
    assert told.splitlines()[-1].startswith("pillarbox: Spark gave up: ")
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]
    wait_for_group(process)


def javas_of(process: subprocess.Popen[str]) -> list[int]:
    """The processes of Java in which a run has Spark."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            told = (entry / "cmdline").read_bytes()
            # That of what starts it has both, and that of `java -version` neither.
            runs = b"org.apache.spark.deploy" in told and b"org.apache.spark.launcher" not in told
            if os.getpgid(int(entry.name)) == process.pid and runs:
                found.append(int(entry.name))
    return found
