"""Under `python -bb`, where to compare bytes with what are none is an error, boxes and views work as ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

UNIT = Path(__file__).parent


@pytest.mark.parametrize(
    "tests",
    ["box/test_transactions.py", "views/test_amounts.py", "codec/test_packed.py", "inspect/test_journal.py"],
)
def test_bytes_are_compared_with_bytes_only(tests: str) -> None:
    command = [sys.executable, "-bb", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(UNIT / tests)]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
