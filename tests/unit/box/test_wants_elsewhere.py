"""What live windows of one process miss, fetched by another: two real processes, and two boxes of one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.unit.box.test_fetching import NAME, PROJECT, Log, page, thread
from tests.waiting import wait_for

import pillarbox_tracker
from pillarbox_tracker import operations as o
from pillarbox_tracker.types import Projects, UserId

ROOT = Path(__file__).resolve().parents[3]
#: Watches two windows of one issue, and prints why they emit and what they show.
WATCHER = """
import sys
from tests.unit.box.test_fetching import numbers, thread
import pillarbox_tracker

def show(it):
    sys.stdout.write(" ".join(map(str, [it.why.value, *numbers(it)])) + "\\n")  # from any thread: at once
    sys.stdout.flush()

with pillarbox_tracker.open_box(sys.argv[1], read_only="read_only" in sys.argv) as box:
    window = box.watch(thread())
    window.listen(show)
    for line in sys.stdin:
        window.close() if line == "close\\n" else window.move(thread(int(line)))
        print("done", flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.box"


@pytest.fixture
def box(path: Path) -> Iterator[pillarbox_tracker.Box]:
    """With nine issues."""
    with pillarbox_tracker.open_box(path, durability="relaxed") as opened:
        opened.replay([o.PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        opened.replay([o.OpenIssue(PROJECT, f"issue {number}", UserId(1), 100) for number in range(1, 10)])
        yield opened


@contextmanager
def watching(path: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that watches a window; killed when the block is over."""
    places = [ROOT, *(ROOT / name for name in ("runtime", "generated", "codegen"))]
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WATCHER), str(path), *more],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def tell(process: subprocess.Popen[str], what: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{what}\n")
    process.stdin.flush()


def line(process: subprocess.Popen[str]) -> str:
    """What it prints next."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def issues(log: Log) -> list[tuple[str, int]]:
    return [(what, hole.at[1]) for what, hole in log.told]


# ------------------------------------------------------------------------------------ real processes


@pytest.mark.parametrize(("more", "why"), [((), "fill_hole"), (("read_only",), "generic")])
def test_a_hole_that_another_process_shows_is_fetched_and_its_window_grows(
    box: pillarbox_tracker.Box, path: Path, more: tuple[str, ...], why: str
) -> None:
    """Who reads only loads anew at its first news, and so cannot say why."""
    log = Log()
    with box.fetch(NAME, log, everywhere=True) as fetching, watching(path, *more) as other:
        assert line(other) == "initial"
        wait_for(lambda: len(log.told) == 1)
        ((_, newest, _),) = log.take()

        box.replay([page(95, newest)])
        assert line(other) == f"{why} 100"
        wait_for(lambda: len(log.told) == 2)
        assert [(what, start) for what, start, _ in log.take()] == [("cancel", newest), ("start", 94)]

        box.replay([page(65, 94)])
        assert line(other) == "fill_hole 80 90 100"
        wait_for(lambda: not fetching.started)


def test_what_a_killed_process_wanted_is_wanted_no_more(box: pillarbox_tracker.Box, path: Path) -> None:
    log = Log()
    with box.fetch(NAME, log, everywhere=True) as fetching, watching(path) as other:
        wait_for(lambda: fetching.started)

        other.send_signal(signal.SIGKILL)
        other.wait()
        wait_for(lambda: not fetching.started)

        assert issues(log) == [("start", 7), ("cancel", 7)]


def test_what_is_fetched_follows_a_window_of_another_process(box: pillarbox_tracker.Box, path: Path) -> None:
    log = Log()
    with box.fetch(NAME, log, everywhere=True) as fetching, watching(path) as other:
        assert line(other) == "initial"
        wait_for(lambda: fetching.started)
        mine = box.watch(thread(9))

        tell(other, "8")
        assert line(other) == "update_visible"
        wait_for(lambda: {hole.at[1] for hole in fetching.started} == {8, 9})
        tell(other, "close")
        wait_for(lambda: {hole.at[1] for hole in fetching.started} == {9})
        mine.close()
        assert not fetching.started


def test_who_comes_later_fetches_what_is_missing_already_and_all_goes_with_the_last(
    box: pillarbox_tracker.Box, path: Path
) -> None:
    with watching(path) as other:
        assert line(other) == "initial"
        log = Log()
        with box.fetch(NAME, log, everywhere=True) as fetching:
            wait_for(lambda: fetching.started)
            tell(other, "close")
            wait_for(lambda: not fetching.started)
    box.close()

    pillarbox_tracker.open_box(path).close()
    assert [file.name for file in path.parent.iterdir()] == ["a.box"]
