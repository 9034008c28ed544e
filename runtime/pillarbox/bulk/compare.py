"""Whether two boxes hold the same, and where they differ.

Depends on: box (packages), storage.  Never on: how the boxes came about.

Law: no difference is told exactly when every table has the same keys with the same bytes in both, but for
the versions of what is in doubt: these count how often it was doubted, which is as often as there were
transactions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from os import PathLike, fspath
from typing import Any, Final

from pillarbox.box.opening import stored_layout
from pillarbox.box.package import Package, Rd, Tx
from pillarbox.errors import DataError
from pillarbox.storage import Engine, StoredKey, in_slices, open_engine
from pillarbox.tables import TableSpec

_SLICE_ROWS: Final = 10_000
#: Bytes of a value that are shown.
_SHOWN: Final = 40


def differences(
    package: Package[Tx, Rd], one: str | PathLike[str], other: str | PathLike[str], *, limit: int = 20
) -> list[str]:
    """What differs between two boxes, table by table and byte by byte: a text a row, at most `limit`."""
    first = open_engine(fspath(one), durability="relaxed", read_only=True)
    try:
        second = open_engine(fspath(other), durability="relaxed", read_only=True)
        try:
            return list(islice(_all(package, first, second), limit))
        finally:
            second.close()
    finally:
        first.close()


def _all(package: Package[Tx, Rd], one: Engine, other: Engine) -> Iterator[str]:
    if stored_layout(one) != stored_layout(other):
        yield f"the layouts differ: {one.path} and {other.path} were written by different packages"
        return
    doubted = _doubted(package)
    for spec in package.specs:
        for key, first, second in paired(rows_of(one, spec), rows_of(other, spec)):
            if spec.id in doubted and first and second and said(first) == said(second):
                continue
            yield (
                f"table {spec.name!r}, key {spec.key_fields(key)!r}: "
                f"{shown(first)} in {one.path}, {shown(second)} in {other.path}"
            )


def _doubted(package: Package[Tx, Rd]) -> set[int]:
    """The tables of what is in doubt; their values begin with a version."""
    tables = package.layout_tree["tables"]
    return {int(number) for number, table in tables.items() if (table["rule"] or {}).get("word") == "stale"}


def said(value: bytes) -> bytes:
    """What is said of what is in doubt: all but the version, 4 bytes behind the one for absent fields."""
    return value[:1] + value[5:]


def rows_of(engine: Engine, spec: TableSpec[Any]) -> Iterator[tuple[Any, bytes]]:
    """All rows of a table in key order, a slice at a time. Raises DataError, see `in_order`."""
    slices = in_slices(partial(engine.scan, spec.layout), _SLICE_ROWS, engine.path, spec.name)
    return in_order(chain.from_iterable(slices), engine, spec.name, int_key=spec.layout.int_key)


def in_order(
    rows: Iterator[tuple[Any, bytes]],
    engine: Engine,
    table: str,
    *,
    int_key: bool,
    newest_first: bool = False,
) -> Iterator[tuple[Any, bytes]]:
    """The rows as they come. Raises DataError where a damaged file gives a key that is none, or out of order.

    Without it the next slice may begin where one before it did, and so on for ever.
    """
    before: Any = None
    for row in rows:
        key = row[0]
        follows = isinstance(key, int if int_key else bytes)
        if follows and before is not None:
            follows = key < before if newest_first else before < key
        if not follows:
            where = "comes first" if before is None else f"comes behind {before!r}"
            raise DataError(
                f"{engine.path}: table {table!r} is damaged: the key {key!r} {where}; put a backup in its "
                f"place"
            )
        before = key
        yield row


def paired(
    one: Iterator[tuple[Any, bytes]], other: Iterator[tuple[Any, bytes]]
) -> Iterator[tuple[StoredKey, bytes | None, bytes | None]]:
    """(key, value, other value) where they differ, out of rows in key order."""
    first, second = next(one, None), next(other, None)
    while first is not None or second is not None:
        if second is None or (first is not None and first[0] < second[0]):
            assert first is not None
            yield first[0], first[1], None
            first = next(one, None)
        elif first is None or second[0] < first[0]:
            yield second[0], None, second[1]
            second = next(other, None)
        else:
            if first[1] != second[1]:
                yield first[0], first[1], second[1]
            first, second = next(one, None), next(other, None)


def shown(value: bytes | None) -> str:
    if value is None:
        return "no row"
    rest = "..." if len(value) > _SHOWN else ""
    return f"0x{value[:_SHOWN].hex()}{rest}"
