# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""What the operations of the schema 'tracker' do, and what a new box starts with."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pillarbox.errors import RangeError, UsageError
from pillarbox.expr import join
from pillarbox.storage import StoredKey
from pillarbox_tracker.events import CommentAdded, IssueClosed, IssueOpened, Refused
from pillarbox_tracker.keys import comment_ids_key, issues_key, projects_key, users_key, watchers_key
from pillarbox_tracker.operations import (
    OPERATIONS,
    AddComments,
    Assign,
    CloseIssue,
    EditComment,
    Notify,
    OpenIssue,
    Operation,
    PutIssue,
    PutLabels,
    PutMilestone,
    PutProjects,
    PutUsers,
    RemoveComments,
    RemoveIssue,
    RemoveProject,
    RestartAccount,
    RestartProject,
    SawUser,
    SetFlags,
    SetLabels,
    SetPreference,
    Star,
    Unwatch,
    Watch,
)
from pillarbox_tracker.transaction import Transaction
from pillarbox_tracker.types import (
    Account,
    Audit,
    Comments,
    Issues,
    Labels,
    Moved,
    Notices,
    Opened,
    Preferences,
    Priority,
    Project,
    ProjectId,
    Projects,
    Stars,
    State,
    UserId,
    Watchers,
)


class Replay:
    """Does inside a transaction what operations say, each in a method of its own."""

    __slots__ = ("_tx",)

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def put_projects(self, operation: PutProjects) -> None:
        """Write projects as the server knows them."""
        projects = self._tx.projects
        for p in operation.projects:
            projects.put(p)

    def put_users(self, operation: PutUsers) -> None:
        """Apply `put_users`."""
        users = self._tx.users
        for u in operation.users:
            users.put(u)

    def put_issue(self, operation: PutIssue) -> None:
        """Apply `put_issue`."""
        self._tx.issues.put(operation.issue)

    def open_issue(self, operation: OpenIssue) -> None:
        """Open an issue here; it gets the next number of its project."""
        tx = self._tx
        project = tx.projects.get(operation.project_id)
        if project is None or project.archived:
            tx.emit(Refused(reason="no open project " + operation.title))
            return
        opened = tx.issues.put_was(
            Issues(
                project_id=operation.project_id,
                title=operation.title,
                priority=operation.priority,
                flags=(2 if operation.priority in (Priority.URGENT, Priority.HIGH) else 0)
                | (4 if 13 in operation.labels else 0),
                author_id=operation.author_id,
                labels=operation.labels,
                created_at=operation.now,
                updated_at=operation.now,
            ),
        )
        tx.watchers.put(
            Watchers(
                project_id=operation.project_id,
                number=opened.row.number,
                user_id=operation.author_id,
                since=operation.now,
            ),
        )
        tx.audit.put(
            Audit(
                project_id=operation.project_id,
                number=opened.row.number,
                at=operation.now,
                what=Opened(title=operation.title),
            ),
        )
        tx.emit(IssueOpened(project_id=operation.project_id, number=opened.row.number))

    def close_issue(self, operation: CloseIssue) -> None:
        """Apply `close_issue`."""
        tx = self._tx
        old = tx.issues.get(operation.project_id, operation.number)
        if old is None:
            return
        if old.state != State.CLOSED:
            old_issues = tx.issues.get(operation.project_id, operation.number)
            if old_issues is not None:
                tx.issues.put(
                    replace(
                        old_issues,
                        state=State.CLOSED,
                        updated_at=max(old_issues.updated_at, operation.now),
                    ),
                )
            tx.audit.put(
                Audit(
                    project_id=operation.project_id,
                    number=operation.number,
                    at=operation.now,
                    what=Moved(was=old.state, now=State.CLOSED),
                ),
            )
            tx.emit(IssueClosed(project_id=operation.project_id, number=operation.number, by=operation.by))

    def set_labels(self, operation: SetLabels) -> None:
        """Apply `set_labels`."""
        tx = self._tx
        old = tx.issues.get(operation.project_id, operation.number)
        if old is not None:
            tx.issues.put(
                replace(
                    old,
                    labels=join(operation.labels, ()),
                    updated_at=max(old.updated_at, operation.now),
                ),
            )

    def set_flags(self, operation: SetFlags) -> None:
        """Apply `set_flags`."""
        tx = self._tx
        old = tx.issues.get(operation.project_id, operation.number)
        if old is not None:
            tx.issues.put(replace(old, flags=(old.flags | operation.set) & ~operation.clear))

    def assign(self, operation: Assign) -> None:
        """Apply `assign`."""
        tx = self._tx
        old = tx.issues.get(operation.project_id, operation.number)
        if old is not None:
            tx.issues.put(replace(old, assignee_id=operation.user_id))
        if operation.user_id is not None:
            old_watchers = tx.watchers.get(operation.project_id, operation.number, operation.user_id)
            if old_watchers is None:
                old_watchers = Watchers(
                    project_id=operation.project_id,
                    number=operation.number,
                    user_id=operation.user_id,
                    since=0,
                    wants=0,
                )
            tx.watchers.put(replace(old_watchers, wants=old_watchers.wants | 1))

    def add_comments(self, operation: AddComments) -> None:
        """Add what was said; comments that are already known stay as they are."""
        tx = self._tx
        comments = tx.comments
        issues = tx.issues
        stored = [
            comments.put_was(c)
            for c in operation.comments
            if (c.body != "" or len(c.attachments) > 0) and comments.replaced_by(c) is None
        ]
        for s in stored:
            old = issues.get(s.row.project_id, s.row.number)
            if old is not None:
                issues.put(
                    replace(old, updated_at=max(old.updated_at, s.row.posted_at), comments=old.comments + 1),
                )
        for s in stored:
            if s.was is None:
                tx.emit(CommentAdded(comment=s.row))

    def edit_comment(self, operation: EditComment) -> None:
        """Apply `edit_comment`."""
        tx = self._tx
        known = tx.comment_ids.get(operation.ref.project_id, operation.ref.number, operation.ref.comment)
        if known is None:
            tx.emit(Refused(reason="no such comment"))
            return
        old = tx.comments.get(
            operation.ref.project_id,
            operation.ref.number,
            known.posted_at,
            operation.ref.comment,
        )
        if old is not None:
            tx.comments.put(replace(old, body=operation.body, edited_at=operation.now))

    def remove_comments(self, operation: RemoveComments) -> None:
        """Apply `remove_comments`."""
        tx = self._tx
        comment_ids = tx.comment_ids
        comments = tx.comments
        for r in operation.refs:
            if comment_ids.get(r.project_id, r.number, r.comment) is not None:
                known = comment_ids.get(r.project_id, r.number, r.comment)
                if known is not None:
                    comments.remove(r.project_id, r.number, known.posted_at, r.comment)

    def remove_issue(self, operation: RemoveIssue) -> None:
        """Apply `remove_issue`."""
        tx = self._tx
        tx.comments.remove_of_number(operation.project_id, operation.number)
        tx.watchers.remove_of_number(operation.project_id, operation.number)
        tx.issues.remove(operation.project_id, operation.number)

    def remove_project(self, operation: RemoveProject) -> None:
        """Apply `remove_project`."""
        tx = self._tx
        tx.comments.remove_of_project(operation.project_id)
        tx.watchers.remove_of_project(operation.project_id)
        tx.issues.remove_of_project(operation.project_id)
        tx.labels.remove_of_project(operation.project_id)
        tx.milestones.remove_of_project(operation.project_id)
        tx.projects.remove(operation.project_id)

    def watch(self, operation: Watch) -> None:
        """Apply `watch`."""
        tx = self._tx
        old = tx.watchers.get(operation.project_id, operation.number, operation.user_id)
        if old is None:
            old = Watchers(
                project_id=operation.project_id,
                number=operation.number,
                user_id=operation.user_id,
                since=operation.now,
            )
        tx.watchers.put(replace(old, muted_until=operation.until))

    def unwatch(self, operation: Unwatch) -> None:
        """Apply `unwatch`."""
        self._tx.watchers.remove(operation.project_id, operation.number, operation.user_id)

    def star(self, operation: Star) -> None:
        """Apply `star`."""
        tx = self._tx
        if operation.starred:
            tx.stars.put(Stars(user_id=operation.user_id, project_id=operation.project_id))
        else:
            tx.stars.remove(operation.user_id, operation.project_id)

    def put_labels(self, operation: PutLabels) -> None:
        """Apply `put_labels`."""
        labels = self._tx.labels
        for l_2 in operation.labels:
            labels.put(l_2)

    def put_milestone(self, operation: PutMilestone) -> None:
        """Apply `put_milestone`."""
        self._tx.milestones.put(operation.milestone)

    def set_preference(self, operation: SetPreference) -> None:
        """Apply `set_preference`."""
        tx = self._tx
        if operation.value is not None:
            tx.preferences.put(
                Preferences(user_id=operation.user_id, name=operation.name, value=operation.value),
            )
        if operation.value is None:
            tx.preferences.remove(operation.user_id, operation.name)

    def notify(self, operation: Notify) -> None:
        """Apply `notify`."""
        notices = self._tx.notices
        for u in operation.user_ids:
            row = Notices(user_id=u, at=operation.at, digest=operation.digest, text=operation.text)
            if notices.replaced_by(row) is None:
                notices.put(row)

    def saw_user(self, operation: SawUser) -> None:
        """Apply `saw_user`."""
        tx = self._tx
        old = tx.users.get(operation.user_id)
        if old is not None:
            tx.users.put(replace(old, seen_at=max(old.seen_at, operation.at)))

    def restart_project(self, operation: RestartProject) -> None:
        """Begin again at a revision the server names, after it has sent everything once more."""
        self._tx.project.put(Project(project_id=operation.project_id, rev=operation.rev))

    def restart_account(self, operation: RestartAccount) -> None:
        """Apply `restart_account`."""
        self._tx.account.put(Account(rev=operation.rev, at=operation.at))


