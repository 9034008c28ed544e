"""What parts read while they load or fold: rows by key, and ranges.

Depends on: tables, interests.  Never on: parts.

Law: every read answers as of the commit that is being folded. A row that this commit wrote is the very
object of its change record, and one that it did not write is that of a view that shows it, if one does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from pillarbox.views.interests import Interests

if TYPE_CHECKING:
    from pillarbox.storage import Search, StoredKey
    from pillarbox.tables import Cell, TableChanges, TableReader, TableSpec

Row = TypeVar("Row")
#: table id -> reader
Readers: TypeAlias = "Mapping[int, TableReader[Any]]"
_NOTHING: Final[Mapping[Any, Any]] = {}


class Reads:
    """The tables as of one commit.

    `changes` are those of the commit, empty for a plain load. `shared` are live views whose rows are those
    of the commit before, or None if they may be older than that.
    """

    __slots__ = ("_changes", "_readers", "_shared")

    def __init__(
        self,
        readers: Readers,
        changes: Mapping[int, TableChanges] = _NOTHING,
        shared: Interests | None = None,
    ) -> None:
        self._readers = readers
        self._changes = changes
        self._shared = shared

    def changes_of(self, table: int) -> TableChanges:
        """What the commit did to a table; nothing in a plain load. Not to be changed."""
        return self._changes.get(table) or {}

    def row(self, spec: TableSpec[Row], key: StoredKey) -> Row | None:
        """The row under a key, or None."""
        table = spec.id
        changes = self._changes.get(table, _NOTHING)
        if key in changes:
            cell = changes[key][1]
        else:
            known = None if self._shared is None else self._shared.rows(table, (key,))
            if known:
                return known[key]  # type: ignore[no-any-return]  # sinks of a table hold its rows
            cell = self._readers[table].cell(key)
        return None if cell is None else spec.row(key, cell)

    def cell(self, spec: TableSpec[Any], key: StoredKey) -> Cell | None:
        """What is stored under a key, or None."""
        changes = self._changes.get(spec.id, _NOTHING)
        if key in changes:
            cell: Cell | None = changes[key][1]
            return cell
        return self._readers[spec.id].cell(key)

    def rows(
        self, spec: TableSpec[Row], keys: Collection[StoredKey], held: Mapping[StoredKey, Row] | None = None
    ) -> dict[StoredKey, Row]:
        """The rows under these keys; absent ones are missing.

        `held` are rows as they were before the commit: one that the commit did not touch is not read again.
        """
        table = spec.id
        changes = self._changes.get(table)
        row_of = spec.row
        found: dict[StoredKey, Row] = {}
        unknown: Collection[StoredKey]
        if changes or held:
            unknown = []
            for key in keys:
                if changes and key in changes:
                    cell = changes[key][1]
                    if cell is not None:
                        found[key] = row_of(key, cell)
                elif held and key in held:
                    found[key] = held[key]
                else:
                    unknown.append(key)
        else:
            unknown = keys
        if not unknown:
            return found
        if self._shared is not None:
            known = self._shared.rows(table, unknown)
            if len(known) == len(unknown):
                unknown = ()
            elif known:
                unknown = [key for key in unknown if key not in known]
            found = {**found, **known} if found else known
        if len(unknown) == 1:
            (key,) = unknown
            cell = self._readers[table].cell(key)
            if cell is not None:
                found[key] = row_of(key, cell)
        elif unknown:
            for key, cell in self._readers[table].cells_at(list(unknown)).items():
                found[key] = row_of(key, cell)
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

    def found(
        self,
        words: TableSpec[Any],
        search: Search,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool,
        limit: int | None,
    ) -> list[StoredKey]:
        """The keys with low <= key < high of a table of words whose text is found."""
        reader: Any = self._readers[words.id]  # the reader of such a table is a TextReader
        found: list[StoredKey] = reader.found(search, low, high, newest_first=newest_first, limit=limit)
        return found

    def texts(self, words: TableSpec[Any], keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        """The texts of a table of words under these keys."""
        return self._readers[words.id].cells_at(keys)
