"""A box that was built in shards equals one that replayed everything in order, byte by byte.

The model is the box itself: one record after the other, each in a transaction of its own, and a record
whose replay raises is left out.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.bulk_worlds import NARROW_WORLDS, ROUTES, SMALL_WORLDS, WORLDS, Record, World
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.mutants_bulk import BULK_FAULTS

from pillarbox.box import Box, Package
from pillarbox.bulk import ShardBuilder, TableFigures, differences, merge
from pillarbox.errors import PillarboxError
from pillarbox.storage import open_engine

#: What tests/conftest.py made there: five files an example, each waited for, make a disk the slowest part.
IN_MEMORY = os.environ.get("PILLARBOX_TESTS_IN_MEMORY")
#: Which shard each route is in.
shards_of_routes = st.lists(st.integers(0, ROUTES - 1), min_size=ROUTES, max_size=ROUTES)
tiny = st.integers(1, 6)


def replayed(package: Package[Any, Any], path: Path, records: Sequence[Record]) -> list[int]:
    """A box made record by record; the places of those that were refused."""
    refused = []
    box = fresh_box(path, package)
    for place, record in enumerate(records):
        try:
            box.replay(record.operations)
        except PillarboxError:
            refused.append(place)
    box.close()
    return refused


def figures(package: Package[Any, Any], path: Path) -> dict[int, TableFigures]:
    """The figures of each table, by the plainest means."""
    engine = open_engine(str(path), durability="relaxed")
    found = {}
    for spec in package.specs:
        rows = [
            (key.to_bytes(8, "big", signed=True) if isinstance(key, int) else key) + value
            for key, value in engine.scan(spec.layout, None, None)
        ]
        found[spec.id] = TableFigures(len(rows), sum(map(crc32, rows)) % 2**64)
    engine.close()
    return found


def built(
    package: Package[Any, Any], path: Path, records: Sequence[tuple[int, Record]], slice_records: int
) -> list[int]:
    """A box made of these records in slices; the places of those that were refused."""
    with ShardBuilder(package, path, slice_records=slice_records) as builder:
        for place, record in records:
            builder.add(place, record.operations)
        made = builder.finish()
    assert made.tables == figures(package, path)
    return [refused.record for refused in made.refused]


def check_slices(world: World, records: Sequence[Record], slice_records: int) -> None:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        one, other = Path(folder, "replayed.box"), Path(folder, "built.box")
        refused = replayed(world.package, one, records)

        assert built(world.package, other, list(enumerate(records)), slice_records) == refused
        assert differences(world.package, one, other) == []


def check_shards(
    world: World, records: Sequence[Record], slice_records: int, shards: list[int], order: list[int]
) -> None:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        one, other = Path(folder, "replayed.box"), Path(folder, "merged.box")
        refused = replayed(world.package, one, records)
        left_out: list[int] = []
        paths = []
        for shard in order:
            paths.append(Path(folder, f"{shard}.box"))
            mine = [(at, record) for at, record in enumerate(records) if shards[record.route] == shard]
            left_out += built(world.package, paths[-1], mine, slice_records)
        rows = merge(world.package, paths, other)

        assert sorted(left_out) == refused
        assert differences(world.package, one, other) == []
        with Box(other, world.package) as box, box.reading() as tables:
            assert rows == {id_: len(it.rows_between(None, None)) for id_, it in tables.by_id().items()}


@pytest.mark.parametrize("world", [*WORLDS, *NARROW_WORLDS], ids=str)
def test_a_built_box_equals_a_replayed_one_whatever_the_slices(world: World) -> None:
    @given(records=world.records(), slice_records=tiny)
    def law(records: list[Record], slice_records: int) -> None:
        check_slices(world, records, slice_records)

    law()


@pytest.mark.parametrize("world", [*WORLDS, *NARROW_WORLDS], ids=str)
def test_merged_shards_equal_one_replay_of_everything(world: World) -> None:
    @given(
        records=world.records(),
        slice_records=tiny,
        shards=shards_of_routes,
        order=st.permutations(range(ROUTES)),
    )
    def law(records: list[Record], slice_records: int, shards: list[int], order: list[int]) -> None:
        check_shards(world, records, slice_records, shards, order)

    law()


@pytest.mark.parametrize("fault", BULK_FAULTS, ids=str)
def test_a_planted_fault_breaks_a_law(fault: Fault) -> None:
    worlds = (*SMALL_WORLDS, *NARROW_WORLDS)
    examples = st.one_of([st.tuples(st.just(world), world.records(least=6)) for world in worlds])

    @settings(HARD)
    @given(
        example=examples,
        slice_records=tiny,
        shards=shards_of_routes,
        order=st.permutations(range(ROUTES)),
    )
    def law(
        example: tuple[World, list[Record]], slice_records: int, shards: list[int], order: list[int]
    ) -> None:
        check_shards(*example, slice_records, shards, order)

    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        law()
