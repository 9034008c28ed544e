"""Operations that fold into an earlier one do what they do one after the other.

Law. Replaying what `optimise` leaves of a list, and replaying the list, leave equal boxes, and tell equal
events in order, whatever was there before. What the checker refuses to fold breaks this law.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.folding_world import FOLDING, OTHERS, TEXT, UNSOUND, Unsound, folding_store, unchecked
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore, random_store
from tests.property.test_merging import merges_of, replays_alike
from tests.unit.codegen_ops.making import loaded_schema

from pillarbox.sync import optimiser
from pillarbox_codegen.diagnostics import SchemaErrors

TRACKER = ("put_labels", "put_labels", "rename_label", "remove_label")
TRACKER_OTHERS = ("name_labels", "remove_project", "put_users", "star")


def law_of(store: RandomStore, folding: Sequence[str], others: Sequence[str], hard: settings) -> None:
    """The law, for histories of these operations: mostly such as fold."""
    kinds = (*folding, *folding, *folding, *others)
    one = st.sampled_from(kinds).flatmap(store.operation_of)
    merges = merges_of(store.schema.name)

    @hard
    @given(before=st.lists(one, max_size=4), operations=st.lists(one, min_size=2, max_size=10))
    def law(before: list[Any], operations: list[Any]) -> None:
        replays_alike(store, merges, before, operations)

    law()


def some(examples: int = 100) -> settings:
    """As many as the profile says, and not too few."""
    return settings(max_examples=max(examples, settings().max_examples))


def test_what_folds_does_what_it_does_one_after_the_other() -> None:
    law_of(folding_store("folding", TEXT), FOLDING, OTHERS, some())


def test_labels_fold() -> None:
    law_of(random_store("tracker"), TRACKER, TRACKER_OTHERS, some())


def fault(name: str, old: str, new: str, function: str = "_is_folded") -> Fault:
    """In a function of the optimiser."""
    return Fault(name, optimiser, function, old, new)


ABSENT = "if row is None:\n        return False"
REMOVED = "rows.pop(key, None)\n        return False"
FAULTS = (
    fault("folds past who reads it", "merges.ends.get(kind, frozenset())", "frozenset()", "optimise"),
    fault("folds another key", "rows.get(key)", "next(iter(rows.values()), None)"),
    fault("removal is dropped", REMOVED, "return rows.pop(key, None) is not None"),
    fault("edit is lost", ABSENT, "return row is not None"),
    fault("edit of what is not in the batch is lost", ABSENT, "if row is None:\n        return True"),
    Fault("the first of a key is kept", optimiser._Rows, "__init__", "in rows}", "in reversed(rows)}"),
    Fault("what comes later is lost", optimiser._Rows, "__iadd__", "self.by_key.update", "list"),
)


@pytest.mark.parametrize("planted", FAULTS, ids=str)
def test_a_planted_fault_is_found(planted: Fault) -> None:
    store = folding_store("folding", TEXT)

    with planted.planted(), pytest.raises(AssertionError):
        law_of(store, FOLDING, OTHERS, HARD)


@pytest.mark.parametrize("unsound", UNSOUND, ids=str)
def test_what_would_change_something_is_refused(unsound: Unsound, tmp_path: Path) -> None:
    with pytest.raises(SchemaErrors) as refused:
        loaded_schema(tmp_path, unsound.text.replace("NAME", "refused"))

    found = refused.value.diagnostics
    assert [one.code for one in found] == ["merge"] * 3
    assert all(unsound.told in one.text for one in found), found


@pytest.mark.parametrize("unsound", UNSOUND, ids=str)
def test_what_is_refused_would_change_something(unsound: Unsound) -> None:
    with unchecked():
        store = folding_store(f"folding_{unsound.name}", unsound.text)
    others = tuple(name for name in store.schema.operations if name not in FOLDING)

    with pytest.raises(AssertionError):
        law_of(store, FOLDING, others, HARD)


def test_folding_once_is_enough() -> None:
    store, merges = folding_store("folding", TEXT), merges_of("folding")
    one = st.sampled_from((*FOLDING, *OTHERS)).flatmap(store.operation_of)

    @given(operations=st.lists(one, max_size=10))
    def law(operations: list[Any]) -> None:
        kept = list(operations)
        left = optimiser.optimise(operations, merges)
        assert operations == kept
        assert len(left) <= len(operations)
        assert optimiser.optimise(left, merges) == left

    law()
