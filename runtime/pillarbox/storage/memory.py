"""The engine in memory: for boxes that need no file, and a second opinion on the other engine.

Depends on: engine, words, errors; sqlite for `backup`, which writes a file.  Never on: tables.

Law: as every engine's. A transaction writes drafts beside the committed maps and lays them over at
commit; a map that someone's `begin_read` holds is copied first. So readers never wait, and never see
half a commit. What an interrupt leaves half laid over, whoever looks next lays over to its end.
"""

from __future__ import annotations

import os
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from threading import Lock
from typing import Any, Final
from uuid import uuid4

from pillarbox.errors import StoreReadOnly, UsageError
from pillarbox.storage.engine import ROWS_MAX, StoredKey, TableLayout
from pillarbox.storage.sqlite import SqliteEngine
from pillarbox.storage.words import Search, stored_text

#: Up to so many new or gone keys are placed one by one; more are sorted in at once.
_PLACED_ONE_BY_ONE: Final = 16
#: Named values of the store live in a map like any other; no schema can give a table this id.
_META: Final = TableLayout(id=-1, name="pillarbox_meta", int_key=False, key_width=None, heap=False)


class _Map:
    """Committed rows of one table: a dict, and its keys in order."""

    __slots__ = ("held", "layout", "order", "rows")

    def __init__(self, layout: TableLayout, rows: dict[Any, bytes], order: list[Any]) -> None:
        self.layout = layout
        self.rows = rows
        self.order = order
        #: A reader keeps this state: copy before changing it.
        self.held = False

    def changed(self, writes: dict[Any, bytes | None]) -> _Map:
        """This map with the writes laid over; itself unless it is held."""
        target = _Map(self.layout, dict(self.rows), list(self.order)) if self.held else self
        rows, order = target.rows, target.order
        new = [key for key, value in writes.items() if value is not None and key not in rows]
        gone = [key for key, value in writes.items() if value is None and key in rows]
        for key in gone:
            del rows[key]
        rows.update((key, value) for key, value in writes.items() if value is not None)
        if len(gone) > _PLACED_ONE_BY_ONE:
            order[:] = [key for key in order if key in rows]
        else:
            for key in gone:
                del order[bisect_left(order, key)]
        if len(new) > _PLACED_ONE_BY_ONE:
            order.extend(new)
            order.sort()
        else:
            for key in new:
                insort(order, key)
        return target

    def mend(self) -> None:
        """Rows and order are one again, after somebody was interrupted in `changed`."""
        self.order[:] = sorted(self.rows)


def _between(order: list[Any], low: Any, high: Any, newest_first: bool) -> Iterator[Any]:
    """Keys with low <= key < high in the order asked for."""
    start = 0 if low is None else bisect_left(order, low)
    end = len(order) if high is None else bisect_left(order, high)
    places = range(end - 1, start - 1, -1) if newest_first else range(start, end)
    return map(order.__getitem__, places)


