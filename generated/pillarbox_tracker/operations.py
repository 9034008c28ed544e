# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The operations of the schema 'tracker': what may be done to a box, as plain data.

`replay` applies them; `accept` calls the method of a visitor that has the operation's name.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pillarbox.codec import TaggedCodec
from pillarbox_tracker.types import (
    CommentRef,
    Comments,
    Digest,
    Issues,
    Labels,
    Milestones,
    Priority,
    ProjectId,
    Projects,
    UserId,
    Users,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class OperationVisitor(Protocol[T_co]):
    """One method for each operation; a type checker tells when one is missing."""

    def put_projects(self, operation: PutProjects) -> T_co:
        """Write projects as the server knows them."""

    def put_users(self, operation: PutUsers) -> T_co:
        """The operation `put_users`."""

    def put_issue(self, operation: PutIssue) -> T_co:
        """The operation `put_issue`."""

    def open_issue(self, operation: OpenIssue) -> T_co:
        """Open an issue here; it gets the next number of its project."""

    def close_issue(self, operation: CloseIssue) -> T_co:
        """The operation `close_issue`."""

    def set_labels(self, operation: SetLabels) -> T_co:
        """The operation `set_labels`."""

    def set_flags(self, operation: SetFlags) -> T_co:
        """The operation `set_flags`."""

    def assign(self, operation: Assign) -> T_co:
        """The operation `assign`."""

    def add_comments(self, operation: AddComments) -> T_co:
        """Add what was said; comments that are already known stay as they are."""

    def edit_comment(self, operation: EditComment) -> T_co:
        """The operation `edit_comment`."""

    def remove_comments(self, operation: RemoveComments) -> T_co:
        """The operation `remove_comments`."""

    def remove_issue(self, operation: RemoveIssue) -> T_co:
        """The operation `remove_issue`."""

    def remove_project(self, operation: RemoveProject) -> T_co:
        """The operation `remove_project`."""

    def watch(self, operation: Watch) -> T_co:
        """The operation `watch`."""

    def unwatch(self, operation: Unwatch) -> T_co:
        """The operation `unwatch`."""

    def star(self, operation: Star) -> T_co:
        """The operation `star`."""

    def put_labels(self, operation: PutLabels) -> T_co:
        """The operation `put_labels`."""

    def put_milestone(self, operation: PutMilestone) -> T_co:
        """The operation `put_milestone`."""

    def set_preference(self, operation: SetPreference) -> T_co:
        """The operation `set_preference`."""

    def notify(self, operation: Notify) -> T_co:
        """The operation `notify`."""

    def saw_user(self, operation: SawUser) -> T_co:
        """The operation `saw_user`."""

    def restart_project(self, operation: RestartProject) -> T_co:
        """Begin again at a revision the server names, after it has sent everything once more."""

    def restart_account(self, operation: RestartAccount) -> T_co:
        """The operation `restart_account`."""


class PutProjects(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """Write projects as the server knows them."""

    projects: tuple[Projects, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_projects(self)`."""
        return visitor.put_projects(self)


class PutUsers(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """The operation `put_users`."""

    users: tuple[Users, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_users(self)`."""
        return visitor.put_users(self)


class PutIssue(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """The operation `put_issue`."""

    issue: Issues

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_issue(self)`."""
        return visitor.put_issue(self)


class OpenIssue(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """Open an issue here; it gets the next number of its project."""

    project_id: ProjectId
    title: str
    author_id: UserId
    now: int
    labels: tuple[int, ...] = ()
    priority: Priority = Priority.NORMAL

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.open_issue(self)`."""
        return visitor.open_issue(self)


class CloseIssue(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """The operation `close_issue`."""

    project_id: ProjectId
    number: int
    now: int
    by: UserId | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.close_issue(self)`."""
        return visitor.close_issue(self)


class SetLabels(Struct, frozen=True, array_like=True, gc=False, tag=6, kw_only=True):
    """The operation `set_labels`."""

    project_id: ProjectId
    number: int
    labels: tuple[int, ...] = ()
    now: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_labels(self)`."""
        return visitor.set_labels(self)


class SetFlags(Struct, frozen=True, array_like=True, gc=False, tag=7):
    """The operation `set_flags`."""

    project_id: ProjectId
    number: int
    set: int
    clear: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_flags(self)`."""
        return visitor.set_flags(self)


class Assign(Struct, frozen=True, array_like=True, gc=False, tag=8):
    """The operation `assign`."""

    project_id: ProjectId
    number: int
    user_id: UserId | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.assign(self)`."""
        return visitor.assign(self)


class AddComments(Struct, frozen=True, array_like=True, gc=False, tag=10):
    """Add what was said; comments that are already known stay as they are."""

    comments: tuple[Comments, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.add_comments(self)`."""
        return visitor.add_comments(self)


class EditComment(Struct, frozen=True, array_like=True, gc=False, tag=11):
    """The operation `edit_comment`."""

    ref: CommentRef
    body: str
    now: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.edit_comment(self)`."""
        return visitor.edit_comment(self)


class RemoveComments(Struct, frozen=True, array_like=True, gc=False, tag=12):
    """The operation `remove_comments`."""

    refs: tuple[CommentRef, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.remove_comments(self)`."""
        return visitor.remove_comments(self)


class RemoveIssue(Struct, frozen=True, array_like=True, gc=False, tag=13):
    """The operation `remove_issue`."""

    project_id: ProjectId
    number: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.remove_issue(self)`."""
        return visitor.remove_issue(self)


class RemoveProject(Struct, frozen=True, array_like=True, gc=False, tag=14):
    """The operation `remove_project`."""

    project_id: ProjectId

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.remove_project(self)`."""
        return visitor.remove_project(self)


class Watch(Struct, frozen=True, array_like=True, gc=False, tag=20):
    """The operation `watch`."""

    project_id: ProjectId
    number: int
    user_id: UserId
    now: int
    until: int | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.watch(self)`."""
        return visitor.watch(self)


class Unwatch(Struct, frozen=True, array_like=True, gc=False, tag=21):
    """The operation `unwatch`."""

    project_id: ProjectId
    number: int
    user_id: UserId

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.unwatch(self)`."""
        return visitor.unwatch(self)


class Star(Struct, frozen=True, array_like=True, gc=False, tag=22):
    """The operation `star`."""

    user_id: UserId
    project_id: ProjectId
    starred: bool = True

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.star(self)`."""
        return visitor.star(self)


class PutLabels(Struct, frozen=True, array_like=True, gc=False, tag=23):
    """The operation `put_labels`."""

    labels: tuple[Labels, ...] = ()

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_labels(self)`."""
        return visitor.put_labels(self)


class PutMilestone(Struct, frozen=True, array_like=True, gc=False, tag=24):
    """The operation `put_milestone`."""

    milestone: Milestones

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.put_milestone(self)`."""
        return visitor.put_milestone(self)


class SetPreference(Struct, frozen=True, array_like=True, gc=False, tag=25):
    """The operation `set_preference`."""

    user_id: UserId
    name: str
    value: str | None = None

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.set_preference(self)`."""
        return visitor.set_preference(self)


class Notify(Struct, frozen=True, array_like=True, gc=False, tag=26, kw_only=True):
    """The operation `notify`."""

    user_ids: tuple[UserId, ...] = ()
    at: int
    digest: Digest
    text: str

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.notify(self)`."""
        return visitor.notify(self)


class SawUser(Struct, frozen=True, array_like=True, gc=False, tag=27):
    """The operation `saw_user`."""

    user_id: UserId
    at: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.saw_user(self)`."""
        return visitor.saw_user(self)


class RestartProject(Struct, frozen=True, array_like=True, gc=False, tag=30):
    """Begin again at a revision the server names, after it has sent everything once more."""

    project_id: ProjectId
    rev: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.restart_project(self)`."""
        return visitor.restart_project(self)


class RestartAccount(Struct, frozen=True, array_like=True, gc=False, tag=31):
    """The operation `restart_account`."""

    rev: int
    at: int

    def accept(self, visitor: OperationVisitor[T]) -> T:
        """`visitor.restart_account(self)`."""
        return visitor.restart_account(self)


Operation: TypeAlias = (
    PutProjects
    | PutUsers
    | PutIssue
    | OpenIssue
    | CloseIssue
    | SetLabels
    | SetFlags
    | Assign
    | AddComments
    | EditComment
    | RemoveComments
    | RemoveIssue
    | RemoveProject
    | Watch
    | Unwatch
    | Star
    | PutLabels
    | PutMilestone
    | SetPreference
    | Notify
    | SawUser
    | RestartProject
    | RestartAccount
)

#: Every class of operation.
OPERATIONS: Final[frozenset[type[Operation]]] = frozenset(
    {
        PutProjects,
        PutUsers,
        PutIssue,
        OpenIssue,
        CloseIssue,
        SetLabels,
        SetFlags,
        Assign,
        AddComments,
        EditComment,
        RemoveComments,
        RemoveIssue,
        RemoveProject,
        Watch,
        Unwatch,
        Star,
        PutLabels,
        PutMilestone,
        SetPreference,
        Notify,
        SawUser,
        RestartProject,
        RestartAccount,
    },
)
_CODEC: Final = TaggedCodec[Operation](Operation, "operation")


def encode_operation(operation: Operation) -> bytes:
    """One operation as bytes, its code first. Raises RangeError."""
    return _CODEC.encode(operation)


def decode_operation(data: bytes) -> Operation:
    """The operation of such bytes. Raises DataError where they are none."""
    return _CODEC.decode(data)
