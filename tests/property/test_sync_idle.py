"""A box-wide cursor is polled when nothing was heard for long: each has a clock of its own.

Law. Such a cursor is polled exactly when, in the master, so many milliseconds have passed since the last of:
something was pushed, a session began, a poll of this very cursor ended, the role changed (G-20). Of one the
server says in its answers how many, the last that said it; 0 is never. What is asked of other cursors, and
who looks at one instance, moves no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, CURSORS, A, Tables, U, protocol, push

from pillarbox.sync.cursor_parts import OpenPoll
from pillarbox.sync.idle import Idle
from pillarbox.sync.machine import Machine
from pillarbox.sync.open_polls import OpenPolls
from pillarbox.sync.protocol import AnswerKind, Backoff, Body, Difference, Poll
from pillarbox.sync.signals import Answered, Look, RoleChanged, SessionChanged, Started

OTHER: Final = 8
#: How long each may be silent; neither is a multiple of the other.
SILENT_MS: Final = {ACCOUNT: 7, OTHER: 12}
#: How fast it may be asked at most, whatever a server says.
STEP_MS: Final = 4


def _difference(cursor: int) -> Difference:
    found = CURSORS[cursor].difference
    assert found is not None
    return found


_ACCOUNT = replace(CURSORS[ACCOUNT], idle_poll_ms=SILENT_MS[ACCOUNT])
_OTHER = replace(
    _ACCOUNT,
    id=OTHER,
    name="other",
    idle_poll_ms=SILENT_MS[OTHER],
    pause=lambda answer: answer.pause_ms,
    difference=replace(
        _difference(ACCOUNT),
        request=lambda key, position: ("difference", OTHER, key, position),
        backoff=Backoff(STEP_MS),
    ),
)
_CHANNEL = replace(
    CURSORS[CHANNEL],
    open_poll=OpenPoll(2, lambda it: it.timeout_ms, 3),
    difference=replace(_difference(CHANNEL), backoff=Backoff(2)),
)
SPEC: Final = protocol(cursors={ACCOUNT: _ACCOUNT, OTHER: _OTHER, CHANNEL: _CHANNEL})


class Clocks:
    """A run beside a clock for each cursor; both tell when which is polled."""

    def __init__(self) -> None:
        #: Whether the next answer about the instance asks for the other cursor.
        self.leads = False
        #: What the next answer about the other cursor says, and how long each may be silent.
        self.pause_ms: int | None = None
        self.silent_ms = dict(SILENT_MS)
        self.rig = Rig(Tables({(it, b""): (1, 1, 1, 1) for it in SILENT_MS}), SPEC)
        self.rig.tables.positions[CHANNEL, 5] = (1,)
        self.master = True
        self.looks = 0
        self.heard = dict.fromkeys(SILENT_MS, self.rig.now)
        #: When which was to be polled, and when which was.
        self.expected = [(self.rig.now, cursor) for cursor in SILENT_MS]
        self.polled: list[tuple[int, int]] = []
        self.rig.step(Started(self.rig.now, 99))
        self.rig.work()
        self._settle()

    def push(self, _choice: int) -> None:
        """Something without a counter."""
        self.rig.receive(push(U("free")))
        self._hear(SILENT_MS)

    def pass_time(self, choice: int) -> None:
        """Millisecond by millisecond."""
        for _ in range(choice):
            self.rig.wait(1)
            for cursor, silent_ms in self.silent_ms.items():
                if self.master and 0 < silent_ms <= self.rig.now - self.heard[cursor]:
                    self._expect(cursor)
            self._settle()

    def session(self, _choice: int) -> None:
        """A new connection, after which all are polled anyway."""
        self.rig.step(SessionChanged(self.rig.now))
        self.rig.work()
        for cursor in SILENT_MS:
            self._expect(cursor)
        self._settle()

    def role(self, choice: int) -> None:
        """Taken, lost, or told once more."""
        self.master = choice % 3 > 0
        self.rig.step(RoleChanged(self.rig.now, self.master))
        self.rig.work()
        self._hear(SILENT_MS)
        self._settle()

    def look(self, choice: int) -> None:
        """Somebody looks at an instance, which is asked about all the time, or looks away."""
        if choice % 2 or not self.looks:
            self.looks += 1
            self.rig.ask(self.rig.now, Look(CHANNEL, 5, True))
        else:
            self.looks -= 1
            self.rig.ask(self.rig.now, Look(CHANNEL, 5, False))
        self.rig.settled.clear()

    def lead(self, _choice: int) -> None:
        """The next answer about the instance will ask for the other cursor."""
        self.leads = True

    def pause(self, choice: int) -> None:
        """From its next answer on the server wants the other cursor asked about so often, or as before."""
        self.pause_ms = None if choice == 9 else 2 * (choice - 1)

    def _settle(self) -> None:
        self._answer()
        # Two reasons within a millisecond may be one poll or two.
        assert set(self.polled) == set(self.expected), "G-20"
        mine = [found for found in self.rig.timers if found.owner == "idle"]
        some = [silent_ms for silent_ms in self.silent_ms.values() if silent_ms > 0]
        assert len(mine) == (len(some) if self.master else 0), "one timer a cursor"

    def _answer(self) -> None:
        """There is nothing new, ever."""
        while self.rig.sent:
            found, request = self.rig.sent.popitem()
            answer = A(AnswerKind.EMPTY, timeout_ms=2)
            if request[1] == OTHER:
                answer = replace(answer, pause_ms=self.pause_ms)
                if self.pause_ms is not None:
                    self.silent_ms[OTHER] = max(self.pause_ms, STEP_MS) if self.pause_ms > 0 else 0
            if request[1] in SILENT_MS:
                self.polled.append((self.rig.now, request[1]))
            elif self.leads:
                self.leads = False
                answer = A(body=Body(acts=(Poll(OTHER),)), timeout_ms=2)
                self._expect(OTHER)
            self.rig.step(Answered(self.rig.now, found, answer))
            self.rig.work()

    def _expect(self, cursor: int) -> None:
        self.expected.append((self.rig.now, cursor))
        self._hear((cursor,))

    def _hear(self, cursors: Iterable[int]) -> None:
        self.heard.update(dict.fromkeys(cursors, self.rig.now))


ACTIONS: Final[dict[str, Callable[[Clocks, int], None]]] = {
    "push": Clocks.push,
    "time": Clocks.pass_time,
    "session": Clocks.session,
    "role": Clocks.role,
    "look": Clocks.look,
    "lead": Clocks.lead,
    "pause": Clocks.pause,
}
NAMES: Final = (*ACTIONS, *("time",) * 5, *("push",) * 2, "look", "lead")
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 9)), max_size=40)


def run(history: Sequence[tuple[str, int]]) -> None:
    """A whole run, and silence after it."""
    clocks = Clocks()
    for name, choice in history:
        ACTIONS[name](clocks, choice)
    clocks.pass_time(3 * max(clocks.silent_ms.values()))


@given(histories)
def test_a_cursor_is_polled_when_nothing_was_heard_for_long_and_only_then(
    history: list[tuple[str, int]],
) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("one clock for all", Idle, "heard", "if cursor is None else (cursor,)", ""),
    Fault("what was heard is forgotten", Idle, "_ticked",
          "self._core.flight.now - self._heard[cursor] >= wait_ms", "True"),
    Fault("the clock begins anew at each tick", Idle, "_arm",
          "self._heard[cursor] + wait_ms", "self._core.flight.now + wait_ms"),
    Fault("whoever is not the master polls", Idle, "_begin", "self._master and ", ""),
    Fault("old timers run on", Idle, "_begin", "self._core.flight.forget(timer)", "pass"),
    Fault("a server may be asked without end", Idle, "told",
          "max(wait_ms, difference.backoff.step_ms)", "wait_ms"),
    Fault("what is said is not heard", Machine, "answered", "self._idle.told(cursor, answer)", "pass"),
    Fault("what was said holds from the next time on", Idle, "told", "self._begin(cursor)", "pass"),
    Fault("an answer that says nothing ends it", Idle, "told", "wait_ms is not None and wait_ms !=",
          "(wait_ms := wait_ms or 0) !="),
    Fault("a poll is not heard", Machine, "polled", "self._idle.heard(cursor)", "pass"),
    Fault("a push is not heard", Machine, "_take", "self._idle.heard()", "pass"),
    Fault("a look is heard", OpenPolls, "_done",
          "for act in found.acts:", "self._core._idle.heard()\n    for act in found.acts:"),
)  # fmt: skip


HISTORIES: Final = Histories(run, NAMES, range(1, 10), count=200, steps=30)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault)
