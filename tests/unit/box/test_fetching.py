"""What live windows miss, fetched: in a whole box, on threads, with windows that come, move and go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import pillarbox_tracker
from pillarbox.box import Fetcher
from pillarbox.box import box as box_module
from pillarbox.errors import UsageError
from pillarbox.views import Emission, Hole, WantedHoles, Why
from pillarbox_tracker import operations as o
from pillarbox_tracker import views
from pillarbox_tracker.keys import CommentsKey
from pillarbox_tracker.types import CommentRef, Comments, ProjectId, Projects, Start, UserId

PROJECT = ProjectId(2)
NAME = "comments_to_fetch"


@pytest.fixture
def box() -> Iterator[pillarbox_tracker.Box]:
    """With nine issues."""
    with pillarbox_tracker.open_box(":memory:") as opened:
        opened.replay([o.PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        opened.replay([o.OpenIssue(PROJECT, f"issue {number}", UserId(1), 100) for number in range(1, 10)])
        yield opened


def thread(number: int = 7, comment: int | None = None, count: int = 3) -> views.Thread:
    return views.Thread(
        project_id=PROJECT, number=number, comment=comment, start=Start.NEWEST, count=count, whole=False
    )


def page(lower: int, upper: int, number: int = 7) -> o.FillComments:
    """What a server that has a comment at each multiple of ten says."""
    comments = tuple(
        Comments(
            project_id=PROJECT,
            number=number,
            comment=n,
            posted_at=n,
            author_id=UserId(1),
            body=f"line {n}",
        )
        for n in range(lower, min(upper, 100) + 1)
        if n % 10 == 0
    )
    return o.FillComments(project_id=PROJECT, number=number, comments=comments, lower=lower, upper=upper)


class Log:
    """A fetcher that waits to be told what came."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Hole]] = []

    def start(self, hole: Hole, /) -> None:
        self.told.append(("start", hole))

    def cancel(self, hole: Hole, /) -> None:
        self.told.append(("cancel", hole))

    def take(self) -> list[tuple[str, Any, Any]]:
        told, self.told = self.told, []
        return [(what, hole.start, hole.end) for what, hole in told]


def numbers(emission: Emission[Any]) -> list[int]:
    return [entry.row.comment for entry in emission.snapshot.comments.entries]


def test_filling_a_hole_is_one_emission_in_which_the_window_grows(box: pillarbox_tracker.Box) -> None:
    log = Log()
    heard: list[Emission[views.ThreadSnapshot]] = []
    with box.fetch(NAME, log):
        box.watch(thread()).listen(heard.append)
        [(what, newest, oldest)] = log.take()
        assert what == "start"
        assert newest > oldest, "downwards from the newest"
        assert heard[0].snapshot.comments.loading

        box.replay([page(95, newest)])
        first = log.take()
        box.replay([page(65, 94)])
        second = log.take()

    assert [it.why for it in heard] == [Why.INITIAL, Why.FILL_HOLE, Why.FILL_HOLE]
    assert list(map(numbers, heard)) == [[], [100], [80, 90, 100]]
    assert heard[1].keys is not None
    assert heard[1].keys["comments"] == (CommentsKey(PROJECT, 7, 100, 100),)
    assert repr(heard[1]).endswith(f"touched={heard[1].keys})")
    assert [what for what, _, _ in first] == ["cancel", "start"]
    assert first[1][1] == 94
    assert [what for what, _, _ in second] == ["cancel"], "three are enough: nothing more is wanted"
    assert box.get(views.ToFetch()).comments == frozenset()


