"""A run of tests leaves nothing in the temporary folder of the system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.waiting import SECONDS_MAX

ROOT = Path(__file__).resolve().parents[2]
#: It makes a package that outlives the test, in a folder of the system.
ONE = "tests/unit/codegen_ops/test_numbered_identities.py"


def test_what_tests_put_into_the_temporary_folder_goes_with_them(tmp_path: Path) -> None:
    system = tmp_path / "system"
    system.mkdir()
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "of pytest")]

    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, ONE],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(system)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )

    assert done.returncode == 0, done.stdout
    assert list(system.iterdir()) == []
