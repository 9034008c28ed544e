"""Children that are rows of one table by key: `get` and `get_each` on the rows of a list.

Depends on: nest, interests, reads.  Never on: parts of views.

Law: a column's value for a slot is what is stored under the keys that the slot looks for. What several
slots look for is read, listened to and kept once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pillarbox.views.interests import Interests, Routed
from pillarbox.views.nest import Column, Nest, Slot
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec
    from pillarbox.views.parts.part import Part

_NO_KEYS: Final[tuple[Any, ...]] = ()


class _Found:
    """What is stored under a key that slots look for."""

    __slots__ = ("row", "slots")

    def __init__(self) -> None:
        self.row: Any = None
        self.slots: dict[Slot, None] = {}


class _Keyed(Column):
    """Rows of one table by key. `nest` has the children of those rows."""

    __slots__ = ("_found", "_nest", "_show", "_spec", "_table")

    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        needs: Sequence[int],
        after: Sequence[Part],
        show: Callable[[Any], Any] | None,
        nest: Nest | None,
        hidden: bool,
    ) -> None:
        super().__init__(needs, after, hidden)
        self._spec = spec
        self._table = spec.id
        self._show = show
        self._nest = nest
        self._found: dict[StoredKey, _Found] = {}

    def bind(self, view: object, interests: Interests, number: int) -> None:
        """As `Column.bind`."""
        super().bind(view, interests, number)
        if self._nest is not None:
            self._nest.bind(view, interests)

    def row_of(self, key: StoredKey) -> Any:
        """As `Sink.row_of`."""
        found = self._found.get(key)
        return None if found is None else found.row

    def step(
        self, reads: Reads, routed: Routed, moved: int, woken: Sequence[Slot], gone: Sequence[Slot]
    ) -> Iterable[Slot]:
        """As `Column.step`."""
        nest, deltas = self._nest, routed.get(self, ())
        if nest is None and not (woken or gone or deltas):
            return ()
        number = self.number
        asking: dict[Slot, None] = {}
        came: dict[StoredKey, _Found] = {}
        unheld: dict[StoredKey, _Found] = {}
        for slot in woken:
            keys = tuple(dict.fromkeys(self.wanted(slot)))
            if keys != slot.keys[number]:
                self._look(slot, keys, came, unheld)
            asking[slot] = None
        for slot in gone:
            self._look(slot, _NO_KEYS, came, unheld)
        if unheld:
            self._let_go(unheld, came)
        for key, _, after in deltas:
            found = self._found.get(key)
            if found is not None and key not in came:
                self._replace(found, None if after is None else self._spec.row(key, after))
                asking.update(found.slots)
        if came:
            for key, row in reads.rows(self._spec, came).items():
                self._replace(came[key], row)
        if nest is not None:
            self.stand_in(asking, gone)
            nest.step(reads, routed, moved)
            for nested in nest.dirty:
                asking.update(self.users_of(self._spec.key_of(nested.row)))
        return [slot for slot in asking if self._show_slot(slot)]

    def close(self) -> None:
        """As `Column.close`."""
        self.interests.remove_all(self._table, self._found, self)
        self._found = {}
        if self._nest is not None:
            self._nest.close()

    def wanted(self, slot: Slot) -> Iterable[StoredKey]:
        """The keys that a slot looks for."""
        raise NotImplementedError

    def stand_in(self, asking: Iterable[Slot], gone: Iterable[Slot]) -> None:
        """Hold in the nest what is shown of slots without a row, if anything is."""

    def users_of(self, key: StoredKey) -> dict[Slot, None]:
        """The slots that may show the row under a key."""
        found = self._found.get(key)
        return {} if found is None else found.slots

    def _show_slot(self, slot: Slot) -> bool:
        """Take what was found for a slot; whether that differs."""
        raise NotImplementedError

    def shown_row(self, row: Any) -> Any:
        """What an entry shows of a row."""
        if self._nest is not None:
            return self._nest.entry(row)
        return row if self._show is None else self._show(row)

    def found_rows(self, slot: Slot) -> list[Any]:
        """The rows under a slot's keys, in their order, without the absent ones."""
        found = self._found
        return [row for key in slot.keys[self.number] if (row := found[key].row) is not None]

    def _look(
        self,
        slot: Slot,
        keys: tuple[StoredKey, ...],
        came: dict[StoredKey, _Found],
        unheld: dict[StoredKey, _Found],
    ) -> None:
        """A slot looks for other keys than before."""
        before = slot.keys[self.number] or _NO_KEYS
        slot.keys[self.number] = keys
        for key in keys:
            if key in before:
                continue
            found = self._found.get(key)
            if found is None:
                found = self._found[key] = came[key] = _Found()
                self.interests.add(self._table, key, self)
            found.slots[slot] = None
        for key in before:
            if key not in keys:
                found = self._found[key]
                del found.slots[slot]
                unheld[key] = found

    def _let_go(self, unheld: dict[StoredKey, _Found], came: dict[StoredKey, _Found]) -> None:
        """Forget the keys that no slot looks for any more."""
        for key, found in unheld.items():
            if found.slots:
                continue
            del self._found[key]
            came.pop(key, None)
            self.interests.remove(self._table, key, self)
            self._replace(found, None)

    def _replace(self, found: _Found, row: Any) -> None:
        old, found.row = found.row, row
        if self._nest is not None:
            if row is not None:
                self._nest.hold(row)
            if old is not None:
                self._nest.release(old)


