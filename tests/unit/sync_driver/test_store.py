"""One read or write transaction for each plan and draft: all of it, or an input that says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue

from pillarbox.box import Box
from pillarbox.errors import BoxClosed, LayoutConflict, StoreFull, StoreMissing
from pillarbox.sync.signals import (
    Commit,
    CommitFailed,
    Committed,
    Facts,
    Id,
    Load,
    Loaded,
    Stale,
)
from pillarbox.sync.store import Store

ID = Id("queue", 4)
PROTOCOL: Any = "the protocol"


class Plan:
    """Reads by a function."""

    def __init__(self, read: Callable[[Any], object]) -> None:
        self._read = read

    def read(self, tables: Any, protocol: Any, /) -> object:
        """As `ReadPlan.read`."""
        assert protocol is PROTOCOL
        return self._read(tables)


class Writes:
    """Writes by a function."""

    def __init__(self, write: Callable[[Any], object]) -> None:
        self._write = write

    def apply(self, tx: Any, protocol: Any, /) -> object:
        """As `Draft.apply`."""
        assert protocol is PROTOCOL
        return self._write(tx)


@pytest.fixture
def box() -> Iterator[TrackerBox]:
    with Box(":memory:", PACKAGE) as opened:
        yield opened


def run(box: TrackerBox, work: Callable[[Any], object]) -> Loaded | Committed | CommitFailed:
    return Store(box, PROTOCOL).run(Commit(ID, Writes(work)))(7)


def test_a_plan_reads_the_last_commit(box: TrackerBox) -> None:
    box.replay([PutIssue(issue(1, 3))])

    outcome = Store(box, PROTOCOL).run(Load(ID, Plan(lambda tables: len(tables.by_id()))))

    assert outcome(7) == Loaded(7, ID, len(PACKAGE.specs))


def test_inside_a_reading_of_the_same_thread_nothing_is_read(box: TrackerBox) -> None:
    """Who shares a thread with the program would see an older commit, and ask the server without end."""
    load = Load(ID, Plan(lambda tables: len(tables.by_id())))
    with ThreadPoolExecutor() as pool:
        with box.reading():
            refused = Store(box, PROTOCOL).run(load)(7)
            elsewhere = pool.submit(Store(box, PROTOCOL).run, load)
        outcome = elsewhere.result()(7)

    assert isinstance(refused, CommitFailed)
    assert not refused.stale
    assert "inside a `reading` block" in refused.reason
    assert isinstance(outcome, Loaded)


def test_a_draft_is_one_commit_and_its_events_and_result_come_back(box: TrackerBox) -> None:
    """A-14: events are known only with the commit."""

    def write(tx: Any) -> str:
        tx.issues.put(issue(1, 3))
        tx.emit("put")
        return "result"

    assert run(box, write) == Committed(7, ID, Facts(("put",), "result"))
    assert len(box.get(Board(1)).issues) == 1


@pytest.mark.parametrize(
    ("error", "stale", "reason"),
    [
        (Stale("cursor 3 stands at 5"), True, "cursor 3 stands at 5"),
        (Stale(), True, "what it was built on has changed"),
        (ZeroDivisionError("by zero"), False, "ZeroDivisionError: by zero"),
        (StoreFull("a.box"), False, "StoreFull: a.box: the disk"),
    ],
)
def test_after_an_error_nothing_of_a_draft_is_written(
    box: TrackerBox, error: Exception, stale: bool, reason: str
) -> None:
    """A-11: any exception rolls the transaction back. 6.5: what is stale is built anew."""
    told: list[object] = []
    box.on_event(told.append)

    def write(tx: Any) -> None:
        tx.issues.put(issue(1, 3))
        tx.emit("put")
        raise error

    outcome = run(box, write)

    assert isinstance(outcome, CommitFailed)
    assert (outcome.now, outcome.id, outcome.stale) == (7, ID, stale)
    assert outcome.ill == isinstance(error, StoreFull)
    assert outcome.reason.startswith(reason)
    assert not box.get(Board(1)).issues
    assert told == []


def test_a_plan_that_fails_is_told_as_well(box: TrackerBox) -> None:
    outcome = Store(box, PROTOCOL).run(Load(ID, Plan(lambda tables: 1 // 0)))(7)

    assert isinstance(outcome, CommitFailed)
    assert not outcome.stale


def test_errors_but_not_staleness_are_reported(box: TrackerBox, caplog: pytest.LogCaptureFixture) -> None:
    def stale(_: Any) -> None:
        raise Stale

    run(box, stale)
    assert caplog.text == ""

    run(box, lambda tx: 1 // 0)

    assert "A-11: Commit" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_disk_that_does_not_do_it_is_told_to_the_machine_alone(
    box: TrackerBox, caplog: pytest.LogCaptureFixture
) -> None:
    """A-11: it tries again for as long as the disk is full, and logs that each time; where is of no use."""

    def full(_: Any) -> None:
        raise StoreFull("a.box")

    outcome = run(box, full)

    assert isinstance(outcome, CommitFailed)
    assert outcome.reason.startswith("StoreFull: ")
    assert caplog.text == ""


def test_a_box_that_is_closed_is_an_error_of_the_program(box: TrackerBox) -> None:
    box.close()

    with pytest.raises(BoxClosed):
        run(box, lambda tx: None)


@pytest.mark.parametrize(
    "error", [StoreMissing("a.box", "it was moved"), LayoutConflict("a.box", ["it was upgraded"])]
)
def test_so_is_one_that_nobody_here_can_use_any_more(
    box: TrackerBox, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Any) -> None:
        raise error

    with pytest.raises(type(error)):
        run(box, fail)
    with pytest.raises(type(error)):
        Store(box, PROTOCOL).run(Load(ID, Plan(fail)))

    assert caplog.text == ""
