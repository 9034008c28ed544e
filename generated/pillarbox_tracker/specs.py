# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""What the store knows of each table of the schema 'tracker'."""

from __future__ import annotations

from typing import Any, Final

from pillarbox.codec import RecordCodec
from pillarbox.storage import TableLayout
from pillarbox.tables import TableSpec
from pillarbox_tracker import packed
from pillarbox_tracker.keys import (
    account_key,
    account_key_fields,
    audit_by_issue_key,
    audit_by_issue_key_fields,
    audit_entries_key,
    audit_entries_key_fields,
    audit_key,
    audit_key_fields,
    board_cells_key,
    board_cells_key_fields,
    by_assignee_key,
    by_assignee_key_fields,
    by_author_key,
    by_author_key_fields,
    by_flag_key,
    by_flag_key_fields,
    by_label_key,
    by_label_key_fields,
    by_priority_key,
    by_priority_key_fields,
    by_state_key,
    by_state_key_fields,
    comment_ids_key,
    comment_ids_key_fields,
    comment_numbers_key,
    comment_numbers_key_fields,
    comments_key,
    comments_key_fields,
    front_key,
    front_key_fields,
    issue_numbers_key,
    issue_numbers_key_fields,
    issues_key,
    issues_key_fields,
    label_counts_key,
    label_counts_key_fields,
    labels_key,
    labels_key_fields,
    latest_comment_key,
    latest_comment_key_fields,
    milestones_due_key,
    milestones_due_key_fields,
    milestones_key,
    milestones_key_fields,
    newest_active_key,
    newest_active_key_fields,
    notices_key,
    notices_key_fields,
    preferences_key,
    preferences_key_fields,
    project_key,
    project_key_fields,
    project_slugs_key,
    project_slugs_key_fields,
    projects_key,
    projects_key_fields,
    star_counts_key,
    star_counts_key_fields,
    stars_key,
    stars_key_fields,
    state_counts_key,
    state_counts_key_fields,
    users_by_login_key,
    users_by_login_key_fields,
    users_by_name_key,
    users_by_name_key_fields,
    users_key,
    users_key_fields,
    watchers_key,
    watchers_key_fields,
    watching_key,
    watching_key_fields,
)
from pillarbox_tracker.types import (
    Account,
    Audit,
    AuditByIssue,
    AuditEntries,
    BoardCells,
    ByAssignee,
    ByAuthor,
    ByFlag,
    ByLabel,
    ByPriority,
    ByState,
    CommentIds,
    CommentNumbers,
    Comments,
    Front,
    IssueNumbers,
    Issues,
    LabelCounts,
    Labels,
    LatestComment,
    Milestones,
    MilestonesDue,
    NewestActive,
    Notices,
    Preferences,
    Project,
    Projects,
    ProjectSlugs,
    StarCounts,
    Stars,
    State,
    StateCounts,
    Users,
    UsersByLogin,
    UsersByName,
    Watchers,
    Watching,
)


def _whole(row: Any) -> Any:
    """The cell of a `record` table is the row."""
    return row


def _cell(key: Any, cell: Any) -> Any:
    """The row of a `record` table is the cell."""
    return cell


def _no_bytes(row: Any) -> bytes:
    """The cell of an `empty` table."""
    return b""


_ISSUES: Final = RecordCodec(Issues, "issues")
_COMMENTS: Final = RecordCodec(Comments, "comments")
_AUDIT: Final = RecordCodec(Audit, "audit")
_PROJECTS: Final = RecordCodec(Projects, "projects")
_USERS: Final = RecordCodec(Users, "users")
_MILESTONES: Final = RecordCodec(Milestones, "milestones")
_NOTICES: Final = RecordCodec(Notices, "notices")


def issues_key_of(row: Issues) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return issues_key(row.project_id, row.number)


ISSUES: Final = TableSpec[Issues](
    layout=TableLayout(id=20, name="issues", int_key=False, key_width=12, heap=False),
    role="primary",
    key_of=issues_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_ISSUES.encode,
    decode=_ISSUES.decode,
    key_fields=issues_key_fields,
)


