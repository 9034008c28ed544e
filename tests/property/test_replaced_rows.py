"""A build refuses a row that could not have been stored, also where a later record has replaced it.

Law: a box that was built in slices equals one that replayed the same records, and both refused the same
ones, whatever became of a bad row within its slice: written over, removed, or settled and then written over.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.bulk_worlds import Record
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY, built, replayed

from pillarbox.bulk import differences
from pillarbox.tables.flushed import FlushedTable
from pillarbox.tables.writer import TableWriter
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.operations import Operation, PutIssue, PutUsers, RemoveIssue
from pillarbox_tracker.types import Issues, Login, ProjectId, UserId, Users

PROJECT: Final = ProjectId(1)
#: One that no store takes among them.
_TEXTS: Final = st.sampled_from(["a", "\ud800"])
_NUMBERS: Final = st.integers(1, 2)


def _issues(number: int, title: str) -> Operation:
    issue = Issues(
        project_id=PROJECT,
        number=number,
        title=title,
        body="",
        author_id=UserId(1),
        created_at=1,
        updated_at=1,
    )
    return PutIssue(issue=issue)


def _users(user: int, email: str) -> Operation:
    """Of a table with a unique index, so that each record is settled."""
    return PutUsers(users=(Users(user_id=UserId(user), login=Login(f"u{user}"), name="a", email=email),))


_OPERATIONS: Final[st.SearchStrategy[Any]] = st.one_of(
    st.builds(_issues, _NUMBERS, _TEXTS),
    st.builds(RemoveIssue, st.just(PROJECT), _NUMBERS),
    st.builds(_users, _NUMBERS, _TEXTS),
)
_RECORDS: Final = st.lists(
    st.builds(Record, st.just(0), st.lists(_OPERATIONS, min_size=1, max_size=2)), min_size=1, max_size=5
)


def law_of(hard: settings) -> None:
    @hard
    @given(_RECORDS, st.integers(1, 9))
    def law(records: Sequence[Record], slice_records: int) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            one, other = Path(folder, "replayed.box"), Path(folder, "built.box")
            refused = replayed(PACKAGE, one, records)

            assert built(PACKAGE, other, list(enumerate(records)), slice_records) == refused
            assert differences(PACKAGE, one, other) == []

    law()


def test_what_is_replaced_is_refused_as_what_is_not() -> None:
    law_of(settings())


_KEEPS: Final = "elif self.replaced is not None:"
FAULTS: Final = (
    Fault("what is written over is not looked at", TableWriter, "put_cell", _KEEPS, "elif False:"),
    Fault("what is removed is not looked at", TableWriter, "put_known", _KEEPS, "elif False:"),
    Fault("what was settled is not looked at", FlushedTable, "end_settle", "was is not old", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(HARD)
