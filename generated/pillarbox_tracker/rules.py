# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""What the rows of the schema 'tracker' mean for its derived tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pillarbox.expr import bits
from pillarbox.maintainers import TopShape
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell
from pillarbox_tracker import packed, specs
from pillarbox_tracker.keys import (
    audit_by_issue_key,
    audit_key,
    board_cells_key,
    by_assignee_key,
    by_author_key,
    by_flag_key,
    by_label_key,
    by_priority_key,
    by_priority_prefix_1,
    by_state_key,
    by_state_prefix_2,
    comment_ids_key,
    comments_key,
    comments_prefix_2,
    front_key,
    issues_key,
    label_counts_key,
    latest_comment_key,
    milestones_due_key,
    milestones_key,
    newest_active_key,
    project_slugs_key,
    projects_key,
    star_counts_key,
    state_counts_key,
    users_by_login_key,
    users_by_name_key,
    users_key,
    watchers_key,
    watching_key,
)
from pillarbox_tracker.types import (
    Audit,
    AuditByIssue,
    BoardCells,
    ByAssignee,
    ByAuthor,
    ByFlag,
    ByLabel,
    ByPriority,
    ByState,
    CommentIds,
    Comments,
    Issues,
    Milestones,
    MilestonesDue,
    Priority,
    Projects,
    ProjectSlugs,
    Role,
    Stars,
    State,
    Users,
    UsersByLogin,
    UsersByName,
    Watchers,
    Watching,
)


def by_state_rows(row: Issues) -> list[tuple[StoredKey, Cell]]:
    """The rows of `by_state` that a row of `issues` stands for."""
    return [(by_state_key(row.project_id, row.state, row.updated_at, row.number), b"")]


def by_state_source_key(row: ByState) -> bytes:
    """The stored key of the row of `issues` that a row here stands for."""
    return issues_key(row.project_id, row.number)


def by_label_rows(row: Issues) -> list[tuple[StoredKey, Cell]]:
    """The rows of `by_label` that a row of `issues` stands for."""
    if row.state != State.OPEN:
        return []
    return [
        (by_label_key(row.project_id, label, row.updated_at, row.number), packed.BY_LABEL.encode(row.title))
        for label in row.labels
    ]


def by_label_source_key(row: ByLabel) -> bytes:
    """The stored key of the row of `issues` that a row here stands for."""
    return issues_key(row.project_id, row.number)


def by_priority_rows(row: Issues) -> list[tuple[StoredKey, Cell]]:
    """The rows of `by_priority` that a row of `issues` stands for."""
    if row.state == State.CLOSED:
        return []
    return [
        (
            by_priority_key(row.project_id, row.priority, row.created_at, row.number),
            packed.BY_PRIORITY.encode(row.state, row.flags & 4 != 0, row.updated_at),
        ),
    ]


def by_priority_source_key(row: ByPriority) -> bytes:
    """The stored key of the row of `issues` that a row here stands for."""
    return issues_key(row.project_id, row.number)


def by_assignee_rows(row: Issues) -> list[tuple[StoredKey, Cell]]:
    """The rows of `by_assignee` that a row of `issues` stands for."""
    if row.assignee_id is None or row.state == State.CLOSED:
        return []
    return [(by_assignee_key(row.assignee_id, row.updated_at, row.project_id, row.number), b"")]


def by_assignee_source_key(row: ByAssignee) -> bytes:
    """The stored key of the row of `issues` that a row here stands for."""
    return issues_key(row.project_id, row.number)


def by_flag_rows(row: Issues) -> list[tuple[StoredKey, Cell]]:
    """The rows of `by_flag` that a row of `issues` stands for."""
    return [(by_flag_key(flag, row.project_id, row.number), b"") for flag in bits(row.flags)]


def by_flag_source_key(row: ByFlag) -> bytes:
    """The stored key of the row of `issues` that a row here stands for."""
    return issues_key(row.project_id, row.number)


