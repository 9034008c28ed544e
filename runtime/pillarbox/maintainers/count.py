"""The word `count`: numbers or sums per group of source rows.

Depends on: tables, codec.  Never on: what is counted; `sums_of` is generated from the schema.

Law: T(g) = sum of m(r) over the source rows r of group g; a group whose sums are all zero has no row.
`vocabulary.md` 2.2, the plain variant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import add, sub
from typing import Any, Generic, TypeAlias

from pillarbox.codec import Packed
from pillarbox.maintainers.rule import Net, OneSource
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, DerivedTable, Row, TableWriter

#: The groups of one source row with what it adds to each; a group may come more than once.
SumsOf: TypeAlias = Callable[[Row], Iterable[tuple[StoredKey, tuple[int, ...]]]]


class Count(OneSource, Generic[Row]):
    """Keeps sums per group by adding differences: it reads one target row per changed group."""

    __slots__ = ("_packed", "_sums_of")

    def __init__(
        self,
        source: TableWriter[Row],
        target: DerivedTable[Any],
        sums_of: SumsOf[Row],
        packed: Packed,
    ) -> None:
        super().__init__(source, target)
        self._sums_of = sums_of
        self._packed = packed

    def add(self, rows: Sequence[Row]) -> None:
        """Add new source rows to their groups."""
        moved: dict[StoredKey, tuple[int, ...]] = {}
        for (key, sums), times in Counter(chain.from_iterable(map(self._sums_of, rows))).items():
            held = moved.get(key)
            more = tuple(times * part for part in sums)
            moved[key] = more if held is None else tuple(map(add, held, more))
        self._move(moved)

    def apply(self, net: Net) -> None:
        """Add the differences of the net changes to the groups they touch."""
        moved: dict[StoredKey, tuple[int, ...]] = {}
        nothing = (0,) * self._packed.width
        sums_of = self._sums_of
        for _, old, new in net:
            if new is not None:
                for key, sums in sums_of(new):
                    held = moved.get(key)
                    moved[key] = sums if held is None else tuple(map(add, held, sums))
            if old is not None:
                for key, sums in sums_of(old):
                    moved[key] = tuple(map(sub, moved.get(key) or nothing, sums))
        self._move(moved)

    def _move(self, moved: dict[StoredKey, tuple[int, ...]]) -> None:
        groups = [key for key, sums in moved.items() if any(sums)]
        target = self.target
        if len(groups) > 1:
            target.preload(groups)
        decode, encode = self._packed.decode, self._packed.encode
        for key in groups:
            was = TableWriter.cell(target, key)
            total = moved[key]
            if was is not None:
                total = tuple(map(add, total, decode(was)))
            target.put_cell(key, encode(*total) if any(total) else None)

    def total(self, plus: Iterable[Cell | None], minus: Cell | None = None) -> Cell | None:
        """The sums of these target cells, less another; None where they are all zero."""
        decode, encode = self._packed.decode, self._packed.encode
        sums = (0,) * self._packed.width
        for cell in plus:
            if cell is not None:
                sums = tuple(map(add, sums, decode(cell)))
        if minus is not None:
            sums = tuple(map(sub, sums, decode(minus)))
        return encode(*sums) if any(sums) else None
