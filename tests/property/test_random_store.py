"""Any operations of a shipped schema, with any arguments: what they leave is whole, and says how it came.

Laws. After any history, rollbacks and reopening included, each pure table is the function of its sources and
each row can be read. An operation survives its wire form. A history leaves the same box whether it is
committed operation by operation or all at once.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, MAINTAINER_FAULTS, Fault
from tests.property.mutants_join import JOIN_FAULTS
from tests.property.random_store import RandomStore, Subject, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import found_in

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox.errors import PillarboxError

SHIPPED = ("tracker", "messenger")


class _Changed(Exception):
    """Somebody changed their mind."""


def play(store: RandomStore, box: Box[Any, Any], operations: list[Any], *, keep: bool = True) -> bool:
    """Apply operations in one transaction, all or none; whether that was done."""
    try:
        with box.transaction() as tx:
            store.package.replay(tx, operations)
            if not keep:
                raise _Changed
    except (_Changed, PillarboxError):
        return False
    return True


#: Every word has its own law, with its faults; these stand for "the whole schema would notice".
FAULTS = (
    *MAINTAINER_FAULTS[:2],
    *[fault for fault in JOIN_FAULTS if fault.name == "the last lookup leads nowhere"],
)


def derived_tables_follow(name: str, hard: settings) -> None:
    """The law, for a shipped schema."""
    store = random_store(name)

    def history_of(subject: Subject) -> st.SearchStrategy[Any]:
        done = store.operations(subject.operations, 6)
        return st.lists(
            st.tuples(done, st.sampled_from((True, True, False)), st.booleans()), min_size=2, max_size=8
        )

    @hard
    @given(history=store.subject().flatmap(history_of))
    def law(history: list[tuple[list[Any], bool, bool]]) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            path = Path(folder, "a.box")
            box = Box(path, store.package, durability="relaxed")
            for operations, keep, reopen in history:
                play(store, box, operations, keep=keep)
                if reopen:
                    box.close()
                    box = Box(path, store.package, durability="relaxed")
            box.close()
            assert found_in(path, store.package, "derived") == []
            assert found_in(path, store.package, "records") == []

    law()


@pytest.mark.parametrize("name", SHIPPED)
def test_whatever_is_done_derived_tables_follow(name: str) -> None:
    derived_tables_follow(name, settings(max_examples=max(10, settings().max_examples // 2)))


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        derived_tables_follow("tracker", HARD)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_history_in_one_transaction_is_that_history(name: str) -> None:
    store = random_store(name)

    @settings(max_examples=max(10, settings().max_examples // 2))
    @given(history=store.subject().flatmap(lambda subject: store.operations(subject.operations, 12)))
    def law(history: list[Any]) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            paths = Path(folder, "one by one.box"), Path(folder, "at once.box")
            boxes = [Box(path, store.package, durability="relaxed") for path in paths]
            applied = [operation for operation in history if play(store, boxes[0], [operation])]
            assert play(store, boxes[1], applied)
            for box in boxes:
                box.close()
            assert differences(store.package, *paths) == []

    law()


@pytest.mark.parametrize("name", SHIPPED)
def test_an_operation_survives_its_wire_form(name: str) -> None:
    store = random_store(name)

    @given(operation=store.operation())
    def law(operation: Any) -> None:
        assert store.decode_operation(store.encode_operation(operation)) == operation

    law()
