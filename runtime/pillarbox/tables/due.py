"""Reading an index of which one key part is a time: what is next, and what is due.

Depends on: reader, spec, storage, codec.  Never on: clocks; the time is handed in.

Law: `next_due` is the least time of any row, `due(now)` are the rows whose time is not after `now`; both
read no row that is later, but one for each group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pillarbox.codec import successor
from pillarbox.storage import StoredKey, check_rising
from pillarbox.tables.reader import TableReader, refuse_limit
from pillarbox.tables.spec import Row


@dataclass(frozen=True, slots=True)
class DueShape:
    """Where the time stands in the key. The parts before it make up a group."""

    position: int
    #: What the keys of a group begin with; called with the parts before the time.
    group: Callable[..., bytes] | None
    #: What the keys of a group and a time begin with.
    time: Callable[..., StoredKey]


class DueReader(TableReader[Row]):
    """The read half of an index with `due`. Generated classes say where the time stands."""

    __slots__ = ()
    DUE: ClassVar[DueShape]

    def next_due(self) -> int | None:
        """The least time of any row, or None. Reads one row of each group."""
        return min((int(first[self.DUE.position]) for first in self._first_keys()), default=None)

    def due(self, now: int, *, limit: int | None = None) -> list[Row]:
        """The rows whose time is `now` or earlier, at most `limit`: group by group, the earliest first.

        Raises RangeError when `now` is no time of the key's type, UsageError for a limit below 0.
        """
        refuse_limit(limit)
        found: list[Row] = []
        shape = self.DUE
        for first in self._first_keys():
            left = None if limit is None else limit - len(found)
            if left == 0:
                break
            group = first[: shape.position]
            low = None if shape.group is None else shape.group(*group)
            found += self.rows_between(low, _behind(shape.time(*group, now)), limit=left)
        return found

    def _first_keys(self) -> Iterator[tuple[Any, ...]]:
        """The key of the first row of each group, as fields."""
        low: StoredKey | None = None
        while rows := self.scan_cells(low, None, limit=1):
            key = rows[0][0]
            check_rising(key, low, self._engine.path, self.spec.name)
            first = self.spec.key_fields(key)
            yield first
            if self.DUE.group is None:
                return
            low = successor(self.DUE.group(*first[: self.DUE.position]))
            if low is None:
                return


def _behind(prefix: StoredKey) -> StoredKey | None:
    """The end of the keys that begin so; None where no key lies behind them."""
    if isinstance(prefix, int):
        return None if prefix == (1 << 63) - 1 else prefix + 1
    return successor(prefix)
