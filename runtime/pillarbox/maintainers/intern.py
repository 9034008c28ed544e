"""The kept word `sequence`, where it gives numbers to values: the same value, the same number.

Depends on: sequence, tables.  Never on: which values.

Law: per group a bijection between the values asked for and the numbers given, which are never given
again; only writes give numbers. The empty value has none: under it stands the next number.
"""

from __future__ import annotations

from pillarbox.errors import SequenceExhausted
from pillarbox.maintainers.sequence import SequenceTable
from pillarbox.storage import StoredKey
from pillarbox.tables import TableWriter
from pillarbox.tables.spec import Row


class InternTable(SequenceTable[Row]):
    """The table of one such sequence: (group, value) -> number. Generated classes add typed reads."""

    __slots__ = ()

    def number(self, key: StoredKey, empty: StoredKey) -> int:
        """The number of the value at `key`, a new one at first; `empty` is the group's key of no value.

        0 for the empty value. Raises SequenceExhausted past the type's greatest.
        """
        if key == empty:
            return 0
        # Not through the derived table, which would settle the pure words at every number.
        cell = TableWriter.cell(self, key)
        if cell is not None:
            (number,) = self.PACKED.decode(cell)
            return int(number)
        number = self._stored(empty)
        if number > self.LIMIT:
            group = self.spec.key_fields(empty)[:-1]
            raise SequenceExhausted(self.spec.name, group=group, limit=self.LIMIT)
        self.put_cell(empty, self.PACKED.encode(number + 1))
        self.put_known(key, None, self.PACKED.encode(number))
        return number
