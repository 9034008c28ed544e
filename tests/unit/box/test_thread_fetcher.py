"""Holes fetched on threads: what work meets that is cancelled, fails or comes too late."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from tests.unit.box.test_fetching import NAME, numbers, page, thread
from tests.waiting import SECONDS_MAX, wait_for

import pillarbox_tracker
from pillarbox.box import ThreadFetcher
from pillarbox.views import Hole
from pillarbox_tracker import views


def test_holes_are_filled_on_threads_while_others_look(nine_issues: pillarbox_tracker.Box) -> None:
    asked: list[Hole] = []

    def work(hole: Hole, cancelled: threading.Event) -> None:
        asked.append(hole)
        lower = max(hole.end, min(hole.start, 100) - 9)
        nine_issues.replay([page(lower, hole.start, hole.at[1])])

    fetcher = ThreadFetcher(work)
    with nine_issues.fetch(NAME, fetcher):
        looking = [nine_issues.watch(thread(number, count=20)) for number in (7, 8, 9)]
        wait_for(lambda: all(len(numbers(it.latest)) == 10 for it in looking))
        wait_for(lambda: not nine_issues.get(views.ToFetch()).comments)
    fetcher.close()

    assert len(asked) == len(set(asked)), "a hole was fetched twice"
    assert {hole.at[1] for hole in asked} == {7, 8, 9}


def test_work_that_was_cancelled_before_it_began_never_begins(nine_issues: pillarbox_tracker.Box) -> None:
    begun: list[int] = []
    go = threading.Event()

    def work(hole: Hole, cancelled: threading.Event) -> None:
        begun.append(hole.at[1])
        go.wait(SECONDS_MAX)

    fetcher = ThreadFetcher(work, threads=1)
    with nine_issues.fetch(NAME, fetcher):
        first, second = nine_issues.watch(thread(7)), nine_issues.watch(thread(8))
        wait_for(lambda: begun == [7])
        second.close()
        first.close()
        go.set()
    fetcher.close()

    assert begun == [7]


def test_work_that_ends_its_thread_is_reported(
    nine_issues: pillarbox_tracker.Box, caplog: pytest.LogCaptureFixture
) -> None:
    def work(hole: Hole, cancelled: threading.Event) -> None:
        raise SystemExit

    with (
        closing(ThreadFetcher(work)) as fetcher,
        nine_issues.watch(thread()),
        nine_issues.fetch(NAME, fetcher),
    ):
        wait_for(lambda: caplog.messages)

    assert "fetching failed, and is left" in caplog.text


def test_work_that_comes_too_late_for_a_box_that_was_closed_is_no_failure(
    nine_issues: pillarbox_tracker.Box, caplog: pytest.LogCaptureFixture
) -> None:
    begun = threading.Event()

    def work(hole: Hole, cancelled: threading.Event) -> None:
        begun.set()
        assert cancelled.wait(SECONDS_MAX)
        wait_for(lambda: closed)
        nine_issues.replay([page(1, hole.start, hole.at[1])])

    closed: list[bool] = []
    with closing(ThreadFetcher(work)) as fetcher:
        nine_issues.watch(thread())
        nine_issues.fetch(NAME, fetcher)
        wait_for(begun.is_set)
        nine_issues.close()
        closed.append(True)

    assert not caplog.messages
