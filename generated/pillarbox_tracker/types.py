# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The types of the schema 'tracker', and the row of each of its tables."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, NewType, TypeAlias

from msgspec import Struct

from pillarbox.codec import Unknown
from pillarbox.errors import RangeError

#: Which project.
ProjectId = NewType("ProjectId", int)
#: Which person or robot.
UserId = NewType("UserId", int)
#: The name somebody signs in with, lower case.
Login = NewType("Login", str)
Digest = NewType("Digest", str)
#: A file in one of the stores; the store is in the high bits, so files sort by store.
FileId = NewType("FileId", int)


class FileStore(IntEnum):
    """Where the bytes of a file are kept."""

    UPLOAD = 0
    MIRROR = 1
    REMOTE = 2


class State(IntEnum):
    """Stored as uint8."""

    OPEN = 0
    WAITING = 1
    CLOSED = 2


class Priority(IntEnum):
    """Gaps leave room for more."""

    LOW = 0
    NORMAL = 10
    HIGH = 20
    URGENT = 30


class Role(IntEnum):
    """Stored as uint8."""

    GUEST = 0
    MEMBER = 1
    ADMIN = 2


class IssueFlags(IntFlag):
    """Fields of this type are plain ints; these are their bits."""

    LOCKED = 1 << 0
    PINNED = 1 << 1
    SECURITY = 1 << 2
    IMPORTED = 1 << 3


class WatchFlags(IntFlag):
    """Fields of this type are plain ints; these are their bits."""

    MENTIONS = 1 << 0
    CLOSES = 1 << 1
    EVERYTHING = 1 << 7


def file_id(store: FileStore, number: int) -> FileId:
    """Put a `FileId` together, its first part highest. Raises RangeError."""
    if not 0 <= store < 0x80:
        raise RangeError("FileId.store", store, "an integer of 7 bits (0 .. 127)")
    if not -0x80000000000000 <= number < 0x80000000000000:
        raise RangeError(
            "FileId.number",
            number,
            "an integer of 56 bits (-36028797018963968 .. 36028797018963967)",
        )
    return FileId((store << 56) | (number & 0xFFFFFFFFFFFFFF))


def file_id_store(value: FileId) -> FileStore:
    """The part `store` of a `FileId`."""
    return FileStore(value >> 56 & 0x7F)


def file_id_number(value: FileId) -> int:
    """The part `number` of a `FileId`."""
    return ((value & 0xFFFFFFFFFFFFFF) ^ 0x80000000000000) - 0x80000000000000


class CommentRef(Struct, frozen=True, array_like=True, gc=False):
    """Names a comment without knowing when it was posted."""

    project_id: ProjectId
    number: int
    comment: int


class Link(Struct, frozen=True, array_like=True, gc=False):
    """A value of type `Link`."""

    url: str
    #: Empty when the page has none.
    title: str = ""
    _reserved_3: Any = None
    weight: float = 1.0


