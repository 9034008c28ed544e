"""The word `refs`: a value lies inside of its row while it has one user, and in a table of its own after.

Depends on: tables, rule.  Never on: what is shared; the shape is generated.

Law: the shared table holds id -> value exactly for ids with two users or more, and for those that are held;
readers see every row whole. All users of an id have one value: that of the first of them, until it is
rewritten. `vocabulary.md` 2.14.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias

from pillarbox.errors import UsageError
from pillarbox.maintainers.rule import Nets
from pillarbox.storage import StoredKey
from pillarbox.tables import (
    Batch,
    Cell,
    DerivedTable,
    Row,
    SharedPart,
    TableWriter,
    Written,
    identical,
)

_SLICE_ROWS: Final = 10_000

#: Stored keys low <= key < high; None is open-ended.
Range: TypeAlias = tuple[StoredKey | None, StoredKey | None]


@dataclass(frozen=True)
class RefsShape(Generic[Row]):
    """The generated half of a `refs`."""

    part: SharedPart[Row]
    #: The row of the shared table under a stored key: (key, value, held).
    row_of: Callable[[Any, Any, bool], Any]
    is_held: Callable[[Any], bool]
    #: The stored keys of an id's rows in the index of users, and the source key that such a row names.
    users_of: Callable[[Any], Range]
    user_of: Callable[[Any], StoredKey]


class SharingTable(TableWriter[Row]):
    """A table whose rows share values."""

    __slots__ = ()
    #: Who knows of other users; enters itself.
    _refs: Refs[Any]

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """As `TableWriter.put_cell`; the old cell is read, since it may have been a user."""
        self.put_known(key, self.cell(key), cell)

    def put_known(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """As `TableWriter.put_known`."""
        if old is None or self.spec.differ(old, cell):
            self._refs.hear(key, old, cell)
        super().put_known(key, old, cell)

    def put_new(self, entries: Iterable[tuple[StoredKey, Cell]]) -> None:
        """As `TableWriter.put_new`, one after the other."""
        for key, cell in entries:
            self.put_known(key, None, cell)

    def move_cell(self, old_key: StoredKey, key: StoredKey, cell: Cell) -> None:
        """As `TableWriter.move_cell`."""
        self._refs.hear(old_key, self.cell(old_key), None)
        self._refs.hear(key, self.cell(key), cell)
        super().move_cell(old_key, key, cell)

    def _computed(self, row: Row) -> Row:
        """The row with the fields that follow from the others. Generated where there are any."""
        return row

    def _counted(self, old: Row, new: Row) -> Row:
        """The new row, counted as one more write of the old one. Generated where writes are counted."""
        return new

    def encoder(self) -> Callable[[Any], bytes] | None:
        """As `TableWriter.encoder`, without the values that are shared."""
        encode, stored, items_of = self.spec.encode, self._refs.stored, self._refs.items_of
        assert encode is not None, f"{self.spec.name}: rows that share values are records"
        return lambda cell: encode(stored(cell) if items_of(cell) else cell)

    def forget(self) -> None:
        """As `TableWriter.forget`."""
        super().forget()
        self._refs.forget()


class SharedTable(DerivedTable[Row]):
    """The values that are shared. Generated classes add typed steps."""

    __slots__ = ()
    #: Who knows of other users; enters itself.
    _refs: Refs[Any]

    def key_of(self, ref: Any) -> StoredKey:
        """The stored key of a value."""
        raise NotImplementedError

    @property
    def users(self) -> DerivedTable[Any]:
        """The index of users."""
        return self._refs.users

    def flush(self) -> Written:
        """As `TableWriter.flush`; users may be written anew where no value has changed."""
        self.end_settle()
        changes = self.changes()
        self.write(self.batch(changes))
        return changes

    def write(self, batch: Batch) -> None:
        """As `TableWriter.write`; users of values that have moved out or in are written anew with them."""
        super().write(batch)
        self._refs.write()

    def forget(self) -> None:
        """As `TableWriter.forget`."""
        super().forget()
        self._refs.forget()


class Refs(Generic[Row]):
    """Moves a value out when its second user comes, and in when the last but one goes."""

    pure = False

    def __init__(
        self,
        source: SharingTable[Row],
        users: DerivedTable[Any],
        target: SharedTable[Any],
        shape: RefsShape[Row],
    ) -> None:
        self.source = source
        self.users = users
        self.target = target
        self.sources: tuple[TableWriter[Any], ...] = (source, users)
        self._shape = shape
        self._part = shape.part
        #: The values in a row that may be shared.
        self.items_of = shape.part.items_of
        #: id -> source key -> whether it is a user now: what the index of users does not say yet.
        self._heard: dict[StoredKey, dict[StoredKey, bool]] = {}
        #: Users whose rows must be written anew, though they are as they were.
        self._stale: set[StoredKey] = set()
        source._refs = self  # type: ignore[misc]  # a slot of the generated class
        target._refs = self  # type: ignore[misc]

    def forget(self) -> None:
        """The transaction is over."""
        self._heard.clear()
        self._stale.clear()

    # -------------------------------------------------------------------------------- row by row

    def hear(self, key: StoredKey, old: Row | None, new: Row | None) -> None:
        """A source row is written."""
        items_of = self.items_of
        if not (new is not None and items_of(new)) and not (old is not None and items_of(old)):
            return
        before, after = self._ids(old), self._ids(new)
        for ref in before - after:
            self._heard.setdefault(ref, {})[key] = False
        for ref in after:
            self._heard.setdefault(ref, {})[key] = True

    def _ids(self, row: Row | None) -> set[StoredKey]:
        if row is None:
            return set()
        items = self._part.items_of(row)
        if not items:
            return set()
        keys = map(self._part.key_of, items)
        return {key for key in keys if key is not None}

    def first(self, row: Row, *own: StoredKey | None) -> Row:
        """The row with the values that others gave the same ids before. `own` are its keys, new and old."""
        items = self.items_of(row)
        if not items:
            return row
        known: dict[StoredKey, Any] = {}
        for item in items:
            ref = self._part.key_of(item)
            if ref is not None and ref not in known:
                known[ref] = self._first(ref, item, own)
        if not known:
            return row
        kept = tuple(item if (ref := self._part.key_of(item)) is None else known[ref] for item in items)
        return row if kept == tuple(items) else self._part.with_items(row, kept)

    def _first(self, ref: StoredKey, item: Any, own: Iterable[StoredKey | None]) -> Any:
        held = TableWriter.cell(self.target, ref)
        if held is not None and self._shape.is_held(self.target.spec.row(ref, held)):
            return self._part.value_of(self.target.spec.row(ref, held))
        for user in self._users(ref, limit=1 + len(tuple(own))):
            if user not in own:
                return self._value_in(user, ref)
        return item

    def _users(self, ref: StoredKey, limit: int | None = None) -> list[StoredKey]:
        """The source keys of an id's users as of now, in order."""
        heard = self._heard.get(ref, {})
        asked = None if limit is None else limit + len(heard)
        found = TableWriter.scan_cells(self.users, *self._shape.users_of(ref), limit=asked)
        row = self.users.spec.row
        users = {self._shape.user_of(row(key, cell)) for key, cell in found}
        users = {user for user in users if heard.get(user, True)}
        users.update(user for user, stays in heard.items() if stays)
        return sorted(users)  # the keys of one table are of one type

    def _value_in(self, user: StoredKey, ref: StoredKey) -> Any:
        row: Any = TableWriter.cell(self.source, user)
        return next(item for item in self._part.items_of(row) if self._part.key_of(item) == ref)

    # ------------------------------------------------------------------------- settle and commit

    def add(self, rows: Iterable[Row]) -> None:
        """Nothing: a shared table is not made from its source."""

    def settle(self, nets: Nets) -> None:
        """Move values out and in; the index of users has settled already."""
        heard, self._heard = self._heard, {}
        for ref in heard:
            self._decide(ref)

    def _decide(self, ref: StoredKey) -> None:
        target, shape = self.target, self._shape
        cell = TableWriter.cell(target, ref)
        was = None if cell is None else target.spec.row(ref, cell)
        held = was is not None and shape.is_held(was)
        users = self._users(ref, limit=2)
        if len(users) < 2 and not held:
            if was is not None:
                target.put_cell(ref, None)
                self._write_anew(users)
            return
        value = self._value_in(users[0], ref) if users else self._part.value_of(was)
        if was is None:
            self._write_anew(self._users(ref))
        row = shape.row_of(ref, value, held)
        if not identical(row, was):
            target.put_cell(ref, target.spec.cell_of(row))

    def take_in(self) -> None:
        """Put the values back into the rows that share them, and those that are held where they belong now.

        For boxes whose values had other ids: they are shared by none before they are united.
        """
        source, target, shape = self.source, self.target, self._shape
        for found in source.slices(_SLICE_ROWS, stored=True):
            _write_whole(source, [(key, cell) for key, cell in found if self.items_of(cell)])
        held: dict[StoredKey, Any] = {}
        for found in target.slices(_SLICE_ROWS, stored=True):
            for key, cell in found:
                row = target.spec.row(key, cell)
                ref = self._part.key_of(value := self._part.value_of(row))
                if shape.is_held(row) and ref is not None and ref not in held:
                    held[ref] = target.spec.cell_of(shape.row_of(ref, value, True))
            TableWriter.write(target, Batch([], [], [], [key for key, _ in found]))
        _write_whole(target, sorted(held.items()))

    def unite(self, refs: Iterable[StoredKey], *, within: bool = False) -> None:
        """Share what stored rows have in common: of values that differ, the shared one stays, or the first.

        For rows that did not come by puts: of shards, and of boxes that are older than the shared table.
        `within`: nor did they by puts with these ids, so that values of one row may differ as well.
        """
        for ref in refs:
            users = self._users(ref)
            cell = TableWriter.cell(self.target, ref)
            if len(users) < 2 and cell is None and not (within and self._differ(users, ref)):
                continue
            self._heard.setdefault(ref, {})
            self.source.wake()
            value = (
                self._value_in(users[0], ref)
                if cell is None
                else self._part.value_of(self.target.spec.row(ref, cell))
            )
            self._write_anew(users)
            for user in users:
                self._replace(user, ref, value)  # no write of anybody's: nothing counts it

    def _differ(self, users: Sequence[StoredKey], ref: StoredKey) -> bool:
        """Whether one of these rows has several values for an id."""
        for user in users:
            row: Any = TableWriter.cell(self.source, user)
            first, *others = (item for item in self._part.items_of(row) if self._part.key_of(item) == ref)
            if any(other != first for other in others):
                return True
        return False

    def stored_refs(self) -> Iterator[StoredKey]:
        """The ids that stored rows use, each once, in order; read a slice at a time."""
        row = self.users.spec.row
        last: StoredKey | None = None
        for found in self.users.slices(_SLICE_ROWS, stored=True):
            for key, cell in found:
                ref = self.target.key_of(row(key, cell).ref)
                if ref != last:
                    yield ref
                last = ref

    def _write_anew(self, users: list[StoredKey]) -> None:
        """Note rows that are stored otherwise from now on; read while they can be made whole."""
        self._stale.update(users)
        TableWriter.preload(self.source, users)

    def stored(self, row: Row) -> Row:
        """A source row as it is stored."""
        target = self.target
        return self._part.stored(row, lambda ref: TableWriter.cell(target, ref) is not None)

    def write(self) -> None:
        """Write the rows of users whose values have moved."""
        cells = TableWriter.cells_at(self.source, sorted(self._stale))
        self._stale.clear()
        if cells:
            encode = self.source.encoder()
            assert encode is not None
            rows = list(cells.values())
            self.source.write(Batch(list(cells), rows, list(map(encode, rows)), []))

    # -------------------------------------------------------------------------------------- steps

    def hold(self, ref: StoredKey, value: Any | None) -> None:
        """Keep a value whoever uses it; the first one, where it is used. None lets it go."""
        self._follow_owners()
        target, shape = self.target, self._shape
        cell = TableWriter.cell(target, ref)
        self._heard.setdefault(ref, {})
        users = self._users(ref)
        if value is None:
            if cell is not None:
                row = target.spec.row(ref, cell)
                row = shape.row_of(ref, self._part.value_of(row), False)
                target.put_cell(ref, target.spec.cell_of(row))
            return
        self._same_id(ref, value)
        if cell is not None and shape.is_held(target.spec.row(ref, cell)):
            value = self._part.value_of(target.spec.row(ref, cell))
        elif users:
            value = self._value_in(users[0], ref)
        target.put_cell(ref, target.spec.cell_of(shape.row_of(ref, value, True)))
        self._write_anew(users)

    def rewrite(self, ref: StoredKey, value: Any | None) -> None:
        """Give all users of an id another value; None takes it out of them, and lets it go."""
        if value is not None:
            self._same_id(ref, value)
        self._follow_owners()
        target, shape = self.target, self._shape
        cell = TableWriter.cell(target, ref)
        if cell is not None and shape.is_held(target.spec.row(ref, cell)):
            row = None if value is None else shape.row_of(ref, value, True)
            target.put_cell(ref, None if row is None else target.spec.cell_of(row))
        for user in self._users(ref):
            self._replace(user, ref, value, counted=True)

    def _follow_owners(self) -> None:
        """Rows whose owners have gone in this transaction use nothing any more, and are not put again."""
        self.source.cells_at(())

    def _replace(self, user: StoredKey, ref: StoredKey, value: Any | None, *, counted: bool = False) -> None:
        """Put a value in the place of those with its id; None takes them out."""
        part, source = self._part, self.source
        was: Any = TableWriter.cell(source, user)
        items = (value if part.key_of(item) == ref else item for item in part.items_of(was))
        row = source._computed(part.with_items(was, tuple(item for item in items if item is not None)))
        source.put_cell(user, source._counted(was, row) if counted else row)

    def _same_id(self, ref: StoredKey, value: Any) -> None:
        found = self._part.key_of(value)
        if found != ref:
            spec = self.target.spec
            has = "no id" if found is None else f"another id, {spec.key_fields(found)!r}"
            raise UsageError(
                f"the value for {spec.key_fields(ref)!r} of {spec.name!r} has {has}; "
                "give the value the id that it is for"
            )


def _write_whole(table: TableWriter[Any], entries: list[tuple[StoredKey, Cell]]) -> None:
    """Write rows as they are, past everybody who hears of writes."""
    encode = table.spec.encode
    assert encode is not None, f"{table.spec.name}: rows that share values are records"
    cells = [cell for _, cell in entries]
    TableWriter.write(table, Batch([key for key, _ in entries], cells, list(map(encode, cells)), []))
