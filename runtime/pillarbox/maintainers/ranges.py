"""The kept word `ranges`: disjoint closed ranges per group and space, such as what was never fetched.

Depends on: tables, codec.  Never on: what lies in the ranges; keys, edges and `spread` are generated.

Law: per group and space the ranges cover the points that the steps made of them, each step a union or a
difference clipped to `from .. to`; they are the fewest closed ranges that do, in order, none touching
another. Two ranges touch where the key bytes of one edge follow those of the other. `vocabulary.md` 2.11.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol

from pillarbox.codec import INT64_BIAS, Packed, successor
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables import Cell, KeptTable, Row, TableReader, TableSpec, TableWriter, TouchLog

#: Ranges of a group that are held in a transaction; a group of more is read where it is touched.
_HELD_MAX: Final = 256
_KEY: Final = itemgetter(0)


class Edges:
    """How one table writes its ranges: the upper edge ends the key, the value is the lower one.

    An edge is the bytes of the declared `over` parts, `width` of them in every edge.
    """

    __slots__ = ("_edge_of", "_fields_of", "_int_key", "_packed", "first", "last", "parts", "width")

    def __init__(
        self,
        spec: TableSpec[Any],
        edge_of: Callable[..., bytes],
        packed: Packed,
        *,
        start: tuple[int, ...] | None,
        end: tuple[int, ...] | None,
    ) -> None:
        """`edge_of` encodes the values of an edge; `start` and `end` clip, None does not."""
        self._edge_of = edge_of
        self._fields_of = spec.key_fields
        self._int_key = spec.int_key
        self._packed = packed
        self.parts = packed.width
        self.width = len(edge_of(*(0,) * packed.width))
        bounds = sorted(
            (
                bytes(self.width) if start is None else edge_of(*start),
                b"\xff" * self.width if end is None else edge_of(*end),
            )
        )
        self.first, self.last = bounds

    def stored(self, raw: bytes) -> StoredKey:
        """The stored key of key bytes."""
        return int.from_bytes(raw, "big") - INT64_BIAS if self._int_key else raw

    def raw(self, key: Any) -> bytes:
        """The key bytes of a stored key."""
        raw: bytes = (key + INT64_BIAS).to_bytes(8, "big") if self._int_key else key
        return raw

    def upper(self, key: StoredKey) -> bytes:
        """The upper edge of a stored key."""
        return self.raw(key)[-self.width :]

    def lower(self, cell: Cell) -> bytes:
        """The lower edge out of a cell."""
        return self._edge_of(*self._packed.decode(cell))

    def cell(self, prefix: bytes, lower: bytes) -> Cell:
        """The cell of a lower edge."""
        return self._packed.encode(*self._fields_of(self.stored(prefix + lower))[-self.parts :])

    def before(self, edge: bytes) -> bytes | None:
        """The edge right before this one; None before the first of all."""
        number = int.from_bytes(edge, "big") - 1
        return None if number < 0 else number.to_bytes(self.width, "big")

    def after(self, edge: bytes) -> bytes | None:
        """The edge right after this one; None after the last of all."""
        number = int.from_bytes(edge, "big") + 1
        return None if number >> (8 * self.width) else number.to_bytes(self.width, "big")


class HoleFollower(Protocol):
    """A word whose base of a server is in doubt where ranges come up."""

    def hole_added(self, group_prefix: bytes, low: bytes, high: bytes) -> None:
        """The closed range, or part of it, is in the table now and was not before."""


class Closest(NamedTuple, Generic[Row]):
    """The ranges about a stretch of keys."""

    #: Those that share a point with it, in order.
    intersecting: tuple[Row, ...]
    #: The nearest one that lies wholly before it, and the nearest wholly behind it.
    below: Row | None
    above: Row | None


class RangesReader(TableReader[Row]):
    """Reads ranges by position. Generated readers add typed `covers`, `intersecting` and `closest`."""

    __slots__ = ()
    #: Set by the generated class.
    EDGES: ClassVar[Edges]

    def _between(self, prefix: bytes, low: bytes, high: bytes) -> list[tuple[StoredKey, Cell]]:
        """The ranges that share a point with low .. high."""
        edges = self.EDGES
        if low > high:
            return []
        found = self.scan_cells(edges.stored(prefix + low), self._end(prefix, high))
        return found + [entry for entry in self._above(prefix, high) if edges.lower(entry[1]) <= high]

    def _above(self, prefix: bytes, edge: bytes) -> list[tuple[StoredKey, Cell]]:
        """The first range whose upper edge lies above, if there is one."""
        low = self.EDGES.after(edge)
        if low is None:
            return []
        low_key = self.EDGES.stored(prefix + low)
        return self.scan_cells(low_key, successor(prefix) if prefix else None, limit=1)

    def _end(self, prefix: bytes, edge: bytes) -> StoredKey | None:
        """The open end of a scan whose last key is at `edge`."""
        after = self.EDGES.after(edge)
        if after is None:
            return successor(prefix) if prefix else None
        return self.EDGES.stored(prefix + after)

    def _covers(self, prefix: bytes, edge: bytes) -> bool:
        return bool(self._between(prefix, edge, edge))

    def _intersecting(self, prefix: bytes, low: bytes, high: bytes) -> list[Row]:
        return self._rows_of(self._between(prefix, low, high))

    def _closest(self, prefix: bytes, low: bytes, high: bytes) -> Closest[Row]:
        edges = self.EDGES
        below = self.scan_cells(
            edges.stored(prefix) if prefix else None, edges.stored(prefix + low), newest_first=True, limit=1
        )
        inside = self._between(prefix, low, high)
        # Of the ranges that end above, the first may begin inside.
        last = edges.upper(inside[-1][0]) if inside else high
        above = self._above(prefix, max(last, high))
        return Closest(
            tuple(self._rows_of(inside)),
            next(iter(self._rows_of(below)), None),
            next(iter(self._rows_of(above)), None),
        )


def _common(low: bytes, high: bytes) -> bytes:
    """What two prefixes, and all between them, begin with."""
    pairs = enumerate(zip(low, high, strict=False))
    return low[: next((place for place, (one, other) in pairs if one != other), len(low))]


class RangesTable(KeptTable[Row], RangesReader[Row]):
    """The table of ranges inside a transaction. Generated classes add typed `add_range` and `cut_range`.

    A step reads the ranges it touches and at most one neighbour on each side. One on several spaces reads
    all that its group holds, once a transaction, where that is not too much. What was cut is not cut again
    before something is added: rows that come in order, each of which cuts all from itself on, look once. What
    was heard before is followed by the ranges as they were: before a step writes, and only then.
    """

    __slots__ = ("_held", "_hole_followers", "_last_cuts")

    def __init__(self, engine: Engine, log: TouchLog) -> None:
        super().__init__(engine, log)
        self._hole_followers: tuple[HoleFollower, ...] = ()
        #: Prefix of a space -> all its ranges, in order; of spaces that were read whole in this transaction.
        self._held: dict[bytes, list[tuple[StoredKey, Cell]]] = {}
        #: Spaces -> what a step has cut of all of them last in this transaction, since something was added.
        self._last_cuts: dict[tuple[bytes, ...], tuple[bytes, bytes]] = {}

    def holes_followed_by(self, followers: Iterable[HoleFollower]) -> None:
        """Called once by the transaction: who hears of what `add_range` adds."""
        self._hole_followers = (*self._hole_followers, *followers)

    def is_followed_by(self, follower: HoleFollower) -> bool:
        """Whether it hears of what is added."""
        return any(it is follower for it in self._hole_followers)

    def tell_stored(self, follower: HoleFollower, found: Iterable[tuple[StoredKey, Cell]]) -> None:
        """Have one that came later hear of stored ranges as if they were added now."""
        edges = self.EDGES
        for key, cell in found:
            follower.hole_added(edges.raw(key)[: -edges.width], edges.lower(cell), edges.upper(key))

    def intersects(self, group_prefix: bytes, low: bytes, high: bytes) -> bool:
        """Whether a range shares a point with low .. high, both encoded, in this group and space."""
        return bool(self._between(group_prefix, low, high))

    def touch(self, key: bytes) -> None:
        """A step is about to write the group that this key, or prefix of one, is of."""

    def _add_all(self, prefixes: Iterable[bytes], low: bytes, high: bytes) -> None:
        """The step `add_range` on the space it names and those it spreads to."""
        spaces = self._clipped(prefixes, low, high)
        if spaces:
            self._settle()
            self.touch(spaces[0])
            self._read_whole(spaces)
            for prefix in spaces:
                self._add(prefix, low, high)

    def _cut_all(self, prefixes: Iterable[bytes], low: bytes, high: bytes) -> None:
        """The step `cut_range` on the space it names and those it spreads to."""
        spaces = self._clipped(prefixes, low, high)
        if not spaces:
            return
        last = self._last_cuts.get(spaces)
        if last is not None and last[0] <= low and high <= last[1]:
            return
        self.touch(spaces[0])
        self._read_whole(spaces)
        held = self._held
        met = [prefix for prefix in spaces if held.get(prefix, True) and self._between(prefix, low, high)]
        if met:
            self._settle()
            for prefix in met:
                self._cut(prefix, low, high)
        self.enter()  # what is held ends with the transaction, though nothing may be written
        self._last_cuts[spaces] = low, high

    def _clipped(self, prefixes: Iterable[bytes], low: bytes, high: bytes) -> tuple[bytes, ...]:
        """The prefixes to step on: none where the stretch is empty."""
        if max(low, self.EDGES.first) > min(high, self.EDGES.last):
            return ()
        return tuple(dict.fromkeys(prefixes))

    def _read_whole(self, prefixes: tuple[bytes, ...]) -> None:
        """Hold the spaces if they are several: one read of their group instead of one or two of each.

        Nothing is settled for it: what follows other tables writes no ranges.
        """
        unread = [prefix for prefix in prefixes if prefix not in self._held]
        if len(unread) < 2:
            return
        edges = self.EDGES
        group = _common(min(unread), max(unread))
        low = edges.stored(group) if group else None
        found = TableWriter.scan_cells(self, low, successor(group) if group else None, limit=_HELD_MAX + 1)
        if len(found) <= _HELD_MAX:
            spaces: dict[bytes, list[tuple[StoredKey, Cell]]] = {prefix: [] for prefix in unread}
            for entry in found:
                space = spaces.get(edges.raw(entry[0])[: -edges.width])
                if space is not None:
                    space.append(entry)
            self.enter()
            self._held.update(spaces)

    def _between(self, prefix: bytes, low: bytes, high: bytes) -> list[tuple[StoredKey, Cell]]:
        """As the reader's, of what is held where it is."""
        held = self._held.get(prefix)
        if held is None:
            return super()._between(prefix, low, high)
        edges = self.EDGES
        start = bisect_left(held, edges.stored(prefix + low), key=_KEY)
        stop = start
        while stop < len(held) and edges.lower(held[stop][1]) <= high:
            stop += 1
        return held[start:stop] if low <= high else []

    def put_known(self, key: StoredKey, old: Cell | None, cell: Cell | None) -> None:
        """As `TableWriter.put_known`."""
        super().put_known(key, old, cell)
        if not self._held:
            return
        held = self._held.get(self.EDGES.raw(key)[: -self.EDGES.width])
        if held is None:
            return
        place = bisect_left(held, key, key=_KEY)
        stands = place < len(held) and held[place][0] == key
        held[place : place + stands] = [] if cell is None else [(key, cell)]

    def put_cell(self, key: StoredKey, cell: Cell | None) -> None:
        """As `TableWriter.put_cell`."""
        self._held.clear()
        self._last_cuts.clear()
        super().put_cell(key, cell)

    def forget(self) -> None:
        """As `TableWriter.forget`."""
        super().forget()
        self._held.clear()
        self._last_cuts.clear()

    def clip(self, ranges: Iterable[tuple[StoredKey, Cell]]) -> None:
        """Take away what of stored ranges lies beyond `from` and `to`, which were others once."""
        edges = self.EDGES
        for key, cell in ranges:
            lower, upper = edges.lower(cell), edges.upper(key)
            low, high = max(lower, edges.first), min(upper, edges.last)
            if (low, high) != (lower, upper):
                self.put_cell(key, None)
                if low <= high:
                    prefix = edges.raw(key)[: -edges.width]
                    self.put_cell(edges.stored(prefix + high), edges.cell(prefix, low))

    def _remove_under(self, prefix: bytes) -> int:
        """Forget the ranges of all keys that begin so; how many there were."""
        self.touch(prefix)
        found = self.scan_cells(
            self.EDGES.stored(prefix) if prefix else None, successor(prefix) if prefix else None
        )
        for key, cell in found:
            self.put_known(key, cell, None)
        return len(found)

    def _add(self, prefix: bytes, low: bytes, high: bytes) -> None:
        """The union with low .. high, after clipping; an empty stretch is nothing."""
        self._last_cuts.clear()
        edges = self.EDGES
        low, high = max(low, edges.first), min(high, edges.last)
        if low > high:
            return
        added = (low, high)
        # Neighbours that touch are met by looking one point further.
        met = self._between(prefix, edges.before(low) or low, edges.after(high) or high)
        if met:
            first, last = edges.lower(met[0][1]), edges.upper(met[-1][0])
            if len(met) == 1 and first <= low and high <= last:
                return
            low, high = min(low, first), max(high, last)
        key = edges.stored(prefix + high)
        standing = dict(met)
        for other, cell in met:
            if other != key:
                self.put_known(other, cell, None)
        self.put_known(key, standing.get(key), edges.cell(prefix, low))
        for follower in self._hole_followers:
            follower.hole_added(prefix, *added)

    def _cut(self, prefix: bytes, low: bytes, high: bytes) -> None:
        """The difference to low .. high; an empty stretch is nothing."""
        edges = self.EDGES
        low, high = max(low, edges.first), min(high, edges.last)
        for key, cell in self._between(prefix, low, high):
            lower, upper = edges.lower(cell), edges.upper(key)
            behind, ahead = edges.after(high), edges.before(low)
            rest = None
            if upper > high:
                assert behind is not None
                rest = edges.cell(prefix, behind)
            self.put_known(key, cell, rest)
            if lower < low:
                assert ahead is not None
                self.put_known(edges.stored(prefix + ahead), None, cell)