def board_cells_rows(row: Issues) -> list[tuple[StoredKey, Cell]]:
    """The rows of `board_cells` that a row of `issues` stands for."""
    return [
        (board_cells_key(row.project_id, row.milestone or 0, label, loud, row.number), b"")
        for label in (0, *row.labels)
        for loud in (row.priority in (Priority.URGENT, Priority.HIGH),)
    ]


def board_cells_source_key(row: BoardCells) -> bytes:
    """The stored key of the row of `issues` that a row here stands for."""
    return issues_key(row.project_id, row.number)


def state_counts_sums(row: Issues) -> list[tuple[StoredKey, tuple[int, ...]]]:
    """What a row of `issues` adds to the groups of `state_counts`."""
    return [(state_counts_key(row.project_id, row.state), (1, row.comments))]


def label_counts_sums(row: Issues) -> list[tuple[StoredKey, tuple[int, ...]]]:
    """What a row of `issues` adds to the groups of `label_counts`."""
    return [
        (label_counts_key(row.project_id, label), (1 if row.state == State.OPEN else 0, 1))
        for label in row.labels
    ]


def _newest_active_group(row: ByState) -> int | None:
    if row.state not in (State.OPEN, State.WAITING):
        return None
    return newest_active_key(row.project_id)


def _newest_active_prefixes(row: ByState) -> tuple[bytes, ...]:
    return (by_state_prefix_2(row.project_id, State.OPEN), by_state_prefix_2(row.project_id, State.WAITING))


def _newest_active_order(row: ByState) -> tuple[Any, ...]:
    return (row.updated_at, row.number)


def _newest_active_fold(rows: Sequence[ByState]) -> bytes:
    row = rows[0]
    return packed.NEWEST_ACTIVE.encode(row.state, row.updated_at, row.number)


def _newest_active_stored_order(key: Any, cell: bytes) -> tuple[Any, ...]:
    row = specs.newest_active_row(key, cell)
    return (row.updated_at, row.number)


NEWEST_ACTIVE: Final = TopShape[ByState](
    first=1,
    group_of=_newest_active_group,
    prefixes_of=_newest_active_prefixes,
    order_of=_newest_active_order,
    fold=_newest_active_fold,
    stored_order=_newest_active_stored_order,
)


def _front_group(row: ByPriority) -> int:
    return front_key(row.project_id)


def _front_prefixes(row: ByPriority) -> tuple[bytes, ...]:
    return (by_priority_prefix_1(row.project_id),)


def _front_order(row: ByPriority) -> tuple[Any, ...]:
    return (row.priority, -row.created_at, row.number)


def _front_fold(rows: Sequence[ByPriority]) -> bytes:
    return packed.FRONT.encode(
        sum(1 for row in rows if row.state == State.WAITING),
        max(row.updated_at for row in rows),
        any(row.late for row in rows),
        all(row.late for row in rows),
        min(row.updated_at for row in rows),
    )


FRONT: Final = TopShape[ByPriority](
    first=5,
    group_of=_front_group,
    prefixes_of=_front_prefixes,
    order_of=_front_order,
    fold=_front_fold,
    stored_order=None,
)


def comment_ids_identity_key(row: Comments) -> bytes:
    """The stored key of a row's identity in `comment_ids`."""
    return comment_ids_key(row.project_id, row.number, row.comment)


def comment_ids_identity_cell(row: Comments) -> bytes:
    """The stored value of a row's identity in `comment_ids`."""
    return packed.COMMENT_IDS.encode(row.posted_at, row.author_id)


def comment_ids_identity_owner(key: bytes, cell: bytes) -> bytes:
    """The stored key of the row that has an identity in `comment_ids`."""
    return comment_ids_source_key(specs.comment_ids_row(key, cell))


def comment_ids_source_key(row: CommentIds) -> bytes:
    """The stored key of the row of `comments` that a row here stands for."""
    return comments_key(row.project_id, row.number, row.posted_at, row.comment)


def by_author_rows(row: Comments) -> list[tuple[StoredKey, Cell]]:
    """The rows of `by_author` that a row of `comments` stands for."""
    return [(by_author_key(row.author_id, row.posted_at, row.project_id, row.number, row.comment), b"")]


