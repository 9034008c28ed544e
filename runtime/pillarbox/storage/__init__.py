"""Where rows lie: one protocol, an engine over SQLite and one in memory.

Depends on: errors.  Never on: codecs, tables, anything that knows what a row means.
"""

from __future__ import annotations

from typing import get_args

from pillarbox.arguments import refuse_no_number
from pillarbox.errors import UsageError
from pillarbox.storage.engine import Durability, Engine, StoredKey, TableLayout, check_rising, in_slices
from pillarbox.storage.memory import MemoryEngine
from pillarbox.storage.places import synced
from pillarbox.storage.scratch import Attached, ScratchEngine
from pillarbox.storage.sqlite import SqliteEngine
from pillarbox.storage.words import Search, mark, marked, search_for, stored_text

__all__ = [
    "MEMORY",
    "Attached",
    "Durability",
    "Engine",
    "MemoryEngine",
    "ScratchEngine",
    "Search",
    "SqliteEngine",
    "StoredKey",
    "TableLayout",
    "check_rising",
    "in_slices",
    "mark",
    "marked",
    "open_engine",
    "search_for",
    "stored_text",
    "synced",
]

MEMORY = ":memory:"


def open_engine(
    path: str,
    *,
    durability: Durability,
    read_only: bool = False,
    busy_ms: int = 5000,
) -> Engine:
    """Open the store at `path`, which is created unless `read_only`; ":memory:" is a new one in memory.

    Waits `busy_ms` for the locks of others before it raises StoreBusy. Raises UsageError for another
    durability, and for what is no number.
    """
    refuse_no_number("busy_ms", busy_ms, 0)
    if durability not in get_args(Durability):
        modes = " or ".join(map(repr, get_args(Durability)))
        raise UsageError(f"the durability is {durability!r}, and there is none but {modes}")
    if path == MEMORY:
        return MemoryEngine()
    return SqliteEngine(path, durability=durability, read_only=read_only, busy_ms=busy_ms)