class GetColumn(_Keyed):
    """The row under one key. `key` gives None where there is nothing to look for."""

    __slots__ = ("_default", "_key", "_standing", "_users")

    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        key: Callable[..., StoredKey | None],
        default: Callable[..., Any] | None = None,
        show: Callable[[Any], Any] | None = None,
        nest: Nest | None = None,
        needs: Sequence[int] = (),
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(spec, needs=needs, after=after, show=show, nest=nest, hidden=hidden)
        self._key = key
        self._default = default
        #: With a nest: slot -> the row that stands in for the one that it lacks; by the key of it the slots.
        self._standing: dict[Slot, Any] = {}
        self._users: dict[StoredKey, dict[Slot, None]] = {}

    def close(self) -> None:
        """As `Column.close`."""
        super().close()
        self._standing, self._users = {}, {}

    def stand_in(self, asking: Iterable[Slot], gone: Iterable[Slot]) -> None:
        """As `_Keyed.stand_in`."""
        if self._default is None:
            return
        for slot in gone:
            self._let_stand(slot, None)
        for slot in asking:
            self._let_stand(slot, None if self.found_rows(slot) else self._default(*self.arguments(slot)))

    def users_of(self, key: StoredKey) -> dict[Slot, None]:
        """As `_Keyed.users_of`."""
        users = super().users_of(key)
        return {**users, **self._users[key]} if key in self._users else users

    def _let_stand(self, slot: Slot, row: Any) -> None:
        """Show this row for a slot, or none."""
        nest, key_of = self._nest, self._spec.key_of
        before = self._standing.get(slot)
        if row == before or nest is None:
            return
        if row is not None:
            key = key_of(row)
            nest.hold(row, _stands(key))
            self._standing[slot] = row
            self._users.setdefault(key, {})[slot] = None
        if before is not None:
            key = key_of(before)
            nest.release(before, _stands(key))
            if row is None:
                del self._standing[slot]
            users = self._users[key]
            if row is None or key != key_of(row):
                del users[slot]
            if not users:
                del self._users[key]

    def probe(self, reads: Reads, row: Any, values: Sequence[Any]) -> Any:
        """As `Column.probe`."""
        key = self._key(row, *values)
        found = None if key is None else reads.row(self._spec, key)
        return self._default(row, *values) if found is None and self._default is not None else found

    def wanted(self, slot: Slot) -> Iterable[StoredKey]:
        """As `_Keyed.wanted`."""
        key = self._key(*self.arguments(slot))
        return _NO_KEYS if key is None else (key,)

    def _show_slot(self, slot: Slot) -> bool:
        rows = self.found_rows(slot)
        if rows:
            return self.take(slot, rows[0], self.shown_row(rows[0]))
        if self._default is None:
            return self.take(slot, None, None)
        if self._nest is not None:
            row = self._standing[slot]
            return self.take(slot, row, self._nest.entry(row, _stands(self._spec.key_of(row))))
        row = self._default(*self.arguments(slot))
        return self.take(slot, row, row if self._show is None else self._show(row))


def _stands(key: StoredKey) -> tuple[str, StoredKey]:
    """What a row that is not stored is called in a nest."""
    return "default", key


class GetEachColumn(_Keyed):
    """The rows under several keys, by `name(row)`."""

    __slots__ = ("_keys", "_name")

    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        keys: Callable[..., Iterable[StoredKey]],
        name: Callable[[Any], Hashable],
        show: Callable[[Any], Any] | None = None,
        nest: Nest | None = None,
        needs: Sequence[int] = (),
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(spec, needs=needs, after=after, show=show, nest=nest, hidden=hidden)
        self._keys = keys
        self._name = name

    def probe(self, reads: Reads, row: Any, values: Sequence[Any]) -> Any:
        """As `Column.probe`."""
        found = reads.rows(self._spec, dict.fromkeys(self._keys(row, *values)))
        return {self._name(one): one for one in found.values()}

    def wanted(self, slot: Slot) -> Iterable[StoredKey]:
        """As `_Keyed.wanted`."""
        return self._keys(*self.arguments(slot))

    def _show_slot(self, slot: Slot) -> bool:
        rows = self.found_rows(slot)
        name = self._name
        old = slot.shown[self.number] or {}
        shown = {name(row): self.shown_row(row) for row in rows}
        kept = {key: was if (was := old.get(key)) == value else value for key, value in shown.items()}
        return self.take(slot, {name(row): row for row in rows}, MappingProxyType(kept))
