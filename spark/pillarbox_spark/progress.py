"""How far a run is, on standard error: a moving display on a terminal, a line now and then elsewhere.

Depends on: rich, when there is a terminal.  Never on: what runs, Spark.

Laws. It tells what finished tasks have told, and nothing that it guesses but the time that is left.
What cannot be told ends no run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import TextIOBase, UnsupportedOperation
from time import monotonic
from typing import IO, Final, TextIO, cast

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Display

from pillarbox_spark.engines import SILENT, Progress

LINE_SECONDS: Final = 5.0
KILOBYTE: Final = 1 << 10
MEGABYTE: Final = 1 << 20


def progress_on(stream: TextIO | None = sys.stderr) -> Progress:
    """What suits the stream; None: nothing is told."""
    if stream is None:
        return SILENT
    lossy = Lossy(stream)
    return OnTerminal(Console(file=cast("IO[str]", lossy))) if stream.isatty() else InLines(lossy)


class Lossy(TextIOBase):
    """A stream as one that always takes everything: what the other does not take is lost, or an escape.

    Once it failed nothing more is tried, as what it holds back would come again and again.
    """

    encoding: str = ""

    def __init__(self, stream: TextIO) -> None:
        self._stream: TextIO | None = stream
        self.encoding = stream.encoding or "utf-8"

    def write(self, text: str, /) -> int:
        shown = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        self._tried(lambda stream: stream.write(shown))
        return len(text)

    def flush(self) -> None:
        self._tried(lambda stream: stream.flush())

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def fileno(self) -> int:
        if self._stream is None:
            raise UnsupportedOperation("fileno")
        return self._stream.fileno()

    def _tried(self, use: Callable[[TextIO], object]) -> None:
        if self._stream is None:
            return
        try:
            use(self._stream)
        except (OSError, ValueError):  # the latter of one that was closed
            self._stream = None


@dataclass
class Stage:
    """What the finished tasks of one stage have told."""

    name: str
    tasks: int
    of_bytes: int
    began: float
    done: int = 0
    records: int = 0
    bytes_read: int = 0

    def add(self, records: int, bytes_read: int) -> None:
        """One more task is done."""
        self.done += 1
        self.records += records
        self.bytes_read += bytes_read

    @property
    def share(self) -> float:
        """From 0 to 1, by bytes where the stage reads some, else by tasks; 0 where neither is known."""
        done, of = (self.bytes_read, self.of_bytes) if self.of_bytes else (self.done, self.tasks)
        return min(1.0, done / of) if of else 0.0

    def told(self, now: float) -> str:
        """`read: 3 of 12 tasks, 96 MB, 70,000 records, 24,000/s, 9 s left`; what is not known is left out."""
        seconds = max(now - self.began, 1e-9)
        parts = [f"{self.done} of {self.tasks} tasks" if self.tasks else ""]
        if self.bytes_read:
            parts.append(_size(self.bytes_read))
        if self.records:
            parts += [f"{self.records:,} records", f"{self.records / seconds:,.0f}/s"]
        if 0 < self.share < 1:
            parts.append(f"about {seconds * (1 / self.share - 1):,.0f} s left")
        return ", ".join(part for part in parts if part)


def _size(count: int) -> str:
    return f"{count / MEGABYTE:,.0f} MB" if count >= MEGABYTE else f"{count / KILOBYTE:,.0f} KB"


class InLines:
    """A line when a stage begins, and one every few seconds at most, when a task is done."""

    def __init__(self, stream: TextIO | Lossy, clock: Callable[[], float] = monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._stage: Stage | None = None
        self._told = 0.0

    def stage(self, name: str, tasks: int, of_bytes: int) -> None:
        """Say that a stage begins."""
        now = self._clock()
        self._stage, self._told = Stage(name, tasks, of_bytes, now), now
        of = f", {tasks} task{'s' if tasks != 1 else ''}" if tasks else ""
        size = f", {_size(of_bytes)}" if of_bytes else ""
        self._say(f"{name}{of}{size}")

    def task_done(self, records: int, bytes_read: int) -> None:
        """Say how far it is, unless it was said just now."""
        if self._stage is None:
            return
        self._stage.add(records, bytes_read)
        now = self._clock()
        if now - self._told >= LINE_SECONDS:
            self._told = now
            self._say(f"{self._stage.name}: {self._stage.told(now)}")

    def finished(self) -> None:
        """Nothing: the report says it."""

    def _say(self, text: str) -> None:
        print(f"pillarbox: {text}", file=self._stream, flush=True)


class OnTerminal:
    """A line for each stage; that of the last one moves."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        spinner = "dots" if console.encoding.startswith("utf") else "line"
        self._display = Display(
            SpinnerColumn(spinner, finished_text=" "),
            TextColumn("{task.description:<8}"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("{task.fields[told]}"),
            console=console,
        )
        self._stage: Stage | None = None
        self._line = TaskID(0)

    def stage(self, name: str, tasks: int, of_bytes: int) -> None:
        """Begin the next line; the one before is done."""
        self._fill()
        self._stage = Stage(name, tasks, of_bytes, self._clock())
        self._line = self._display.add_task(name, total=1.0 if tasks or of_bytes else None, told="")
        self._display.start()

    def task_done(self, records: int, bytes_read: int) -> None:
        """Move the line."""
        if self._stage is not None:
            self._stage.add(records, bytes_read)
            told = self._stage.told(self._clock())
            self._display.update(self._line, completed=self._stage.share, told=told)

    def finished(self) -> None:
        """Leave the lines as they are, but for one that tells nothing, and the terminal as it was."""
        if self._stage is not None and self._stage.done >= self._stage.tasks:
            self._fill()
        elif self._stage is not None and not self._stage.done:
            self._display.remove_task(self._line)
        self._display.stop()

    def _fill(self) -> None:
        if self._stage is not None:
            self._display.update(self._line, total=1.0, completed=1.0)
            self._stage = None
