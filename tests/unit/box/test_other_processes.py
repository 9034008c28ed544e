"""Boxes on the same file: what each sees of the commits and upgrades of the others."""

from __future__ import annotations

import json
import logging
import time
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.unit.box.test_fetching import thread
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    PACKAGE,
    Board,
    One,
    PutIssue,
    TrackerBox,
    issue,
    layout_tree,
    package,
)
from tests.waiting import SECONDS_MAX, wait_for

import pillarbox_tracker
import pillarbox_tracker.box
from pillarbox.box import Box
from pillarbox.box.opening import LAYOUT, LAYOUT_HASH
from pillarbox.box.others import Others
from pillarbox.box.rounds import Rounds
from pillarbox.errors import DataError, LayoutConflict, StoreFull
from pillarbox.storage import Engine, open_engine
from pillarbox.storage.journal import Journal
from pillarbox.storage.presence import Presence
from pillarbox.views import Tracker
from pillarbox.views import round as views_round


def put(box: TrackerBox, number: int, rank: int = 0) -> None:
    box.replay([PutIssue(issue(1, number, rank))])


def test_polling_refreshes_after_the_commit_of_another_box(filed: TrackerBox, path: Path) -> None:
    filed._watcher.stop()  # by hand, for once
    subscription = filed.watch(Board(1))
    with Box(path, PACKAGE) as other:
        put(other, 1, 5)

        assert filed.poll()
        assert not filed.poll()

    assert subscription.latest.snapshot.issues == (issue(1, 1, 5),)


