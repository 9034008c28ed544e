"""Values that rows of one table share, and that lie in another one.

Depends on: spec, storage, codec.  Never on: who decides what is shared.

Law: `whole(stored(row)) == row`, while the other table holds what was left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic

import msgspec

from pillarbox.codec import Unknown
from pillarbox.errors import RecordCorrupt
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables.spec import Cell, Row, TableSpec

#: The number of a case that no schema has: stands for a value, whose stored key comes with it.
_AWAY: Final = 0


@dataclass(frozen=True)
class SharedPart(Generic[Row]):
    """The generated half: where a row holds values that may be shared."""

    #: The table that holds them: a row for each value, which is its field.
    spec: TableSpec[Any]
    #: The values in a row, and the row with others in their places.
    items_of: Callable[[Row], Sequence[Any]]
    with_items: Callable[[Row, tuple[Any, ...]], Row]
    #: The stored key of a value in the shared table; None where it has no id, and is never shared.
    key_of: Callable[[Any], StoredKey | None]
    #: The value in a row of the shared table.
    value_of: Callable[[Any], Any]

    def stored(self, row: Row, is_shared: Callable[[StoredKey], bool]) -> Row:
        """The row with names in the places of shared values."""
        items = self.items_of(row)
        if not items:
            return row
        keys = [self.key_of(item) for item in items]
        if not any(key is not None and is_shared(key) for key in keys):
            return row
        return self.with_items(
            row,
            tuple(
                item if key is None or not is_shared(key) else Unknown(_AWAY, _name(key))
                for item, key in zip(items, keys, strict=True)
            ),
        )

    def whole(
        self, engine: Engine, table: str, cells: list[tuple[StoredKey, Cell]]
    ) -> list[tuple[StoredKey, Cell]]:
        """The cells with values in the places of names, which are read at once."""
        keys = {key for _, row in cells for item in self.items_of(row) if (key := away(item)) is not None}
        if not keys:
            return cells
        found = engine.get_many(self.spec.layout, list(keys))
        values = {
            key: self.value_of(self.spec.row(key, self.spec.cell_from(raw))) for key, raw in found.items()
        }
        return [(key, self._whole(table, key, row, values)) for key, row in cells]

    def _whole(self, table: str, key: StoredKey, row: Row, values: dict[StoredKey, Any]) -> Row:
        items = [(item, away(item)) for item in self.items_of(row)]
        if all(ref is None for _, ref in items):
            return row
        try:
            return self.with_items(row, tuple(item if ref is None else values[ref] for item, ref in items))
        except KeyError as error:
            raise RecordCorrupt(
                table,
                f"it shares {error.args[0]!r} of {self.spec.name!r}, which is not there",
                value=b"",
                key=key,
            ) from None


def away(item: object) -> StoredKey | None:
    """The stored key of the value that a name stands for; None where it is no name."""
    return _key_in(item) if isinstance(item, Unknown) and item.tag == _AWAY else None


def _name(key: StoredKey) -> bytes:
    return msgspec.msgpack.encode([_AWAY, key])


def _key_in(item: Unknown) -> StoredKey:
    key: StoredKey = msgspec.msgpack.decode(item.raw)[1]
    return key
