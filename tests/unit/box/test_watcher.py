"""The thread that notices commits of other processes: how often it looks."""

from __future__ import annotations

import threading
import time

import pytest
from tests.waiting import SECONDS_MAX, wait_for

from pillarbox.box.bell import Bell
from pillarbox.box.watcher import Watcher


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
