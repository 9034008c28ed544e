"""An adapter of one's own: the dump of an issue tracker, one issue a line with all that hangs on it.

It is named in schema/tracker/sources.yaml, and it is the plain kind: a function that reads a whole file. (For
newline JSON of one struct, `pillarbox_spark.sources.json_lines` cuts files and keeps places as well.)

Depends on: pillarbox_spark.adapters, msgspec, the generated `pillarbox_tracker`.  Never on: a box.

Law: every line that is not blank is an issue or refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from math import floor
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from pillarbox_spark.adapters import Refused
from pillarbox_tracker.sources import IssueDumpRow
from pillarbox_tracker.types import (
    Comments,
    Labels,
    Login,
    Priority,
    ProjectId,
    State,
    UserId,
    Users,
    Watchers,
)

Date: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]
Id: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class Person(msgspec.Struct):
    """Somebody who is named in an issue."""

    id: Id
    login: str
    name: str = ""


class Project(msgspec.Struct):
    """Where an issue belongs."""

    id: Id
    name: str
    slug: str
    owner: Id


class Label(msgspec.Struct):
    """A label; `color` has six hexadecimal digits."""

    id: Number
    name: str
    color: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{6}$")]


class Comment(msgspec.Struct):
    """What somebody said. Comments that came by mail have no number."""

    user: Person
    created_at: Date
    body: str
    n: Number | None = None
    edited_at: Date | None = None
    deleted: bool = False
    reactions: dict[str, Number] = {}


class Watcher(msgspec.Struct):
    """Who wants to hear of it."""

    user: Person
    since: Date
    muted_until: Date | None = None


class Issue(msgspec.Struct):
    """One line."""

    project: Project
    number: Number
    title: str
    author: Person
    created_at: Date
    updated_at: Date
    body: str | None = None
    state: Literal["open", "waiting", "closed"] = "open"
    priority: Literal["low", "normal", "high", "urgent"] = "normal"
    assignee: Person | None = None
    labels: list[Label] = []
    comments: list[Comment] = []
    watchers: list[Watcher] = []


def rows(path: Path, row: Callable[..., IssueDumpRow]) -> Iterator[IssueDumpRow | Refused]:
    """Every issue of a file."""
    decoder = msgspec.json.Decoder(Issue)
    begin = 0
    with path.open("rb") as lines:
        for line in lines:
            if text := line.strip():
                try:
                    yield row(**columns(decoder.decode(text)))
                except (ValueError, RecursionError) as error:
                    yield Refused("bad-issue", f"{error}; export it again", begin, text)
            begin += len(line)


def columns(issue: Issue) -> dict[str, object]:
    """The columns of its row."""
    project_id = ProjectId(issue.project.id)
    named = [issue.author, *([issue.assignee] if issue.assignee else [])]
    named += [comment.user for comment in issue.comments] + [watcher.user for watcher in issue.watchers]
    people = {person.id: person for person in named}
    said = [comment for comment in issue.comments if not comment.deleted]
    return {
        "project_id": project_id,
        "project": issue.project.name,
        "slug": issue.project.slug,
        "owner_id": UserId(issue.project.owner),
        "number": issue.number,
        "title": issue.title,
        "body": issue.body or "",
        "state": State[issue.state.upper()],
        "priority": Priority[issue.priority.upper()],
        "author_id": UserId(issue.author.id),
        "assignee_id": UserId(issue.assignee.id) if issue.assignee else None,
        "labels": tuple(Labels(project_id, one.id, one.name, int(one.color, 16)) for one in issue.labels),
        "created_at": seconds(issue.created_at),
        "updated_at": seconds(issue.updated_at),
        "comments": tuple(comment_of(project_id, issue.number, comment) for comment in said),
        "removed": tuple(one.n for one in issue.comments if one.deleted and one.n),
        "watchers": tuple(watcher_of(project_id, issue.number, one) for one in issue.watchers),
        "people": tuple(Users(UserId(one.id), Login(one.login), one.name) for one in people.values()),
    }


def comment_of(project_id: ProjectId, number: int, comment: Comment) -> Comments:
    """The row of a comment; 0 for its number makes the tracker give it one."""
    return Comments(
        project_id=project_id,
        number=number,
        posted_at=seconds(comment.created_at),
        comment=comment.n or 0,
        author_id=UserId(comment.user.id),
        body=comment.body,
        edited_at=seconds(comment.edited_at) if comment.edited_at else None,
        reactions=tuple(sorted(comment.reactions.items())),
    )


def watcher_of(project_id: ProjectId, number: int, watcher: Watcher) -> Watchers:
    """The row of a watcher."""
    muted = seconds(watcher.muted_until) if watcher.muted_until else None
    return Watchers(project_id, number, UserId(watcher.user.id), seconds(watcher.since), muted)


def seconds(date: datetime) -> int:
    """Seconds since 1970."""
    return floor(date.timestamp())
