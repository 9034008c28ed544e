"""Runs over several shards: made again where there are any, and not looked for where there are none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import pillarbox_messenger.operations as o
import pillarbox_messenger.types as t
from pillarbox.box import Box
from pillarbox.bulk import ShardBuilder, differences, merge
from pillarbox.maintainers import Runs
from pillarbox_messenger import PACKAGE

GROUP = t.peer_id(t.PeerNamespace.GROUP, 1)


def added(id: int, grouping_key: int | None) -> o.AddMessages:
    """A row of one group, which stands in the order of its id."""
    row = t.Message(
        peer_id=GROUP,
        namespace=t.MessageNamespace.LOCAL,
        timestamp=id,
        id=id,
        stable_id=id,
        text="",
        grouping_key=grouping_key,
    )
    return o.AddMessages((row,))


def merged(folder: Path, *shards: Iterable[Any]) -> list[str]:
    """What differs between these shards in one box, and a box that replayed all of them."""
    paths = []
    for number, operations in enumerate(shards):
        paths.append(folder / f"{number}.box")
        with ShardBuilder(PACKAGE, paths[-1]) as builder:
            for operation in operations:
                builder.add(None, [operation])
            builder.finish()
    with Box(folder / "one.box", PACKAGE) as box:
        box.replay([operation for operations in shards for operation in operations])
    merge(PACKAGE, paths, folder / "merged.box")
    return differences(PACKAGE, folder / "one.box", folder / "merged.box")


@pytest.mark.parametrize("between", [None, 7, 8])
def test_neighbours_of_another_shard_are_of_the_run(tmp_path: Path, between: int | None) -> None:
    found = merged(tmp_path, [added(1, 7), added(3, 7)], [added(2, between)])

    assert found == []


def test_where_no_shard_has_runs_nobody_looks_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    add = Runs.add

    def told(self: Runs[Any], rows: Any) -> None:
        looked.append(len(rows))
        add(self, rows)

    with monkeypatch.context() as patch:
        patch.setattr(Runs, "add", told)
        paths = []
        for number in (1, 2):
            paths.append(tmp_path / f"{number}.box")
            with ShardBuilder(PACKAGE, paths[-1]) as builder:
                builder.add(None, [added(number, None)])
                builder.finish()
        looked.clear()
        merge(PACKAGE, paths, tmp_path / "merged.box")

    assert looked == []
