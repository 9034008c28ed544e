"""The other children of rows: parts that read ranges, terms, and values with children of their own.

Depends on: nest, parts, interests, reads.  Never on: views.

Law: a column's value for a slot is what a part of that word, loaded anew for the slot's row alone, has.
What several rows look for is read, listened to and kept once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final

from pillarbox.views.interests import Interests, Routed
from pillarbox.views.nest import Column, Nest, Slot
from pillarbox.views.parts.first import First
from pillarbox.views.parts.part import UNCHANGED, ListPart, Part
from pillarbox.views.reads import Reads

_NO_KEYS: Final[tuple[Any, ...]] = ()


class _Held:
    """A part that slots share, since their arguments are equal."""

    __slots__ = ("part", "slots")

    def __init__(self, part: Part) -> None:
        self.part = part
        self.slots: dict[Slot, None] = {}


class PartColumn(Column):
    """A part for every row, of those that read ranges: `make(arguments)` makes it.

    `of` gives the arguments, such as an encoded prefix; None where there is nothing to look for, and then
    the value is `empty`.
    """

    __slots__ = ("_empty", "_held", "_make", "_nest", "_of")

    def __init__(
        self,
        *,
        of: Callable[..., Hashable | None],
        make: Callable[[Any], Part],
        empty: Any,
        nest: Nest | None = None,
        needs: Sequence[int] = (),
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(needs, after, hidden)
        self._of = of
        self._make = make
        self._empty = empty
        self._nest = nest
        self._held: dict[Hashable, _Held] = {}

    def bind(self, view: object, interests: Interests, number: int) -> None:
        """As `Column.bind`."""
        super().bind(view, interests, number)
        if self._nest is not None:
            self._nest.bind(view, interests)

    def probe(self, reads: Reads, row: Any, values: Sequence[Any]) -> Any:
        """As `Column.probe`."""
        arguments = self._of(row, *values)
        if arguments is None:
            return self._empty
        part = self._make(arguments)
        part.bind(None, 0)
        part.open(Interests(), reads)
        return _value_of(part)

    def step(
        self, reads: Reads, routed: Routed, moved: int, woken: Sequence[Slot], gone: Sequence[Slot]
    ) -> Iterable[Slot]:
        """As `Column.step`."""
        standing = list(self._held.items())
        asking: dict[Slot, None] = {}
        unheld: dict[Hashable, None] = {}
        for slot in woken:
            self._look(slot, self._of(*self.arguments(slot)), reads, unheld)
            asking[slot] = None
        for slot in gone:
            self._look(slot, None, reads, unheld)
        for arguments in unheld:
            self._let_go(arguments)
        for arguments, held in standing:
            if arguments in self._held and held.part.replay(reads, routed, moved) != UNCHANGED:
                self._follow(held.part)
                asking.update(held.slots)
        if self._nest is not None:
            self._nest.step(reads, routed, moved)
            self._ask_for_dirty(asking)
        return [slot for slot in asking if self._show_slot(slot)]

    def close(self) -> None:
        """As `Column.close`."""
        for held in self._held.values():
            held.part.close()
        self._held = {}
        if self._nest is not None:
            self._nest.close()

    def _look(
        self, slot: Slot, arguments: Hashable | None, reads: Reads, unheld: dict[Hashable, None]
    ) -> None:
        number = self.number
        before = slot.keys[number]
        if arguments == before:
            return
        slot.keys[number] = arguments
        if arguments is not None:
            held = self._held.get(arguments)
            if held is None:
                held = self._held[arguments] = _Held(self._opened(arguments, reads))
            held.slots[slot] = None
        if before is not None:
            held = self._held[before]
            del held.slots[slot]
            unheld[before] = None

    def _opened(self, arguments: Hashable, reads: Reads) -> Part:
        part = self._make(arguments)
        part.bind(self.view, 0)
        part.open(self.interests, reads)
        if self._nest is not None and isinstance(part, ListPart):
            for row in part.held_rows:
                self._nest.hold(row)
        return part

    def _let_go(self, arguments: Hashable) -> None:
        held = self._held.get(arguments)
        if held is None or held.slots:
            return
        del self._held[arguments]
        if self._nest is not None and isinstance(held.part, ListPart):
            for row in held.part.held_rows:
                self._nest.release(row)
        held.part.close()

    def _follow(self, part: Part) -> None:
        """Rows came and went."""
        if self._nest is not None and isinstance(part, ListPart):
            for row in part.entered:
                self._nest.hold(row)
            for row in part.left:
                self._nest.release(row)

    def _ask_for_dirty(self, asking: dict[Slot, None]) -> None:
        """The slots that show a row whose own children differ."""
        nest = self._nest
        if nest is None or not nest.dirty:
            return
        dirty = {nest.name(nested.row) for nested in nest.dirty}
        for held in self._held.values():
            assert isinstance(held.part, ListPart), "only lists have rows with children"
            if any(nest.name(row) in dirty for row in held.part.held_rows):
                asking.update(held.slots)

    def _show_slot(self, slot: Slot) -> bool:
        arguments = slot.keys[self.number]
        if arguments is None:
            return self.take(slot, self._empty, self._empty)
        part = self._held[arguments].part
        if isinstance(part, First):
            nest = None if part.row is None else self._nest
            return self.take(slot, part.row, part.value if nest is None else nest.entry(part.row))
        value = _value_of(part)
        return self.take(slot, value, part.value if self._nest is None else self._nest.entries(value))


def _value_of(part: Part) -> Any:
    """What later columns read."""
    if isinstance(part, First):
        return part.row
    return part.held_rows if isinstance(part, ListPart) else part.value


class ValueColumn(Column):
    """A term over the row and earlier columns."""

    __slots__ = ("_term",)

    def __init__(
        self,
        term: Callable[..., Any],
        *,
        needs: Sequence[int] = (),
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(needs, after, hidden)
        self._term = term

    def probe(self, reads: Reads, row: Any, values: Sequence[Any]) -> Any:
        """As `Column.probe`."""
        return self._term(row, *values)

    def step(
        self, reads: Reads, routed: Routed, moved: int, woken: Sequence[Slot], gone: Sequence[Slot]
    ) -> Iterable[Slot]:
        """As `Column.step`."""
        found = []
        for slot in woken:
            value = self._term(*self.arguments(slot))
            if self.take(slot, value, value):
                found.append(slot)
        return found

    def close(self) -> None:
        """As `Column.close`: nothing is registered."""


class EachColumn(Column):
    """Values of a list, each with children of its own, whether anything is stored of it or not.

    The rows of `nest` are the values themselves.
    """

    __slots__ = ("_items", "_nest", "_users")

    def __init__(
        self,
        *,
        items: Callable[..., Iterable[Any] | None],
        nest: Nest,
        needs: Sequence[int] = (),
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(needs, after, hidden)
        self._items = items
        self._nest = nest
        self._users: dict[Any, dict[Slot, None]] = {}

    def bind(self, view: object, interests: Interests, number: int) -> None:
        """As `Column.bind`."""
        super().bind(view, interests, number)
        self._nest.bind(view, interests)

    def probe(self, reads: Reads, row: Any, values: Sequence[Any]) -> Any:
        """As `Column.probe`."""
        return tuple(dict.fromkeys(self._items(row, *values) or _NO_KEYS))

    def step(
        self, reads: Reads, routed: Routed, moved: int, woken: Sequence[Slot], gone: Sequence[Slot]
    ) -> Iterable[Slot]:
        """As `Column.step`."""
        asking: dict[Slot, None] = {}
        for slot in woken:
            self._swap(slot, tuple(dict.fromkeys(self._items(*self.arguments(slot)) or _NO_KEYS)))
            asking[slot] = None
        for slot in gone:
            self._swap(slot, _NO_KEYS)
        self._nest.step(reads, routed, moved)
        for nested in self._nest.dirty:
            asking.update(self._users[nested.row])
        return [slot for slot in asking if self._show_slot(slot)]

    def close(self) -> None:
        """As `Column.close`."""
        self._users = {}
        self._nest.close()

    def _swap(self, slot: Slot, items: tuple[Any, ...]) -> None:
        """A slot lists other values than before."""
        before = slot.keys[self.number] or _NO_KEYS
        slot.keys[self.number] = items
        for item in items:
            if item not in before:
                self._users.setdefault(item, {})[slot] = None
                self._nest.hold(item)
        for item in before:
            if item not in items:
                del self._users[item][slot]
                self._nest.release(item)

    def _show_slot(self, slot: Slot) -> bool:
        items = slot.keys[self.number]
        return self.take(slot, items, self._nest.entries(items))
