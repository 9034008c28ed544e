"""Every test of the driver runs on both event loops; those of whole engines, on a box of the tracker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.sync_driver.small_server import SmallServer

from pillarbox_tracker import Box, open_box


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """The event loop of a test that is marked `anyio`."""
    return str(request.param)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the box lies."""
    return tmp_path / "a.box"


@pytest.fixture
def box(path: Path) -> Iterator[Box]:
    """A box of the tracker, with nothing in it."""
    with open_box(path, durability="relaxed") as opened:
        yield opened


@pytest.fixture
def server() -> SmallServer:
    """A server at which nothing has happened."""
    return SmallServer()
