"""Rows with what hangs on each: children by column, read for the rows that are shown and for no others.

Depends on: interests, reads.  Never on: parts, and what the children are.

Law: after `step` the entry of every row held equals one made anew of the row and what its columns show;
an entry that equals the one before is that very object.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from pillarbox.views.interests import Interests, Routed, Sink
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.views.parts.part import Part

#: In what touched a slot: its row. Column n has bit n + 1.
ROW: Final = 1


class Slot:
    """One row held, however often it is shown, and what its columns have for it."""

    __slots__ = ("entry", "holders", "keys", "row", "shown", "values")

    def __init__(self, row: Any, columns: int) -> None:
        self.row = row
        self.holders = 1
        #: By column: what it looked for, what terms of later columns read, what the entry shows.
        self.keys: list[Any] = [None] * columns
        self.values: list[Any] = [None] * columns
        self.shown: list[Any] = [None] * columns
        self.entry: Any = None


class Column(Sink):
    """One named child of every row.

    Its terms are called with the row and with the values of the earlier columns that `needs` lists by
    number. `after` are the parts of the view that they read besides. A `hidden` column feeds others and is
    in no entry.
    """

    __slots__ = ("after", "bit", "depends", "hidden", "inputs", "interests", "needs", "number")

    interests: Interests

    def __init__(self, needs: Sequence[int], after: Sequence[Part], hidden: bool) -> None:
        self.hidden = hidden
        self.needs = tuple(needs)
        self.after = tuple(after)
        self.number = self.bit = self.depends = 0
        self.inputs = ROW

    def bind(self, view: object, interests: Interests, number: int) -> None:
        """Take place `number` among the columns of a view's rows; the view's parts have taken theirs."""
        self.view = view
        self.interests = interests
        self.number = number
        self.bit = 2 << number
        for other in self.needs:
            self.inputs |= 2 << other
        for part in self.after:
            self.depends |= part.bit

    def arguments(self, slot: Slot) -> list[Any]:
        """What a term is called with for a slot."""
        needs = self.needs
        return [slot.row, *[slot.values[number] for number in needs]] if needs else [slot.row]

    def probe(self, reads: Reads, row: Any, values: Sequence[Any]) -> Any:
        """What later columns would read here for a row; `values` are those of `needs`. Nothing is held."""
        raise NotImplementedError

    def step(
        self, reads: Reads, routed: Routed, moved: int, woken: Sequence[Slot], gone: Sequence[Slot]
    ) -> Iterable[Slot]:
        """Fold one commit in; the slots whose value or show differs.

        `woken` are the slots that are new or whose arguments may differ, `gone` those to let go.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Unregister everything."""
        raise NotImplementedError

    def take(self, slot: Slot, value: Any, shown: Any) -> bool:
        """Keep what a slot has here; whether it differs. Equal old objects stay."""
        number = self.number
        differs = False
        if slot.values[number] != value:
            slot.values[number] = value
            differs = True
        if slot.shown[number] != shown:
            slot.shown[number] = shown
            differs = True
        return differs


class Nest:
    """The slots of the rows that are held, by name, and their columns.

    `name(row)` tells rows apart; `make(row, *shown)` makes an entry of it and of what the
    columns show that are not hidden.
    """

    __slots__ = (
        "_came",
        "_changed",
        "_columns",
        "_loose",
        "_make",
        "_visible",
        "dirty",
        "moved",
        "name",
        "slots",
    )

    def __init__(
        self, columns: Sequence[Column], *, name: Callable[[Any], Hashable], make: Callable[..., Any]
    ) -> None:
        self._columns = tuple(columns)
        self.name = name
        self._make = make
        self.slots: dict[Hashable, Slot] = {}
        #: Since the last step: new slots, slots whose row changed, slots that lost a holder.
        self._came: dict[Slot, None] = {}
        self._changed: dict[Slot, None] = {}
        self._loose: dict[Slot, Hashable] = {}
        #: Of the last step: the slots whose entries are new objects.
        self.dirty: dict[Slot, None] = {}
        #: Of the last step: whether anything differs that hangs on a row, shown or not.
        self.moved = False
        visible = [number for number, column in enumerate(self._columns) if not column.hidden]
        self._visible = visible if len(visible) < len(self._columns) else None

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        for number, column in enumerate(self._columns):
            column.bind(view, interests, number)

    def hold(self, row: Any, name: Hashable = None) -> None:
        """A row is shown, in one more place; it may be a newer one of a slot that is there.

        One that is not stored, and so may be called as one that is, has a name of its own.
        """
        name = self.name(row) if name is None else name
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = Slot(row, len(self._columns))
            self._came[slot] = None
            return
        slot.holders += 1
        if slot.row is not row:
            slot.row = row
            self._changed[slot] = None

    def release(self, row: Any, name: Hashable = None) -> None:
        """A row is shown in one place less."""
        name = self.name(row) if name is None else name
        slot = self.slots[name]
        slot.holders -= 1
        if not slot.holders:
            self._loose[slot] = name

    def entry(self, row: Any, name: Hashable = None) -> Any:
        """The entry of a row that is held."""
        return self.slots[self.name(row) if name is None else name].entry

    def entries(self, rows: Iterable[Any]) -> tuple[Any, ...]:
        """The entries of rows that are held."""
        slots, name = self.slots, self.name
        return tuple([slots[name(row)].entry for row in rows])

    def values(self, rows: Iterable[Any], numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        """Rows that are held, each with what terms read of these columns."""
        slots = [self.slots[self.name(row)] for row in rows]
        return [(slot.row, *[slot.values[number] for number in numbers]) for slot in slots]

    def step(self, reads: Reads, routed: Routed, moved: int) -> None:
        """Bring the entries up to date with a commit and with what was held and released before it."""
        gone = self._drop_loose()
        came = list(self._came)
        touched = {slot: ROW for slot in self._changed if slot.holders and slot not in self._came}
        for column in self._columns:
            woken = self._woken(column, came, touched, moved) if touched or column.depends & moved else came
            for slot in column.step(reads, routed, moved, woken, gone):
                touched[slot] = touched.get(slot, 0) | column.bit
        self.dirty = {}
        self.moved = bool(came or touched or gone)
        for slot in came:
            touched.pop(slot, None)
            slot.entry = self._entry(slot)
            self.dirty[slot] = None
        for slot in touched:
            entry = self._entry(slot)
            if entry != slot.entry:
                slot.entry = entry
                self.dirty[slot] = None
        self._came, self._changed = {}, {}

    def load(self, reads: Reads, hold: Callable[[], object]) -> None:
        """Have nothing but what `hold` holds, read anew; equal entries of before stay."""
        old = {name: slot.entry for name, slot in self.slots.items()}
        self.close()
        hold()
        self.step(reads, {}, 0)
        for name, slot in self.slots.items():
            was = old.get(name)
            if was is not None and was == slot.entry:
                slot.entry = was
                self.dirty.pop(slot, None)

    def close(self) -> None:
        """Hold nothing, and unregister everything."""
        for column in self._columns:
            column.close()
        self.slots = {}
        self._came, self._changed, self._loose, self.dirty = {}, {}, {}, {}

    def _entry(self, slot: Slot) -> Any:
        shown = slot.shown if self._visible is None else [slot.shown[number] for number in self._visible]
        return self._make(slot.row, *shown)

    def _woken(
        self, column: Column, came: list[Slot], touched: dict[Slot, int], moved: int
    ) -> Sequence[Slot]:
        if column.depends & moved:
            return list(self.slots.values())
        again = [slot for slot, bits in touched.items() if bits & column.inputs and slot not in self._came]
        return came + again if again else came

    def _drop_loose(self) -> list[Slot]:
        """Forget the slots that nobody holds; those that the columns know of."""
        gone = []
        for slot, name in self._loose.items():
            if slot.holders:
                continue
            del self.slots[name]
            if slot in self._came:
                del self._came[slot]
            else:
                gone.append(slot)
        self._loose = {}
        return gone
