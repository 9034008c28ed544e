# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The tables of the schema 'tracker'.

A reader reads the last commit. Inside a transaction its table sees the transaction's own writes as well; what
derived tables hold is brought up to date when they are read.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pillarbox.codec import successor
from pillarbox.maintainers import Identity, SequenceTable
from pillarbox.storage import Engine
from pillarbox.tables import DerivedTable, Put, TableReader, TableWriter, TouchLog
from pillarbox_tracker import packed, specs
from pillarbox_tracker.checks import (
    check_audit,
    check_comments,
    check_issues,
    check_milestones,
    check_notices,
    check_projects,
    check_users,
)
from pillarbox_tracker.keys import (
    AuditByIssueKey,
    BoardCellsKey,
    ByAssigneeKey,
    ByAuthorKey,
    ByFlagKey,
    ByLabelKey,
    ByPriorityKey,
    ByStateKey,
    CommentIdsKey,
    CommentNumbersKey,
    CommentsKey,
    IssuesKey,
    LabelCountsKey,
    LabelsKey,
    LatestCommentKey,
    MilestonesDueKey,
    MilestonesKey,
    NoticesKey,
    PreferencesKey,
    StarsKey,
    StateCountsKey,
    UsersByNameKey,
    WatchersKey,
    WatchingKey,
    account_key,
    audit_by_issue_key,
    audit_by_issue_prefix_1,
    audit_by_issue_prefix_2,
    audit_entries_key,
    audit_key,
    board_cells_key,
    board_cells_prefix_1,
    board_cells_prefix_2,
    board_cells_prefix_3,
    board_cells_prefix_4,
    by_assignee_key,
    by_assignee_prefix_1,
    by_assignee_prefix_2,
    by_assignee_prefix_3,
    by_author_key,
    by_author_prefix_1,
    by_author_prefix_2,
    by_author_prefix_3,
    by_author_prefix_4,
    by_flag_key,
    by_flag_prefix_1,
    by_flag_prefix_2,
    by_label_key,
    by_label_prefix_1,
    by_label_prefix_2,
    by_label_prefix_3,
    by_priority_key,
    by_priority_prefix_1,
    by_priority_prefix_2,
    by_priority_prefix_3,
    by_state_key,
    by_state_prefix_1,
    by_state_prefix_2,
    by_state_prefix_3,
    comment_ids_key,
    comment_ids_prefix_1,
    comment_ids_prefix_2,
    comment_numbers_key,
    comment_numbers_prefix_1,
    comments_key,
    comments_prefix_1,
    comments_prefix_2,
    comments_prefix_3,
    front_key,
    issue_numbers_key,
    issues_key,
    issues_prefix_1,
    label_counts_key,
    label_counts_prefix_1,
    labels_key,
    labels_prefix_1,
    latest_comment_key,
    latest_comment_prefix_1,
    milestones_due_key,
    milestones_due_prefix_1,
    milestones_due_prefix_2,
    milestones_key,
    milestones_prefix_1,
    newest_active_key,
    notices_key,
    notices_prefix_1,
    notices_prefix_2,
    preferences_key,
    preferences_prefix_1,
    project_key,
    project_slugs_key,
    projects_key,
    star_counts_key,
    stars_key,
    stars_prefix_1,
    state_counts_key,
    state_counts_prefix_1,
    users_by_login_key,
    users_by_name_key,
    users_by_name_prefix_1,
    users_key,
    watchers_key,
    watchers_prefix_1,
    watchers_prefix_2,
    watching_key,
    watching_prefix_1,
    watching_prefix_2,
    watching_prefix_3,
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
    Digest,
    Front,
    IssueNumbers,
    Issues,
    LabelCounts,
    Labels,
    LatestComment,
    Login,
    Milestones,
    MilestonesDue,
    NewestActive,
    Notices,
    Preferences,
    Priority,
    Project,
    ProjectId,
    Projects,
    ProjectSlugs,
    StarCounts,
    Stars,
    State,
    StateCounts,
    UserId,
    Users,
    UsersByLogin,
    UsersByName,
    Watchers,
    Watching,
)


class IssuesReader(TableReader[Issues]):
    """Reads `issues`. One issue."""

    __slots__ = ()
    SPEC = specs.ISSUES

    def get(self, project_id: ProjectId, number: int) -> Issues | None:
        """The row with this key, or None."""
        return self.row_at(issues_key(project_id, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: IssuesKey | None = None,
        before: IssuesKey | None = None,
        limit: int | None = None,
    ) -> list[Issues]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else issues_key(*after),
            before=None if before is None else issues_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: IssuesKey | None = None,
        before: IssuesKey | None = None,
        limit: int | None = None,
    ) -> list[Issues]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            issues_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else issues_key(*after),
            before=None if before is None else issues_key(*before),
            limit=limit,
        )


