"""Ranges of a table, slice by slice, in either direction.

Depends on: keys, shape, bulk, codec, storage.  Never on: what the rows mean.

Law: the rows are those of one `scan` between the same bounds, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pillarbox.bulk.compare import in_order
from pillarbox.codec import successor
from pillarbox.inspect.keys import KeyCodec
from pillarbox.inspect.shape import TableShape
from pillarbox.storage import Engine, StoredKey

_SLICE_ROWS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """Stored keys from `low` up to, without, `high`; None is an open end."""

    low: StoredKey | None
    high: StoredKey | None

    @classmethod
    def of(
        cls, keys: KeyCodec, prefix: Sequence[Any], begin: Sequence[Any] | None, end: Sequence[Any] | None
    ) -> Bounds:
        """Of all keys that begin with the values `prefix`; `begin` is in, `end` is out, prefix included."""
        under = keys.encode(prefix)
        low: StoredKey | None
        high: StoredKey | None
        if isinstance(under, int):
            low, high = under, under + 1
        else:
            low, high = under or None, successor(under)
        return cls(low if begin is None else keys.encode(begin), high if end is None else keys.encode(end))


def rows_within(
    engine: Engine, shape: TableShape, bounds: Bounds, *, newest_first: bool, limit: int | None
) -> Iterator[tuple[StoredKey, bytes]]:
    """The rows, at most `limit`. Raises DataError where a damaged file gives keys out of order, or none."""
    rows = _rows(engine, shape, bounds, newest_first=newest_first, limit=limit)
    return in_order(rows, engine, shape.name, int_key=shape.stored.int_key, newest_first=newest_first)


def _rows(
    engine: Engine, shape: TableShape, bounds: Bounds, *, newest_first: bool, limit: int | None
) -> Iterator[tuple[StoredKey, bytes]]:
    low, high = bounds.low, bounds.high
    left = limit
    while left is None or left > 0:
        asked = _SLICE_ROWS if left is None else min(left, _SLICE_ROWS)
        found = engine.scan(shape.stored, low, high, newest_first=newest_first, limit=asked)
        yield from found
        if len(found) < asked:
            return
        left = None if left is None else left - len(found)
        last = found[-1][0]
        if newest_first:
            high = last
        else:
            low = last + 1 if isinstance(last, int) else last + b"\0"
