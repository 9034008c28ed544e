"""Phases of another process: how long each took, and what its process tree took of processors and memory.

Depends on: /proc.  Never on: what the process does.

Law: what lies outside of the phases, as starting up, counts for nothing.

The process tells its phases on its standard output: `phase` around each.
"""

from __future__ import annotations

import os
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
TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
#: Places in /proc/PID/stat behind the name: parent; time of itself and of ended children; resident pages.
PARENT: Final = 1
TICKS: Final = slice(11, 15)
PAGES: Final = 21


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
    #: Of all processes of the tree, those that ended within it included.
    processor_seconds: float
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
            processor_seconds, peak_bytes = sampler.stop()
            phases.append(Phase(found.name, found.seconds, processor_seconds, peak_bytes, found.told))
    return phases


class _Sampler(threading.Thread):
    """Looks at a process tree every so often."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._stopped = threading.Event()
        self._peak = 0
        self._ticks = sum(ticks for ticks, _ in tree(pid).values())
        self.start()

    def run(self) -> None:
        while not self._stopped.wait(SAMPLE_SECONDS):
            self._look()

    def stop(self) -> tuple[float, int]:
        """Seconds of processors since it was made, and the most bytes that were seen."""
        self._stopped.set()
        self.join()
        return (self._look() - self._ticks) / TICKS_A_SECOND, self._peak

    def _look(self) -> int:
        found = tree(self._pid)
        self._peak = max(self._peak, sum(pages for _, pages in found.values()) * PAGE_BYTES)
        return sum(ticks for ticks, _ in found.values())


def tree(root: int) -> dict[int, tuple[int, int]]:
    """A process and all that came of it: ticks of processors, and resident pages (shared ones each time)."""
    parents: dict[int, int] = {}
    used: dict[int, tuple[int, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(entry / "stat")):
            pid = int(entry.name)
            parents[pid] = int(fields[PARENT])
            used[pid] = sum(map(int, fields[TICKS])), int(fields[PAGES])
    found, last = {root}, set[int]()
    while len(last) != len(found):
        last = set(found)
        found |= {pid for pid, parent in parents.items() if parent in last}
    return {pid: used[pid] for pid in found if pid in used}


def _stat(path: Path) -> list[str]:
    """The fields of a process from its state on; nothing when it has gone."""
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:
        return []
