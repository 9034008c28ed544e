"""A run of tests leaves nothing in the temporary folder of the system, nor in memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import folder_in
from tests.waiting import SECONDS_MAX

ROOT = Path(__file__).resolve().parents[2]
#: Folders made when a module is imported, by a test, and in memory; where they are is written down.
LEAVING = """
import os, signal, tempfile
from pathlib import Path

MADE = [tempfile.mkdtemp()]

def test_it(tmp_path):
    MADE.extend((tempfile.mkdtemp(), tempfile.mkdtemp(dir=os.environ["PILLARBOX_TESTS_IN_MEMORY"])))
    Path(HERE, "made").write_text("\\n".join(MADE))
"""


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """What is the temporary folder of the system for a run of its own."""
    folder = tmp_path / "system"
    folder.mkdir()
    return folder


def run(system: Path, *options: str, then: str = "pass") -> int:
    """Run a test that leaves folders and does something `then`; the exit code."""
    test = system.parent / "test_leaving.py"
    test.write_text(f"{LEAVING}    {then}\n".replace("HERE", repr(str(system.parent))))
    of_pytest = ["-q", "-p", "no:cacheprovider", "--basetemp", str(system.parent / "of pytest")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", *of_pytest, *options, str(test)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(system)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )
    assert (system.parent / "made").exists(), done.stdout + done.stderr
    return done.returncode


def made(system: Path) -> list[Path]:
    """The folders that the test left."""
    return [Path(line) for line in (system.parent / "made").read_text().splitlines()]


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "several"])
def test_what_tests_leave_goes_with_them(system: Path, options: tuple[str, ...]) -> None:
    assert run(system, *options) == 0

    assert list(system.iterdir()) == []
    assert [folder for folder in made(system) if folder.exists()] == []


def test_what_a_killed_run_leaves_goes_with_the_next(system: Path) -> None:
    assert run(system, then="os.kill(os.getpid(), signal.SIGKILL)") == -signal.SIGKILL
    left = made(system)
    assert all(folder.exists() for folder in left)

    assert run(system) == 0

    assert list(system.iterdir()) == []
    assert [folder for folder in left if folder.exists()] == []


def test_what_a_run_has_is_not_taken_from_it(system: Path) -> None:
    first = folder_in(str(system))
    second = folder_in(str(system))

    assert sorted(map(str, system.iterdir())) == sorted((first, second))
