"""Change records as bytes, so that a commit can be told to another process.

Depends on: change, spec, msgspec.  Never on: where the bytes lie.

Laws. Of one record, `united([carried(record)])` is that record without its events. Of several in order, it
is the record of one commit that did all of them: `before` of the first, `after` of the last, nothing of what
ended as it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from pillarbox.errors import DataError
from pillarbox.storage import StoredKey, TableLayout
from pillarbox.tables.change import ChangeRecord, TableChanges
from pillarbox.tables.spec import Cell, TableSpec

#: table id -> key -> (stored bytes before, after); None where there is no row. As it lies in msgpack.
_Carried: TypeAlias = dict[int, dict[bytes | int, tuple[bytes | None, bytes | None]]]

#: Numbers from here on are no stored keys.
_KEY_END: Final = 1 << 63

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(_Carried).decode


def carried(record: ChangeRecord, specs: Mapping[int, TableSpec[Any]], keys_max: int) -> bytes | None:
    """A record as bytes, without events; None where it has more than `keys_max` keys."""
    tables = record.tables
    if sum(map(len, tables.values())) > keys_max:
        return None
    return _encode({table: _stored(specs[table], changes) for table, changes in tables.items()})


def _stored(spec: TableSpec[Any], changes: TableChanges) -> TableChanges:
    encode = spec.encode
    if encode is None:
        return changes
    return {
        key: (None if old is None else encode(old), None if new is None else encode(new))
        for key, (old, new) in changes.items()
    }


def entry_changes(entry: bytes) -> _Carried:
    """What one entry says, as stored bytes. Raises DataError."""
    try:
        return _decode(entry)
    except (msgspec.MsgspecError, TypeError) as error:  # of a damaged page it may be no bytes at all
        raise DataError(f"an entry of the journal does not read: {error}") from error


def united(entries: Iterable[bytes], specs: Mapping[int, TableSpec[Any]]) -> ChangeRecord:
    """What records as bytes did in all, first to last. Tables that nobody here knows are left out.

    Raises DataError where the bytes are none of `carried`, and RecordCorrupt where a row does not read.
    """
    tables: _Carried = {}
    for entry in entries:
        for table, changes in entry_changes(entry).items():
            known = tables.get(table)
            if known is None:
                tables[table] = changes
            else:
                _unite(known, changes)
    found = {
        table: cells
        for table, changes in tables.items()
        if (spec := specs.get(table)) is not None and (cells := _cells(spec, changes))
    }
    return ChangeRecord(found)


def _unite(
    known: dict[bytes | int, tuple[bytes | None, bytes | None]],
    changes: dict[bytes | int, tuple[bytes | None, bytes | None]],
) -> None:
    for key, change in changes.items():
        earlier = known.get(key)
        known[key] = change if earlier is None else (earlier[0], change[1])


def _fits(key: bytes | int, layout: TableLayout) -> bool:
    if isinstance(key, int):
        return layout.int_key and -_KEY_END <= key < _KEY_END
    return not layout.int_key and layout.key_width in (None, len(key))


def _cells(
    spec: TableSpec[Any], changes: dict[bytes | int, tuple[bytes | None, bytes | None]]
) -> dict[StoredKey, tuple[Cell | None, Cell | None]]:
    layout = spec.layout
    for key in changes:
        if not _fits(key, layout):
            raise DataError(f"an entry of the journal has {key!r} for a key of table {spec.name!r}")
    decode = spec.decode
    if decode is None:
        return {key: change for key, change in changes.items() if change[0] != change[1]}
    return {
        key: (None if old is None else decode(old), None if new is None else decode(new))
        for key, (old, new) in changes.items()
        if old != new
    }