def by_state_key_of(row: ByState) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return by_state_key(row.project_id, row.state, row.updated_at, row.number)


def by_state_row(key: bytes, cell: bytes) -> ByState:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ByState(*by_state_key_fields(key))


BY_STATE: Final = TableSpec[ByState](
    layout=TableLayout(id=21, name="by_state", int_key=False, key_width=21, heap=False),
    role="derived",
    key_of=by_state_key_of,
    cell_of=_no_bytes,
    row=by_state_row,
    key_fields=by_state_key_fields,
)


def by_label_key_of(row: ByLabel) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return by_label_key(row.project_id, row.label, row.updated_at, row.number)


def by_label_cell_of(row: ByLabel) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.BY_LABEL.encode(row.title)


def by_label_row(key: bytes, cell: bytes) -> ByLabel:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ByLabel(*by_label_key_fields(key), *packed.BY_LABEL.decode(cell))


BY_LABEL: Final = TableSpec[ByLabel](
    layout=TableLayout(id=22, name="by_label", int_key=False, key_width=24, heap=False),
    role="derived",
    key_of=by_label_key_of,
    cell_of=by_label_cell_of,
    row=by_label_row,
    key_fields=by_label_key_fields,
)


def by_priority_key_of(row: ByPriority) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return by_priority_key(row.project_id, row.priority, row.created_at, row.number)


def by_priority_cell_of(row: ByPriority) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.BY_PRIORITY.encode(row.state, row.late, row.updated_at)


def by_priority_row(key: bytes, cell: bytes) -> ByPriority:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    project_id, priority, created_at, number = by_priority_key_fields(key)
    state, late, updated_at = packed.BY_PRIORITY.decode(cell)
    return ByPriority(
        project_id=project_id,
        priority=priority,
        created_at=created_at,
        number=number,
        state=State(state),
        late=late,
        updated_at=updated_at,
    )


BY_PRIORITY: Final = TableSpec[ByPriority](
    layout=TableLayout(id=23, name="by_priority", int_key=False, key_width=22, heap=False),
    role="derived",
    key_of=by_priority_key_of,
    cell_of=by_priority_cell_of,
    row=by_priority_row,
    key_fields=by_priority_key_fields,
)


def by_assignee_key_of(row: ByAssignee) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return by_assignee_key(row.assignee_id, row.updated_at, row.project_id, row.number)


def by_assignee_row(key: bytes, cell: bytes) -> ByAssignee:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ByAssignee(*by_assignee_key_fields(key))


BY_ASSIGNEE: Final = TableSpec[ByAssignee](
    layout=TableLayout(id=24, name="by_assignee", int_key=False, key_width=28, heap=False),
    role="derived",
    key_of=by_assignee_key_of,
    cell_of=_no_bytes,
    row=by_assignee_row,
    key_fields=by_assignee_key_fields,
)


def by_flag_key_of(row: ByFlag) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return by_flag_key(row.flag, row.project_id, row.number)


def by_flag_row(key: bytes, cell: bytes) -> ByFlag:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ByFlag(*by_flag_key_fields(key))


BY_FLAG: Final = TableSpec[ByFlag](
    layout=TableLayout(id=25, name="by_flag", int_key=False, key_width=16, heap=False),
    role="derived",
    key_of=by_flag_key_of,
    cell_of=_no_bytes,
    row=by_flag_row,
    key_fields=by_flag_key_fields,
)


def board_cells_key_of(row: BoardCells) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return board_cells_key(row.project_id, row.column, row.label, row.loud, row.number)


def board_cells_row(key: bytes, cell: bytes) -> BoardCells:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return BoardCells(*board_cells_key_fields(key))


