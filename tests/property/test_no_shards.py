"""Merging few shards or none, into a box that begins with something: that stays whole, and so do its runs.

Law. A box merged of any number of shards, none included, equals one that replayed what is in them, whatever a
new box of the package begins with.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.bulk_worlds import ROUTES, WORLDS
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY, built, replayed

import pillarbox_messenger.operations as m
from pillarbox.box import Package
from pillarbox.bulk import differences
from pillarbox.errors import PillarboxError
from pillarbox_messenger import types as mt

#: The module, which its package hides behind the function.
merging: Final[Any] = import_module("pillarbox.bulk.merge")
MESSENGER: Final = WORLDS[3]


def beginning_with(operations: list[Any]) -> Package[Any, Any]:
    """The package, but that a new box begins with what these do."""
    package = MESSENGER.package

    def seed(tx: Any) -> None:
        package.seed(tx)
        package.replay(tx, operations)

    return replace(package, seed=seed)


#: Rows of a route that none of the shards is of, many of them of one run.
_group: Final = mt.peer_id(mt.PeerNamespace.GROUP, 2 * ROUTES + 1)
_rows: Final = st.builds(
    mt.Message,
    peer_id=st.just(_group),
    namespace=st.just(mt.MessageNamespace.LOCAL),
    timestamp=st.integers(1, 4),
    id=st.integers(1, 4),
    stable_id=st.just(0),
    text=st.just(""),
    grouping_key=st.sampled_from((None, 5, 5, 6)),
)


def law_of(hard: settings) -> None:
    """The law, over shards of a few routes."""

    @hard
    @given(
        begins=st.lists(_rows, max_size=4, unique_by=lambda row: row.id),
        records=MESSENGER.records(),
        shards=st.permutations(range(ROUTES)),
        count=st.sampled_from((0, 0, 1, 2)),
    )
    def law(begins: list[Any], records: list[Any], shards: list[int], count: int) -> None:
        package = beginning_with([m.AddMessages((row,)) for row in begins])
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            one, other = Path(folder, "replayed.box"), Path(folder, "merged.box")
            routes = shards[:count]
            replayed(package, one, [record for record in records if record.route in routes])
            paths = [Path(folder, f"{route}.box") for route in routes]
            for route, path in zip(routes, paths, strict=True):
                mine = [(at, record) for at, record in enumerate(records) if record.route == route]
                built(package, path, mine, 3)

            merging.merge(package, paths, other)

            assert differences(package, one, other) == []

    law()


def test_what_a_box_begins_with_outlives_merging_few_shards_or_none() -> None:
    law_of(settings(max_examples=max(10, settings().max_examples // 2)))


FAULTS = (
    Fault(
        "runs that no shard has are not made again where there is no shard",
        merging._Merger,
        "complete",
        "(self._unused if self._taken else set())",
        "self._unused",
    ),
    Fault("runs of shards are not made again", merging._Merger, "take", "if shard.count(", "if not id("),
    Fault("nothing is made again", merging._Merger, "complete", "fill(tx, ", "id("),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        law_of(settings(HARD, max_examples=200))
