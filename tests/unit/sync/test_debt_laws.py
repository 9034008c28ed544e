"""What is owed, whatever runs do to its rows and in whichever order; and what stands for several debts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, Tables, protocol

from pillarbox.sync import drafts, rounds
from pillarbox.sync.claims import Instance
from pillarbox.sync.debt_rows import Author, Debt
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, RoundDraft, Wrote
from pillarbox.sync.inquiry import Ending, Found

EVERYTHING: Final = (ACCOUNT, b"everything")
INSTANCES: Final[tuple[Instance, ...]] = ((CHANNEL, 5), EVERYTHING)


class Need(NamedTuple):
    """Why an instance is owed, and since when."""

    at: int
    debt: Debt


@dataclass
class Question:
    """What a run asked for, when, and what it owed since."""

    debt: Debt
    at: int
    #: How often the instance had been forgotten.
    life: int
    again: Owed | None = None


@dataclass
class Memory:
    """What one run knows."""

    marker: int
    known: dict[Instance, Owed] = field(default_factory=dict)
    seen: tuple[Debt, ...] = ()
    asked: dict[Instance, Question] = field(default_factory=dict)


class Runs:
    """Two runs on one box, and by hand what is missing of each instance."""

    def __init__(self) -> None:
        self.spec = protocol()
        self.tables = Tables()
        self.runs = [Memory(marker) for marker in (100, 200)]
        self.clock = 0
        self.needs: dict[Instance, list[Need]] = {it: [] for it in INSTANCES}
        self.lives = dict.fromkeys(INSTANCES, 0)

    def step(self, what: str, place: int, instance: Instance, hint: int | None, cure: str) -> None:
        """One thing that a run does, and whether each law holds then."""
        self.clock += 1
        run = self.runs[place]
        if what == "owe":
            self._owe(run, instance, hint, cure)
        elif what == "forget":
            self._forget(instance)
        elif what == "end":
            self.runs[place] = Memory(run.marker + 1)
        elif what == "read":
            run.seen = tuple(self.tables.debts.values())
        elif what == "take":
            theirs = (it for it in run.seen if it.run != run.marker and it.instance != EVERYTHING)
            mine = tuple(it._replace(run=run.marker) for it in theirs)
            self._hear(run, BatchDraft(takes=mine).apply(self.tables, self.spec))
        elif what == "ask":
            self._ask(run, instance)
        elif instance in run.asked:
            self._answer(run, instance, run.asked.pop(instance))
        self._check()

    def _owe(self, run: Memory, instance: Instance, hint: int | None, cure: str) -> None:
        author = Author(run.marker, self.clock)
        if instance == EVERYTHING:
            hint, cure = author.draft, "everything"
        debt = Debt(*instance, hint, cure, run.marker, author.number)
        self.needs[instance].append(Need(self.clock, debt))
        self._hear(run, BatchDraft(owes=(debt,)).apply(self.tables, self.spec))

    def _forget(self, instance: Instance) -> None:
        """Nothing of it is of any interest any more."""
        self.tables.debts.pop(instance, None)
        self.needs[instance].clear()
        self.lives[instance] += 1

    def _hear(self, run: Memory, wrote: Wrote) -> None:
        """As `Debts` does: what is asked about is owed once more, unless it is another debt."""
        for row in wrote.rows:
            if row.instance in wrote.fresh and row.instance != EVERYTHING:
                run.asked.pop(row.instance, None)
            owed = Owed(row._replace(run=run.marker))  # as it was drafted
            if row.instance in run.asked:
                question = run.asked[row.instance]
                question.again = rounds.both(question.again, owed)
            else:
                run.known[row.instance] = owed

    def _ask(self, run: Memory, instance: Instance) -> None:
        """A recipe of the box is asked for as its row stands, whoever wrote it."""
        row = self.tables.debts.get(instance)
        owed = row and Owed(row) if instance == EVERYTHING else run.known.pop(instance, None)
        if owed is not None and instance not in run.asked:
            run.asked[instance] = Question(owed.debt, self.clock, self.lives[instance])

    def _answer(self, run: Memory, instance: Instance, question: Question) -> None:
        keyed = instance != EVERYTHING
        is_paid = not keyed or question.again is None
        part = BatchDraft(("answered",), pays=(question.debt,) if is_paid else ())
        draft = RoundDraft((part,), ((instance, question.debt.since),)) if keyed else part
        told = len(self.tables.done)
        draft.apply(self.tables, self.spec)
        if keyed and len(self.tables.done) > told:
            assert question.life == self.lives[instance], "it answers for what was forgotten"
        if instance not in self.tables.debts:
            needs = self.needs[instance]
            assert all(need.at < question.at for need in needs), "paid by an answer that is older"
            assert question.debt.cure or not any(need.debt.cure for need in needs), "paid without the recipe"
            needs.clear()
        elif question.again is not None:
            run.known[instance] = question.again

    def _check(self) -> None:
        for instance, needs in self.needs.items():
            row = self.tables.debts.get(instance)
            assert (row is not None) == bool(needs), f"{instance} is owed by {needs}, and there stands {row}"
            if row is None or instance == EVERYTHING:
                continue
            hints = [need.debt.hint for need in needs]
            least = None if None in hints else min(hint for hint in hints if hint is not None)
            assert (row.hint, bool(row.cure)) == (least, any(need.debt.cure for need in needs))
            assert row.since == needs[0].debt.since

    def settle(self) -> None:
        """One run alone pays for all that stands."""
        for what in ("end", "read", "take"):
            self.step(what, 0, INSTANCES[0], None, "")
        for instance in INSTANCES:
            for what in ("ask", "answer"):
                self.step(what, 0, instance, None, "")
        assert self.tables.debts == {}


_KINDS: Final = ("owe", "owe", "read", "take", "ask", "ask", "answer", "answer", "forget", "end")
#: Each in one draw, since long lists of them are what finds something.
steps = st.sampled_from(list(product(_KINDS, (0, 1), INSTANCES, (None, 1, 2), ("", "channel"))))


def rows(steps: list[tuple[str, int, Instance, int | None, str]]) -> None:
    """What is owed stands until an answer that was asked for since."""
    runs = Runs()
    for step in steps:
        runs.step(*step)
    runs.settle()


hints = st.none() | st.integers(1, 5)
tops = st.none() | st.tuples(st.integers(0, 1), st.integers(1, 5))
debts = st.builds(
    Debt, st.just(CHANNEL), st.just(5), hints, st.sampled_from(("", "a", "b")), st.integers(1, 3)
)
owed = st.lists(st.builds(Owed, debts, tops), min_size=1, max_size=5)
sets = st.dictionaries(st.integers(0, 1), st.integers(1, 5), max_size=2)


def several(owed: list[Owed], sets: dict[int, int]) -> None:
    """What reaches all that was owed reaches each: who pays for what stands for all has paid for each."""
    whole: Owed | None = None
    for number, one in enumerate(owed):
        whole = rounds.both(whole, one._replace(debt=one.debt._replace(since=number)))
    assert whole is not None
    found = Found((CHANNEL, 5), Ending.DRAFT, BatchDraft(sets={(CHANNEL, 5): sets}))

    parts = {one.top and one.top[0] for one in owed}
    each = all(one.top is not None and sets.get(one.top[0], 0) >= one.top[1] for one in owed)
    assert rounds.reaches(found, whole) == (each and len(parts) == 1)
    hints = [one.debt.hint for one in owed]
    assert whole.debt.hint == (None if None in hints else min(it for it in hints if it is not None))
    assert bool(whole.debt.cure) == any(one.debt.cure for one in owed)
    assert (whole.debt.since, whole.debt.run) == (0, owed[-1].debt.run)


#: Each law, and what it is tried with.
ROWS: Final = rows, {"steps": st.lists(steps, min_size=20, max_size=60)}
SEVERAL: Final = several, {"owed": owed, "sets": sets}
FAULTS: Final = (
    (ROWS, Fault("whoever wrote it is paid", drafts, "pay", "row.run == debt.run", "True")),
    (
        ROWS,
        Fault("a recipe is paid by one before", drafts, "pay", "not _is_newer(protocol, row, debt)", "True"),
    ),
    (ROWS, Fault("the last hint counts", drafts, "owe", "lower(before, debt)", "debt")),
    (ROWS, Fault("it is owed since the last", drafts, "lower", "since=first.since", "since=second.since")),
    (ROWS, Fault("what was read is taken over", drafts, "take", "row._replace(run=debt.run)", "debt")),
    (ROWS, Fault("what was forgotten is answered", drafts, "_is_owed", "since in (0, it.since)", "True")),
    (ROWS, Fault("a recipe goes", drafts, "lower", "second.cure or first.cure", "second.cure")),
    (SEVERAL, Fault("the nearer top", rounds, "both", "max(first.top", "min(first.top")),
    (SEVERAL, Fault("tops of any part", rounds, "both", "first.top[0] == second.top[0]", "True")),
    (SEVERAL, Fault("just before it", rounds, "reaches", ">= value", ">= value - 1")),
)


def test_what_is_owed_stands_until_an_answer_that_was_asked_for_since() -> None:
    """K-13, K-14, E-13, D-6."""
    given(**ROWS[1])(rows)()


def test_what_reaches_all_that_was_owed_reaches_each() -> None:
    """K-13."""
    given(**SEVERAL[1])(several)()


@pytest.mark.parametrize(("law", "fault"), FAULTS, ids=[str(fault) for _, fault in FAULTS])
def test_planted_faults_are_found(law: tuple[Callable[..., None], dict[str, Any]], fault: Fault) -> None:
    check, drawn = law
    with fault.planted(), pytest.raises(AssertionError):
        HARD(given(**drawn)(check))()
