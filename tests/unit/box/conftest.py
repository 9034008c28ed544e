"""Boxes of the tracker, in memory and in files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.runtime.tracker_package import PACKAGE, TrackerBox

from pillarbox.box import Box


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
