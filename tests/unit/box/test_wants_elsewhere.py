"""What live windows of one process miss, fetched by another: two real processes, and two boxes of one."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.box.test_fetching import NAME, PROJECT, Log, page, thread
from tests.unit.sync.test_holes_marks import mark
from tests.waiting import wait_for

import pillarbox_messenger
import pillarbox_tracker
from pillarbox.box import Fetching
from pillarbox.storage.presence import Presence
from pillarbox.views import Hole, WantedHoles, holes_as_bytes
from pillarbox_messenger import types as mt
from pillarbox_messenger import views as mv
from pillarbox_tracker import operations as o
from pillarbox_tracker import views
from pillarbox_tracker.types import Projects, State, UserId

ROOT = Path(__file__).resolve().parents[3]
#: Watches two windows of one issue, and prints why they emit and what they show.
WATCHER = """
import sys
from tests.property.mutants import Fault
from tests.unit.box.moments import files_of, interrupts
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
"""


@pytest.fixture
def box(nine_issues: pillarbox_tracker.Box) -> pillarbox_tracker.Box:
    return nine_issues


@contextmanager
def watching(path: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that watches a window; killed when the block is over."""
    places = [ROOT, *(ROOT / name for name in ("runtime", "generated", "codegen"))]
    with subprocess.Popen(
        [sys.executable, "-c", WATCHER, str(path), *more],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def fetched_by_hand(
    box: pillarbox_tracker.Box, path: Path
) -> Iterator[tuple[pillarbox_tracker.Box, Fetching]]:
    """Another box of this process that fetches for all; each looks at the other when it is polled alone."""
    with pillarbox_tracker.open_box(path) as other, other.fetch(NAME, Log(), everywhere=True) as fetching:
        for one in (box, other):
            one._watcher.stop()
        yield other, fetching


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


# -------------------------------------------------------------------------------- boxes of one process


def started(fetching: Fetching) -> list[Hole]:
    return sorted(fetching.started, key=repr)


def alike(one: Any, other: Any) -> list[str]:
    """Names under which `one` wants something, once `other` fetches exactly that for it, types and all."""
    found = []
    for name in sorted(one.package.wants):
        mine = sorted(one.get(WantedHoles(name)), key=repr)
        with other.fetch(name, Log(), everywhere=True) as fetching:
            wait_for(partial(fetches, fetching, mine))
            assert repr(started(fetching)) == repr(mine)
        found += [name] * bool(mine)
    return found


def fetches(fetching: Fetching, holes: list[Hole]) -> bool:
    return started(fetching) == holes


def test_holes_come_to_the_other_as_they_are_with_the_types_of_their_keys(tmp_path: Path) -> None:
    """Of ranges, whose groups have enumerations, of marks and of boundaries."""
    path = tmp_path / "messenger.box"
    ada = mt.peer_id(mt.PeerNamespace.USER, 7)
    with (
        pillarbox_messenger.open_box(path) as one,
        pillarbox_messenger.open_box(path) as other,
        one.watch(mv.MessageHistory(ada)),
    ):
        assert alike(one, other) == ["history_holes"]
    path = tmp_path / "tracker.box"
    with pillarbox_tracker.open_box(path) as two, pillarbox_tracker.open_box(path) as third:
        two.replay([o.PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        two.replay([o.OpenIssue(PROJECT, "it leaks", UserId(1), 100)])
        mark(two)
        activity = views.Activity(project_ids=(PROJECT,), state=State.OPEN, count=5, whole=False)
        with two.watch(activity), two.watch(thread(1)), two.watch(views.Trail(PROJECT, 1, 3, False)):
            assert alike(two, third) == ["audit_to_fetch", "comments_to_fetch", "issues_to_fetch"]


@pytest.mark.parametrize(
    "said",
    [
        b"\xc1",
        b"\x01",
        b"\x91\x01",
        b"\x91\x91\x81\x01\x02",
        b"\x91" * 100_000 + b"\xc0",
        holes_as_bytes([Hole(NAME, "no_such_table", (1, 2), 3, 1, 5)]),
        holes_as_bytes([Hole(NAME, "comment_holes", ("a", 2), 3, 1, 5)]),
        holes_as_bytes([Hole(NAME, "comment_holes", (1, 2, 3, 4), 3, 1, 5)]),
        holes_as_bytes([Hole(NAME, "comment_holes", (1, 2), 3, "x", 5)]),
    ],
)
def test_what_is_no_hole_of_a_table_here_is_left_out_and_logged(
    box: pillarbox_tracker.Box, path: Path, said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = Presence.meet(str(path))
    assert stranger is not None
    stranger.register()
    with box.fetch(NAME, Log(), everywhere=True) as fetching:
        stranger.say(said)
        wait_for(lambda: "does not read" in caplog.text)
        assert not fetching.started

        stranger.say(holes_as_bytes([Hole(NAME, "comment_holes", (1, 2), 3, 1, 5)]))
        wait_for(lambda: fetching.started)
        stranger.close()
        wait_for(lambda: not fetching.started)


def test_alone_nothing_is_said_and_who_comes_is_told(box: pillarbox_tracker.Box, path: Path) -> None:
    with box.watch(thread(7)), patch.object(Presence, "say", side_effect=AssertionError):
        for _ in range(3):
            box.poll()

    with (
        box.watch(thread(8)),
        pillarbox_tracker.open_box(path) as other,
        other.fetch(NAME, Log(), everywhere=True) as fetching,
    ):
        wait_for(lambda: [hole.at[1] for hole in started(fetching)] == [8])


def test_what_is_fetched_where_it_is_wanted_is_not_told(box: pillarbox_tracker.Box, path: Path) -> None:
    with pillarbox_tracker.open_box(path) as other, other.fetch(NAME, Log(), everywhere=True) as fetching:
        with box.watch(thread(7)):
            wait_for(lambda: fetching.started)
            with box.fetch(NAME, Log()) as own:
                assert own.started
                wait_for(lambda: not fetching.started)
            wait_for(lambda: fetching.started)
        wait_for(lambda: not fetching.started)


def test_who_shows_nothing_any_more_says_so_though_nobody_is_there_by_then(
    box: pillarbox_tracker.Box, path: Path
) -> None:
    with pillarbox_tracker.open_box(path) as other:
        window = box.watch(thread(7))
        with other.fetch(NAME, Log(), everywhere=True) as fetching:
            wait_for(lambda: fetching.started)
    window.close()
    wait_for(lambda: not box._others.wants.owe)

    log = Log()
    with pillarbox_tracker.open_box(path) as late, late.fetch(NAME, log, everywhere=True):
        for _ in range(3):
            late.poll()
    assert log.told == []


def test_what_others_want_is_heard_by_who_finds_news_at_every_look(
    box: pillarbox_tracker.Box, path: Path
) -> None:
    with fetched_by_hand(box, path) as (other, fetching), box.watch(thread(7)):
        box.poll()
        box.replay([o.OpenIssue(PROJECT, "one more", UserId(1), 200)])
        assert other.poll()
        assert [hole.at[1] for hole in fetching.started] == [7]


def test_views_that_are_made_anew_know_what_is_wanted_elsewhere(
    box: pillarbox_tracker.Box, path: Path
) -> None:
    with pillarbox_tracker.open_box(path) as other, other.fetch(NAME, Log(), everywhere=True) as fetching:
        with box.watch(thread(7)):
            wait_for(lambda: fetching.started)
            other._watcher.stop()
            other._tracker.careful.is_torn = True
            assert other.poll()
            assert fetching.started
            assert other.get(WantedHoles(NAME, everywhere=True)) == fetching.started
            assert other.get(WantedHoles(NAME)) == frozenset()
        wait_for(lambda: other.poll() or not fetching.started)


def test_too_much_to_say_is_logged(
    box: pillarbox_tracker.Box, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        pillarbox_tracker.open_box(path) as other,
        other.fetch(NAME, Log(), everywhere=True),
        patch("pillarbox.storage.presence._ROOM", 16),
        box.watch(thread(7)),
    ):
        wait_for(lambda: "no other process can be told what is wanted here: 1 holes" in caplog.text)


def test_what_a_disk_did_not_take_is_told_later_and_logged_once(
    box: pillarbox_tracker.Box, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with fetched_by_hand(box, path) as (other, fetching), box.watch(thread(7)):
        with patch.object(os, "pwrite", side_effect=OSError(errno.ENOSPC, "no space left")):
            for _ in range(3):
                box.poll()
        other.poll()
        assert not fetching.started

        box.poll()
        other.poll()
        assert [hole.at[1] for hole in fetching.started] == [7]
    assert caplog.text.count("no other process can be told what is wanted here: 1 holes") == 1
