# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""A transaction of the schema 'tracker', and the readers of its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pillarbox import transaction
from pillarbox.maintainers import Count, Identity, Index, Top, UniqueIndex
from pillarbox.storage import Engine
from pillarbox.tables import TableReader
from pillarbox_tracker import packed, rules, tables


class Transaction(transaction.Transaction):
    """What `box.transaction()` yields: every table, with this transaction's writes in it."""

    __slots__ = (
        "account",
        "audit",
        "audit_by_issue",
        "audit_entries",
        "board_cells",
        "by_assignee",
        "by_author",
        "by_flag",
        "by_label",
        "by_priority",
        "by_state",
        "comment_ids",
        "comment_numbers",
        "comments",
        "front",
        "issue_numbers",
        "issues",
        "label_counts",
        "labels",
        "latest_comment",
        "milestones",
        "milestones_due",
        "newest_active",
        "notices",
        "preferences",
        "project",
        "project_slugs",
        "projects",
        "star_counts",
        "stars",
        "state_counts",
        "users",
        "users_by_login",
        "users_by_name",
        "watchers",
        "watching",
    )

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        log = self._log
        self.by_state = tables.ByStateDerived(engine, log)
        self.by_label = tables.ByLabelDerived(engine, log)
        self.by_priority = tables.ByPriorityDerived(engine, log)
        self.by_assignee = tables.ByAssigneeDerived(engine, log)
        self.by_flag = tables.ByFlagDerived(engine, log)
        self.board_cells = tables.BoardCellsDerived(engine, log)
        self.state_counts = tables.StateCountsDerived(engine, log)
        self.label_counts = tables.LabelCountsDerived(engine, log)
        self.newest_active = tables.NewestActiveDerived(engine, log)
        self.front = tables.FrontDerived(engine, log)
        self.comment_ids = tables.CommentIdsDerived(engine, log)
        self.by_author = tables.ByAuthorDerived(engine, log)
        self.latest_comment = tables.LatestCommentDerived(engine, log)
        self.watching = tables.WatchingDerived(engine, log)
        self.audit_by_issue = tables.AuditByIssueDerived(engine, log)
        self.project_slugs = tables.ProjectSlugsDerived(engine, log)
        self.users_by_login = tables.UsersByLoginDerived(engine, log)
        self.users_by_name = tables.UsersByNameDerived(engine, log)
        self.milestones_due = tables.MilestonesDueDerived(engine, log)
        self.star_counts = tables.StarCountsDerived(engine, log)
        self.issue_numbers = tables.IssueNumbersSequence(engine, log)
        self.comment_numbers = tables.CommentNumbersSequence(engine, log)
        self.audit_entries = tables.AuditEntriesSequence(engine, log)
        comment_ids_identity = Identity(
            self.comment_ids,
            rules.comment_ids_identity_key,
            rules.comment_ids_identity_cell,
            rules.comment_ids_identity_owner,
        )
        self.issues = tables.IssuesTable(engine, log, self.issue_numbers)
        self.comments = tables.CommentsTable(engine, log, comment_ids_identity, self.comment_numbers)
        self.watchers = tables.WatchersTable(engine, log)
        self.audit = tables.AuditTable(engine, log, self.audit_entries)
        self.projects = tables.ProjectsTable(engine, log)
        self.users = tables.UsersTable(engine, log)
        self.labels = tables.LabelsTable(engine, log)
        self.milestones = tables.MilestonesTable(engine, log)
        self.stars = tables.StarsTable(engine, log)
        self.preferences = tables.PreferencesTable(engine, log)
        self.notices = tables.NoticesTable(engine, log)
        self.account = tables.AccountTable(engine, log)
        self.project = tables.ProjectTable(engine, log)
        self._wire(
            identities=[(self.comments, comment_ids_identity)],
            rules=[
                Index(self.issues, self.by_state, rules.by_state_rows),
                Index(self.issues, self.by_label, rules.by_label_rows),
                Index(self.issues, self.by_priority, rules.by_priority_rows),
                Index(self.issues, self.by_assignee, rules.by_assignee_rows),
                Index(self.issues, self.by_flag, rules.by_flag_rows),
                Index(self.issues, self.board_cells, rules.board_cells_rows),
                Count(self.issues, self.state_counts, rules.state_counts_sums, packed.STATE_COUNTS),
                Count(self.issues, self.label_counts, rules.label_counts_sums, packed.LABEL_COUNTS),
                Top(self.by_state, self.newest_active, rules.NEWEST_ACTIVE),
                Top(self.by_priority, self.front, rules.FRONT),
                Index(self.comments, self.by_author, rules.by_author_rows),
                Top(self.comments, self.latest_comment, rules.LATEST_COMMENT),
                Index(self.watchers, self.watching, rules.watching_rows),
                Index(self.audit, self.audit_by_issue, rules.audit_by_issue_rows),
                UniqueIndex(self.projects, self.project_slugs, rules.project_slugs_rows),
                UniqueIndex(self.users, self.users_by_login, rules.users_by_login_rows),
                Index(self.users, self.users_by_name, rules.users_by_name_rows),
                Index(self.milestones, self.milestones_due, rules.milestones_due_rows),
                Count(self.stars, self.star_counts, rules.star_counts_sums, packed.STAR_COUNTS),
            ],
            sequences=[self.issue_numbers, self.comment_numbers, self.audit_entries],
            derived=[
                self.by_state,
                self.by_label,
                self.by_priority,
                self.by_assignee,
                self.by_flag,
                self.board_cells,
                self.state_counts,
                self.label_counts,
                self.newest_active,
                self.front,
                self.by_author,
                self.latest_comment,
                self.watching,
                self.audit_by_issue,
                self.project_slugs,
                self.users_by_login,
                self.users_by_name,
                self.milestones_due,
                self.star_counts,
            ],
        )