BOARD_CELLS: Final = TableSpec[BoardCells](
    layout=TableLayout(id=26, name="board_cells", int_key=False, key_width=19, heap=False),
    role="derived",
    key_of=board_cells_key_of,
    cell_of=_no_bytes,
    row=board_cells_row,
    key_fields=board_cells_key_fields,
)


def state_counts_key_of(row: StateCounts) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return state_counts_key(row.project_id, row.state)


def state_counts_cell_of(row: StateCounts) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.STATE_COUNTS.encode(row.issues, row.comments)


def state_counts_row(key: bytes, cell: bytes) -> StateCounts:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return StateCounts(*state_counts_key_fields(key), *packed.STATE_COUNTS.decode(cell))


STATE_COUNTS: Final = TableSpec[StateCounts](
    layout=TableLayout(id=27, name="state_counts", int_key=False, key_width=9, heap=False),
    role="derived",
    key_of=state_counts_key_of,
    cell_of=state_counts_cell_of,
    row=state_counts_row,
    key_fields=state_counts_key_fields,
)


def label_counts_key_of(row: LabelCounts) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return label_counts_key(row.project_id, row.label)


def label_counts_cell_of(row: LabelCounts) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.LABEL_COUNTS.encode(row.open, row.all)


def label_counts_row(key: bytes, cell: bytes) -> LabelCounts:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return LabelCounts(*label_counts_key_fields(key), *packed.LABEL_COUNTS.decode(cell))


