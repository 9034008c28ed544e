"""A lane of rows by name, in the order of a list.

Depends on: lanes, gaps, lane_rows (places), interests, reads.  Never on: parts, and how lanes are chained.

Law: after a load or a fold the rows are those that the listed keys name now, where one is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pillarbox.views.gaps import NOTHING, Gaps, Reach, Sides
from pillarbox.views.interests import Delta, Interests, Routed, Sink
from pillarbox.views.lane_rows import Place, Split
from pillarbox.views.lanes import KeysAt
from pillarbox.views.reads import Reads
from pillarbox.views.stretch import kept

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.views.lane import Lane


class _Sources(Sink):
    """The rows shown, each listened to."""

    __slots__ = ("_interests", "_table", "rows")

    def __init__(self, table: int, view: object, interests: Interests) -> None:
        self.view = view
        self._table = table
        self._interests = interests
        #: Rows by key, None where nothing is stored.
        self.rows: dict[StoredKey, Any] = {}

    def row_of(self, key: StoredKey) -> Any:
        """The row under a key that is listened to."""
        return self.rows.get(key)

    def settle(self, wanted: set[StoredKey]) -> list[StoredKey]:
        """Listen to these and no others; the new ones."""
        gone = [key for key in self.rows if key not in wanted]
        for key in gone:
            del self.rows[key]
        self._interests.remove_all(self._table, gone, self)
        new = [key for key in wanted if key not in self.rows]
        self.rows.update(dict.fromkeys(new))
        self._interests.add_all(self._table, new, self)
        return new


class KeyRows(Sink):
    """A lane of listed keys, while it is open. All of it is held; its suffixes are places in the list."""

    __slots__ = (
        "_interests",
        "_keys",
        "_named",
        "_sources",
        "_where",
        "at",
        "counts",
        "gaps",
        "is_open",
        "number",
        "split",
    )

    def __init__(
        self, at: KeysAt, where: Callable[[Any], bool] | None, view: object, interests: Interests
    ) -> None:
        self.at = at
        self.view = view
        self._interests = interests
        self._where = where
        self.gaps = Gaps()
        self.is_open = False
        self.number = 0
        self.counts = [0, 0]
        self.split: Split = "older"
        self._keys = tuple(dict.fromkeys(at.keys))
        #: What each listed key names.
        self._named: dict[StoredKey, StoredKey | None] = {}
        self._sources = _Sources(at.source.id, view, interests)

    def open(self, reads: Reads, split: Split, maxima: Sequence[int | None], *, counted: bool) -> None:
        """As `LaneRows.open`."""
        via = self.at.via
        if not self.is_open and via is not None:
            self._interests.add_all(via.id, self._keys, self)
        self.is_open = True
        self.split = split
        old = dict(self._sources.rows)
        found = {} if via is None else reads.rows(via, self._keys)
        self._named = {key: self._name(key, found.get(key)) for key in self._keys}
        self._sources.settle(self._wanted())
        self._read(reads, list(self._sources.rows))
        for key, row in self._sources.rows.items():
            if row is not None:
                self._sources.rows[key] = kept(old.get(key), row)
        self._count()

    def held_lanes(self) -> Iterable[Lane[Any]]:
        """As that of `LaneRows`: none, as its rows are found by their keys."""
        return ()

    def close(self) -> None:
        """Hold nothing, and unregister everything."""
        if self.is_open:
            self.is_open = False
            self._sources.settle(set())
            if self.at.via is not None:
                self._interests.remove_all(self.at.via.id, self._keys, self)

    def fold(self, reads: Reads, routed: Routed, again: Sequence[StoredKey] = ()) -> bool:
        """As `LaneRows.fold`; all rows are asked about whenever they are taken."""
        named: Sequence[Delta] = routed.get(self, ())
        changed: Sequence[Delta] = routed.get(self._sources, ())
        if not named and not changed:
            return False
        via, source = self.at.via, self.at.source
        for key, _, after in named:
            assert via is not None, "nothing else is listened to"
            self._named[key] = self._name(key, None if after is None else via.row(key, after))
        new = self._sources.settle(self._wanted()) if named else []
        for key, _, after in changed:
            if key in self._sources.rows and key not in new:
                self._sources.rows[key] = None if after is None else source.row(key, after)
        self._read(reads, new)
        self._count()
        return True

    def resize(self, reads: Reads, side: int, count: int) -> None:
        """Nothing: all is held."""

    def sides(self, maxima: Sequence[int | None]) -> Sides:
        """All rows."""
        split, where = self.split, self._where
        rows = [
            (place, row)
            for place, key in enumerate(self._keys)
            if (row := self._row(key)) is not None and (where is None or where(row))
        ]
        if split == "older":
            return Sides(_reach(rows[::-1]), NOTHING, None, None)
        if split == "newer":
            return Sides(NOTHING, _reach(rows), None, None)
        assert isinstance(split, Place)
        older = [(place, row) for place, row in rows if place <= split.suffix]
        return Sides(_reach(older[::-1]), _reach(rows[len(older) :]), split.suffix, None)

    def fields(self, suffix: Any) -> tuple[Any, ...]:
        """The place in the list."""
        return (suffix,)

    def held(self) -> dict[StoredKey, Any]:
        """The rows held, by the keys under which they are stored."""
        return {key: row for key, row in self._sources.rows.items() if row is not None}

    def _name(self, key: StoredKey, row: Any) -> StoredKey | None:
        """What a listed key names: itself, or what its row says."""
        if self.at.via is None or self.at.source_key is None:
            return key
        return None if row is None else self.at.source_key(row)

    def _wanted(self) -> set[StoredKey]:
        return {key for key in self._named.values() if key is not None}

    def _read(self, reads: Reads, keys: list[StoredKey]) -> None:
        if keys:
            found = reads.rows(self.at.source, keys)
            for key in keys:
                self._sources.rows[key] = found.get(key)

    def _row(self, key: StoredKey) -> Any:
        named = self._named[key]
        return None if named is None else self._sources.rows[named]

    def _count(self) -> None:
        sides = self.sides((None, None))
        self.counts = [len(sides.older.rows), len(sides.newer.rows)]


def _reach(rows: Sequence[tuple[int, Any]]) -> Reach:
    return Reach([place for place, _ in rows], [row for _, row in rows], True)
