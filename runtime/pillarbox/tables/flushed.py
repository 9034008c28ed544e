"""What a transaction has changed of one table, and how that reaches the engine.

Depends on: change, reader, spec, storage, errors.  Never on: how cells are read ahead, settled and
remembered.

Law: `flush` writes exactly the keys whose cells differ from those that the transaction began with, by their
bytes, and tells them as they were and as they are. It takes a few statements, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any, Final

from pillarbox.errors import RowTooLong
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables.change import Batch, TableChanges, Written
from pillarbox.tables.reader import TableReader
from pillarbox.tables.spec import Cell, Row, refuse_cell


class _Unknown:
    """Stands for an old cell that nobody has read yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
ALL_NONE: Final = {NoneType}
#: Old cells of rows that are new, or may be.
_ALL_NEW: Final = {NoneType, _Unknown}
#: So many rows are written one by one, in less time than it takes to make a batch of them.
_FEW: Final = 2
#: What SQLite takes for a row, less a MiB for its key: one that is longer is refused where it is looked up.
VALUE_BYTES_MAX: Final = 1_000_000_000 - (1 << 20)


class FlushedTable(TableReader[Row]):
    """The cells of one table that a transaction has seen and written."""

    __slots__ = ("_began_unread", "_cells", "_is_unread", "began", "replaced", "unsettled", "wakes")

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._cells: dict[StoredKey, Cell | None] = {}
        #: Bits that a write sets in the log of its transaction: of who looks at what is written here.
        self.wakes = 0
        #: What was written since the last settle: key -> cell when that ended (or the transaction began); may
        #: be UNKNOWN.
        self.unsettled: dict[StoredKey, Cell | None] = {}
        #: Whether there is an UNKNOWN among them.
        self._is_unread = False
        #: key -> cell when the transaction began, for keys of earlier settles; may be UNKNOWN.
        self.began: dict[StoredKey, Cell | None] = {}
        #: Whether there is an UNKNOWN among them.
        self._began_unread = False
        #: Cells that were written and will not be stored, being replaced by now: where somebody keeps them.
        self.replaced: list[Cell | None] | None = None

    def end_settle(self) -> None:
        """What was touched is settled: what is unsettled starts from here."""
        if self.unsettled:
            if self._is_unread:
                if self.wakes:
                    self._resolve()
                else:  # nobody looks
                    self._is_unread, self._began_unread = False, True
            before = self.began
            if before:
                replaced = self.replaced
                for key, old in self.unsettled.items():
                    was = before.setdefault(key, old)
                    if replaced is not None and was is not old:
                        replaced.append(old)
                self.unsettled = {}
            else:
                self.began, self.unsettled = self.unsettled, before

    def refuse_mistyped(self) -> None:
        """Raise RangeError for a row since the last settle that cannot be stored, when a rule stumbled."""
        for cell in map(self._cells.__getitem__, self.unsettled):
            if cell is not None:
                refuse_cell(self.spec, cell)

    def refuse_replaced(self) -> None:
        """Raise RangeError for a replaced row that could not have been stored."""
        encode = self.spec.encode
        if encode is not None:
            for cell in self.replaced or ():
                if cell is not None:
                    encode(cell)

    def changes(self) -> TableChanges:
        """key -> (before, after) of the whole transaction. Call after `end_settle`, before `flush`."""
        if self._began_unread:
            self._read_began()
        cells, differ = self._cells, self.spec.differ
        return {
            key: (old, new)
            for key, old in self.began.items()
            if (new := cells[key]) is not old and (old is None or differ(old, new))
        }

    def flush(self) -> Written:
        """Write what changed to the engine, and tell what did. What is not settled yet counts as settled.

        One statement for the puts, one for the removes, or one for each of few rows. Rows of which nobody
        knows whether they are new are added as if they were; what was there is read only where one was not.
        """
        if self.began or self._is_unread:
            self.end_settle()
        else:
            self.began = self.unsettled  # all of it, in most transactions; nobody changes either any more
        if len(self.began) > _FEW:
            return self._flush_many()
        spec, engine, encode, cells = self.spec, self._engine, self.encoder(), self._cells
        layout = spec.layout
        changes: TableChanges = {}
        for key, old in self.began.items():
            cell = cells[key]
            if cell is None:
                if old is UNKNOWN:
                    old = TableReader.cell(self, key)
                if old is not None:
                    engine.remove_one(layout, key)
                    changes[key] = old, None
                continue
            value = cell if encode is None else encode(cell)
            if old is UNKNOWN:
                if engine.add_one(layout, key, value):
                    changes[key] = None, cell
                    continue
                old = TableReader.cell(self, key)
            if old != cell or spec.differ(old, cell):
                engine.put_one(layout, key, value)
                changes[key] = old, cell
        return changes

    def _flush_many(self) -> Written:
        """As `flush`, in batches."""
        new = self._new_rows()
        if new is not None:
            if not self._began_unread:
                self.write(new)
                return new
            if self._engine.add_many(self.spec.layout, new.puts, new.values):
                return new
        changes = self.changes()
        if changes:
            self.write(self.batch(changes))
        return changes

    def encoder(self) -> Callable[[Any], bytes] | None:
        """What makes stored bytes of cells; None where they are that already."""
        return self.spec.encode

    def batch(self, changes: TableChanges) -> Batch:
        """The changes as the engine takes them; only this can fail because of what they hold."""
        encode = self.encoder()
        puts: list[Any] = []
        cells: list[Any] = []
        removes: list[Any] = []
        for key in changes if len(changes) == 1 else sorted(changes):
            new = changes[key][1]
            if new is None:
                removes.append(key)
            else:
                puts.append(key)
                cells.append(new)
        return Batch(puts, cells, cells if encode is None else list(map(encode, cells)), removes)

    def all_changes(self) -> tuple[Batch, list[tuple[StoredKey, Cell]]]:
        """`batch(changes())`, and the (key, cell) that it takes away."""
        if self._began_unread:
            self._read_began()
        new = self._new_rows()
        if new is not None:
            return new, []
        changes = self.changes()
        return self.batch(changes), [(key, old) for key, (old, _) in changes.items() if old is not None]

    def _new_rows(self) -> Batch | None:
        """`batch(changes())` where each row is new, or may be, without the changes; None where one is not."""
        before = self.began
        if not _ALL_NEW.issuperset(map(type, before.values())):
            return None
        puts = sorted(before)
        after: list[Any] = list(map(self._cells.__getitem__, puts))
        if NoneType in set(map(type, after)):
            return None
        encode = self.encoder()
        return Batch(puts, after, after if encode is None else list(map(encode, after)), [])

    def _resolve(self) -> None:
        """Read every old cell that is still unknown of what is unsettled, with one statement."""
        self._read_unknown(self.unsettled)
        self._is_unread = False

    def _read_began(self) -> None:
        """Read every cell that the transaction began with and nobody has read."""
        self._read_unknown(self.began)
        self._began_unread = False

    def _read_unknown(self, cells: dict[StoredKey, Cell | None]) -> None:
        """Read those of the cells that are UNKNOWN, with one statement."""
        unknown = [key for key, old in cells.items() if old is UNKNOWN]
        if unknown:
            found = TableReader.cells_at(self, unknown)
            for key in unknown:
                cells[key] = found.get(key)

    def refuse_too_long(self, batch: Batch) -> None:
        """Raise RowTooLong where no store takes a row of the batch."""
        if not batch.values or max(map(len, batch.values)) <= VALUE_BYTES_MAX:
            return
        for key, value in zip(batch.puts, batch.values, strict=True):
            if len(value) > VALUE_BYTES_MAX:
                fields = self.spec.key_fields(key)
                raise RowTooLong(self.spec.name, key=fields, size=len(value), limit=VALUE_BYTES_MAX)

    def write(self, batch: Batch) -> None:
        """Write a batch to the engine."""
        if batch.puts:
            self._engine.put_many(self.spec.layout, batch.puts, batch.values)
        if batch.removes:
            self._engine.remove_many(self.spec.layout, batch.removes)
