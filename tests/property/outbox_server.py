"""The server of `outbox_world`: what it did and will never do, and what its requests are for.

Depends on: the tracker's generated package.  Never on: the outbox, the machine.
"""

from __future__ import annotations

from typing import Any

from pillarbox_tracker import outbox
from pillarbox_tracker.answers import Standing
from pillarbox_tracker.containers import Done, DoneInProject, Push
from pillarbox_tracker.requests import LabelIssue, PostComment, SavePreference, SeeIssues, StarProject


class Server:
    """What the requests did, in order. A comment is known by its token."""

    def __init__(self) -> None:
        self.comments: list[PostComment] = []
        self.labels: dict[tuple[int, int], tuple[int, ...]] = {}
        self.stars: dict[int, bool] = {}
        self.preferences: dict[str, str | None] = {}
        self.seen: dict[int, set[int]] = {}
        self.effects: list[Any] = []
        #: What it will never do.
        self.never: list[Any] = []

    def execute(self, request: Any) -> Any:
        """Do it, and give the answer."""
        self.effects.append(request)
        match request:
            case PostComment():
                if all(comment.token != request.token for comment in self.comments):
                    self.comments.append(request)
                return Push(updates=(), users=(), first=0, last=0, at=0)
            case LabelIssue():
                self.labels[request.project_id, request.number] = tuple(request.labels)
                return DoneInProject(project_id=request.project_id, rev=0, count=0)
            case StarProject():
                self.stars[request.project_id] = request.starred
            case SavePreference():
                self.preferences[request.name] = request.value
            case SeeIssues():
                self.seen.setdefault(request.project_id, set()).update(request.numbers)
                return Standing(rev=1, seq=1, at=1)
        return Done(rev=0, count=0)

    def refuses(self, request: Any) -> bool:
        return request in self.never

    def refuse(self, request: Any) -> bool:
        """Refuse it now and for ever; what it has done already it does not refuse."""
        if request in self.effects:
            return False
        self.never.append(request)
        return True

    def has_ended(self, request: Any) -> bool:
        return request in self.effects or request in self.never


def asked(row: Any) -> Any:
    """The request of a row."""
    return outbox.OUTBOX.kinds[row.kind].request(row.payload)


def is_same(one: Any, other: Any) -> bool:
    """Whether two requests are for the same wish; whether the server knows that is another question."""
    if isinstance(one, PostComment) and isinstance(other, PostComment):
        return one.body == other.body
    return bool(one == other)


def lane_of(request: Any) -> tuple[Any, ...]:
    """The group that a request is of."""
    match request:
        case PostComment() | LabelIssue():
            return type(request), request.project_id, request.number
        case SavePreference():
            return type(request), request.name
        case _:
            return type(request), request.project_id
