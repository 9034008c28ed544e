"""Joins in boxes that are made in shards, and tables made anew: what is looked up lies elsewhere."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_join import Change, package, writes

from pillarbox.box import Box
from pillarbox.bulk import ShardBuilder, differences, merge
from pillarbox.bulk.merge import _Merger
from pillarbox.errors import PillarboxError
from pillarbox.inspect.derived import Twins, twins_of
from pillarbox.storage import open_engine

SHARDS = 3
SEEDED: Sequence[Change] = (
    ("settings", (0,), (1, 2)),
    ("people", (1,), (1, None, 2, 2, ())),
    ("desks", (1,), (2, 1)),
    ("tasks", (1, 0), (2, 1)),
)


def apply(tx: Any, changes: Iterable[Change]) -> None:
    types = package().types
    for name, key, fields in changes:
        if fields is None:
            getattr(tx, name).remove(*key)
        else:
            row_class = getattr(types, name.capitalize())
            given_fields = dict(zip(row_class.__struct_fields__, (*key, *fields), strict=True))
            getattr(tx, name).put(row_class(**given_fields))


def replay(tx: Any, operations: Sequence[Change], applied: Iterable[Change] | None = None) -> None:
    apply(tx, operations if applied is None else applied)


def joined_package() -> Any:
    """The package of joins, with changes of rows for operations and a seed."""
    made = package().box.PACKAGE
    return replace(made, replay=replay, seed=lambda tx: apply(tx, SEEDED))


def shard_of(change: Change) -> int:
    """Rows are not shared, so what is looked up mostly lies in another shard."""
    return (len(change[0]) + 2 * sum(change[1])) % SHARDS


def check(changes: list[Change], order: list[int]) -> None:
    made = joined_package()
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        one, other = Path(folder, "replayed.box"), Path(folder, "merged.box")
        with Box(one, made, durability="relaxed") as box:
            for change in changes:
                box.replay([change])
        paths = []
        for shard in order:
            paths.append(Path(folder, f"{shard}.box"))
            with ShardBuilder(made, paths[-1], slice_records=3) as builder:
                for place, change in enumerate(changes):
                    if shard_of(change) == shard:
                        builder.add(place, [change])
                builder.finish()
        merge(made, paths, other)
        assert differences(made, one, other) == []
        engine = open_engine(str(other), durability="relaxed", read_only=True)
        with twins_of(engine, made) as twins:
            assert twins.failed == {}
            assert [spec.name for spec in twins.specs if list(twins.differences(spec, engine))] == []
        engine.close()


EXAMPLES = {"changes": st.lists(writes, max_size=25), "order": st.permutations(range(SHARDS))}


@settings(max_examples=max(15, settings().max_examples // 3))
@given(**EXAMPLES)
def test_merged_shards_and_tables_made_anew_equal_one_replay(changes: list[Change], order: list[int]) -> None:
    check(changes, order)


FAULTS = (
    Fault("what looks rows up is copied", _Merger, "__init__", "or len(rule.sources) > 1", ""),
    Fault(
        "a count of two tables is filled twice",
        Twins,
        "_make",
        "fill(tx, {target.id})",
        "[fill(tx, {target.id}) for _ in rules]",
    ),
    Fault(
        "a count of two tables is added twice",
        _Merger,
        "__init__",
        "for rule in self._rules.values()",
        "for rule in rules",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_breaks_the_law(fault: Fault) -> None:
    @settings(HARD)
    @given(**EXAMPLES)
    def law(changes: list[Change], order: list[int]) -> None:
        check(changes, order)

    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        law()
