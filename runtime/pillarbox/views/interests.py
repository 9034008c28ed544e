"""Who wants to know of which keys: exact ones, and prefixes by length.

Depends on: storage (what a key is), demand.  Never on: views and parts, which are mere sinks here.

Law: `route` hands a change to a sink exactly if the sink is registered for its key or for a prefix of
it. What that costs follows the change, never the number of sinks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pillarbox.views.demand import Demand

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import Cell, TableChanges

#: key, cell before, cell after; None where there is no row, and never both equal.
Delta: TypeAlias = "tuple[StoredKey, Cell | None, Cell | None]"


class Sink:
    """Something that wants to be told of changes; `view` is what wakes for it.

    A sink is told of a change once per way of being registered, so a part registers a table's prefix or
    some of its keys, never both.
    """

    __slots__ = ("view",)

    view: Any

    def row_of(self, key: StoredKey) -> Any:
        """The stored row under a registered key as it is held here, None if it is not known."""
        return None


#: sink -> its deltas, in the order of the change record.
Routed: TypeAlias = "dict[Sink, list[Delta]]"
#: One sink is held bare, which is most keys by far; several are the keys of a dict.
_Held: TypeAlias = "Sink | dict[Sink, None]"
_WHOLE_TABLE: Final = 0


class Interests:
    """The registered interest of all live views of one box."""

    __slots__ = ("_exact", "_prefixes", "demand")

    def __init__(self, demand: Demand | None = None) -> None:
        #: What is wanted, which some listen to.
        self.demand = Demand() if demand is None else demand
        self._exact: dict[int, dict[StoredKey, _Held]] = {}
        #: table id -> length -> prefix of that length -> sinks
        self._prefixes: dict[int, dict[int, dict[StoredKey, _Held]]] = {}

    def add(self, table: int, key: StoredKey, sink: Sink) -> None:
        """Tell `sink` of every change of `key`."""
        _add(self._exact.setdefault(table, {}), (key,), sink)

    def add_all(self, table: int, keys: Collection[StoredKey], sink: Sink) -> None:
        """As `add` of each of these keys."""
        if keys:
            _add(self._exact.setdefault(table, {}), keys, sink)

    def remove(self, table: int, key: StoredKey, sink: Sink) -> None:
        """The reverse of `add`. Raises KeyError when that was not registered."""
        self.remove_all(table, (key,), sink)

    def remove_all(self, table: int, keys: Collection[StoredKey], sink: Sink) -> None:
        """As `remove` of each of these keys."""
        if keys:
            exact = self._exact[table]
            _remove(exact, keys, sink)
            if not exact:
                del self._exact[table]

    def add_prefix(self, table: int, prefix: StoredKey, sink: Sink) -> None:
        """Tell `sink` of every change of a key that begins with `prefix`; b"" is the whole table.

        A key that is an int has no prefix but itself.
        """
        if isinstance(prefix, int):
            self.add(table, prefix, sink)
            return
        _add(self._prefixes.setdefault(table, {}).setdefault(len(prefix), {}), (prefix,), sink)

    def remove_prefix(self, table: int, prefix: StoredKey, sink: Sink) -> None:
        """The reverse of `add_prefix`. Raises KeyError when that was not registered."""
        if isinstance(prefix, int):
            self.remove(table, prefix, sink)
            return
        lengths = self._prefixes[table]
        prefixes = lengths[len(prefix)]
        _remove(prefixes, (prefix,), sink)
        if not prefixes:
            del lengths[len(prefix)]
            if not lengths:
                del self._prefixes[table]

    def rows(self, table: int, keys: Iterable[StoredKey]) -> dict[StoredKey, Any]:
        """The rows that the first sinks of these keys hold; those that they do not know are missing.

        As of the last commit that all views have folded: ask only for keys that did not change since.
        """
        found: dict[StoredKey, Any] = {}
        exact = self._exact.get(table)
        if exact is not None:
            for key in keys:
                held = exact.get(key)
                if held is not None:
                    row = (next(iter(held)) if type(held) is dict else held).row_of(key)  # type: ignore[union-attr]
                    if row is not None:
                        found[key] = row
        return found

    def route(self, tables: Mapping[int, TableChanges]) -> Routed:
        """The deltas of each sink that one commit concerns."""
        routed: Routed = {}
        exact, prefixed = self._exact, self._prefixes
        for table, changes in tables.items():
            if table in exact:
                _route_exact(exact[table], changes, routed)
            if table in prefixed:
                for length, prefixes in prefixed[table].items():
                    _route_prefixes(length, prefixes, changes, routed)
        return routed

    def registered(self, view: object) -> frozenset[tuple[str, int, StoredKey] | tuple[str, str]]:
        """("key" | "prefix", table id, key) and ("wanted", name) of everything a view listens to.

        Walks all: for checks.
        """
        found: set[tuple[str, int, StoredKey] | tuple[str, str]] = set()
        found.update(("wanted", name) for name, sink in self.demand.listened() if sink.view is view)
        for table, keys in self._exact.items():
            found.update(("key", table, key) for key, held in keys.items() if _concerns(held, view))
        for table, lengths in self._prefixes.items():
            for prefixes in lengths.values():
                found.update(
                    ("prefix", table, key) for key, held in prefixes.items() if _concerns(held, view)
                )
        return frozenset(found)

    def __bool__(self) -> bool:
        return bool(self._exact or self._prefixes or self.demand)


def _route_exact(exact: dict[StoredKey, _Held], changes: TableChanges, routed: Routed) -> None:
    """Meet the changed keys with the registered ones, walking whichever are fewer."""
    fewer: Iterable[StoredKey]
    fewer, more = (changes, exact) if len(changes) <= len(exact) else (exact, changes)
    for key in fewer:
        if key in more:
            before, after = changes[key]
            _hand(exact[key], (key, before, after), routed)


def _route_prefixes(
    length: int, prefixes: dict[StoredKey, _Held], changes: TableChanges, routed: Routed
) -> None:
    if length == _WHOLE_TABLE:
        deltas = [(key, before, after) for key, (before, after) in changes.items()]
        for sink in _sinks(prefixes[b""]):
            routed.setdefault(sink, []).extend(deltas)
        return
    for key in changes:
        prefix = key[:length]  # type: ignore[index]  # prefixes have bytes keys only
        if prefix in prefixes:
            before, after = changes[key]
            _hand(prefixes[prefix], (key, before, after), routed)


def _hand(held: _Held, delta: Delta, routed: Routed) -> None:
    if not isinstance(held, dict):
        if held in routed:
            routed[held].append(delta)
        else:
            routed[held] = [delta]
        return
    for sink in held:
        if sink in routed:
            routed[sink].append(delta)
        else:
            routed[sink] = [delta]


def _add(registered: dict[StoredKey, _Held], keys: Iterable[StoredKey], sink: Sink) -> None:
    for key in keys:
        held = registered.get(key)
        if held is None:
            registered[key] = sink
        elif type(held) is dict:
            held[sink] = None
        else:
            registered[key] = {held: None, sink: None}  # type: ignore[dict-item]  # not a dict: a sink


def _remove(registered: dict[StoredKey, _Held], keys: Iterable[StoredKey], sink: Sink) -> None:
    for key in keys:
        held = registered[key]
        if held is sink:
            del registered[key]
        elif type(held) is dict:
            del held[sink]
            if not held:
                del registered[key]
        else:
            raise KeyError(key)


def _sinks(held: _Held) -> Iterable[Sink]:
    return held if isinstance(held, dict) else (held,)


def _concerns(held: _Held, view: object) -> bool:
    return any(sink.view is view for sink in _sinks(held))
