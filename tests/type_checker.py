"""What a strict type checker finds in packages that a test has made.

All tests ask in one way, by the options of this repository, and so have one cache, which is also that of
`make types`. Most of what a check costs is the runtime and the standard library, and both are in there; so is
a package that was checked before, in whichever folder it lay. Processes of `-n` may ask at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def type_errors(*arguments: str, path: Path | None = None) -> str:
    """What is printed, "" when nothing is found. Packages and modules of a name are looked for in `path`."""
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-error-summary"]
    environment = {**os.environ, "MYPYPATH": str(path or "")}
    done = subprocess.run(
        [*command, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == (not done.stdout + done.stderr), (done.returncode, done.stderr)
    return done.stdout + done.stderr
