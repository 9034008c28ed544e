"""The kept word `marker`: positions in a stream, and the server's count above one of them.

Depends on: tables, codec, base.  Never on: what the rows mean; group, position and what counts are
generated.

Law: while a group is not stale, its count equals the server's rows above the counted mark that pass `counts`;
it is never negative. `vocabulary.md` 2.12.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic

from pillarbox.codec import Packed
from pillarbox.maintainers.base import Doubt, Holes, HolesShape, Keys, MissedShape, Position, after
from pillarbox.storage import StoredKey
from pillarbox.tables import Entered, Heard, KeptTable, Row, TableReader

#: Rows passed over are read so many at a time, and no further than the count goes.
_SLICE: Final = 1_000


@dataclass(frozen=True)
class MarkerShape(Generic[Row]):
    """The generated half of a `marker`; `Row` is a row of the table that it is over."""

    #: The key of a row's group; None where `when` leaves it out.
    group_of: Callable[[Row], StoredKey | None]
    position_of: Callable[[Row], Position]
    counts: Callable[[Row], bool]
    #: The keys of the marker, and those of the table that it is over: those of a group, then a position.
    keys: Keys
    stream: Keys
    #: Whether `when` takes in the group.
    tracks: Callable[[Any], bool]
    #: Whether a group without a row stands at zero, by `default`.
    assumed: Callable[[Any], bool]
    missed: MissedShape
    holes: HolesShape | None
    marks: int
    #: Which of the marks is counted above.
    counted: int
    #: Parts of a position.
    width: int
    known: bool
    flag: bool


class State:
    """The row of one group, while it is worked on."""

    __slots__ = ("count", "flag", "known", "marks")

    def __init__(self, marks: list[Position], count: int, known: Position | None, flag: bool) -> None:
        self.marks = marks
        self.count = count
        self.known = known
        self.flag = flag


class MarkerTable(KeptTable[Row]):
    """The table of one `marker`: group -> marks, count, known, flag. It follows what it is over."""

    __slots__ = ("_doubt", "_holes", "_over")
    follows_new = True
    #: Set by the generated class.
    PACKED: ClassVar[Packed]
    SHAPE: ClassVar[MarkerShape[Any]]

    def connect(self, over: TableReader[Any], doubt: Doubt, holes: Holes | None) -> None:
        """Called once by the transaction."""
        self._over = over
        self._doubt = doubt
        self._holes = holes

    def doubt_groups(self, keys: Sequence[StoredKey]) -> None:
        """What is said of these is not to be trusted; those that `when` leaves out have no marks any more."""
        for key in keys:
            if not self.SHAPE.tracks(key):
                self.put_cell(key, None)
        self._doubt.mark([key for key in keys if self.SHAPE.tracks(key)])

    def count_again(self, rows: Sequence[Any]) -> None:
        """Of groups that stored rows count in, and of which nothing is said, that is in doubt as well."""
        group_of, counts = self.SHAPE.group_of, self.SHAPE.counts
        groups = dict.fromkeys(group_of(row) for row in rows if counts(row))
        self.doubt([key for key in groups if key is not None and self.cell(key) is None])

    # --------------------------------------------------------------------------------- following

    def follow_new(self, rows: Sequence[Any]) -> None:
        """Count rows that are new, group by group: what is counted of one has no part in another."""
        group_of, counts = self.SHAPE.group_of, self.SHAPE.counts
        groups: defaultdict[StoredKey, list[Any]] = defaultdict(list)
        for row in rows:
            if counts(row) and (key := group_of(row)) is not None:
                groups[key].append(row)
        if len(groups) > 1:
            self.preload(groups)
        work = _Work(self)
        for key, found in groups.items():
            work.news(key, found)
        work.done()

    def follow(self, changes: Sequence[Heard[Any]]) -> None:
        """Take changes of the table that it is over, in their order."""
        shape = self.SHAPE
        work = _Work(self)
        group_of, counts = shape.group_of, shape.counts
        sides = [
            (
                change,
                None if change[1] is None or not counts(change[1]) else group_of(change[1]),
                None if change[2] is None or not counts(change[2]) else group_of(change[2]),
            )
            for change in changes
        ]
        if len(sides) > 1:
            self.preload([key for _, was, now in sides for key in (was, now) if key is not None])
        for change, was, now in sides:
            _, old, new = change
            if was is not None:
                # A row that changes is no news: neither side asks what the base covers.
                work.less(was, shape.position_of(old))
            if now is not None:
                work.more(now, shape.position_of(new), news=old is None and not isinstance(change, Entered))
        work.done()

    def missed(self, fields: Mapping[str, Any]) -> None:
        """A row that is not stored was changed or removed; `fields` is what is known of it."""
        shape = self.SHAPE
        known = shape.missed.known(fields)
        place = shape.missed.place(fields)
        low, high = shape.keys.under(*known)
        stale = [
            key
            for key, cell in self.scan_cells(low, high)
            if place is None or place > self.state_of(cell).marks[shape.counted]
        ]
        if not stale and len(known) == len(shape.missed.key) and low is not None:
            stale = [low] if self.cell(low) is None and self._unknown(low) else []
        self.doubt(stale)

    def hole_added(self, group_prefix: bytes, low: bytes, high: bytes) -> None:
        """What lies in the closed range is not known any more."""
        shape = self.SHAPE
        parts = None if shape.holes is None else shape.holes.parts_of(group_prefix)
        if shape.holes is None or parts is None:
            return
        key, point_of = shape.keys.under(*parts)[0], shape.holes.point_of
        assert key is not None, "holes name a whole group"
        state = self.state(key)
        if state is None and shape.assumed(key):
            state = self.zero()
        if state is not None and high > point_of(state.marks[shape.counted]):
            self.doubt([key])

    # ------------------------------------------------------------------------------------- steps

    def anchor_at(
        self,
        key: StoredKey,
        marks: Mapping[int, Position],
        count: int | None = None,
        known: Position | None = None,
        flag: bool | None = None,
        *,
        current: bool = True,
    ) -> None:
        """Set the base, or parts of it. `current`: the answer is as new as what was applied."""
        shape = self.SHAPE
        if not shape.tracks(key):
            return
        state = self.state(key)
        whole = state is not None
        if state is None:
            state = self.zero()
            whole = shape.assumed(key) or (count is not None and shape.counted in marks)
        for mark, position in marks.items():
            state.marks[mark] = position
        state.count = state.count if count is None else max(count, 0)
        state.known = state.known if known is None else known
        state.flag = state.flag if flag is None else flag
        self.store(key, state)
        if not (current and whole) or (count is not None and count < 0):
            self.doubt([key])

    def advance_at(self, key: StoredKey, mark: int, to: Position, flag: bool | None = None) -> None:
        """Move a mark forward; the counted one takes what it passes over out of the count.

        The counted one also takes the flag off, unless `flag` says otherwise.
        """
        shape = self.SHAPE
        if not shape.tracks(key):
            return
        state = self.state(key)
        if state is None:
            if not shape.assumed(key):
                self.doubt([key])
                return
            state = self.zero()
        stale = False
        if flag is not None or mark == shape.counted:
            state.flag = bool(flag)
        if mark == shape.counted:
            stale = to >= state.marks[mark] and self._pass(key, state, to)
        state.marks[mark] = max(state.marks[mark], to)
        self.store(key, state)
        if stale:
            self.doubt([key])

    def remove_at(self, key: StoredKey) -> None:
        """Nobody has said anything of the group. Its doubt stays.

        Where it then stands at zero by `default`, rows that are here or may be missing are a doubt as well.
        """
        if self.cell(key) is None:
            return
        self.put_cell(key, None)
        if self.SHAPE.assumed(key):
            low, high = self._between(key, None, None)
            start = self.zero().marks[self.SHAPE.counted]
            if self._over.rows_between(low, high, limit=1) or self._is_hole(key, start, None):
                self.doubt([key])

    def _pass(self, key: StoredKey, state: State, to: Position) -> bool:
        """Take the rows up to `to` out of the count; whether that leaves it in doubt."""
        start = state.marks[self.SHAPE.counted]
        left = state.count - self._counted_between(key, start, to, state.count + 1)
        doubt = left < 0 or self._is_hole(key, start, to)
        state.count = max(left, 0)
        if state.count and self._is_last(key, to):
            state.count, doubt = 0, True
        return doubt

    def _counted_between(self, key: StoredKey, start: Position, end: Position, enough: int) -> int:
        """How many rows in (start, end] count; it need not count beyond `enough`."""
        shape, over = self.SHAPE, self._over
        found = 0
        while found < enough and start < end:  # above the greatest key there is no key to begin at
            low, high = self._between(key, start, end)
            rows = over.rows_between(low, high, limit=_SLICE)
            found += sum(map(shape.counts, rows))
            if len(rows) < _SLICE:
                break
            start = shape.position_of(rows[-1])
        return found

    def _between(
        self, key: StoredKey, start: Position | None, end: Position | None
    ) -> tuple[StoredKey | None, StoredKey | None]:
        """(low, high) of the keys of a group's rows in (start, end]."""
        group, stream = self.spec.key_fields(key), self.SHAPE.stream
        low, high = stream.under(*group)
        if start is not None:
            low = stream.under(*group, *start)[1]
        if end is not None:
            high = stream.under(*group, *end)[1]
        return low, high

    def _is_last(self, key: StoredKey, to: Position) -> bool:
        """Whether nothing above `to` counts: it is the newest row, or that one is of those that never do."""
        shape = self.SHAPE
        low, high = self._between(key, None, None)
        newest = self._over.rows_between(low, high, newest_first=True, limit=1)
        if newest and to < shape.position_of(newest[0]):
            if shape.counts(newest[0]):
                return False
            to = shape.position_of(newest[0])
        return not self._is_hole(key, to, None)

    def in_hole(self, key: StoredKey, position: Position) -> bool:
        """Whether the row at a position comes late: what lies there was never fetched."""
        shape = self.SHAPE.holes
        if shape is None or self._holes is None:
            return False
        point = shape.point_of(position)
        return self._holes.intersects(shape.prefix_of(key), point, point)

    def _is_hole(self, key: StoredKey, start: Position, end: Position | None) -> bool:
        """Whether something in (start, end] was never fetched."""
        shape = self.SHAPE.holes
        if shape is None or self._holes is None:
            return False
        point = shape.point_of(start)
        low = after(point)
        high = b"\xff" * len(point) if end is None else shape.point_of(end)
        return low is not None and low <= high and self._holes.intersects(shape.prefix_of(key), low, high)

    # -------------------------------------------------------------------------------------- rows

    def state(self, key: StoredKey) -> State | None:
        """The row of a group, to be worked on; None where there is none."""
        cell = self.cell(key)
        return None if cell is None else self.state_of(cell)

    def state_of(self, cell: bytes) -> State:
        """The row of a cell."""
        shape = self.SHAPE
        values = self.PACKED.decode(cell)
        width, end = shape.width, shape.marks * shape.width
        marks = [values[at : at + width] for at in range(0, end, width)]
        known = values[end + 1 : end + 1 + width] if shape.known else None
        return State(marks, values[end], known, bool(shape.flag and values[-1]))

    def store(self, key: StoredKey, state: State) -> None:
        shape = self.SHAPE
        values = [part for mark in state.marks for part in mark]
        values.append(state.count)
        values.extend(state.known or ())
        if shape.flag:
            values.append(state.flag)
        self.put_cell(key, self.PACKED.encode(*values))

    def zero(self) -> State:
        shape = self.SHAPE
        zero = (0,) * shape.width
        return State([zero] * shape.marks, 0, zero if shape.known else None, False)

    def doubt(self, keys: Sequence[StoredKey]) -> None:
        """Mark these groups stale."""
        self._doubt.mark(keys)

    def _unknown(self, key: StoredKey) -> bool:
        return self.SHAPE.tracks(key) and not self.SHAPE.assumed(key)