class IssuesTable(TableWriter[Issues], IssuesReader):
    """`issues` inside a transaction."""

    __slots__ = ("_next_issue_numbers",)

    def __init__(self, engine: Engine, log: TouchLog, next_issue_numbers: IssueNumbersSequence) -> None:
        super().__init__(engine, log)
        self._next_issue_numbers = next_issue_numbers

    def put(self, row: Issues) -> Issues:
        """Write a row; gives it as stored, numbers filled in. Raises RangeError, having written nothing."""
        return self.put_was(row).row

    def put_was(self, row: Issues) -> Put[Issues]:
        """As `put`; gives the row that it replaced as well."""
        check_issues(row)
        if row.number == 0:
            row = self._numbered_number(row)
        key = issues_key(row.project_id, row.number)
        was = self.cell(key)
        self.put_cell(key, row)
        return Put(was, row)

    def probe(self, rows: Sequence[Issues]) -> None:
        """Read at once what putting each of these rows will ask for."""
        named = [row for row in rows if row.number != 0]
        self.preload([issues_key(row.project_id, row.number) for row in named])
        self._next_issue_numbers.preload(
            [issue_numbers_key(row.project_id) for row in rows if row.number == 0],
        )

    def _numbered_number(self, row: Issues) -> Issues:
        """The row under the next `number` that no other row has."""
        issues_key(row.project_id, row.number)  # A row that does not fit takes no number.
        group = issue_numbers_key(row.project_id)
        while True:
            row = replace(row, number=self._next_issue_numbers.take(group))
            if self.cell(issues_key(row.project_id, row.number)) is None:
                return row

    def replaced_by(self, row: Issues) -> Issues | None:
        """The row that putting this one would replace, or None."""
        if row.number == 0:
            return None
        return self.row_at(issues_key(row.project_id, row.number))

    def remove(self, project_id: ProjectId, number: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(issues_key(project_id, number), None)

    def remove_of_project(self, project_id: ProjectId) -> int:
        """Remove the rows with this `project_id`; gives how many there were."""
        return self._remove_under(issues_prefix_1(project_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class ByStateReader(TableReader[ByState]):
    """Reads `by_state`."""

    __slots__ = ()
    SPEC = specs.BY_STATE

    def get(self, project_id: ProjectId, state: State, updated_at: int, number: int) -> ByState | None:
        """The row with this key, or None."""
        return self.row_at(by_state_key(project_id, state, updated_at, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ByStateKey | None = None,
        before: ByStateKey | None = None,
        limit: int | None = None,
    ) -> list[ByState]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else by_state_key(*after),
            before=None if before is None else by_state_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: ByStateKey | None = None,
        before: ByStateKey | None = None,
        limit: int | None = None,
    ) -> list[ByState]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            by_state_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else by_state_key(*after),
            before=None if before is None else by_state_key(*before),
            limit=limit,
        )

    def of_state(
        self,
        project_id: ProjectId,
        state: State,
        *,
        newest_first: bool = False,
        after: ByStateKey | None = None,
        before: ByStateKey | None = None,
        limit: int | None = None,
    ) -> list[ByState]:
        """The rows with this `project_id` and `state`; the options are those of `all`."""
        return self.rows_under(
            by_state_prefix_2(project_id, state),
            newest_first=newest_first,
            after=None if after is None else by_state_key(*after),
            before=None if before is None else by_state_key(*before),
            limit=limit,
        )

    def of_updated_at(
        self,
        project_id: ProjectId,
        state: State,
        updated_at: int,
        *,
        newest_first: bool = False,
        after: ByStateKey | None = None,
        before: ByStateKey | None = None,
        limit: int | None = None,
    ) -> list[ByState]:
        """The rows with this `project_id`, `state` and `updated_at`; the options are those of `all`."""
        return self.rows_under(
            by_state_prefix_3(project_id, state, updated_at),
            newest_first=newest_first,
            after=None if after is None else by_state_key(*after),
            before=None if before is None else by_state_key(*before),
            limit=limit,
        )


class ByStateDerived(DerivedTable[ByState], ByStateReader):
    """`by_state` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ByLabelReader(TableReader[ByLabel]):
    """Reads `by_label`. Open issues under each of their labels, the most recently touched last."""

    __slots__ = ()
    SPEC = specs.BY_LABEL

    def get(self, project_id: ProjectId, label: int, updated_at: int, number: int) -> ByLabel | None:
        """The row with this key, or None."""
        return self.row_at(by_label_key(project_id, label, updated_at, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ByLabelKey | None = None,
        before: ByLabelKey | None = None,
        limit: int | None = None,
    ) -> list[ByLabel]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else by_label_key(*after),
            before=None if before is None else by_label_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: ByLabelKey | None = None,
        before: ByLabelKey | None = None,
        limit: int | None = None,
    ) -> list[ByLabel]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            by_label_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else by_label_key(*after),
            before=None if before is None else by_label_key(*before),
            limit=limit,
        )

    def of_label(
        self,
        project_id: ProjectId,
        label: int,
        *,
        newest_first: bool = False,
        after: ByLabelKey | None = None,
        before: ByLabelKey | None = None,
        limit: int | None = None,
    ) -> list[ByLabel]:
        """The rows with this `project_id` and `label`; the options are those of `all`."""
        return self.rows_under(
            by_label_prefix_2(project_id, label),
            newest_first=newest_first,
            after=None if after is None else by_label_key(*after),
            before=None if before is None else by_label_key(*before),
            limit=limit,
        )

    def of_updated_at(
        self,
        project_id: ProjectId,
        label: int,
        updated_at: int,
        *,
        newest_first: bool = False,
        after: ByLabelKey | None = None,
        before: ByLabelKey | None = None,
        limit: int | None = None,
    ) -> list[ByLabel]:
        """The rows with this `project_id`, `label` and `updated_at`; the options are those of `all`."""
        return self.rows_under(
            by_label_prefix_3(project_id, label, updated_at),
            newest_first=newest_first,
            after=None if after is None else by_label_key(*after),
            before=None if before is None else by_label_key(*before),
            limit=limit,
        )


class ByLabelDerived(DerivedTable[ByLabel], ByLabelReader):
    """`by_label` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ByPriorityReader(TableReader[ByPriority]):
    """Reads `by_priority`. What should be done next is last, the loudest of them and of those the oldest."""

    __slots__ = ()
    SPEC = specs.BY_PRIORITY

    def get(
        self,
        project_id: ProjectId,
        priority: Priority,
        created_at: int,
        number: int,
    ) -> ByPriority | None:
        """The row with this key, or None."""
        return self.row_at(by_priority_key(project_id, priority, created_at, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ByPriorityKey | None = None,
        before: ByPriorityKey | None = None,
        limit: int | None = None,
    ) -> list[ByPriority]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else by_priority_key(*after),
            before=None if before is None else by_priority_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: ByPriorityKey | None = None,
        before: ByPriorityKey | None = None,
        limit: int | None = None,
    ) -> list[ByPriority]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            by_priority_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else by_priority_key(*after),
            before=None if before is None else by_priority_key(*before),
            limit=limit,
        )

    def of_priority(
        self,
        project_id: ProjectId,
        priority: Priority,
        *,
        newest_first: bool = False,
        after: ByPriorityKey | None = None,
        before: ByPriorityKey | None = None,
        limit: int | None = None,
    ) -> list[ByPriority]:
        """The rows with this `project_id` and `priority`; the options are those of `all`."""
        return self.rows_under(
            by_priority_prefix_2(project_id, priority),
            newest_first=newest_first,
            after=None if after is None else by_priority_key(*after),
            before=None if before is None else by_priority_key(*before),
            limit=limit,
        )

    def of_created_at(
        self,
        project_id: ProjectId,
        priority: Priority,
        created_at: int,
        *,
        newest_first: bool = False,
        after: ByPriorityKey | None = None,
        before: ByPriorityKey | None = None,
        limit: int | None = None,
    ) -> list[ByPriority]:
        """The rows with this `project_id`, `priority` and `created_at`; the options are those of `all`."""
        return self.rows_under(
            by_priority_prefix_3(project_id, priority, created_at),
            newest_first=newest_first,
            after=None if after is None else by_priority_key(*after),
            before=None if before is None else by_priority_key(*before),
            limit=limit,
        )


class ByPriorityDerived(DerivedTable[ByPriority], ByPriorityReader):
    """`by_priority` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ByAssigneeReader(TableReader[ByAssignee]):
    """Reads `by_assignee`."""

    __slots__ = ()
    SPEC = specs.BY_ASSIGNEE

    def get(
        self,
        assignee_id: UserId,
        updated_at: int,
        project_id: ProjectId,
        number: int,
    ) -> ByAssignee | None:
        """The row with this key, or None."""
        return self.row_at(by_assignee_key(assignee_id, updated_at, project_id, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ByAssigneeKey | None = None,
        before: ByAssigneeKey | None = None,
        limit: int | None = None,
    ) -> list[ByAssignee]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else by_assignee_key(*after),
            before=None if before is None else by_assignee_key(*before),
            limit=limit,
        )

    def of_assignee(
        self,
        assignee_id: UserId,
        *,
        newest_first: bool = False,
        after: ByAssigneeKey | None = None,
        before: ByAssigneeKey | None = None,
        limit: int | None = None,
    ) -> list[ByAssignee]:
        """The rows with this `assignee_id`; the options are those of `all`."""
        return self.rows_under(
            by_assignee_prefix_1(assignee_id),
            newest_first=newest_first,
            after=None if after is None else by_assignee_key(*after),
            before=None if before is None else by_assignee_key(*before),
            limit=limit,
        )

    def of_updated_at(
        self,
        assignee_id: UserId,
        updated_at: int,
        *,
        newest_first: bool = False,
        after: ByAssigneeKey | None = None,
        before: ByAssigneeKey | None = None,
        limit: int | None = None,
    ) -> list[ByAssignee]:
        """The rows with this `assignee_id` and `updated_at`; the options are those of `all`."""
        return self.rows_under(
            by_assignee_prefix_2(assignee_id, updated_at),
            newest_first=newest_first,
            after=None if after is None else by_assignee_key(*after),
            before=None if before is None else by_assignee_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        assignee_id: UserId,
        updated_at: int,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: ByAssigneeKey | None = None,
        before: ByAssigneeKey | None = None,
        limit: int | None = None,
    ) -> list[ByAssignee]:
        """The rows with this `assignee_id`, `updated_at` and `project_id`; the options are those of `all`."""
        return self.rows_under(
            by_assignee_prefix_3(assignee_id, updated_at, project_id),
            newest_first=newest_first,
            after=None if after is None else by_assignee_key(*after),
            before=None if before is None else by_assignee_key(*before),
            limit=limit,
        )


class ByAssigneeDerived(DerivedTable[ByAssignee], ByAssigneeReader):
    """`by_assignee` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ByFlagReader(TableReader[ByFlag]):
    """Reads `by_flag`."""

    __slots__ = ()
    SPEC = specs.BY_FLAG

    def get(self, flag: int, project_id: ProjectId, number: int) -> ByFlag | None:
        """The row with this key, or None."""
        return self.row_at(by_flag_key(flag, project_id, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ByFlagKey | None = None,
        before: ByFlagKey | None = None,
        limit: int | None = None,
    ) -> list[ByFlag]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else by_flag_key(*after),
            before=None if before is None else by_flag_key(*before),
            limit=limit,
        )

    def of_flag(
        self,
        flag: int,
        *,
        newest_first: bool = False,
        after: ByFlagKey | None = None,
        before: ByFlagKey | None = None,
        limit: int | None = None,
    ) -> list[ByFlag]:
        """The rows with this `flag`; the options are those of `all`."""
        return self.rows_under(
            by_flag_prefix_1(flag),
            newest_first=newest_first,
            after=None if after is None else by_flag_key(*after),
            before=None if before is None else by_flag_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        flag: int,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: ByFlagKey | None = None,
        before: ByFlagKey | None = None,
        limit: int | None = None,
    ) -> list[ByFlag]:
        """The rows with this `flag` and `project_id`; the options are those of `all`."""
        return self.rows_under(
            by_flag_prefix_2(flag, project_id),
            newest_first=newest_first,
            after=None if after is None else by_flag_key(*after),
            before=None if before is None else by_flag_key(*before),
            limit=limit,
        )


class ByFlagDerived(DerivedTable[ByFlag], ByFlagReader):
    """`by_flag` inside a transaction. Only the store writes it."""

    __slots__ = ()


class BoardCellsReader(TableReader[BoardCells]):
    """Reads `board_cells`. One row for each label in each milestone of an issue; 0 stands for no label."""

    __slots__ = ()
    SPEC = specs.BOARD_CELLS

    def get(
        self,
        project_id: ProjectId,
        column: int,
        label: int,
        loud: bool,
        number: int,
    ) -> BoardCells | None:
        """The row with this key, or None."""
        return self.row_at(board_cells_key(project_id, column, label, loud, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: BoardCellsKey | None = None,
        before: BoardCellsKey | None = None,
        limit: int | None = None,
    ) -> list[BoardCells]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else board_cells_key(*after),
            before=None if before is None else board_cells_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: BoardCellsKey | None = None,
        before: BoardCellsKey | None = None,
        limit: int | None = None,
    ) -> list[BoardCells]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            board_cells_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else board_cells_key(*after),
            before=None if before is None else board_cells_key(*before),
            limit=limit,
        )

    def of_column(
        self,
        project_id: ProjectId,
        column: int,
        *,
        newest_first: bool = False,
        after: BoardCellsKey | None = None,
        before: BoardCellsKey | None = None,
        limit: int | None = None,
    ) -> list[BoardCells]:
        """The rows with this `project_id` and `column`; the options are those of `all`."""
        return self.rows_under(
            board_cells_prefix_2(project_id, column),
            newest_first=newest_first,
            after=None if after is None else board_cells_key(*after),
            before=None if before is None else board_cells_key(*before),
            limit=limit,
        )

    def of_label(
        self,
        project_id: ProjectId,
        column: int,
        label: int,
        *,
        newest_first: bool = False,
        after: BoardCellsKey | None = None,
        before: BoardCellsKey | None = None,
        limit: int | None = None,
    ) -> list[BoardCells]:
        """The rows with this `project_id`, `column` and `label`; the options are those of `all`."""
        return self.rows_under(
            board_cells_prefix_3(project_id, column, label),
            newest_first=newest_first,
            after=None if after is None else board_cells_key(*after),
            before=None if before is None else board_cells_key(*before),
            limit=limit,
        )

    def of_loud(
        self,
        project_id: ProjectId,
        column: int,
        label: int,
        loud: bool,
        *,
        newest_first: bool = False,
        after: BoardCellsKey | None = None,
        before: BoardCellsKey | None = None,
        limit: int | None = None,
    ) -> list[BoardCells]:
        """The rows with this `project_id`, `column`, `label` and `loud`; the options are those of `all`."""
        return self.rows_under(
            board_cells_prefix_4(project_id, column, label, loud),
            newest_first=newest_first,
            after=None if after is None else board_cells_key(*after),
            before=None if before is None else board_cells_key(*before),
            limit=limit,
        )


