"""A question that waits at the server: everything told comes once and in order, by one question at a time.

Laws. About a cursor that is asked about so there is one question at most, of either kind, and while nothing
else asks about it and the server did not refuse for good, one waits, or will in a while. It is asked from
where the cursor stands. At rest the box holds what happened at the server, each thing once and in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import A, Tables, U, body, push
from tests.unit.sync.test_engine_endless import STREAM, endless

from pillarbox.sync.behind import Behind
from pillarbox.sync.claims import Claim
from pillarbox.sync.endless import Endless
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.machine import Machine
from pillarbox.sync.protocol import AnswerKind, SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Failed,
    Failure,
    Flood,
    Id,
    Received,
    Refusal,
    Refused,
    Resync,
    RoleChanged,
    SessionChanged,
    SessionLost,
    Started,
    Ticked,
    Transient,
)

SPEC: Final[SyncProtocol] = endless()
FIRST: Final = ("0", 0)
REFUSALS: Final = ("UNKNOWN", "DONE", "SELF", "STOP")


class World:
    """A server that counts what happens and tells it to who asks from where; and one client of it."""

    def __init__(self) -> None:
        self.happened = 0
        self.rig = Rig(Tables({(STREAM, b""): FIRST}), SPEC)
        self.tickets = 0
        self.stopped = False
        #: What was refused for good last.
        self.refused: Refusal | None = None
        #: Whether a program was told that it has stopped, and the server has said nothing since.
        self.was_told = False
        self.master = True
        self.rig.step(Started(self.rig.now, 99))

    # ------------------------------------------------------------------------------------------ the server

    def happen(self, choice: int) -> None:
        """Something, which is pushed as well, or is not."""
        self.happened += 1
        if choice % 3 == 0:
            claim = Claim(STREAM, b"", 1, self.happened - 1, self.happened)
            self.rig.step(Received(self.rig.now, push(U(f"{self.happened}", claim))))

    def answer(self, choice: int) -> None:
        """Everything since, some of it, or nothing though it was asked to wait; or what cannot be read."""
        found = self._question(choice)
        if found is None:
            return
        request = self.rig.sent.pop(found)
        if request[0] == "confirm":
            return
        self.stopped, self.refused, self.was_told = False, None, False
        since = int(request[2][1])
        to = min(since + choice % 4, self.happened)
        if choice == 7:
            answer: Any = "what is this"
        elif to <= since:
            answer = A(AnswerKind.EMPTY, {0: request[2][0]})
        else:
            names = [U(f"{it}") for it in range(since + 1, to + 1)]
            kind = AnswerKind.FULL if to == self.happened else AnswerKind.SLICE
            answer = A(kind, {0: f"{to}", 1: to}, body(*names))
        self.rig.step(Answered(self.rig.now, found, answer))

    def fail(self, choice: int) -> None:
        """A question comes to nothing."""
        found = self._question(choice)
        request = None if found is None else self.rig.sent.pop(found)
        if found is None or request is None or request[0] == "confirm":
            return
        failures: tuple[Failure, ...] = (Transient(), Flood(900), SessionLost(), *map(Refused, REFUSALS))
        failure = failures[choice % len(failures)]
        if failure == Refused("STOP"):
            self.stopped, self.refused = True, Refusal("STOP", request)
        elif isinstance(failure, Refused):
            self.was_told = False
        self.rig.step(Failed(self.rig.now, found, failure))

    def _question(self, choice: int) -> Id | None:
        waiting = list(self.rig.sent)
        return waiting[choice % len(waiting)] if waiting else None

    # ------------------------------------------------------------------------------------------ the client

    def work(self, choice: int) -> None:
        """One thing in the store, which may fail."""
        if self.rig.store:
            self.rig.work_one(failure="full" if choice % 6 == 0 else None)

    def settle(self, _choice: int) -> None:
        """All that the store has to do."""
        self.rig.work()

    def tick(self, choice: int) -> None:
        """To the next timer, or not so far."""
        if choice % 4 == 0 or not self.rig.timers:
            self.rig.now += choice
            return
        at, found = min((at, found) for found, at in self.rig.timers.items())
        del self.rig.timers[found]
        self.rig.now = max(self.rig.now, at)
        self.rig.step(Ticked(self.rig.now, found))

    def session(self, _choice: int) -> None:
        self.stopped = False
        self.rig.step(SessionChanged(self.rig.now))

    def ask(self, _choice: int) -> None:
        self.stopped = False
        self.tickets += 1
        self.rig.step(Asked(self.rig.now, self.tickets, Resync()))

    def role(self, choice: int) -> None:
        self.master = choice % 3 > 0
        self.rig.step(RoleChanged(self.rig.now, self.master))

    # ------------------------------------------------------------------------------------------- the laws

    def check(self) -> None:
        """After every step."""
        done = self.rig.tables.done
        assert done == [f"{it + 1}" for it in range(len(done))], "E-2: once each, and in order"
        assert self.rig.position(STREAM)[1] == len(done), "E-1"  # type: ignore[index]
        questions = [it for it in self.rig.sent.values() if it[0] != "confirm"]
        assert len(questions) <= 1, f"one question at a time: {questions}"
        if not self.master:
            assert not self.rig.waiting("wait"), "P-3"
        if self.was_told:
            assert self.rig.machine.stopped is not None, "Q6: nobody has answered anything else"
        self.was_told = self.rig.machine.stopped is not None
        if self.rig.machine.stopped is not None:
            assert self.rig.machine.stopped == self.refused, "Q6: what was refused last"
            assert not self.rig.machine.updating, "D-4"

    def rest(self) -> None:
        """Everything is answered but the question that waits, which is once there is something."""
        if not self.master:
            self.role(1)
        for _ in range(300):
            self.rig.work()
            self.check()
            waits = self.rig.waiting("wait")
            if not self.rig.sent and not self.rig.timers:
                assert self.stopped, "nobody asks any more"
                assert self.rig.machine.stopped is not None, "Q6: nobody asks any more, and nobody is told"
                self.stopped = False
                self.ask(0)
            elif not self.rig.sent:
                self.rig.wait(max(min(self.rig.timers.values()) - self.rig.now, 0))
            elif not waits or waits[0][2][1] < self.happened:
                self.answer(3)
            else:
                break
        else:
            raise AssertionError(f"it never comes to rest: {self.rig.sent} {self.rig.timers}")
        assert self.rig.machine.stopped is None, "Q6: it goes on"
        assert len(self.rig.tables.done) == self.happened, "all that happened is in the box"
        assert self.rig.waiting("wait") == [("wait", STREAM, self.rig.position(STREAM))]


ACTIONS: Final[dict[str, Callable[[World, int], None]]] = {
    "happen": World.happen,
    "answer": World.answer,
    "fail": World.fail,
    "work": World.work,
    "settle": World.settle,
    "tick": World.tick,
    "session": World.session,
    "ask": World.ask,
    "role": World.role,
}
#: What happens often is named often; a question waits only where nothing else asks.
NAMES: Final = (
    *ACTIONS,
    *("happen",) * 3,
    *("answer",) * 9,
    *("work",) * 3,
    *("settle",) * 12,
    *("tick",) * 5,
    *("fail",) * 2,
)
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 11)), max_size=80)


def run(history: Sequence[tuple[str, int]]) -> None:
    """A whole run, and its rest."""
    world = World()
    for name, choice in history:
        ACTIONS[name](world, choice)
        world.check()
    world.rest()


@given(histories)
def test_what_is_told_to_who_waits_comes_once_and_in_order(history: list[tuple[str, int]]) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("a poll does not give it up", Machine, "asks", "self._endless.stop(cursor)", "pass"),
    Fault("what was read for nothing is asked", Endless, "_loaded", "turn != one.turn", "False"),
    Fault("it is not asked again", Machine, "polled", "self._endless.begin(cursor)", "pass"),
    Fault("whoever is not the master asks", Endless, "begin", "or not self._master", ""),
    Fault("an old timer asks", Endless, "stop", "self._core.flight.forget(one.timer)", "pass"),
    Fault("it is asked from the beginning", Endless, "_ask",
          "one.request(position)", "one.request(('0', 0))"),
    Fault("it waits for ever where it is asked too often", Endless, "_come", "one.asking.again()", "pass"),
    Fault("an answer from another place is taken", PollJob, "_build",
          "if snapshot.positions[self._instance] != self._asked:", "if False:"),
    Fault("what is refused for good is only logged", PollJob, "_refused",
          "Refusal(refused.code, self._request)", "refused.code"),
    Fault("it goes on, and says that it has stopped", Machine, "answered",
          "self._behind.answered(cursor)", "pass"),
    Fault("what was refused is forgotten when it is asked anew", Behind, "ask",
          "self._cursors[cursor] = None", "self._cursors[cursor] = self._refused.pop(cursor, None) and None"),
    Fault("another question was refused", Endless, "_come", "one.request(one.asked)", "one.request(None)"),
)  # fmt: skip


HISTORIES: Final = Histories(run, NAMES, range(12), count=700, steps=60)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault, KeyError, TypeError, RuntimeError)