def test_closing_the_box_cancels_what_is_being_fetched() -> None:
    log = Log()
    box = pillarbox_tracker.open_box(":memory:")
    box.replay([o.PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
    box.replay([o.OpenIssue(PROJECT, "one", UserId(1), 100)])
    box.watch(thread(1))
    fetching = box.fetch(NAME, log)

    box.close()

    assert [what for what, _, _ in log.take()] == ["start", "cancel"]
    assert not fetching.started


def test_what_is_wanted_follows_those_who_look(box: pillarbox_tracker.Box) -> None:
    log = Log()
    wanted = box.watch(views.ToFetch(), every=True)
    fetching = box.fetch(NAME, log)
    seven, twin, eight = box.watch(thread(7)), box.watch(thread(7)), box.watch(thread(8))

    twin.close()
    seven.move(thread(8))
    eight.close()
    seven.close()
    fetching.close()
    wanted.close()

    assert [(what, hole.at[1]) for what, hole in log.told] == [
        ("start", 7),
        ("start", 8),
        ("cancel", 7),
        ("cancel", 8),
    ]
    assert box.view_counters() == ()


def test_a_name_that_no_view_wants_is_refused_with_those_that_are(box: pillarbox_tracker.Box) -> None:
    with pytest.raises(
        UsageError, match=r"'comments'.*'audit_to_fetch', 'comments_to_fetch', 'issues_to_fetch'"
    ):
        box.fetch("comments", Log())
    with pytest.raises(UsageError, match=r"'comments'.*'audit_to_fetch'"):
        box.watch(WantedHoles("comments"))
    with pytest.raises(UsageError, match=r"'comments'.*'audit_to_fetch'"):
        box.get(WantedHoles("comments"))


def test_a_fetcher_that_joins_late_is_told_of_all_and_cancelled_last(
    box: pillarbox_tracker.Box,
) -> None:
    box.watch(thread(7))
    box.watch(thread(8))
    log: Any = Log()

    with box.fetch(NAME, log) as fetching:
        assert len(fetching.started) == 2
    with box.fetch("audit_to_fetch", log):
        pass

    assert sorted(what for what, _ in log.told) == ["cancel", "cancel", "start", "start"]


def test_a_fetcher_that_fails_is_reported_and_told_of_the_rest(
    box: pillarbox_tracker.Box, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Log):
        def start(self, hole: Hole, /) -> None:
            super().start(hole)
            raise ValueError("no network")

    broken: Fetcher = Broken()
    for number in (7, 8):
        box.watch(thread(number))

    with box.fetch(NAME, broken) as fetching:
        assert len(fetching.started) == 2

    assert caplog.text.count("a fetcher failed") == 2


def test_closing_in_a_transaction_and_in_a_callback_settles_afterwards(
    box: pillarbox_tracker.Box,
) -> None:
    log: Any = Log()
    with box.fetch(NAME, log):
        seven, eight = box.watch(thread(7)), box.watch(thread(8))
        with box.transaction():
            seven.close()
            assert [what for what, _ in log.told] == ["start", "start"]
        assert [(what, hole.at[1]) for what, hole in log.told][2:] == [("cancel", 7)]
        box.watch(views.Withdrawn(PROJECT)).listen(lambda _: eight.close())
    assert [(what, hole.at[1]) for what, hole in log.told][3:] == [("cancel", 8)]


def test_closing_while_the_log_is_moved_settles_afterwards(
    box: pillarbox_tracker.Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is held for that as well, and no commit needs to follow."""
    log: Any = Log()
    with box.fetch(NAME, log):
        seven = box.watch(thread(7))
        with monkeypatch.context() as patch:
            patch.setattr(box_module, "_CHECKPOINT_BYTES", -1)
            patch.setattr(box._engine, "checkpoint", seven.close)
            box.replay([o.PutProjects((Projects(PROJECT, "Zwei", "two", UserId(1)),))])

        assert [what for what, _ in log.told] == ["start", "cancel"]


def test_moving_is_refused_inside_a_transaction(box: pillarbox_tracker.Box) -> None:
    looking = box.watch(thread(7))

    with box.transaction(), pytest.raises(UsageError, match="inside a transaction"):
        looking.move(thread(8))

    assert looking.key == thread(7)


def test_an_async_reader_goes_on_with_the_other_key(box: pillarbox_tracker.Box) -> None:
    async def read() -> list[Any]:
        found = []
        async with asyncio.timeout(5):
            with box.watch(thread(7), every=True) as looking:
                await looking.move_async(thread(8))
                async for emission in looking:
                    found.append((emission.why, emission.snapshot.comments.hole.at[1]))  # type: ignore[union-attr]
                    if len(found) == 2:
                        break
        return found

    assert asyncio.run(read()) == [(Why.INITIAL, 7), (Why.UPDATE_VISIBLE, 8)]


def test_a_box_that_closes_takes_its_fetchers_along(box: pillarbox_tracker.Box) -> None:
    log: Any = Log()
    box.watch(thread(7))
    fetching = box.fetch(NAME, log)

    box.close()
    fetching.close()

    assert [what for what, _ in log.told] == ["start", "cancel"]


def test_changes_are_told_once_and_held_values_stay(box: pillarbox_tracker.Box) -> None:
    box.replay([page(60, 100)])
    told: list[Any] = []
    box.watch(views.Withdrawn(PROJECT)).listen(
        lambda it: told.append([r.comment for r in it.snapshot.comments])
    )
    visit = box.watch(views.Visit(PROJECT, 7, 10))
    opened = visit.latest.snapshot.opened

    box.replay([o.RemoveComments((_ref(70), _ref(90)))])
    box.replay([page(1, 59)])
    box.replay([o.RemoveComments((_ref(10),))])

    assert told == [[], [70, 90], [10]]
    assert box.get(views.Withdrawn(PROJECT)).comments == ()
    assert visit.latest.snapshot.opened is opened


def test_counters_tell_what_views_did(box: pillarbox_tracker.Box) -> None:
    box.watch(thread(7))
    box.watch(thread(7))

    box.replay([page(95, 2147483647)])
    box.replay([page(95, 2147483647, number=8)])
    box.replay([o.EditComment(_ref(100), "line 100", 100)])

    [counters] = box.view_counters()
    assert counters.key == thread(7)
    assert (counters.subscriptions, counters.emitted, counters.refreshed) == (2, 2, 0)
    assert 0 < counters.seconds < 1


def _ref(comment: int, number: int = 7) -> CommentRef:
    return CommentRef(project_id=PROJECT, number=number, comment=comment)


class Leaving(Log):
    """Does something as it is first told to start."""

    def __init__(self, then: Callable[[], object]) -> None:
        super().__init__()
        self._then: Callable[[], object] | None = then

    def start(self, hole: Hole, /) -> None:
        super().start(hole)
        then, self._then = self._then, None
        if then is not None:
            then()


def interrupt() -> None:
    raise KeyboardInterrupt


def test_a_fetcher_that_closes_as_it_is_told_is_told_nothing_more(box: pillarbox_tracker.Box) -> None:
    leaving = Leaving(lambda: fetching.close())
    fetching = box.fetch(NAME, leaving)

    box.watch_all(thread(7), thread(8))

    assert [(what, hole.at[1]) for what, hole in leaving.told] == [("start", 7), ("cancel", 7)]


def test_what_an_interrupt_keeps_from_being_fetched_is_fetched_with_the_next_difference(
    box: pillarbox_tracker.Box,
) -> None:
    told = Leaving(interrupt)
    box.watch_all(thread(7), thread(8))
    box.replay([page(65, 2147483647, number) for number in (7, 8)])
    with box.fetch(NAME, told):
        assert not told.told, "both have all that they show"
        with pytest.raises(KeyboardInterrupt):
            box.replay([o.RemoveComments((_ref(100, 7), _ref(100, 8)))])

        box.watch(thread(9))

        assert [(what, hole.at[1]) for what, hole in told.told] == [("start", 7), ("start", 8), ("start", 9)]


def test_what_an_interrupted_watch_wanted_is_fetched_no_more(box: pillarbox_tracker.Box) -> None:
    told = Leaving(interrupt)
    with box.fetch(NAME, told):
        with pytest.raises(KeyboardInterrupt):
            box.watch_all(thread(7), thread(8))

        assert [(what, hole.at[1]) for what, hole in told.told] == [("start", 7), ("cancel", 7)]
        assert not box.get(views.ToFetch()).comments


@pytest.mark.parametrize("fetcher", [None, lambda hole: None, object()])
def test_what_cannot_be_told_of_a_hole_is_no_fetcher(box: pillarbox_tracker.Box, fetcher: Any) -> None:
    with pytest.raises(
        UsageError, match=r"no fetcher, which has `start` and `cancel`.*ThreadFetcher\(work\)"
    ):
        box.fetch(NAME, fetcher)


def test_who_is_interrupted_as_fetching_begins_leaves_nothing_that_wants(box: pillarbox_tracker.Box) -> None:
    class Interrupted(Log):
        def start(self, hole: Hole, /) -> None:
            super().start(hole)
            raise KeyboardInterrupt

    log = Interrupted()
    with box.watch(thread()) as window:
        with pytest.raises(KeyboardInterrupt):
            box.fetch(NAME, log)

        assert [counters.key for counters in box.view_counters()] == [window.key]
    assert [what for what, _ in log.told] == ["start", "cancel"]
