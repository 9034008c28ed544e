"""verify on words that hold a base of a server: what it finds behind the package's back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.inspect.conftest import Run, verified

import pillarbox_tracker
from pillarbox_tracker import operations as o
from pillarbox_tracker import packed
from pillarbox_tracker import types as t

PROJECT = t.ProjectId(2)


@pytest.fixture
def based(path: Path) -> Path:
    """A box with an issue of which something is unseen, and a project in doubt."""
    with pillarbox_tracker.open_box(path) as box:
        box.replay(
            [
                o.AnswerUnseen(project_id=PROJECT, number=1, seen=3, unseen=4, known=9, rev=0),
                o.AnswerTotals(project_id=PROJECT, open=5, upto=7, rev=0),
                o.DoubtTotals(project_id=PROJECT),
            ]
        )
    return path


def test_sound_bases_have_no_findings(based: Path, run: Run) -> None:
    assert verified(based, run) == [f"{based}: nothing wrong (derived)"]


def test_a_count_below_zero_is_told(based: Path, run: Run) -> None:
    unseen = packed.UNSEEN.encode(3, -1, 9, False).hex()
    totals = packed.ISSUE_TOTALS.encode(-1, 0, 7).hex()
    told = verified(based, run, f"UPDATE t90 SET v = x'{unseen}'")
    told += verified(based, run, f"UPDATE t92 SET v = x'{totals}' WHERE k = 2")

    assert "table unseen, key 2 1: it counts less than nothing" in told
    assert "table issue_totals, key 2: it counts less than nothing" in told


def test_a_sum_of_which_no_base_is_given_may_be_below_zero(based: Path, run: Run) -> None:
    totals = packed.ISSUE_TOTALS.encode(0, -1, 7).hex()

    told = verified(based, run, f"UPDATE t92 SET v = x'{totals}' WHERE k = 2")

    assert not any("less than nothing" in line for line in told)


def test_a_version_that_never_was_is_told(based: Path, run: Run) -> None:
    told = verified(based, run, f"UPDATE t93 SET v = x'{packed.STALE_TOTALS.encode(0, False).hex()}'")

    assert "table stale_totals, key 2: its version is 0, the first there is is 1" in told


def test_a_row_of_a_group_that_is_left_out_is_told(based: Path, run: Run) -> None:
    told = verified(
        based, run, f"UPDATE t92 SET v = x'{packed.ISSUE_TOTALS.encode(0, 0, 0).hex()}' WHERE k = 1"
    )

    assert "table issue_totals, key 1: its group has no base and no sums, and yet a row" in told
