"""The word `count` with an `anchor`: sums per group, over a base that the server gave.

Depends on: tables, codec, base.  Never on: what is counted; groups, sums and `covers` are generated.

Law: while a group is not stale, its sums equal the server's; none of those that the server gives is ever
negative. Groups that `when` leaves out are counted plainly. `vocabulary.md` 2.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import add, sub
from typing import Any, ClassVar, Final, Generic, TypeAlias

from pillarbox.codec import Packed
from pillarbox.maintainers.base import Doubt, Keys, MissedShape
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, Entered, Heard, KeptTable, Row

Sums: TypeAlias = tuple[int, ...]
#: Groups of which it is remembered whether they have a base.
_GROUPS_MAX: Final = 4_096
_NO_GROUPS: Final[dict[StoredKey, Sums]] = {}
Base: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class AnchorShape(Generic[Row]):
    """The generated half of an anchored count; `Row` is a row of its source."""

    sums_of: Callable[[Row], Collection[tuple[StoredKey, Sums]]]
    #: Whether a group has a base; by its key.
    anchored: Callable[[Any], bool]
    #: Whether the base has a row that is new here; None: it never has.
    covers: Callable[[Row, Base], bool] | None
    #: Nobody can say what the base has: a new row leaves the sums as they are, and in doubt.
    guess: bool
    #: For each sum whether the server gives it.
    given: tuple[bool, ...]
    #: The base of a group that was given none.
    blank: Base
    keys: Keys
    missed: MissedShape
    #: What `sums_of` reads of a row: rows that are alike in it add the same. None: nobody can say.
    facts_of: Callable[[Row], Hashable] | None = None
    #: The encoded group and space of a hole -> the parts that begin the keys of the groups that it is of;
    #: None where it is of none.
    hole_parts: Callable[[bytes], Sequence[Any] | None] | None = None
    #: Whether the base has all of a hole, by the encoding of its group and space and of its upper end.
    covers_hole: Callable[[bytes, bytes, Base], bool] | None = None

    def __post_init__(self) -> None:
        """Spare most keys their taking apart: it depends on nothing else, and is asked at every change."""
        object.__setattr__(self, "anchored", lru_cache(_GROUPS_MAX)(self.anchored))


class AnchoredCountTable(KeptTable[Row]):
    """The table of one anchored `count`: group -> sums, base. It follows its source."""

    __slots__ = ("_doubt",)
    follows_new = True
    #: Set by the generated class.
    PACKED: ClassVar[Packed]
    SHAPE: ClassVar[AnchorShape[Any]]

    def connect(self, doubt: Doubt) -> None:
        """Called once by the transaction."""
        self._doubt = doubt

    def doubt_groups(self, keys: Sequence[StoredKey]) -> None:
        """What is said of these is not to be trusted; what no server gives is 0 until it is counted again."""
        shape = self.SHAPE
        for key, cell in self.cells_at(keys).items():
            sums, base = self.state(cell)
            left = [one if given else 0 for one, given in zip(sums, shape.given, strict=True)]
            self.store(key, tuple(left) if shape.anchored(key) else self.blank()[0], base)
        self._doubt.mark([key for key in keys if shape.anchored(key)])

    def count_again(self, rows: Sequence[Any]) -> None:
        """Count of all stored rows what no server gives; all that has a row was put in doubt before."""
        shape = self.SHAPE
        entries = [entry for row in rows for entry in _by_group(shape.sums_of(row)) if any(entry[1])]
        work = _Work(self, [key for key, _ in entries])
        for key, sums in entries:
            if shape.anchored(key):
                sums = tuple([0 if given else one for one, given in zip(sums, shape.given, strict=True)])
            work.change(key, sums, gone=not any(sums))
        work.done()

    # --------------------------------------------------------------------------------- following

    def follow_new(self, rows: Sequence[Any]) -> None:
        """Count rows that are new, those that are alike together.

        That is the same as one after the other, as long as no sum can fall: what is counted of a row then
        depends on those before it only in whether it is the first one of its group.
        """
        sums_of = self.SHAPE.sums_of
        news = [(same, _by_group(sums_of(same[0]))) for same in self._alike(rows)]
        if len(news) < len(rows) and any(min(sums) < 0 for _, groups in news for _, sums in groups):
            news = [((row,), _by_group(sums_of(row))) for row in rows]
        work = _Work(self, [key for _, groups in news for key, _ in groups])
        for same, groups in news:
            covered: dict[Base, int] = {}
            for key, sums in groups:
                work.news(key, same, sums, covered)
        work.done()

    def _alike(self, rows: Sequence[Any]) -> Iterable[Sequence[Any]]:
        """Rows that add the same, those first whose first one comes first."""
        facts_of = self.SHAPE.facts_of
        if facts_of is None or len(rows) == 1:
            return [(row,) for row in rows]
        alike: defaultdict[Hashable, list[Any]] = defaultdict(list)
        try:
            for facts, row in zip(map(facts_of, rows), rows, strict=True):
                alike[facts].append(row)
        except TypeError:  # a list was given for a tuple, which the record takes
            return [(row,) for row in rows]
        return alike.values()

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Take changes of the source, in their order."""
        sums_of = self.SHAPE.sums_of
        nothing = (0,) * len(self.SHAPE.given)
        sides = [
            (
                change,
                _NO_GROUPS if change[1] is None else dict(_by_group(sums_of(change[1]))),
                _NO_GROUPS if change[2] is None else dict(_by_group(sums_of(change[2]))),
            )
            for change in changes
        ]
        work = _Work(self, [key for _, before, after in sides for key in chain(before, after)])
        for change, before, after in sides:
            _, old, new = change
            if old is None and not isinstance(change, Entered):
                for key, sums in after.items():
                    work.news(key, (new,), sums, {})
                continue
            for key in dict.fromkeys((*before, *after)):
                more = tuple(map(sub, after.get(key, nothing), before.get(key, nothing)))
                if any(more):
                    work.change(key, more, gone=key not in after)
        work.done()

    def missed(self, fields: Mapping[str, Any]) -> None:
        """A row that is not stored was changed or removed; `fields` is what is known of it."""
        self._doubt_under(self.SHAPE.missed.known(fields))

    def hole_added(self, group_prefix: bytes, low: bytes, high: bytes) -> None:
        """What lies in the closed range is not known any more."""
        hole_parts = self.SHAPE.hole_parts
        parts = None if hole_parts is None else hole_parts(group_prefix)
        if parts is not None:
            self._doubt_under(parts, (group_prefix, high))

    def _doubt_under(self, parts: Sequence[Any], hole: tuple[bytes, bytes] | None = None) -> None:
        """Mark the groups whose keys begin so, but for those whose base has all of a hole."""
        shape = self.SHAPE
        covers = shape.covers_hole
        self._doubt.mark(
            [
                key
                for key, cell in self.scan_cells(*shape.keys.under(*parts))
                if shape.anchored(key)
                and (hole is None or covers is None or not covers(*hole, self.state(cell)[1]))
            ]
        )

    # ------------------------------------------------------------------------------------- steps

    def anchor_at(
        self, key: StoredKey, sums: Mapping[int, int], base: Mapping[int, Any], *, current: bool = True
    ) -> None:
        """Set what the server gave, or parts of it. `current`: the answer is as new as what was applied."""
        shape = self.SHAPE
        if not shape.anchored(key):
            return
        cell = self.cell(key)
        held, standing = self.blank() if cell is None else self.state(cell)
        whole = cell is not None or all(at in sums for at, given in enumerate(shape.given) if given)
        self.store(
            key,
            tuple(max(sums[at], 0) if at in sums else value for at, value in enumerate(held)),
            tuple(base.get(at, value) for at, value in enumerate(standing)),
        )
        if not (current and whole) or min(sums.values(), default=0) < 0:
            self._doubt.mark([key])

    def remove_at(self, key: StoredKey) -> None:
        """Nobody has said anything of the group. Its doubt stays.

        Where sums that no server gives show that rows of it are here, it stays as it is, in doubt.
        """
        cell = self.cell(key)
        if cell is None or not self.SHAPE.anchored(key):
            return
        sums, _ = self.state(cell)
        if any(one for one, given in zip(sums, self.SHAPE.given, strict=True) if not given):
            self._doubt.mark([key])
        else:
            self.put_cell(key, None)

    # -------------------------------------------------------------------------------------- rows

    def state(self, cell: bytes) -> tuple[Sums, Base]:
        """The sums and the base of a cell."""
        values = self.PACKED.decode(cell)
        width = len(self.SHAPE.given)
        return values[:width], values[width:]

    def blank(self) -> tuple[Sums, Base]:
        """What a group without a row stands at."""
        return (0,) * len(self.SHAPE.given), self.SHAPE.blank

    def store(self, key: StoredKey, sums: Sums, base: Base) -> None:
        """Write the row of a group; one that has no base and no sums has none."""
        kept = any(sums) or self.SHAPE.anchored(key)
        self.put_cell(key, self.PACKED.encode(*sums, *base) if kept else None)

    def together(self, one: Cell, other: Cell) -> Cell | None:
        """The row of a group of which two have counted different rows; None where one has a base."""
        (first, base), (second, others) = self.state(one), self.state(other)
        blank = self.SHAPE.blank
        return self.PACKED.encode(*map(add, first, second), *base) if base == others == blank else None

    def stands(self, key: StoredKey, cell: Cell) -> bool:
        """Whether a group has this row, rather than none."""
        return any(self.state(cell)[0]) or self.SHAPE.anchored(key)

    def doubt(self, keys: Sequence[StoredKey]) -> None:
        """Mark these groups stale."""
        self._doubt.mark(keys)


