"""An anchored count equals the server's while it is not stale, whatever happens in between."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from tests.property.answering_server import Event, Gone, Post, Put
from tests.property.base_histories import HISTORIES, run_all
from tests.property.base_machine import BaseMachine, Share
from tests.property.base_steps import History, name_of, run
from tests.property.mutants import HARD, Fault
from tests.property.mutants_bases import COUNT_FAULTS, GUESS_FAULTS


class GapMachine(BaseMachine):
    words = ("tagged", "talked")


class SettledMachine(BaseMachine):
    """What is counted late must not come and go in between, so each event is settled by itself.

    Nor does it hear of posts that are not stored: there the operation marks the group.
    """

    words = ("guessed",)

    def apply(self, event: Event) -> None:
        if isinstance(event, Gone) and self.client.posts.stored(event.group, event.id) is None:
            self.client.stale["guessed"].mark_key(bytes((event.group,)))
        if isinstance(event, Put) and not self.is_new(event):
            post = event.post
            if self.client.posts.stored(post.group, post.id) is None:
                self.client.stale["guessed"].mark_key(bytes((post.group,)))
        super().apply(event)
        self.client.settle()

    def apply_found(self, post: Post) -> None:
        super().apply_found(post)
        self.client.settle()


TestGaps = GapMachine.TestCase
TestGaps.settings = settings(stateful_step_count=60)
TestSettled = SettledMachine.TestCase
TestSettled.settings = settings(stateful_step_count=60)


class FileMachine(GapMachine):
    in_file = True


TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=60)


@pytest.mark.parametrize("machine", [GapMachine, SettledMachine])
def test_much_of_the_time_a_count_is_sure(machine: type[BaseMachine]) -> None:
    """Else the law would be of nothing."""
    with Share(machine) as share:
        run_state_machine_as_test(machine, settings=settings(HARD, max_examples=150))

    assert all(share.of(word) > 0.2 for word in machine.words), share


@pytest.mark.parametrize("machine", [GapMachine, SettledMachine])
@pytest.mark.parametrize("history", HISTORIES, ids=name_of)
def test_the_law_holds_in_every_short_history(machine: type[BaseMachine], history: History) -> None:
    run(machine, history)


@pytest.mark.parametrize("fault", COUNT_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        run_all(GapMachine)


@pytest.mark.parametrize("fault", GUESS_FAULTS, ids=str)
def test_planted_faults_in_late_counts_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        run_all(SettledMachine)
