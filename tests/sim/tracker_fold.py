"""What a tracker's tables should hold, folded from updates by plain dicts.

Depends on: the generated rows and updates, as data.  Never on: operations, boxes, merging.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from pillarbox_tracker.types import Comments, Issues, Projects, State
from pillarbox_tracker.updates import (
    CommentEdited,
    CommentsAdded,
    CommentsRemoved,
    IssueAssigned,
    IssueChanged,
    IssueClosed,
    ProjectGone,
    ProjectsChanged,
    Starred,
    Update,
)


class Fold:
    """Everything that is true."""

    def __init__(self) -> None:
        self.projects: dict[int, Projects] = {}
        self.gone: set[int] = set()
        self.stars: set[tuple[int, int]] = set()
        self.issues: dict[tuple[int, int], Issues] = {}
        self.comments: dict[tuple[int, int, int], Comments] = {}
        self._said: dict[tuple[int, int], int] = {}

    def issues_of(self, project: int) -> list[Issues]:
        """By number."""
        return [row for (owner, _), row in sorted(self.issues.items()) if owner == project]

    def next_comment(self, project: int, number: int) -> int:
        """The number of the next comment of an issue; none is given twice."""
        return self._said.get((project, number), 0) + 1

    def apply(self, update: Update) -> None:
        """Something happened."""
        match update:
            case ProjectsChanged():
                self.projects.update((row.project_id, row) for row in update.projects)
            case ProjectGone():
                self.projects.pop(update.project_id, None)
                self.gone.add(update.project_id)
            case Starred():
                pairs = {(update.user_id, project) for project in update.project_ids}
                self.stars = self.stars | pairs if update.starred else self.stars - pairs
            case IssueChanged(issue=issue):
                self.issues[issue.project_id, issue.number] = issue
            case IssueClosed():
                issue = self.issues[update.project_id, update.number]
                if issue.state != State.CLOSED:
                    self.issues[update.project_id, update.number] = replace(
                        issue, state=State.CLOSED, updated_at=max(issue.updated_at, update.at)
                    )
            case IssueAssigned():
                place = update.project_id, update.number
                self.issues[place] = replace(self.issues[place], assignee_id=update.user_id)
            case CommentsAdded():
                for comment in update.comments:
                    self._add(comment)
            case CommentEdited(ref=ref):
                key = ref.project_id, ref.number, ref.comment
                if key in self.comments:
                    self.comments[key] = replace(self.comments[key], body=update.body, edited_at=update.at)
            case CommentsRemoved():
                for ref in update.refs:
                    self.comments.pop((ref.project_id, ref.number, ref.comment), None)

    def _add(self, comment: Comments) -> None:
        group = comment.project_id, comment.number
        self.comments[(*group, comment.comment)] = comment
        self._said[group] = max(self._said.get(group, 0), comment.comment)
        issue = self.issues[group]
        self.issues[group] = replace(
            issue, comments=issue.comments + 1, updated_at=max(issue.updated_at, comment.posted_at)
        )

    def wrong(self, tables: Any, known: Collection[int]) -> Iterator[str]:
        """Where the tables of a box differ; of issues and comments in these projects, outside of holes."""
        live = self.projects
        yield from _differ(
            "projects", live, {row.project_id: row for row in tables.projects.all() if row.project_id != 1}
        )
        yield from _differ(
            "stars",
            {pair: True for pair in self.stars if pair[1] in live},
            {(row.user_id, row.project_id): True for row in tables.stars.all() if row.project_id in live},
        )
        # How far an issue was told is of the box alone.
        issues = {(row.project_id, row.number): replace(row, told=0) for row in tables.issues.all()}
        yield from _differ(
            "issues",
            *({key: row for key, row in rows.items() if key[0] in known} for rows in (self.issues, issues)),
        )
        here = {(row.project_id, row.number, row.comment): row for row in tables.comments.all()}
        yield from _differ(
            "comments",
            *(
                {
                    key: row
                    for key, row in rows.items()
                    if key[0] in known and not tables.comment_holes.covers(*key)
                }
                for rows in (self.comments, here)
            ),
        )


def _differ(name: str, expected: dict[Any, Any], stored: dict[Any, Any]) -> Iterator[str]:
    for key in sorted(expected.keys() | stored.keys()):
        if expected.get(key) != stored.get(key):
            yield f"{name}{key} is {stored.get(key)}, not {expected.get(key)}"