LABEL_COUNTS: Final = TableSpec[LabelCounts](
    layout=TableLayout(id=28, name="label_counts", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=label_counts_key_of,
    cell_of=label_counts_cell_of,
    row=label_counts_row,
    key_fields=label_counts_key_fields,
)


def newest_active_key_of(row: NewestActive) -> int:
    """The stored key of a row. Raises RangeError."""
    return newest_active_key(row.project_id)


def newest_active_cell_of(row: NewestActive) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.NEWEST_ACTIVE.encode(row.state, row.updated_at, row.number)


def newest_active_row(key: int, cell: bytes) -> NewestActive:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    (project_id,) = newest_active_key_fields(key)
    state, updated_at, number = packed.NEWEST_ACTIVE.decode(cell)
    return NewestActive(project_id=project_id, state=State(state), updated_at=updated_at, number=number)


NEWEST_ACTIVE: Final = TableSpec[NewestActive](
    layout=TableLayout(id=29, name="newest_active", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=newest_active_key_of,
    cell_of=newest_active_cell_of,
    row=newest_active_row,
    key_fields=newest_active_key_fields,
)


def front_key_of(row: Front) -> int:
    """The stored key of a row. Raises RangeError."""
    return front_key(row.project_id)


def front_cell_of(row: Front) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.FRONT.encode(row.waiting, row.newest, row.any_late, row.all_late, row.oldest)


def front_row(key: int, cell: bytes) -> Front:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Front(*front_key_fields(key), *packed.FRONT.decode(cell))


FRONT: Final = TableSpec[Front](
    layout=TableLayout(id=30, name="front", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=front_key_of,
    cell_of=front_cell_of,
    row=front_row,
    key_fields=front_key_fields,
)


def comments_key_of(row: Comments) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return comments_key(row.project_id, row.number, row.posted_at, row.comment)


COMMENTS: Final = TableSpec[Comments](
    layout=TableLayout(id=31, name="comments", int_key=False, key_width=24, heap=True),
    role="primary",
    key_of=comments_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_COMMENTS.encode,
    decode=_COMMENTS.decode,
    key_fields=comments_key_fields,
)


def comment_ids_key_of(row: CommentIds) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return comment_ids_key(row.project_id, row.number, row.comment)


def comment_ids_cell_of(row: CommentIds) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.COMMENT_IDS.encode(row.posted_at, row.author_id)


def comment_ids_row(key: bytes, cell: bytes) -> CommentIds:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return CommentIds(*comment_ids_key_fields(key), *packed.COMMENT_IDS.decode(cell))


COMMENT_IDS: Final = TableSpec[CommentIds](
    layout=TableLayout(id=32, name="comment_ids", int_key=False, key_width=16, heap=False),
    role="derived",
    key_of=comment_ids_key_of,
    cell_of=comment_ids_cell_of,
    row=comment_ids_row,
    key_fields=comment_ids_key_fields,
)


def by_author_key_of(row: ByAuthor) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return by_author_key(row.author_id, row.posted_at, row.project_id, row.number, row.comment)


def by_author_row(key: bytes, cell: bytes) -> ByAuthor:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return ByAuthor(*by_author_key_fields(key))


BY_AUTHOR: Final = TableSpec[ByAuthor](
    layout=TableLayout(id=33, name="by_author", int_key=False, key_width=32, heap=False),
    role="derived",
    key_of=by_author_key_of,
    cell_of=_no_bytes,
    row=by_author_row,
    key_fields=by_author_key_fields,
)


def latest_comment_key_of(row: LatestComment) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return latest_comment_key(row.project_id, row.number)


def latest_comment_cell_of(row: LatestComment) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.LATEST_COMMENT.encode(row.posted_at, row.comment, row.at)


def latest_comment_row(key: bytes, cell: bytes) -> LatestComment:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return LatestComment(*latest_comment_key_fields(key), *packed.LATEST_COMMENT.decode(cell))


LATEST_COMMENT: Final = TableSpec[LatestComment](
    layout=TableLayout(id=34, name="latest_comment", int_key=False, key_width=12, heap=False),
    role="derived",
    key_of=latest_comment_key_of,
    cell_of=latest_comment_cell_of,
    row=latest_comment_row,
    key_fields=latest_comment_key_fields,
)


def watchers_key_of(row: Watchers) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return watchers_key(row.project_id, row.number, row.user_id)


def watchers_cell_of(row: Watchers) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.WATCHERS.encode(row.since, row.muted_until, row.wants)


def watchers_row(key: bytes, cell: bytes) -> Watchers:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Watchers(*watchers_key_fields(key), *packed.WATCHERS.decode(cell))


WATCHERS: Final = TableSpec[Watchers](
    layout=TableLayout(id=35, name="watchers", int_key=False, key_width=20, heap=False),
    role="primary",
    key_of=watchers_key_of,
    cell_of=watchers_cell_of,
    row=watchers_row,
    key_fields=watchers_key_fields,
)


def watching_key_of(row: Watching) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return watching_key(row.user_id, row.since, row.project_id, row.number)


def watching_row(key: bytes, cell: bytes) -> Watching:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return Watching(*watching_key_fields(key))


WATCHING: Final = TableSpec[Watching](
    layout=TableLayout(id=36, name="watching", int_key=False, key_width=28, heap=False),
    role="derived",
    key_of=watching_key_of,
    cell_of=_no_bytes,
    row=watching_row,
    key_fields=watching_key_fields,
)


def audit_key_of(row: Audit) -> int:
    """The stored key of a row. Raises RangeError."""
    return audit_key(row.entry)


AUDIT: Final = TableSpec[Audit](
    layout=TableLayout(id=37, name="audit", int_key=True, key_width=None, heap=True),
    role="primary",
    key_of=audit_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_AUDIT.encode,
    decode=_AUDIT.decode,
    key_fields=audit_key_fields,
)


def audit_by_issue_key_of(row: AuditByIssue) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return audit_by_issue_key(row.project_id, row.number, row.entry)


def audit_by_issue_row(key: bytes, cell: bytes) -> AuditByIssue:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return AuditByIssue(*audit_by_issue_key_fields(key))


AUDIT_BY_ISSUE: Final = TableSpec[AuditByIssue](
    layout=TableLayout(id=38, name="audit_by_issue", int_key=False, key_width=20, heap=False),
    role="derived",
    key_of=audit_by_issue_key_of,
    cell_of=_no_bytes,
    row=audit_by_issue_row,
    key_fields=audit_by_issue_key_fields,
)


def projects_key_of(row: Projects) -> int:
    """The stored key of a row. Raises RangeError."""
    return projects_key(row.project_id)


PROJECTS: Final = TableSpec[Projects](
    layout=TableLayout(id=1, name="projects", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=projects_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_PROJECTS.encode,
    decode=_PROJECTS.decode,
    key_fields=projects_key_fields,
)


def project_slugs_key_of(row: ProjectSlugs) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return project_slugs_key(row.slug)


def project_slugs_cell_of(row: ProjectSlugs) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PROJECT_SLUGS.encode(row.project_id)


def project_slugs_row(key: bytes, cell: bytes) -> ProjectSlugs:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return ProjectSlugs(*project_slugs_key_fields(key), *packed.PROJECT_SLUGS.decode(cell))


PROJECT_SLUGS: Final = TableSpec[ProjectSlugs](
    layout=TableLayout(id=2, name="project_slugs", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=project_slugs_key_of,
    cell_of=project_slugs_cell_of,
    row=project_slugs_row,
    key_fields=project_slugs_key_fields,
)


def users_key_of(row: Users) -> int:
    """The stored key of a row. Raises RangeError."""
    return users_key(row.user_id)


USERS: Final = TableSpec[Users](
    layout=TableLayout(id=3, name="users", int_key=True, key_width=None, heap=False),
    role="primary",
    key_of=users_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_USERS.encode,
    decode=_USERS.decode,
    key_fields=users_key_fields,
)


def users_by_login_key_of(row: UsersByLogin) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return users_by_login_key(row.login)


def users_by_login_cell_of(row: UsersByLogin) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.USERS_BY_LOGIN.encode(row.user_id)


def users_by_login_row(key: bytes, cell: bytes) -> UsersByLogin:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return UsersByLogin(*users_by_login_key_fields(key), *packed.USERS_BY_LOGIN.decode(cell))


USERS_BY_LOGIN: Final = TableSpec[UsersByLogin](
    layout=TableLayout(id=4, name="users_by_login", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=users_by_login_key_of,
    cell_of=users_by_login_cell_of,
    row=users_by_login_row,
    key_fields=users_by_login_key_fields,
)


def users_by_name_key_of(row: UsersByName) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return users_by_name_key(row.name, row.user_id)


def users_by_name_cell_of(row: UsersByName) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.USERS_BY_NAME.encode(row.avatar)


def users_by_name_row(key: bytes, cell: bytes) -> UsersByName:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return UsersByName(*users_by_name_key_fields(key), *packed.USERS_BY_NAME.decode(cell))


USERS_BY_NAME: Final = TableSpec[UsersByName](
    layout=TableLayout(id=5, name="users_by_name", int_key=False, key_width=None, heap=False),
    role="derived",
    key_of=users_by_name_key_of,
    cell_of=users_by_name_cell_of,
    row=users_by_name_row,
    key_fields=users_by_name_key_fields,
)


def labels_key_of(row: Labels) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return labels_key(row.project_id, row.label)


def labels_cell_of(row: Labels) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.LABELS.encode(row.name, row.colour)


def labels_row(key: bytes, cell: bytes) -> Labels:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Labels(*labels_key_fields(key), *packed.LABELS.decode(cell))


LABELS: Final = TableSpec[Labels](
    layout=TableLayout(id=6, name="labels", int_key=False, key_width=12, heap=False),
    role="primary",
    key_of=labels_key_of,
    cell_of=labels_cell_of,
    row=labels_row,
    key_fields=labels_key_fields,
)


def milestones_key_of(row: Milestones) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return milestones_key(row.project_id, row.milestone)


MILESTONES: Final = TableSpec[Milestones](
    layout=TableLayout(id=7, name="milestones", int_key=False, key_width=10, heap=False),
    role="primary",
    key_of=milestones_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_MILESTONES.encode,
    decode=_MILESTONES.decode,
    key_fields=milestones_key_fields,
)


def milestones_due_key_of(row: MilestonesDue) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return milestones_due_key(row.due_at, row.project_id, row.milestone)


def milestones_due_row(key: bytes, cell: bytes) -> MilestonesDue:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return MilestonesDue(*milestones_due_key_fields(key))


MILESTONES_DUE: Final = TableSpec[MilestonesDue](
    layout=TableLayout(id=8, name="milestones_due", int_key=False, key_width=18, heap=False),
    role="derived",
    key_of=milestones_due_key_of,
    cell_of=_no_bytes,
    row=milestones_due_row,
    key_fields=milestones_due_key_fields,
)


def stars_key_of(row: Stars) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return stars_key(row.user_id, row.project_id)


def stars_row(key: bytes, cell: bytes) -> Stars:
    """The row of a stored key; there is no value. Raises KeyCorrupt."""
    return Stars(*stars_key_fields(key))


STARS: Final = TableSpec[Stars](
    layout=TableLayout(id=9, name="stars", int_key=False, key_width=16, heap=False),
    role="primary",
    key_of=stars_key_of,
    cell_of=_no_bytes,
    row=stars_row,
    key_fields=stars_key_fields,
)


def star_counts_key_of(row: StarCounts) -> int:
    """The stored key of a row. Raises RangeError."""
    return star_counts_key(row.project_id)


def star_counts_cell_of(row: StarCounts) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.STAR_COUNTS.encode(row.stars)


def star_counts_row(key: int, cell: bytes) -> StarCounts:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return StarCounts(*star_counts_key_fields(key), *packed.STAR_COUNTS.decode(cell))


STAR_COUNTS: Final = TableSpec[StarCounts](
    layout=TableLayout(id=10, name="star_counts", int_key=True, key_width=None, heap=False),
    role="derived",
    key_of=star_counts_key_of,
    cell_of=star_counts_cell_of,
    row=star_counts_row,
    key_fields=star_counts_key_fields,
)


def preferences_key_of(row: Preferences) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return preferences_key(row.user_id, row.name)


def preferences_cell_of(row: Preferences) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PREFERENCES.encode(row.value, row.raw)


def preferences_row(key: bytes, cell: bytes) -> Preferences:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Preferences(*preferences_key_fields(key), *packed.PREFERENCES.decode(cell))


PREFERENCES: Final = TableSpec[Preferences](
    layout=TableLayout(id=11, name="preferences", int_key=False, key_width=None, heap=False),
    role="primary",
    key_of=preferences_key_of,
    cell_of=preferences_cell_of,
    row=preferences_row,
    key_fields=preferences_key_fields,
)


def notices_key_of(row: Notices) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return notices_key(row.user_id, row.at, row.digest)


NOTICES: Final = TableSpec[Notices](
    layout=TableLayout(id=12, name="notices", int_key=False, key_width=None, heap=False),
    role="primary",
    key_of=notices_key_of,
    cell_of=_whole,
    row=_cell,
    encode=_NOTICES.encode,
    decode=_NOTICES.decode,
    key_fields=notices_key_fields,
)


def issue_numbers_key_of(row: IssueNumbers) -> int:
    """The stored key of a row. Raises RangeError."""
    return issue_numbers_key(row.project_id)


def issue_numbers_cell_of(row: IssueNumbers) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.ISSUE_NUMBERS.encode(row.next)


def issue_numbers_row(key: int, cell: bytes) -> IssueNumbers:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return IssueNumbers(*issue_numbers_key_fields(key), *packed.ISSUE_NUMBERS.decode(cell))


ISSUE_NUMBERS: Final = TableSpec[IssueNumbers](
    layout=TableLayout(id=101, name="issue_numbers", int_key=True, key_width=None, heap=False),
    role="sequence",
    key_of=issue_numbers_key_of,
    cell_of=issue_numbers_cell_of,
    row=issue_numbers_row,
    key_fields=issue_numbers_key_fields,
)


def comment_numbers_key_of(row: CommentNumbers) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return comment_numbers_key(row.project_id, row.number)


def comment_numbers_cell_of(row: CommentNumbers) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.COMMENT_NUMBERS.encode(row.next)


def comment_numbers_row(key: bytes, cell: bytes) -> CommentNumbers:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return CommentNumbers(*comment_numbers_key_fields(key), *packed.COMMENT_NUMBERS.decode(cell))


COMMENT_NUMBERS: Final = TableSpec[CommentNumbers](
    layout=TableLayout(id=102, name="comment_numbers", int_key=False, key_width=12, heap=False),
    role="sequence",
    key_of=comment_numbers_key_of,
    cell_of=comment_numbers_cell_of,
    row=comment_numbers_row,
    key_fields=comment_numbers_key_fields,
)


def audit_entries_key_of(row: AuditEntries) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return audit_entries_key()


def audit_entries_cell_of(row: AuditEntries) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.AUDIT_ENTRIES.encode(row.next)


def audit_entries_row(key: bytes, cell: bytes) -> AuditEntries:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return AuditEntries(*audit_entries_key_fields(key), *packed.AUDIT_ENTRIES.decode(cell))


AUDIT_ENTRIES: Final = TableSpec[AuditEntries](
    layout=TableLayout(id=103, name="audit_entries", int_key=False, key_width=0, heap=False),
    role="sequence",
    key_of=audit_entries_key_of,
    cell_of=audit_entries_cell_of,
    row=audit_entries_row,
    key_fields=audit_entries_key_fields,
)


def account_key_of(row: Account) -> bytes:
    """The stored key of a row. Raises RangeError."""
    return account_key()


def account_cell_of(row: Account) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.ACCOUNT.encode(row.rev, row.at)


def account_row(key: bytes, cell: bytes) -> Account:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Account(*account_key_fields(key), *packed.ACCOUNT.decode(cell))


ACCOUNT: Final = TableSpec[Account](
    layout=TableLayout(id=110, name="account", int_key=False, key_width=0, heap=False),
    role="cursor",
    key_of=account_key_of,
    cell_of=account_cell_of,
    row=account_row,
    key_fields=account_key_fields,
)


def project_key_of(row: Project) -> int:
    """The stored key of a row. Raises RangeError."""
    return project_key(row.project_id)


def project_cell_of(row: Project) -> bytes:
    """The stored value of a row. Raises RangeError."""
    return packed.PROJECT.encode(row.rev)


def project_row(key: int, cell: bytes) -> Project:
    """The row of a stored key and value. Raises KeyCorrupt, RecordCorrupt."""
    return Project(*project_key_fields(key), *packed.PROJECT.decode(cell))


PROJECT: Final = TableSpec[Project](
    layout=TableLayout(id=111, name="project", int_key=True, key_width=None, heap=False),
    role="cursor",
    key_of=project_key_of,
    cell_of=project_cell_of,
    row=project_row,
    key_fields=project_key_fields,
)


ALL: Final[tuple[TableSpec[Any], ...]] = (
    ISSUES,
    BY_STATE,
    BY_LABEL,
    BY_PRIORITY,
    BY_ASSIGNEE,
    BY_FLAG,
    BOARD_CELLS,
    STATE_COUNTS,
    LABEL_COUNTS,
    NEWEST_ACTIVE,
    FRONT,
    COMMENTS,
    COMMENT_IDS,
    BY_AUTHOR,
    LATEST_COMMENT,
    WATCHERS,
    WATCHING,
    AUDIT,
    AUDIT_BY_ISSUE,
    PROJECTS,
    PROJECT_SLUGS,
    USERS,
    USERS_BY_LOGIN,
    USERS_BY_NAME,
    LABELS,
    MILESTONES,
    MILESTONES_DUE,
    STARS,
    STAR_COUNTS,
    PREFERENCES,
    NOTICES,
    ISSUE_NUMBERS,
    COMMENT_NUMBERS,
    AUDIT_ENTRIES,
    ACCOUNT,
    PROJECT,
)
