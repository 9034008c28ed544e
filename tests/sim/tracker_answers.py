"""What a server of the tracker answers, by hand.

Depends on: tracker_history, the generated structs.  Never on: what operations do.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field
from random import Random

from tests.sim.tracker_history import PEOPLE, REV, SEQ, TrackerHistory, project_rev

from pillarbox.sync.protocol import Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import SpanLog
from pillarbox_tracker.answers import (
    Answer,
    Changes,
    CommentPage,
    Expired,
    People,
    ProjectChanges,
    ProjectExpired,
    ProjectPage,
    Standing,
    Unchanged,
)
from pillarbox_tracker.containers import Done, Push
from pillarbox_tracker.requests import (
    ConfirmKept,
    GetChanges,
    GetComments,
    GetPeople,
    GetProjectChanges,
    GetStanding,
    ListProjects,
    PostComment,
    Request,
    SavePreference,
)
from pillarbox_tracker.types import ProjectId, Stars, UserId
from pillarbox_tracker.updates import (
    IssueChanged,
    ProjectBehind,
    ProjectGone,
    ProjectsChanged,
    Starred,
    UserChanged,
)


@dataclass
class TrackerAnswers(TrackerHistory, ABC):
    """What it says to who asks."""

    #: Projects that may not be asked about now.
    _refused: set[int] = field(default_factory=set, init=False)
    _is_over: bool = field(default=False, init=False)
    #: Of each issue the tokens of the comments that the client has posted.
    _posted: dict[int, list[int]] = field(default_factory=dict, init=False)
    _saved: str | None = field(default=None, init=False)

    def answer(self, request: Request) -> Answer | Failure:
        match request:
            case GetStanding():
                return Standing(rev=self.log(REV).end, seq=self.log(SEQ).end, at=self.at)
            case GetChanges():
                return self._changes(request)
            case GetProjectChanges():
                return self._project_changes(request)
            case ListProjects():
                return self._page(request)
            case GetComments():
                return self._comments(request)
            case GetPeople():
                return People(users=tuple(user for user in PEOPLE if user.user_id in request.ids))
            case ConfirmKept():
                return Done(rev=0, count=0)
            case PostComment():
                posted = self._posted.setdefault(request.number, [])
                if request.token not in posted:
                    posted.append(request.token)
                return Push(updates=(), users=(), first=0, last=0, at=self.at)
            case SavePreference():
                self._saved = request.value
                return Done(rev=0, count=0)
            case _:
                return Refused("NOT_HERE")

    def _changes(self, request: GetChanges) -> Answer:
        log, is_behind = self.log(REV), not self._is_over and self.random.random() < self.knobs.lag
        if request.since < log.horizon:
            return Expired()
        if is_behind:  # A replica that has not heard of the newest, and knows of no container.
            end = random_end(self.random, log, request.since)
            told = tuple(entry.update for entry in log.after(request.since) if entry.end <= end)
            return Changes(updates=told, users=(), rev=end, seq=request.seq, at=self.at, more=False)
        some, more = self.told_since(REV, request.since)
        told = tuple(entry.update for entry in some)
        others, seq = self._others(request.seq), self.log(SEQ).end
        if more and self.random.random() < 0.5:
            others, seq = (), request.seq
        if more:
            return Changes(
                updates=(*told, *others), users=(), rev=some[-1].end, seq=seq, at=self.at, more=True
            )
        if not told and not others and self.random.random() < 0.5:
            return Unchanged(seq=seq, at=self.at)
        return Changes(updates=(*told, *others), users=(), rev=log.end, seq=seq, at=self.at, more=False)

    def _others(self, seq: int) -> tuple[Update, ...]:
        """What travelled with containers since then: all of it, or of each project its newest."""
        others = [update for entry in self.log(SEQ).after(seq) for update in entry.update]
        others = [update for update in others if not self._is_hidden(update)]
        if self.random.random() < 0.5:
            return tuple(others)
        shown = [update for update in others if _shows(update)]
        newest = {project_of(update): update for update in sorted(shown, key=_rank)}
        return tuple(it for it in others if not _shows(it) or newest[project_of(it)] is it)

    def _project_changes(self, request: GetProjectChanges) -> Answer | Failure:
        number = request.project_id
        if number not in self.fold.projects:
            return Refused("GONE")
        if number in self._refused:
            return Refused("FORBIDDEN")
        log = self.log(project_rev(number))
        if request.since < log.horizon:
            return ProjectExpired(rev=log.end, issues=tuple(self.fold.issues_of(number)))
        some, more = self.told_since(project_rev(number), request.since)
        rev = some[-1].end if more else log.end
        return ProjectChanges(updates=tuple(entry.update for entry in some), rev=rev, more=more)

    def _comments(self, request: GetComments) -> Answer | Failure:
        project, group = request.project_id, (request.project_id, request.number)
        if project in self._refused:
            return Refused("FORBIDDEN")
        is_there = project in self.fold.projects  # of one that is gone nothing is left
        rows = [row for key, row in sorted(self.fold.comments.items()) if is_there and key[:2] == group]
        if request.around:
            newer = [row for row in rows if row.comment >= request.lo][: request.limit - request.limit // 2]
            older = [row for row in rows if row.comment < request.lo]
            found = older[len(older) - min(len(older), request.limit - len(newer)) :] + newer
        else:
            rows = [row for row in rows if request.lo <= row.comment <= request.hi]
            found = rows[: request.limit] if request.up else rows[-request.limit :]
        rev = self.log(project_rev(project)).end
        return CommentPage(issue=None, comments=tuple(found), users=(), rev=rev)

    def _page(self, request: ListProjects) -> Answer:
        after = request.after or 0
        some, more = self.paged([row for number, row in sorted(self.fold.projects.items()) if number > after])
        numbers = {row.project_id for row in some}
        stars = tuple(
            Stars(UserId(user), ProjectId(project))
            for user, project in sorted(self.fold.stars)
            if project in numbers
        )
        return ProjectPage(
            projects=tuple(some), users=(), stars=stars, next=some[-1].project_id if more else None
        )

    def _is_hidden(self, update: Update) -> bool:
        return not is_of_account(update) and project_of(update) in self._refused


def random_end(random: Random, log: SpanLog, since: int) -> int:
    """Where a replica is: at the end of one of the last entries, which may be before the question."""
    return random.choice([entry.end for entry in log.entries[-4:]]) if since else log.end


def is_of_account(update: Update) -> bool:
    return isinstance(update, (ProjectsChanged, ProjectGone, Starred, UserChanged))


def project_of(update: Update) -> int:
    if isinstance(update, IssueChanged):
        return update.issue.project_id
    return int(getattr(update, "project_id", 0))


def _shows(update: Update) -> bool:
    """Whether it shows how far a project is."""
    return isinstance(update, ProjectBehind) or (
        not is_of_account(update) and getattr(update, "count", 0) > 0
    )


def _rank(update: Update) -> float:
    """Up to where it shows that."""
    return float("inf") if update.rev is None else update.rev
