"""What is told of a run while it runs."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from pillarbox_spark.engines import SILENT, Progress
from pillarbox_spark.progress import InLines, OnTerminal, Stage, progress_on


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_is_told_of_a_stage_is_what_its_tasks_told_and_the_time_left() -> None:
    stage = Stage("read", 12, 1200 << 20, began=100.0)
    stage.add(70_000, 300 << 20)

    assert stage.told(104.0) == "1 of 12 tasks, 300 MB, 70,000 records, 17,500/s, about 12 s left"


@pytest.mark.parametrize(
    ("tasks", "of_bytes", "done", "told"),
    [
        (0, 0, 1, ""),
        (0, 10 << 10, 0, ""),
        (2, 0, 0, "0 of 2 tasks"),
        (2, 0, 1, "1 of 2 tasks, about 2 s left"),
        (2, 0, 2, "2 of 2 tasks"),
    ],
)
def test_what_is_not_known_is_not_told(tasks: int, of_bytes: int, done: int, told: str) -> None:
    stage = Stage("gather", tasks, of_bytes, began=0.0)
    for _ in range(done):
        stage.add(0, 0)

    assert stage.told(2.0) == told


def test_elsewhere_than_on_a_terminal_it_is_a_line_every_few_seconds() -> None:
    stream, clock = io.StringIO(), Clock()
    lines = InLines(stream, clock)

    lines.stage("index", 0, 3 << 10)
    lines.stage("read", 3, 3 << 20)
    for clock.now in (1.0, 6.0, 7.0):
        lines.task_done(10, 1 << 20)
    lines.finished()

    assert stream.getvalue().splitlines() == [
        "pillarbox: index, 3 KB",
        "pillarbox: read, 3 tasks, 3 MB",
        "pillarbox: read: 2 of 3 tasks, 2 MB, 20 records, 3/s, about 3 s left",
    ]


def test_on_a_terminal_each_stage_is_a_line_and_the_cursor_comes_back() -> None:
    stream = io.StringIO()
    display = OnTerminal(Console(file=stream, force_terminal=True, width=120), Clock())

    display.stage("index", 0, 3 << 20)
    display.stage("read", 2, 3 << 20)
    display.task_done(10, 1 << 20)
    display.stage("commit", 1, 0)
    display.finished()

    shown = stream.getvalue()
    last = shown[shown.rindex("index") :]
    assert "1 of 2 tasks, 1 MB, 10 records" in last
    assert "commit" not in last
    assert shown.endswith("\x1b[?25h")


class Failing(io.StringIO):
    """A stream that takes one text, and then fails."""

    def __init__(self, error: Exception, terminal: bool) -> None:
        super().__init__()
        self.error, self.terminal, self.tried = error, terminal, 0

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.tried += 1
        if self.tried > 1:
            raise self.error
        return super().write(text)


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize(
    "error", [BrokenPipeError(), OSError(28, "No space left on device"), ValueError("I/O on closed file")]
)
def test_what_cannot_be_told_ends_no_run(error: Exception, terminal: bool) -> None:
    stream = Failing(error, terminal)
    progress = progress_on(stream)

    for stage in ("index", "read", "commit"):
        progress.stage(stage, 1, 0)
        progress.task_done(1, 1)
    progress.finished()

    assert stream.tried == 2


def test_where_there_is_no_stream_nothing_is_told() -> None:
    assert progress_on(None) is SILENT


@pytest.mark.parametrize("terminal", [True, False])
def test_a_stream_of_few_characters_is_shown_escapes(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    progress = progress_on(stream)

    progress.stage("чтение", 1, 0)
    progress.task_done(1, 1)
    progress.finished()

    stream.seek(0)
    assert r"\u0447\u0442" in stream.read()


@pytest.mark.parametrize("terminal", [True, False])
def test_the_stream_decides(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)

    progress: Progress = progress_on(stream)

    assert isinstance(progress, OnTerminal if terminal else InLines)


@pytest.mark.parametrize("progress", [InLines(io.StringIO()), OnTerminal(Console(file=io.StringIO()))])
def test_a_run_that_ends_before_it_begins_is_no_error(progress: Progress) -> None:
    progress.task_done(1, 1)
    progress.finished()
