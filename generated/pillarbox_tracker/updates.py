# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The updates of the schema 'tracker': what a server tells, as plain data.

`claim` says which span of a counter an update covers, `emit` which operations it stands for; `accept` calls
the method of a visitor that has the update's name.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pillarbox.codec import TaggedCodec
from pillarbox.sync import Claim
from pillarbox_tracker.keys import account_key, project_key
from pillarbox_tracker.operations import (
    AddComments,
    CloseIssue,
    EditComment,
    Operation,
    PutIssue,
    PutProjects,
    PutUsers,
    RemoveComments,
    RemoveProject,
    SawUser,
    Star,
)
from pillarbox_tracker.types import CommentRef, Comments, Issues, ProjectId, Projects, UserId, Users

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class UpdateVisitor(Protocol[T_co]):
    """One method for each update; a type checker tells when one is missing."""

    def issue_changed(self, update: IssueChanged) -> T_co:
        """An issue as it is now."""

    def issue_closed(self, update: IssueClosed) -> T_co:
        """The update `issue_closed`."""

    def comments_added(self, update: CommentsAdded) -> T_co:
        """The update `comments_added`."""

    def comment_edited(self, update: CommentEdited) -> T_co:
        """The update `comment_edited`."""

    def comments_removed(self, update: CommentsRemoved) -> T_co:
        """The update `comments_removed`."""

    def project_gone(self, update: ProjectGone) -> T_co:
        """The update `project_gone`."""

    def projects_changed(self, update: ProjectsChanged) -> T_co:
        """The update `projects_changed`."""

    def starred(self, update: Starred) -> T_co:
        """The update `starred`."""

    def user_seen(self, update: UserSeen) -> T_co:
        """Somebody is there. No counter guards it, so a lost one is lost."""


class IssueChanged(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """An issue as it is now."""

    issue: Issues
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `project.rev` that it covers."""
        return Claim(111, project_key(self.issue.project_id), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.issue_changed(self)`."""
        return visitor.issue_changed(self)


class IssueClosed(Struct, frozen=True, array_like=True, gc=False, tag=2, kw_only=True):
    """The update `issue_closed`."""

    project_id: ProjectId
    number: int
    by: UserId | None = None
    at: int
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `project.rev` that it covers."""
        return Claim(111, project_key(self.project_id), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.issue_closed(self)`."""
        return visitor.issue_closed(self)


class CommentsAdded(Struct, frozen=True, array_like=True, gc=False, tag=3, kw_only=True):
    """The update `comments_added`."""

    project_id: ProjectId
    comments: tuple[Comments, ...] = ()
    authors: tuple[Users, ...] = ()
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `project.rev` that it covers."""
        return Claim(111, project_key(self.project_id), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.comments_added(self)`."""
        return visitor.comments_added(self)


class CommentEdited(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """The update `comment_edited`."""

    project_id: ProjectId
    ref: CommentRef
    body: str
    at: int
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `project.rev` that it covers."""
        return Claim(111, project_key(self.project_id), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.comment_edited(self)`."""
        return visitor.comment_edited(self)


class CommentsRemoved(Struct, frozen=True, array_like=True, gc=False, tag=5, kw_only=True):
    """The update `comments_removed`."""

    project_id: ProjectId
    refs: tuple[CommentRef, ...] = ()
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `project.rev` that it covers."""
        return Claim(111, project_key(self.project_id), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.comments_removed(self)`."""
        return visitor.comments_removed(self)


class ProjectGone(Struct, frozen=True, array_like=True, gc=False, tag=6):
    """The update `project_gone`."""

    project_id: ProjectId
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `account.rev` that it covers."""
        return Claim(110, account_key(), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.project_gone(self)`."""
        return visitor.project_gone(self)


class ProjectsChanged(Struct, frozen=True, array_like=True, gc=False, tag=7, kw_only=True):
    """The update `projects_changed`."""

    projects: tuple[Projects, ...] = ()
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `account.rev` that it covers."""
        return Claim(110, account_key(), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.projects_changed(self)`."""
        return visitor.projects_changed(self)


class Starred(Struct, frozen=True, array_like=True, gc=False, tag=8, kw_only=True):
    """The update `starred`."""

    user_id: UserId
    project_ids: tuple[ProjectId, ...] = ()
    starred: bool
    rev: int
    count: int

    def claim(self) -> Claim | None:
        """The span of `account.rev` that it covers."""
        return Claim(110, account_key(), 0, self.rev - self.count, self.rev)

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.starred(self)`."""
        return visitor.starred(self)


class UserSeen(Struct, frozen=True, array_like=True, gc=False, tag=9):
    """Somebody is there. No counter guards it, so a lost one is lost."""

    user_id: UserId
    at: int

    def claim(self) -> Claim | None:
        """It claims nothing."""
        return None

    def accept(self, visitor: UpdateVisitor[T]) -> T:
        """`visitor.user_seen(self)`."""
        return visitor.user_seen(self)


Update: TypeAlias = (
    IssueChanged
    | IssueClosed
    | CommentsAdded
    | CommentEdited
    | CommentsRemoved
    | ProjectGone
    | ProjectsChanged
    | Starred
    | UserSeen
)


class Emit:
    """What updates stand for: operations, each update's in a method of its own."""

    __slots__ = ()

    def issue_changed(self, update: IssueChanged) -> list[Operation]:
        """The operations of `issue_changed`."""
        return [PutIssue(issue=update.issue)]

    def issue_closed(self, update: IssueClosed) -> list[Operation]:
        """The operations of `issue_closed`."""
        return [CloseIssue(project_id=update.project_id, number=update.number, now=update.at, by=update.by)]

    def comments_added(self, update: CommentsAdded) -> list[Operation]:
        """The operations of `comments_added`."""
        operations: list[Operation] = []
        if len(update.authors) > 0:
            operations.append(PutUsers(users=update.authors))
        operations.append(AddComments(comments=update.comments))
        return operations

    def comment_edited(self, update: CommentEdited) -> list[Operation]:
        """The operations of `comment_edited`."""
        return [EditComment(ref=update.ref, body=update.body, now=update.at)]

    def comments_removed(self, update: CommentsRemoved) -> list[Operation]:
        """The operations of `comments_removed`."""
        return [RemoveComments(refs=update.refs)]

    def project_gone(self, update: ProjectGone) -> list[Operation]:
        """The operations of `project_gone`."""
        return [RemoveProject(project_id=update.project_id)]

    def projects_changed(self, update: ProjectsChanged) -> list[Operation]:
        """The operations of `projects_changed`."""
        return [PutProjects(projects=update.projects)]

    def starred(self, update: Starred) -> list[Operation]:
        """The operations of `starred`."""
        return [
            Star(user_id=update.user_id, project_id=p, starred=update.starred) for p in update.project_ids
        ]

    def user_seen(self, update: UserSeen) -> list[Operation]:
        """The operations of `user_seen`."""
        return [SawUser(user_id=update.user_id, at=update.at)]


_EMIT: Final = Emit()
_CODEC: Final = TaggedCodec[Update](Update, "update")


def emit(update: Update) -> list[Operation]:
    """The operations that an update stands for, in order."""
    return update.accept(_EMIT)


def claim(update: Update) -> Claim | None:
    """The span of a counter that an update covers; None: it may always be applied."""
    return update.claim()


def encode_update(update: Update) -> bytes:
    """One update as bytes, its code first. Raises RangeError."""
    return _CODEC.encode(update)


def decode_update(data: bytes) -> Update:
    """The update of such bytes. Raises DataError where they are none."""
    return _CODEC.decode(data)
