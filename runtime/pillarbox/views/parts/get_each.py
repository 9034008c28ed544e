"""Rows by key, for the keys that other rows name or that are listed.

Depends on: part, reads.  Never on: other words.

Law: `value` maps every key named by a row of `of` (or listed by `at()`) to its row; keys without a row
are missing. Only rows that entered or left are looked at: keys are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, overload

from pillarbox.views.interests import Delta, Routed
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.reads import Reads
from pillarbox.views.stretch import kept

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Name = TypeVar("Name")
Row = TypeVar("Row")
Value = TypeVar("Value")
N = TypeVar("N")
R = TypeVar("R")
V = TypeVar("V")

#: Equals no value.
_NOTHING: Final = object()


class GetEach(ListPart[Row], Generic[Name, Row, Value]):
    """The rows of one table under several keys.

    Either `of`, an earlier part that holds rows, and `keys(row)`, the stored keys that one of its rows
    names; or `at()`, all stored keys (None: none). `name(row)` is the key of the mapping; `by_key` says that
    this is the very stored key, an int.
    `rows` maps to whole rows, for other parts; `value` is what the snapshot shows. A mapping comes in
    list order when it is loaded, and keys that enter later come last: order is no part of its value.
    """

    __slots__ = (
        "_absent",
        "_at",
        "_by_key",
        "_found",
        "_keys",
        "_more",
        "_name",
        "_named",
        "_of",
        "_show",
        "_spec",
        "_table",
        "rows",
        "value",
    )

    rows: Mapping[Name, Row]
    value: Mapping[Name, Value]

    @overload
    def __init__(
        self: GetEach[N, R, R],
        spec: TableSpec[R],
        *,
        name: Callable[[R], N],
        by_key: bool = False,
        of: ListPart[V],
        keys: Callable[[V], Iterable[StoredKey]],
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: GetEach[N, R, R],
        spec: TableSpec[R],
        *,
        name: Callable[[R], N],
        by_key: bool = False,
        at: Callable[[], Iterable[StoredKey] | None],
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: GetEach[N, R, V],
        spec: TableSpec[R],
        *,
        name: Callable[[R], N],
        by_key: bool = False,
        of: ListPart[Any],
        keys: Callable[[Any], Iterable[StoredKey]],
        show: Callable[[R], V],
        row_after: Sequence[Part] = (),
    ) -> None: ...
    @overload
    def __init__(
        self: GetEach[N, R, V],
        spec: TableSpec[R],
        *,
        name: Callable[[R], N],
        by_key: bool = False,
        at: Callable[[], Iterable[StoredKey] | None],
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        name: Callable[[Any], Any],
        by_key: bool = False,
        of: ListPart[Any] | None = None,
        keys: Callable[[Any], Iterable[StoredKey]] | None = None,
        at: Callable[[], Iterable[StoredKey] | None] | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after if of is None else (of,), row_after, hidden)
        self._spec = self.row_spec = spec
        self._table = spec.id
        self._name = name
        self._by_key = by_key
        self._of = of
        self._keys = keys
        self._at = at
        self._show = show
        #: stored key -> its row, and the keys under which there is none; all of these are registered.
        #: `by_key`, `rows` look at the first: it is copied before it is changed.
        self._found: dict[StoredKey, Any] = {}
        self._absent: dict[StoredKey, None] = {}
        #: stored key -> how often it is named beyond once.
        self._more: dict[StoredKey, int] = {}
        #: What `rows` look at: replaced, never changed.
        self._named: dict[Any, Any] = {}
        self.entered = self.left = ()
        self.rows = MappingProxyType({})
        self.value = MappingProxyType({})

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows found."""
        return tuple(self.rows.values())

    def in_order(self) -> list[Row]:
        """The rows in the order of the list that names them now."""
        found = self._found
        return [found[key] for key in dict.fromkeys(self._wanted_keys()) if key in found]

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        old = self._found
        self.close()
        self._take_in(reads, self._count_up(self._wanted_keys()), old)
        self.left = list(old.values())
        self.entered = list(self._found.values())
        rows = self._found if self._by_key else {self._name(row): row for row in self.entered}
        if rows == self._named:
            if self._by_key:
                self._found = self._named
            return UNCHANGED
        self._name_rows(rows)
        show = self._show
        was: Any = self.value
        if show is None:
            return MOVED | SHOWN
        value: dict[Any, Any] = {name: show(row) for name, row in rows.items()}
        if value == was:
            return MOVED
        self.value = MappingProxyType(
            {name: was[name] if name in was and was[name] == new else new for name, new in value.items()}
        )
        return MOVED | SHOWN

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.row_depends & moved:
            return self.reload(reads)
        deltas = routed.get(self)
        rekey = self.depends & moved
        if deltas is None and not rekey:
            return UNCHANGED
        entered: list[Row] = []
        left: list[Row] = []
        self.entered, self.left = entered, left
        came = self._recount(left) if rekey else None
        if deltas is not None:
            self._fold(deltas, entered, left)
        if came:
            # As of this commit, which is therefore not folded into them.
            entered += self._take_in(reads, came, {})
        return self._take() if entered or left else UNCHANGED

    def close(self) -> None:
        """Unregister everything."""
        for keys in (self._found, self._absent):
            self.interests.remove_all(self._table, keys, self)
        self._found = {}
        self._absent = {}
        self._more = {}

    def row_of(self, key: StoredKey) -> Any:
        """The row under a key."""
        return self._found.get(key)

    # ------------------------------------------------------------------------------------- keys

    def _wanted_keys(self) -> Iterable[StoredKey]:
        """Every key, as often as it is named."""
        if self._of is not None and self._keys is not None:
            return chain.from_iterable(map(self._keys, self._of.held_rows))
        wanted = None if self._at is None else self._at()
        return () if wanted is None else dict.fromkeys(wanted)

    def _recount(self, left: list[Any]) -> dict[StoredKey, None]:
        """Count the keys anew, looking only at rows that entered or left; those that came."""
        of, keys_of = self._of, self._keys
        up: Iterable[StoredKey]
        down: Iterable[StoredKey]
        if of is None or keys_of is None:
            wanted = dict.fromkeys(self._wanted_keys())
            found, absent = self._found, self._absent
            up = [key for key in wanted if key not in found and key not in absent]
            down = [key for keys in (found, absent) for key in keys if key not in wanted]
        else:
            up = chain.from_iterable(map(keys_of, of.entered))
            down = chain.from_iterable(map(keys_of, of.left))
        # Entering rows first: a key that merely passes from one row to another stays registered.
        came = self._count_up(up)
        self._count_down(down, came, left)
        return came

    def _count_up(self, keys: Iterable[StoredKey]) -> dict[StoredKey, None]:
        """Count each of these keys once more; those that were not named before."""
        came: dict[StoredKey, None] = {}
        found, absent, more = self._found, self._absent, self._more
        for key in keys:
            if key in found or key in came or key in absent:
                more[key] = more.get(key, 0) + 1
            else:
                came[key] = None
        if came:
            self.interests.add_all(self._table, came, self)
        return came

    def _count_down(self, keys: Iterable[StoredKey], came: dict[StoredKey, None], left: list[Any]) -> None:
        """Count each of these keys once less, and let those go that are not named any more."""
        more = self._more
        gone = []
        for key in keys:
            if key in more:
                if more[key] > 1:
                    more[key] -= 1
                else:
                    del more[key]
                continue
            gone.append(key)
            if key in self._found:
                left.append(self._own().pop(key))
            else:
                del (came if key in came else self._absent)[key]
        if gone:
            self.interests.remove_all(self._table, gone, self)

    # ------------------------------------------------------------------------------------- rows

    def _own(self) -> dict[StoredKey, Any]:
        """The rows found, to be changed."""
        if self._found is self._named:
            self._found = self._found.copy()
        return self._found

    def _take_in(
        self, reads: Reads, came: Collection[StoredKey], old: Mapping[StoredKey, Any]
    ) -> Iterable[Any]:
        """Read the rows of new keys; those that there are. Equal old ones stay."""
        rows = reads.rows(self._spec, came)
        if old:
            rows = {key: kept(old.get(key), row) for key, row in rows.items()}
        found = self._own() if rows else self._found
        for key in came:
            row = rows.get(key)
            if row is None:
                self._absent[key] = None
            else:
                found[key] = row
        return rows.values()

    def _fold(self, deltas: Sequence[Delta], entered: list[Any], left: list[Any]) -> None:
        """Take the changed rows of keys that were held before and still are."""
        for key, _, after in deltas:
            if key in self._found:
                left.append(self._found[key])
            elif key in self._absent:
                del self._absent[key]
            else:
                continue  # It left just now.
            if after is None:
                del self._own()[key]
                self._absent[key] = None
            else:
                row = self._own()[key] = self._spec.row(key, after)
                entered.append(row)

    def _take(self) -> int:
        """Rebuild what is shown from the rows that entered and left; what differs."""
        if self._by_key:
            self._name_rows(self._found)
            if self._show is None:
                return MOVED | SHOWN
        name = self._name
        entered = {name(row): row for row in self.entered}
        gone = [one for row in self.left if (one := name(row)) not in entered]
        if not self._by_key:
            rows = self._named.copy()
            for one in gone:
                del rows[one]
            rows.update(entered)
            self._name_rows(rows)
        return MOVED | SHOWN if self._show is None else MOVED | self._show_rows(self._show, entered, gone)

    def _name_rows(self, rows: dict[Any, Any]) -> None:
        self._named = rows
        self.rows = MappingProxyType(rows)
        if self._show is None:
            self.value = self.rows  # type: ignore[assignment]  # rows show themselves

    def _show_rows(self, show: Callable[[Any], Any], entered: Mapping[Any, Any], gone: Sequence[Any]) -> int:
        """Show what the rows that entered do, and those that are gone no more; whether that differs."""
        was: Any = self.value
        shown = {one: new for one, row in entered.items() if (new := show(row)) != was.get(one, _NOTHING)}
        if not shown and not gone:
            return UNCHANGED
        value = was.copy()
        for one in gone:
            del value[one]
        value.update(shown)
        self.value = MappingProxyType(value)
        return SHOWN
