"""verify on lists and ranges: what it finds behind the package's back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.inspect.conftest import Run, verified

import pillarbox_tracker
from pillarbox_tracker import operations as o
from pillarbox_tracker import types as t

PROJECT = t.ProjectId(2)


@pytest.fixture
def kept(path: Path) -> Path:
    """A box with a column of three issues, and an issue with comments that were not fetched."""
    with pillarbox_tracker.open_box(path) as box:
        box.replay(
            [
                o.SetColumn(project_id=PROJECT, column=1, numbers=(5, 6, 7)),
                o.FillComments(project_id=PROJECT, number=1, comments=(), lower=500, upper=600),
            ]
        )
    return path


def test_a_sound_list_and_sound_ranges_have_no_findings(kept: Path, run: Run) -> None:
    assert verified(kept, run) == [f"{kept}: nothing wrong (derived)"]


def test_an_item_that_went_leaves_a_hole_and_a_place(kept: Path, run: Run) -> None:
    told = verified(kept, run, "DELETE FROM t70 WHERE k IN (SELECT k FROM t70 ORDER BY k LIMIT 1 OFFSET 1)")

    assert "table board, key 2 1 2: its position is 2, the rows before it end at 0" in told
    assert "table board_places: it places 3 items, 'board' has 2" in told


def test_an_item_without_its_place_is_told(kept: Path, run: Run) -> None:
    told = verified(kept, run, "DELETE FROM t71 WHERE k IN (SELECT k FROM t71 ORDER BY k LIMIT 1)")

    assert "table board, key 2 1 0: 'board_places' does not find its item there" in told


def test_ranges_that_share_keys_are_told(kept: Path, run: Run) -> None:
    told = verified(kept, run, "UPDATE t72 SET v = x'0064000000'")

    assert (
        told[0]
        == "table comment_holes, key 2 1 2147483647: it touches the range before it, or shares keys with it"
    )


def test_a_range_beyond_the_bounds_is_told(kept: Path, run: Run) -> None:
    told = verified(kept, run, "UPDATE t72 SET v = x'00ffffffff'")

    assert any("it goes beyond the first or the last key there is" in line for line in told)


def test_a_range_that_is_inside_out_is_told(kept: Path, run: Run) -> None:
    told = verified(kept, run, "UPDATE t72 SET v = x'00ffffff7f'")

    assert told[0] == "table comment_holes, key 2 1 499: its lower edge lies above the upper one"


def test_a_mark_of_an_upgrade_that_is_none_is_told(kept: Path, run: Run) -> None:
    told = verified(kept, run, "UPDATE t73 SET v = x'0009000000'")

    assert told[0] == "table comment_holes_seeded, key 2 1: it tells of upgrade 9, the last there is is 0"
