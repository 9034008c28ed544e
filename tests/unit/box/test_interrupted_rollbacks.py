"""Law: whenever a write that fails is interrupted as well, nothing of it stays, and the next one works.

It does so as well wherever somebody is interrupted who begins to watch.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.property.mutants import Fault
from tests.unit.box.moments import files_of, interrupts
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue

from pillarbox import transaction as transaction_module
from pillarbox.box import Box, writing
from pillarbox.box import box as box_module
from pillarbox.errors import UsageError
from pillarbox.storage import MEMORY, memory, sqlite, sqlite_file
from pillarbox.storage.sqlite_file import SqliteFile
from pillarbox.tables import touch_log, writer
from pillarbox.transaction import Transaction

FILES = files_of(box_module, writing, transaction_module, sqlite, sqlite_file, memory, writer, touch_log)


def fail(tx: Any) -> None:
    PACKAGE.replay(tx, [PutIssue(issue(1, 2))])
    raise ValueError("it is not to be")


def by_call(box: TrackerBox) -> None:
    with suppress(ValueError):
        box.transact(fail)


def by_block(box: TrackerBox) -> None:
    with suppress(ValueError), box.transaction() as tx:
        fail(tx)


def try_all(path: Path | str, write: Callable[[TrackerBox], None]) -> int:
    """How many moments there are, each of them tried on one box."""
    moment = 0
    with Box(path, PACKAGE) as box, box.watch(Board(1)) as subscription:
        for moment in interrupts(FILES, lambda moment: lambda: write(box)):
            box.replay([PutIssue(issue(1, 1, moment % 250))])
            assert subscription.latest.snapshot == box.get(Board(1)), moment
            assert box.get(Board(1)).issues == (issue(1, 1, moment % 250),), moment
    return moment


@pytest.mark.parametrize("write", [by_call, by_block])
@pytest.mark.parametrize("place", [None, MEMORY], ids=["file", "memory"])
def test_who_is_interrupted_while_a_write_is_undone_can_write_again(
    path: Path, place: str | None, write: Callable[[TrackerBox], None]
) -> None:
    assert try_all(place or path, write) > 40


def watch_all(path: Path) -> int:
    """As `try_all`, of who begins to watch."""
    moment = 0
    with Box(path, PACKAGE) as box, box.watch(Board(1)) as subscription:
        for moment in interrupts(FILES, lambda moment: lambda: box.watch(Board(2 + moment % 100))):
            box.replay([PutIssue(issue(1, 1, moment % 250))])
            assert subscription.latest.snapshot == box.get(Board(1)), moment
    return moment


def test_who_is_interrupted_as_it_begins_to_watch_can_write(path: Path) -> None:
    assert watch_all(path) > 20


def test_a_read_that_is_left_open_is_found(path: Path) -> None:
    fault = Fault("left open", Box, "_begin", "self._clear_up()", "self._abandon()")
    with fault.planted(), pytest.raises(UsageError, match="inside a read transaction"):
        watch_all(path)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("left as it is", Box, "_begin", "self._clear_up()", "pass"),
        Fault("undone twice", Transaction, "rollback", " or self._is_undone", ""),
        Fault("over before it is", SqliteFile, "rollback", "try:", "self._writing = False\n    try:"),
    ],
    ids=str,
)
def test_planted_faults_are_found(fault: Fault, path: Path) -> None:
    with fault.planted(), pytest.raises(UsageError, match="transaction"):
        try_all(path, by_call)


def test_the_beginning_of_a_function_is_a_moment() -> None:
    done: list[int] = []

    def work() -> None:
        done.append(0)

    done_by = [len(done) for _ in interrupts({__file__}, lambda moment: work)]

    assert done_by == [0, 1, 2]  # at its beginning, behind the call, and never
