"""The change record: what one commit did, table by table.

Depends on: spec.  Never on: who made the change or who looks at it.

Law: for every key, `before` is the cell when the transaction began, `after` the cell it committed, and
the two differ; a key that ended as it began is not in the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pillarbox.storage import StoredKey
from pillarbox.tables.spec import Cell

#: key -> (before, after); None where there is no row.
TableChanges: TypeAlias = dict[StoredKey, tuple[Cell | None, Cell | None]]


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One sealed transaction. Shared by all views: treat it as frozen."""

    #: table id -> its changes; tables without changes are missing.
    tables: dict[int, TableChanges]
    #: Event structs in the order of their `emit` steps.
    events: tuple[object, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tables)


class Batch(NamedTuple):
    """What is written of one table: keys in order with their cells and values, and keys that go, in order."""

    puts: list[Any]
    cells: list[Any]
    values: list[bytes]
    removes: list[Any]