class Prefetch:
    """Collects what operations will read by their parameters alone, so that each table is asked once."""

    __slots__ = (
        "_keys_of_comment_ids",
        "_keys_of_issues",
        "_keys_of_projects",
        "_keys_of_users",
        "_keys_of_watchers",
        "_rows_of_comments",
        "_rows_of_issues",
        "_tx",
    )

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._keys_of_comment_ids: list[StoredKey] = []
        self._keys_of_issues: list[StoredKey] = []
        self._keys_of_projects: list[StoredKey] = []
        self._keys_of_users: list[StoredKey] = []
        self._keys_of_watchers: list[StoredKey] = []
        self._rows_of_comments: list[Comments] = []
        self._rows_of_issues: list[Issues] = []

    def put_projects(self, operation: PutProjects) -> None:
        """Nothing to read ahead."""

    def put_users(self, operation: PutUsers) -> None:
        """Nothing to read ahead."""

    def put_issue(self, operation: PutIssue) -> None:
        """Collect what `Replay.put_issue` reads first."""
        self._rows_of_issues.append(operation.issue)

    def open_issue(self, operation: OpenIssue) -> None:
        """Collect what `Replay.open_issue` reads first."""
        self._keys_of_projects.append(projects_key(operation.project_id))

    def close_issue(self, operation: CloseIssue) -> None:
        """Collect what `Replay.close_issue` reads first."""
        self._keys_of_issues.append(issues_key(operation.project_id, operation.number))

    def set_labels(self, operation: SetLabels) -> None:
        """Collect what `Replay.set_labels` reads first."""
        self._keys_of_issues.append(issues_key(operation.project_id, operation.number))

    def set_flags(self, operation: SetFlags) -> None:
        """Collect what `Replay.set_flags` reads first."""
        self._keys_of_issues.append(issues_key(operation.project_id, operation.number))

    def assign(self, operation: Assign) -> None:
        """Collect what `Replay.assign` reads first."""
        self._keys_of_issues.append(issues_key(operation.project_id, operation.number))
        if operation.user_id is not None:
            self._keys_of_watchers.append(
                watchers_key(operation.project_id, operation.number, operation.user_id),
            )

    def add_comments(self, operation: AddComments) -> None:
        """Collect what `Replay.add_comments` reads first."""
        self._rows_of_comments += operation.comments

    def edit_comment(self, operation: EditComment) -> None:
        """Collect what `Replay.edit_comment` reads first."""
        self._keys_of_comment_ids.append(
            comment_ids_key(operation.ref.project_id, operation.ref.number, operation.ref.comment),
        )

    def remove_comments(self, operation: RemoveComments) -> None:
        """Collect what `Replay.remove_comments` reads first."""
        for r in operation.refs:
            self._keys_of_comment_ids.append(comment_ids_key(r.project_id, r.number, r.comment))

    def remove_issue(self, operation: RemoveIssue) -> None:
        """Nothing to read ahead."""

    def remove_project(self, operation: RemoveProject) -> None:
        """Nothing to read ahead."""

    def watch(self, operation: Watch) -> None:
        """Collect what `Replay.watch` reads first."""
        self._keys_of_watchers.append(watchers_key(operation.project_id, operation.number, operation.user_id))

    def unwatch(self, operation: Unwatch) -> None:
        """Nothing to read ahead."""

    def star(self, operation: Star) -> None:
        """Nothing to read ahead."""

    def put_labels(self, operation: PutLabels) -> None:
        """Nothing to read ahead."""

    def put_milestone(self, operation: PutMilestone) -> None:
        """Nothing to read ahead."""

    def set_preference(self, operation: SetPreference) -> None:
        """Nothing to read ahead."""

    def notify(self, operation: Notify) -> None:
        """Nothing to read ahead."""

    def saw_user(self, operation: SawUser) -> None:
        """Collect what `Replay.saw_user` reads first."""
        self._keys_of_users.append(users_key(operation.user_id))

    def restart_project(self, operation: RestartProject) -> None:
        """Nothing to read ahead."""

    def restart_account(self, operation: RestartAccount) -> None:
        """Nothing to read ahead."""

    def read(self) -> None:
        """Read all that was collected into the transaction's tables."""
        tx = self._tx
        if self._keys_of_comment_ids:
            tx.comment_ids.preload(self._keys_of_comment_ids)
        if self._keys_of_issues:
            tx.issues.preload(self._keys_of_issues)
        if self._keys_of_projects:
            tx.projects.preload(self._keys_of_projects)
        if self._keys_of_users:
            tx.users.preload(self._keys_of_users)
        if self._keys_of_watchers:
            tx.watchers.preload(self._keys_of_watchers)
        if self._rows_of_comments:
            tx.comments.probe(self._rows_of_comments)
        if self._rows_of_issues:
            tx.issues.probe(self._rows_of_issues)


def replay(tx: Transaction, operations: Sequence[Operation]) -> None:
    """Apply operations one after the other. Raises UsageError for what is none of this schema, before any."""
    for operation in operations:
        if type(operation) not in OPERATIONS:
            raise UsageError(
                f"{type(operation).__name__} is no operation of this schema; take a class of `operations`",
            )
    prefetch = Prefetch(tx)
    for operation in operations:
        try:
            operation.accept(prefetch)
        except RangeError:
            continue  # Told when it is applied, if that key is needed at all.
    prefetch.read()
    visitor = Replay(tx)
    for operation in operations:
        operation.accept(visitor)


def seed_box(tx: Transaction) -> None:
    """Write what every new box holds; runs in the transaction that creates it."""
    labels = tx.labels
    tx.projects.put(Projects(project_id=ProjectId(1), name="Inbox", slug="inbox", owner_id=UserId(0)))
    for p in (0, 1):
        labels.put(Labels(project_id=ProjectId(1), label=p + 1, name="bug" if p == 0 else "idea", colour=0))
