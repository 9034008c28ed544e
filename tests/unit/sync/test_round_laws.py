"""Rounds of one run, while another one owes, on rows that both write: in whichever order anything comes."""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import CHANNEL, A, Page, U, channel, channel_at, push

from pillarbox.sync import drafts
from pillarbox.sync.debt_rows import Author, Debt
from pillarbox.sync.debts import Debts
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.protocol import Body
from pillarbox.sync.signals import Answered, Id, Output, Send, Woken

AT: Final = (CHANNEL, 5)


class Asked(NamedTuple):
    """When something was asked for, and where the server was then: an answer may be as old as that."""

    clock: int
    top: int


class Rounds(Rig):
    """One run; the other one only writes what is owed, and ends."""

    def __init__(self) -> None:
        super().__init__(channel_at())
        self.top, self.clock = 50, 0
        self.when: dict[Id, Asked] = {}
        #: What the other one owed, and whether a recipe was to cure it.
        self.owed: list[tuple[int, bool]] = []
        self.start()

    def do(self, what: str) -> None:
        """One thing that happens."""
        self.clock += 1
        if what == "push":  # one before it was lost
            self.top += 2
            self.push(push(U("x", channel(self.top))))
        elif what in ("owe", "cure"):
            author = Author(1, self.clock)
            cure = "channel" if what == "cure" else ""
            debt = Debt(*AT, None, cure, author.run, author.number)
            BatchDraft(owes=(debt,)).apply(self.tables, self.protocol)
            self.owed.append((self.clock, bool(cure)))
        elif what == "hear":
            self.step(Woken(self.now))
        elif what == "work":
            if self.store:
                self.work_one()
        elif what == "break":
            if self.store:
                self.work_one(failure="the disk is full")
        elif what == "wait":
            self.wait(6_000)
        elif self.sent:
            self._reply(next(iter(self.sent)), what)
        self.check()

    def _reply(self, found: Id, what: str) -> None:
        request = self.sent[found]
        if what == "fail":
            self.fail(request[0])
            return
        del self.sent[found]
        clock, top = self.when[found]
        recipe = request[0] == "pages"
        name = f"{'recipe' if recipe else 'difference'} {clock}"
        answer = Page((name,), at=top) if recipe else A(set={0: top}, body=Body((name,)))
        self.step(Answered(self.now, found, answer if request[1] != 1 else A()))

    def check(self) -> None:
        """Whatever is owed no more was answered since, and by a recipe where one was asked for."""
        if AT in self.tables.debts:
            return
        answers = [it.split() for it in self.tables.done if it.startswith(("recipe", "difference"))]
        for at, cure in self.owed:
            assert any(int(asked) >= at and (kind == "recipe" or not cure) for kind, asked in answers), (
                f"what was owed at {at} was answered by none of {answers}"
            )
        self.owed.clear()

    def settle(self) -> None:
        """All is answered, and nothing is left."""
        for _ in range(5):
            self.do("hear")
            self.work()
            while self.sent:
                self.do("answer")
                self.work()
            self.wait(10_000)
        assert (self.tables.debts, self.position(*AT)) == ({}, (self.top,))

    def _see(self, output: Output) -> None:
        super()._see(output)
        if isinstance(output, Send):
            self.when[output.id] = Asked(self.clock, self.top)


KINDS: Final = (
    "push",
    "owe",
    "cure",
    "hear",
    "work",
    "work",
    "work",
    "answer",
    "answer",
    "fail",
    "wait",
    "break",
)
happenings = st.lists(st.sampled_from(KINDS), min_size=10, max_size=50)


def law(happenings: list[str]) -> None:
    """What is owed is asked about until it is answered, and nothing is answered by what is older."""
    rounds = Rounds()
    for one in happenings:
        rounds.do(one)
    rounds.settle()


def test_rounds_answer_all_that_is_owed() -> None:
    """K-13, K-14, A-7, E-13."""
    given(happenings)(law)()


FAULTS: Final = (
    Fault("who wrote last knows all", drafts, "owe", "before.run == debt.run", "True"),
    Fault("whoever wrote it is paid", drafts, "pay", "row.run == debt.run", "True"),
    Fault("what is owed meanwhile is paid", Debts, "_pays", "reaches(found, again)", "True"),
    Fault("what others owe is left to them", Debts, "found", "others.append(debt)", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        HARD(given(happenings)(law))()
