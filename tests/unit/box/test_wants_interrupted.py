"""What is wanted is told and heard, whatever is interrupted at whatever moment."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.property.mutants import Fault
from tests.unit.box.moments import files_of, interrupts
from tests.unit.box.test_fetching import thread
from tests.unit.box.test_wants_elsewhere import fetched_by_hand

import pillarbox_tracker
from pillarbox.box import wants
from pillarbox.box.wants import Wants
from pillarbox.storage import presence
from pillarbox.storage.presence import Presence
from pillarbox.views import demand


@pytest.fixture
def box(nine_issues: pillarbox_tracker.Box) -> pillarbox_tracker.Box:
    return nine_issues


@pytest.mark.parametrize("place", ["hear", "say"])
def test_an_interrupt_loses_nothing_of_what_is_told_or_heard(
    box: pillarbox_tracker.Box, path: Path, place: str
) -> None:
    with fetched_by_hand(box, path) as (other, fetching):
        window = box.watch(thread(7))
        real = getattr(Presence, place)

        def interrupted(*given: object) -> None:
            real(*given)
            raise KeyboardInterrupt

        with patch.object(Presence, place, interrupted):
            for one in (box, other):
                with suppress(KeyboardInterrupt):
                    one.poll()
        for one in (box, other):
            one.poll()
        assert [hole.at[1] for hole in fetching.started] == [7]
        window.close()
        box.poll()
        other.poll()
        assert not fetching.started


def test_who_is_interrupted_at_any_moment_of_telling_loses_nothing(
    box: pillarbox_tracker.Box, path: Path
) -> None:
    with fetched_by_hand(box, path) as (other, fetching):
        window = box.watch(thread(9))

        def make(moment: int) -> Callable[[], object]:
            window.move(thread(1 + moment % 8))
            return lambda: (box.poll(), other.poll())

        for moment in interrupts(files_of(wants, presence, demand), make):
            for one in (box, other):
                one.poll()
            assert [hole.at[1] for hole in fetching.started] == [1 + moment % 8], moment
            assert box._lock.acquire(blocking=False)
            box._lock.release()
    assert moment > 50


FAULTS = (
    Fault("what is not said yet counts as said", Wants, "say", "self._said = None", "self._said = said"),
    Fault(
        "what is not told yet counts as heard",
        Wants,
        "hear",
        "holes = self._by_name",
        "self._heard = heard; holes = self._by_name",
    ),
    Fault(
        "what is not read yet counts as read",
        Presence,
        "hear",
        "heard: dict[int, bytes] = {}",
        "self._said_token = token; heard: dict[int, bytes] = {}",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_an_interrupt_that_loses_something_is_found(
    box: pillarbox_tracker.Box, path: Path, fault: Fault
) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        test_who_is_interrupted_at_any_moment_of_telling_loses_nothing(box, path)
