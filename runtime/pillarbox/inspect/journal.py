"""What tools say of the journal that processes tell each other commits by.

Depends on: stored, storage, tables, errors.  Never on: generated packages.

Law: nothing is wrong with a journal exactly if its versions have no gap, and each entry is the mark or a
record whose keys and rows read as those of the tables they name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from pillarbox.errors import DataError, KeyCorrupt, RecordCorrupt
from pillarbox.inspect.stored import Stored, Table
from pillarbox.storage import Engine, StoredKey, in_slices
from pillarbox.storage.journal import JOURNAL, REFRESH
from pillarbox.storage.surveys import table_size
from pillarbox.tables import entry_changes

_SLICE_ROWS: Final = 100


def journal_text(engine: Engine) -> str:
    """What it holds, as one line."""
    size = table_size(engine, JOURNAL)
    if not size.rows:
        return "empty"
    ((first, _),) = engine.scan(JOURNAL, None, None, limit=1)
    ((last, _),) = engine.scan(JOURNAL, None, None, newest_first=True, limit=1)
    return f"{size.rows:,} entries, versions {first!r} to {last!r}, {size.value_bytes:,} bytes"


def journal_faults(box: Stored) -> Iterator[tuple[str, str]]:
    """(version, what is wrong with its entry)."""
    tables: dict[int, Table] = {}
    expected: StoredKey | None = None
    scan = partial(box.engine.scan, JOURNAL)
    for found in in_slices(scan, _SLICE_ROWS, box.engine.path, JOURNAL.name):
        for version, entry in found:
            if expected not in (None, version):
                yield str(version), f"version {expected!r} should come here"
            expected = version + 1
            try:
                reason = None if isinstance(entry, bytes) and entry == REFRESH else _fault(box, tables, entry)
            except DataError as error:
                reason = str(error)
            if reason is not None:
                yield str(version), f"its entry does not read ({reason}); other processes load anew instead"


def _fault(box: Stored, tables: dict[int, Table], entry: bytes) -> str | None:
    for number, changes in entry_changes(entry).items():
        shape = box.layout.tables.get(number)
        if shape is None:
            return f"it names a table {number} that the layout does not know"
        if number not in tables:
            tables[number] = box.table(shape)
        for key, cells in changes.items():
            try:
                _read(tables[number], key, cells)
            except (KeyCorrupt, RecordCorrupt) as error:
                return f"table {shape.name!r}: {error.reason}"
    return None


def _read(table: Table, key: Any, cells: tuple[bytes | None, bytes | None]) -> None:
    for cell in cells:
        if cell is not None:
            table.row(key, cell)