def test_a_transaction_that_fails_still_tells_what_it_met(filed: TrackerBox, path: Path) -> None:
    filed._watcher.stop()
    subscription = filed.watch(One(1, 1))
    with Box(path, PACKAGE) as other:
        put(other, 1, 5)

    with pytest.raises(ZeroDivisionError):
        filed.transact(lambda tx: 1 // 0)

    assert subscription.latest.snapshot.issue == issue(1, 1, 5)


def test_a_view_that_is_watched_later_shows_the_last_commit_of_everybody(
    filed: TrackerBox, path: Path
) -> None:
    filed._watcher.stop()
    early = filed.watch(One(1, 1))
    with Box(path, PACKAGE) as other:
        put(other, 1, 5)

    late = filed.watch(Board(1))

    assert late.latest.snapshot.newest == t.Newest(1, 5, 1)
    assert early.latest.snapshot.issue == issue(1, 1, 5)


def test_a_box_opened_read_only_follows_the_writer(filed: TrackerBox, path: Path) -> None:
    with Box(path, PACKAGE, read_only=True) as reader:
        subscription = reader.watch(One(1, 1))
        put(filed, 1, 5)

        wait_for(lambda: subscription.latest.snapshot.issue is not None)

    assert subscription.latest.snapshot.issue == issue(1, 1, 5)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_box_that_was_upgraded_under_another_is_not_misread(
    filed: TrackerBox, path: Path, read_only: bool, caplog: pytest.LogCaptureFixture
) -> None:
    tree = layout_tree()
    tree["tables"]["18"]["fields"].append({"number": 1, "name": "new", "type": "int64", "default": 0})
    with Box(path, PACKAGE, read_only=read_only) as left_behind, caplog.at_level(logging.ERROR, "pillarbox"):
        left_behind.watch(One(1, 1))
        with Box(path, package(tree)):
            pass

        for _ in range(2):
            with pytest.raises(LayoutConflict, match="another process has upgraded the box"):
                left_behind.get(One(1, 1))
            with pytest.raises(LayoutConflict), left_behind.reading():
                pytest.fail("the tables could be read")
        with pytest.raises(LayoutConflict, match="another process has upgraded the box"):
            poll_for_ever(left_behind)
        if not read_only:
            with pytest.raises(LayoutConflict):
                left_behind.replay([])
        time.sleep(0.1)

    assert caplog.text.count("looking for commits of other processes failed") <= 1


@pytest.mark.parametrize("layout", [b"{", b"[]", b"\xff", b'{"format": 1}'])
def test_a_layout_that_is_damaged_while_the_box_is_open_is_told_as_that(
    filed: TrackerBox, path: Path, layout: bytes
) -> None:
    engine = open_engine(str(path), durability="relaxed")
    engine.begin()
    engine.set_meta(LAYOUT, layout)
    engine.set_meta(LAYOUT_HASH, b"damaged")
    engine.commit()
    engine.close()

    for _ in range(2):
        with pytest.raises(DataError, match=r"the stored layout cannot be read .* restore the file"):
            filed.get(One(1, 1))
        with pytest.raises(DataError, match="the stored layout cannot be read"):
            filed.replay([])


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("moment", [1, 2])
def test_a_box_that_is_upgraded_while_another_opens_it_is_not_misread(
    path: Path, moment: int, read_only: bool
) -> None:
    tree = layout_tree()
    tree["tables"]["18"]["fields"].append({"number": 1, "name": "new", "type": "int64", "default": 0})
    with Box(path, PACKAGE) as box:
        put(box, 1, 1)
    made = count(1)

    def tables(engine: Engine) -> Any:
        if next(made) == moment:  # of the two connections of the box
            Box(path, package(tree)).close()
        return PACKAGE.tables(engine)

    with pytest.raises(LayoutConflict, match="another process has upgraded the box"):
        Box(path, replace(PACKAGE, tables=tables), read_only=read_only)


def test_subscriptions_of_a_process_left_behind_end_with_the_reason(
    filed: TrackerBox, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tree = layout_tree()
    tree["tables"]["18"]["fields"].append({"number": 1, "name": "new", "type": "int64", "default": 0})
    ended: list[BaseException | None] = []
    with Box(path, PACKAGE) as left_behind:
        listened, read = left_behind.watch(One(1, 1)), left_behind.watch(One(1, 2))
        listened.listen(lambda emission: None, ended=ended.append)
        left_behind.watch(One(1, 1)).listen(lambda emission: None)  # it has no `ended`: it is told in the log
        read.__next__()
        with Box(path, package(tree)):
            pass

        with pytest.raises(LayoutConflict, match="another process has upgraded the box"):
            next(read)
        wait_for(lambda: bool(ended))

    assert [type(error) for error in ended] == [LayoutConflict]
    assert str(ended[0]).endswith("Restart with the package of that process")
    assert "a subscriber of a view failed: " in caplog.text
    assert not any(record.exc_info for record in caplog.records)
    assert left_behind.view_counters() == ()


@pytest.mark.parametrize("first", ["the watcher", "a poll", "who closes"])
def test_who_wants_holes_fetched_is_told_too_that_it_was_left_behind(path: Path, first: str) -> None:
    tree = json.loads(pillarbox_tracker.box.PACKAGE.layout)
    tree["tables"]["1"]["fields"].append({"number": 99, "name": "new", "type": "int64", "default": 0})
    newer = replace(pillarbox_tracker.box.PACKAGE, layout=json.dumps(tree), layout_hash="newer")
    ended: list[BaseException | None] = []
    with pillarbox_tracker.open_box(path) as left_behind:
        wanting = [left_behind.watch(thread(number)) for number in (7, 8, 9)]
        for subscription in wanting:
            subscription.listen(lambda emission: None, ended=ended.append)
        if first != "the watcher":
            left_behind._watcher.stop()
        with Box(path, newer):
            pass

        if first == "a poll":
            with pytest.raises(LayoutConflict):
                left_behind.poll()
        elif first == "who closes":
            wanting[1].close()
        wait_for(lambda: len(ended) == 3)

    assert [type(error) for error in ended].count(LayoutConflict) == (2 if first == "who closes" else 3)
    assert left_behind.view_counters() == ()


@pytest.mark.parametrize("how", ["replay", "refresh_all"])
@pytest.mark.parametrize("together", [False, True])
def test_what_was_met_is_told_though_who_met_it_was_interrupted(
    filed: TrackerBox, path: Path, how: str, together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed._watcher.stop()
    heard: list[Any] = []
    one: Any = filed.watch_all(One(1, 1), Board(1)) if together else filed.watch(One(1, 1))
    one.listen(heard.append)
    real = getattr(Tracker, how)

    def interrupted(tracker: Tracker, told: Any) -> None:
        real(tracker, told)
        raise KeyboardInterrupt

    with Box(path, PACKAGE) as other:
        put(other, 1, 5)
        filed._others._is_certain = how == "replay"
        with monkeypatch.context() as patch:
            patch.setattr(Tracker, how, interrupted)
            with pytest.raises(KeyboardInterrupt):
                filed.poll()
        assert len(heard) == 1

        assert filed.poll()
        assert not filed.poll()

    assert len(heard) == 2
    shown = heard[-1].snapshot[0] if together else heard[-1].snapshot
    assert shown.issue == issue(1, 1, 5)
    assert heard[-1].parts
    assert heard[-1].keys is None


def test_what_others_wrote_as_an_interrupted_commit_would_have_is_told(
    filed: TrackerBox, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed._watcher.stop()
    heard: list[Any] = []
    filed.watch(One(1, 1)).listen(heard.append)
    real = Tracker.replay

    def interrupted(tracker: Tracker, record: Any) -> None:
        real(tracker, record)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Tracker, "replay", interrupted)
        with pytest.raises(KeyboardInterrupt):
            put(filed, 1, 5)
    with Box(path, PACKAGE) as other:
        put(other, 1, 5)
        assert filed.poll()

    assert heard[-1].snapshot.issue == issue(1, 1, 5)


@pytest.mark.parametrize("place", [(Rounds, "add"), (Others, "landed")])
@pytest.mark.parametrize("first", [False, True])
def test_what_is_about_to_wait_for_being_told_is_not_lost_by_an_interrupt(
    filed: TrackerBox, path: Path, place: tuple[type, str], first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed._watcher.stop()
    heard: list[Any] = []
    filed.watch(One(1, 1)).listen(heard.append)
    real = getattr(*place)

    def interrupted(*given: Any, **named: Any) -> None:
        if not first:
            real(*given, **named)
        raise KeyboardInterrupt

    for rank in (5, 6):  # own, and that of another
        with Box(path, PACKAGE) as other, monkeypatch.context() as patch:
            if rank == 6:
                put(other, 1, rank)
            patch.setattr(*place, interrupted)
            with suppress(KeyboardInterrupt):
                put(filed, 1, rank) if rank == 5 else filed.poll()
        filed.poll()
        assert heard[-1].snapshot.issue == issue(1, 1, rank)


def test_nobody_hears_of_a_commit_that_could_not_be_told_of(
    filed: TrackerBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Any] = []
    filed.watch(One(1, 1)).listen(heard.append)

    def full(_journal: Journal, _entry: bytes) -> int:
        raise StoreFull("a.box")

    with monkeypatch.context() as patch:
        patch.setattr(Presence, "somebody_listens", lambda presence: True)
        patch.setattr(Journal, "append", full)
        with pytest.raises(StoreFull):
            put(filed, 1, 5)
    filed.poll()
    assert len(heard) == 1


def test_what_cannot_be_told_after_an_interrupt_ends_alone(
    filed: TrackerBox, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filed._watcher.stop()
    heard: list[Any] = []
    ended: list[BaseException | None] = []

    def make(given: tuple[Any, ...]) -> int:
        if given[0].issue == issue(1, 1, 5):
            raise ValueError("no such rank")
        return 1

    def interrupted(*_given: Any) -> None:
        raise KeyboardInterrupt

    filed.watch(One(1, 1)).listen(heard.append)
    filed.watch_over("rank", [One(1, 1)], make).listen(lambda emission: None, ended=ended.append)
    with Box(path, PACKAGE) as other:
        put(other, 1, 5)
    with monkeypatch.context() as patch:
        patch.setattr(views_round, "_replay_followers", interrupted)
        with pytest.raises(KeyboardInterrupt):
            filed.poll()

    filed.poll()

    assert [str(error) for error in ended] == ["no such rank"]
    assert heard[-1].snapshot.issue == issue(1, 1, 5)
    put(filed, 1, 7)
    assert heard[-1].snapshot.issue == issue(1, 1, 7)


def poll_for_ever(box: TrackerBox) -> None:
    """One poll alone may come while the box's own thread looks, and then leaves it to that."""
    last = time.monotonic() + SECONDS_MAX
    while time.monotonic() < last:
        box.poll()


def test_a_package_that_differs_in_names_only_may_open_the_box_meanwhile(
    filed: TrackerBox, path: Path
) -> None:
    tree = layout_tree()
    tree["tables"]["1"]["name"] = "tickets"
    with Box(path, package(tree)) as other:
        put(other, 1, 5)
        put(filed, 2, 6)
        put(other, 3, 7)

        assert [row.number for row in filed.get(Board(1)).issues] == [3, 2, 1]


def test_only_a_commit_that_changes_something_is_one_to_the_others(filed: TrackerBox, path: Path) -> None:
    """P-1: an empty transaction counts for nothing, each other for one."""
    filed._watcher.stop()
    with Box(path, PACKAGE) as other:
        put(other, 1, 5)
        assert filed.poll()

        other.replay([])
        put(other, 1, 5)  # as it is already
        assert not filed.poll()

        put(other, 1, 6)
        assert filed.poll()
