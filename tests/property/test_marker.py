"""A marker's count equals the server's while it is not stale, whatever happens in between.

The histories are those of `base_machine`. Three markers see them: over an index with all options, the same
without what the base knows, and by time over the table itself, which has no holes and so sees no gaps.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from tests.property.base_histories import HISTORIES, run_all
from tests.property.base_machine import BaseMachine, Share
from tests.property.base_steps import History, name_of, run
from tests.property.mutants import HARD, Fault
from tests.property.mutants_bases import MARKER_FAULTS


class GapMachine(BaseMachine):
    words = ("seen", "seen_late")


class StreamMachine(BaseMachine):
    gaps = False
    words = ("seen", "seen_late", "seen_at")


class FileMachine(GapMachine):
    in_file = True


TestGaps = GapMachine.TestCase
TestGaps.settings = settings(stateful_step_count=60)
TestStream = StreamMachine.TestCase
TestStream.settings = settings(stateful_step_count=60)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=60)


@pytest.mark.parametrize("machine", [GapMachine, StreamMachine])
def test_much_of_the_time_a_marker_is_sure(machine: type[BaseMachine]) -> None:
    """Else the law would be of nothing."""
    with Share(machine) as share:
        run_state_machine_as_test(machine, settings=settings(HARD, max_examples=150))

    assert all(share.of(word) > 0.2 for word in machine.words), share


@pytest.mark.parametrize("history", HISTORIES, ids=name_of)
def test_the_law_holds_in_every_short_history(history: History) -> None:
    run(GapMachine, history)


@pytest.mark.parametrize("fault", MARKER_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        run_all(GapMachine)
