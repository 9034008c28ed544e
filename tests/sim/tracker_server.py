"""A server of the tracker, by hand: what it pushes, and what boxes should hold in the end.

Depends on: tracker_answers, tracker_history, the generated structs, claims.  Never on: what operations do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.sim.tracker_answers import TrackerAnswers, is_of_account, project_of
from tests.sim.tracker_history import PEOPLE, PROJECT, REV, SEQ, project_rev

from pillarbox.box import Package
from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.protocol import SyncProtocol, Tables, Update
from pillarbox.testing import Domain, Own
from pillarbox.views import ViewKey
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.containers import Container, Done, DoneInProject, Push, PushOne, Seen
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import (
    EnqueuePostComment,
    EnqueueSavePreference,
    RemoveComments,
    SetPreference,
    Star,
)
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import (
    ConfirmKept,
    GetProjectChanges,
    Request,
)
from pillarbox_tracker.types import Access, CommentRef, ProjectId, Start, UserId
from pillarbox_tracker.updates import (
    AccessChanged,
    CommentsRemoved,
    ProjectBehind,
    Starred,
    UserSeen,
)
from pillarbox_tracker.views import Thread


@dataclass
class TrackerServer(TrackerAnswers):
    """Everybody's tracker."""

    _pending: list[Update] = field(default_factory=list, init=False)
    #: Projects that could not be asked about at some time.
    _was_refused: set[int] = field(default_factory=set, init=False)
    _preferences: dict[tuple[int, str], str] = field(default_factory=dict, init=False)
    _fans: int = field(default=100, init=False)
    #: The comments that the client wants posted: in each issue in this order.
    _token: int = field(default=0, init=False)
    _wanted: dict[int, list[int]] = field(default_factory=dict, init=False)

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
        if random.random() < self.knobs.hinted and not is_of_account(update) and project_of(update):
            behind = ProjectId(project_of(update))
            end = self.log(project_rev(behind)).end
            update = ProjectBehind(project_id=behind, rev=random.choice((None, end)))
        self._pending.append(update)
        if self.fold.projects and random.random() < self.knobs.asking:
            number, access = (
                random.choice(list(self.fold.projects)),
                random.choice((Access.GIVEN, Access.RENEWED)),
            )
            self._pending.append(AccessChanged(ProjectId(number), access))
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

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        self.at += 1
        comment = self._comment(random)
        if comment is not None and comment in tables.comments.all() and random.random() < 0.7:
            refs = (CommentRef(comment.project_id, comment.number, comment.comment),)
            update: Update = self._in_project(
                comment.project_id,
                1,
                lambda rev, n: CommentsRemoved(project_id=comment.project_id, refs=refs, rev=rev, count=n),
            )
            answer: Container = DoneInProject(project_id=comment.project_id, rev=update.rev, count=1)
            done: Any = RemoveComments(refs=refs)
        elif self.fold.projects:
            # Of a user whose stars are never taken back, so that it is right whenever it is written.
            self._fans += 1
            user, project = UserId(self._fans), random.choice(list(self.fold.projects))
            update = self._counted(
                random,
                lambda rev, n: Starred(
                    user_id=user, project_ids=(ProjectId(project),), starred=True, rev=rev, count=n
                ),
            )
            answer = Done(rev=update.rev, count=update.count)
            done = Star(user_id=user, project_id=ProjectId(project))
        else:
            return None, ()
        self._pending.append(update)
        mark = self.mark(update)
        return Own((done,), answer, () if mark is None else (mark,)), self._flushed(random)

    def write(self, random: Random) -> Sequence[Any]:
        """Something of the client's alone, or something that it wants done by the server, once."""
        kind = random.random()
        if kind < 0.4:
            number = random.randint(1, 2)
            self._token += 1
            self._wanted.setdefault(number, []).append(self._token)
            return (EnqueuePostComment(ProjectId(1), number, self._token, f"posted {self._token}"),)
        name, value = random.choice("ab") if kind < 0.7 else "saved", f"{random.getrandbits(20)}"
        self._preferences[1, name] = value
        if name == "saved":
            return (EnqueueSavePreference(user_id=UserId(1), name=name, value=value),)
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

    # ------------------------------------------------------------------------------------ containers

    def _flushed(self, random: Random, *, numbered: bool = False) -> list[Container]:
        updates = [update for update in self._pending if not self._is_hidden(update)]
        self._pending.clear()
        if not updates:
            return []
        if random.random() < self.knobs.shuffled:
            random.shuffle(updates)
        if not numbered and random.random() < self.knobs.unnumbered:
            return [self._unnumbered(random, updates)]
        count = random.randint(1, 3) if random.random() < self.knobs.ranged else 1
        others = [update for update in updates if not is_of_account(update)]
        marks = [mark for update in others if isinstance(update, UserSeen) and (mark := self.mark(update))]
        entry = self.logged(SEQ, count, tuple(others), marks)
        return [self._push(updates, entry.start + 1, entry.end)]

    def _unnumbered(self, random: Random, updates: Sequence[Update]) -> Container:
        if len(updates) == 1 and random.random() < 0.5:
            update = updates[0]
            if isinstance(update, UserSeen):
                return Seen(user_id=update.user_id, at=update.at)
            return PushOne(update=update, at=self.at)
        if all(map(is_of_account, updates)) and random.random() < 0.5:
            return self._push(
                updates, 0, 1
            )  # old for everybody, which says nothing of what has its own counter
        return self._push(updates, 0, 0)

    def _push(self, updates: Sequence[Update], first: int, last: int) -> Push:
        some = tuple(user for user in PEOPLE if self.random.random() < 0.2)
        return Push(updates=tuple(updates), users=some, first=first, last=last, at=self.at)

    # ------------------------------------------------------------------------------------ what is true

    def views(self) -> Sequence[ViewKey[Any]]:
        return [
            Thread(project_id=ProjectId(project), number=number, start=Start.NEWEST, count=50, whole=False)
            for project, number in self.fold.issues
            if project in self.fold.projects
        ]

    def is_known(self, domain: Domain) -> bool:
        return domain[0] != PROJECT or domain[1] in self.fold.projects

    def asks_about(self, request: Request) -> Instance | None:
        return (PROJECT, project_key(request.project_id)) if isinstance(request, GetProjectChanges) else None

    def confirmed(self, request: Request) -> tuple[Domain, int] | None:
        return (REV, request.rev) if isinstance(request, ConfirmKept) else None

    def watched(self) -> Sequence[Instance]:
        return [(PROJECT, project_key(number)) for number in self.fold.projects]

    def is_excused(self, domain: Domain) -> bool:
        return domain[1] in self._was_refused or domain[1] not in self.fold.projects

    def evidence(self, instance: Instance, before: Position, after: Position) -> Iterator[tuple[Domain, int]]:
        if instance != SEQ[:2] or before is None or after is None:
            return
        for entry in self.log(SEQ).between(before[2], after[2]):
            for update in entry.update:
                claim = self.protocol.updates.claim(update)
                if claim is not None and claim.end > claim.start:
                    yield (claim.cursor, claim.key, claim.part), claim.end

    def wrong(self, tables: Tables) -> Iterator[str]:
        known = {number for number in self.fold.projects if tables.project.get(number) is not None}
        yield from self.fold.wrong(tables, known)
        stored = {(row.user_id, row.name): row.value for row in tables.preferences.all()}
        if stored != self._preferences:
            yield f"preferences are {stored}, not {self._preferences}"
        yield from self._unsent(tables)

    def _unsent(self, tables: Tables) -> Iterator[str]:
        """N-6: what was wanted is done, each once and in order, and the last wish has won."""
        if left := tables.outbox.all():
            yield f"still to be sent: {left}"
        if self._posted != self._wanted:
            yield f"posted is {self._posted}, not {self._wanted}"
        # While two are the master, a request of the one may overtake a later one of the other.
        wish = self._preferences.get((1, "saved"))
        if self._saved != wish and not self.knobs.roles:
            yield f"saved is {self._saved}, not {wish}"
