"""Where two boxes of one layout differ, row by row.

Depends on: stored, scanning, findings, verify (how keys are shown), bulk.  Never on: generated packages.

Law: nothing is found exactly when all rows read alike, and of those that do not read the bytes are the same;
by bytes exactly when `bulk.differences` tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pillarbox.box.opening import LAYOUT
from pillarbox.bulk.compare import paired, said, shown
from pillarbox.errors import KeyCorrupt, RecordCorrupt
from pillarbox.inspect.findings import Findings
from pillarbox.inspect.scanning import Bounds, rows_within
from pillarbox.inspect.shape import TableShape
from pillarbox.inspect.stored import Stored, Table
from pillarbox.inspect.verify import shown_key
from pillarbox.storage import StoredKey

_ALL: Final = Bounds(None, None)


def differ(
    one: Stored, other: Stored, findings: Findings, called: tuple[str, str], *, by_bytes: bool = False
) -> None:
    """Find the rows that only one of the boxes has, `called` so, and those that say different things.

    `by_bytes`: also those that say the same by other bytes, as a default does that is written out.

    Boxes of different layouts are one finding: their bytes mean different things.
    """
    if one.layout.schema != other.layout.schema:
        schemas = f"one is of the schema {one.layout.schema}, the other of {other.layout.schema}"
        findings.add(None, None, f"{schemas}; name two boxes of one schema")
        return
    if one.engine.meta(LAYOUT) != other.engine.meta(LAYOUT):
        findings.add(
            None,
            None,
            f"the layouts differ: {one.layout.schema} {one.layout_hash}, {other.layout.schema} "
            f"{other.layout_hash}; open both with one package, which brings an older one up, then compare",
        )
        return
    for shape in one.layout.tables.values():
        here, there = one.table(shape), other.table(shape)
        text: str | None
        for key, value, other_value in paired(_rows(one, shape), _rows(other, shape)):
            if value is None or other_value is None:
                text = f"only in {called[0] if other_value is None else called[1]}"
            elif shape.word == "stale" and said(value) == said(other_value):
                continue
            else:
                text = _told(one, here, there, key, value, other_value)
                if text is None:
                    if not by_bytes:
                        continue
                    text = f"{shown(value)} -> {shown(other_value)}"
            findings.add(shape.name, shown_key(one.values, shape, here.keys, key), text)


def _rows(box: Stored, shape: TableShape) -> Iterator[tuple[StoredKey, bytes]]:
    return rows_within(box.engine, shape, _ALL, newest_first=False, limit=None)


def _told(box: Stored, here: Table, there: Table, key: StoredKey, value: bytes, other: bytes) -> str | None:
    """The fields that differ; the bytes where rows do not read, or look alike. None where they read alike."""
    try:
        row, other_row = here.row(key, value), there.row(key, other)
    except (KeyCorrupt, RecordCorrupt):
        return f"{shown(value)} -> {shown(other)}"
    if repr(row.fields) == repr(other_row.fields):  # classes of records are made anew for each box
        return None
    texts = [
        (field.name, box.values.text_of(field.type, one), box.values.text_of(field.type, two))
        for field, one, two in zip(here.shape.record.fields, row.fields, other_row.fields, strict=True)
    ]
    told = [f"{name} {one} -> {two}" for name, one, two in texts if one != two]
    return ", ".join(told) or f"{shown(value)} -> {shown(other)}"
