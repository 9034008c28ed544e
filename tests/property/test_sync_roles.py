"""The role of the master goes and comes, at any time: what is owed is asked about all the same.

Law. Who is the master in the end has all that the server has, and owes nothing, however often the role went
meanwhile and whatever was being asked, read or written by then (K-13, P-3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.property.sync_laws import check, check_rest
from tests.property.sync_world import World

from pillarbox.sync.debts import Debts
from pillarbox.sync.signals import RoleChanged


class Shared(World):
    """One whose role changes."""

    def __init__(self) -> None:
        super().__init__(check)
        self.master = True

    def role(self, _choice: int) -> None:
        self.master = not self.master
        self.rig.step(RoleChanged(self.rig.now, self.master))

    def lapse(self, choice: int) -> None:
        """It goes after some work of the store, and comes back once that has tried to do some more."""
        for _ in range(min(choice % 3, len(self.rig.store))):
            self.rig.work_one()
        self.role(0)
        for place in range(min(choice // 3 % 3, len(self.rig.store))):
            self.rig.work_one(failure="the disk is odd" if choice >> place & 1 else None)
        self.role(0)

    def crash(self, choice: int) -> None:
        super().crash(choice)
        self.master = True

    def end(self) -> None:
        """It is the master."""
        if not self.master:
            self.role(0)
        self.rest()
        check_rest(self)


ACTIONS: Final[dict[str, Callable[[Shared, int], None]]] = {
    "role": Shared.role,
    "lapse": Shared.lapse,
    "happen": Shared.happen,
    "deliver": Shared.deliver,
    "work": Shared.work,
    "settle": Shared.settle,
    "answer": Shared.answer,
    "fail": Shared.fail,
    "tick": Shared.tick,
    "enemy": Shared.enemy,
    "session": Shared.session,
    "crash": Shared.crash,
}
OFTEN: Final = (*("lapse",) * 4, *("happen",) * 2, *("deliver",) * 2, *("settle",) * 3, *("answer",) * 6)
NAMES: Final = (*ACTIONS, *OFTEN)
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 23)), max_size=60)


def run(history: Sequence[tuple[str, int]]) -> None:
    """A whole run, and its rest."""
    world = Shared()
    for name, choice in history:
        ACTIONS[name](world, choice)
        check(world)
    world.end()


@given(histories)
def test_who_is_the_master_in_the_end_has_all_of_it(history: list[tuple[str, int]]) -> None:
    run(history)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("what rests with a role that went is asked no more", Debts, "_rest",
          "if not self._resting:", "if not self._resting or not self._master:"),
    Fault("what is owed is not looked for", Debts, "read", "or not self._master:", "or True:"),
)  # fmt: skip


HISTORIES: Final = Histories(run, NAMES, range(24), count=500, steps=50)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault, KeyError)
