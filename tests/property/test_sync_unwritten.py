"""Wishes whose answers bring what no poll tells again: nothing of them is lost, by whatever happens.

Law. A wish is done no sooner than what it was answered is written, or would be told again: so where a process
ends, and the next one asks and is answered, all is there that every wish was for. Nor does a wish wait for
ever for what was dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_wishes import Wish, show, wishing
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, A, C, Tables, U, body, channel, push, rev

from pillarbox.sync import Limits, unwritten
from pillarbox.sync.job_process import Process
from pillarbox.sync.machine import Machine
from pillarbox.sync.outbox import AGAIN_MAX, Outbox
from pillarbox.sync.protocol import Absent, AnswerKind, Need, Poll
from pillarbox.sync.signals import (
    NOBODY,
    Answered,
    Asked,
    Commit,
    Failed,
    Failure,
    Flood,
    Id,
    Received,
    Refused,
    Resync,
    RoleChanged,
    SessionChanged,
    Started,
    Ticked,
    Transient,
)
from pillarbox.sync.unwritten import Unwritten

#: So many pieces may wait, so that now and then too many do.
HELD_MAX: Final = 6
#: A row that the server has, and the box never.
GIVEN: Final = (9, b"given")
#: An update that needs a row which nobody has: nothing that came with it is written.
NEEDY: Final = U("needy", needs=(Need((9, b"row"), Absent.DISCARD, ("row",)),))


class World:
    """A server that counts, and one client of it with wishes; what each is for is an update of its name."""

    def __init__(self) -> None:
        #: What the server has counted, of the box and of one group.
        self.logs: dict[int, list[str]] = {ACCOUNT: [], CHANNEL: []}
        self.rows: dict[tuple[int, int], Wish] = {}
        #: Whether all that it is for is to come.
        self.wanted: dict[str, bool] = {}
        #: How often each was answered while the disk had room: what is dropped too often may be given up.
        self.answers: Counter[str] = Counter()
        self.is_full = False
        self.master = True
        self.spec = wishing(containers=(C,), rows=self.rows)
        self.limits = Limits(held_max=HELD_MAX, need_tries_max=1)
        start = Tables({(ACCOUNT, b""): (0, 0, 0, 0), (CHANNEL, 5): (0,)})
        self.rig = Rig(start, self.spec, self.limits)
        self.rig.step(Started(self.rig.now, 1))

    # ------------------------------------------------------------------------------------------- wishes

    def wish(self, choice: int) -> None:
        """Of one of two groups."""
        number = len(self.wanted) + 1
        wish = Wish(number, f"wish {number}", group=b"ab"[choice % 2 :][:1])
        self.wanted[wish.payload] = True
        self.rows[wish.kind, number] = wish
        self.show(choice)

    def show(self, _choice: int) -> None:
        """What the view shows now."""
        if self.master:
            show(self.rig, *self.rows.values())

    def answer(self, choice: int) -> None:
        """The first wish that waits is done, and its answer brings what it was for, in one way or another."""
        found = self._asked("wish")
        if found is not None:
            name = self.rig.sent.pop(found)[1]
            self.answers[name] += not self.is_full
            self.rig.step(Answered(self.rig.now, found, self._done(name, choice)))

    def _done(self, name: str, choice: int) -> C:
        match choice:
            case 0:
                return push(U(name, self._count(ACCOUNT, name)))
            case 1 | 2 | 3:
                return push(U(name, self._count(CHANNEL, name)))
            case 4 | 5:
                return push(U(name), U("beside", self._count(ACCOUNT, "beside")))
            case 6:
                return push(side=(name,))
            case 7:
                return push(U(name, acts=(Poll(ACCOUNT),)))
            case 8:
                return push(U(name, needs=(Need(GIVEN, Absent.SKIP, ("given",)),)))
        return push(U(name))

    def _count(self, cursor: int, name: str) -> Any:
        self.logs[cursor].append(name)
        end = len(self.logs[cursor])
        return rev(end) if cursor == ACCOUNT else channel(end)

    # ------------------------------------------------------------------------------------------ the server

    def push(self, choice: int) -> None:
        """Something else, which may keep what comes with it from being written, or be lost on the way."""
        if choice < 2:
            said = push(NEEDY)
        elif choice == 2:
            said = push(U("!"))
        elif choice < 6:
            said = push(U("free"))
        else:
            said = push(U("other", self._count((ACCOUNT, CHANNEL)[choice % 2], "other")))
        if choice < 8:
            self.rig.step(Received(self.rig.now, said))

    def tell(self, _choice: int) -> None:
        """All that is missing, to the first question about that; of one row that there is none."""
        found = self._asked("difference", "row", "given")
        if found is None:
            return
        request = self.rig.sent.pop(found)
        if request[0] == "given":
            self.rig.step(Answered(self.rig.now, found, A(body=body(brings=frozenset({GIVEN})))))
            return
        if request[0] == "row":
            self.rig.step(Answered(self.rig.now, found, A()))
            return
        _, cursor, _, position = request
        log = self.logs[cursor]
        names = [U(name) for name in log[position[0] :]]
        covered = () if cursor == ACCOUNT else ((CHANNEL, 0),)
        said = A(set={0: len(log)}, body=body(*names, covered=covered)) if names else A(AnswerKind.EMPTY)
        self.rig.step(Answered(self.rig.now, found, said))

    def fail(self, choice: int) -> None:
        """A question, or a wish, comes to nothing."""
        if self.rig.sent:
            given = self._asked("given") if choice > 4 else None
            found = given or list(self.rig.sent)[choice % len(self.rig.sent)]
            request = self.rig.sent.pop(found)
            failure: Failure = Flood(900) if choice % 3 == 0 else Transient()
            if request[0] == "wish" and choice % 3 == 1:
                failure = Refused("NO")  # what it brought before is told by nobody
                self.wanted[request[1]] = False
            self.rig.step(Failed(self.rig.now, found, failure))

    def _asked(self, *kinds: str) -> Id | None:
        return next((found for found, request in self.rig.sent.items() if request[0] in kinds), None)

    # ------------------------------------------------------------------------------------------ the client

    def work(self, choice: int) -> None:
        """One thing in the store, of which a write may fail."""
        if self.rig.store:
            is_full = (self.is_full or choice % 4 == 0) and isinstance(self.rig.store[0], Commit)
            self.rig.work_one(failure="no space left" if is_full else None)

    def settle(self, _choice: int) -> None:
        """All that the store has to do."""
        self.rig.work()

    def fill(self, choice: int) -> None:
        """For long nothing can be written, and all goes on."""
        self.is_full = choice > 7
        for _ in range(80 if self.is_full else 0):
            self.tell(0)
            self.answer(choice)
            while self.rig.store:
                self.work(0)
            self.tick(1)
        self.is_full = False

    def tick(self, choice: int) -> None:
        """To the next timer, or not so far."""
        if choice % 4 == 0 or not self.rig.timers:
            self.rig.now += choice
            return
        at, found = min((at, found) for found, at in self.rig.timers.items())
        del self.rig.timers[found]
        self.rig.now = max(self.rig.now, at)
        self.rig.step(Ticked(self.rig.now, found))

    def resync(self, _choice: int) -> None:
        self.rig.step(Asked(self.rig.now, NOBODY, Resync()))

    def session(self, _choice: int) -> None:
        self.rig.step(SessionChanged(self.rig.now))

    def role(self, choice: int) -> None:
        self.master = choice % 3 > 0
        self.rig.step(RoleChanged(self.rig.now, self.master))
        self.show(choice)

    def crash(self, _choice: int) -> None:
        """What lies in memory is gone."""
        now, self.master = self.rig.now, True
        self.rig = Rig(self.rig.tables, self.spec, self.limits)
        self.rig.now = now
        self.rig.step(Started(now, 1 + len(self.wanted)))
        self.show(0)

    # ------------------------------------------------------------------------------------------- the laws

    def rest(self) -> None:
        """Everything is answered, and the disk has room."""
        if not self.master:
            self.role(1)
        for _ in range(200):
            self.rig.work()
            self.show(0)
            self.rig.work()
            if self.rig.sent:
                self.tell(0)
                self.answer(9)
            elif self.rows:
                self.rig.wait(1_000)
            else:
                break
        assert not self.rows, f"L-4: they wait for ever: {self.rows}"
        self.rig.wait(60_000)
        while self._asked("difference", "row", "given") is not None:
            self.tell(0)
            self.rig.work()
            self.rig.wait(60_000)
        done = set(self.rig.tables.done)
        wanted = [it for it, all_of in self.wanted.items() if all_of and self.answers[it] <= AGAIN_MAX]
        lost = [it for it in wanted if it not in done]
        assert not lost, f"L-4: {lost}"


ACTIONS: Final[dict[str, Callable[[World, int], None]]] = {
    "wish": World.wish,
    "show": World.show,
    "answer": World.answer,
    "push": World.push,
    "tell": World.tell,
    "fail": World.fail,
    "work": World.work,
    "settle": World.settle,
    "fill": World.fill,
    "tick": World.tick,
    "resync": World.resync,
    "session": World.session,
    "role": World.role,
    "crash": World.crash,
}
#: What happens often is named often.
NAMES: Final = (
    *ACTIONS,
    *("wish",) * 4,
    *("answer",) * 8,
    *("push",) * 3,
    *("tell",) * 5,
    *("fail",) * 3,
    *("work",) * 9,
    *("settle",) * 2,
    *("tick",) * 6,
)
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 9)), max_size=60)


def run(history: Sequence[tuple[str, int]]) -> None:
    """A whole run and its rest; and the same, where the process ends before that."""
    for ends in (False, True):
        world = World()
        for name, choice in history:
            ACTIONS[name](world, choice)
        if ends:
            world.crash(0)
        world.rest()


@given(histories)
def test_nothing_that_a_wish_was_answered_is_lost(history: list[tuple[str, int]]) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("what was dropped counts as written", Unwritten, "look", "not lost, is_ill", "True, is_ill"),
    Fault("what lies in memory counts as written", Unwritten, "look", "not lost or not lost <= here", "True"),
    Fault("what was dropped is waited for", Unwritten, "look", "or not lost <= here", ""),
    Fault("what is worked on counts as dropped", Unwritten, "look", "Collect | Process", "Collect"),
    Fault("what is written counts as dropped", Process, "_done", "ready, self.pieces", "ready"),
    Fault("what is beside is brought by nobody, and not waited for", unwritten, "_is_lost",
          "or piece.origin.side", ""),
    Fault("what has a cursor with a key is told by every poll", unwritten, "_is_lost", "piece.keyed or ", ""),
    Fault("what claims nothing is told by every poll", unwritten, "_is_lost",
          "claim is not None and not claim.counts_nothing", "True"),
    Fault("nobody hears of it", Machine, "step", "self._unwritten.look(", "(lambda **_: None)("),
    Fault("a wish is done when it is answered", Outbox, "_finish", "if job.unwritten is None:", "if True:"),
    Fault("a wish whose answer was dropped is done", Outbox, "_taken", "if what.is_written or",
          "if True or"),
    Fault("a disk that is full for long counts as an answer that can never be written", Outbox, "_taken",
          "job.refused == AGAIN_MAX and not what.is_ill", "job.dropped == AGAIN_MAX"),
    Fault("what was left out counts as written", Unwritten, "wrote",
          "if origin not in ready.lacking:", "if True:"),
    Fault("what was dropped is waited for with the next answer", Outbox, "_taken",
          "job.unwritten = None", "pass"),
    Fault("a wish whose answer was dropped rests for ever", Outbox, "_taken",
          "self._rest(now, job, Phase.RESTING)", "pass"),
)  # fmt: skip


HISTORIES: Final = Histories(run, NAMES, range(10), count=300, steps=60)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault)
