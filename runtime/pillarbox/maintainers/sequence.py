"""The kept word `sequence`: numbers never given twice, per group.

Depends on: tables, codec, errors.  Never on: who asks for a number.

Law: within a group every number given is greater than all given before it, whatever is removed, rolled
back or crashes in between, and none is 0, which stands for a field without one; the numbers of a rolled-back
transaction were never given. `vocabulary.md` 2.9.
"""

from __future__ import annotations

from typing import ClassVar

from pillarbox.codec import Packed
from pillarbox.errors import SequenceExhausted
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables import DerivedTable, TableWriter, TouchLog
from pillarbox.tables.spec import Row


class SequenceTable(DerivedTable[Row]):
    """The table of one sequence: group -> the next number. Generated classes add typed reads."""

    __slots__ = ("_next",)
    #: Set by the generated class.
    PACKED: ClassVar[Packed]
    START: ClassVar[int]
    #: The greatest number the declared type holds.
    LIMIT: ClassVar[int]

    def __init__(self, engine: Engine, log: TouchLog) -> None:
        super().__init__(engine, log)
        #: Numbers given in this transaction, not yet written back to the cells.
        self._next: dict[StoredKey, int] = {}

    def take(self, group: StoredKey) -> int:
        """Give the next number of `group`. Raises SequenceExhausted past the type's greatest."""
        number = self._next.get(group)
        if number is None:
            self.enter()
            number = self._stored(group)
        if number > self.LIMIT:
            raise SequenceExhausted(self.spec.name, group=self.spec.key_fields(group), limit=self.LIMIT)
        self._next[group] = number + 1 or 1
        return number

    def begin_beyond(self, key: StoredKey, number: int) -> None:
        """Give none up to this number from now on; `key` is where the next one stands."""
        following = min(number, self.LIMIT) + 1
        if following > self._stored(key):
            self.put_cell(key, self.PACKED.encode(following))

    def write_back(self) -> None:
        """Put the numbers given into the cells, before the transaction settles."""
        for group, number in self._next.items():
            self.put_cell(group, self.PACKED.encode(number))
        self._next.clear()

    def forget(self) -> None:
        """As `TableWriter.forget`."""
        super().forget()
        self._next.clear()

    def _stored(self, group: StoredKey) -> int:
        # Not through the derived table, which would settle the pure words at every number.
        cell = TableWriter.cell(self, group)
        if cell is None:
            return self.START
        (number,) = self.PACKED.decode(cell)
        return max(int(number), self.START) or 1  # it may have begun below, by an earlier schema
