"""Law: wherever a write is interrupted, what tables remember of it is what is stored, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from tests.property.mutants import Fault
from tests.unit.box.moments import interrupts

from pillarbox import box as boxes
from pillarbox import tables, transaction
from pillarbox.box import Box as BoxOfAnySchema
from pillarbox.errors import UsageError
from pillarbox.storage import MEMORY
from pillarbox.tables import TableReader
from pillarbox.transaction import Transaction
from pillarbox_tracker import PACKAGE, open_box
from pillarbox_tracker.box import Box
from pillarbox_tracker.operations import AddComments, OpenIssue, RemoveComments
from pillarbox_tracker.types import CommentRef, Comments, ProjectId, UserId

PROJECT, ADA = ProjectId(1), UserId(7)


def modules_of(package: ModuleType) -> set[str]:
    return {str(path) for path in Path(package.__path__[0]).glob("*.py")}


WRITING = {str(transaction.__file__)} | modules_of(tables)
ENDING = WRITING | modules_of(boxes)


@pytest.fixture
def box() -> Iterator[Box]:
    with open_box(MEMORY) as box:
        yield box


def said(comment: int) -> Comments:
    return Comments(
        project_id=PROJECT, number=1, posted_at=comment, comment=comment, author_id=ADA, body=f"tea {comment}"
    )


def write(box: Box, moment: int) -> None:
    box.replay(
        [
            OpenIssue(project_id=PROJECT, title=f"It rains in {moment}", author_id=ADA, now=moment),
            AddComments((said(moment), said(moment + 1))),
            RemoveComments((CommentRef(PROJECT, 1, moment),)),
        ]
    )


def take_back(box: Box, moment: int) -> None:
    with suppress(ZeroDivisionError), box.transaction() as tx:
        PACKAGE.replay(tx, [OpenIssue(project_id=PROJECT, title="No tea", author_id=ADA, now=moment)])
        raise ZeroDivisionError


def check(box: Box, moment: int) -> None:
    with box.transaction() as tx:
        for table in tx._log.every:
            for key, cell in table._cells.items():
                assert TableReader.cell(table, key) == cell, (moment, table.spec.name, key)


def try_all(box: Box, work: Callable[[Box, int], None], files: Collection[str]) -> int:
    """How many moments there are, each of them tried."""

    def make(moment: int) -> Callable[[], object]:
        return lambda: work(box, moment)

    moment = 0
    for moment in interrupts(files, make):
        check(box, moment)
    return moment


def test_who_is_interrupted_while_it_writes_leaves_nothing_that_is_not_stored(box: Box) -> None:
    assert try_all(box, write, WRITING) > 500


def test_who_is_interrupted_while_it_takes_back_leaves_nothing_that_is_not_stored(box: Box) -> None:
    assert try_all(box, take_back, ENDING) > 50


@pytest.mark.parametrize(
    "fault",
    [
        Fault("nothing is taken back", Transaction, "_forget", "table.undo()", "pass"),
        Fault("an end that was interrupted is over", BoxOfAnySchema, "_begin", "self._clear_up()", "pass"),
    ],
    ids=str,
)
def test_planted_faults_are_found(fault: Fault, box: Box) -> None:
    with fault.planted(), pytest.raises((AssertionError, UsageError)):
        try_all(box, take_back, ENDING)
