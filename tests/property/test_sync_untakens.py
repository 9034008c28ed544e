"""What is told of what the store refuses, against a list of all that happened.

Law. What was refused so often in a row is told, and nothing that a store which is ill would have refused of
anybody; until it is written, or nobody waits for it any more. Told is what has been so for the longest time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.histories import Histories
from tests.property.mutants import Fault
from tests.unit.sync.engine_world import ACCOUNT, CHANNEL, protocol

from pillarbox.sync.limits import Limits
from pillarbox.sync.signals import CommitFailed, Id, Untaken
from pillarbox.sync.untakens import Untakens

Step: TypeAlias = tuple[str, int]
LIMITS: Final = Limits(untaken_tries_max=3)
WHATS: Final = ((ACCOUNT, b""), (CHANNEL, 5), (CHANNEL, 6))
NAMES: Final = {ACCOUNT: "account", CHANNEL: "channel"}


def run(steps: Sequence[Step]) -> None:
    """A whole history."""
    subject = Untakens[tuple[int, bytes | int]](protocol(), LIMITS)
    #: Of each, why it was refused since it was taken the last time; "" where the store was ill.
    reasons: dict[tuple[int, bytes | int], list[str]] = {what: [] for what in WHATS}
    told: dict[tuple[int, bytes | int], str] = {}
    for number, (name, choice) in enumerate(steps):
        what = WHATS[choice % 3]
        if name in ("refuse", "fall ill"):
            is_ill, reason = name == "fall ill", f"reason {number}"
            times = subject.refused(what, what, CommitFailed(0, Id("queue", number), reason, False, is_ill))
            reasons[what].append("" if is_ill else reason)
            assert times == len(reasons[what]), "how long it rests"
            if len([it for it in reasons[what] if it]) >= LIMITS.untaken_tries_max:
                told[what] = reason
        else:
            gone = [what] if name == "take" else [it for it in WHATS if it != what]
            if name == "take":
                subject.took(what)
            else:
                subject.keep({what})
            for it in gone:
                reasons[it].clear()
                told.pop(it, None)
        first = next(((it, reason) for it, reason in told.items()), None)
        (cursor, key), reason = first or ((ACCOUNT, b""), "")
        assert subject.first == (None if first is None else Untaken(NAMES[cursor], key, reason))


ACTIONS: Final = (*("refuse",) * 5, "fall ill", "take", "keep")


@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 2)), max_size=30))
def test_what_is_never_taken_is_told_until_it_is(steps: list[Step]) -> None:
    run(steps)


FAULTS: Final = (
    Fault("an ill store counts", Untakens, "refused", "not why.ill", "1"),
    Fault("it is told too late", Untakens, "refused", ">= self._tries_max", "> self._tries_max"),
    Fault("what is taken is told", Untakens, "took", "self._told.pop(what, None)", "pass"),
    Fault("old refusals count", Untakens, "took", "self._failures.pop(what, None)", "pass"),
    Fault("what nobody waits for is told", Untakens, "keep", "if it not in waits", "if False"),
    Fault("all is forgotten", Untakens, "keep", "if it not in waits", "if True"),
)
HISTORIES: Final = Histories(run, ACTIONS, range(3), count=100, steps=30)


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    HISTORIES.run_all()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    HISTORIES.find(fault)