class Picture(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A case of `Attachment`."""

    file: FileId
    width: int
    height: int


class Document(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """A case of `Attachment`."""

    file: FileId
    name: str
    digest: Digest | None = None


class Reference(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A case of `Attachment`."""

    project_id: ProjectId
    number: int
    links: tuple[Link, ...] = ()


class Opened(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A case of `Change`."""

    title: str


class Moved(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """A case of `Change`."""

    was: State
    now: State


class Relabelled(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A case of `Change`."""

    added: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()


if TYPE_CHECKING:
    # A newer package may have written cases that this one does not know.
    Attachment: TypeAlias = Picture | Document | Reference | Unknown
    Change: TypeAlias = Opened | Moved | Relabelled | Unknown
else:
    Attachment = Picture | Document | Reference
    Change = Opened | Moved | Relabelled


class Issues(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One row of `issues`. One issue."""

    project_id: ProjectId
    number: int = 0
    title: str
    body: str = ""
    state: State = State.OPEN
    priority: Priority = Priority.NORMAL
    flags: int = 0
    author_id: UserId
    assignee_id: UserId | None = None
    labels: tuple[int, ...] = ()
    milestone: int | None = None
    created_at: int
    updated_at: int
    #: How many comments were ever added.
    comments: int = 0
    estimate: float | None = None


class ByState(Struct, frozen=True, array_like=True, gc=False):
    """One row of `by_state`."""

    project_id: ProjectId
    state: State
    updated_at: int
    number: int


class ByLabel(Struct, frozen=True, array_like=True, gc=False):
    """One row of `by_label`.

    Open issues under each of their labels, the most recently touched last.
    """

    project_id: ProjectId
    label: int
    updated_at: int
    number: int
    title: str


class ByPriority(Struct, frozen=True, array_like=True, gc=False):
    """One row of `by_priority`.

    What should be done next is last, the loudest of them and of those the oldest.
    """

    project_id: ProjectId
    priority: Priority
    created_at: int
    number: int
    state: State
    late: bool
    updated_at: int


class ByAssignee(Struct, frozen=True, array_like=True, gc=False):
    """One row of `by_assignee`."""

    assignee_id: UserId
    updated_at: int
    project_id: ProjectId
    number: int


class ByFlag(Struct, frozen=True, array_like=True, gc=False):
    """One row of `by_flag`."""

    flag: int
    project_id: ProjectId
    number: int


class BoardCells(Struct, frozen=True, array_like=True, gc=False):
    """One row of `board_cells`.

    One row for each label in each milestone of an issue; 0 stands for no label.
    """

    project_id: ProjectId
    column: int
    label: int
    loud: bool
    number: int


class StateCounts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `state_counts`."""

    project_id: ProjectId
    state: State
    issues: int
    comments: int


class LabelCounts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `label_counts`."""

    project_id: ProjectId
    label: int
    open: int
    all: int


class NewestActive(Struct, frozen=True, array_like=True, gc=False):
    """One row of `newest_active`.

    The issue of a project that was touched last, of those that are not closed.
    """

    project_id: ProjectId
    state: State
    updated_at: int
    number: int


class Front(Struct, frozen=True, array_like=True, gc=False):
    """One row of `front`. The five loudest open issues of a project, summed up."""

    project_id: ProjectId
    waiting: int
    newest: int
    any_late: bool
    all_late: bool
    oldest: int


class Comments(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One row of `comments`. One comment, oldest first within its issue."""

    project_id: ProjectId
    number: int
    posted_at: int
    comment: int = 0
    author_id: UserId
    body: str
    edited_at: int | None = None
    attachments: tuple[Attachment, ...] = ()
    reactions: tuple[tuple[str, int], ...] = ()


class CommentIds(Struct, frozen=True, array_like=True, gc=False):
    """One row of `comment_ids`.

    A comment keeps its number when the server corrects the time it was posted at.
    """

    project_id: ProjectId
    number: int
    comment: int
    posted_at: int
    author_id: UserId


class ByAuthor(Struct, frozen=True, array_like=True, gc=False):
    """One row of `by_author`."""

    author_id: UserId
    posted_at: int
    project_id: ProjectId
    number: int
    comment: int


class LatestComment(Struct, frozen=True, array_like=True, gc=False):
    """One row of `latest_comment`."""

    project_id: ProjectId
    number: int
    posted_at: int
    comment: int
    at: int


class Watchers(Struct, frozen=True, array_like=True, gc=False):
    """One row of `watchers`."""

    project_id: ProjectId
    number: int
    user_id: UserId
    since: int
    muted_until: int | None = None
    wants: int = 128


class Watching(Struct, frozen=True, array_like=True, gc=False):
    """One row of `watching`."""

    user_id: UserId
    since: int
    project_id: ProjectId
    number: int


class Audit(Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One row of `audit`. What happened, in the order it happened here."""

    entry: int = 0
    project_id: ProjectId
    number: int
    at: int
    what: Change


class AuditByIssue(Struct, frozen=True, array_like=True, gc=False):
    """One row of `audit_by_issue`."""

    project_id: ProjectId
    number: int
    entry: int


class Projects(Struct, frozen=True, array_like=True, gc=False):
    """One row of `projects`. One project."""

    project_id: ProjectId
    name: str
    #: The part of the address that names the project, unique.
    slug: str
    owner_id: UserId
    board_limit: int = 50
    archived: bool = False
    _reserved_6: Any = None
    homepage: Link | None = None


class ProjectSlugs(Struct, frozen=True, array_like=True, gc=False):
    """One row of `project_slugs`."""

    slug: str
    project_id: ProjectId


class Users(Struct, frozen=True, array_like=True, gc=False):
    """One row of `users`. A person or a robot."""

    user_id: UserId
    login: Login
    name: str
    email: str | None = None
    role: Role = Role.MEMBER
    avatar: FileId | None = None
    #: Seconds since 1970.
    seen_at: int = 0


class UsersByLogin(Struct, frozen=True, array_like=True, gc=False):
    """One row of `users_by_login`."""

    login: Login
    user_id: UserId


class UsersByName(Struct, frozen=True, array_like=True, gc=False):
    """One row of `users_by_name`.

    For completing a name somebody has begun to type; guests are left out.
    """

    name: str
    user_id: UserId
    avatar: FileId | None


class Labels(Struct, frozen=True, array_like=True, gc=False):
    """One row of `labels`. The labels a project offers."""

    project_id: ProjectId
    label: int
    name: str
    colour: int


class Milestones(Struct, frozen=True, array_like=True, gc=False):
    """One row of `milestones`."""

    project_id: ProjectId
    milestone: int
    title: str
    due_at: int | None = None
    done: bool = False


class MilestonesDue(Struct, frozen=True, array_like=True, gc=False):
    """One row of `milestones_due`. The soonest first; a milestone without a date is not in it."""

    due_at: int
    project_id: ProjectId
    milestone: int


class Stars(Struct, frozen=True, array_like=True, gc=False):
    """One row of `stars`. Who has starred what. The key says it all."""

    user_id: UserId
    project_id: ProjectId


class StarCounts(Struct, frozen=True, array_like=True, gc=False):
    """One row of `star_counts`."""

    project_id: ProjectId
    stars: int


class Preferences(Struct, frozen=True, array_like=True, gc=False):
    """One row of `preferences`. Free settings of a user, by name."""

    user_id: UserId
    name: str
    value: str
    raw: bytes | None = None


class Notices(Struct, frozen=True, array_like=True, gc=False):
    """One row of `notices`. What a user should look at, newest first within a user."""

    user_id: UserId
    at: int
    digest: Digest
    text: str
    counters: tuple[tuple[str, int], ...] = ()


class IssueNumbers(Struct, frozen=True, array_like=True, gc=False):
    """The next number that the sequence `issue_numbers` gives. Numbers of issues, from 1 in each project."""

    project_id: ProjectId
    next: int


class CommentNumbers(Struct, frozen=True, array_like=True, gc=False):
    """The next number that the sequence `comment_numbers` gives."""

    project_id: ProjectId
    number: int
    next: int


class AuditEntries(Struct, frozen=True, array_like=True, gc=False):
    """The next number that the sequence `audit_entries` gives."""

    next: int


class Account(Struct, frozen=True, array_like=True, gc=False):
    """How much is applied: the cursor `account`. How much of the stream about the signed in user is
    applied.
    """

    rev: int = 0
    at: int = 0


class Project(Struct, frozen=True, array_like=True, gc=False):
    """How much is applied: the cursor `project`. The same for the stream of each project."""

    project_id: ProjectId
    rev: int = 0
