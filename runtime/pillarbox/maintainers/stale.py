"""The kept word `stale`: keys whose base must be asked for again.

Depends on: tables, codec.  Never on: who marks a key, and who asks.

Law: a key has a row exactly when it was marked since the last `confirm` that carried the version that the
row had then. `vocabulary.md` 2.13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from pillarbox.codec import Packed
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, KeptTable, Row

#: The greatest version; the next one is 1 again.
_LAST: Final = (1 << 32) - 1


class StaleTable(KeptTable[Row]):
    """The table of one `stale`: key -> version, record. Generated classes add typed steps."""

    __slots__ = ()
    #: Set by the generated class: `version`, then the fields of the record.
    PACKED: ClassVar[Packed]
    #: The record of a key that a kept word marks.
    BLANK: ClassVar[tuple[Any, ...]] = ()

    def mark_key(self, key: StoredKey, record: Sequence[Any] | None = None) -> None:
        """The base under `key` cannot be trusted. Without `record`, one that is there stays."""
        self.put_cell(key, self._marked(self.cell(key), record))

    def mark_keys(self, keys: Sequence[StoredKey]) -> None:
        """As `mark_key` of each of these different keys."""
        was = self.cells_at(keys)
        self.put_cells({key: self._marked(was.get(key), None) for key in keys})

    def _marked(self, was: Cell | None, record: Sequence[Any] | None) -> Cell:
        version, *kept = (0, *self.BLANK) if was is None else self.PACKED.decode(was)
        # A new version even where the key is marked: an answer on its way knows nothing of this.
        return self.PACKED.encode(version % _LAST + 1, *(kept if record is None else record))

    def confirm_key(self, key: StoredKey, version: int | None = None) -> None:
        """The base under `key` was given anew to who asked at `version`; None: whatever was asked."""
        was = self.cell(key)
        if was is not None and version in (None, self.PACKED.decode(was)[0]):
            self.put_cell(key, None)
