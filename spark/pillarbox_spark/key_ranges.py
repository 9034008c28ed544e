"""What a query asks of key parts, as ranges of stored keys.

Depends on: pyspark's filters, pillarbox.inspect (keys by the stored layout).  Never on: reading.

Law: every row that passes the filters lies in exactly one of the ranges. Others may lie there too, so Spark
still applies each filter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from pyspark.sql.datasource import (
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    LessThan,
    LessThanOrEqual,
)

from pillarbox.codec import one_key, successor
from pillarbox.errors import RangeError
from pillarbox.inspect.keys import KeyCodec
from pillarbox.inspect.shape import PartShape

#: To look more of them up would take longer than to read what lies between them.
_RANGES_MAX: Final = 1_000


class KeyRange(NamedTuple):
    """Stored keys from `low` up to, without, `high`; None is an open end.

    They are typed Any, for those of one table are all bytes or all ints, and so can be compared.
    """

    low: Any
    high: Any


def ranges_of(keys: KeyCodec, parts: Sequence[PartShape], filters: Iterable[Filter]) -> list[KeyRange]:
    """The ranges, rising, of a table with these key parts; none where no row can pass the filters."""
    found = [KeyRange(None, None)]
    prefixes: list[tuple[Any, ...]] = [()]
    by_part = _by_part(parts, filters)
    for part in parts:
        of_part = by_part[part.name]
        values = _values(of_part)
        if values is None or len(values) * len(prefixes) > _RANGES_MAX:
            found = [_narrowed(keys, prefix, part, of_part) for prefix in prefixes]
            break
        prefixes = [it for prefix in prefixes for value in values if _is_key(keys, it := (*prefix, value))]
        found = [_under(keys, prefix) for prefix in prefixes]
    # One that is open at an end is the only one, or the last.
    return sorted({it for it in found if it.low is None or it.high is None or it.low < it.high})


def _by_part(parts: Sequence[PartShape], filters: Iterable[Filter]) -> dict[str, list[Filter]]:
    """The filters of each part; those of what lies within a column are of none."""
    found: dict[str, list[Filter]] = {part.name: [] for part in parts}
    for it in filters:
        attribute: tuple[str, ...] = getattr(it, "attribute", ())
        if len(attribute) == 1 and attribute[0] in found:
            found[attribute[0]].append(it)
    return found


def _values(filters: Iterable[Filter]) -> list[Any] | None:
    """The only values that may pass the filters; None where no filter names them."""
    named: list[tuple[Any, ...]] = []
    for it in filters:
        match it:
            case EqualTo(_, value) | EqualNullSafe(_, value):
                named.append((value,))
            case In(_, values):
                named.append(values)
    if not named:
        return None
    shortest = min(named, key=len)
    return [_stored(value) for value in shortest]


def _stored(value: Any) -> Any:
    """A value as keys have it. Spark's decimals are the widest integers, its bytes may be an array."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return bytes(value) if isinstance(value, bytearray) else value


def _is_key(keys: KeyCodec, values: Sequence[Any]) -> bool:
    """Whether a key can begin with these values. Those out of range, fractions and null are in none."""
    try:
        keys.encode(values)
    except RangeError:
        return False
    return True


def _under(keys: KeyCodec, prefix: Sequence[Any]) -> KeyRange:
    """All keys that begin with these values."""
    key = keys.encode(prefix)
    if isinstance(key, int):
        return KeyRange(*one_key(key))
    return KeyRange(key or None, successor(key))


def _narrowed(
    keys: KeyCodec, prefix: tuple[Any, ...], part: PartShape, filters: Iterable[Filter]
) -> KeyRange:
    """The keys that begin with a prefix, and pass the filters of the part behind it."""
    low, high = _under(keys, prefix)
    lows: list[Any] = [] if low is None else [low]
    highs: list[Any] = [] if high is None else [high]
    for it in filters:
        match it:
            case GreaterThan(_, value) | GreaterThanOrEqual(_, value):
                is_low = not part.desc
            case LessThan(_, value) | LessThanOrEqual(_, value):
                is_low = part.desc
            case _:
                continue
        end = (*prefix, _stored(value))
        if _is_key(keys, end):  # else it keeps out no key, or all, which Spark sees
            there = _under(keys, end)
            is_beyond = isinstance(it, (GreaterThan, LessThan)) == is_low
            bound = there.high if is_beyond else there.low
            if bound is not None:
                (lows if is_low else highs).append(bound)
            elif is_low:  # nothing lies above
                return KeyRange(there.low, there.low)
    return KeyRange(max(lows, default=None), min(highs, default=None))
