"""A server is told how far this client is, and never more than it can stand by.

Law. What is confirmed are the values that batches, answers and recipes gave the part, in the order of their
commits: each only after its commit (G-10, E-8), none twice in a row, and none that the schema leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    QTS,
    A,
    C,
    Page,
    State,
    Tables,
    TooLong,
    U,
    body,
    push,
    qts,
    rev,
)

from pillarbox.sync.confirm import Confirms
from pillarbox.sync.job_process import Process
from pillarbox.sync.machine import Machine
from pillarbox.sync.protocol import AnswerKind
from pillarbox.sync.signals import Answered, Asked, Commit, Failed, Received, Refused, Resync, Ticked

#: The one that the schema of these tests does not confirm.
LEFT_OUT: Final = 77
FIRST: Final = 73


class Watched(Rig):
    """A rig that notes what its own commits make of the part, before the machine hears of them."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.due: list[int] = []

    def _commit(self, output: Commit) -> None:
        before, tables = self.tables.positions[ACCOUNT, b""][QTS], self.tables
        super()._commit(output)
        # The machine hears of it in the same step: what it then asks is looked at after that.
        after = self.tables.positions[ACCOUNT, b""][QTS]
        told = self.due[-1:] == [after]
        if self.tables is not tables and after not in (before, 0, LEFT_OUT) and not told:
            self.due.append(after)

    def check(self) -> None:
        """What is confirmed is what was due, and stood."""
        assert [request[1] for request in self.asked if request[0] == "confirm"] == self.due, "G-10"


class World:
    """A server that counts, and a client that hears of some of it."""

    def __init__(self) -> None:
        self.at = FIRST
        self.revs = 10
        self.rig = Watched(Tables({(ACCOUNT, b""): (10, FIRST, 7, 0)}))
        self.rig.start()
        self.tickets = 0

    def push(self, choice: int) -> None:
        """The next value, or one that comes too early or again, or something else."""
        if choice % 5 == 0:
            self.revs += 1
            self.hear(push(U("other", rev(self.revs))))
        else:
            step = (1, 1, 2, 0)[choice % 4]
            self.at += step
            self.hear(push(U(f"{self.at}", qts(self.at))))

    def hear(self, container: C) -> None:
        """It is not worked on yet."""
        self.rig.step(Received(self.rig.now, container))

    def work(self, choice: int) -> None:
        """One thing in the store, which may fail."""
        if self.rig.store:
            self.rig.work_one(failure="full" if choice % 4 == 0 else None)

    def wait(self, choice: int) -> None:
        """To the next timer."""
        timers = [(at, found) for found, at in self.rig.timers.items() if found.owner != "idle"]
        for at, found in sorted(timers)[:1]:
            del self.rig.timers[found]
            self.rig.now = max(self.rig.now, at)
            self.rig.step(Ticked(self.rig.now, found))

    def ask(self, _choice: int) -> None:
        """A poll."""
        self.tickets += 1
        self.rig.step(Asked(self.rig.now, self.tickets, Resync()))

    def answer(self, choice: int) -> None:
        """As of now, or of before; nothing, a slice, or all; what is confirmed, nobody minds."""
        for found, request in list(self.rig.sent.items())[:1]:
            del self.rig.sent[found]
            if request[0] == "confirm":
                self.rig.step(Failed(self.rig.now, found, Refused("ODD")))
                continue
            if request[0] != "difference" or choice == 5:  # A recipe, and what it asks.
                told: Any = {"state": State((10, self.at, 7, 0)), "pages": Page(("anew",))}.get(request[0])
                self.rig.step(Answered(self.rig.now, found, TooLong() if told is None else told))
                continue
            kind = (AnswerKind.FULL, AnswerKind.SLICE, AnswerKind.EMPTY)[choice % 3]
            to = self.at - choice % 2
            answer = A(kind, {QTS: to}, body(U(f"up to {to}")))
            self.rig.step(Answered(self.rig.now, found, answer))

    def enemy(self, choice: int) -> None:
        """Another process moves the cursor; it confirms for itself."""
        known = list(self.rig.tables.positions[ACCOUNT, b""])
        known[QTS] = self.at if choice % 2 else known[QTS]
        known[0] += choice % 3
        self.revs = max(self.revs, known[0])
        self.rig.tables.positions[ACCOUNT, b""] = tuple(known)


ACTIONS: Final[dict[str, Callable[[World, int], None]]] = {
    "push": World.push,
    "work": World.work,
    "wait": World.wait,
    "ask": World.ask,
    "answer": World.answer,
    "enemy": World.enemy,
}
NAMES: Final = (*ACTIONS, *("work",) * 6, *("push",) * 3, *("answer", "enemy") * 3, "wait")
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 11)), max_size=80)


def run(history: Sequence[tuple[str, int]]) -> World:
    """A whole run; what is confirmed is looked at after each step."""
    world = World()
    for name, choice in history:
        ACTIONS[name](world, choice)
        world.rig.check()
    world.rig.work()
    world.rig.check()
    return world


@given(histories)
def test_what_is_durable_is_confirmed_once_and_nothing_else(history: list[tuple[str, int]]) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

_COMMIT: Final = "self.core.flight.commit(OWNER, ready.draft, lambda"
FAULTS: Final = (
    Fault("confirmed whenever it is set", Confirms, "wrote",
          "before is None or before[part] != value", "True"),
    Fault("confirmed again", Confirms, "_confirm", "self._told[instance, part] = value", "pass"),
    Fault("a value that is left out is confirmed", Confirms, "_confirm",
          "confirm.when is not None and not confirm.when(value)", "False"),
    Fault("nothing is confirmed", Machine, "wrote", "self._confirms.wrote(ready.draft)", "pass"),
    Fault("confirmed before the commit", Process, "_made", _COMMIT, f"self.core.wrote(ready); {_COMMIT}"),
)  # fmt: skip


def run_many() -> None:
    """Fixed histories, so that a fault is always found by the same one."""
    left_out = 0
    for seed in range(500):
        random = Random(seed)
        world = run([(random.choice(NAMES), random.randrange(12)) for _ in range(60)])
        left_out += world.at > LEFT_OUT
    assert left_out > 100, "hardly ever was anything left out"


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    run_many()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        run_many()
