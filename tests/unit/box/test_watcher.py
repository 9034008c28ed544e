"""The thread that notices commits of other processes: how often it looks, and what ends it not."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.unit.runtime.tracker_package import PACKAGE, One, PutIssue, TrackerBox, issue
from tests.unit.storage.test_forked import in_child
from tests.waiting import SECONDS_MAX, wait_for

from pillarbox.box import Box
from pillarbox.box import watcher as watcher_module
from pillarbox.box.bell import Bell
from pillarbox.box.watcher import Watcher
from pillarbox.views import Emission


@pytest.mark.parametrize("rung", [None, "a file"])
def test_who_cannot_look_is_asked_less_and_less_often(
    rung: str | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("bell") / "bell"
    path.touch()
    looks = 0

    def look() -> bool | None:
        nonlocal looks
        looks += 1
        return None

    watcher = Watcher(look, None if rung is None else str(path))
    begin = time.monotonic()
    watcher.start(lambda: True)
    wait_for(lambda: looks >= 12)
    watcher.stop()

    # 1 + 2 + 4 + 8 ms, then 10 each: a thread that commits meanwhile is not stopped every millisecond.
    assert time.monotonic() - begin > 0.075


def test_it_looks_when_it_has_begun_to_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a ring before that would not be followed until the next one."""
    done: list[str] = []
    looked = threading.Event()

    def look() -> bool:
        done.append("look")
        looked.set()
        return False

    monkeypatch.setattr(Bell, "listen", lambda bell, path: done.append(f"listen to {path}"))
    watcher = Watcher(look, "a file")
    watcher.start(lambda: True)
    assert looked.wait(SECONDS_MAX)
    watcher.stop()

    assert done[:2] == ["listen to a file", "look"]


def test_where_no_thread_can_be_had_there_is_none_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    watcher = Watcher(lambda: False)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        with pytest.raises(RuntimeError, match="can't start"):
            watcher.start(lambda: True)

    watcher.start(lambda: True)
    watcher.stop()


def test_a_look_under_way_ends_before_the_process_is_forked_and_others_follow() -> None:
    amid: list[int] = []
    looks = 0

    def look() -> bool:
        nonlocal looks
        amid.append(looks)
        time.sleep(0.02)
        amid.clear()
        looks += 1
        return True

    def child() -> None:
        assert not amid
        assert watcher.pause()

    watcher = Watcher(look)
    watcher.start(lambda: True)
    for _ in range(3):
        wait_for(lambda: bool(amid))
        in_child(child)
    seen = looks
    wait_for(lambda: looks > seen + 1)
    watcher.stop()


def test_a_fork_waits_for_no_look_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "_PAUSE_SECONDS", 0.01)
    begun, go = threading.Event(), threading.Event()

    def look() -> bool:
        begun.set()
        return go.wait(SECONDS_MAX)

    watcher = Watcher(look)
    watcher.start(lambda: True)
    begun.wait(SECONDS_MAX)
    in_child(lambda: None)
    go.set()
    watcher.stop()


@pytest.mark.parametrize("error", [SystemExit(1), asyncio.CancelledError()], ids=repr)
def test_a_callback_that_would_end_its_thread_ends_no_news(
    error: BaseException, filed: TrackerBox, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Any] = []
    seen: list[Any] = []

    def take(emission: Emission[Any]) -> None:
        told.append(emission.snapshot)
        if len(told) == 2:
            raise error

    filed.watch(One(1, 1)).listen(take)
    filed.watch(One(1, 1)).listen(lambda emission: seen.append(emission.snapshot.issue))
    with Box(path, PACKAGE) as other:
        for rank in (1, 2):
            other.replay([PutIssue(issue(1, 1, rank))])
            wait_for(lambda: len(seen) > rank)  # noqa: B023

    assert [snapshot.issue for snapshot in told] == seen == [None, issue(1, 1, 1), issue(1, 1, 2)]
    assert [type(record.exc_info[1]) for record in caplog.records if record.exc_info] == [type(error)]
