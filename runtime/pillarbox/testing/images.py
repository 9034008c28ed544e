"""Fresh boxes, fast: an empty one of each package is made once and copied.

Depends on: box.  Never on: what is done with them.

Law: each box that is given out is as one that has just been created.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pillarbox.box import Box, Package

#: Memory, where the system has a folder of it: a box of a run need not survive the machine.
_MEMORY = Path("/dev/shm")


class Images:
    """Boxes in a folder of its own, which goes when this is closed."""

    def __init__(self) -> None:
        in_memory = _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)
        self._folder = tempfile.TemporaryDirectory(prefix="pillarbox-", dir=_MEMORY if in_memory else None)
        self._made: dict[str, Path] = {}
        self._count = 0

    def fresh(self, package: Package[Any, Any]) -> Path:
        """A new box; the one that was given out before is gone."""
        image = self._made.get(package.layout_hash)
        if image is None:
            image = self._made[package.layout_hash] = Path(self._folder.name) / f"{package.layout_hash}.image"
            Box(image, package, durability="relaxed").close()
        for old in Path(self._folder.name).glob("run*"):
            shutil.rmtree(old)
        self._count += 1
        folder = Path(self._folder.name) / f"run{self._count}"
        folder.mkdir()
        return Path(shutil.copyfile(image, folder / "box"))

    def close(self) -> None:
        """Remove everything."""
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
