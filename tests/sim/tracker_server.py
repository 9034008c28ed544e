"""A server of the tracker, by hand: what happened as logs, what is true as plain dicts.

Depends on: pillarbox.testing, the generated types and protocol (names only).  Never on: operations' meaning as
generated; each update is folded here a second time, by another author.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec.structs import replace
from tests.sim.tracker_fold import Fold

from pillarbox.box import Package
from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.protocol import SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Domain, Own, Server, SpanLog
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.keys import account_key, project_key
from pillarbox_tracker.operations import RemoveComments, SetPreference, Star
from pillarbox_tracker.protocol import (
    PROTOCOL,
    Answer,
    Changes,
    ConfirmKept,
    Container,
    Done,
    DoneInProject,
    Expired,
    GetChanges,
    GetPeople,
    GetProjectChanges,
    GetStanding,
    ListProjects,
    People,
    ProjectChanges,
    ProjectExpired,
    ProjectPage,
    Push,
    PushOne,
    Request,
    Seen,
    Standing,
    Unchanged,
)
from pillarbox_tracker.types import CommentRef, Comments, Issues, ProjectId, Projects, Stars, State, UserId, Users
from pillarbox_tracker.updates import (
    CommentEdited,
    CommentsAdded,
    CommentsRemoved,
    IssueChanged,
    IssueClosed,
    ProjectGone,
    ProjectsChanged,
    Starred,
    UserSeen,
)

ACCOUNT: Final = 110
PROJECT: Final = 111
REV: Final[Domain] = (ACCOUNT, account_key(), 0)
SEQ: Final[Domain] = (ACCOUNT, account_key(), 2)
#: Who may have said or done something; one whose stars are never taken back has a number above these.
PEOPLE: Final = tuple(
    Users(user_id=UserId(number), login=f"u{number}", name=f"User {number}") for number in range(1, 5)  # type: ignore[arg-type]
)
_PROJECTS_MOST: Final = 4
_ISSUES_MOST: Final = 4


def project_rev(project_id: int) -> Domain:
    """The counter of a project."""
    return PROJECT, project_key(project_id), 0


@dataclass
class TrackerServer(Server):
    """Everybody's tracker."""

    fold: Fold = field(default_factory=Fold, init=False)
    #: Goes on by one whenever something happens.
    at: int = field(default=1_000, init=False)
    _pending: list[Update] = field(default_factory=list, init=False)
    _refused: set[int] = field(default_factory=set, init=False)
    #: Projects that could not be asked about at some time, and those told anew as a whole.
    _was_refused: set[int] = field(default_factory=set, init=False)
    _anew: set[int] = field(default_factory=set, init=False)
    _is_over: bool = field(default=False, init=False)
    _preferences: dict[tuple[int, str], str] = field(default_factory=dict, init=False)
    _fans: int = field(default=100, init=False)

    def __post_init__(self) -> None:
        self.log(REV)
        self.log(SEQ)

    @property
    def package(self) -> Package[Any, Any]:
        return PACKAGE

    @property
    def protocol(self) -> SyncProtocol:
        return PROTOCOL

    # ------------------------------------------------------------------------------ what happens

    def change(self, random: Random) -> Sequence[Container]:
        self.at += 1
        update = self._next(random)
        self._pending.append(update)
        if random.random() < self.knobs.bundle:
            return ()
        return self._flushed(random)

    def finish(self) -> Sequence[Container]:
        """What was held back; and where silence is not broken by itself, a word of each counter."""
        self._is_over = True
        random, found = self.random, [*self._flushed(self.random)]
        if not self.knobs.idle_poll:
            for project in list(self.fold.projects.values()):
                self.at += 1
                self._pending.append(self._issue(random, project.project_id))
            self.at += 1
            self._pending.append(self._renamed(random))
            found += self._flushed(random, numbered=True)
        return found

    def own(self, random: Random) -> tuple[Own | None, Sequence[Container]]:
        self.at += 1
        comment = self._comment(random)
        if comment is not None and random.random() < 0.5:
            refs = (CommentRef(comment.project_id, comment.number, comment.comment),)
            update: Update = self._in_project(
                comment.project_id, 1, lambda rev, n: CommentsRemoved(project_id=comment.project_id, refs=refs, rev=rev, count=n)
            )
            answer: Container = DoneInProject(project_id=comment.project_id, rev=update.rev, count=1)
            done: Any = RemoveComments(refs=refs)
        elif self.fold.projects:
            # Of a user whose stars are never taken back, so that it is right whenever it is written.
            self._fans += 1
            user, project = UserId(self._fans), random.choice(list(self.fold.projects))
            update = self._counted(
                random, lambda rev, n: Starred(user_id=user, project_ids=(ProjectId(project),), starred=True, rev=rev, count=n)
            )
            answer = Done(rev=update.rev, count=update.count)
            done = Star(user_id=user, project_id=ProjectId(project))
        else:
            return None, ()
        self._pending.append(update)
        mark = self.mark(update)
        return Own((done,), answer, () if mark is None else (mark,)), self._flushed(random)

    def write(self, random: Random) -> Sequence[Any]:
        name, value = random.choice("ab"), f"{random.getrandbits(20)}"
        self._preferences[1, name] = value
        return (SetPreference(user_id=UserId(1), name=name, value=value),)

    def forget(self, random: Random) -> None:
        logs = [self.log(REV), *(self.log(project_rev(number)) for number in self.fold.projects)]
        log = random.choice((self.log(REV), random.choice(logs)))
        if log.entries:
            log.horizon = random.choice(log.entries[-3:]).end

    def refuse(self, random: Random) -> None:
        if self.fold.projects:
            number = random.choice(list(self.fold.projects))
            self._refused.add(number)
            self._was_refused.add(number)

    def allow(self) -> None:
        self._refused.clear()

    # -------------------------------------------------------------------------------- one change

    def _next(self, random: Random) -> Update:
        projects = self.fold.projects
        if not projects:
            return self._new_project(random)
        kind = random.random()
        if kind < 0.12:
            return UserSeen(user_id=random.choice(PEOPLE).user_id, at=self.at)
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
        if not self._is_neutral(random):
            row = replace(row, name=f"P{self.at}")
            return self._counted(random, lambda rev, n: ProjectsChanged(projects=(row,), rev=rev, count=n))
        return self._uncounted(REV, lambda rev: ProjectsChanged(projects=(row,), rev=rev, count=0))

    def _gone(self, random: Random) -> Update:
        number = random.choice(list(self.fold.projects))
        return self._counted(random, lambda rev, n: ProjectGone(project_id=ProjectId(number), rev=rev, count=n))

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
        if not issues or kind < 0.35:
            return self._issue(random, project)
        issue = random.choice(issues)
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
        if issues and self._is_neutral(random):
            row = random.choice(issues)
            return self._uncounted(project_rev(project), lambda rev: IssueChanged(row, rev, 0))
        if not issues or (len(issues) < _ISSUES_MOST and random.random() < 0.5):
            row = Issues(
                project_id=ProjectId(project), number=len(issues) + 1, title=f"T{self.at}", author_id=UserId(1),
                created_at=self.at, updated_at=self.at,
            )  # fmt: skip
        else:
            row = replace(
                random.choice(issues), title=f"T{self.at}", updated_at=self.at, state=random.choice(list(State))
            )
        return self._in_project(project, self._count(random), lambda rev, n: IssueChanged(row, rev, n))

    def _said(self, random: Random, issue: Issues) -> Update:
        new = []
        for place in range(random.choice((1, 1, 2))):
            number = self.fold.next_comment(issue.project_id, issue.number) + place
            author = random.choice(PEOPLE).user_id
            new.append(
                Comments(
                    project_id=issue.project_id, number=issue.number, posted_at=self.at, comment=number,
                    author_id=author, body=f"said {self.at}",
                )  # fmt: skip
            )
        authors = tuple(user for user in PEOPLE if user.user_id in {comment.author_id for comment in new})
        return self._in_project(
            issue.project_id, self._count(random),
            lambda rev, n: CommentsAdded(
                project_id=issue.project_id, comments=tuple(new), authors=authors, rev=rev, count=n
            ),
        )  # fmt: skip

    def _comment(self, random: Random) -> Comments | None:
        some = [comment for comment in self.fold.comments.values() if comment.project_id in self.fold.projects]
        return random.choice(some) if some else None

    # ------------------------------------------------------------------------------------- counters

    def _count(self, random: Random) -> int:
        return random.randint(1, self.knobs.counts)

    def _is_neutral(self, random: Random) -> bool:
        """Whether something is told that counts nothing: as it is, for nobody could tell that it was lost."""
        return random.random() < self.knobs.zeros

    def _counted(self, random: Random, make: Any) -> Update:
        return self._log(REV, self._count(random), make)

    def _in_project(self, project: int, count: int, make: Any) -> Update:
        return self._log(project_rev(project), count, make)

    def _log(self, domain: Domain, count: int, make: Any) -> Update:
        update = make(self.log(domain).end + count, count)
        mark = self.mark(update)
        assert mark is not None
        self.logged(domain, count, update, (mark,))
        self.fold.apply(update)
        return update

    def _uncounted(self, domain: Domain, make: Any) -> Update:
        update = make(self.log(domain).end)
        self.logged(domain, 0, update, ())
        self.fold.apply(update)
        return update

    def mark(self, update: Update) -> Hashable | None:
        if isinstance(update, UserSeen):
            return "seen", update.user_id, update.at
        return super().mark(update)

    # ------------------------------------------------------------------------------------ containers

    def _flushed(self, random: Random, *, numbered: bool = False) -> list[Container]:
        updates = [update for update in self._pending if getattr(update, "project_id", 0) not in self._refused]
        self._pending.clear()
        if not updates:
            return []
        if random.random() < self.knobs.shuffled:
            random.shuffle(updates)
        if not numbered and random.random() < self.knobs.unnumbered:
            return [self._unnumbered(random, updates)]
        count = random.randint(1, 3) if random.random() < self.knobs.ranged else 1
        others = [update for update in updates if not _is_of_account(update)]
        marks = [mark for update in others if isinstance(update, UserSeen) and (mark := self.mark(update))]
        entry = self.logged(SEQ, count, tuple(others), marks)
        return [self._push(updates, entry.start + 1, entry.end)]

    def _unnumbered(self, random: Random, updates: Sequence[Update]) -> Container:
        if len(updates) == 1 and random.random() < 0.5:
            update = updates[0]
            if isinstance(update, UserSeen):
                return Seen(user_id=update.user_id, at=update.at)
            return PushOne(update=update, at=self.at)
        return self._push(updates, 0, 0)

    def _push(self, updates: Sequence[Update], first: int, last: int) -> Push:
        some = tuple(user for user in PEOPLE if self.random.random() < 0.2)
        return Push(updates=tuple(updates), users=some, first=first, last=last, at=self.at)

    # --------------------------------------------------------------------------------------- answers

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
            case GetPeople():
                return People(users=tuple(user for user in PEOPLE if user.user_id in request.ids))
            case ConfirmKept():
                return Done(rev=0, count=0)

    def _changes(self, request: GetChanges) -> Answer:
        log, is_behind = self.log(REV), not self._is_over and self.random.random() < self.knobs.lag
        if request.since < log.horizon:
            return Expired()
        entries = log.after(request.since)
        if is_behind:  # A replica that has not heard of the newest, and knows of no container.
            end = random_end(self.random, log, request.since)
            entries = [entry for entry in entries if entry.end <= end]
            told = tuple(entry.update for entry in entries)
            return Changes(updates=told, users=(), rev=end, seq=request.seq, at=self.at, more=False)
        some, more = self.paged(entries)
        told = tuple(entry.update for entry in some)
        if more:
            return Changes(updates=told, users=(), rev=some[-1].end, seq=request.seq, at=self.at, more=True)
        others = self._others(request.seq)
        seq = self.log(SEQ).end
        if not told and not others and self.random.random() < 0.5:
            return Unchanged(seq=seq, at=self.at)
        return Changes(updates=(*told, *others), users=(), rev=log.end, seq=seq, at=self.at, more=False)

    def _others(self, seq: int) -> tuple[Update, ...]:
        """What travelled with containers since then: all of it, or of each project its newest."""
        others = [update for entry in self.log(SEQ).after(seq) for update in entry.update]
        others = [update for update in others if getattr(update, "project_id", 0) not in self._refused]
        if self.random.random() < 0.5:
            return tuple(others)
        newest = {_project_of(update): update for update in others if _project_of(update)}
        return tuple(update for update in others if not _project_of(update) or newest[_project_of(update)] is update)

    def _project_changes(self, request: GetProjectChanges) -> Answer | Failure:
        number = request.project_id
        if number in self._refused or number not in self.fold.projects:
            return Refused("NOT_A_MEMBER")
        log = self.log(project_rev(number))
        if request.since < log.horizon:
            self._anew.add(number)
            return ProjectExpired(rev=log.end, issues=tuple(self.fold.issues_of(number)))
        some, more = self.paged(log.after(request.since))
        rev = some[-1].end if more else log.end
        return ProjectChanges(updates=tuple(entry.update for entry in some), rev=rev, more=more)

    def _page(self, request: ListProjects) -> Answer:
        after = request.after or 0
        some, more = self.paged([row for number, row in sorted(self.fold.projects.items()) if number > after])
        numbers = {row.project_id for row in some}
        stars = tuple(Stars(user, project) for user, project in sorted(self.fold.stars) if project in numbers)
        return ProjectPage(
            projects=tuple(some), users=(), stars=stars, next=some[-1].project_id if more else None
        )

    # ------------------------------------------------------------------------------------ what is true

    def is_known(self, domain: Domain) -> bool:
        return domain[0] != PROJECT or domain[1] in self.fold.projects

    def watched(self) -> Sequence[Instance]:
        return [(PROJECT, project_key(number)) for number in self.fold.projects]

    def evidence(self, instance: Instance, before: Position, after: Position) -> Iterator[tuple[Domain, int]]:
        if instance != SEQ[:2] or before is None or after is None:
            return
        for entry in self.log(SEQ).between(before[2], after[2]):
            for update in entry.update:
                claim = self.protocol.updates.claim(update)
                if claim is None or claim.end == claim.start or claim.key in self._was_refused:
                    continue
                if claim.key in self.fold.projects:
                    yield (claim.cursor, claim.key, claim.part), claim.end

    def wrong(self, tables: Tables) -> Iterator[str]:
        yield from self.fold.wrong(tables, self._anew)
        stored = {(row.user_id, row.name): row.value for row in tables.preferences.all()}
        if stored != self._preferences:
            yield f"preferences are {stored}, not {self._preferences}"


def random_end(random: Random, log: SpanLog, since: int) -> int:
    """Where a replica is: at the end of one of the last entries, or at the beginning."""
    return random.choice([0, *(entry.end for entry in log.entries)][-4:]) if since else log.end


def _is_of_account(update: Update) -> bool:
    return isinstance(update, (ProjectsChanged, ProjectGone, Starred))


def _project_of(update: Update) -> int:
    if isinstance(update, IssueChanged):
        return update.issue.project_id
    return 0 if isinstance(update, UserSeen) else int(update.project_id)
