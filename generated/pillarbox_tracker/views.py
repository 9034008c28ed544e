# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The views of the schema 'tracker'.

A view is named by its key: `box.watch(key)` gives snapshots, one for each commit that changes what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pillarbox.views import (
    Aggregate,
    AnyOf,
    Builder,
    Count,
    EveryOf,
    Get,
    GetEach,
    Max,
    Min,
    Readers,
    Scan,
    Sum,
    View,
    Window,
    WindowAt,
)
from pillarbox_tracker import specs
from pillarbox_tracker.keys import (
    LabelsKey,
    account_key,
    audit_by_issue_prefix_2,
    by_assignee_prefix_1,
    by_label_prefix_2,
    comments_key,
    comments_prefix_2,
    front_key,
    issues_key,
    label_counts_key,
    labels_key,
    milestones_key,
    milestones_prefix_1,
    newest_active_key,
    notices_prefix_1,
    projects_key,
    star_counts_key,
    users_key,
    watchers_prefix_2,
    watching_prefix_1,
)
from pillarbox_tracker.rules import (
    audit_by_issue_source_key,
    by_assignee_source_key,
    by_label_source_key,
    users_by_name_source_key,
    watching_source_key,
)
from pillarbox_tracker.types import (
    Account,
    ByLabel,
    Comments,
    FileId,
    Front,
    Issues,
    LabelCounts,
    Labels,
    Milestones,
    NewestActive,
    Notices,
    Priority,
    ProjectId,
    Projects,
    StarCounts,
    State,
    UserId,
    Users,
    Watchers,
)


class Project(Struct, frozen=True, array_like=True, gc=False):
    """The head of a project's page."""

    project_id: ProjectId

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[ProjectSnapshot]: ...


class ProjectOwner(Struct, frozen=True, array_like=True, gc=False):
    """What `Project` shows of a row of `users`."""

    name: str
    avatar: FileId | None


class ProjectFront(Struct, frozen=True, array_like=True, gc=False):
    """What `Project` shows of a row of `front`."""

    waiting: int
    any_late: bool


class ProjectSnapshot(Struct, frozen=True, gc=False):
    """What `Project` shows."""

    project: Projects | None
    owner: ProjectOwner | None
    stars: StarCounts
    newest: NewestActive | None
    front: ProjectFront
    milestones: tuple[Milestones, ...]


def _project_view(key: Project, readers: Readers) -> View[ProjectSnapshot]:
    """The parts of `Project`, not yet loaded."""
    project = Get(specs.PROJECTS, at=lambda: projects_key(key.project_id))
    owner = Get(
        specs.USERS,
        at=lambda: users_key(project.row.owner_id) if project.row is not None else None,
        show=lambda row: ProjectOwner(name=row.name, avatar=row.avatar),
        after=(project,),
    )
    stars = Get(
        specs.STAR_COUNTS,
        at=lambda: star_counts_key(key.project_id),
        default=lambda: StarCounts(project_id=key.project_id, stars=0),
    )
    newest = Get(specs.NEWEST_ACTIVE, at=lambda: newest_active_key(key.project_id))
    front = Get(
        specs.FRONT,
        at=lambda: front_key(key.project_id),
        default=lambda: Front(
            project_id=key.project_id,
            waiting=0,
            newest=0,
            any_late=False,
            all_late=False,
            oldest=0,
        ),
        show=lambda row: ProjectFront(any_late=row.any_late, waiting=row.waiting),
    )
    milestones = Scan(specs.MILESTONES, prefix=lambda: milestones_prefix_1(key.project_id))
    return View(
        key,
        (project, owner, stars, newest, front, milestones),
        lambda: ProjectSnapshot(
            project.value,
            owner.value,
            stars.value,
            newest.value,
            front.value,
            milestones.value,
        ),
        names=("project", "owner", "stars", "newest", "front", "milestones"),
    )


class Board(Struct, frozen=True, array_like=True, gc=False):
    """The open issues under one label, the ones touched last first."""

    project_id: ProjectId
    label: int
    limit: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[BoardSnapshot]: ...


class BoardPeople(Struct, frozen=True, array_like=True, gc=False):
    """What `Board` shows of a row of `users`."""

    name: str


class BoardCounts(Struct, frozen=True, array_like=True, gc=False):
    """What `Board` shows of a row of `label_counts`."""

    open: int


class BoardSnapshot(Struct, frozen=True, gc=False):
    """What `Board` shows."""

    heading: Labels | None
    issues: tuple[Issues, ...]
    titles: tuple[ByLabel, ...]
    people: Mapping[UserId, BoardPeople]
    counts: BoardCounts
    comments: int
    loudest: Priority | None


