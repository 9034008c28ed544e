"""A box with an outbox, the machine that empties it, and a server that is as mean as a network allows.

Depends on: the tracker's generated package.  Never on: a driver; each step of one is an action here.

What is checked all the time: at most one request of a group is under way (L-3), what is sent was read just
before (L-3), and what goes was sent as it stood (E-17). When all is quiet: `Wishes.check_wishes`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from tests.property.outbox_server import asked, is_same, lane_of
from tests.property.outbox_wishes import Wishes

from pillarbox.storage import StoredKey
from pillarbox.sync.debt_rows import Author
from pillarbox.sync.outbox import Outbox
from pillarbox.sync.outbox_drafts import Finish
from pillarbox.sync.protocol import Act, Container
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    Draft,
    DropTimer,
    Facts,
    Failed,
    Failure,
    Flood,
    Id,
    Input,
    Load,
    Loaded,
    Log,
    Output,
    Poke,
    Publish,
    Refused,
    RoleChanged,
    Send,
    SessionChanged,
    SessionLost,
    SetTimer,
    Started,
    Ticked,
    Transient,
)
from pillarbox_tracker import open_box, outbox
from pillarbox_tracker.operations import Operation
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import PostComment

#: The kind whose rows vanish here where an opposite one comes, which the tracker itself does not say of it.
CANCELLED: Final = 43
_STARS: Final = replace(outbox.OUTBOX.kinds[CANCELLED], marks=True)
SPEC: Final = replace(outbox.OUTBOX, kinds={**outbox.OUTBOX.kinds, CANCELLED: _STARS})
#: No history of these tests is so long.
STEPS_MAX: Final = 2_000


class World(Wishes):
    """One box with its processes, one after the other."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.now = 1_000
        self.master = True
        self.received: list[Container] = []
        self.acts: list[Act] = []
        #: Requests that the network still has, though nobody waits for them.
        self.limbo: list[Any] = []
        self._start()

    # --------------------------------------------------------------------------------- the process

    def _start(self) -> None:
        #: What its acts owe is not written: no engine is here to pay it.
        self.protocol = replace(PROTOCOL, debts=None, outbox=SPEC)
        self.machine = Outbox(SPEC, cast(Any, self))
        self.in_flight: dict[Id, Any] = {}
        #: The rows that are on their way.
        self.sent: dict[Id, tuple[int, int]] = {}
        #: What the last poke showed.
        self.shown: Any = None
        self.timers: dict[Id, int] = {}
        self.store: deque[Load | Commit] = deque()
        #: Each is given the time when it is delivered.
        self.replies: deque[Callable[[int], Input]] = deque()
        self.step(Started(self.now, marker=7, master=self.master))

    def receive(self, container: Container, did: tuple[Operation, ...] = ()) -> None:
        self.received.append(container)

    def act(self, act: Act) -> None:
        self.acts.append(act)

    def poll(self, cursor: int, key: StoredKey = b"") -> None:
        raise AssertionError("the outbox does what a commit asked for by `act`")

    def author(self) -> Author:
        return Author(run=7, draft=1)  # nothing here is owed

    def step(self, given: Input) -> None:
        for output in self.machine.step(given):
            self._take(output, given)

    def _take(self, output: Output, given: Input) -> None:
        match output:
            case Send():
                assert self.master, "P-3: only the master sends"
                assert lane_of(output.request) not in map(lane_of, self.in_flight.values()), (
                    "L-3: two at once"
                )
                row = given.snapshot if isinstance(given, Loaded) else None
                row = given.facts.result if isinstance(given, Committed) else row
                assert row is not None, "L-3: sent without being read again"
                assert is_same(asked(row), output.request), "L-3: not as read"
                self.in_flight[output.id] = output.request
                self.sent[output.id] = row.kind, row.number
            case Cancel():
                self._leave(self.in_flight.pop(output.id))
            case SetTimer():
                assert output.due > self.now
                self.timers[output.id] = output.due
            case DropTimer():
                del self.timers[output.id]
            case Load() | Commit():
                self.store.append(output)
            case Publish() | Log():
                pass
            case _:
                raise AssertionError(output)

    def _leave(self, request: Any) -> None:
        """Nobody waits for it: a comment may arrive at any time, the rest has arrived or never will."""
        if isinstance(request, PostComment):
            self.limbo.append(request)
        elif self.counter % 2 and not self.server.refuses(request):
            self.server.execute(request)

    # ------------------------------------------------------------------------------- what a driver does

    def poke(self, _which: int = 0) -> None:
        """What the view shows, if that is new."""
        snapshot = self.box.get(outbox.OUTBOX.view)
        if self.master and snapshot != self.shown:
            self.shown = snapshot
            self.step(Poke(self.now, "outbox", snapshot))
            rows = {(row.kind, row.number) for row in outbox.OUTBOX.shown(snapshot)}
            assert {self.sent[id] for id in self.in_flight} <= rows, (
                "L-3: sent, though nobody wants it any more"
            )

    def work(self, _which: int = 0) -> None:
        """The store does the first thing that it was given."""
        if self.store:
            given = self.store.popleft()
            if isinstance(given, Load):
                with self.box.reading() as tables:
                    read = given.plan.read(tables, self.protocol)
                self.replies.append(lambda now: Loaded(now, given.id, read))
            else:
                facts = self._commit(given.draft)
                self.replies.append(lambda now: Committed(now, given.id, facts))

    def _commit(self, draft: Draft) -> Facts:
        with self.box.transaction() as tx:
            before = {(row.kind, row.number): row for row in tx.outbox.all()}
            result = draft.apply(tx, self.protocol)
            after = {(row.kind, row.number) for row in tx.outbox.all()}
            for place in before.keys() - after:
                assert isinstance(draft, Finish)
                row = before[place]
                request = asked(row)
                assert self.server.has_ended(request), "E-17: removed, but never sent"
        return Facts(result=result)

    def work_fails(self, _which: int = 0) -> None:
        if self.store:
            given = self.store.popleft()
            self.replies.append(lambda now: CommitFailed(now, given.id, "disk full", stale=False))

    def reply(self, _which: int = 0) -> None:
        if self.replies:
            self.step(self.replies.popleft()(self.now))

    def tick(self, _which: int = 0) -> None:
        if self.timers:
            id = min(self.timers, key=lambda it: (self.timers[it], it))
            self.now = max(self.now, self.timers.pop(id))
            self.step(Ticked(self.now, id))

    def session(self, _which: int = 0) -> None:
        self.step(SessionChanged(self.now))

    def role(self, _which: int = 0) -> None:
        self.master, self.shown = not self.master, None
        self.step(RoleChanged(self.now, self.master))
        self.poke()

    def crash(self, _which: int = 0) -> None:
        """What the process knew is gone; what the store was not given yet was not done."""
        for request in self.in_flight.values():
            self._leave(request)
        self.box.close()
        self.box = open_box(self.path, durability="relaxed")
        self._start()
        self.poke()

    # ------------------------------------------------------------------------------- what a network does

    def _ended(self, which: int, end: Callable[[Any], Any]) -> None:
        if self.in_flight:
            ids = sorted(self.in_flight)
            id = ids[which % len(ids)]
            request = self.in_flight[id]
            answer: Any = Refused("NO") if self.server.refuses(request) else end(request)
            del self.in_flight[id]
            if isinstance(answer, Transient | Flood | Refused | SessionLost):
                self.step(Failed(self.now, id, answer))
            else:
                self.step(Answered(self.now, id, answer))

    def answer(self, which: int = 0) -> None:
        self._ended(which, self.server.execute)

    def lose(self, which: int) -> None:
        """It is done, and nobody hears of it."""

        def end(request: Any) -> Failure:
            self.server.execute(request)
            return SessionLost() if which % 2 else Transient()

        self._ended(which, end)

    def fail(self, which: int) -> None:
        self._ended(which, lambda _: (Transient(), SessionLost(), Flood(700))[which % 3])

    def hold(self, which: int) -> None:
        """A comment is late: its sender gives it up, and it arrives after all."""

        def end(request: Any) -> Failure:
            if isinstance(request, PostComment):
                self.limbo.append(request)
            return Transient()

        self._ended(which, end)

    def arrive(self, which: int) -> None:
        if self.limbo:
            request = self.limbo.pop(which % len(self.limbo))
            if not self.server.refuses(request):
                self.server.execute(request)

    def refuse(self, which: int) -> None:
        def end(request: Any) -> Any:
            if isinstance(request, PostComment) and which % 2:
                return Refused("SLOW_MODE")
            return Refused("NO") if self.server.refuse(request) else self.server.execute(request)

        self._ended(which, end)

    # ------------------------------------------------------------------------------------------ the end

    def settle(self) -> None:
        """From now on all goes well, until nothing is left to do."""
        if not self.master:
            self.role()
        for _ in range(STEPS_MAX):
            self.poke()
            while self.store or self.replies:
                self.work()
                self.reply()
            if self.in_flight:
                self.answer()
            elif self.timers:
                self.tick()
            elif not self.rows():
                return
        raise AssertionError("N-3: the outbox does not come to rest")

    def verify(self) -> None:
        """What became of all wishes (N-6, L-4)."""
        assert not self.in_flight, "nothing is under way"
        self.check_wishes([*self.given_up, *self.server.never])


#: Name of an action -> what it does with a number.
ACTIONS: Final[dict[str, Callable[[World, int], None]]] = {
    "comment": lambda world, which: world.wish(0, which % 2),
    "label": lambda world, which: world.wish(1, which % 2),
    "star": lambda world, which: world.wish(2, which % 2),
    "prefer": lambda world, which: world.wish(3, which % 2),
    "see": lambda world, which: world.wish(4, which % 2),
    "take back": World.take_back,
    "poke": World.poke,
    "work": World.work,
    "work fails": World.work_fails,
    "reply": World.reply,
    "tick": World.tick,
    "session": World.session,
    "role": World.role,
    "crash": World.crash,
    "answer": World.answer,
    "lose": World.lose,
    "fail": World.fail,
    "hold": World.hold,
    "arrive": World.arrive,
    "refuse": World.refuse,
}


def run(world: World, script: Sequence[tuple[str, int]]) -> None:
    """A history, then peace, then the law."""
    try:
        for name, which in script:
            ACTIONS[name](world, which)
        world.settle()
        world.verify()
    finally:
        world.box.close()
