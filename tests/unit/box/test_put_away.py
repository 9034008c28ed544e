"""A file that is moved, removed or replaced under an open box: who only watches hears of it."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest
from tests.unit.box.test_fetching import thread
from tests.unit.box.test_other_processes import put
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, TrackerBox
from tests.waiting import wait_for

import pillarbox_tracker
import pillarbox_tracker.box
from pillarbox.box import Box
from pillarbox.errors import StoreMissing


def put_away(path: Path, how: str) -> None:
    """Let something else lie there, or nothing, while it is open."""
    if how == "replaced":
        with Box(path.with_name("new.box"), PACKAGE) as new:
            put(new, 9)
        path.with_name("new.box").rename(path)
    elif how == "moved":
        path.rename(path.with_name("moved.box"))
    else:
        path.unlink()


@pytest.mark.parametrize("how", ["replaced", "moved", "removed"])
@pytest.mark.parametrize("read_only", [False, True])
def test_who_only_watches_hears_within_a_second_that_the_file_is_another(
    filed: TrackerBox, path: Path, how: str, read_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbox.storage.sqlite_file._STANDS_SECONDS", 0.1)
    ended: list[BaseException | None] = []
    put(filed, 1)
    with Box(path, PACKAGE, read_only=read_only) as box:
        box.watch(One(1, 1)).listen(lambda emission: None, ended=ended.append)
        read = box.watch(Board(1))
        read.__next__()

        put_away(path, how)

        with pytest.raises(StoreMissing, match=r"is not there any more: it was moved, removed or replaced"):
            next(read)
        wait_for(lambda: bool(ended))
        for look in (lambda: box.get(One(1, 1)), lambda: box.watch(One(1, 1)), box.poll):
            with pytest.raises(StoreMissing, match=r"was moved, removed or replaced; .*open the box again"):
                look()

    assert [type(error) for error in ended] == [StoreMissing]
    assert box.view_counters() == ()


def test_who_stops_looking_where_the_file_is_gone_is_not_troubled(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pillarbox_tracker.open_box(path) as box:
        wanting = [box.watch(thread(number)) for number in (7, 8)]
        box._watcher.stop()
        path.unlink()
        monkeypatch.setattr("pillarbox.storage.sqlite_file._STANDS_SECONDS", 0)

        wanting[0].close()

        with pytest.raises(StoreMissing):
            box.poll()
        assert wanting[1].closed


def test_a_watcher_says_what_it_cannot_follow_in_one_line(
    filed: TrackerBox, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With a traceback it would be a bug, and who listens is told of it anyway."""
    monkeypatch.setattr("pillarbox.storage.sqlite_file._STANDS_SECONDS", 0)
    with Box(path, PACKAGE) as box, caplog.at_level(logging.ERROR, "pillarbox"):
        box.watch(One(1, 1)).listen(lambda emission: None)
        path.unlink()
        wait_for(lambda: len(caplog.records) > 1)
        time.sleep(0.2)

    assert [record.exc_info or None for record in caplog.records] == [None, None]
    assert "a subscriber of a view failed: " in caplog.text
    assert "looking for commits of other processes failed: " in caplog.text