def _board_view(key: Board, readers: Readers) -> View[BoardSnapshot]:
    """The parts of `Board`, not yet loaded."""
    heading = Get(specs.LABELS, at=lambda: labels_key(key.project_id, key.label))
    issues = Scan(
        specs.BY_LABEL,
        prefix=lambda: by_label_prefix_2(key.project_id, key.label),
        source=specs.ISSUES,
        source_key=by_label_source_key,
        newest_first=True,
        limit=lambda: key.limit,
    )
    titles = Scan(
        specs.BY_LABEL,
        prefix=lambda: by_label_prefix_2(key.project_id, key.label),
        newest_first=True,
        limit=lambda: 50,
    )
    people = GetEach(
        specs.USERS,
        name=lambda row: row.user_id,
        of=issues,
        keys=lambda row: (users_key(row.assignee_id),) if row.assignee_id is not None else (),
        show=lambda row: BoardPeople(name=row.name),
    )
    counts = Get(
        specs.LABEL_COUNTS,
        at=lambda: label_counts_key(key.project_id, key.label),
        default=lambda: LabelCounts(project_id=key.project_id, label=key.label, open=0, all=0),
        show=lambda row: BoardCounts(open=row.open),
    )
    comments = Aggregate(Sum(lambda row: row.comments), issues)
    loudest = Aggregate(Max(lambda row: row.priority), issues, where=lambda row: row.flags & 2 != 0)
    return View(
        key,
        (heading, issues, titles, people, counts, comments, loudest),
        lambda: BoardSnapshot(
            heading.value,
            issues.value,
            titles.value,
            people.value,
            counts.value,
            comments.value,
            loudest.value,
        ),
        names=("heading", "issues", "titles", "people", "counts", "comments", "loudest"),
    )


class Issue(Struct, frozen=True, array_like=True, gc=False):
    """One issue with the end of its discussion."""

    project_id: ProjectId
    number: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[IssueSnapshot]: ...


class IssueSnapshot(Struct, frozen=True, gc=False):
    """What `Issue` shows."""

    issue: Issues | None
    comments: Window[Comments]
    authors: Mapping[UserId, Users]
    labels: Mapping[LabelsKey, Labels]
    milestone: Milestones | None
    watchers: int
    locked: bool


def _issue_view(key: Issue, readers: Readers) -> View[IssueSnapshot]:
    """The parts of `Issue`, not yet loaded."""
    issue = Get(specs.ISSUES, at=lambda: issues_key(key.project_id, key.number))
    comments = WindowAt(
        specs.COMMENTS,
        prefix=lambda: comments_prefix_2(key.project_id, key.number),
        anchor="newest",
        before_max=lambda: 20,
        after_max=lambda: 0,
    )
    authors = GetEach(
        specs.USERS,
        name=lambda row: row.user_id,
        of=comments,
        keys=lambda row: (users_key(row.author_id),),
    )
    labels = GetEach(
        specs.LABELS,
        name=lambda row: LabelsKey(row.project_id, row.label),
        at=lambda: (
            [labels_key(key.project_id, label) for label in issue.row.labels]
            if issue.row is not None
            else None
        ),
        after=(issue,),
    )
    milestone = Get(
        specs.MILESTONES,
        at=lambda: (
            milestones_key(key.project_id, issue.row.milestone)
            if issue.row is not None and issue.row.state != State.CLOSED and issue.row.milestone is not None
            else None
        ),
        after=(issue,),
    )
    watchers = Aggregate(
        Count(),
        specs.WATCHERS,
        prefix=lambda: watchers_prefix_2(key.project_id, key.number),
        where=lambda row: row.muted_until is None,
    )
    locked = Aggregate(
        AnyOf(lambda row: row.flags & 1 != 0),
        specs.ISSUES,
        prefix=lambda: issues_key(key.project_id, key.number),
    )
    audit = Scan(
        specs.AUDIT_BY_ISSUE,
        prefix=lambda: audit_by_issue_prefix_2(key.project_id, key.number),
        source=specs.AUDIT,
        source_key=audit_by_issue_source_key,
        hidden=True,
    )
    return View(
        key,
        (issue, comments, authors, labels, milestone, watchers, locked, audit),
        lambda: IssueSnapshot(
            issue.value,
            comments.value,
            authors.value,
            labels.value,
            milestone.value,
            watchers.value,
            locked.value,
        ),
        names=("issue", "comments", "authors", "labels", "milestone", "watchers", "locked", "audit"),
    )


class Discussion(Struct, frozen=True, array_like=True, gc=False):
    """The comments around one of them."""

    project_id: ProjectId
    number: int
    posted_at: int
    comment: int
    before: int
    after: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[DiscussionSnapshot]: ...


class DiscussionSnapshot(Struct, frozen=True, gc=False):
    """What `Discussion` shows."""

    comments: Window[Comments]
    spoken: bool


