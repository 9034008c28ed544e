"""Tasks that workers import: each does to itself, or waits for, what its descriptor says."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

from pyspark import TaskContext

from pillarbox.errors import RangeError, StoreFull

#: How long a test waits at most for Spark, which starts slowly: as long as a machine may take that is busy.
SECONDS_MAX = 300


def describe(folder: Path, **case: Any) -> str:
    return json.dumps({"folder": str(folder), **case})


def run_case(descriptor: str) -> str:
    """Count an attempt, do what the case asks for, then tell the partition."""
    case = json.loads(descriptor)
    folder = Path(case["folder"])
    attempt = len(attempts(folder, case["name"]))
    (folder / f"{case['name']}.{attempt}").touch()
    match case.get("does"):
        case "wait":
            wait_for(folder / case["file"])
        case "sleep":
            time.sleep(SECONDS_MAX)
        case "refuse":
            raise RangeError("count", -1, "from 0 to 9")
        case "fill the disk":
            raise StoreFull("/somewhere")
        case "be wrong":
            raise KeyError("no such thing")
        case "die once" if attempt == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
    context = TaskContext.get()
    return f"{case['name']} {context.partitionId() if context else None}"


def attempts(folder: Path, name: str) -> list[str]:
    return sorted(path.name for path in folder.glob(f"{name}.*"))


def wait_for(path: Path) -> None:
    until = time.monotonic() + SECONDS_MAX
    while not path.exists():
        if time.monotonic() > until:
            raise TimeoutError(path)
        time.sleep(0.02)
