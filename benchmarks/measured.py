"""Phases of another process: how long each took, and the most memory that its process tree held meanwhile.

Depends on: /proc.  Never on: what the process does.

Law: what lies outside of the phases, as starting up, counts for nothing.

The process tells its phases on its standard output: `phase` around each.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import msgspec

SAMPLE_SECONDS: Final = 0.1
MARK: Final = "\x1ephase "


class _Line(msgspec.Struct):
    """What the process tells at the begin (no seconds) and at the end of a phase."""

    name: str
    seconds: float | None = None
    told: Any = None


@dataclass(frozen=True, slots=True)
class Phase:
    """What one phase took."""

    name: str
    seconds: float
    #: Resident bytes of all processes of the tree together, at most.
    peak_bytes: int
    #: Whatever the process told of it.
    told: Any


@contextmanager
def phase(name: str) -> Iterator[Callable[[Any], None]]:
    """In the measured process: a phase; call what comes with something JSON can hold to tell it."""
    told: list[Any] = []
    _tell(_Line(name))
    begin = time.perf_counter()
    yield told.append
    _tell(_Line(name, time.perf_counter() - begin, told[-1] if told else None))


def _tell(line: _Line) -> None:
    print(MARK + msgspec.json.encode(line).decode(), flush=True)


def run_measured(arguments: Sequence[str]) -> list[Phase]:
    """Run `python ARGUMENTS` to its end. Raises RuntimeError, with what it wrote, when that is a bad one."""
    with tempfile.TemporaryFile("w+") as errors:
        command = [sys.executable, *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            assert process.stdout is not None
            phases = _phases(process.pid, process.stdout)
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(
                f"{' '.join(arguments)} ended with {process.returncode}:\n{errors.read()[-4000:]}"
            )
    return phases


def _phases(pid: int, lines: IO[str]) -> list[Phase]:
    phases: list[Phase] = []
    sampler: _Sampler | None = None
    for line in lines:
        if not line.startswith(MARK):
            continue
        found = msgspec.json.decode(line[len(MARK) :], type=_Line)
        if found.seconds is None:
            sampler = _Sampler(pid)
        elif sampler is not None:
            phases.append(Phase(found.name, found.seconds, sampler.stop(), found.told))
    return phases


class _Sampler(threading.Thread):
    """Looks at a process tree every so often."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._stopped = threading.Event()
        self._peak = 0
        self.start()

    def run(self) -> None:
        while not self._stopped.wait(SAMPLE_SECONDS):
            self._peak = max(self._peak, tree_bytes(self._pid))

    def stop(self) -> int:
        """The most that was seen."""
        self._stopped.set()
        self.join()
        return max(self._peak, tree_bytes(self._pid))


def tree_bytes(root: int) -> int:
    """Resident bytes of a process and of all that came of it; pages they share count for each."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _read(entry / "stat").rpartition(")")[2].split()
            if fields:
                parents[int(entry.name)] = int(fields[1])
    tree, last = {root}, set[int]()
    while len(last) != len(tree):
        last = set(tree)
        tree |= {pid for pid, parent in parents.items() if parent in last}
    return sum(_resident(pid) for pid in tree)


def _resident(pid: int) -> int:
    for line in _read(Path(f"/proc/{pid}/status")).splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def _read(path: Path) -> str:
    """A file of /proc; nothing when its process has gone."""
    try:
        return path.read_text()
    except OSError:
        return ""