class Tables:
    """Every table as of the last commit."""

    __slots__ = (
        "_by_id",
        "account",
        "audit",
        "audit_by_issue",
        "audit_entries",
        "board_cells",
        "by_assignee",
        "by_author",
        "by_flag",
        "by_label",
        "by_priority",
        "by_state",
        "comment_ids",
        "comment_numbers",
        "comments",
        "front",
        "issue_numbers",
        "issues",
        "label_counts",
        "labels",
        "latest_comment",
        "milestones",
        "milestones_due",
        "newest_active",
        "notices",
        "preferences",
        "project",
        "project_slugs",
        "projects",
        "star_counts",
        "stars",
        "state_counts",
        "users",
        "users_by_login",
        "users_by_name",
        "watchers",
        "watching",
    )

    def __init__(self, engine: Engine) -> None:
        self.issues = tables.IssuesReader(engine)
        self.by_state = tables.ByStateReader(engine)
        self.by_label = tables.ByLabelReader(engine)
        self.by_priority = tables.ByPriorityReader(engine)
        self.by_assignee = tables.ByAssigneeReader(engine)
        self.by_flag = tables.ByFlagReader(engine)
        self.board_cells = tables.BoardCellsReader(engine)
        self.state_counts = tables.StateCountsReader(engine)
        self.label_counts = tables.LabelCountsReader(engine)
        self.newest_active = tables.NewestActiveReader(engine)
        self.front = tables.FrontReader(engine)
        self.comments = tables.CommentsReader(engine)
        self.comment_ids = tables.CommentIdsReader(engine)
        self.by_author = tables.ByAuthorReader(engine)
        self.latest_comment = tables.LatestCommentReader(engine)
        self.watchers = tables.WatchersReader(engine)
        self.watching = tables.WatchingReader(engine)
        self.audit = tables.AuditReader(engine)
        self.audit_by_issue = tables.AuditByIssueReader(engine)
        self.projects = tables.ProjectsReader(engine)
        self.project_slugs = tables.ProjectSlugsReader(engine)
        self.users = tables.UsersReader(engine)
        self.users_by_login = tables.UsersByLoginReader(engine)
        self.users_by_name = tables.UsersByNameReader(engine)
        self.labels = tables.LabelsReader(engine)
        self.milestones = tables.MilestonesReader(engine)
        self.milestones_due = tables.MilestonesDueReader(engine)
        self.stars = tables.StarsReader(engine)
        self.star_counts = tables.StarCountsReader(engine)
        self.preferences = tables.PreferencesReader(engine)
        self.notices = tables.NoticesReader(engine)
        self.issue_numbers = tables.IssueNumbersReader(engine)
        self.comment_numbers = tables.CommentNumbersReader(engine)
        self.audit_entries = tables.AuditEntriesReader(engine)
        self.account = tables.AccountReader(engine)
        self.project = tables.ProjectReader(engine)
        self._by_id: dict[int, TableReader[Any]] = {
            20: self.issues,
            21: self.by_state,
            22: self.by_label,
            23: self.by_priority,
            24: self.by_assignee,
            25: self.by_flag,
            26: self.board_cells,
            27: self.state_counts,
            28: self.label_counts,
            29: self.newest_active,
            30: self.front,
            31: self.comments,
            32: self.comment_ids,
            33: self.by_author,
            34: self.latest_comment,
            35: self.watchers,
            36: self.watching,
            37: self.audit,
            38: self.audit_by_issue,
            1: self.projects,
            2: self.project_slugs,
            3: self.users,
            4: self.users_by_login,
            5: self.users_by_name,
            6: self.labels,
            7: self.milestones,
            8: self.milestones_due,
            9: self.stars,
            10: self.star_counts,
            11: self.preferences,
            12: self.notices,
            101: self.issue_numbers,
            102: self.comment_numbers,
            103: self.audit_entries,
            110: self.account,
            111: self.project,
        }

    def by_id(self) -> Mapping[int, TableReader[Any]]:
        """Every table under its permanent number."""
        return self._by_id
