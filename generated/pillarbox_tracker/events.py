# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""What operations of the schema 'tracker' tell once their transaction has committed."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pillarbox_tracker.types import Comments, ProjectId, UserId


class IssueOpened(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """An issue has got its number."""

    project_id: ProjectId
    number: int


class IssueClosed(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """The event `issue_closed`."""

    project_id: ProjectId
    number: int
    by: UserId | None = None


class CommentAdded(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """The event `comment_added`."""

    comment: Comments


class Refused(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """An operation had nothing to act on."""

    reason: str


Event: TypeAlias = IssueOpened | IssueClosed | CommentAdded | Refused
