"""Keys and rows for tests of what every engine does alike."""

from __future__ import annotations

from pillarbox.storage import Engine, StoredKey, TableLayout


def keys_of(table: TableLayout, count: int) -> list[StoredKey]:
    """The first keys in ascending order."""
    if table.int_key:
        return list(range(-3, count - 3))
    return [number.to_bytes(2, "big") for number in range(count)]


def write(engine: Engine, table: TableLayout, rows: dict[StoredKey, bytes]) -> None:
    engine.begin()
    engine.put_many(table, list(rows), list(rows.values()))
    engine.commit()
