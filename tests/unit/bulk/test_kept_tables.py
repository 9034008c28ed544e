"""Shards with lists, ranges and seeds: their groups are of one shard each, and are merged as they are."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

import pillarbox_tracker
from pillarbox.bulk import ShardBuilder, differences, merge
from pillarbox.errors import ShardsOverlap
from pillarbox_tracker import PACKAGE
from pillarbox_tracker import operations as o
from pillarbox_tracker.operations import Operation
from pillarbox_tracker.types import ProjectId


def of_project(number: int) -> list[Operation]:
    project = ProjectId(number)
    return [
        o.SetColumn(project_id=project, column=1, numbers=(5, 6, 7)),
        o.SortColumn(project_id=project, column=1, numbers=(7, 5, 6)),
        o.LoseComments(project_id=project, number=1, lower=9),
        o.FillComments(project_id=project, number=2, comments=(), lower=500, upper=600),
        o.FillComments(project_id=project, number=2, comments=(), lower=200, upper=400),
        o.ForgetHoles(project_id=project, number=3),
        o.TakeCard(project_id=project, column=1, number=5),
    ]


def built(path: Path, operations: list[Operation]) -> Path:
    """A shard whose figures are those of its tables."""
    with ShardBuilder(PACKAGE, path, slice_records=2) as builder:
        for operation in operations:
            builder.add(operation, [operation])
        figures = builder.finish().tables
    connection = apsw.Connection(str(path))
    for number in (70, 71, 72, 73):
        ((count,),) = connection.execute(f"SELECT count(*) FROM t{number}")
        assert figures[number].rows == count
    connection.close()
    return path


def test_a_merged_box_is_as_one_that_replayed_everything(tmp_path: Path) -> None:
    shards = [built(tmp_path / f"{number}.box", of_project(number)) for number in (2, 3)]
    with pillarbox_tracker.open_box(tmp_path / "replayed.box") as box:
        box.replay([*of_project(2), *of_project(3)])

    merge(PACKAGE, shards, tmp_path / "merged.box")

    assert differences(PACKAGE, tmp_path / "merged.box", tmp_path / "replayed.box") == []


def test_a_list_of_two_shards_is_refused(tmp_path: Path) -> None:
    one = built(tmp_path / "one.box", [o.SetColumn(project_id=ProjectId(2), column=1, numbers=(5,))])
    other = built(tmp_path / "other.box", [o.SetColumn(project_id=ProjectId(2), column=1, numbers=(6,))])

    with pytest.raises(ShardsOverlap, match="'board'"):
        merge(PACKAGE, [one, other], tmp_path / "merged.box")
