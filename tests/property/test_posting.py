"""The law of `Posting`: after each post a call begins, or that post or a later one raises; one call for all.

The model knows of one call that may wait. Where it would run, the loop goes round, or the executor takes up
what was submitted; where that goes, what waits there is dropped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Final, Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.views.posting import Posting

#: Posting, taking up what waits, and the end of where that happens.
SCRIPTS: Final = st.lists(st.sampled_from(("post", "post", "run", "go")), max_size=12)


class Place(Protocol):
    """Where the function is called."""

    where: Any

    def run(self) -> None:
        """Take up all that waits."""

    def go(self) -> None:
        """End, and drop what waits."""


class OnLoop:
    def __init__(self) -> None:
        self.where = asyncio.new_event_loop()

    def run(self) -> None:
        if not self.where.is_closed():
            self.where.run_until_complete(asyncio.sleep(0))

    def go(self) -> None:
        self.where.close()


class ByHand(Executor):
    """An executor that works when it is told to."""

    def __init__(self) -> None:
        self.where = self
        self._waiting: deque[tuple[Future[Any], Callable[..., Any]]] = deque()
        self._is_down = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._is_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        self._waiting.append((Future(), fn))
        return self._waiting[-1][0]

    def run(self) -> None:
        while self._waiting:
            future, work = self._waiting.popleft()
            future.set_result(work())

    def go(self) -> None:
        self._is_down = True
        while self._waiting:
            self._waiting.popleft()[0].cancel()


def check(place: Place, script: list[str]) -> None:
    """Hold a posting against the model, step by step."""
    called = 0
    lost: list[object] = []

    def count() -> bool:
        nonlocal called
        called += 1
        return False

    posting, waits, is_gone = Posting(count, place.where, lost.append), False, False
    for step in script:
        before = called
        if step == "post" and is_gone:
            with pytest.raises(RuntimeError):
                posting.post()
        elif step == "post":
            posting.post()
            waits = True
        elif step == "run":
            place.run()
            assert called == before + waits
            waits = False
        else:
            place.go()
            waits, is_gone = False, True
        assert step == "run" or called == before, "it is called elsewhere, and not here"
    place.go()
    assert not lost


def law(hard: settings | None = None) -> None:
    """The law, on a loop and by an executor."""

    @given(script=SCRIPTS, make=st.sampled_from((OnLoop, ByHand)))
    def holds(script: list[str], make: Callable[[], Place]) -> None:
        place = make()
        try:
            check(place, script)
        finally:
            place.go()

    (holds if hard is None else hard(holds))()


def test_what_is_posted_is_called_once_or_the_poster_is_told() -> None:
    law()


FAULTS: Final = (
    Fault("what waits is posted again", Posting, "post", "self._is_waiting and not", "False and not"),
    Fault("what was dropped waits for ever", Posting, "post", "not self._is_lost()", "True"),
    Fault("a call leaves it waiting", Posting, "_call", "self._is_waiting = False", "pass"),
    Fault("a refused post waits", Posting, "post", "self._is_waiting = False", "pass"),
    Fault("an executor drops nothing", Posting, "_is_lost", "self._future.cancelled()", "False"),
    Fault("a loop is never closed", Posting, "_is_lost", "self._where.is_closed()", "False"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, pytest.fail.Exception)):
        law(HARD)
