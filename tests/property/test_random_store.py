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
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.mutants_join import JOIN_FAULTS
from tests.property.mutants_maintainers import MAINTAINER_FAULTS
from tests.property.random_store import RandomStore, Subject, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import found_in

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox.errors import PillarboxError
from pillarbox_codegen import model

SHIPPED = ("tracker", "messenger")
SLOW = [HealthCheck.too_slow]


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


def upon_something(store: RandomStore) -> st.SearchStrategy[tuple[list[Any], list[Any]]]:
    """What stands there at first, and operations upon it."""

    def of(subject: Subject) -> st.SearchStrategy[tuple[list[Any], list[Any]]]:
        return st.tuples(store.grounds(subject.operations), store.operations(subject.operations, 12))

    return store.subject().flatmap(of)


#: Every word has its own law, with its faults; these stand for "the whole schema would notice".
FAULTS = (
    *[(fault, model.Index) for fault in MAINTAINER_FAULTS[:2]],
    *[(fault, model.Join) for fault in JOIN_FAULTS if fault.name == "the last lookup leads nowhere"],
)


def derived_tables_follow(name: str, hard: settings, word: type[Any] = object) -> None:
    """The law, for a shipped schema; for what has to do with the tables of one word, where one is named."""
    store = random_store(name)

    def history_of(subject: Subject) -> st.SearchStrategy[Any]:
        done = store.operations(subject.operations, 6)
        turn = st.tuples(done, st.sampled_from((True, True, False)), st.booleans())
        return st.tuples(store.grounds(subject.operations), st.lists(turn, min_size=2, max_size=8))

    @hard
    @given(drawn=store.subject(word).flatmap(history_of))
    def law(drawn: tuple[list[Any], list[tuple[list[Any], bool, bool]]]) -> None:
        grounds, history = drawn
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            path = Path(folder, "a.box")
            box = fresh_box(path, store.package)
            store.lay(box, grounds)
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


@pytest.mark.parametrize(("fault", "word"), FAULTS, ids=lambda it: getattr(it, "__name__", str(it)))
def test_a_planted_fault_is_found(fault: Fault, word: type[Any]) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        derived_tables_follow("tracker", HARD, word)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_history_in_one_transaction_is_that_history(name: str) -> None:
    store = random_store(name)

    @settings(max_examples=max(10, settings().max_examples // 2))
    @given(drawn=upon_something(store))
    def law(drawn: tuple[list[Any], list[Any]]) -> None:
        grounds, history = drawn
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            paths = Path(folder, "one by one.box"), Path(folder, "at once.box")
            boxes = [fresh_box(path, store.package) for path in paths]
            for box in boxes:
                store.lay(box, grounds)
            applied = [operation for operation in history if play(store, boxes[0], [operation])]
            assert play(store, boxes[1], applied)
            for box in boxes:
                box.close()
            assert differences(store.package, *paths) == []

    law()


@pytest.mark.parametrize(("name", "every", "least"), [("tracker", 1, 50), ("messenger", 5, 25)])
def test_upon_what_stands_there_most_kinds_of_operations_write(name: str, every: int, least: int) -> None:
    """Or the laws above are about nothing: upon nothing 42 of 63 write, and 19 of 42."""
    store = random_store(name)
    kinds = sorted(store.schema.operations)[::every]

    writing = [kind for kind in kinds if writes(store, kind)]

    assert len(writing) >= least, sorted({*kinds} - {*writing})


def writes(store: RandomStore, kind: str) -> bool:
    """Whether one of a few operations of a kind changes anything."""
    found = False
    with Box(":memory:", store.package) as box:

        @settings(max_examples=12, derandomize=True, phases=[Phase.generate], suppress_health_check=SLOW)
        @given(drawn=st.tuples(store.grounds([kind]), store.operations([kind], 4)))
        def tried(drawn: tuple[list[Any], list[Any]]) -> None:
            nonlocal found
            if not found:
                store.lay(box, drawn[0])
                found = any(changes(box, one) for one in drawn[1])

        tried()
    return found


def changes(box: Box[Any, Any], operation: Any) -> bool:
    try:
        return box.replay([operation]).changed
    except PillarboxError:
        return False


@pytest.mark.parametrize("name", SHIPPED)
def test_an_operation_survives_its_wire_form(name: str) -> None:
    store = random_store(name)

    @given(operation=store.operation())
    def law(operation: Any) -> None:
        assert store.decode_operation(store.encode_operation(operation)) == operation

    law()