@dataclass(slots=True)
class _Draft:
    """What the open transaction makes of one table: writes over `base`, where None removes a row."""

    base: _Map
    writes: dict[Any, bytes | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Shared:
    """What all connections to one store share."""

    maps: dict[int, _Map]
    commits: int = 0
    #: Held while committed maps are changed, or are read by more than one look-up.
    reading: Lock = field(default_factory=Lock)
    #: What is committed and not laid over yet: table id -> draft, None for a dropped table.
    landing: dict[int, _Draft | None] | None = None
    #: Somebody has begun to lay it over.
    is_torn: bool = False

    def land(self) -> None:
        """Lay over what is committed; `reading` is held. Of who is interrupted, the next one ends it."""
        if self.landing is None:
            return
        torn, self.is_torn = self.is_torn, True
        for id_, draft in self.landing.items():
            if draft is None:
                self.maps.pop(id_, None)
            else:
                if torn:
                    draft.base.mend()
                self.maps[id_] = draft.base.changed(draft.writes)
        self.commits += 1  # from here on there is no call, and so no interrupt
        self.landing, self.is_torn = None, False

    def settle(self) -> None:
        """End what an interrupt left, or wait for who does."""
        with self.reading:
            self.land()


class MemoryEngine:
    """One connection to a store in memory. See `Engine`."""

    def __init__(self, *, _shared: _Shared | None = None) -> None:
        self.path = ":memory:"
        #: One connection writes, so that nobody is waited for.
        self.read_only = _shared is not None
        self._shared = _Shared({_META.id: _Map(_META, {}, [])}) if _shared is None else _shared
        #: table id -> draft, None for a dropped table, while a write transaction is open.
        self._drafts: dict[int, _Draft | None] | None = None
        self._snapshot: dict[int, _Map] | None = None
        self._closed = False

    # --------------------------------------------------------------------------------- transactions

    def begin(self) -> None:
        self._refuse_closed()
        if self.read_only:
            raise StoreReadOnly(self.path, "it was opened read-only", remedy=StoreReadOnly.OPENED_SO)
        self._refuse_open("begin")
        self._drafts = {}

    def commit(self) -> None:
        drafts = self._written("commit")
        shared = self._shared
        if drafts:
            with shared.reading:
                shared.land()
                shared.landing = drafts  # by this it is committed
                shared.land()
        self._drafts = None

    def rollback(self) -> None:
        self._written("rollback")
        self._drafts = None

    def begin_read(self) -> int:
        self._refuse_closed()
        self._refuse_open("begin_read")
        with self._shared.reading:
            self._shared.land()
            self._snapshot = dict(self._shared.maps)
            for held in self._snapshot.values():
                held.held = True
            return self._shared.commits

    def end_read(self) -> None:
        if self._snapshot is None:
            raise UsageError(f"{self.path}: end_read without begin_read")
        self._snapshot = None

    def _refuse_open(self, call: str) -> None:
        if self._drafts is not None or self._snapshot is not None:
            kind = "read" if self._drafts is None else "write"
            raise UsageError(f"{self.path}: {call} inside a {kind} transaction; end that one first")

    def _refuse_closed(self) -> None:
        if self._closed:
            raise UsageError(f"{self.path}: the store is closed; open it again")

    def _written(self, call: str) -> dict[int, _Draft | None]:
        if self._drafts is None:
            raise UsageError(f"{self.path}: {call} outside a write transaction; call begin() first")
        return self._drafts

    # ------------------------------------------------------------------------------ maps and drafts

    def _seen(self, id_: int) -> tuple[_Map, dict[Any, bytes | None]] | None:
        """What this connection sees of a table: a map, and the writes over it."""
        self._refuse_closed()
        if self._drafts is not None and id_ in self._drafts:
            draft = self._drafts[id_]
            return None if draft is None else (draft.base, draft.writes)
        if self._snapshot is None:
            if self._shared.landing is not None:
                self._shared.settle()
            found = self._shared.maps.get(id_)
        else:
            found = self._snapshot.get(id_)
        return None if found is None else (found, {})

    def _table(self, table: TableLayout) -> tuple[_Map, dict[Any, bytes | None]]:
        seen = self._seen(table.id)
        if seen is None:
            raise UsageError(f"{self.path}: no such table: t{table.id}; create the table before it is used")
        return seen

    def _draft(self, table: TableLayout, call: str) -> _Draft:
        drafts = self._written(call)
        base, _ = self._table(table)
        draft = drafts.get(table.id)
        if draft is None:
            draft = drafts[table.id] = _Draft(base)
        return draft

    # ---------------------------------------------------------------------------------------- reads

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        base, writes = self._table(table)
        return writes[key] if key in writes else base.rows.get(key)

    def get_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> dict[StoredKey, bytes]:
        base, writes = self._table(table)
        found: dict[StoredKey, bytes] = {}
        with self._shared.reading:
            for key in keys:
                value = writes[key] if key in writes else base.rows.get(key)
                if value is not None:
                    found[key] = value
        return found

    def scan(
        self,
        table: TableLayout,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, bytes]]:
        base, writes = self._table(table)
        count = None if limit is None else min(limit, ROWS_MAX)
        with self._shared.reading:
            keys = _between(base.order, low, high, newest_first)
            rows = base.rows
            if not writes:
                return [(key, rows[key]) for key in islice(keys, count)]
            present = {key: value for key, value in writes.items() if value is not None}
            written = sorted(present)
            kept = (key for key in keys if key not in writes)
            laid = _between(written, low, high, newest_first)
            both = merge(kept, laid, reverse=newest_first)
            return [(key, present[key] if key in present else rows[key]) for key in islice(both, count)]

    def search(
        self,
        table: TableLayout,
        search: Search,
        low: StoredKey | None = None,
        high: StoredKey | None = None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[StoredKey]:
        rows = self.scan(table, low, high, newest_first=newest_first)
        found = (key for key, value in rows if search.finds(stored_text(value)))
        return list(islice(found, None if limit is None else min(limit, ROWS_MAX)))

    # --------------------------------------------------------------------------------------- writes

    def put_one(self, table: TableLayout, key: StoredKey, value: bytes) -> None:
        self._draft(table, "a write").writes[key] = value

    def add_one(self, table: TableLayout, key: StoredKey, value: bytes) -> bool:
        return self.add_many(table, (key,), (value,))

    def remove_one(self, table: TableLayout, key: StoredKey) -> None:
        self._draft(table, "a write").writes[key] = None

    def put_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> None:
        writes = self._draft(table, "a write").writes
        writes.update(zip(keys, values, strict=True))

    def add_many(self, table: TableLayout, keys: Sequence[StoredKey], values: Sequence[bytes]) -> bool:
        draft = self._draft(table, "a write")
        rows, writes = draft.base.rows, draft.writes
        if any((writes[key] if key in writes else rows.get(key)) is not None for key in keys):
            return False
        writes.update(zip(keys, values, strict=True))
        return True

    def remove_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> None:
        self._draft(table, "a write").writes.update(dict.fromkeys(keys))

    def create(self, table: TableLayout) -> None:
        drafts = self._written("a write")
        if self._seen(table.id) is None:
            drafts[table.id] = _Draft(_Map(table, {}, []))

    def drop(self, table: TableLayout) -> None:
        drafts = self._written("a write")
        if self._seen(table.id) is not None:
            drafts[table.id] = None

    def clear(self, table: TableLayout) -> None:
        drafts = self._written("a write")
        self._table(table)
        drafts[table.id] = _Draft(_Map(table, {}, []))

    # ----------------------------------------------------------------------------------- the store

    def meta(self, name: str) -> bytes | None:
        return self.get(_META, name.encode())

    def set_meta(self, name: str, value: bytes) -> None:
        self.put_many(_META, [name.encode()], [value])

    def data_version(self) -> int:
        self._shared.settle()
        return self._shared.commits if self.read_only else 0  # nobody else writes

    def refuse_moved(self) -> None:
        """There is no file."""

    def reader(self) -> MemoryEngine:
        self._refuse_closed()
        return MemoryEngine(_shared=self._shared)

    def backup(self, path: str) -> None:
        self._refuse_closed()
        with self._shared.reading:
            self._shared.land()
            maps = [(it.layout, list(it.order), dict(it.rows)) for it in self._shared.maps.values()]
        scratch = f"{path}.{uuid4().hex[:12]}.rows"
        target = SqliteEngine(scratch, durability="relaxed")
        try:
            target.begin()
            for layout, order, rows in maps:
                if layout is _META:
                    for name in order:
                        target.set_meta(name.decode(), rows[name])
                else:
                    target.create(layout)
                    target.put_many(layout, order, [rows[key] for key in order])
            target.commit()
            target.backup(path)
        finally:
            target.close()
            os.unlink(scratch)

    def wal_bytes(self) -> int:
        return 0

    def checkpoint(self) -> None:
        self._refuse_closed()
        self._refuse_open("checkpoint")

    def checkpoint_beside(self) -> bool:
        self._refuse_closed()
        self._refuse_open("checkpoint_beside")
        return False

    def close(self) -> None:
        if self._drafts is not None:
            self.rollback()
        self._snapshot = None
        self._closed = True
