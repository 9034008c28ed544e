"""Which of several boxes at one file is the master, and who learns of it when."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue
from tests.waiting import wait_for

from pillarbox.box import Box
from pillarbox.errors import StoreFailed, StoreReadOnly


def commit(box: TrackerBox, number: int = 1) -> None:
    box.replay([PutIssue(issue(1, number))])


def test_a_box_becomes_master_with_its_next_commit_that_changes_something(box: TrackerBox) -> None:
    assert not box.is_master
    box.take_master()
    assert not box.is_master
    box.replay([])
    assert not box.is_master

    commit(box)

    assert box.is_master


def test_the_other_learns_of_its_loss_when_it_begins_a_transaction(filed: TrackerBox, path: Path) -> None:
    filed.take_master()
    commit(filed)
    with Box(path, PACKAGE) as other:
        assert other.client_id != filed.client_id
        other.take_master()
        commit(other, 2)
        assert other.is_master
        assert filed.is_master, "it has not looked"

        commit(filed, 3)

        assert not filed.is_master
        assert other.is_master


def test_a_box_that_is_to_be_master_always_takes_it_back(filed: TrackerBox, path: Path) -> None:
    filed.take_master(always=True)
    commit(filed)
    with Box(path, PACKAGE) as other:
        other.take_master()
        commit(other, 2)
        commit(filed, 3)
        assert filed.is_master

        commit(other, 4)
        assert not other.is_master


def test_who_listens_is_told_of_every_change_without_a_view(filed: TrackerBox, path: Path) -> None:
    told: list[bool] = []
    stop = filed.on_master(told.append)
    filed.take_master()
    commit(filed)
    assert told == [True]
    with Box(path, PACKAGE) as other:
        other.take_master()
        commit(other, 2)

        wait_for(lambda: told == [True, False])

        stop()
        filed.take_master()
        commit(filed, 3)
        assert told == [True, False]


def test_a_commit_that_fails_makes_no_master(filed: TrackerBox, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn() -> None:
        raise StoreFailed("a.box", "torn")

    filed.take_master()
    with monkeypatch.context() as patch:
        patch.setattr(filed._engine, "commit", torn)
        with pytest.raises(StoreFailed):
            commit(filed)
    assert not filed.is_master

    commit(filed)
    assert filed.is_master


def test_mastery_stays_with_the_box_it_was_given_to_and_not_with_the_file(path: Path) -> None:
    with Box(path, PACKAGE) as box:
        box.take_master()
        commit(box)
    with Box(path, PACKAGE) as again:
        commit(again, 2)
        assert not again.is_master


def test_who_may_only_read_cannot_be_master(filed: TrackerBox, path: Path) -> None:
    with (
        Box(path, PACKAGE, read_only=True) as reader,
        pytest.raises(StoreReadOnly, match="be its master; to write, open it without `read_only`"),
    ):
        reader.take_master()


def test_a_listener_that_fails_does_not_fail_the_commit(
    filed: TrackerBox, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(is_master: bool) -> None:
        raise ZeroDivisionError

    with filed.watch(Board(1)) as subscription:
        filed.on_master(fails)
        filed.take_master()

        commit(filed)

        assert subscription.latest.snapshot.issues == (issue(1, 1),)
    assert "a listener failed" in caplog.text
