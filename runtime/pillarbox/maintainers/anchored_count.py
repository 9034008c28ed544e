"""The word `count` with an `anchor`: sums per group, over a base that the server gave.

Depends on: tables, codec, base, stale.  Never on: what is counted; groups, sums and `covers` are generated.

Law: while a group is not stale, its sums equal the server's; none of those that the server gives is ever
negative. Groups that `when` leaves out are counted plainly. `vocabulary.md` 2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add, sub
from typing import Any, ClassVar, Final, Generic, TypeAlias

from pillarbox.codec import Packed
from pillarbox.maintainers.base import Doubt, Keys, MissedShape
from pillarbox.maintainers.count import SumsOf
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell, Entered, Heard, KeptTable, Row

Sums: TypeAlias = tuple[int, ...]
_NO_GROUPS: Final[dict[StoredKey, Sums]] = {}
Base: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class AnchorShape(Generic[Row]):
    """The generated half of an anchored count; `Row` is a row of its source."""

    sums_of: SumsOf[Row]
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
    #: The encoded group and space of a hole -> the parts that begin the keys of the groups that it is of;
    #: None where it is of none.
    hole_parts: Callable[[bytes], Sequence[Any] | None] | None = None
    #: Whether the base has all of a hole, by the encoding of its group and space and of its upper end.
    covers_hole: Callable[[bytes, bytes, Base], bool] | None = None


class AnchoredCountTable(KeptTable[Row]):
    """The table of one anchored `count`: group -> sums, base. It follows its source."""

    __slots__ = ("_doubt",)
    #: Set by the generated class.
    PACKED: ClassVar[Packed]
    SHAPE: ClassVar[AnchorShape[Any]]

    def connect(self, doubt: Doubt) -> None:
        """Called once by the transaction."""
        self._doubt = doubt

    # --------------------------------------------------------------------------------- following

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Take changes of the source, in their order."""
        work = _Work(self)
        sums_of = self.SHAPE.sums_of
        nothing = (0,) * len(self.SHAPE.given)
        sides = [
            (
                change,
                _NO_GROUPS if change.old is None else _by_group(sums_of(change.old)),
                _NO_GROUPS if change.new is None else _by_group(sums_of(change.new)),
            )
            for change in changes
        ]
        if len(sides) > 1:
            self.preload([key for _, before, after in sides for key in (*before, *after)])
        for change, before, after in sides:
            if change.old is None and not isinstance(change, Entered):
                for key, sums in after.items():
                    work.news(key, change.new, sums)
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
            tuple(sums.get(at, value) for at, value in enumerate(held)),
            tuple(base.get(at, value) for at, value in enumerate(standing)),
        )
        if not (current and whole):
            self._doubt.mark([key])

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


def _by_group(entries: Iterable[tuple[StoredKey, Sums]]) -> dict[StoredKey, Sums]:
    """What one row adds to each group; a row may name a group more than once."""
    found: dict[StoredKey, Sums] = {}
    for key, sums in entries:
        held = found.get(key)
        found[key] = sums if held is None else tuple(map(add, held, sums))
    return found


class _Work:
    """The groups that a run of changes touches, each read and written once."""

    __slots__ = ("_anchored", "_changed", "_stale", "_states", "_table")

    def __init__(self, table: AnchoredCountTable[Any]) -> None:
        self._table = table
        #: None where there is no row.
        self._states: dict[StoredKey, tuple[Sums, Base] | None] = {}
        self._anchored: dict[StoredKey, bool] = {}
        self._changed: set[StoredKey] = set()
        self._stale: list[StoredKey] = []

    def _state(self, key: StoredKey) -> tuple[Sums, Base] | None:
        if key not in self._states:
            cell = self._table.cell(key)
            self._states[key] = None if cell is None else self._table.state(cell)
            self._anchored[key] = self._table.SHAPE.anchored(key)
        return self._states[key]

    def news(self, key: StoredKey, row: Any, sums: Sums) -> None:
        """A row that is new here adds its sums, but for those that the base has already."""
        shape = self._table.SHAPE
        state = self._state(key)
        if state is not None and self._anchored[key]:
            if shape.guess:
                self._stale.append(key)
            if shape.guess or (shape.covers is not None and shape.covers(row, state[1])):
                sums = tuple(0 if given else one for one, given in zip(sums, shape.given, strict=True))
        if any(sums):
            self.change(key, sums, gone=False)

    def change(self, key: StoredKey, more: Sums, *, gone: bool) -> None:
        """A row has changed by so much; `gone`: it has left the group."""
        shape = self._table.SHAPE
        state = self._state(key)
        anchored = self._anchored[key]
        if state is None:
            if anchored:
                self._stale.append(key)  # There is no base, so what is stored is counted.
                if gone:
                    return
            state = self._table.blank()
        sums = tuple(map(add, state[0], more))
        if (
            anchored
            and min(sums) < 0
            and any(one < 0 for one, given in zip(sums, shape.given, strict=True) if given)
        ):
            sums = tuple(max(one, 0) if given else one for one, given in zip(sums, shape.given, strict=True))
            self._stale.append(key)
        self._states[key] = (sums, state[1])
        self._changed.add(key)

    def done(self) -> None:
        """Write what was worked out."""
        for key in self._changed:
            state = self._states[key]
            assert state is not None
            self._table.store(key, *state)
        self._table.doubt(self._stale)
