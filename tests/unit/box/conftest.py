"""Boxes of the tracker, in memory and in files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.box.test_fetching import PROJECT
from tests.unit.runtime.tracker_package import PACKAGE, TrackerBox

import pillarbox_tracker
from pillarbox.box import Box
from pillarbox_tracker import operations as o
from pillarbox_tracker.types import Projects, UserId


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.box"


@pytest.fixture(params=["memory", "file"])
def box(request: pytest.FixtureRequest, path: Path) -> Iterator[TrackerBox]:
    """An open box of each kind."""
    where = ":memory:" if request.param == "memory" else path
    with Box(where, PACKAGE, durability="relaxed", busy_ms=50) as opened:
        yield opened


@pytest.fixture
def filed(path: Path) -> Iterator[TrackerBox]:
    """An open box in a file, which other boxes and processes may open too."""
    with Box(path, PACKAGE, durability="relaxed", busy_ms=50) as opened:
        yield opened


@pytest.fixture
def nine_issues(path: Path) -> Iterator[pillarbox_tracker.Box]:
    """An open box of the generated package in a file: issues 1 to 9 of project 2."""
    with pillarbox_tracker.open_box(path, durability="relaxed") as opened:
        opened.replay([o.PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        opened.replay([o.OpenIssue(PROJECT, f"issue {number}", UserId(1), 100) for number in range(1, 10)])
        yield opened
