"""The rows of one stretch of an index: a lane, with the rows that its keys stand for.

Depends on: stretch, lane, interests, reads.  Never on: parts.

Law: `rows()` are what a fresh read of the stretch would give, the nearest to its end first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pillarbox.views.interests import Delta, Interests, Routed
from pillarbox.views.lane import Lane, cell_itself
from pillarbox.views.reads import Reads
from pillarbox.views.stretch import Stretch, TableRows, kept

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell, TableSpec

Row = TypeVar("Row")

__all__ = ["SourceRows", "Stretch", "TableRows"]


class SourceRows(Stretch[Row]):
    """Rows of a source table, found through an index.

    Every key of the lane's zone is a candidate: its source row is read and listened to. Without `where`
    the zone is what is shown. With it the zone reaches to the last row shown and holds the rejected
    candidates before that; they may begin to count when their row changes. Keys beyond are bare.
    """

    __slots__ = (
        "_gone",
        "_holders",
        "_index",
        "_interests",
        "_keys",
        "_limit",
        "_newest_first",
        "_rejected",
        "_rows",
        "_source",
        "_source_key",
        "_sources",
        "_table",
        "_where",
    )

    def __init__(
        self,
        index: TableSpec[Any],
        source: TableSpec[Row],
        source_key: Callable[[Any], StoredKey],
        *,
        newest_first: bool,
        where: Callable[[Row], bool] | None = None,
        spare: int = 0,
    ) -> None:
        self.lane: Lane[Cell] = Lane(index, cell_itself, newest_first=newest_first, spare=spare)
        self.entered: list[Row] = []
        self.left: list[Row] = []
        self._index = index
        self._source = source
        self._table = source.id
        self._source_key = source_key
        self._where = where
        self._newest_first = newest_first
        self._limit: int | None = 0
        #: The zone in ascending order: index key, source row (None: rejected), source key.
        self._keys: list[Any] = []
        self._rows: list[Row | None] = []
        self._sources: list[StoredKey] = []
        self._rejected = 0
        #: source key -> its index key in the zone, or a tuple of them.
        self._holders: dict[StoredKey, StoredKey | tuple[StoredKey, ...]] = {}
        #: source key -> row of those that are still registered without a holder; they often come back in the
        #: same fold.
        self._gone: dict[StoredKey, Row] = {}

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        self.view = view
        self._interests = interests

    def clear(self) -> None:
        """Hold nothing, and unregister every source row."""
        self._limit = 0
        self.lane.clear()
        self._drop_zone()

    def load(
        self,
        reads: Reads,
        low: StoredKey | None,
        high: StoredKey | None,
        count: int | None,
        old: Mapping[StoredKey, Row],
    ) -> None:
        """As `Stretch.load`."""
        self._limit = count
        self._drop_zone()
        self.lane.load(reads, low, high, count)
        self._enter(reads, self.lane.entered)
        self._settle(reads)
        if old:
            self._rows = [
                row if row is None else kept(old.get(source), row)
                for source, row in zip(self._sources, self._rows, strict=True)
            ]
        self._end()

    def fold(self, reads: Reads, deltas: Sequence[Delta], routed: Routed) -> None:
        """As `Stretch.fold`."""
        lane, holders = self.lane, self._holders
        self.entered, self.left = [], []
        if deltas:
            lane.fold(reads, deltas)
            if lane.left:
                self._leave(lane.left)
        for source, _, after in routed.get(self, ()):
            if source in holders:  # else it is to leave, or to come back
                self._replace(source, None if after is None else self._source.row(source, after))
        if deltas and lane.entered:
            self._enter(reads, lane.entered)
        if self._rejected or self._limit != lane.count:
            self._settle(reads)
        if self._gone:
            self._end()

    def rows(self) -> tuple[Row, ...]:
        """As `Stretch.rows`."""
        shown = [row for row in self._rows if row is not None] if self._rejected else self._rows
        return tuple(shown[::-1] if self._newest_first else shown)  # type: ignore[arg-type]

    def row_keys(self) -> Sequence[StoredKey]:
        """As `Stretch.row_keys`."""
        shown = [key for key, row in zip(self._sources, self._rows, strict=True) if row is not None]
        return shown[::-1] if self._newest_first else shown

    def places(self) -> Sequence[StoredKey]:
        """As `Stretch.places`."""
        if not self._rejected:
            return self._keys[::-1] if self._newest_first else list(self._keys)
        shown = [key for key, row in zip(self._keys, self._rows, strict=True) if row is not None]
        return shown[::-1] if self._newest_first else shown

    def resize(self, reads: Reads, count: int) -> None:
        """As `Stretch.resize`."""
        self._limit = count
        self.entered, self.left = [], []
        self._settle(reads)
        self._end()

    # ------------------------------------------------------------------------------ one fold

    def _end(self) -> None:
        """Unregister what has not come back."""
        self._interests.remove_all(self._table, self._gone, self)
        self._gone.clear()

    def _counts(self, row: Row | None) -> Row | None:
        """The row, or None if it is not there or is rejected."""
        return row if row is None or self._where is None or self._where(row) else None

    def _drop_zone(self) -> None:
        """Let the whole zone go."""
        self.entered, self.left = [], [row for row in self._rows if row is not None]
        self._end()
        self._interests.remove_all(self._table, self._holders, self)
        self._holders.clear()
        self._keys, self._rows, self._sources, self._rejected = [], [], [], 0

    def _leave(self, left: Iterable[StoredKey]) -> None:
        """Let go what left the lane's zone."""
        keys, holders = self._keys, self._holders
        for key in left:
            at = bisect_left(keys, key)
            del keys[at]
            row, source = self._rows.pop(at), self._sources.pop(at)
            held = holders[source]
            if isinstance(held, tuple):
                rest = tuple([other for other in held if other != key])
                holders[source] = rest if len(rest) > 1 else rest[0]
            else:
                del holders[source]
                if row is None:
                    self._interests.remove(self._table, source, self)
                else:
                    self._gone[source] = row
            if row is None:
                self._rejected -= 1
            else:
                self.left.append(row)

    def _enter(self, reads: Reads, entered: Mapping[StoredKey, Cell]) -> None:
        """Take in what entered the lane's zone, reading all its source rows at once."""
        row_of, source_key, where = self._index.row, self._source_key, self._where
        keys, holders, gone = self._keys, self._holders, self._gone
        sources = [source_key(row_of(key, cell)) for key, cell in entered.items()]
        known: Mapping[StoredKey, Row] = gone
        if not holders.keys().isdisjoint(sources):
            known = gone | {key: row for key in sources if (row := self.row_of(key)) is not None}
        found = reads.rows(self._source, sources, known)
        unheard = []
        for key, source in zip(entered, sources, strict=True):
            row = found.get(source)
            if row is not None and where is not None and not where(row):
                row = None
            at = bisect_left(keys, key)
            keys.insert(at, key)
            self._rows.insert(at, row)
            self._sources.insert(at, source)
            holder = holders.get(source)
            if holder is not None:
                holders[source] = (*holder, key) if isinstance(holder, tuple) else (holder, key)
            else:
                holders[source] = key
                if source in gone:
                    del gone[source]
                else:
                    unheard.append(source)
            if row is None:
                self._rejected += 1
            else:
                self.entered.append(row)
        self._interests.add_all(self._table, unheard, self)

    def _replace(self, source: StoredKey, row: Row | None) -> None:
        """A source row changed: so do all places of the zone that show it."""
        holders = self._holders[source]
        counted = self._counts(row)
        for key in holders if isinstance(holders, tuple) else (holders,):
            at = bisect_left(self._keys, key)
            old = self._rows[at]
            self._rows[at] = counted
            if old is None:
                self._rejected -= 1
            else:
                self.left.append(old)
            if counted is None:
                self._rejected += 1
            else:
                self.entered.append(counted)

    def _settle(self, reads: Reads) -> None:
        """Make the zone reach exactly to the last row shown."""
        limit = self._limit
        if limit is None:
            return
        while len(self._rows) - self._rejected < limit:
            wanted = self._rejected + limit
            if wanted == self.lane.count:
                return  # All there is.
            if self.lane.tests_max is not None and self._rejected >= self.lane.tests_max:
                self.lane.incomplete = True
                return
            self._resize_zone(reads, wanted)
        wanted = self._zone_size(limit)
        if wanted != self.lane.count:
            self._resize_zone(reads, wanted)

    def _zone_size(self, limit: int) -> int:
        """How many candidates it takes to show `limit` rows; so many are there."""
        if not self._rejected or not limit:
            return limit
        missing = limit
        size = 0
        for row in reversed(self._rows) if self._newest_first else self._rows:
            size += 1
            missing -= row is not None
            if not missing:
                break
        return size

    def _resize_zone(self, reads: Reads, count: int) -> None:
        self.lane.resize(reads, count)
        self._leave(self.lane.left)
        self._enter(reads, self.lane.entered)

    def row_of(self, key: StoredKey) -> Row | None:
        """The row under a source key, if a key of the zone shows it."""
        holders = self._holders.get(key)
        if holders is None:
            return None
        key = holders[0] if isinstance(holders, tuple) else holders
        return self._rows[bisect_left(self._keys, key)]

    def has_candidate(self, key: StoredKey) -> bool:
        """Whether a key of the zone stands for the row under this source key, shown or not."""
        return key in self._holders
