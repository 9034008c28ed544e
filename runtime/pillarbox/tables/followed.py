"""Tables that kept words hang on: what is written to one of them is heard, and what they keep is read late.

Depends on: primary, derived, spec, storage.  Never on: the words and transactions, which connect the two.

Law: every write of a followed table is heard once, in the order of the writes, as (old row, new row); a row
that moves to another key is one change. Whoever reads or writes a kept table does so after all that was
heard before has been followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, runtime_checkable

from pillarbox.storage import Engine, StoredKey
from pillarbox.tables.derived import DerivedTable
from pillarbox.tables.primary import PrimaryWriter
from pillarbox.tables.spec import Cell, Row
from pillarbox.tables.touch_log import TouchLog

#: One write: the row's key (the new one, where it moved), and the row before and after it. There is one for
#: every row of a batch and every word that follows, and the collector of garbage forgets plain tuples soon.
Heard: TypeAlias = tuple[StoredKey, Row | None, Row | None]


class Entered(tuple[StoredKey, Row | None, Row | None], Generic[Row]):
    """A `Heard` of a row of an index that is new there though its source row is not: that one has changed."""

    __slots__ = ()


class Follower(Protocol):
    """What a kept word does with the writes of the table that it follows."""

    @property
    def follows_new(self) -> bool:
        """Whether rows that are new may mean anything to it; else `follow_new` is not called."""

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Take the writes of one table, in their order."""

    def follow_new(self, rows: Sequence[Any]) -> None:
        """As `follow`, where each write has put a row that was not there."""


@runtime_checkable
class Misser(Protocol):
    """A follower that asks about rows nobody stores: what a server counted may have been one of them."""

    def missed(self, fields: Mapping[str, Any]) -> None:
        """A row was to be changed or removed that is not stored; `fields` is what is known of it."""


class Hearing:
    """What was heard in the open transaction and not yet followed: tables with their writes, in order."""

    __slots__ = ("_following", "run", "runs", "table")

    def __init__(self) -> None:
        self.runs: list[tuple[FollowedTable[Any], list[Heard[Any]]]] = []
        #: The table that wrote last, and its writes since another did.
        self.table: FollowedTable[Any] | None = None
        self.run: list[Heard[Any]] = []
        self._following = False

    def begin(self, table: FollowedTable[Any]) -> None:
        """Writes of this table come into `run` from now on."""
        self.table, self.run = table, []
        self.runs.append((table, self.run))

    def catch_up(self) -> None:
        """Hand what was heard to the followers, until they write nothing that others follow."""
        if not self.runs or self._following:
            return
        self._following = True
        try:
            while self.runs:
                runs, self.runs = self.runs, []
                self.table = None
                for table, changes in runs:
                    table.tell(changes)
        finally:
            self._following = False

    def forget(self) -> None:
        """The transaction is over."""
        self.runs.clear()
        self.table = None


class FollowedTable(PrimaryWriter[Row]):
    """A primary table that kept words follow. They are connected when the transaction is wired."""

    __slots__ = ("_followers", "_hearing", "_missers", "_of_new")

    def __init__(self, engine: Engine, log: TouchLog) -> None:
        super().__init__(engine, log)
        self._followers: tuple[Follower, ...] = ()
        self._missers: tuple[Misser, ...] = ()
        #: Those of the followers that new rows mean something to.
        self._of_new: tuple[Follower, ...] = ()
        self._hearing = Hearing()

    def followed_by(self, hearing: Hearing, followers: Sequence[Follower]) -> None:
        """Called once by the transaction."""
        self._hearing = hearing
        self._followers = (*self._followers, *followers)
        self._missers = tuple(follower for follower in self._followers if isinstance(follower, Misser))
        self._of_new = tuple(follower for follower in self._followers if follower.follows_new)

    def missed(self, **fields: Any) -> None:
        """A step was to change or remove a row that is not stored: by name, all that is known of it.

        Of rows removed under a prefix, stored or not, the prefix is known.
        """
        self._hearing.catch_up()
        for follower in self._missers:
            follower.missed(fields)

    def tell(self, changes: Sequence[Heard[Row]]) -> None:
        """Hand writes of this table to its followers."""
        new = [new for _, old, new in changes if old is None]
        if len(new) == len(changes):
            for follower in self._of_new:
                follower.follow_new(new)
        else:
            for follower in self._followers:
                follower.follow(changes)

    def _hear(self, change: Heard[Row]) -> None:
        hearing = self._hearing
        if hearing.table is not self:
            hearing.begin(self)
        hearing.run.append(change)

    def _heard(self, was: StoredKey, old: Cell | None, key: StoredKey, cell: Cell | None) -> Heard[Row]:
        if self.spec.decode is not None:
            return key, old, cell
        row = self.spec.row
        return key, None if old is None else row(was, old), None if cell is None else row(key, cell)

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """As `TableWriter.put_cell`; the old cell is read, since followers ask for it."""
        old = self.cell(key)
        if self.spec.differ(old, cell):
            change = self._heard(key, old, key, cell)
            super().put_cell(key, cell)
            self._hear(change)

    def put_known(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """As `TableWriter.put_known`."""
        if old != cell or self.spec.differ(old, cell):
            # A cell of a record is the row; that is the way of almost every write, and so it calls nothing.
            is_row = self.spec.decode is not None
            change = (key, old, cell) if is_row else self._heard(key, old, key, cell)
            super().put_known(key, old, cell)
            hearing = self._hearing
            if hearing.table is not self:
                hearing.begin(self)
            hearing.run.append(change)

    def move_cell(self, old_key: StoredKey, key: StoredKey, cell: Cell) -> None:
        """As `TableWriter.move_cell`: one change, not a loss and a gain."""
        change = self._heard(old_key, self.cell(old_key), key, cell)
        super().put_cell(old_key, None)
        super().put_cell(key, cell)
        self._hear(change)


class KeptTable(DerivedTable[Row]):
    """A table that steps and the writes of other tables keep; any use of it first follows what was heard.

    `settle_with` gives it `Hearing.catch_up`.
    """

    __slots__ = ()

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """As `TableWriter.put_cell`, after following."""
        self._settle()
        super().put_cell(key, cell)

    def put_cells(self, cells: Mapping[StoredKey, Cell | None]) -> None:
        """As `put_cell` of each."""
        self._settle()
        put_cell = super().put_cell
        for key, cell in cells.items():
            put_cell(key, cell)