def by_author_source_key(row: ByAuthor) -> bytes:
    """The stored key of the row of `comments` that a row here stands for."""
    return comments_key(row.project_id, row.number, row.posted_at, row.comment)


def _latest_comment_group(row: Comments) -> bytes:
    return latest_comment_key(row.project_id, row.number)


def _latest_comment_prefixes(row: Comments) -> tuple[bytes, ...]:
    return (comments_prefix_2(row.project_id, row.number),)


def _latest_comment_order(row: Comments) -> tuple[Any, ...]:
    return (row.posted_at, row.comment)


def _latest_comment_fold(rows: Sequence[Comments]) -> bytes:
    row = rows[0]
    return packed.LATEST_COMMENT.encode(row.posted_at, row.comment, row.posted_at)


def _latest_comment_stored_order(key: Any, cell: bytes) -> tuple[Any, ...]:
    row = specs.latest_comment_row(key, cell)
    return (row.posted_at, row.comment)


LATEST_COMMENT: Final = TopShape[Comments](
    first=1,
    group_of=_latest_comment_group,
    prefixes_of=_latest_comment_prefixes,
    order_of=_latest_comment_order,
    fold=_latest_comment_fold,
    stored_order=_latest_comment_stored_order,
)


def watching_rows(row: Watchers) -> list[tuple[StoredKey, Cell]]:
    """The rows of `watching` that a row of `watchers` stands for."""
    return [(watching_key(row.user_id, row.since, row.project_id, row.number), b"")]


def watching_source_key(row: Watching) -> bytes:
    """The stored key of the row of `watchers` that a row here stands for."""
    return watchers_key(row.project_id, row.number, row.user_id)


def audit_by_issue_rows(row: Audit) -> list[tuple[StoredKey, Cell]]:
    """The rows of `audit_by_issue` that a row of `audit` stands for."""
    return [(audit_by_issue_key(row.project_id, row.number, row.entry), b"")]


def audit_by_issue_source_key(row: AuditByIssue) -> int:
    """The stored key of the row of `audit` that a row here stands for."""
    return audit_key(row.entry)


def project_slugs_rows(row: Projects) -> list[tuple[StoredKey, Cell]]:
    """The rows of `project_slugs` that a row of `projects` stands for."""
    return [(project_slugs_key(row.slug), packed.PROJECT_SLUGS.encode(row.project_id))]


def project_slugs_source_key(row: ProjectSlugs) -> int:
    """The stored key of the row of `projects` that a row here stands for."""
    return projects_key(row.project_id)


def users_by_login_rows(row: Users) -> list[tuple[StoredKey, Cell]]:
    """The rows of `users_by_login` that a row of `users` stands for."""
    return [(users_by_login_key(row.login), packed.USERS_BY_LOGIN.encode(row.user_id))]


def users_by_login_source_key(row: UsersByLogin) -> int:
    """The stored key of the row of `users` that a row here stands for."""
    return users_key(row.user_id)


def users_by_name_rows(row: Users) -> list[tuple[StoredKey, Cell]]:
    """The rows of `users_by_name` that a row of `users` stands for."""
    if row.role not in (Role.MEMBER, Role.ADMIN):
        return []
    return [(users_by_name_key(row.name, row.user_id), packed.USERS_BY_NAME.encode(row.avatar))]


def users_by_name_source_key(row: UsersByName) -> int:
    """The stored key of the row of `users` that a row here stands for."""
    return users_key(row.user_id)


def milestones_due_rows(row: Milestones) -> list[tuple[StoredKey, Cell]]:
    """The rows of `milestones_due` that a row of `milestones` stands for."""
    if row.due_at is None or row.done:
        return []
    return [(milestones_due_key(row.due_at, row.project_id, row.milestone), b"")]


def milestones_due_source_key(row: MilestonesDue) -> bytes:
    """The stored key of the row of `milestones` that a row here stands for."""
    return milestones_key(row.project_id, row.milestone)


def star_counts_sums(row: Stars) -> list[tuple[StoredKey, tuple[int, ...]]]:
    """What a row of `stars` adds to the groups of `star_counts`."""
    return [(star_counts_key(row.project_id), (1,))]
