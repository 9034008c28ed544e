"""What parts read while they load or fold: rows by key, and ranges.

Depends on: tables.  Never on: parts.

Law: every read answers as of the commit that is being folded; a row that this commit wrote is the very
object of its change record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell, TableChanges, TableReader, TableSpec

Row = TypeVar("Row")
#: table id -> reader
Readers: TypeAlias = "Mapping[int, TableReader[Any]]"
_NOTHING: Final[Mapping[Any, Any]] = {}


class Reads:
    """The tables as of one commit. `changes` are those of the commit, empty for a plain load."""

    __slots__ = ("_changes", "_readers")

    def __init__(self, readers: Readers, changes: Mapping[int, TableChanges] | None = None) -> None:
        self._readers = readers
        self._changes: Mapping[int, TableChanges] = _NOTHING if changes is None else changes

    def row(self, spec: TableSpec[Row], key: StoredKey) -> Row | None:
        """The row under a key, or None."""
        changes = self._changes.get(spec.id, _NOTHING)
        cell = changes[key][1] if key in changes else self._readers[spec.id].cell(key)
        return None if cell is None else spec.row(key, cell)

    def rows(
        self, spec: TableSpec[Row], keys: Iterable[StoredKey], held: Mapping[StoredKey, Row] | None = None
    ) -> dict[StoredKey, Row]:
        """The rows under these keys; absent ones are missing.

        `held` are rows as they were before the commit: one that the commit did not touch is not read again.
        """
        changes = self._changes.get(spec.id, _NOTHING)
        found: dict[StoredKey, Row] = {}
        unknown = []
        for key in keys:
            if key in changes:
                cell = changes[key][1]
                if cell is not None:
                    found[key] = spec.row(key, cell)
            elif held and key in held:
                found[key] = held[key]
            else:
                unknown.append(key)
        if len(unknown) == 1:
            cell = self._readers[spec.id].cell(unknown[0])
            if cell is not None:
                found[unknown[0]] = spec.row(unknown[0], cell)
        elif unknown:
            for key, cell in self._readers[spec.id].cells_at(unknown).items():
                found[key] = spec.row(key, cell)
        return found

    def cells(
        self,
        spec: TableSpec[Row],
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool,
        limit: int | None,
    ) -> list[tuple[StoredKey, Cell]]:
        """(key, cell) with low <= key < high; None is open-ended."""
        return self._readers[spec.id].scan_cells(low, high, newest_first=newest_first, limit=limit)