def _by_group(entries: Collection[tuple[StoredKey, Sums]]) -> tuple[tuple[StoredKey, Sums], ...]:
    """What one row adds to each group; a row may name a group more than once."""
    if len(entries) > 1:
        found = dict(entries)
        if len(found) < len(entries):
            found.clear()
            for key, sums in entries:
                held = found.get(key)
                found[key] = sums if held is None else tuple(map(add, held, sums))
            return tuple(found.items())
    return tuple(entries)


class _Group:
    """One group, while it is worked on."""

    __slots__ = ("anchored", "base", "is_changed", "sums")

    def __init__(self, sums: Sums | None, base: Base, *, anchored: bool) -> None:
        #: None where there is no row.
        self.sums = sums
        self.base = base
        self.anchored = anchored
        self.is_changed = False


class _Work:
    """The groups that a run of changes touches, each read and written once."""

    __slots__ = ("_cells", "_groups", "_nothing", "_shape", "_stale", "_table")

    def __init__(self, table: AnchoredCountTable[Any], keys: Sequence[StoredKey]) -> None:
        """`keys` are those of all groups that will be asked for."""
        self._table = table
        self._shape = table.SHAPE
        self._cells = table.cells_at(keys)
        self._groups: dict[StoredKey, _Group] = {}
        self._stale: list[StoredKey] = []
        self._nothing = (0,) * len(table.SHAPE.given)

    def _group(self, key: StoredKey) -> _Group:
        shape, cell = self._shape, self._cells.get(key)
        sums, base = (None, shape.blank) if cell is None else self._table.state(cell)
        group = self._groups[key] = _Group(sums, base, anchored=shape.anchored(key))
        return group

    def news(self, key: StoredKey, rows: Sequence[Any], sums: Sums, covered: dict[Base, int]) -> None:
        """Rows that are new here add their sums each, but for those that the base has already.

        `covered`: how many of the rows a base has, as far as it was asked.
        """
        shape, times = self._shape, len(rows)
        group = self._groups.get(key) or self._group(key)
        first = group.anchored and group.sums is None
        if first:
            if sums == self._nothing:
                return  # The group is as it was, without a base and without a row.
            self._add(key, group, sums)
            times -= 1
        known = 0
        if group.anchored and times:
            if shape.guess:
                self._stale.append(key)
                known = times
            elif shape.covers is not None:
                known = self._known(rows, group.base, covered, first=first)
        if known:
            more = tuple([0 if given else one for one, given in zip(sums, shape.given, strict=True)])
            self._add_times(key, group, more, known)
        self._add_times(key, group, sums, times - known)

    def _known(self, rows: Sequence[Any], base: Base, covered: dict[Base, int], *, first: bool) -> int:
        """How many of the rows a base has; `first`: of those after the first."""
        covers = self._shape.covers
        assert covers is not None
        known = covered.get(base)
        if known is None:
            known = covered[base] = sum([covers(row, base) for row in rows])
        return known - covers(rows[0], base) if first else known

    def _add_times(self, key: StoredKey, group: _Group, sums: Sums, times: int) -> None:
        if times and sums != self._nothing:
            self._add(key, group, sums if times == 1 else tuple([one * times for one in sums]))

    def change(self, key: StoredKey, more: Sums, *, gone: bool) -> None:
        """A row has changed by so much; `gone`: it has left the group."""
        group = self._groups.get(key) or self._group(key)
        if not gone or group.sums is not None or not group.anchored:
            self._add(key, group, more)
        else:
            self._stale.append(key)

    def _add(self, key: StoredKey, group: _Group, more: Sums) -> None:
        held = group.sums
        if held is None:
            if group.anchored:
                self._stale.append(key)  # There is no base, so what is stored is counted.
            held = self._nothing
        sums = tuple(map(add, held, more))
        if group.anchored and min(sums) < 0:
            given = self._shape.given
            kept = tuple([max(one, 0) if given else one for one, given in zip(sums, given, strict=True)])
            if kept != sums:
                self._stale.append(key)
                sums = kept
        group.sums = sums
        group.is_changed = True

    def done(self) -> None:
        """Write what was worked out."""
        table, encode = self._table, self._table.PACKED.encode
        cells: dict[StoredKey, Cell | None] = {}
        for key, group in self._groups.items():
            if group.is_changed:
                assert group.sums is not None
                # One that has no base and no sums has no row.
                kept = group.anchored or any(group.sums)
                cells[key] = encode(*group.sums, *group.base) if kept else None
        table.put_cells(cells)
        table.doubt(self._stale)
