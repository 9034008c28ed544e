"""A box that follows a discussion and fetches what its views miss, and a server that tells of it late.

The server keeps every state that it was in, so that laws can ask what was true ever since the state that
the box knows. Ids are sparse, pages are short and made when they are asked for, updates arrive later: told
to the machine as the engine tells it, or written by another process; and a user removes rows by themself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.hole_drafts import Look, Page
from pillarbox.sync.hole_specs import Asking, HoleLimits, HoleSpec, RangeStore
from pillarbox.sync.holes import GivenOut, Holes
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    DropTimer,
    Facts,
    Failed,
    Id,
    Input,
    Poke,
    Send,
    SetTimer,
    Stale,
    Started,
    Ticked,
    Transient,
)
from pillarbox.views import Hole, Subscription
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.answers import CommentPage
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import AddComments, EditComment, PutIssue, RemoveComments
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetComments
from pillarbox_tracker.types import CommentRef, Comments, Issues, ProjectId, Start, UserId
from pillarbox_tracker.views import Thread, ThreadSnapshot

PROJECT: Final = ProjectId(2)
AUTHOR: Final = UserId(1)
ISSUE: Final = 1
CURSOR: Final = 111
KEY: Final = project_key(PROJECT)
#: Ids that the server gives, with gaps between them.
IDS: Final = (1, 2, 4, 7, 8, 20)
COOLDOWN: Final = 20_000
#: Body of a comment -> how often it was edited.
State = dict[int, int]


@dataclass(frozen=True)
class Step:
    """What happened at the server in one revision."""

    what: str
    id: int
    version: int = 0


class Server:
    """The comments of one issue, in every state they were in."""

    def __init__(self, ids: Sequence[int]) -> None:
        self.states: list[State] = [dict.fromkeys(ids, 0)]
        self.steps: list[Step] = []

    @property
    def now(self) -> State:
        return self.states[-1]

    def change(self, what: str, id: int) -> None:
        """Add, edit or remove a comment, if that can be."""
        state = dict(self.now)
        if what == "add":
            if id in state or any(step.id == id for step in self.steps):
                return
            state[id] = 0
        elif id not in state:
            return
        elif what == "edit":
            state[id] += 1
        else:
            del state[id]
        self.steps.append(Step(what, id, state.get(id, 0)))
        self.states.append(state)

    def page(self, request: GetComments) -> CommentPage:
        """As the server is now."""
        ids = sorted(self.now)
        if request.around:
            newer = [id for id in ids if id >= request.lo][: request.limit - request.limit // 2]
            older = [id for id in reversed(ids) if id < request.lo][: request.limit - len(newer)]
            found = older[::-1] + newer
        elif request.up:
            found = [id for id in ids if request.lo <= id <= request.hi][: request.limit]
        else:
            found = [id for id in ids if request.lo <= id <= request.hi][-request.limit :]
        comments = tuple(comment(id, self.now[id]) for id in found)
        return CommentPage(issue=None, comments=comments, users=(), rev=len(self.steps))


def comment(id: int, version: int) -> Comments:
    return Comments(
        project_id=PROJECT, number=ISSUE, posted_at=id * 10, comment=id, author_id=AUTHOR, body=str(version)
    )


def operation(step: Step) -> AddComments | EditComment | RemoveComments:
    ref = CommentRef(project_id=PROJECT, number=ISSUE, comment=step.id)
    if step.what == "add":
        return AddComments(comments=(comment(step.id, 0),))
    if step.what == "edit":
        return EditComment(ref=ref, body=str(step.version), now=1)
    return RemoveComments(refs=(ref,))


class World:
    """`dated`: pages say of which revision they are. `page`: rows in one."""

    def __init__(self, ids: Sequence[int] = IDS, *, page: int = 2, dated: bool = True) -> None:
        self.server = Server(ids)
        self.box: Box = open_box(":memory:")
        self.spec = _spec(page, dated=dated)
        self.protocol: SyncProtocol = PROTOCOL
        self.holes = Holes(self.spec, lambda _act: None, lambda: Author(1, 1))
        self.now = 0
        self.timers: dict[Id, int] = {}
        #: Requests on their way, with the pages made for them.
        self.asked: dict[Id, tuple[Hole, CommentPage]] = {}
        #: When a hole was done with last.
        self.done: dict[Hole, int] = {}
        self.views: list[Subscription[ThreadSnapshot]] = []
        self.unwatched: int | None = 0
        #: Removed by the user; the server learns of it at once and tells of it later.
        self.removed: set[int] = set()
        #: Written by the user; the server has them at once, and tells of them later.
        self.wrote: set[int] = set()
        #: Whether the server has told everything anew: what it told before may be gone by now.
        self.is_anew = False
        self.sent = 0
        self._asking: dict[Id, Hole] = {}
        self.box.replay([PutIssue(issue=ISSUE_ROW)])
        self.box.transact(lambda tx: PROTOCOL.advance(tx, CURSOR, KEY, {0: 0}))
        self._wanted = self.box.watch(self.holes.view)
        self.feed(Started(0, 1))

    def close(self) -> None:
        self.box.close()

    # ------------------------------------------------------------------------------------ the machine

    def feed(self, input: Input) -> None:
        for output in self.holes.step(input):
            match output:
                case Commit():
                    self.commit(output)
                case Send(id=id, request=request):
                    self.send(id, request)
                case Cancel(id=id):
                    self.asked.pop(id, None)
                case SetTimer(id=id, due=due):
                    self.timers[id] = due
                case DropTimer(id=id):
                    self.timers.pop(id, None)

    def send(self, id: Id, request: GetComments) -> None:
        hole = self._hole_of()
        assert not self.asked, "E-16: one fetch per key"
        assert self.unwatched is None or self.now - self.unwatched <= 700, "E-16: nobody watches"
        assert hole not in self.done or self.now >= self.done[hole] + COOLDOWN, "8.3: no cooldown"
        self.asked[id] = (hole, self.server.page(request))
        self.sent += 1

    def _hole_of(self) -> Hole:
        assert self._looked is not None
        return self._looked

    _looked: Hole | None = None

    def commit(self, output: Commit) -> None:
        draft = output.draft
        if isinstance(draft, Look):
            self._looked = draft.hole
        try:
            applied = self.box.apply(lambda tx: draft.apply(tx, self.protocol))
        except Stale as error:
            self.feed(CommitFailed(self.now, output.id, str(error), True))
        else:
            if isinstance(draft, Page):
                self.done[draft.before.asking.hole] = self.now
            self.check()
            self.feed(Committed(self.now, output.id, Facts(applied.events, applied.result)))

    def wanted(self) -> frozenset[Hole]:
        """What views want now."""
        return self.box.get(self.holes.view)

    def poke(self) -> None:
        """Tell the machine what is wanted now."""
        self.feed(Poke(self.now, self.holes.owner, self.wanted()))

    # -------------------------------------------------------------------------------------- what happens

    def open_view(self, start: Start, at: int | None, count: int) -> None:
        key = Thread(project_id=PROJECT, number=ISSUE, comment=at, start=start, count=count, whole=False)
        self.views.append(self.box.watch(key))
        self.unwatched = None
        self.poke()

    def close_view(self) -> None:
        if self.views:
            self.views.pop().close()
            if not self.views:
                self.unwatched = self.now
            self.poke()

    def position(self) -> int:
        with self.box.reading() as tables:
            position = PROTOCOL.position(tables, CURSOR, KEY)
        assert position is not None
        return int(position[0])

    def deliver(self, *, told: bool = True) -> None:
        """The next update is applied, by this process or by another one."""
        at = self.position()
        if at == len(self.server.steps):
            return
        operations = [operation(self.server.steps[at])]
        if told:
            moves = {(CURSOR, KEY): ((at,), (at + 1,))}
            self.feed(Poke(self.now, self.holes.owner, GivenOut(operations, moves)))  # type: ignore[arg-type]

        def work(tx: Any) -> None:
            PROTOCOL.replay(tx, operations)
            PROTOCOL.advance(tx, CURSOR, KEY, {0: at + 1})

        self.box.apply(work)
        self.check()
        self.poke()

    def remove_here(self, id: int) -> None:
        """The user removes a row that they see; nobody tells the machine.

        But not one that a page has brought before the server told of it, which then brings it back by itself.
        """
        untold = {step.id for step in self.server.steps[self.position() :] if step.what == "add"}
        if id in self.stored() and id not in self.missing() | untold and id in self.server.now:
            self.removed.add(id)
            self.wrote.discard(id)
            self.server.change("remove", id)
            ref = CommentRef(project_id=PROJECT, number=ISSUE, comment=id)
            self.box.replay([RemoveComments(refs=(ref,))])
            self.check()
            self.poke()

    def write_here(self, id: int) -> None:
        """The user writes a row, perhaps into a hole; nobody tells the machine."""
        if id in self.server.now or any(step.id == id for step in self.server.steps):
            return
        self.server.change("add", id)
        self.wrote.add(id)
        self.box.replay([AddComments(comments=(comment(id, 0),))])
        self.check()
        self.poke()

    def edit_here(self, id: int) -> None:
        """The user edits a row that they see, perhaps in a hole; nobody tells the machine.

        A page that was made before may undo it, until the server tells of the edit.
        """
        if id in self.stored() and id in self.server.now:
            self.server.change("edit", id)
            self.box.replay([operation(self.server.steps[-1])])
            self.check()
            self.poke()

    def begin_anew(self) -> None:
        """The server does not tell what happened: all may be missing, and what is here stays."""
        self.is_anew = True
        self.done.clear()
        at, end = self.position(), len(self.server.steps)
        moves = {(CURSOR, KEY): ((at,), (end,))}
        self.feed(Poke(self.now, self.holes.owner, GivenOut(None, moves)))  # type: ignore[arg-type]

        def work(tx: Any) -> None:
            tx.comment_holes.add_range(PROJECT, ISSUE, 1, 2147483647)
            PROTOCOL.advance(tx, CURSOR, KEY, {0: end})

        self.box.apply(work)
        self.check()
        self.poke()

    def answer(self) -> None:
        for id, (_, page) in list(self.asked.items())[:1]:
            del self.asked[id]
            self.feed(Answered(self.now, id, page))
            self.poke()

    def fail(self) -> None:
        for id, (hole, _) in list(self.asked.items())[:1]:
            del self.asked[id]
            self.done[hole] = self.now
            self.feed(Failed(self.now, id, Transient()))

    def wait(self, milliseconds: int) -> None:
        end = self.now + milliseconds
        while due := sorted((at, id) for id, at in self.timers.items() if at <= end):
            at, id = due[0]
            self.now = max(self.now, at)
            del self.timers[id]
            self.feed(Ticked(self.now, id))
            self.poke()
        self.now = end
        if self.unwatched is not None and self.now - self.unwatched > 700:
            assert not self.asked, "E-16: none 0.7 s after the last watcher left"

    def rest(self) -> None:
        """Everything arrives, and what is wanted is answered."""
        while self.position() < len(self.server.steps):
            self.deliver()
        for _ in range(200):
            self.poke()
            if self.asked:
                self.answer()
            elif self.timers and self.wanted():
                self.wait(min(self.timers.values()) - self.now)
            else:
                break

    # -------------------------------------------------------------------------------------- what is so

    def stored(self) -> Mapping[int, int]:
        with self.box.reading() as tables:
            return {row.comment: int(row.body) for row in tables.comments.of_number(PROJECT, ISSUE)}

    def missing(self) -> set[int]:
        """Of the ids that the server may give, those that lie in holes."""
        with self.box.reading() as tables:
            return {id for id in IDS if tables.comment_holes.covers(PROJECT, ISSUE, id)}

    def check(self) -> None:
        """E-15 and E-21, at every commit."""
        stored, missing = self.stored(), self.missing()
        since = self.server.states[self.position() :]
        self.wrote &= self.server.now.keys()
        for id in IDS:
            versions = {state.get(id) for state in since}
            assert id in stored or id not in self.wrote, f"E-21: {id} was written here, and is gone"
            if self.is_anew and id in missing:
                continue
            if versions == {None} or id in self.removed:
                assert id not in stored, f"E-21: {id} was removed, and is back"
            elif len(versions) == 1 and id not in missing:
                assert id in stored, f"E-15: {id} is in no hole and not here"
                assert stored[id] in versions, f"E-21: {id} is older than what is known"


ISSUE_ROW: Final = Issues(
    project_id=PROJECT, number=ISSUE, title="One", author_id=AUTHOR, created_at=1, updated_at=1
)


def _spec(page: int, *, dated: bool) -> HoleSpec:
    """That of the tracker, with short pages."""
    spec = PROTOCOL.holes["comments_to_fetch"]
    answers = {kind: rule if dated else replace(rule, as_of=None) for kind, rule in spec.answers.items()}
    answers = {kind: replace(rule, absent=_absent) for kind, rule in answers.items()}
    store = spec.store
    assert isinstance(store, RangeStore)
    return replace(
        spec, limits=HoleLimits(page=page, stood=2), answers=answers, store=replace(store, stored=_stored)
    )


def _stored(tx: Any, at: Any, low: int, high: int, limit: int | None, from_above: bool) -> list[int]:
    rows = tx.comments.of_number(*at, newest_first=from_above)
    return [row.comment for row in rows if low <= row.comment <= high][:limit]


def _absent(_tx: Any, asking: Asking, _answer: Any, ids: Sequence[int]) -> list[Any]:
    project_id, number = asking.hole.at
    refs = tuple(CommentRef(project_id=project_id, number=number, comment=id) for id in ids)
    return [RemoveComments(refs=refs)]
