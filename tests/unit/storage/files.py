"""A box in a file, with one row."""

from __future__ import annotations

from pathlib import Path

from pillarbox.storage import SqliteEngine, TableLayout

TABLE = TableLayout(id=1, name="fixed", int_key=False, key_width=2, heap=False)


def filled(path: Path, *, busy_ms: int = 20, vfs: str | None = None) -> SqliteEngine:
    """A box with a row in it."""
    engine = SqliteEngine(str(path), durability="relaxed", busy_ms=busy_ms, vfs=vfs)
    engine.begin()
    engine.create(TABLE)
    engine.put_many(TABLE, [b"aa"], [b"kept"])
    engine.commit()
    return engine
