"""What jobs cannot do without, asked for before anything of them is imported.

Depends on: pillarbox.cli, pillarbox.installing.  Never on: pyspark, which may be missing.

Law: `python -m PACKAGE.jobs.SOURCE` without pyspark says what to install, and ends as wrong use does.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import NoReturn

from pillarbox.cli import end_with
from pillarbox.errors import UsageError
from pillarbox.installing import install_line


def check_installed() -> None:
    """Tell who imports a job that pyspark is missing: a program ends, an import raises ImportError."""
    if find_spec("pyspark") is not None:
        return
    if sys.argv[0] == "-m":  # Python is looking for the module that it was told to run
        end_with(_refuse)
    raise ModuleNotFoundError(missing(), name="pyspark")


def missing() -> str:
    """What is told to who lacks it."""
    line = install_line("pillarbox", "spark")
    return f"jobs need pyspark, which is not installed; install it with `{line}`"


def _refuse() -> NoReturn:
    raise UsageError(missing())
