# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""A box of the schema 'tracker'."""

from __future__ import annotations

from os import PathLike
from typing import Final

from pillarbox import box
from pillarbox.box import Durability, Package
from pillarbox_tracker import specs
from pillarbox_tracker.layout import LAYOUT, LAYOUT_HASH
from pillarbox_tracker.replay import replay, seed_box
from pillarbox_tracker.transaction import Tables, Transaction
from pillarbox_tracker.views import VIEWS

PACKAGE: Final = Package(
    name="tracker",
    layout=LAYOUT,
    layout_hash=LAYOUT_HASH,
    specs=specs.ALL,
    transaction=Transaction,
    tables=Tables,
    views=VIEWS,
    replay=replay,
    seed=seed_box,
)


class Box(box.Box[Transaction, Tables]):
    """One open store of this schema; see `pillarbox.box.Box` for what it does."""


def open_box(
    path: str | PathLike[str],
    *,
    durability: Durability = "durable",
    read_only: bool = False,
    busy_ms: int = 5_000,
) -> Box:
    """Open the file at `path`, created when missing, or ":memory:".

    `durable` commits survive a power cut, `relaxed` ones a crash of the process. Waits `busy_ms` for other
    processes, then raises StoreBusy. Raises LayoutConflict for a file that this package would misread.
    """
    return Box(path, PACKAGE, durability=durability, read_only=read_only, busy_ms=busy_ms)