def _discussion_view(key: Discussion, readers: Readers) -> View[DiscussionSnapshot]:
    """The parts of `Discussion`, not yet loaded."""
    comments = WindowAt(
        specs.COMMENTS,
        prefix=lambda: comments_prefix_2(key.project_id, key.number),
        anchor=lambda: comments_key(key.project_id, key.number, key.posted_at, key.comment),
        before_max=lambda: key.before,
        after_max=lambda: key.after,
    )
    spoken = Aggregate(EveryOf(lambda row: row.body != ""), comments)
    return View(
        key,
        (comments, spoken),
        lambda: DiscussionSnapshot(comments.value, spoken.value),
        names=("comments", "spoken"),
    )


class FirstWords(Struct, frozen=True, array_like=True, gc=False):
    """How a discussion began."""

    project_id: ProjectId
    number: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[FirstWordsSnapshot]: ...


class FirstWordsSnapshot(Struct, frozen=True, gc=False):
    """What `FirstWords` shows."""

    comments: Window[Comments]


def _first_words_view(key: FirstWords, readers: Readers) -> View[FirstWordsSnapshot]:
    """The parts of `FirstWords`, not yet loaded."""
    comments = WindowAt(
        specs.COMMENTS,
        prefix=lambda: comments_prefix_2(key.project_id, key.number),
        anchor="oldest",
        before_max=lambda: 0,
        after_max=lambda: 5,
    )
    return View(key, (comments,), lambda: FirstWordsSnapshot(comments.value), names=("comments",))


class Inbox(Struct, frozen=True, array_like=True, gc=False):
    """What somebody has to do, over all projects."""

    user_id: UserId

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[InboxSnapshot]: ...


class InboxProjects(Struct, frozen=True, array_like=True, gc=False):
    """What `Inbox` shows of a row of `projects`."""

    name: str
    #: The part of the address that names the project, unique.
    slug: str


class InboxSnapshot(Struct, frozen=True, gc=False):
    """What `Inbox` shows."""

    issues: tuple[Issues, ...]
    projects: Mapping[ProjectId, InboxProjects]
    notices: tuple[Notices, ...]
    watching: tuple[Watchers, ...]
    oldest: int | None


def _inbox_view(key: Inbox, readers: Readers) -> View[InboxSnapshot]:
    """The parts of `Inbox`, not yet loaded."""
    issues = Scan(
        specs.BY_ASSIGNEE,
        prefix=lambda: by_assignee_prefix_1(key.user_id),
        source=specs.ISSUES,
        source_key=by_assignee_source_key,
        newest_first=True,
        limit=lambda: 100,
    )
    projects = GetEach(
        specs.PROJECTS,
        name=lambda row: row.project_id,
        of=issues,
        keys=lambda row: (projects_key(row.project_id),),
        show=lambda row: InboxProjects(name=row.name, slug=row.slug),
    )
    notices = Scan(specs.NOTICES, prefix=lambda: notices_prefix_1(key.user_id), limit=lambda: 20)
    watching = Scan(
        specs.WATCHING,
        prefix=lambda: watching_prefix_1(key.user_id),
        source=specs.WATCHERS,
        source_key=watching_source_key,
        newest_first=True,
        limit=lambda: 20,
        where=lambda row: row.muted_until is None,
    )
    oldest = Aggregate(Min(lambda row: row.created_at), issues)
    return View(
        key,
        (issues, projects, notices, watching, oldest),
        lambda: InboxSnapshot(issues.value, projects.value, notices.value, watching.value, oldest.value),
        names=("issues", "projects", "notices", "watching", "oldest"),
    )


class People(Struct, frozen=True, array_like=True, gc=False):
    """Everybody, by name."""

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[PeopleSnapshot]: ...


class PeopleSnapshot(Struct, frozen=True, gc=False):
    """What `People` shows."""

    users: tuple[Users, ...]
    projects: tuple[Projects, ...]
    synced: Account | None


def _people_view(key: People, readers: Readers) -> View[PeopleSnapshot]:
    """The parts of `People`, not yet loaded."""
    users = Scan(
        specs.USERS_BY_NAME,
        prefix=lambda: b"",
        source=specs.USERS,
        source_key=users_by_name_source_key,
    )
    projects = Scan(specs.PROJECTS, prefix=lambda: b"", where=lambda row: not row.archived)
    synced = Get(specs.ACCOUNT, at=lambda: account_key())
    return View(
        key,
        (users, projects, synced),
        lambda: PeopleSnapshot(users.value, projects.value, synced.value),
        names=("users", "projects", "synced"),
    )


#: View key -> what makes the view; in the order in which views tell of one commit.
VIEWS: Final[Mapping[type, Builder]] = {
    Project: _project_view,
    Board: _board_view,
    Issue: _issue_view,
    Discussion: _discussion_view,
    FirstWords: _first_words_view,
    Inbox: _inbox_view,
    People: _people_view,
}
