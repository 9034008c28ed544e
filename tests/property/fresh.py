"""Boxes with nothing in them but what is seeded: made once for a package, and copied from then on.

Depends on: box.  Never on: what is then done with them.

To make the tables of a box takes longer than most histories do that are replayed into it. A planted fault
has boxes that were made under it, see `mutants`.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pillarbox.box import Box, Package

#: By the package, which is kept so that no other has its place: the file of a box that was just made.
MADE: Final[dict[int, tuple[Package[Any, Any], bytes]]] = {}


def fresh_box(path: str | Path, package: Package[Any, Any]) -> Box[Any, Any]:
    """A box where none is yet. Its commits survive no power cut."""
    Path(path).write_bytes(_made(package))
    return Box(path, package, durability="relaxed")


def _made(package: Package[Any, Any]) -> bytes:
    if id(package) not in MADE:
        with TemporaryDirectory(dir=os.environ.get("PILLARBOX_TESTS_IN_MEMORY")) as folder:
            path = Path(folder, "a.box")
            Box(path, package, durability="relaxed").close()
            MADE[id(package)] = package, path.read_bytes()
    return MADE[id(package)][1]
