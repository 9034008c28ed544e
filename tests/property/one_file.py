"""A history of boxes on one file, in a folder of its own.

Depends on: nothing of what is tested.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from tests.property.test_bulk import IN_MEMORY


class World(Protocol):
    """Boxes on one file; each step is one of them doing something, and looks whether the law holds."""

    def play(self, step: Any, /) -> None:
        """Do it."""

    def close(self) -> None:
        """Close all that are open."""


def play_all(world: Callable[[Path], World], history: Iterable[Any]) -> None:
    """Play a history; what is beside the box is gone with the last who had it open."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        made = world(Path(folder, "a.box"))
        try:
            for step in history:
                made.play(step)
        finally:
            made.close()
        assert [path.name for path in Path(folder).iterdir()] == ["a.box"]
