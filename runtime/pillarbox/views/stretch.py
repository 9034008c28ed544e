"""The rows of one stretch of a table or index, kept up to date: what it is, and that of a table.

Depends on: lane, interests, reads.  Never on: parts.

Law: `rows()` are what a fresh read of the stretch would give, the nearest to its end first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pillarbox.views.interests import Delta, Interests, Routed, Sink
from pillarbox.views.lane import Lane, cell_itself
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell, TableSpec

Row = TypeVar("Row")


class Stretch(Sink, Generic[Row]):
    """What scans and windows are made of. `entered` and `left` are the rows of the last change."""

    __slots__ = ("entered", "lane", "left")

    lane: Lane[Any]
    entered: Sequence[Row]
    left: Sequence[Row]

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        self.view = view

    def rest(self) -> None:
        """Hold nothing that tells only of the last change."""

    def clear(self) -> None:
        """Hold nothing, and unregister."""
        raise NotImplementedError

    def load(
        self,
        reads: Reads,
        low: StoredKey | None,
        high: StoredKey | None,
        count: int | None,
        old: Mapping[StoredKey, Row],
    ) -> None:
        """Read low <= key < high, `count` rows of it (None: all).

        A row that equals the one of its key in `old` becomes that very object.
        """
        raise NotImplementedError

    def fold(self, reads: Reads, deltas: Sequence[Delta], routed: Routed) -> None:
        """Fold one commit in; `deltas` are those of the stretch's own table."""
        raise NotImplementedError

    def rows(self) -> tuple[Row, ...]:
        """The rows shown, the nearest to the stretch's end first."""
        raise NotImplementedError

    def row_keys(self) -> Sequence[StoredKey]:
        """The keys under which `rows()` are stored, in the same order."""
        raise NotImplementedError

    def places(self) -> Sequence[StoredKey]:
        """The keys of the stretch itself that `rows()` were found under, in the same order."""
        raise NotImplementedError

    def resize(self, reads: Reads, count: int) -> None:
        """Show another number of rows. `entered` and `left` then tell of nothing."""
        raise NotImplementedError

    def held(self) -> dict[StoredKey, Row]:
        """The rows by `row_keys()`."""
        return dict(zip(self.row_keys(), self.rows(), strict=True))


class TableRows(Stretch[Row]):
    """Rows that are stored under the very keys that are scanned."""

    __slots__ = ()

    def __init__(
        self,
        spec: TableSpec[Row],
        *,
        newest_first: bool,
        where: Callable[[Row], bool] | None = None,
        spare: int = 0,
    ) -> None:
        row_of = spec.row

        def row_that_counts(key: StoredKey, cell: Cell) -> Row | None:
            row = row_of(key, cell)
            return row if where(row) else None  # type: ignore[misc]  # only used when there is a `where`

        # Where cells are rows, they are held as they are.
        item_of = row_that_counts if where is not None else row_of if spec.decode is None else cell_itself
        self.lane: Lane[Row] = Lane(spec, item_of, newest_first=newest_first, spare=spare)
        self.entered = self.left = ()

    def clear(self) -> None:
        """Hold nothing."""
        self.lane.clear()
        self._tell()

    def load(
        self,
        reads: Reads,
        low: StoredKey | None,
        high: StoredKey | None,
        count: int | None,
        old: Mapping[StoredKey, Row],
    ) -> None:
        """As `Stretch.load`."""
        lane = self.lane
        lane.load(reads, low, high, count)
        if old:
            lane.items = [kept(old.get(key), row) for key, row in zip(lane.keys, lane.items, strict=True)]
        self._tell()

    def fold(self, reads: Reads, deltas: Sequence[Delta], routed: Routed) -> None:
        """As `Stretch.fold`."""
        if deltas:
            self.lane.fold(reads, deltas)
            self._tell()
        else:
            self.entered = self.left = ()

    def rows(self) -> tuple[Row, ...]:
        """As `Stretch.rows`."""
        return self.lane.zone_items()

    def row_keys(self) -> Sequence[StoredKey]:
        """As `Stretch.row_keys`."""
        return self.lane.zone_keys()

    def places(self) -> Sequence[StoredKey]:
        """As `Stretch.places`."""
        return self.lane.zone_keys()

    def resize(self, reads: Reads, count: int) -> None:
        """As `Stretch.resize`."""
        self.lane.resize(reads, count)

    def rest(self) -> None:
        """As `Stretch.rest`."""
        self.lane.rest()
        self.entered = self.left = ()

    def _tell(self) -> None:
        lane = self.lane
        self.entered, self.left = list(lane.entered.values()), list(lane.left.values())


def kept(old: Row | None, row: Row) -> Row:
    """The old object if it is equal."""
    return old if old is not None and old == row else row
