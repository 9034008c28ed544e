"""One row.

Depends on: part, reads.  Never on: other words.

Law: `value` is the row under `at()` (projected by `show`), or None, or `default()`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.interests import Routed
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, Part
from pillarbox.views.reads import Reads
from pillarbox.views.touched import Mark

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Held = TypeVar("Held")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")


class Get(Part, Generic[Held, Value]):
    """The row under one key.

    `at()` gives the stored key, or None: nothing is then read. `row` is the whole row, for other parts;
    `value` is what the snapshot shows.
    """

    __slots__ = ("_at", "_default", "_key", "_show", "_table", "row", "spec", "stored", "value", "was")

    row: Held
    value: Value

    @overload
    def __init__(
        self: Get[R | None, R | None],
        spec: TableSpec[R],
        *,
        at: Callable[[], StoredKey | None],
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: Get[R, R],
        spec: TableSpec[R],
        *,
        at: Callable[[], StoredKey | None],
        default: Callable[[], R],
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: Get[R | None, V | None],
        spec: TableSpec[R],
        *,
        at: Callable[[], StoredKey | None],
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    @overload
    def __init__(
        self: Get[R, V],
        spec: TableSpec[R],
        *,
        at: Callable[[], StoredKey | None],
        default: Callable[[], R],
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        at: Callable[[], StoredKey | None],
        default: Callable[[], Any] | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, (), hidden)
        self.spec = spec
        self._table = spec.id
        self._at = at
        self._default = default
        self._show = show
        self._key: StoredKey | None = None
        #: Whether the row is a stored one, and no default.
        self.stored = False
        #: The stored row before the last change.
        self.was: Any = None
        self.row = None  # type: ignore[assignment]  # until loaded
        self.value = None  # type: ignore[assignment]

    def reload(self, reads: Reads) -> int:
        """Load from scratch; what differs."""
        return self._move_to(self._at(), reads)

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.depends & moved:
            key = self._at()
            if key != self._key:
                return self._move_to(key, reads)
        deltas = routed.get(self)
        if deltas is None:
            return UNCHANGED
        key, _, after = deltas[0]
        was = self.row if self.stored else None
        return self._take(None if after is None else self.spec.row(key, after), was)

    def close(self) -> None:
        """Unregister the key."""
        if self._key is not None:
            self.interests.remove(self._table, self._key, self)
            self._key = None
            self.stored = False

    def mark(self, moved: int) -> Mark:
        """As `Part.mark`."""
        return self.spec, (self.row,) if self.stored else (), () if self.was is None else (self.was,), ()

    def row_of(self, key: StoredKey) -> Any:
        """The row, if it is stored and not the default."""
        return self.row if self.stored and key == self._key else None

    def _move_to(self, key: StoredKey | None, reads: Reads) -> int:
        was = self.row if self.stored else None
        self.close()
        if key is None:
            return self._take(None, was)
        self.interests.add(self._table, key, self)
        self._key = key
        return self._take(reads.row(self.spec, key), was)

    def _take(self, row: Any, was: Any) -> int:
        self.stored = row is not None
        if row is None and self._default is not None:
            row = self._default()
        if row == self.row:
            return UNCHANGED
        self.row, self.was = row, was
        value = row
        if self._show is not None and row is not None:
            value = self._show(row)
            if value == self.value:
                return MOVED
        self.value = value
        return MOVED | SHOWN
