"""What is tried leaves nothing: whatever was tried before, an answer is that of an empty box."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.random_store import random_store

from pillarbox.box import Box
from pillarbox.maintainers import Owners
from pillarbox_spark.trial import Trial

STORE = random_store("tracker")
FAULTS = (
    Fault("what is tried stays", Trial, "takes", "raise _Undone", "return True"),
    Fault("what is refused is taken", Trial, "takes", "return False", "return True"),
    Fault("what is left out in part is taken", Trial, "takes", "return not self._orphans", "return True"),
    Fault("what was left out once is left out for good", Trial, "takes", "self._orphans.clear()", "pass"),
)


HAS = Owners.has


class Reached(Exception):
    """Behind the last operation; what follows from the rows is not tried."""


def refused(operations: list[Any]) -> bool:
    """Whether an empty box does, or leaves rows out, without any trial."""
    tx: Any
    put = []

    def has(self: Owners[Any], row: Any) -> bool:
        put.append(HAS(self, row))
        return put[-1]

    try:
        with (
            patch.object(Owners, "has", has),
            Box(":memory:", STORE.package) as box,
            box.transaction() as tx,
        ):
            STORE.package.replay(tx, operations)
            raise Reached
    except Reached:
        return not all(put)
    except Exception:  # of any kind, as whoever applies them would meet it
        return True


def law_of(hard: settings) -> None:
    @hard
    @given(st.lists(STORE.subject().flatmap(lambda some: STORE.operations(some.operations, 3)), max_size=5))
    def law(tries: list[list[Any]]) -> None:
        trial = Trial(STORE.package)
        try:
            taken = [trial.takes(operations) for operations in tries]
        finally:
            trial.close()
        assert taken == [not refused(operations) for operations in tries]

    law()


def test_an_answer_is_that_of_an_empty_box() -> None:
    law_of(settings())


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(HARD)
