"""One value over many rows.

Depends on: part, folds, reads.  Never on: other words.

Law: `value` is the fold over all rows that count: of a key prefix, or of an earlier part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.interests import Delta, Routed
from pillarbox.views.parts.folds import Fold
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Value = TypeVar("Value")
R = TypeVar("R")


class Aggregate(Part, Generic[Value]):
    """A fold over the rows under a prefix of a table, or over the rows that an earlier part holds.

    Loading reads every row of the prefix; folding reads none, except that `Min` and `Max` have to read
    all again when their extreme leaves. `where` says which rows count. If `prefix()` gives None, no row
    does. Without `prefix` it is the whole table.
    """

    __slots__ = ("_at", "_fold", "_of", "_prefix", "_spec", "_where", "value")

    value: Value

    @overload
    def __init__(
        self,
        fold: Fold[R, Value],
        of: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        where: Callable[[R], bool] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self,
        fold: Fold[R, Value],
        of: ListPart[R],
        *,
        where: Callable[[R], bool] | None = None,
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    def __init__(
        self,
        fold: Fold[Any, Value],
        of: TableSpec[Any] | ListPart[Any],
        *,
        prefix: Callable[[], StoredKey | None] | None = None,
        where: Callable[[Any], bool] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__((of,) if isinstance(of, ListPart) else after, row_after, hidden)
        self._fold = fold
        self._of = of if isinstance(of, ListPart) else None
        self._spec: TableSpec[Any] | None = None if isinstance(of, ListPart) else of
        self._at = prefix
        self._where = where
        self._prefix: StoredKey | None = None
        self.value = fold.value

    def reload(self, reads: Reads) -> int:
        """Load from scratch; what differs."""
        self.close()
        if self._spec is not None and self._at is not None:
            self._prefix = self._at()
            if self._prefix is not None:
                self.interests.add_prefix(self._spec.id, self._prefix, self)
        self._fold_all(reads)
        return self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        depends = self.depends & moved
        if self.row_depends & moved:
            return self.reload(reads)
        if depends and self._of is None and self._at is not None and self._at() != self._prefix:
            return self.reload(reads)
        deltas = routed.get(self)
        if self._of is not None:
            if not depends:
                return UNCHANGED
            self._fold_rows(self._of.entered, self._of.left)
        elif deltas is not None and self._spec is not None:
            self._fold_rows(*_rows_of(self._spec, deltas))
        else:
            return UNCHANGED
        if self._fold.lost:
            self._fold_all(reads)
        return self._take()

    def close(self) -> None:
        """Unregister the prefix."""
        if self._prefix is not None and self._spec is not None:
            self.interests.remove_prefix(self._spec.id, self._prefix, self)
            self._prefix = None

    def _fold_all(self, reads: Reads) -> None:
        self._fold.clear()
        self._fold_rows(self._all_rows(reads), ())

    def _all_rows(self, reads: Reads) -> Iterable[Any]:
        if self._of is not None:
            return self._of.held_rows
        spec = self._spec
        if spec is None or self._prefix is None:
            return ()
        low, high = bounds(self._prefix, int_key=spec.int_key)
        cells = reads.cells(spec, low, high, newest_first=False, limit=None)
        return [spec.row(key, cell) for key, cell in cells]

    def _fold_rows(self, entered: Iterable[Any], left: Iterable[Any]) -> None:
        fold, where = self._fold, self._where
        for row in left:
            if where is None or where(row):
                fold.remove(row)
        for row in entered:
            if where is None or where(row):
                fold.add(row)

    def _take(self) -> int:
        value = self._fold.value
        if value == self.value:
            return UNCHANGED
        self.value = value
        return MOVED | SHOWN


def _rows_of(spec: TableSpec[Any], deltas: Sequence[Delta]) -> tuple[list[Any], list[Any]]:
    """The rows after and before, each without the absent ones."""
    entered = [spec.row(key, after) for key, _, after in deltas if after is not None]
    left = [spec.row(key, before) for key, before, _ in deltas if before is not None]
    return entered, left
