"""From a key prefix to the bounds of a read.

Depends on: codec, reads.  Never on: parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pillarbox.codec import successor
from pillarbox.views.lane import next_key
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec


def bounds(prefix: StoredKey, *, int_key: bool) -> tuple[StoredKey | None, StoredKey | None]:
    """(low, high) of the keys that begin with `prefix`: low <= key < high, None is open-ended.

    A table with int keys knows the whole table (b"") and single keys only.
    """
    if not isinstance(prefix, bytes):
        return prefix, next_key(prefix)
    if int_key or not prefix:
        return None, None
    return prefix, successor(prefix)


def within(
    range_: tuple[StoredKey | None, StoredKey | None], low: StoredKey | None, high: StoredKey | None
) -> tuple[StoredKey | None, StoredKey | None]:
    """What of a range is not below `low` and is below `high`; None bounds nothing."""
    first, last = range_
    if low is not None and (first is None or low > first):  # type: ignore[operator]
        first = low
    if high is not None and (last is None or high < last):  # type: ignore[operator]
        last = high
    return first, last


def rows_under(reads: Reads, spec: TableSpec[Any], prefix: StoredKey) -> list[Any]:
    """The rows whose keys begin with `prefix`, such as a whole key, as of the commit."""
    low, high = bounds(prefix, int_key=spec.int_key)
    return [spec.row(key, cell) for key, cell in reads.cells(spec, low, high, newest_first=False, limit=None)]
