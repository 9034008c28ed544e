"""Checks of a box, from the file up: is it sound, does every row read, does everything follow.

Depends on: stored, findings, derived, storage, maintainers.  Never on: a package but the one handed in.

Laws. A box that only its package has written has no findings. A derived row that was changed, added or
taken away behind the package's back is found at the level `derived`; bytes that do not read are found at
`records`. Nothing is written.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from pillarbox.box.package import Package
from pillarbox.errors import DataError, KeyCorrupt, RecordCorrupt
from pillarbox.inspect.constraints import beyond, misplaced, orphans
from pillarbox.inspect.derived import twins_of
from pillarbox.inspect.findings import Findings
from pillarbox.inspect.journal import journal_faults
from pillarbox.inspect.kept import kept_faults
from pillarbox.inspect.keys import KeyCodec
from pillarbox.inspect.shape import TableShape
from pillarbox.inspect.stored import Stored, stored
from pillarbox.inspect.values import Values, bare
from pillarbox.maintainers import BoundTable, OwnedTable, SequenceTable, SharedTable
from pillarbox.storage import Engine, StoredKey, in_slices
from pillarbox.storage.journal import JOURNAL
from pillarbox.storage.surveys import integrity_faults, table_ids

Level: TypeAlias = Literal["quick", "records", "derived"]
_SLICE_ROWS: Final = 10_000
#: Bytes of a value that are shown.
_SHOWN: Final = 40


def verify(
    engine: Engine,
    level: Level,
    package: Package[Any, Any] | None,
    findings: Findings,
    *,
    made_anew: bool = False,
) -> None:
    """Check a box up to a level; each includes those before it. `derived` needs the package of the box, where
    its layout is whole; pure tables that were just made anew are not made once more.

    Raises StoreError where the store fails; what is wrong with the box is a finding.
    """
    box, damaged = _quick(engine, findings)
    if box is None or level == "quick":
        return
    present = table_ids(engine)
    for shape in box.layout.tables.values():
        if shape.id in present:
            _records(box, shape, findings)
    if JOURNAL.id in present:
        for version, reason in journal_faults(box):
            findings.add(JOURNAL.name, version, reason)
    if level == "derived":
        if damaged:
            findings.add(None, None, f"what follows from its rows was not looked at: {damaged}")
            return
        assert package is not None, "the level `derived` needs a package"
        if not made_anew:
            _derived(box, package, findings)
        _sequences(box, package, findings)
        _constraints(box, package, findings)
        _kept(box, package, findings)


def shown_key(values: Values, shape: TableShape, keys: KeyCodec, key: StoredKey) -> str:
    """A stored key as `pillarbox get` takes it from a shell; in hex where it cannot be read."""
    try:
        parts = keys.decode(key, strict=False)
    except KeyCorrupt:
        return f"0x{key.hex()}" if isinstance(key, bytes) else str(key)
    texts = [values.text_of(part.type, value) for part, value in zip(shape.key, parts, strict=True)]
    ended = ["--"] if any(text.startswith("--") for text in texts) else []
    return shlex.join([*ended, *texts]) or "(the one row)"


def _quick(engine: Engine, findings: Findings) -> tuple[Stored | None, str]:
    """What the file says of itself, None where it says nothing that can be read; and why nothing can be made
    of that anew, if so.
    """
    damaged = ""
    try:
        for fault in integrity_faults(engine):
            findings.add(None, None, f"SQLite: {bare(fault)}; put a backup in its place")
            damaged = "its pages are damaged"
        box = stored(engine)
    except DataError as error:
        findings.add(None, None, str(error))
        return None, damaged
    if not box.is_whole:
        damaged = "its layout is damaged"
        findings.add(None, None, f"the stored layout is not the one that its hash {box.layout_hash!r} names")
    present = table_ids(engine)
    for shape in box.layout.tables.values():
        if shape.id not in present:
            findings.add(shape.name, None, f"the file lacks the table t{shape.id}")
    for number in sorted(present - box.layout.tables.keys() - {JOURNAL.id}):
        findings.add(None, None, f"it holds a table t{number} that its layout does not know")
    return box, damaged


def _records(box: Stored, shape: TableShape, findings: Findings) -> None:
    """Every key and every record of a table reads, in order; what reads is written as these bytes."""
    try:
        table = box.table(shape, strict=True)
        for key, value in _rows_in_order(box, shape, findings):
            try:
                table.row(key, value)
            except (KeyCorrupt, RecordCorrupt) as error:
                shown = shown_key(box.values, shape, table.keys, key)
                findings.add(shape.name, shown, error.reason)
    except DataError as error:  # of pages, not of rows: what lies behind it cannot be reached
        findings.add(shape.name, None, str(error))


def _derived(box: Stored, package: Package[Any, Any], findings: Findings) -> None:
    """Every pure table equals one made anew from its sources."""
    with twins_of(box.engine, package) as twins:
        for number, reason in twins.failed.items():
            findings.add(package.specs_by_id[number].name, None, f"it cannot be made anew: {reason}")
        present = table_ids(box.engine)
        for spec in twins.specs:
            if spec.id not in present:
                continue  # which is a finding already
            shape = box.layout.tables[spec.id]
            keys = KeyCodec(box.layout, shape)
            try:
                for key, found, wanted in twins.differences(spec, box.engine):
                    text = f"it holds {_hex(found)}, from its sources follows {_hex(wanted)}"
                    findings.add(spec.name, shown_key(box.values, shape, keys, key), text)
                word = twins.misfiled(spec, box.engine)
                if word is not None:
                    findings.add(
                        spec.name, None, f"its index of words differs from its texts, first at {word!r}"
                    )
            except DataError as error:
                findings.add(spec.name, None, str(error))


def _sequences(box: Stored, package: Package[Any, Any], findings: Findings) -> None:
    """The next number of every group is one that its sequence can have come to.

    Not that it is above every number in use: rows may come with numbers of their own, and the sequence
    passes over those when it gets there.
    """
    tx = package.transaction(box.engine)
    tables = [getattr(tx, name, None) for name in dir(tx)]
    present = table_ids(box.engine)
    for sequence in (table for table in tables if isinstance(table, SequenceTable)):
        if sequence.spec.id not in present:
            continue  # which is a finding already
        shape = box.layout.tables[sequence.spec.id]
        table = box.table(shape)
        start, limit = sequence.START, sequence.LIMIT
        low = min(start, 1)  # where an earlier schema may have had it start
        try:
            scan = partial(box.engine.scan, shape.stored)
            for found in in_slices(scan, _SLICE_ROWS, box.engine.path, shape.name):
                for key, value in found:
                    (number,) = sequence.PACKED.decode(value)
                    if not low <= number <= limit + 1:
                        text = f"its next number is {number}, and the sequence gives {start} .. {limit}"
                        findings.add(shape.name, shown_key(box.values, shape, table.keys, key), text)
        except DataError:
            continue  # rows that do not read are findings already


def _constraints(box: Stored, package: Package[Any, Any], findings: Findings) -> None:
    """Every row has its owner, and no group has more rows than its bound."""
    tx = package.transaction(box.engine)
    tables = [getattr(tx, name, None) for name in dir(tx)]
    present = table_ids(box.engine)
    for table in tables:
        if not isinstance(table, OwnedTable | BoundTable | SharedTable) or table.spec.id not in present:
            continue
        shape = box.layout.tables[table.spec.id]
        keys = KeyCodec(box.layout, shape)
        try:
            if isinstance(table, OwnedTable):
                for key in orphans(table):
                    findings.add(
                        shape.name, shown_key(box.values, shape, keys, key), "its owner is not there"
                    )
            if isinstance(table, SharedTable):
                for key, text in misplaced(table):
                    findings.add(shape.name, shown_key(box.values, shape, keys, key), text)
            if isinstance(table, BoundTable):
                for key in beyond(table):
                    text = f"its group has more than the {table.BOUND.keep} rows it may have, all greater"
                    findings.add(shape.name, shown_key(box.values, shape, keys, key), text)
        except DataError:
            continue  # rows that do not read are findings already


def _kept(box: Stored, package: Package[Any, Any], findings: Findings) -> None:
    """What must hold of the tables that steps keep holds."""
    tx = package.transaction(box.engine)
    present = table_ids(box.engine)
    for name in dir(tx):
        try:
            for spec, key, text in kept_faults(box.engine, getattr(tx, name, None)):
                if spec.id in present:
                    shape = box.layout.tables[spec.id]
                    keys = KeyCodec(box.layout, shape)
                    shown = None if key is None else shown_key(box.values, shape, keys, key)
                    findings.add(spec.name, shown, text)
        except DataError:
            continue  # rows that do not read are findings already


def _hex(value: bytes | None) -> str:
    if value is None:
        return "no row"
    if not value:
        return "a row without a value"
    return f"0x{value[:_SHOWN].hex()}{'...' if len(value) > _SHOWN else ''}"


def _rows_in_order(box: Stored, shape: TableShape, findings: Findings) -> Iterator[tuple[StoredKey, bytes]]:
    """All rows, up to where a damaged file gives a key that is none, or not above the one before it."""
    before: Any = None
    kind = int if shape.stored.int_key else bytes
    low: StoredKey | None = None
    while True:
        found = box.engine.scan(shape.stored, low, None, limit=_SLICE_ROWS)
        for key, value in found:
            if not isinstance(key, kind) or (before is not None and not before < key):
                why = "comes after a key that is not below it" if isinstance(key, kind) else "is no key"
                shown = f"0x{key.hex()}" if isinstance(key, bytes) else str(key)
                findings.add(shape.name, shown, f"it {why}; the rest of the table was not read")
                return
            before = key
            yield key, value
        if len(found) < _SLICE_ROWS:
            return
        low = before + 1 if isinstance(before, int) else before + b"\0"
