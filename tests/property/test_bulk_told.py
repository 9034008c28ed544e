"""What a builder tells of its slices: where nothing has gone, it is all that there is besides the seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.bulk_worlds import WORLDS, Record, World
from tests.property.test_bulk import IN_MEMORY

from pillarbox.bulk import ShardBuilder


class Follower:
    """Knows of a table what it was told."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.gone = False

    def __call__(self, rows: Sequence[Any], gone: bool) -> None:
        self.rows += rows
        self.gone = self.gone or gone


def rows_of(builder: ShardBuilder[Any, Any], table: int) -> list[Any]:
    return [row for rows in builder.rows(table, 9) for row in rows]


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_the_rows_are_the_seed_and_those_that_were_told_unless_some_have_gone(world: World) -> None:
    specs = [spec for spec in world.package.specs if spec.role == "primary"]

    @given(records=world.records(), slice_records=st.integers(1, 4))
    def law(records: list[Record], slice_records: int) -> None:
        told = {spec.id: Follower() for spec in specs}
        with (
            TemporaryDirectory(dir=IN_MEMORY) as folder,
            ShardBuilder(
                world.package, Path(folder, "a.box"), slice_records=slice_records, told=told
            ) as builder,
        ):
            seed = {spec.id: rows_of(builder, spec.id) for spec in specs}
            for place, record in enumerate(records):
                builder.add(place, record.operations)
            builder.flush()

            for spec in specs:
                added = sorted([*seed[spec.id], *told[spec.id].rows], key=spec.key_of)
                assert (rows_of(builder, spec.id) == added) is not told[spec.id].gone

    law()