class BoardCellsDerived(DerivedTable[BoardCells], BoardCellsReader):
    """`board_cells` inside a transaction. Only the store writes it."""

    __slots__ = ()


class StateCountsReader(TableReader[StateCounts]):
    """Reads `state_counts`."""

    __slots__ = ()
    SPEC = specs.STATE_COUNTS

    def get(self, project_id: ProjectId, state: State) -> StateCounts | None:
        """The row with this key, or None."""
        return self.row_at(state_counts_key(project_id, state))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: StateCountsKey | None = None,
        before: StateCountsKey | None = None,
        limit: int | None = None,
    ) -> list[StateCounts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else state_counts_key(*after),
            before=None if before is None else state_counts_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: StateCountsKey | None = None,
        before: StateCountsKey | None = None,
        limit: int | None = None,
    ) -> list[StateCounts]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            state_counts_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else state_counts_key(*after),
            before=None if before is None else state_counts_key(*before),
            limit=limit,
        )


class StateCountsDerived(DerivedTable[StateCounts], StateCountsReader):
    """`state_counts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class LabelCountsReader(TableReader[LabelCounts]):
    """Reads `label_counts`."""

    __slots__ = ()
    SPEC = specs.LABEL_COUNTS

    def get(self, project_id: ProjectId, label: int) -> LabelCounts | None:
        """The row with this key, or None."""
        return self.row_at(label_counts_key(project_id, label))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: LabelCountsKey | None = None,
        before: LabelCountsKey | None = None,
        limit: int | None = None,
    ) -> list[LabelCounts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else label_counts_key(*after),
            before=None if before is None else label_counts_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: LabelCountsKey | None = None,
        before: LabelCountsKey | None = None,
        limit: int | None = None,
    ) -> list[LabelCounts]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            label_counts_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else label_counts_key(*after),
            before=None if before is None else label_counts_key(*before),
            limit=limit,
        )


class LabelCountsDerived(DerivedTable[LabelCounts], LabelCountsReader):
    """`label_counts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class NewestActiveReader(TableReader[NewestActive]):
    """Reads `newest_active`. The issue of a project that was touched last, of those that are not closed."""

    __slots__ = ()
    SPEC = specs.NEWEST_ACTIVE

    def get(self, project_id: ProjectId) -> NewestActive | None:
        """The row with this key, or None."""
        return self.row_at(newest_active_key(project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ProjectId | None = None,
        before: ProjectId | None = None,
        limit: int | None = None,
    ) -> list[NewestActive]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else newest_active_key(after) + 1,
            None if before is None else newest_active_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class NewestActiveDerived(DerivedTable[NewestActive], NewestActiveReader):
    """`newest_active` inside a transaction. Only the store writes it."""

    __slots__ = ()


class FrontReader(TableReader[Front]):
    """Reads `front`. The five loudest open issues of a project, summed up."""

    __slots__ = ()
    SPEC = specs.FRONT

    def get(self, project_id: ProjectId) -> Front | None:
        """The row with this key, or None."""
        return self.row_at(front_key(project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ProjectId | None = None,
        before: ProjectId | None = None,
        limit: int | None = None,
    ) -> list[Front]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else front_key(after) + 1,
            None if before is None else front_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class FrontDerived(DerivedTable[Front], FrontReader):
    """`front` inside a transaction. Only the store writes it."""

    __slots__ = ()


class CommentsReader(TableReader[Comments]):
    """Reads `comments`. One comment, oldest first within its issue."""

    __slots__ = ()
    SPEC = specs.COMMENTS

    def get(self, project_id: ProjectId, number: int, posted_at: int, comment: int) -> Comments | None:
        """The row with this key, or None."""
        return self.row_at(comments_key(project_id, number, posted_at, comment))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CommentsKey | None = None,
        before: CommentsKey | None = None,
        limit: int | None = None,
    ) -> list[Comments]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else comments_key(*after),
            before=None if before is None else comments_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: CommentsKey | None = None,
        before: CommentsKey | None = None,
        limit: int | None = None,
    ) -> list[Comments]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            comments_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else comments_key(*after),
            before=None if before is None else comments_key(*before),
            limit=limit,
        )

    def of_number(
        self,
        project_id: ProjectId,
        number: int,
        *,
        newest_first: bool = False,
        after: CommentsKey | None = None,
        before: CommentsKey | None = None,
        limit: int | None = None,
    ) -> list[Comments]:
        """The rows with this `project_id` and `number`; the options are those of `all`."""
        return self.rows_under(
            comments_prefix_2(project_id, number),
            newest_first=newest_first,
            after=None if after is None else comments_key(*after),
            before=None if before is None else comments_key(*before),
            limit=limit,
        )

    def of_posted_at(
        self,
        project_id: ProjectId,
        number: int,
        posted_at: int,
        *,
        newest_first: bool = False,
        after: CommentsKey | None = None,
        before: CommentsKey | None = None,
        limit: int | None = None,
    ) -> list[Comments]:
        """The rows with this `project_id`, `number` and `posted_at`; the options are those of `all`."""
        return self.rows_under(
            comments_prefix_3(project_id, number, posted_at),
            newest_first=newest_first,
            after=None if after is None else comments_key(*after),
            before=None if before is None else comments_key(*before),
            limit=limit,
        )


class CommentsTable(TableWriter[Comments], CommentsReader):
    """`comments` inside a transaction."""

    __slots__ = ("_identity", "_next_comment_numbers")

    def __init__(
        self,
        engine: Engine,
        log: TouchLog,
        identity: Identity[Comments],
        next_comment_numbers: CommentNumbersSequence,
    ) -> None:
        super().__init__(engine, log)
        self._identity = identity
        self._next_comment_numbers = next_comment_numbers

    def put(self, row: Comments) -> Comments:
        """Write a row; gives it as stored, numbers filled in. Raises RangeError, having written nothing."""
        return self.put_was(row).row

    def put_was(self, row: Comments) -> Put[Comments]:
        """As `put`; gives the row that it replaced as well."""
        check_comments(row)
        if row.comment == 0:
            row = self._numbered_comment(row)
        key = comments_key(row.project_id, row.number, row.posted_at, row.comment)
        owner = self._identity.owner(row)
        was = None if owner is None else self.cell(owner)
        self._identity.take(row)
        if owner is None:
            self.put_known(key, None, row)
        else:
            if owner != key:
                self.put_cell(owner, None)
            self.put_cell(key, row)
        return Put(was, row)

    def probe(self, rows: Sequence[Comments]) -> None:
        """Read at once what putting each of these rows will ask for."""
        named = [row for row in rows if row.comment != 0]
        self.preload(self._identity.preload(named))
        self._next_comment_numbers.preload(
            [comment_numbers_key(row.project_id, row.number) for row in rows if row.comment == 0],
        )

    def _numbered_comment(self, row: Comments) -> Comments:
        """The row under the next `comment` that no other row has."""
        comments_key(
            row.project_id,
            row.number,
            row.posted_at,
            row.comment,
        )  # A row that does not fit takes no number.
        group = comment_numbers_key(row.project_id, row.number)
        while True:
            row = replace(row, comment=self._next_comment_numbers.take(group))
            if self._identity.owner(row) is None:
                return row

    def replaced_by(self, row: Comments) -> Comments | None:
        """The row that putting this one would replace, or None."""
        if row.comment == 0:
            return None
        owner = self._identity.owner(row)
        return None if owner is None else self.row_at(owner)

    def remove(self, project_id: ProjectId, number: int, posted_at: int, comment: int) -> None:
        """Remove the row with this key, if there is one."""
        key = comments_key(project_id, number, posted_at, comment)
        old = self.cell(key)
        if old is not None:
            self._identity.release(old)
            self.put_known(key, old, None)

    def remove_of_project(self, project_id: ProjectId) -> int:
        """Remove the rows with this `project_id`; gives how many there were."""
        return self._remove_under(comments_prefix_1(project_id))

    def remove_of_number(self, project_id: ProjectId, number: int) -> int:
        """Remove the rows with this `project_id` and `number`; gives how many there were."""
        return self._remove_under(comments_prefix_2(project_id, number))

    def remove_of_posted_at(self, project_id: ProjectId, number: int, posted_at: int) -> int:
        """Remove the rows with this `project_id`, `number` and `posted_at`; gives how many there were."""
        return self._remove_under(comments_prefix_3(project_id, number, posted_at))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self._identity.release(cell)
            self.put_known(key, cell, None)
        return len(found)


class CommentIdsReader(TableReader[CommentIds]):
    """Reads `comment_ids`. A comment keeps its number when the server corrects the time it was posted at."""

    __slots__ = ()
    SPEC = specs.COMMENT_IDS

    def get(self, project_id: ProjectId, number: int, comment: int) -> CommentIds | None:
        """The row with this key, or None."""
        return self.row_at(comment_ids_key(project_id, number, comment))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CommentIdsKey | None = None,
        before: CommentIdsKey | None = None,
        limit: int | None = None,
    ) -> list[CommentIds]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else comment_ids_key(*after),
            before=None if before is None else comment_ids_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: CommentIdsKey | None = None,
        before: CommentIdsKey | None = None,
        limit: int | None = None,
    ) -> list[CommentIds]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            comment_ids_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else comment_ids_key(*after),
            before=None if before is None else comment_ids_key(*before),
            limit=limit,
        )

    def of_number(
        self,
        project_id: ProjectId,
        number: int,
        *,
        newest_first: bool = False,
        after: CommentIdsKey | None = None,
        before: CommentIdsKey | None = None,
        limit: int | None = None,
    ) -> list[CommentIds]:
        """The rows with this `project_id` and `number`; the options are those of `all`."""
        return self.rows_under(
            comment_ids_prefix_2(project_id, number),
            newest_first=newest_first,
            after=None if after is None else comment_ids_key(*after),
            before=None if before is None else comment_ids_key(*before),
            limit=limit,
        )


class CommentIdsDerived(DerivedTable[CommentIds], CommentIdsReader):
    """`comment_ids` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ByAuthorReader(TableReader[ByAuthor]):
    """Reads `by_author`."""

    __slots__ = ()
    SPEC = specs.BY_AUTHOR

    def get(
        self,
        author_id: UserId,
        posted_at: int,
        project_id: ProjectId,
        number: int,
        comment: int,
    ) -> ByAuthor | None:
        """The row with this key, or None."""
        return self.row_at(by_author_key(author_id, posted_at, project_id, number, comment))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ByAuthorKey | None = None,
        before: ByAuthorKey | None = None,
        limit: int | None = None,
    ) -> list[ByAuthor]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else by_author_key(*after),
            before=None if before is None else by_author_key(*before),
            limit=limit,
        )

    def of_author(
        self,
        author_id: UserId,
        *,
        newest_first: bool = False,
        after: ByAuthorKey | None = None,
        before: ByAuthorKey | None = None,
        limit: int | None = None,
    ) -> list[ByAuthor]:
        """The rows with this `author_id`; the options are those of `all`."""
        return self.rows_under(
            by_author_prefix_1(author_id),
            newest_first=newest_first,
            after=None if after is None else by_author_key(*after),
            before=None if before is None else by_author_key(*before),
            limit=limit,
        )

    def of_posted_at(
        self,
        author_id: UserId,
        posted_at: int,
        *,
        newest_first: bool = False,
        after: ByAuthorKey | None = None,
        before: ByAuthorKey | None = None,
        limit: int | None = None,
    ) -> list[ByAuthor]:
        """The rows with this `author_id` and `posted_at`; the options are those of `all`."""
        return self.rows_under(
            by_author_prefix_2(author_id, posted_at),
            newest_first=newest_first,
            after=None if after is None else by_author_key(*after),
            before=None if before is None else by_author_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        author_id: UserId,
        posted_at: int,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: ByAuthorKey | None = None,
        before: ByAuthorKey | None = None,
        limit: int | None = None,
    ) -> list[ByAuthor]:
        """The rows with this `author_id`, `posted_at` and `project_id`; the options are those of `all`."""
        return self.rows_under(
            by_author_prefix_3(author_id, posted_at, project_id),
            newest_first=newest_first,
            after=None if after is None else by_author_key(*after),
            before=None if before is None else by_author_key(*before),
            limit=limit,
        )

    def of_number(
        self,
        author_id: UserId,
        posted_at: int,
        project_id: ProjectId,
        number: int,
        *,
        newest_first: bool = False,
        after: ByAuthorKey | None = None,
        before: ByAuthorKey | None = None,
        limit: int | None = None,
    ) -> list[ByAuthor]:
        """The rows with this `author_id`, `posted_at`, `project_id` and `number`; the options are those of
        `all`.
        """
        return self.rows_under(
            by_author_prefix_4(author_id, posted_at, project_id, number),
            newest_first=newest_first,
            after=None if after is None else by_author_key(*after),
            before=None if before is None else by_author_key(*before),
            limit=limit,
        )


class ByAuthorDerived(DerivedTable[ByAuthor], ByAuthorReader):
    """`by_author` inside a transaction. Only the store writes it."""

    __slots__ = ()


class LatestCommentReader(TableReader[LatestComment]):
    """Reads `latest_comment`."""

    __slots__ = ()
    SPEC = specs.LATEST_COMMENT

    def get(self, project_id: ProjectId, number: int) -> LatestComment | None:
        """The row with this key, or None."""
        return self.row_at(latest_comment_key(project_id, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: LatestCommentKey | None = None,
        before: LatestCommentKey | None = None,
        limit: int | None = None,
    ) -> list[LatestComment]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else latest_comment_key(*after),
            before=None if before is None else latest_comment_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: LatestCommentKey | None = None,
        before: LatestCommentKey | None = None,
        limit: int | None = None,
    ) -> list[LatestComment]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            latest_comment_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else latest_comment_key(*after),
            before=None if before is None else latest_comment_key(*before),
            limit=limit,
        )


class LatestCommentDerived(DerivedTable[LatestComment], LatestCommentReader):
    """`latest_comment` inside a transaction. Only the store writes it."""

    __slots__ = ()


class WatchersReader(TableReader[Watchers]):
    """Reads `watchers`."""

    __slots__ = ()
    SPEC = specs.WATCHERS

    def get(self, project_id: ProjectId, number: int, user_id: UserId) -> Watchers | None:
        """The row with this key, or None."""
        return self.row_at(watchers_key(project_id, number, user_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: WatchersKey | None = None,
        before: WatchersKey | None = None,
        limit: int | None = None,
    ) -> list[Watchers]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else watchers_key(*after),
            before=None if before is None else watchers_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: WatchersKey | None = None,
        before: WatchersKey | None = None,
        limit: int | None = None,
    ) -> list[Watchers]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            watchers_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else watchers_key(*after),
            before=None if before is None else watchers_key(*before),
            limit=limit,
        )

    def of_number(
        self,
        project_id: ProjectId,
        number: int,
        *,
        newest_first: bool = False,
        after: WatchersKey | None = None,
        before: WatchersKey | None = None,
        limit: int | None = None,
    ) -> list[Watchers]:
        """The rows with this `project_id` and `number`; the options are those of `all`."""
        return self.rows_under(
            watchers_prefix_2(project_id, number),
            newest_first=newest_first,
            after=None if after is None else watchers_key(*after),
            before=None if before is None else watchers_key(*before),
            limit=limit,
        )


class WatchersTable(TableWriter[Watchers], WatchersReader):
    """`watchers` inside a transaction."""

    __slots__ = ()

    def put(self, row: Watchers) -> Watchers:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(
            watchers_key(row.project_id, row.number, row.user_id),
            packed.WATCHERS.encode(row.since, row.muted_until, row.wants),
        )
        return row

    def put_was(self, row: Watchers) -> Put[Watchers]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Watchers) -> Watchers | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(watchers_key(row.project_id, row.number, row.user_id))

    def remove(self, project_id: ProjectId, number: int, user_id: UserId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(watchers_key(project_id, number, user_id), None)

    def remove_of_project(self, project_id: ProjectId) -> int:
        """Remove the rows with this `project_id`; gives how many there were."""
        return self._remove_under(watchers_prefix_1(project_id))

    def remove_of_number(self, project_id: ProjectId, number: int) -> int:
        """Remove the rows with this `project_id` and `number`; gives how many there were."""
        return self._remove_under(watchers_prefix_2(project_id, number))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class WatchingReader(TableReader[Watching]):
    """Reads `watching`."""

    __slots__ = ()
    SPEC = specs.WATCHING

    def get(self, user_id: UserId, since: int, project_id: ProjectId, number: int) -> Watching | None:
        """The row with this key, or None."""
        return self.row_at(watching_key(user_id, since, project_id, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: WatchingKey | None = None,
        before: WatchingKey | None = None,
        limit: int | None = None,
    ) -> list[Watching]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else watching_key(*after),
            before=None if before is None else watching_key(*before),
            limit=limit,
        )

    def of_user(
        self,
        user_id: UserId,
        *,
        newest_first: bool = False,
        after: WatchingKey | None = None,
        before: WatchingKey | None = None,
        limit: int | None = None,
    ) -> list[Watching]:
        """The rows with this `user_id`; the options are those of `all`."""
        return self.rows_under(
            watching_prefix_1(user_id),
            newest_first=newest_first,
            after=None if after is None else watching_key(*after),
            before=None if before is None else watching_key(*before),
            limit=limit,
        )

    def of_since(
        self,
        user_id: UserId,
        since: int,
        *,
        newest_first: bool = False,
        after: WatchingKey | None = None,
        before: WatchingKey | None = None,
        limit: int | None = None,
    ) -> list[Watching]:
        """The rows with this `user_id` and `since`; the options are those of `all`."""
        return self.rows_under(
            watching_prefix_2(user_id, since),
            newest_first=newest_first,
            after=None if after is None else watching_key(*after),
            before=None if before is None else watching_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        user_id: UserId,
        since: int,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: WatchingKey | None = None,
        before: WatchingKey | None = None,
        limit: int | None = None,
    ) -> list[Watching]:
        """The rows with this `user_id`, `since` and `project_id`; the options are those of `all`."""
        return self.rows_under(
            watching_prefix_3(user_id, since, project_id),
            newest_first=newest_first,
            after=None if after is None else watching_key(*after),
            before=None if before is None else watching_key(*before),
            limit=limit,
        )


class WatchingDerived(DerivedTable[Watching], WatchingReader):
    """`watching` inside a transaction. Only the store writes it."""

    __slots__ = ()


class AuditReader(TableReader[Audit]):
    """Reads `audit`. What happened, in the order it happened here."""

    __slots__ = ()
    SPEC = specs.AUDIT

    def get(self, entry: int) -> Audit | None:
        """The row with this key, or None."""
        return self.row_at(audit_key(entry))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: int | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Audit]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else audit_key(after) + 1,
            None if before is None else audit_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class AuditTable(TableWriter[Audit], AuditReader):
    """`audit` inside a transaction."""

    __slots__ = ("_next_audit_entries",)

    def __init__(self, engine: Engine, log: TouchLog, next_audit_entries: AuditEntriesSequence) -> None:
        super().__init__(engine, log)
        self._next_audit_entries = next_audit_entries

    def put(self, row: Audit) -> Audit:
        """Write a row; gives it as stored, numbers filled in. Raises RangeError, having written nothing."""
        return self.put_was(row).row

    def put_was(self, row: Audit) -> Put[Audit]:
        """As `put`; gives the row that it replaced as well."""
        check_audit(row)
        if row.entry == 0:
            row = self._numbered_entry(row)
        key = audit_key(row.entry)
        was = self.cell(key)
        self.put_cell(key, row)
        return Put(was, row)

    def probe(self, rows: Sequence[Audit]) -> None:
        """Read at once what putting each of these rows will ask for."""
        named = [row for row in rows if row.entry != 0]
        self.preload([audit_key(row.entry) for row in named])

    def _numbered_entry(self, row: Audit) -> Audit:
        """The row under the next `entry` that no other row has."""
        audit_key(row.entry)  # A row that does not fit takes no number.
        group = audit_entries_key()
        while True:
            row = replace(row, entry=self._next_audit_entries.take(group))
            if self.cell(audit_key(row.entry)) is None:
                return row

    def replaced_by(self, row: Audit) -> Audit | None:
        """The row that putting this one would replace, or None."""
        if row.entry == 0:
            return None
        return self.row_at(audit_key(row.entry))

    def remove(self, entry: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(audit_key(entry), None)


class AuditByIssueReader(TableReader[AuditByIssue]):
    """Reads `audit_by_issue`."""

    __slots__ = ()
    SPEC = specs.AUDIT_BY_ISSUE

    def get(self, project_id: ProjectId, number: int, entry: int) -> AuditByIssue | None:
        """The row with this key, or None."""
        return self.row_at(audit_by_issue_key(project_id, number, entry))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: AuditByIssueKey | None = None,
        before: AuditByIssueKey | None = None,
        limit: int | None = None,
    ) -> list[AuditByIssue]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else audit_by_issue_key(*after),
            before=None if before is None else audit_by_issue_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: AuditByIssueKey | None = None,
        before: AuditByIssueKey | None = None,
        limit: int | None = None,
    ) -> list[AuditByIssue]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            audit_by_issue_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else audit_by_issue_key(*after),
            before=None if before is None else audit_by_issue_key(*before),
            limit=limit,
        )

    def of_number(
        self,
        project_id: ProjectId,
        number: int,
        *,
        newest_first: bool = False,
        after: AuditByIssueKey | None = None,
        before: AuditByIssueKey | None = None,
        limit: int | None = None,
    ) -> list[AuditByIssue]:
        """The rows with this `project_id` and `number`; the options are those of `all`."""
        return self.rows_under(
            audit_by_issue_prefix_2(project_id, number),
            newest_first=newest_first,
            after=None if after is None else audit_by_issue_key(*after),
            before=None if before is None else audit_by_issue_key(*before),
            limit=limit,
        )


class AuditByIssueDerived(DerivedTable[AuditByIssue], AuditByIssueReader):
    """`audit_by_issue` inside a transaction. Only the store writes it."""

    __slots__ = ()


class ProjectsReader(TableReader[Projects]):
    """Reads `projects`. One project."""

    __slots__ = ()
    SPEC = specs.PROJECTS

    def get(self, project_id: ProjectId) -> Projects | None:
        """The row with this key, or None."""
        return self.row_at(projects_key(project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ProjectId | None = None,
        before: ProjectId | None = None,
        limit: int | None = None,
    ) -> list[Projects]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else projects_key(after) + 1,
            None if before is None else projects_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ProjectsTable(TableWriter[Projects], ProjectsReader):
    """`projects` inside a transaction."""

    __slots__ = ()

    def put(self, row: Projects) -> Projects:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_projects(row)
        self.put_cell(projects_key(row.project_id), row)
        return row

    def put_was(self, row: Projects) -> Put[Projects]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Projects) -> Projects | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(projects_key(row.project_id))

    def remove(self, project_id: ProjectId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(projects_key(project_id), None)


class ProjectSlugsReader(TableReader[ProjectSlugs]):
    """Reads `project_slugs`."""

    __slots__ = ()
    SPEC = specs.PROJECT_SLUGS

    def get(self, slug: str) -> ProjectSlugs | None:
        """The row with this key, or None."""
        return self.row_at(project_slugs_key(slug))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: str | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> list[ProjectSlugs]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else project_slugs_key(after),
            before=None if before is None else project_slugs_key(before),
            limit=limit,
        )


class ProjectSlugsDerived(DerivedTable[ProjectSlugs], ProjectSlugsReader):
    """`project_slugs` inside a transaction. Only the store writes it."""

    __slots__ = ()


class UsersReader(TableReader[Users]):
    """Reads `users`. A person or a robot."""

    __slots__ = ()
    SPEC = specs.USERS

    def get(self, user_id: UserId) -> Users | None:
        """The row with this key, or None."""
        return self.row_at(users_key(user_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: UserId | None = None,
        before: UserId | None = None,
        limit: int | None = None,
    ) -> list[Users]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else users_key(after) + 1,
            None if before is None else users_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class UsersTable(TableWriter[Users], UsersReader):
    """`users` inside a transaction."""

    __slots__ = ()

    def put(self, row: Users) -> Users:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_users(row)
        self.put_cell(users_key(row.user_id), row)
        return row

    def put_was(self, row: Users) -> Put[Users]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Users) -> Users | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(users_key(row.user_id))

    def remove(self, user_id: UserId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(users_key(user_id), None)


class UsersByLoginReader(TableReader[UsersByLogin]):
    """Reads `users_by_login`."""

    __slots__ = ()
    SPEC = specs.USERS_BY_LOGIN

    def get(self, login: Login) -> UsersByLogin | None:
        """The row with this key, or None."""
        return self.row_at(users_by_login_key(login))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: Login | None = None,
        before: Login | None = None,
        limit: int | None = None,
    ) -> list[UsersByLogin]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else users_by_login_key(after),
            before=None if before is None else users_by_login_key(before),
            limit=limit,
        )


class UsersByLoginDerived(DerivedTable[UsersByLogin], UsersByLoginReader):
    """`users_by_login` inside a transaction. Only the store writes it."""

    __slots__ = ()


class UsersByNameReader(TableReader[UsersByName]):
    """Reads `users_by_name`. For completing a name somebody has begun to type; guests are left out."""

    __slots__ = ()
    SPEC = specs.USERS_BY_NAME

    def get(self, name: str, user_id: UserId) -> UsersByName | None:
        """The row with this key, or None."""
        return self.row_at(users_by_name_key(name, user_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: UsersByNameKey | None = None,
        before: UsersByNameKey | None = None,
        limit: int | None = None,
    ) -> list[UsersByName]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else users_by_name_key(*after),
            before=None if before is None else users_by_name_key(*before),
            limit=limit,
        )

    def of_name(
        self,
        name: str,
        *,
        newest_first: bool = False,
        after: UsersByNameKey | None = None,
        before: UsersByNameKey | None = None,
        limit: int | None = None,
    ) -> list[UsersByName]:
        """The rows with this `name`; the options are those of `all`."""
        return self.rows_under(
            users_by_name_prefix_1(name),
            newest_first=newest_first,
            after=None if after is None else users_by_name_key(*after),
            before=None if before is None else users_by_name_key(*before),
            limit=limit,
        )


class UsersByNameDerived(DerivedTable[UsersByName], UsersByNameReader):
    """`users_by_name` inside a transaction. Only the store writes it."""

    __slots__ = ()


class LabelsReader(TableReader[Labels]):
    """Reads `labels`. The labels a project offers."""

    __slots__ = ()
    SPEC = specs.LABELS

    def get(self, project_id: ProjectId, label: int) -> Labels | None:
        """The row with this key, or None."""
        return self.row_at(labels_key(project_id, label))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: LabelsKey | None = None,
        before: LabelsKey | None = None,
        limit: int | None = None,
    ) -> list[Labels]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else labels_key(*after),
            before=None if before is None else labels_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: LabelsKey | None = None,
        before: LabelsKey | None = None,
        limit: int | None = None,
    ) -> list[Labels]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            labels_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else labels_key(*after),
            before=None if before is None else labels_key(*before),
            limit=limit,
        )


class LabelsTable(TableWriter[Labels], LabelsReader):
    """`labels` inside a transaction."""

    __slots__ = ()

    def put(self, row: Labels) -> Labels:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(labels_key(row.project_id, row.label), packed.LABELS.encode(row.name, row.colour))
        return row

    def put_was(self, row: Labels) -> Put[Labels]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Labels) -> Labels | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(labels_key(row.project_id, row.label))

    def remove(self, project_id: ProjectId, label: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(labels_key(project_id, label), None)

    def remove_of_project(self, project_id: ProjectId) -> int:
        """Remove the rows with this `project_id`; gives how many there were."""
        return self._remove_under(labels_prefix_1(project_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class MilestonesReader(TableReader[Milestones]):
    """Reads `milestones`."""

    __slots__ = ()
    SPEC = specs.MILESTONES

    def get(self, project_id: ProjectId, milestone: int) -> Milestones | None:
        """The row with this key, or None."""
        return self.row_at(milestones_key(project_id, milestone))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MilestonesKey | None = None,
        before: MilestonesKey | None = None,
        limit: int | None = None,
    ) -> list[Milestones]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else milestones_key(*after),
            before=None if before is None else milestones_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: MilestonesKey | None = None,
        before: MilestonesKey | None = None,
        limit: int | None = None,
    ) -> list[Milestones]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            milestones_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else milestones_key(*after),
            before=None if before is None else milestones_key(*before),
            limit=limit,
        )


class MilestonesTable(TableWriter[Milestones], MilestonesReader):
    """`milestones` inside a transaction."""

    __slots__ = ()

    def put(self, row: Milestones) -> Milestones:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_milestones(row)
        self.put_cell(milestones_key(row.project_id, row.milestone), row)
        return row

    def put_was(self, row: Milestones) -> Put[Milestones]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Milestones) -> Milestones | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(milestones_key(row.project_id, row.milestone))

    def remove(self, project_id: ProjectId, milestone: int) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(milestones_key(project_id, milestone), None)

    def remove_of_project(self, project_id: ProjectId) -> int:
        """Remove the rows with this `project_id`; gives how many there were."""
        return self._remove_under(milestones_prefix_1(project_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class MilestonesDueReader(TableReader[MilestonesDue]):
    """Reads `milestones_due`. The soonest first; a milestone without a date is not in it."""

    __slots__ = ()
    SPEC = specs.MILESTONES_DUE

    def get(self, due_at: int, project_id: ProjectId, milestone: int) -> MilestonesDue | None:
        """The row with this key, or None."""
        return self.row_at(milestones_due_key(due_at, project_id, milestone))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: MilestonesDueKey | None = None,
        before: MilestonesDueKey | None = None,
        limit: int | None = None,
    ) -> list[MilestonesDue]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else milestones_due_key(*after),
            before=None if before is None else milestones_due_key(*before),
            limit=limit,
        )

    def of_due_at(
        self,
        due_at: int,
        *,
        newest_first: bool = False,
        after: MilestonesDueKey | None = None,
        before: MilestonesDueKey | None = None,
        limit: int | None = None,
    ) -> list[MilestonesDue]:
        """The rows with this `due_at`; the options are those of `all`."""
        return self.rows_under(
            milestones_due_prefix_1(due_at),
            newest_first=newest_first,
            after=None if after is None else milestones_due_key(*after),
            before=None if before is None else milestones_due_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        due_at: int,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: MilestonesDueKey | None = None,
        before: MilestonesDueKey | None = None,
        limit: int | None = None,
    ) -> list[MilestonesDue]:
        """The rows with this `due_at` and `project_id`; the options are those of `all`."""
        return self.rows_under(
            milestones_due_prefix_2(due_at, project_id),
            newest_first=newest_first,
            after=None if after is None else milestones_due_key(*after),
            before=None if before is None else milestones_due_key(*before),
            limit=limit,
        )


class MilestonesDueDerived(DerivedTable[MilestonesDue], MilestonesDueReader):
    """`milestones_due` inside a transaction. Only the store writes it."""

    __slots__ = ()


class StarsReader(TableReader[Stars]):
    """Reads `stars`. Who has starred what. The key says it all."""

    __slots__ = ()
    SPEC = specs.STARS

    def get(self, user_id: UserId, project_id: ProjectId) -> Stars | None:
        """The row with this key, or None."""
        return self.row_at(stars_key(user_id, project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: StarsKey | None = None,
        before: StarsKey | None = None,
        limit: int | None = None,
    ) -> list[Stars]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else stars_key(*after),
            before=None if before is None else stars_key(*before),
            limit=limit,
        )

    def of_user(
        self,
        user_id: UserId,
        *,
        newest_first: bool = False,
        after: StarsKey | None = None,
        before: StarsKey | None = None,
        limit: int | None = None,
    ) -> list[Stars]:
        """The rows with this `user_id`; the options are those of `all`."""
        return self.rows_under(
            stars_prefix_1(user_id),
            newest_first=newest_first,
            after=None if after is None else stars_key(*after),
            before=None if before is None else stars_key(*before),
            limit=limit,
        )


class StarsTable(TableWriter[Stars], StarsReader):
    """`stars` inside a transaction."""

    __slots__ = ()

    def put(self, row: Stars) -> Stars:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(stars_key(row.user_id, row.project_id), b"")
        return row

    def put_was(self, row: Stars) -> Put[Stars]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Stars) -> Stars | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(stars_key(row.user_id, row.project_id))

    def remove(self, user_id: UserId, project_id: ProjectId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(stars_key(user_id, project_id), None)

    def remove_of_user(self, user_id: UserId) -> int:
        """Remove the rows with this `user_id`; gives how many there were."""
        return self._remove_under(stars_prefix_1(user_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class StarCountsReader(TableReader[StarCounts]):
    """Reads `star_counts`."""

    __slots__ = ()
    SPEC = specs.STAR_COUNTS

    def get(self, project_id: ProjectId) -> StarCounts | None:
        """The row with this key, or None."""
        return self.row_at(star_counts_key(project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ProjectId | None = None,
        before: ProjectId | None = None,
        limit: int | None = None,
    ) -> list[StarCounts]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else star_counts_key(after) + 1,
            None if before is None else star_counts_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class StarCountsDerived(DerivedTable[StarCounts], StarCountsReader):
    """`star_counts` inside a transaction. Only the store writes it."""

    __slots__ = ()


class PreferencesReader(TableReader[Preferences]):
    """Reads `preferences`. Free settings of a user, by name."""

    __slots__ = ()
    SPEC = specs.PREFERENCES

    def get(self, user_id: UserId, name: str) -> Preferences | None:
        """The row with this key, or None."""
        return self.row_at(preferences_key(user_id, name))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: PreferencesKey | None = None,
        before: PreferencesKey | None = None,
        limit: int | None = None,
    ) -> list[Preferences]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else preferences_key(*after),
            before=None if before is None else preferences_key(*before),
            limit=limit,
        )

    def of_user(
        self,
        user_id: UserId,
        *,
        newest_first: bool = False,
        after: PreferencesKey | None = None,
        before: PreferencesKey | None = None,
        limit: int | None = None,
    ) -> list[Preferences]:
        """The rows with this `user_id`; the options are those of `all`."""
        return self.rows_under(
            preferences_prefix_1(user_id),
            newest_first=newest_first,
            after=None if after is None else preferences_key(*after),
            before=None if before is None else preferences_key(*before),
            limit=limit,
        )


class PreferencesTable(TableWriter[Preferences], PreferencesReader):
    """`preferences` inside a transaction."""

    __slots__ = ()

    def put(self, row: Preferences) -> Preferences:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(preferences_key(row.user_id, row.name), packed.PREFERENCES.encode(row.value, row.raw))
        return row

    def put_was(self, row: Preferences) -> Put[Preferences]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Preferences) -> Preferences | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(preferences_key(row.user_id, row.name))

    def remove(self, user_id: UserId, name: str) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(preferences_key(user_id, name), None)

    def remove_of_user(self, user_id: UserId) -> int:
        """Remove the rows with this `user_id`; gives how many there were."""
        return self._remove_under(preferences_prefix_1(user_id))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class NoticesReader(TableReader[Notices]):
    """Reads `notices`. What a user should look at, newest first within a user."""

    __slots__ = ()
    SPEC = specs.NOTICES

    def get(self, user_id: UserId, at: int, digest: Digest) -> Notices | None:
        """The row with this key, or None."""
        return self.row_at(notices_key(user_id, at, digest))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: NoticesKey | None = None,
        before: NoticesKey | None = None,
        limit: int | None = None,
    ) -> list[Notices]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else notices_key(*after),
            before=None if before is None else notices_key(*before),
            limit=limit,
        )

    def of_user(
        self,
        user_id: UserId,
        *,
        newest_first: bool = False,
        after: NoticesKey | None = None,
        before: NoticesKey | None = None,
        limit: int | None = None,
    ) -> list[Notices]:
        """The rows with this `user_id`; the options are those of `all`."""
        return self.rows_under(
            notices_prefix_1(user_id),
            newest_first=newest_first,
            after=None if after is None else notices_key(*after),
            before=None if before is None else notices_key(*before),
            limit=limit,
        )

    def of_at(
        self,
        user_id: UserId,
        at: int,
        *,
        newest_first: bool = False,
        after: NoticesKey | None = None,
        before: NoticesKey | None = None,
        limit: int | None = None,
    ) -> list[Notices]:
        """The rows with this `user_id` and `at`; the options are those of `all`."""
        return self.rows_under(
            notices_prefix_2(user_id, at),
            newest_first=newest_first,
            after=None if after is None else notices_key(*after),
            before=None if before is None else notices_key(*before),
            limit=limit,
        )


class NoticesTable(TableWriter[Notices], NoticesReader):
    """`notices` inside a transaction."""

    __slots__ = ()

    def put(self, row: Notices) -> Notices:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        check_notices(row)
        self.put_cell(notices_key(row.user_id, row.at, row.digest), row)
        return row

    def put_was(self, row: Notices) -> Put[Notices]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Notices) -> Notices | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(notices_key(row.user_id, row.at, row.digest))

    def remove(self, user_id: UserId, at: int, digest: Digest) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(notices_key(user_id, at, digest), None)

    def remove_of_user(self, user_id: UserId) -> int:
        """Remove the rows with this `user_id`; gives how many there were."""
        return self._remove_under(notices_prefix_1(user_id))

    def remove_of_at(self, user_id: UserId, at: int) -> int:
        """Remove the rows with this `user_id` and `at`; gives how many there were."""
        return self._remove_under(notices_prefix_2(user_id, at))

    def _remove_under(self, prefix: bytes) -> int:
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)


class IssueNumbersReader(TableReader[IssueNumbers]):
    """Reads `issue_numbers`. Numbers of issues, from 1 in each project."""

    __slots__ = ()
    SPEC = specs.ISSUE_NUMBERS

    def get(self, project_id: ProjectId) -> IssueNumbers | None:
        """The row with this key, or None."""
        return self.row_at(issue_numbers_key(project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ProjectId | None = None,
        before: ProjectId | None = None,
        limit: int | None = None,
    ) -> list[IssueNumbers]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else issue_numbers_key(after) + 1,
            None if before is None else issue_numbers_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class IssueNumbersSequence(SequenceTable[IssueNumbers], IssueNumbersReader):
    """Gives the numbers of `issue_numbers`, from 1 to 2147483646, each once."""

    __slots__ = ()
    PACKED = packed.ISSUE_NUMBERS
    START = 1
    LIMIT = 2147483646


class CommentNumbersReader(TableReader[CommentNumbers]):
    """Reads `comment_numbers`."""

    __slots__ = ()
    SPEC = specs.COMMENT_NUMBERS

    def get(self, project_id: ProjectId, number: int) -> CommentNumbers | None:
        """The row with this key, or None."""
        return self.row_at(comment_numbers_key(project_id, number))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: CommentNumbersKey | None = None,
        before: CommentNumbersKey | None = None,
        limit: int | None = None,
    ) -> list[CommentNumbers]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_under(
            b"",
            newest_first=newest_first,
            after=None if after is None else comment_numbers_key(*after),
            before=None if before is None else comment_numbers_key(*before),
            limit=limit,
        )

    def of_project(
        self,
        project_id: ProjectId,
        *,
        newest_first: bool = False,
        after: CommentNumbersKey | None = None,
        before: CommentNumbersKey | None = None,
        limit: int | None = None,
    ) -> list[CommentNumbers]:
        """The rows with this `project_id`; the options are those of `all`."""
        return self.rows_under(
            comment_numbers_prefix_1(project_id),
            newest_first=newest_first,
            after=None if after is None else comment_numbers_key(*after),
            before=None if before is None else comment_numbers_key(*before),
            limit=limit,
        )


class CommentNumbersSequence(SequenceTable[CommentNumbers], CommentNumbersReader):
    """Gives the numbers of `comment_numbers`, from 1 to 2147483646, each once."""

    __slots__ = ()
    PACKED = packed.COMMENT_NUMBERS
    START = 1
    LIMIT = 2147483646


class AuditEntriesReader(TableReader[AuditEntries]):
    """Reads `audit_entries`."""

    __slots__ = ()
    SPEC = specs.AUDIT_ENTRIES

    def get(self) -> AuditEntries | None:
        """The row with this key, or None."""
        return self.row_at(audit_entries_key())


class AuditEntriesSequence(SequenceTable[AuditEntries], AuditEntriesReader):
    """Gives the numbers of `audit_entries`, from 1 to 9223372036854775806, each once."""

    __slots__ = ()
    PACKED = packed.AUDIT_ENTRIES
    START = 1
    LIMIT = 9223372036854775806


class AccountReader(TableReader[Account]):
    """Reads `account`. How much of the stream about the signed in user is applied."""

    __slots__ = ()
    SPEC = specs.ACCOUNT

    def get(self) -> Account | None:
        """The row with this key, or None."""
        return self.row_at(account_key())


class AccountTable(TableWriter[Account], AccountReader):
    """`account` inside a transaction."""

    __slots__ = ()

    def put(self, row: Account) -> Account:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(account_key(), packed.ACCOUNT.encode(row.rev, row.at))
        return row

    def put_was(self, row: Account) -> Put[Account]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Account) -> Account | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(account_key())

    def remove(self) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(account_key(), None)


class ProjectReader(TableReader[Project]):
    """Reads `project`. The same for the stream of each project."""

    __slots__ = ()
    SPEC = specs.PROJECT

    def get(self, project_id: ProjectId) -> Project | None:
        """The row with this key, or None."""
        return self.row_at(project_key(project_id))

    def all(
        self,
        *,
        newest_first: bool = False,
        after: ProjectId | None = None,
        before: ProjectId | None = None,
        limit: int | None = None,
    ) -> list[Project]:
        """The rows strictly between the keys `after` and `before`, in key order or its reverse."""
        return self.rows_between(
            None if after is None else project_key(after) + 1,
            None if before is None else project_key(before),
            newest_first=newest_first,
            limit=limit,
        )


class ProjectTable(TableWriter[Project], ProjectReader):
    """`project` inside a transaction."""

    __slots__ = ()

    def put(self, row: Project) -> Project:
        """Write a row; gives it back. Raises RangeError, and then nothing is written."""
        self.put_cell(project_key(row.project_id), packed.PROJECT.encode(row.rev))
        return row

    def put_was(self, row: Project) -> Put[Project]:
        """As `put`; gives the row that was there as well."""
        was = self.replaced_by(row)
        return Put(was, self.put(row))

    def replaced_by(self, row: Project) -> Project | None:
        """The row that putting this one would replace, or None."""
        return self.row_at(project_key(row.project_id))

    def remove(self, project_id: ProjectId) -> None:
        """Remove the row with this key, if there is one."""
        self.put_cell(project_key(project_id), None)
