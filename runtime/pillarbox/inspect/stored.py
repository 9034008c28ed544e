"""A box as tools see it: opened read-only at one moment, with the layout it stores.

Depends on: shape, keys, records, values, storage, errors.  Never on: generated packages.

Law: nothing that is read through it changes the box, whatever package wrote it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, Final

from pillarbox.box.opening import LAYOUT, LAYOUT_HASH
from pillarbox.errors import DataError, NotABox, RecordCorrupt, StoreMissing, UsageError
from pillarbox.inspect.keys import KeyCodec
from pillarbox.inspect.records import RowCodec, Structs
from pillarbox.inspect.shape import StoredLayout, TableShape, read_layout
from pillarbox.inspect.values import Values
from pillarbox.storage import Engine, StoredKey, open_engine
from pillarbox.storage.places import absolute, no_file
from pillarbox.tables import away

_BUSY_MS: Final = 5000
#: Of a number of a table; far longer ones Python does not even read.
_DIGITS_MAX: Final = 9


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its raw key parts and field values, in the order of the layout."""

    key: tuple[Any, ...]
    fields: list[Any]


class Table:
    """One table of the box, and how its bytes are read."""

    def __init__(self, layout: StoredLayout, shape: TableShape, structs: Structs, *, strict: bool) -> None:
        self.shape = shape
        self.keys = KeyCodec(layout, shape)
        self._rows = RowCodec(layout, shape, structs, strict=strict)
        self._strict = strict
        #: Where rows share values: the place of the field that they are left out of, and how to read one.
        self._shared: tuple[int, Callable[[StoredKey], Any]] | None = None

    def share(self, field: str, read: Callable[[StoredKey], Any]) -> None:
        """Values of a field may lie elsewhere, from where `read` gives them. Raises RecordCorrupt there."""
        names = [held.name for held in self.shape.record.fields]
        self._shared = (names.index(field), read)

    def row(self, key: StoredKey, value: bytes) -> Row:
        """What a stored row says. Raises KeyCorrupt, RecordCorrupt, both with the key."""
        parts = self.keys.decode(key, strict=self._strict)
        return Row(parts, self.fields(key, parts, value))

    def fields(self, key: StoredKey, parts: tuple[Any, ...], value: bytes) -> list[Any]:
        """The field values of a row whose key is taken apart already. Raises RecordCorrupt."""
        try:
            values = self._rows.decode(parts, value)
            if self._shared is not None:
                at, read = self._shared
                values[at] = tuple(item if (ref := away(item)) is None else read(ref) for item in values[at])
            return values
        except RecordCorrupt as error:
            raise error.at(key) from None


class Stored:
    """An open box and its layout."""

    def __init__(self, engine: Engine, layout: StoredLayout, layout_hash: str) -> None:
        self.engine = engine
        self.layout = layout
        #: As the box says.
        self.layout_hash = layout_hash
        self.values = Values(layout)

    @property
    def is_whole(self) -> bool:
        """Whether the layout is the one that was stored with its hash."""
        return sha256(self.engine.meta(LAYOUT) or b"").hexdigest()[:16] == self.layout_hash

    @cached_property
    def _lenient(self) -> Structs:
        return Structs(self.layout, strict=False)

    @cached_property
    def _strict(self) -> Structs:
        return Structs(self.layout, strict=True)

    def table(self, shape: TableShape, *, strict: bool = False) -> Table:
        """How to read a table. `strict`: as its package would, whose enums take only numbers they name."""
        try:
            table = Table(self.layout, shape, self._strict if strict else self._lenient, strict=strict)
            if shape.id in self.layout.shared:
                number, field = self.layout.shared[shape.id]
                table.share(
                    field, partial(self._value, self.table(self.layout.tables[number], strict=strict))
                )
            return table
        except (TypeError, ValueError, RecursionError) as error:
            raise DataError(
                f"{self.engine.path}: the layout of table {shape.name!r} makes no sense ({error}); restore "
                f"the file from a backup, or update pillarbox if a newer one wrote it"
            ) from error

    def _value(self, shared: Table, key: StoredKey) -> Any:
        """A value that rows share."""
        value = self.engine.get(shared.shape.stored, key)
        if value is None:
            reason = f"it shares the value {key!r} of {shared.shape.name!r}, which is not there"
            raise RecordCorrupt(shared.shape.name, reason, value=b"")
        return shared.row(key, value).fields[0]

    def named(self, name: str) -> TableShape:
        """The table of that name or number. Raises UsageError with what might be meant."""
        by_name = {shape.name: shape for shape in self.layout.tables.values()}
        found = by_name.get(name)
        if found is None and name.isdecimal() and len(name) <= _DIGITS_MAX:
            found = self.layout.tables.get(int(name))
        if found is None:
            close = get_close_matches(name, by_name, n=1)
            hint = f"did you mean {close[0]!r}?" if close else "`pillarbox ls` lists them"
            raise UsageError(f"{self.engine.path} has no table {name!r}; {hint}")
        return found


@contextmanager
def opened(path: str) -> Iterator[Engine]:
    """An engine that reads the file as of now. Raises StoreMissing, NotABox and what engines raise."""
    path = absolute(path)
    if not os.path.isfile(path):
        raise no_file(path)
    if not os.access(path, os.R_OK):
        remedy = "have its owner allow that (`chmod`), or run this as its owner"
        raise StoreMissing(path, "this user may not read it", remedy=remedy)
    if not os.path.getsize(path):  # of which SQLite says that it is a database without tables
        raise NotABox(path, "the file is empty")
    engine = open_engine(path, durability="relaxed", read_only=True, busy_ms=_BUSY_MS)
    try:
        engine.begin_read()
        yield engine
    finally:
        engine.close()


@contextmanager
def looked_at(path: str) -> Iterator[Stored]:
    """The box at `path`. Raises DataError where its layout cannot be read, and what `opened` raises."""
    with opened(path) as engine:
        yield stored(engine)


def stored(engine: Engine) -> Stored:
    """What an engine's box says of itself. Raises DataError."""
    text, layout_hash = engine.meta(LAYOUT), engine.meta(LAYOUT_HASH)
    if text is None or layout_hash is None:
        raise DataError(
            f"{engine.path} holds no box yet: no layout is stored in it; open it once with its package"
        )
    return Stored(engine, read_layout(engine.path, text), layout_hash.decode(errors="replace"))
