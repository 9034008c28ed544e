"""What a live view holds of ranges, so that another one that is opened beside it need not read that again.

Depends on: reads, lane, interests.  Never on: parts, trackers.

Law: what is read is the same as without a seed, and no key that the view holds is read from the store.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pillarbox.views.interests import Interests
from pillarbox.views.reads import Readers, Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell, TableSpec
    from pillarbox.views.lane import Lane

_INT64_MIN: Final = -(1 << 63)


class _Known(NamedTuple):
    """All that is stored in low <= key < high; no `high` is open-ended."""

    low: Any
    high: Any
    keys: list[Any]
    cells: list[Any]


class SeededReads(Reads):
    """Reads of the last commit, for which live lanes tell what they hold. They must not change meanwhile."""

    __slots__ = ("_known",)

    def __init__(self, readers: Readers, shared: Interests, lanes: Iterable[Lane[Any]]) -> None:
        super().__init__(readers, shared=shared)
        #: table id -> what is known, by its beginning.
        self._known: dict[int, list[_Known]] = {}
        for lane in lanes:
            known = _known_of(lane)
            if known is not None:
                self._known.setdefault(lane.spec.id, []).append(known)
        for found in self._known.values():
            found.sort(key=_begin)

    def cells(
        self,
        spec: TableSpec[Any],
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool,
        limit: int | None,
    ) -> list[tuple[StoredKey, Cell]]:
        """As `Reads.cells`."""
        known = self._known.get(spec.id)
        if known is None:
            return super().cells(spec, low, high, newest_first=newest_first, limit=limit)
        first: Any = low if low is not None else _INT64_MIN if spec.int_key else b""
        pieces = _pieces(known, first, high)
        found: list[tuple[StoredKey, Cell]] = []
        for begin, end, held in reversed(pieces) if newest_first else pieces:
            missing = None if limit is None else limit - len(found)
            if missing == 0:
                break
            if held is None:
                found += super().cells(spec, begin, end, newest_first=newest_first, limit=missing)
                continue
            at = bisect_left(held.keys, begin)
            until = len(held.keys) if end is None else bisect_left(held.keys, end)
            rows = list(zip(held.keys[at:until], held.cells[at:until], strict=True))
            if newest_first:
                rows.reverse()
            found += rows[:missing]
        return found


def _pieces(known: list[_Known], first: Any, last: Any) -> list[tuple[Any, Any, _Known | None]]:
    """What covers first <= key < last, in order: (begin, end, where it is known)."""
    pieces: list[tuple[Any, Any, _Known | None]] = []
    at = first
    for one in known:
        if (one.high is not None and one.high <= at) or (last is not None and one.low >= last):
            continue
        if one.low > at:
            pieces.append((at, one.low, None))
            at = one.low
        end = last if one.high is None or (last is not None and last < one.high) else one.high
        pieces.append((at, end, one))
        if end is None or end == last:
            return pieces
        at = end
    if last is None or at < last:
        pieces.append((at, last, None))
    return pieces


def _known_of(lane: Lane[Any]) -> _Known | None:
    span = lane.span()
    if span is None:
        return None
    low, high = span
    if low is None:
        low = _INT64_MIN if lane.spec.int_key else b""
    return _Known(low, high, list(lane.keys), lane.cells())


def _begin(known: _Known) -> Any:
    return known.low
