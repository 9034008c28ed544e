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
        "_came",
        "_counts",
        "_found",
        "_gone",
        "_keys",
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
        self._spec = spec
        self._table = spec.id
        self._name = name
        self._of = of
        self._keys = keys
        self._at = at
        self._show = show
        #: stored key -> how many rows name it; every key here is registered.
        self._counts: dict[StoredKey, int] = {}
        self._found: dict[StoredKey, Any] = {}
        #: What `rows` looks at: replaced, never changed.
        self._named: dict[Any, Any] = {}
        #: Keys that entered and left in this fold.
        self._came: dict[StoredKey, None] = {}
        self._gone: dict[StoredKey, None] = {}
        self.entered = self.left = ()
        self.rows = MappingProxyType({})
        self.value = MappingProxyType({})

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows found."""
        return tuple(self._found.values())

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        old = self._found
        self.close()
        counts: dict[StoredKey, int] = {}
        for key in self._wanted_keys():
            counts[key] = counts.get(key, 0) + 1
        for key in counts:
            self.interests.add(self._table, key, self)
        self._counts = counts
        found = reads.rows(self._spec, counts)
        self._found = {
            key: kept if (kept := old.get(key)) is not None and kept == found[key] else found[key]
            for key in counts
            if key in found
        }
        self.entered, self.left = list(self._found.values()), list(old.values())
        return self._take()

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
        if rekey:
            self._recount()
            self._register(left)
        self._fold(deltas, entered, left)
        if self._came:
            self._load(reads, entered)
        return self._take() if entered or left else UNCHANGED

    def close(self) -> None:
        """Unregister everything."""
        for key in self._counts:
            self.interests.remove(self._table, key, self)
        self._counts = {}
        self._found = {}

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

    def _recount(self) -> None:
        """Count the keys anew, looking only at rows that entered or left."""
        if self._of is None or self._keys is None:
            wanted = dict.fromkeys(self._wanted_keys())
            counts = self._counts
            for key in wanted:
                if key not in counts:
                    self._count_up(key)
            for key in [key for key in counts if key not in wanted]:
                self._count_down(key)
            return
        keys_of = self._keys
        # Entering rows first: a key that merely passes from one row to another stays registered.
        for row in self._of.entered:
            for key in keys_of(row):
                self._count_up(key)
        for row in self._of.left:
            for key in keys_of(row):
                self._count_down(key)

    def _count_up(self, key: StoredKey) -> None:
        count = self._counts.get(key)
        if count is None:
            self._counts[key] = 1
            self._came[key] = None
        else:
            self._counts[key] = count + 1

    def _count_down(self, key: StoredKey) -> None:
        count = self._counts[key] - 1
        if count:
            self._counts[key] = count
            return
        del self._counts[key]
        if key in self._came:
            del self._came[key]
        else:
            self._gone[key] = None

    def _register(self, left: list[Any]) -> None:
        for key in self._gone:
            self.interests.remove(self._table, key, self)
            row = self._found.pop(key, None)
            if row is not None:
                left.append(row)
        self._gone.clear()
        for key in self._came:
            self.interests.add(self._table, key, self)

    # ------------------------------------------------------------------------------------- rows

    def _fold(self, deltas: Sequence[Delta], entered: list[Any], left: list[Any]) -> None:
        """Take the changed rows of keys that were held before and still are."""
        found = self._found
        for key, _, after in deltas:
            if key not in self._counts:
                continue  # It left just now.
            old = found.pop(key, None) if after is None else found.get(key)
            if old is not None:
                left.append(old)
            if after is not None:
                found[key] = row = self._spec.row(key, after)
                entered.append(row)

    def _load(self, reads: Reads, entered: list[Any]) -> None:
        """Read the keys that entered: their rows are as of this commit, so it is not folded into them."""
        rows = reads.rows(self._spec, self._came)
        self._came.clear()
        self._found.update(rows)
        entered.extend(rows.values())

    def _take(self) -> int:
        """Rebuild what is shown from the rows that entered and left; what differs."""
        name, held = self._name, self._named
        entered = {name(row): row for row in self.entered}
        gone = [old for row in self.left if (old := name(row)) not in entered]
        changed = {new: row for new, row in entered.items() if held.get(new) != row}
        if not gone and not changed:
            return UNCHANGED
        self._named = rows = held.copy()
        for old in gone:
            del rows[old]
        rows.update(changed)
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
