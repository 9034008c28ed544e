"""Instances that somebody looks at are asked about by turns, each at its own pace.

Law. In the master there is one question at a time about each instance that somebody looks at, and none about
any other. It comes first some while after the first one looked; then as long after the last answer as that
says; where there was no answer, or a position is not known, after a while that the schema says (K-9, K-12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, CURSORS, A, Tables, U, body, channel, protocol

from pillarbox.sync import Limits
from pillarbox.sync.cursor_parts import OpenPoll
from pillarbox.sync.open_polls import OpenPolls
from pillarbox.sync.protocol import AnswerKind, Backoff, CursorSpec
from pillarbox.sync.signals import Answered, Failed, Look, Refused, RoleChanged, Ticked, Transient

KEYS: Final = (5, 6)
FIRST_MS: Final = 3
MISSING_MS: Final = 11
STEP_MS: Final = 4
TRIES: Final = 3


def _paced() -> dict[int, CursorSpec]:
    found = CURSORS[CHANNEL]
    assert found.difference is not None
    difference = replace(found.difference, backoff=Backoff(STEP_MS, 100))
    poll = OpenPoll(FIRST_MS, lambda it: it.timeout_ms, MISSING_MS)
    return {CHANNEL: replace(found, open_poll=poll, difference=difference)}


SPEC: Final = protocol(cursors={ACCOUNT: replace(CURSORS[ACCOUNT], idle_poll_ms=0), **_paced()})


@dataclass
class Looked:
    """What is to be known of an instance that somebody looks at."""

    lookers: int = 1
    #: When it is asked about; None: it is, and that is not answered yet, or nobody asks.
    due: int | None = None
    #: How often the question that is due has failed.
    tries: int = 0


class Looks:
    """A run beside a timetable."""

    def __init__(self) -> None:
        self.rig = Rig(Tables({(ACCOUNT, b""): (1, 1, 1, 1)}), SPEC, Limits(debt_tries_max=TRIES))
        self.rig.start()
        self.master = True
        self.looked: dict[int, Looked] = {}
        self.tickets = 0
        self.told: list[str] = []

    def open(self, choice: int) -> None:
        """One more looks."""
        key = KEYS[choice % 2]
        self._look(key, is_open=True)
        if key in self.looked:
            self.looked[key].lookers += 1
        else:
            self.looked[key] = Looked(due=self.rig.now + FIRST_MS if self.master else None)

    def close(self, choice: int) -> None:
        """One looks away, or somebody who never looked."""
        key = KEYS[choice % 2]
        self._look(key, is_open=False)
        if key in self.looked:
            self.looked[key].lookers -= 1
            if not self.looked[key].lookers:
                del self.looked[key]

    def pass_time(self, choice: int) -> None:
        """Millisecond by millisecond."""
        for _ in range(choice):
            self.rig.wait(1)
            for key, one in self.looked.items():
                if one.due is not None and one.due <= self.rig.now:
                    known = one.tries > 0 or self.rig.position(CHANNEL, key) is not None
                    one.due = None if known else self.rig.now + MISSING_MS
            self.check()

    def answer(self, choice: int) -> None:
        """An answer to one of the questions, with news or without."""
        for found, request in list(self.rig.sent.items())[choice % 2 :][:1]:
            key, position = request[2], request[3]
            end = position[0] + 1
            brings = choice % 3 == 0
            news = body(U(f"{key}: {end}", channel(end, key=key))) if brings else body()
            kind = AnswerKind.FULL if brings else AnswerKind.EMPTY
            if brings:
                self.told.append(f"{key}: {end}")
            del self.rig.sent[found]
            answer = A(kind, {0: end} if brings else {}, news, timeout_ms=choice - 1)
            self.rig.step(Answered(self.rig.now, found, answer))
            self.rig.work()
            self._wait(key, max(choice - 1, STEP_MS) if choice > 1 else MISSING_MS)

    def fail(self, choice: int) -> None:
        """A question comes to nothing, or is refused."""
        for found, request in list(self.rig.sent.items())[:1]:
            one = self.looked[request[2]]
            del self.rig.sent[found]
            if choice % 3 == 0:
                self.rig.step(Failed(self.rig.now, found, Refused("DONE")))
                self._wait(request[2], MISSING_MS)
            else:
                self.rig.step(Failed(self.rig.now, found, Transient()))
                one.tries += 1
                if one.tries < TRIES:
                    one.due = self.rig.now + STEP_MS * one.tries
                else:
                    self._wait(request[2], MISSING_MS)
            self.rig.work()

    def role(self, choice: int) -> None:
        """Taken, lost, or told once more."""
        self.master = choice % 3 > 0
        self.rig.step(RoleChanged(self.rig.now, self.master))
        self.rig.work()
        for key in self.looked:
            self._wait(key, FIRST_MS)

    def lapse(self, _choice: int) -> None:
        """The role goes, and comes back, while the next one to be asked about is being read."""
        if timers := [(at, found) for found, at in self.rig.timers.items() if found.owner == "open"]:
            at, found = min(timers)
            self.rig.now = max(self.rig.now, at)
            del self.rig.timers[found]
            self.rig.step(Ticked(self.rig.now, found))
        for self.master in (False, True):
            self.rig.step(RoleChanged(self.rig.now, self.master))
        self.rig.work()
        for key in self.looked:
            self._wait(key, FIRST_MS)

    def known(self, choice: int) -> None:
        """Another process gives an instance a position; or makes it go."""
        key = KEYS[choice % 2]
        one = self.looked.get(key)
        if any(request[2] == key for request in self.rig.sent.values()) or (one is not None and one.tries):
            return  # Its answer would be thrown away, which other laws look at.
        if choice % 5 == 0:
            self.rig.tables.positions.pop((CHANNEL, key), None)
        else:
            self.rig.tables.positions.setdefault((CHANNEL, key), (1,))

    def check(self) -> None:
        """As the timetable says."""
        asked = sorted(request[2] for request in self.rig.sent.values())
        due = sorted(key for key, one in self.looked.items() if self.master and one.due is None)
        assert asked == due, "K-9"
        timers = [it for it in self.rig.timers if it.owner == "open"]
        assert len(timers) <= len(self.looked), "K-9: none is left"
        assert self.rig.tables.done == self.told, "K-12: what was answered is written"

    def _look(self, key: int, *, is_open: bool) -> None:
        self.tickets += 1
        self.rig.ask(self.tickets, Look(CHANNEL, key, is_open))

    def _wait(self, key: int, wait_ms: int) -> None:
        self.looked[key].due = self.rig.now + wait_ms if self.master else None
        self.looked[key].tries = 0


ACTIONS: Final[dict[str, Callable[[Looks, int], None]]] = {
    "open": Looks.open,
    "close": Looks.close,
    "time": Looks.pass_time,
    "answer": Looks.answer,
    "fail": Looks.fail,
    "role": Looks.role,
    "lapse": Looks.lapse,
    "known": Looks.known,
}
NAMES: Final = (*ACTIONS, *("time",) * 5, *("answer",) * 3, *("known",) * 2, "open", "open", "fail")
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 12)), max_size=50)


def run(history: Sequence[tuple[str, int]]) -> None:
    """A whole run; the timetable is looked at after each step."""
    looks = Looks()
    for name, choice in history:
        ACTIONS[name](looks, choice)
        looks.check()


@given(histories)
def test_who_is_looked_at_is_asked_about_by_turns(history: list[tuple[str, int]]) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("the first to look away is the last", OpenPolls, "look", "if one.lookers <= 0:", "if True:"),
    Fault("nobody looks away", OpenPolls, "look", "one.lookers -= 1", "pass"),
    Fault("what was asked for who looked away is answered", OpenPolls, "_stop", "one.inquiry.stop()", "pass"),
    Fault("a timer outlives its look", OpenPolls, "_stop", "self._core.flight.forget(one.timer)", "pass"),
    Fault("the second to look asks once more", OpenPolls, "look", "if one is None:", "if True:"),
    Fault("the answer does not say when", OpenPolls, "_wait_ms", "if found.answer is not None:", "if False:"),
    Fault("it is asked about as fast as it answers", OpenPolls, "_wait_ms",
          "max(wait_ms, one.step_ms)", "wait_ms"),
    Fault("it is asked about from nothing", OpenPolls, "_ask",
          "any(position is None for position in snapshot.positions.values())", "False"),
    Fault("questions outlive the role", OpenPolls, "role", "self._stop(one)", "pass"),
    Fault("what is read for a role that went is asked", OpenPolls, "role", "replace(one)", "one"),
    Fault("an answer is not written", OpenPolls, "_answered",
          "self._core.queue.last(Adopt(self._core, lambda: draft, written))", "written(None)"),
    Fault("the tries of a question never end", OpenPolls, "_ask",
          "tries_max=self._core.flight.limits.debt_tries_max", "tries_max=0"),
)  # fmt: skip


HISTORIES: Final = Histories(run, NAMES, range(1, 13), count=300, steps=40)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault)
