"""Operations that reach no table in common may be replayed apart, each lot into a box of its own.

Law. Operations of a shipped schema that have to do with one table are shared out so that those which meet
stay together. Each lot is built as a shard; merged, the shards are the box in which all were replayed in
order, and the same records were refused. It is what lets emissions of a source have different `by`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.bulk_worlds import Record, World
from tests.property.mutants import HARD
from tests.property.random_store import RandomStore, random_store
from tests.property.test_bulk import check_shards
from tests.property.test_random_store import SHIPPED

from pillarbox.errors import ShardsOverlap
from pillarbox_codegen.model import Operation, Table
from pillarbox_codegen.reaches import reach, shared
from pillarbox_codegen.touches import touched

#: Whether two operations must be kept in order.
Meet: TypeAlias = Callable[[Operation, Operation, Mapping[str, Table]], bool]


def meet(one: Operation, other: Operation, tables: Mapping[str, Table]) -> bool:
    """As the checker of sources has it."""
    return bool(shared(reach(one.steps, tables), reach(other.steps, tables), tables))


def meet_in_steps(one: Operation, other: Operation, tables: Mapping[str, Table]) -> bool:
    """Blind for what sets a base."""
    first, second = touched(one, tables), touched(other, tables)
    met = first.written & (second.read | second.written) | first.read & second.written
    return any(tables[name].role != "kept" for name in met)


def lots_of(store: RandomStore, kinds: Sequence[str], meet: Meet) -> list[int]:
    """Which lot each of these operations is in."""
    operations, tables = store.schema.operations, store.schema.tables
    lots = list(range(len(kinds)))
    for one, other in combinations(range(len(kinds)), 2):
        if meet(operations[kinds[one]], operations[kinds[other]], tables):
            lots = [lots[one] if lot == lots[other] else lot for lot in lots]
    return [sorted(set(lots)).index(lot) for lot in lots]


def apart(name: str, kinds: st.SearchStrategy[Sequence[str]], meet: Meet, hard: settings) -> None:
    """The law, for a shipped schema."""
    store = random_store(name)
    world = World(name, store.package, store.operation_of)  # type: ignore[arg-type]  # nobody draws from it

    def archive(some: Sequence[str]) -> st.SearchStrategy[list[Record]]:
        lots: dict[int, list[str]] = {}
        for kind, lot in zip(some, lots_of(store, some, meet), strict=True):
            lots.setdefault(lot, []).append(kind)
        records = [st.builds(Record, st.just(lot), store.operations(of, 3)) for lot, of in lots.items()]
        return st.lists(st.one_of(records), min_size=2, max_size=10)

    @hard
    @given(records=kinds.flatmap(archive), slice_records=st.integers(1, 6), data=st.data())
    def law(records: list[Record], slice_records: int, data: Any) -> None:
        routes = sorted({record.route for record in records})
        order = data.draw(st.permutations(routes))
        check_shards(world, records, slice_records, list(range(max(routes) + 1)), order)

    law()


@pytest.mark.parametrize("name", SHIPPED)
def test_what_does_not_meet_may_be_replayed_apart(name: str) -> None:
    kinds = random_store(name).subject().map(lambda subject: subject.operations)

    apart(name, kinds, meet, settings(max_examples=max(10, settings().max_examples // 4)))


def test_a_checker_that_does_not_see_bases_is_found() -> None:
    with pytest.raises((AssertionError, ShardsOverlap)):
        apart("tracker", st.just(("see_comments", "answer_unseen", "mute")), meet_in_steps, HARD)
