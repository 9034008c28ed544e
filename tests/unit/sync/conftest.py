"""What tests of the messenger's protocol stand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pillarbox_messenger import Box, open_box


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Box]:
    """A box of the messenger, with nothing in it."""
    with open_box(tmp_path / "box") as opened:
        yield opened