class _Work:
    """The groups that a run of changes touches, each read and written once."""

    __slots__ = ("_changed", "_stale", "_states", "_table")

    def __init__(self, table: MarkerTable[Any]) -> None:
        self._table = table
        self._states: dict[StoredKey, State | None] = {}
        self._changed: set[StoredKey] = set()
        self._stale: list[StoredKey] = []

    def _state(self, key: StoredKey) -> State | None:
        if key in self._states:
            return self._states[key]
        table = self._table
        state = table.state(key)
        if state is None:
            if table.SHAPE.assumed(key):
                state = table.zero()
            else:
                self._stale.append(key)
        self._states[key] = state
        return state

    def news(self, key: StoredKey, rows: Sequence[Any]) -> None:
        """Rows that count are new there."""
        if self._state(key) is not None:
            position_of = self._table.SHAPE.position_of
            for row in rows:
                self.more(key, position_of(row), news=True)

    def more(self, key: StoredKey, position: Position, *, news: bool) -> None:
        """A row that counts is there."""
        table = self._table
        state = self._state(key)
        if state is None or position <= state.marks[table.SHAPE.counted]:
            return
        if news and state.known is not None and position <= state.known:
            return  # The base has it.
        state.count += 1
        self._changed.add(key)
        if news and state.known is None and table.in_hole(key, position):
            self._stale.append(key)  # Fetched late: nobody can say whether the base has it.

    def less(self, key: StoredKey, position: Position) -> None:
        """A row that counted is gone."""
        state = self._state(key)
        if state is None or position <= state.marks[self._table.SHAPE.counted]:
            return
        if state.count > 0:
            state.count -= 1
            self._changed.add(key)
        else:
            self._stale.append(key)

    def done(self) -> None:
        """Write what was worked out."""
        for key in self._changed:
            state = self._states[key]
            assert state is not None
            self._table.store(key, state)
        self._table.doubt(self._stale)
