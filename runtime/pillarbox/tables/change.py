"""The change record: what one commit did, table by table.

Depends on: spec.  Never on: who made the change or who looks at it.

Law: for every key, `before` is the cell when the transaction began, `after` the cell it committed, and
the two differ; a key that ended as it began is not in the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from pillarbox.storage import StoredKey
from pillarbox.tables.spec import Cell

#: key -> (before, after); None where there is no row.
TableChanges: TypeAlias = dict[StoredKey, tuple[Cell | None, Cell | None]]


class Batch(Struct, frozen=True, gc=False):
    """What is written of one table: keys in order with their cells and values, and keys that go, in order."""

    puts: list[Any]
    cells: list[Any]
    values: list[bytes]
    removes: list[Any]


#: What was written of one table: its changes, or a batch of new rows alone, of which they follow.
Written: TypeAlias = TableChanges | Batch


def _new(rows: Batch) -> TableChanges:
    return {key: (None, cell) for key, cell in zip(rows.puts, rows.cells, strict=True)}


class ChangeRecord:
    """One sealed transaction. Shared by all views: treat it as frozen.

    The changes of new rows are worked out when they are first asked for: most commits have nobody who does,
    and a pair for each row that was written is a twelfth of what they cost.
    """

    __slots__ = ("_tables", "_written", "events")

    def __init__(self, written: Mapping[int, Written], events: tuple[object, ...] = ()) -> None:
        """What was written, by table id; something differs in each of the tables."""
        self._written = written
        self._tables: dict[int, TableChanges] | None = None
        #: Event structs in the order of their `emit` steps.
        self.events = events

    @property
    def tables(self) -> dict[int, TableChanges]:
        """table id -> its changes; tables without changes are missing."""
        tables = self._tables
        if tables is None:
            written: Any = self._written
            if Batch in map(type, written.values()):
                written = {id_: _new(did) if type(did) is Batch else did for id_, did in written.items()}
            tables = self._tables = written
        return tables

    def __bool__(self) -> bool:
        return bool(self._written)
