"""A server of posts in groups, by the plainest means: all that was ever true, and what it answers.

Depends on: nothing of the runtime; what a count must be is worked out here from the posts alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

GROUPS = (1, 2)
TAGS = (0, 1)
#: Posts are numbered 1 to here in a group; the server makes no more.
LAST_ID = 40


@dataclass(frozen=True)
class Post:
    group: int
    id: int
    at: int
    #: Bits.
    tags: int = 0
    mine: bool = False
    #: Not part of the discussion, though it may become so.
    hidden: bool = False


@dataclass(frozen=True)
class Put:
    """A post is as it now is: new, changed or moved in time."""

    post: Post


@dataclass(frozen=True)
class Gone:
    group: int
    id: int


@dataclass(frozen=True)
class Read:
    """Everything up to this place has been seen."""

    group: int
    id: int
    at: int


Event: TypeAlias = Put | Gone | Read


@dataclass(frozen=True)
class Moment:
    """All that is true after so many events."""

    posts: dict[tuple[int, int], Post] = field(default_factory=dict)
    #: group -> id, and (at, id), up to which all is seen.
    seen: dict[int, int] = field(default_factory=dict)
    seen_at: dict[int, tuple[int, int]] = field(default_factory=dict)
    #: group -> the greatest id given.
    given: dict[int, int] = field(default_factory=dict)

    def after(self, event: Event) -> Moment:
        match event:
            case Put(post):
                given = max(self.given.get(post.group, 0), post.id)
                return replace(
                    self,
                    posts={**self.posts, (post.group, post.id): post},
                    given={**self.given, post.group: given},
                )
            case Gone(group, id):
                return replace(
                    self, posts={key: post for key, post in self.posts.items() if key != (group, id)}
                )
            case Read(group, id, at):
                return replace(
                    self,
                    seen={**self.seen, group: max(id, self.seen.get(group, 0))},
                    seen_at={**self.seen_at, group: max((at, id), self.seen_at.get(group, (0, 0)))},
                )

    def of(self, group: int) -> list[Post]:
        return sorted((post for post in self.posts.values() if post.group == group), key=lambda post: post.id)

    def unseen(self, group: int) -> int:
        """Posts of others in the discussion that nobody has seen, by id."""
        seen = self.seen.get(group, 0)
        return sum(not post.mine and not post.hidden and post.id > seen for post in self.of(group))

    def unseen_at(self, group: int) -> int:
        """The same of all posts, by time."""
        seen = self.seen_at.get(group, (0, 0))
        return sum(not post.mine and (post.at, post.id) > seen for post in self.of(group))

    def talked(self, group: int) -> int:
        """How long the discussion is."""
        return sum(not post.hidden for post in self.of(group))

    def tagged(self, group: int, tag: int) -> int:
        """How many posts have a tag."""
        return sum(post.tags >> tag & 1 for post in self.of(group))


class Server:
    """Every event, and every moment between two of them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.moments = [Moment()]

    @property
    def now(self) -> Moment:
        return self.moments[-1]

    @property
    def clock(self) -> int:
        return len(self.events)

    def happen(self, event: Event) -> None:
        self.events.append(event)
        self.moments.append(self.now.after(event))


@dataclass(frozen=True)
class BaseAnswer:
    """What the server says of a group, and what it was asked for."""

    group: int
    #: Which moment it tells of.
    as_of: int
    moment: Moment
    #: Kept word and key -> the version that was stale when it was asked.
    versions: dict[tuple[str, bytes], int]


@dataclass(frozen=True)
class PageAnswer:
    """The posts of a stretch."""

    group: int
    low: int
    high: int
    as_of: int
    posts: tuple[Post, ...]
