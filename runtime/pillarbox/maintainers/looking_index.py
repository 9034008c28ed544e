"""The word `index`, where its rows are made with rows that are looked up.

Depends on: tables, lookups.  Never on: what the rows mean; `rows_of` is generated from the schema.

Law: target = { rows_of(r, what r looks up) : r in source }. `vocabulary.md` 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from pillarbox.maintainers.lookups import Arguments, Lookup, Lookups, rows_at
from pillarbox.maintainers.rule import Nets
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, TableWriter

#: The target rows of one source row, called with it and the rows it looks up.
RowsOf: TypeAlias = Callable[..., Iterable[tuple[StoredKey, Cell]]]
#: By the key of a source row: its target rows.
_Entries: TypeAlias = Mapping[StoredKey, dict[StoredKey, Cell]]
#: Rows that are held decoded at a time.
_SLICE_ROWS: Final = 10_000


class LookingIndex:
    """Keeps an index whose keys name their source row, so that no target row needs to be read.

    The old target rows follow from the old source row and from what it looked up as of the last settle.
    """

    __slots__ = ("_lookups", "_rows_of", "source", "sources", "target")
    pure = True

    def __init__(
        self,
        source: TableWriter[Any],
        target: DerivedTable[Any],
        lookups: Sequence[Lookup],
        rows_of: RowsOf,
    ) -> None:
        self._lookups = Lookups(lookups)
        self._rows_of = rows_of
        self.source = source
        every = (source, *self._lookups.tables)
        self.sources = tuple({table.spec.id: table for table in every}.values())
        self.target = target

    def settle(self, nets: Nets) -> None:
        """As `Rule.settle`."""
        changed = {key: (old, new) for key, old, new in nets.net(self.source)}
        dependent = [key for key in self._lookups.dependents(nets) if key not in changed]
        for start in range(0, len(dependent), _SLICE_ROWS):
            rows = rows_at(self.source, dependent[start : start + _SLICE_ROWS])
            self._apply(rows, rows)
        self._apply(
            {key: old for key, (old, _) in changed.items() if old is not None},
            {key: new for key, (_, new) in changed.items() if new is not None},
        )

    def add(self, rows: Sequence[Any]) -> None:
        """As `Filler.add`."""
        entries = self._entries(dict(zip(map(self.source.spec.key_of, rows), rows, strict=True)))
        self.target.put_new(entry for found in entries.values() for entry in found.items())

    def _apply(self, olds: Mapping[StoredKey, Any], news: Mapping[StoredKey, Any]) -> None:
        """Remove rows(before) minus rows(after), put the rest; equal rows stay untouched."""
        put = self.target.put_known
        before, after = self._entries(olds, settled=True), self._entries(news)
        for key, entries in before.items():
            coming = after.get(key, {})
            for at, was in entries.items():
                cell = coming.get(at)
                if cell != was:
                    put(at, was, cell)
        for key, entries in after.items():
            going = before.get(key, {})
            for at, cell in entries.items():
                if at not in going:
                    put(at, None, cell)

    def _entries(self, rows: Mapping[StoredKey, Any], *, settled: bool = False) -> _Entries:
        calls: dict[StoredKey, Arguments] = {key: [row] for key, row in rows.items()}
        self._lookups.complete(list(calls.values()), settled=settled)
        rows_of = self._rows_of
        return {key: dict(rows_of(*call)) for key, call in calls.items()}
