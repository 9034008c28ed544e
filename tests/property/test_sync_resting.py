"""Polls that may not be asked for a while: what waits for them, and when they are asked.

Law. A cursor that the server does not want to be asked about yet, or that it told nothing of, or of which the
store has not taken what was told, is not asked about before its time, whoever wants it, and is then, from
where it stands by that time. Meanwhile all else goes on: what was pushed is applied, the program has its
turn, other cursors are polled. What there was no connection for is asked about in a new session, in which
nothing was tried yet. A flush waits, until none rests or one is refused for good, by the server or three
times in a row by the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, CURSORS, REV, A, State, Tables, U, body, protocol, push

from pillarbox.sync.claims import Claim
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.jobs import FlushJob
from pillarbox.sync.limits import Limits
from pillarbox.sync.machine import Machine
from pillarbox.sync.protocol import AnswerKind, Poll
from pillarbox.sync.resting import Resting
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Custom,
    Failed,
    Flood,
    Flush,
    Id,
    Received,
    Refused,
    Resync,
    SessionChanged,
    SessionLost,
    Started,
    Transient,
    Untaken,
)
from pillarbox.sync.untakens import Untakens

OTHER: Final = 9
BOTH: Final = (ACCOUNT, OTHER)
#: A shorter flood is as long as this.
STEP_MS: Final = 200
UNTAKEN_MAX: Final = Limits().untaken_tries_max
WORK: Final = Custom(BatchDraft(operations=("custom",)))


def two_cursors() -> dict[int, Any]:
    """Nothing is polled for silence; a gap waits, as everywhere."""
    account = replace(CURSORS[ACCOUNT], idle_poll_ms=0)
    assert account.difference is not None
    asks = replace(account.difference, request=lambda key, position: ("difference", OTHER, key, position))
    return {**CURSORS, ACCOUNT: account, OTHER: replace(account, id=OTHER, name="other", difference=asks)}


SPEC: Final = protocol(cursors=two_cursors())


class World:
    """A server that answers at once, but for what it floods or refuses; and one client of it."""

    def __init__(self) -> None:
        self.happened = dict.fromkeys(BOTH, 0)
        #: For how long the next questions are flooded, 0: they come to nothing, less: there is no connection;
        #: how many in a row came to nothing in this session; and which are not asked before there is one.
        self.lost = dict.fromkeys(BOTH, 0)
        self.cut: set[int] = set()
        self.floods: dict[int, list[int]] = {cursor: [] for cursor in BOTH}
        #: Whether the next one is refused for good.
        self.refusals = dict.fromkeys(BOTH, False)
        #: How many of the next answers with news the store does not take; how many in a row it did not.
        self.poisons = dict.fromkeys(BOTH, 0)
        self.untaken = dict.fromkeys(BOTH, 0)
        #: Until when each may not be asked, and whether it was refused since it was asked for.
        self.until = dict.fromkeys(BOTH, 0)
        self.refused = dict.fromkeys(BOTH, False)
        self.tickets: dict[int, str] = {}
        self.rig = Rig(Tables({(cursor, b""): (0, 0, 0, 0) for cursor in BOTH}), SPEC)
        self.told: set[int] = set()
        self.rig.step(Started(self.rig.now, 7))
        self.settle()

    # ------------------------------------------------------------------------------------------- actions

    def flood(self, choice: int) -> None:
        """The next question about one, or the next two, are flooded."""
        self.floods[BOTH[choice % 2]] += [(1 + choice // 2) * 150] * (1 + choice % 3 // 2)

    def lose(self, choice: int) -> None:
        """The next question about one, or the next two, come to nothing."""
        self.floods[BOTH[choice % 2]] += [0] * (1 + choice % 3 // 2)

    def drop(self, choice: int) -> None:
        """The same, since the connection is gone."""
        self.floods[BOTH[choice % 2]] += [-1] * (1 + choice % 3 // 2)

    def refuse(self, choice: int) -> None:
        """The next question about one is refused for good."""
        self.refusals[BOTH[choice % 2]] = True

    def poison(self, choice: int) -> None:
        """One thing more has happened, of which nobody is told but who asks; the store takes it later."""
        self.happened[BOTH[choice % 2]] += 1
        self.poisons[BOTH[choice % 2]] += 1 + choice // 2

    def push(self, choice: int) -> None:
        """Counted, and told; or lost on the way, so that the next one shows a gap."""
        cursor = BOTH[choice % 2]
        self.happened[cursor] += 1
        if choice < 7:
            end = self.happened[cursor]
            name = f"{cursor} {end}"
            self.rig.step(Received(self.rig.now, push(U(name, Claim(cursor, b"", REV, end - 1, end)))))

    def ask(self, choice: int) -> None:
        """An update says that a cursor is to be polled."""
        cursor = BOTH[choice % 2]
        self.wanted((cursor,))
        self.rig.step(Received(self.rig.now, push(U("ask", acts=(Poll(cursor),)))))

    def resync(self, choice: int) -> None:
        """Now and then once more, while it is asked."""
        self.wanted(BOTH)
        for _ in range(1 + choice // 6):
            self._ticket("resync", Resync())

    def session(self, _choice: int) -> None:
        self.wanted(BOTH)
        self.lost.update(dict.fromkeys(BOTH, 0))
        self.until.update(dict.fromkeys(self.cut, self.rig.now))
        self.cut.clear()
        self.rig.step(SessionChanged(self.rig.now))

    def flush(self, _choice: int) -> None:
        self._ticket("flush", Flush())

    def custom(self, _choice: int) -> None:
        self._ticket("custom", WORK)

    def pass_time(self, choice: int) -> None:
        """In steps, so that each question is seen when it is asked."""
        for _ in range(choice):
            self.rig.wait(100)
            self.settle()

    def _ticket(self, word: str, what: Any) -> None:
        number = len(self.tickets) + 1
        self.tickets[number] = word
        self.rig.step(Asked(self.rig.now, number, what))

    def wanted(self, cursors: Sequence[int]) -> None:
        self.refused.update(dict.fromkeys(cursors, False))

    # ----------------------------------------------------------------------------------------- the server

    def settle(self) -> None:
        """All that can be done now."""
        before = dict(self.until)
        for _ in range(300):
            self.rig.work()
            if not self.rig.sent:
                break
            found, request = next(iter(self.rig.sent.items()))
            self._answer(found, request)
        else:
            raise AssertionError("it never has a rest")
        new = self.rig.settled.keys() - self.told
        self.told |= new
        if any(before[cursor] == self.until[cursor] > self.rig.now for cursor in BOTH):
            done = [it for it in new if self.tickets[it] == "flush" and self.rig.settled[it].error is None]
            assert not done, "Q10: a flush waits for what rests"
        for it in new:
            if isinstance(self.rig.settled[it].error, Untaken):
                assert self.is_untaken, "A-11: a flush gives up while it may be taken"

    @property
    def is_untaken(self) -> bool:
        """Whether the program has to be told that the store does not take something."""
        return max(self.untaken.values()) >= UNTAKEN_MAX

    def _answer(self, found: Id, request: Any) -> None:
        del self.rig.sent[found]
        if request[0] != "difference":
            said = State((0, 0, 0, 0)) if request[0] == "state" else A()
            self.rig.step(Answered(self.rig.now, found, said))
            return
        cursor, position = request[1], request[3]
        assert self.rig.now >= self.until[cursor], f"it is asked {self.until[cursor] - self.rig.now} too soon"
        assert position == self.rig.position(cursor), "E-10: it is asked from where it stands"
        self.cut.discard(cursor)
        if self.floods[cursor] and self.floods[cursor][0] <= 0:
            is_cut = self.floods[cursor].pop(0) < 0
            self.lost[cursor] += 1
            self.until[cursor] = self.rig.now + min(self.lost[cursor] * STEP_MS, 5_000)
            if is_cut:
                self.cut.add(cursor)
            self.rig.step(Failed(self.rig.now, found, SessionLost() if is_cut else Transient()))
        elif self.floods[cursor]:
            wait_ms = self.floods[cursor].pop(0)
            self.until[cursor] = self.rig.now + max(wait_ms, STEP_MS)
            self.rig.step(Failed(self.rig.now, found, Flood(wait_ms)))
        elif self.refusals[cursor]:
            self.refusals[cursor], self.refused[cursor], self.lost[cursor] = False, True, 0
            self.rig.step(Failed(self.rig.now, found, Refused("STOP")))
        elif self.poisons[cursor] and self.happened[cursor] > position[REV]:
            self.poisons[cursor] -= 1
            self.untaken[cursor] += 1
            self.refused[cursor] = False
            self.until[cursor] = self.rig.now + 100 * self.untaken[cursor]
            body_of = body(U("!"), covered=((cursor, REV),))
            self.rig.step(Answered(self.rig.now, found, A(set={REV: self.happened[cursor]}, body=body_of)))
        else:
            self.refused[cursor], self.untaken[cursor], self.lost[cursor] = False, 0, 0
            self.rig.step(Answered(self.rig.now, found, self._news(cursor, position[REV])))

    def _news(self, cursor: int, since: int) -> A:
        end = self.happened[cursor]
        if end == since:
            return A(AnswerKind.EMPTY)
        names = [U(f"{cursor} {it + 1}") for it in range(since, end)]
        return A(set={REV: end}, body=body(*names, covered=((cursor, REV),)))

    # ------------------------------------------------------------------------------------------- the laws

    def check(self) -> None:
        """All is done that may be done."""
        rests = [cursor for cursor in BOTH if self.until[cursor] > self.rig.now]
        for cursor in BOTH:
            done = [name for name in self.rig.tables.done if name.startswith(f"{cursor} ")]
            position = self.rig.position(cursor)
            assert position is not None
            assert done == [f"{cursor} {it + 1}" for it in range(position[REV])], "E-2"
        # What waits for a gap is before all that comes later, for a while.
        is_held = self.rig.machine.held > 0
        assert self.rig.machine.is_resting or rests or is_held, "Q1"
        is_stopped = any(self.refused.values())
        for number, word in self.tickets.items():
            if word == "custom":
                assert number in self.rig.settled or is_held, "Q11: the program waits for no poll that rests"
            elif word == "flush" and number not in self.rig.settled:
                assert rests or is_held, "Q10: nothing is left to be waited for"
                assert not is_stopped or is_held, "Q6: who is refused waits for none"
                assert not self.is_untaken or is_held, "A-11: who may wait for ever is told"
            elif word == "resync":
                assert number in self.rig.settled or rests, "Q5"
        forbidden = [cursor for cursor in BOTH if self.rig.machine.resting.forbids(cursor)]
        assert forbidden == rests, "it is asked when it may be"
        assert (self.rig.machine.untaken is not None) == self.is_untaken

    def rest(self) -> None:
        """Everything is told in the end, and all who wait hear of it."""
        for cursor in BOTH:
            self.floods[cursor].clear()
            self.refusals[cursor], self.poisons[cursor] = False, 0
        self.resync(0)
        self.settle()
        self.pass_time(60)
        assert {cursor: self.rig.position(cursor)[REV] for cursor in BOTH} == self.happened  # type: ignore[index]
        assert self.rig.settled.keys() == self.tickets.keys()
        assert self.rig.machine.is_resting
        assert not self.rig.machine.updating


ACTIONS: Final[dict[str, Callable[[World, int], None]]] = {
    "flood": World.flood,
    "lose": World.lose,
    "drop": World.drop,
    "refuse": World.refuse,
    "poison": World.poison,
    "push": World.push,
    "ask": World.ask,
    "resync": World.resync,
    "session": World.session,
    "flush": World.flush,
    "custom": World.custom,
    "time": World.pass_time,
}
OFTEN: Final = (
    "poison", "drop", "refuse", "session", *("flood",) * 2, *("push",) * 3,
    "resync", "flush", "custom", *("time",) * 3,
)  # fmt: skip
NAMES: Final = (*ACTIONS, *OFTEN)
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 9)), max_size=40)


def run(history: Sequence[tuple[str, int]]) -> None:
    """A whole run, and its rest."""
    world = World()
    for name, choice in history:
        ACTIONS[name](world, choice)
        world.settle()
        world.check()
    world.rest()


@given(histories)
def test_what_rests_is_asked_when_it_may_be_and_holds_up_nothing(history: list[tuple[str, int]]) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("a flood is waited for in the queue", PollJob, "_send", "tries_max=1", "tries_max=0"),
    Fault("tries are not counted", Resting, "again", "self._tries.get(cursor, 0) + 1", "1"),
    Fault("old tries count", Resting, "told", "self._tries.pop(cursor, None)", "pass"),
    Fault("tries of the session before count", Resting, "session", "self._tries.clear()", "pass"),
    Fault("a session changes nothing", Resting, "session", "for cursor in self._lost:", "for cursor in ():"),
    Fault("a session ends any rest", Resting, "again", "if is_lost:", "if True:"),
    Fault("what rests again does so till the session before", Resting, "_poll",
          "self._lost.discard(cursor)", "pass"),
    Fault("a session leaves timers", Resting, "session",
          "self._core.flight.forget(self._polls.pop(cursor))", "self._polls.pop(cursor)"),
    Fault("what waits behind it is asked", Resting, "_rest", "if poll.cursor == cursor:", "if False:"),
    Fault("others that want it ask", Machine, "replace", "if not self.resting.forbids(cursor):", "if True:"),
    Fault("it may be asked at once", Resting, "_wait", "flight.now + wait_ms", "flight.now"),
    Fault("it is never asked", Resting, "_poll", "self._core.replace((cursor,))", "pass"),
    Fault("a poll of another is put off as well", Resting, "_rest", "if poll.cursor == cursor:", "if True:"),
    Fault("a flush does not wait", Resting, "keeps", "if not self.works:", "if True:"),
    Fault("a flush waits for ever", Resting, "_poll", "self.look()", "pass"),
    Fault("a flush that waits is begun no more", Resting, "keeps", "flush.started = False", "pass"),
    Fault("who is refused waits for others", Machine, "polled", "self.resting.look()", "pass"),
    Fault("who waits is refused nothing", FlushJob, "begin",
          "self._refused is not None", "self.core.resting.untaken is not None"),
    Fault("a flush waits for what is never taken", FlushJob, "begin",
          "self._refused is not None", "self.core.stopped is not None"),
    Fault("one refusal is told", Untakens, "refused", ">= self._tries_max", ">= 1"),
    Fault("what was taken is told still", Untakens, "took", "self._told.pop(what, None)", "pass"),
    Fault("it is as long each time", Untakens, "refused", "failures.times += 1", "failures.times = 1"),
    Fault("old refusals count", Untakens, "took", "self._failures.pop(what, None)", "pass"),
)  # fmt: skip


HISTORIES: Final = Histories(run, NAMES, range(10), count=300, steps=40)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault, RuntimeError, ValueError, KeyError)
