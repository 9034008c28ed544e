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
#: Of one key: a tuple of one sink, which is most by far, or the sinks as the keys of a dict.
_Held: TypeAlias = "tuple[Sink] | dict[Sink, None]"
#: In the place of a length, below all: the keys themselves.
_EXACT: Final = -1
_NOTHING: Final[Mapping[Any, Any]] = {}


class Interests:
    """The registered interest of all live views of one box."""

    __slots__ = ("demand", "tables")

    def __init__(self, demand: Demand | None = None) -> None:
        #: What is wanted, which some listen to.
        self.demand = Demand() if demand is None else demand
        #: table id -> length -> prefix of that length -> sinks; empty if no change concerns anybody.
        self.tables: dict[int, dict[int, dict[StoredKey, _Held]]] = {}

    def add(self, table: int, key: StoredKey, sink: Sink) -> None:
        """Tell `sink` of every change of `key`."""
        self._add(table, _EXACT, (key,), sink)

    def add_all(self, table: int, keys: Collection[StoredKey], sink: Sink) -> None:
        """As `add` of each of these keys."""
        if keys:
            self._add(table, _EXACT, keys, sink)

    def remove(self, table: int, key: StoredKey, sink: Sink) -> None:
        """The reverse of `add`. Raises KeyError when that was not registered."""
        self._remove(table, _EXACT, (key,), sink)

    def remove_all(self, table: int, keys: Collection[StoredKey], sink: Sink) -> None:
        """As `remove` of each of these keys."""
        if keys:
            self._remove(table, _EXACT, keys, sink)

    def add_prefix(self, table: int, prefix: StoredKey, sink: Sink) -> None:
        """Tell `sink` of every change of a key that begins with `prefix`; b"" is the whole table.

        A key that is an int has no prefix but itself.
        """
        self._add(table, _length_of(prefix), (prefix,), sink)

    def remove_prefix(self, table: int, prefix: StoredKey, sink: Sink) -> None:
        """The reverse of `add_prefix`. Raises KeyError when that was not registered."""
        self._remove(table, _length_of(prefix), (prefix,), sink)

    def _add(self, table: int, length: int, keys: Iterable[StoredKey], sink: Sink) -> None:
        registered = self.tables.setdefault(table, {}).setdefault(length, {})
        alone = (sink,)
        for key in keys:
            held = registered.setdefault(key, alone)
            if held is not alone:
                if isinstance(held, dict):
                    held[sink] = None
                else:
                    registered[key] = {held[0]: None, sink: None}

    def _remove(self, table: int, length: int, keys: Iterable[StoredKey], sink: Sink) -> None:
        lengths = self.tables[table]
        registered = lengths[length]
        for key in keys:
            held = registered[key]
            if isinstance(held, dict):
                del held[sink]
                if held:
                    continue
            elif held[0] is not sink:
                raise KeyError(key)
            del registered[key]
        if not registered:
            del lengths[length]
            if not lengths:
                del self.tables[table]

    def rows(self, table: int, keys: Iterable[StoredKey]) -> dict[StoredKey, Any]:
        """The rows that the first sinks of these keys hold; those that they do not know are missing.

        As of the last commit that all views have folded: ask only for keys that did not change since.
        """
        found: dict[StoredKey, Any] = {}
        exact = self.tables.get(table, _NOTHING).get(_EXACT)
        if exact is not None:
            for key in keys:
                for sink in exact.get(key, ()):
                    row = sink.row_of(key)
                    if row is not None:
                        found[key] = row
                    break
        return found

    def route(self, tables: Mapping[int, TableChanges]) -> Routed:
        """The deltas of each sink that one commit concerns."""
        routed: Routed = {}
        listening = self.tables
        for table, changes in tables.items():
            if table in listening:
                for length, prefixes in listening[table].items():
                    keys: Iterable[StoredKey] = changes
                    if length < 0 and len(prefixes) < len(changes):
                        keys = [key for key in prefixes if key in changes]  # walking whichever are fewer
                    for key in keys:
                        # Only keys that are bytes have a length here.
                        prefix = key if length < 0 else key[:length] if length else b""  # type: ignore[index]
                        if prefix in prefixes:
                            before, after = changes[key]
                            delta = key, before, after
                            for sink in prefixes[prefix]:
                                if sink in routed:
                                    routed[sink].append(delta)
                                else:
                                    routed[sink] = [delta]
        return routed

    def registered(self, view: object) -> frozenset[tuple[str, int, StoredKey] | tuple[str, str]]:
        """("key" | "prefix", table id, key) and ("wanted", name) of everything a view listens to.

        Walks all: for checks.
        """
        found: set[tuple[str, int, StoredKey] | tuple[str, str]] = set()
        found.update(("wanted", name) for name, sink in self.demand.listened() if sink.view is view)
        for table, lengths in self.tables.items():
            for length, keys in lengths.items():
                kind = "key" if length == _EXACT else "prefix"
                found.update(
                    (kind, table, key)
                    for key, held in keys.items()
                    if any(sink.view is view for sink in held)
                )
        return frozenset(found)

    def __bool__(self) -> bool:
        return bool(self.tables or self.demand)


def _length_of(prefix: StoredKey) -> int:
    return _EXACT if isinstance(prefix, int) else len(prefix)
