"""Merged operations of any shipped schema do what they do one after the other.

Law. Replaying what `optimise` leaves of a list, and replaying the list, leave equal boxes, and tell equal
events, those of one kind in the same order.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_random_store import SHIPPED, play

from pillarbox.bulk import differences
from pillarbox.errors import UniqueViolation
from pillarbox.sync import Merges, optimiser
from pillarbox_codegen import model
from pillarbox_codegen.reaches import meeting, reach


def merges_of(name: str) -> Merges:
    """The generated rules of a shipped schema."""
    merges: Merges = import_module(f"pillarbox_{name}.merges").MERGES
    return merges


def by_kind(events: Iterable[object]) -> dict[type[object], list[object]]:
    """Events of each kind, in their order."""
    found: dict[type[object], list[object]] = defaultdict(list)
    for event in events:
        found[type(event)].append(event)
    return dict(found)


def replays_alike(store: RandomStore, merges: Merges, before: Sequence[Any], operations: list[Any]) -> None:
    """The law, over a box on which some operations were replayed before."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        paths = Path(folder, "as it came.box"), Path(folder, "merged.box"), Path(folder, "tried.box")
        boxes = [fresh_box(path, store.package) for path in paths]
        sound = [one for one in (*before, *operations) if play(store, boxes[2], [one])]
        first = len([one for one in before if any(one is it for it in sound)])
        for box in boxes[:2]:
            box.replay(sound[:first])

        told = boxes[0].replay(sound[first:]).events
        merged = boxes[1].replay(optimiser.optimise(sound[first:], merges)).events

        for box in boxes:
            box.close()
        assert differences(store.package, *paths[:2]) == []
        assert by_kind(merged) == by_kind(told)


def company(schema: model.Schema, name: str) -> tuple[list[str], list[str]]:
    """The operations that a merged one meets, and those of the others that are merged, too."""
    reaches = {one.name: reach(one.steps, schema.tables) for one in schema.operations.values()}
    met = [other for other in schema.operations if meeting(reaches[name], reaches[other]) and other != name]
    merged = [one.name for one in schema.operations.values() if one.merge is not None and one.name not in met]
    return met, merged


def law_of(schema_name: str, names: Sequence[str], hard: settings) -> None:
    """The law, for histories in which these operations follow one another, with others between them."""
    store, merges = random_store(schema_name), merges_of(schema_name)

    def history_of(name: str) -> st.SearchStrategy[Any]:
        met, merged = company(store.schema, name)
        between = st.sampled_from([name, *met]) if met else st.just(name)
        other = between.flatmap(store.operation_of) | st.sampled_from(merged).flatmap(store.operation_of)
        one = st.one_of(store.operation_of(name), store.operation_of(name), other)
        return st.tuples(st.lists(one, max_size=3), st.lists(one, min_size=2, max_size=10))

    @hard
    @given(history=st.sampled_from(names).flatmap(history_of))
    def law(history: tuple[list[Any], list[Any]]) -> None:
        replays_alike(store, merges, *history)

    law()


def merged_names(schema_name: str) -> list[str]:
    """The operations of a shipped schema that are merged."""
    operations = random_store(schema_name).schema.operations
    return [name for name, operation in operations.items() if operation.merge is not None]


@pytest.mark.parametrize("name", SHIPPED)
def test_merged_operations_do_what_they_do_one_after_the_other(name: str) -> None:
    law_of(name, merged_names(name), settings(max_examples=max(20, settings().max_examples // 2)))


def fault(name: str, old: str, new: str) -> Fault:
    """In the one function."""
    return Fault(name, optimiser, "optimise", old, new)


FAULTS = (
    (fault("nothing ends a batch", "merges.ends.get(kind, frozenset())", "frozenset()"), "put_users"),
    (fault("the first of a tail is kept", "left[place] = None", "continue"), "restart_project"),
    (fault("keys are not looked at", "key_of(operation)", "0"), "restart_project"),
    (fault("a batch forgets its first", "list(items_of(left[place]))", "[]"), "put_users"),
    (fault("a batch has its last first", "grown[place] +=", "grown[place][:0] ="), "put_users"),
)  # fmt: skip


@pytest.mark.parametrize(("planted", "operation"), FAULTS, ids=str)
def test_a_planted_fault_is_found(planted: Fault, operation: str) -> None:
    # What was unique when it was said need not be so in another order.
    with planted.planted(), pytest.raises((AssertionError, UniqueViolation)):
        law_of("tracker", [operation], HARD)


def test_a_batch_that_stays_open_beside_one_of_another_key_is_found() -> None:
    store, merges = random_store("messenger"), merges_of("messenger")
    operations = st.lists(store.operation_of("merge_presences").map(_of_one_peer), min_size=3, max_size=6)

    @HARD
    @given(operations=operations)
    def law(operations: list[Any]) -> None:
        replays_alike(store, merges, [], operations)

    with fault("it stays open", "places.clear()", "pass").planted(), pytest.raises(AssertionError):
        law()


def _of_one_peer(operation: Any) -> Any:
    return replace(operation, presences=tuple(replace(one, peer_id=1) for one in operation.presences))


@pytest.mark.parametrize("name", SHIPPED)
def test_merging_needs_one_look_at_each_operation(name: str) -> None:
    store, merges = random_store(name), merges_of(name)

    @given(operations=st.lists(st.sampled_from(merged_names(name)).flatmap(store.operation_of), max_size=8))
    def law(operations: list[Any]) -> None:
        kept = list(operations)
        left = optimiser.optimise(operations, merges)
        assert operations == kept
        assert len(left) <= len(operations)
        assert optimiser.optimise(left, merges) == left

    law()
