"""An input that most tests of a run read. Nothing here loses power: no test waits for a disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.unit.pipeline.history import line


@pytest.fixture(autouse=True, scope="package")
def _no_waiting_for_disks() -> Iterator[None]:
    with patch("os.fsync"):
        yield


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.lines"
    path.write_text(
        line(1, 1, 1, "a", 0, "x")
        + line(2, 1, 2, "b", 1, "rename")
        + "! torn\n"
        + line(1, 2, 1, "b", 2, "yy")
    )
    return path
