"""`Box.apply` gives back what a commit did; `take_master(now=True)` and `on_others` for who keeps in step."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue
from tests.unit.runtime.tracker_tables import TrackerTransaction
from tests.waiting import wait_for

from pillarbox.box import Box, Commit
from pillarbox.errors import StoreMissing


def test_what_was_published_comes_back_with_what_the_work_returned(box: TrackerBox) -> None:
    told: list[object] = []
    box.on_event(told.append)

    def work(tx: TrackerTransaction) -> str:
        tx.issues.put(issue(1, 7))
        tx.emit("one")
        tx.emit("two")
        return "done"

    applied = box.apply(work)

    assert (applied.changed, applied.events, applied.result) == (True, ("one", "two"), "done")
    assert told == ["one", "two"]


def test_after_an_exception_nothing_of_the_work_is_there(box: TrackerBox) -> None:
    def work(tx: TrackerTransaction) -> None:
        tx.issues.put(issue(1, 7))
        tx.emit("one")
        raise ValueError("half way")

    told: list[object] = []
    box.on_event(told.append)
    with pytest.raises(ValueError, match="half way"):
        box.apply(work)

    with box.transaction() as tx:
        assert tx.issues.get(1, 7) is None
    assert told == []


def test_a_replay_is_work_that_replays(box: TrackerBox) -> None:
    assert box.replay([PutIssue(issue(1, 7))]) == Commit(True, ())
    assert box.replay([PutIssue(issue(1, 7))]) == Commit(False, ())


def test_who_takes_it_now_is_master_without_changing_anything(filed: TrackerBox, path: Path) -> None:
    filed.take_master(now=True)
    assert filed.is_master

    with Box(path, PACKAGE) as other:
        assert not other.is_master
        other.take_master(now=True)
        assert other.is_master
        assert filed.is_master, "it has not looked"

        filed.take_master(now=True)

        assert filed.is_master
        other.replay([PutIssue(issue(1, 1))])
        assert not other.is_master, "it was taken for good, not for one commit"


def test_taking_it_now_does_not_load_the_views_of_others_anew(filed: TrackerBox, path: Path) -> None:
    filed.replay([PutIssue(issue(1, 1))])
    with Box(path, PACKAGE) as other, other.watch(Board(1)) as board:
        filed.replay([PutIssue(issue(1, 2))])
        wait_for(lambda: other.met.replays + other.met.refreshes > 0)
        refreshes = other.met.refreshes
        filed.take_master(now=True)
        filed.replay([PutIssue(issue(1, 3))])

        wait_for(lambda: board.latest is not None and board.latest.snapshot == other.get(Board(1)))

        assert other.met.refreshes == refreshes


def test_who_asks_for_it_is_told_of_commits_of_others_without_a_view(filed: TrackerBox, path: Path) -> None:
    told: list[int] = []
    stop = filed.on_others(lambda: told.append(1))
    filed.replay([PutIssue(issue(1, 1))])
    assert told == []
    with Box(path, PACKAGE) as other:
        other.replay([PutIssue(issue(1, 2))])
        wait_for(lambda: bool(told))

        stop()
        count = len(told)
        other.replay([PutIssue(issue(1, 3))])
        filed.poll()

        assert len(told) == count


def test_who_asks_for_it_is_told_once_that_no_commit_can_be_met_any_more(
    filed: TrackerBox, path: Path
) -> None:
    told: list[BaseException] = []
    heard: list[BaseException] = []
    filed.on_others(lambda: None, ended=told.append)
    filed.on_others(lambda: None, ended=heard.append)()
    path.rename(path.with_name("elsewhere"))

    wait_for(lambda: bool(told))

    for _ in range(3):
        with pytest.raises(StoreMissing):
            filed.poll()
    assert [type(error) for error in told] == [StoreMissing]
    assert heard == []


def test_a_listener_for_others_that_fails_hinders_nobody(
    filed: TrackerBox, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[int] = []

    def fail() -> None:
        raise ValueError("out of order")

    filed.on_others(fail)
    filed.on_others(lambda: told.append(1))
    with Box(path, PACKAGE) as other:
        other.replay([PutIssue(issue(1, 2))])

        wait_for(lambda: bool(told))

    assert "a listener failed that was told of commits" in caplog.text
