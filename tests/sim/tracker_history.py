"""What happens in a tracker: random changes, each counted by its log and folded by plain dicts.

Depends on: pillarbox.testing, the generated rows and updates.  Never on: containers, requests, operations.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec.structs import replace
from tests.sim.counting import Counting
from tests.sim.tracker_fold import Fold

from pillarbox.sync.protocol import Update
from pillarbox.testing import Domain
from pillarbox_tracker.keys import account_key, project_key
from pillarbox_tracker.types import (
    CommentRef,
    Comments,
    Issues,
    Login,
    ProjectId,
    Projects,
    State,
    UserId,
    Users,
)
from pillarbox_tracker.updates import (
    CommentEdited,
    CommentsAdded,
    CommentsRemoved,
    IssueAssigned,
    IssueChanged,
    IssueClosed,
    NoticeShown,
    ProjectGone,
    ProjectsChanged,
    Starred,
    UnseenTold,
    UserChanged,
    UserSeen,
)

ACCOUNT: Final = 110
PROJECT: Final = 111
REV: Final[Domain] = (ACCOUNT, account_key(), 0)
SEQ: Final[Domain] = (ACCOUNT, account_key(), 2)
#: Who may have said or done something.
PEOPLE: Final = tuple(
    Users(user_id=UserId(number), login=Login(f"u{number}"), name=f"User {number}") for number in range(1, 5)
)
_PROJECTS_MOST: Final = 4
_ISSUES_MOST: Final = 4


def project_rev(project_id: int) -> Domain:
    """The counter of a project."""
    return PROJECT, project_key(project_id), 0


@dataclass
class TrackerHistory(Counting, ABC):
    """What happened, and what is true because of it."""

    fold: Fold = field(default_factory=Fold, init=False)
    #: Goes on by one whenever something happens.
    at: int = field(default=1_000, init=False)

    def __post_init__(self) -> None:
        self.log(REV)
        self.log(SEQ)

    # -------------------------------------------------------------------------------- one change

    def _next(self, random: Random) -> Update:
        projects = self.fold.projects
        if not projects:
            return self._new_project(random)
        kind = random.random()
        if kind < 0.1:
            return UserSeen(user_id=random.choice(PEOPLE).user_id, at=self.at)
        if kind < 0.12:
            return NoticeShown(text=f"notice {self.at}")
        if kind < 0.14:
            user = random.choice(PEOPLE)
            return self._counted(random, lambda rev, n: UserChanged(user=user, rev=rev, count=n))
        if kind < 0.17 and len(projects) < _PROJECTS_MOST:
            return self._new_project(random)
        if kind < 0.24:
            return self._renamed(random)
        if kind < 0.27 and len(projects) > 1:
            return self._gone(random)
        if kind < 0.42:
            return self._star(random)
        return self._in_some_project(random, random.choice(list(projects)))

    def _new_project(self, random: Random) -> Update:
        # What is gone never comes back, and 1 is the client's own.
        number = 2 + len(self.fold.projects) + len(self.fold.gone)
        row = Projects(ProjectId(number), f"P{number}", f"p{number}", UserId(1))
        return self._counted(random, lambda rev, n: ProjectsChanged(projects=(row,), rev=rev, count=n))

    def _renamed(self, random: Random) -> Update:
        if not self.fold.projects:
            return self._new_project(random)
        row = random.choice(list(self.fold.projects.values()))
        if not self._counts_nothing(random, REV):
            row = replace(row, name=f"P{self.at}")
            return self._counted(random, lambda rev, n: ProjectsChanged(projects=(row,), rev=rev, count=n))
        if self._is_sure:
            row = replace(row, name=f"P{self.at}, not counted")
        return self._uncounted(REV, lambda rev: ProjectsChanged(projects=(row,), rev=rev, count=0))

    def _gone(self, random: Random) -> Update:
        number = random.choice(list(self.fold.projects))
        return self._counted(
            random, lambda rev, n: ProjectGone(project_id=ProjectId(number), rev=rev, count=n)
        )

    def _star(self, random: Random) -> Update:
        user = random.choice(PEOPLE).user_id
        some = tuple(ProjectId(number) for number in self.fold.projects if random.random() < 0.6)
        starred = random.random() < 0.6
        return self._counted(
            random, lambda rev, n: Starred(user_id=user, project_ids=some, starred=starred, rev=rev, count=n)
        )

    def _in_some_project(self, random: Random, project: int) -> Update:
        issues = self.fold.issues_of(project)
        kind = random.random()
        if not issues or kind < 0.3:
            return self._issue(random, project)
        issue = random.choice(issues)
        if kind < 0.35:
            # True of the newest revision; it moves nothing.
            rev, said = self.log(project_rev(project)).end, issue.comments
            return UnseenTold(issue.project_id, issue.number, said, 0, said, rev)
        if kind < 0.4:
            user_id = random.choice((None, *(user.user_id for user in PEOPLE)))
            return self._in_project(
                project,
                self._count(random),
                lambda rev, n: IssueAssigned(
                    project_id=issue.project_id, number=issue.number, user_id=user_id, rev=rev, count=n
                ),
            )
        if kind < 0.7:
            return self._said(random, issue)
        comment = self._comment(random)
        if kind < 0.8 and comment is not None:
            ref = CommentRef(comment.project_id, comment.number, comment.comment)
            return self._in_project(
                comment.project_id, self._count(random),
                lambda rev, n: CommentEdited(ref.project_id, ref, f"edited {self.at}", self.at, rev, n),
            )  # fmt: skip
        if kind < 0.9 and comment is not None:
            refs = (CommentRef(comment.project_id, comment.number, comment.comment),)
            return self._in_project(
                comment.project_id, self._count(random),
                lambda rev, n: CommentsRemoved(project_id=comment.project_id, refs=refs, rev=rev, count=n),
            )  # fmt: skip
        return self._in_project(
            project, self._count(random),
            lambda rev, n: IssueClosed(
                project_id=ProjectId(project), number=issue.number, by=UserId(1), at=self.at, rev=rev, count=n
            ),
        )  # fmt: skip

    def _issue(self, random: Random, project: int) -> Update:
        issues = self.fold.issues_of(project)
        if issues and self._counts_nothing(random, project_rev(project)):
            # As it is, even in calm: while the box asks about a project for the first time, this may be lost.
            row = random.choice(issues)
            return self._uncounted(project_rev(project), lambda rev: IssueChanged(row, rev, 0))
        if not issues or (len(issues) < _ISSUES_MOST and random.random() < 0.5):
            row = Issues(
                project_id=ProjectId(project),
                number=len(issues) + 1,
                title=f"T{self.at}",
                author_id=UserId(1),
                created_at=self.at,
                updated_at=self.at,
            )
        else:
            row = replace(
                random.choice(issues),
                title=f"T{self.at}",
                updated_at=self.at,
                state=random.choice(list(State)),
            )
        return self._in_project(project, self._count(random), lambda rev, n: IssueChanged(row, rev, n))

    def _said(self, random: Random, issue: Issues) -> Update:
        new = []
        for place in range(random.choice((1, 1, 2))):
            number = self.fold.next_comment(issue.project_id, issue.number) + place
            author = random.choice(PEOPLE).user_id
            new.append(
                Comments(
                    project_id=issue.project_id,
                    number=issue.number,
                    posted_at=self.at,
                    comment=number,
                    author_id=author,
                    body=f"said {self.at}",
                )
            )
        authors = tuple(user for user in PEOPLE if user.user_id in {comment.author_id for comment in new})
        return self._in_project(
            issue.project_id, self._count(random),
            lambda rev, n: CommentsAdded(
                project_id=issue.project_id, comments=tuple(new), authors=authors, rev=rev, count=n
            ),
        )  # fmt: skip

    def _comment(self, random: Random) -> Comments | None:
        some = [
            comment for comment in self.fold.comments.values() if comment.project_id in self.fold.projects
        ]
        return random.choice(some) if some else None

    # ------------------------------------------------------------------------------------- counters

    def _count(self, random: Random) -> int:
        return random.randint(1, self.knobs.counts)

    def _counted(self, random: Random, make: Any) -> Update:
        return self._log(REV, self._count(random), make)

    def _in_project(self, project: int, count: int, make: Any) -> Update:
        return self._log(project_rev(project), count, make)

    def mark(self, update: Update) -> Hashable | None:
        if isinstance(update, UserSeen):
            return "seen", update.user_id, update.at
        return super().mark(update)
