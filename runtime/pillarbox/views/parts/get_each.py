"""Rows by key, for the keys that other rows name or that are listed.

Depends on: part, reads.  Never on: other words.

Law: `value` maps every key named by a row of `of` (or listed by `at()`) to its row; keys without a row
are missing. Only rows that entered or left are looked at: keys are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.interests import Delta, Routed
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Name = TypeVar("Name")
Row = TypeVar("Row")
Value = TypeVar("Value")
N = TypeVar("N")
R = TypeVar("R")
V = TypeVar("V")


class GetEach(ListPart[Row], Generic[Name, Row, Value]):
    """The rows of one table under several keys.

    Either `of`, an earlier part that holds rows, and `keys(row)`, the stored keys that one of its rows
    names; or `at()`, all stored keys (None: none). `name(row)` is the key of the mapping.
    `rows` maps to whole rows, for other parts; `value` is what the snapshot shows. A mapping comes in
    list order when it is loaded, and keys that enter later come last: order is no part of its value.
    """

    __slots__ = (
        "_at",
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
        at: Callable[[], Iterable[StoredKey] | None],
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        name: Callable[[Any], Any],
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
        self._of = of
        self._keys = keys
        self._at = at
        self._show = show
        #: stored key -> its row, None where there is none; every key here is registered.
        self._found: dict[StoredKey, Any] = {}
        #: stored key -> how often it is named beyond once.
        self._more: dict[StoredKey, int] = {}
        #: What `rows` looks at: replaced, never changed.
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
        return [row for key in dict.fromkeys(self._wanted_keys()) if (row := found[key]) is not None]

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        old = self._found
        self.close()
        came: dict[StoredKey, None] = {}
        for key in self._wanted_keys():
            self._count_up(key, came)
        for key, row in reads.rows(self._spec, came).items():
            kept = old.get(key)
            self._found[key] = kept if kept is not None and kept == row else row
        self.left = [row for row in old.values() if row is not None]
        self.entered = [row for row in self._found.values() if row is not None]
        rows = {self._name(row): row for row in self.entered}
        return UNCHANGED if rows == self._named else self._show_rows(rows)

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.row_depends & moved:
            return self.reload(reads)
        deltas = routed.get(self, ())
        rekey = self.depends & moved
        if not rekey and not deltas:
            return UNCHANGED
        entered: list[Row] = []
        left: list[Row] = []
        self.entered, self.left = entered, left
        came: dict[StoredKey, None] = {}
        if rekey:
            self._recount(came, left)
        self._fold(deltas, entered, left)
        if came:
            # As of this commit, which is therefore not folded into them.
            rows = reads.rows(self._spec, came)
            self._found.update(rows)
            entered += rows.values()
        return self._take() if entered or left else UNCHANGED

    def close(self) -> None:
        """Unregister everything."""
        for key in self._found:
            self.interests.remove(self._table, key, self)
        self._found = {}
        self._more = {}

    def row_of(self, key: StoredKey) -> Any:
        """The row under a key."""
        return self._found.get(key)

    # ------------------------------------------------------------------------------------- keys

    def _wanted_keys(self) -> Iterable[StoredKey]:
        """Every key, as often as it is named."""
        if self._of is not None and self._keys is not None:
            keys_of = self._keys
            return [key for row in self._of.held_rows for key in keys_of(row)]
        wanted = None if self._at is None else self._at()
        return () if wanted is None else dict.fromkeys(wanted)

    def _recount(self, came: dict[StoredKey, None], left: list[Any]) -> None:
        """Count the keys anew, looking only at rows that entered or left."""
        if self._of is None or self._keys is None:
            wanted = dict.fromkeys(self._wanted_keys())
            for key in wanted:
                if key not in self._found:
                    self._count_up(key, came)
            for key in [key for key in self._found if key not in wanted]:
                self._count_down(key, came, left)
            return
        keys_of = self._keys
        # Entering rows first: a key that merely passes from one row to another stays registered.
        for row in self._of.entered:
            for key in keys_of(row):
                self._count_up(key, came)
        for row in self._of.left:
            for key in keys_of(row):
                self._count_down(key, came, left)

    def _count_up(self, key: StoredKey, came: dict[StoredKey, None]) -> None:
        if key in self._found:
            self._more[key] = self._more.get(key, 0) + 1
            return
        self.interests.add(self._table, key, self)
        self._found[key] = came[key] = None

    def _count_down(self, key: StoredKey, came: dict[StoredKey, None], left: list[Any]) -> None:
        more = self._more.pop(key, 0)
        if more:
            if more > 1:
                self._more[key] = more - 1
            return
        self.interests.remove(self._table, key, self)
        row = self._found.pop(key)
        if key in came:
            del came[key]
        elif row is not None:
            left.append(row)

    # ------------------------------------------------------------------------------------- rows

    def _fold(self, deltas: Sequence[Delta], entered: list[Any], left: list[Any]) -> None:
        """Take the changed rows of keys that were held before and still are."""
        found = self._found
        for key, _, after in deltas:
            if key not in found:
                continue  # It left just now.
            old = found[key]
            if old is not None:
                left.append(old)
            found[key] = row = None if after is None else self._spec.row(key, after)
            if row is not None:
                entered.append(row)

    def _take(self) -> int:
        """Rebuild what is shown from the rows that entered and left; what differs."""
        name = self._name
        rows = self._named.copy()
        entered = {name(row): row for row in self.entered}
        for row in self.left:
            old = name(row)
            if old not in entered:
                del rows[old]
        rows.update(entered)
        return self._show_rows(rows)

    def _show_rows(self, rows: dict[Any, Any]) -> int:
        self._named = rows
        self.rows = MappingProxyType(rows)
        if self._show is None:
            self.value = self.rows  # type: ignore[assignment]  # rows show themselves
            return MOVED | SHOWN
        value = self._project(self._show, rows)
        if value == self.value:
            return MOVED
        self.value = MappingProxyType(value)
        return MOVED | SHOWN

    def _project(self, show: Callable[[Any], Any], rows: dict[Any, Any]) -> dict[Any, Any]:
        """What the rows show; equal old objects stay."""
        old = self.value
        shown = {}
        for name, row in rows.items():
            new, was = show(row), old.get(name)
            shown[name] = was if was is not None and was == new else new
        return shown
