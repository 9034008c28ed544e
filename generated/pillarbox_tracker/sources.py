# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""What is imported into the schema 'tracker': rows of other formats, as operations."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pillarbox_tracker.operations import Operation, PutIssue
from pillarbox_tracker.types import Issues, ProjectId, State, UserId


class IssueExportRow(Struct, frozen=True, array_like=True, gc=False):
    """One row of `issue_export`, as the adapter `csv` reads it.

    The list of issues other trackers export as CSV.
    """

    project: ProjectId
    number: int
    title: str
    author: UserId
    closed: bool
    at: int | None = None


def issue_export_operations(row: IssueExportRow) -> Iterator[Operation]:
    """What a row of `issue_export` does."""
    yield PutIssue(
        issue=Issues(
            project_id=row.project,
            number=row.number,
            title=row.title,
            state=State.CLOSED if row.closed else State.OPEN,
            author_id=row.author,
            created_at=row.at or 0,
            updated_at=row.at or 0,
        ),
    )
