"""Debts that no other commit writes are written all the same, however long the store fails.

Law (K-13, E-13). Whenever the store works again, every debt that was added stands, of each instance with its
lowest hint since it was last written; one commit is under way at a time, none without a debt, and each is
told on when it stands, not before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.jobs import Adopt, Core
from pillarbox.sync.owing import Owing
from pillarbox.sync.signals import CommitFailed, Facts, Id

CURSOR: Final = 7
#: What is owed of an instance; and a commit that begins, works, or does not.
adds = st.tuples(st.integers(0, 2), st.none() | st.integers(1, 4))
steps = st.lists(adds | st.sampled_from(("begins", "works", "fails")), max_size=12)


@dataclass
class Stage:
    """Stands for the machine: a queue, a store, a clock that always comes."""

    jobs: list[Any] = field(default_factory=list)
    rests: list[Callable[[], None]] = field(default_factory=list)
    #: Key -> the hint that stands; and those that were told on.
    stored: dict[Any, int | None] = field(default_factory=dict)
    told: list[Debt] = field(default_factory=list)
    #: The commit that is under way.
    running: tuple[Adopt, BatchDraft] | None = None

    def __post_init__(self) -> None:
        self.queue = self.flight = self
        self.protocol = self
        self.debts = object()
        self.cursors = {CURSOR: self}
        self.difference = object()

    def last(self, job: Adopt) -> None:
        """Of the queue."""
        self.jobs.append(job)
        assert len(self.jobs) == 1, "two commits at a time"
        assert self.running is None, "one more while one is under way"

    def rest(self, _owner: str, tries: int, then: Callable[[], None]) -> None:
        """Of the flight."""
        assert tries > 0
        self.rests.append(then)

    def owe(self, owed: Any) -> None:
        """Of the machine: these stand."""
        for one in owed:
            assert one.debt.key in self.stored, "told before it stands"
            self.told.append(one.debt)

    def begin(self) -> None:
        """The next one of the queue."""
        while self.rests:
            self.rests.pop()()
        if not self.jobs or self.running is not None:
            return
        job = self.jobs.pop()
        draft = job._make()
        assert isinstance(draft, BatchDraft)
        assert draft.owes, "a commit of nothing"
        self.running = job, draft

    def end(self, *, works: bool) -> None:
        """What is under way is over, or what would be next."""
        self.begin()
        if self.running is None:
            return
        (job, draft), self.running = self.running, None
        if works:
            self.stored |= {debt.key: lower(self.stored, debt) for debt in draft.owes}
        job._done(Facts() if works else CommitFailed(0, Id("queue", 1), "it is full", stale=False))


def lower(known: dict[Any, int | None], debt: Debt) -> int | None:
    """None is below everything."""
    if debt.key not in known:
        return debt.hint
    was = known[debt.key]
    return None if was is None or debt.hint is None else min(was, debt.hint)


def law_of(hard: settings) -> None:
    @hard
    @given(steps)
    def law(taken: list[Any]) -> None:
        stage = Stage()
        owing = Owing(cast(Core, stage))
        added: dict[Any, int | None] = {}
        for step in taken:
            if isinstance(step, tuple):
                debt = Debt(CURSOR, step[0], step[1], "", 1)
                added[debt.key] = lower(added, debt)
                owing.add([debt])
            elif step == "begins":
                stage.begin()
            else:
                stage.end(works=step == "works")
        for _ in range(3):  # What was under way, and what came meanwhile.
            stage.end(works=True)
        assert stage.stored == added
        assert {debt.key for debt in stage.told} == added.keys()
        assert not stage.jobs
        assert not stage.rests

    law()


def test_what_is_owed_alone_is_written_when_the_store_works_again() -> None:
    law_of(settings())


FAULTS: Final = (
    Fault("of two hints the later one counts", Owing, "add",
          "lower(self._debts.get(debt.instance), debt)", "debt"),
    Fault("what was not written gives way", Owing, "_written",
          "debt if later is None else lower(debt, later)", "later or debt"),
    Fault("after a failure nothing is tried", Owing, "_written",
          "self._core.flight.rest(OWNER, self._tries, self._begin)", "pass"),
    Fault("what came meanwhile is not written", Owing, "_written",
          "for debt in written)\n        self._begin()", "for debt in written)"),
    Fault("two are written at a time", Owing, "add", "if not self._is_busy:", "if True:"),
    Fault("what was written is told to nobody", Owing, "_written",
          "self._core.owe(Owed(debt) for debt in written)", "pass"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(settings(HARD, max_examples=300))
