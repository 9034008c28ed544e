"""What the last commit did to some rows.

Depends on: part, reads.  Never on: other words.

Law: in an emission `rows` are a function of the change record of its commit alone; everywhere else there
are none. This is the one part that is no state: rows that changed as in the commit before are told again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

from pillarbox.views.interests import Delta, Routed
from pillarbox.views.parts.part import MOMENTARY, SHOWN, UNCHANGED, Part
from pillarbox.views.parts.projection import Projection
from pillarbox.views.reads import Reads
from pillarbox.views.touched import Mark

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableChanges, TableSpec

Row = TypeVar("Row")

Kind: TypeAlias = Literal["inserted", "removed", "updated", "any"]
#: Kind -> by whether a row was there before, and is there now.
_KINDS: Final[dict[tuple[bool, bool], Kind]] = {
    (False, True): "inserted",
    (True, False): "removed",
    (True, True): "updated",
}


class Changes(Part, Generic[Row]):
    """The rows under `prefix()` that one commit touched, in the order of their keys.

    They are as they are now, and those that were removed as they were. `where` is asked of that row. If
    `prefix()` gives None, no row counts. A refresh, which has no change record, tells nothing. No other
    part may read this one: what it tells is gone when the emission is made.
    """

    __slots__ = ("_at", "_kind", "_prefix", "_projection", "_where", "rows", "spec", "value")

    traits: ClassVar[int] = MOMENTARY
    rows: tuple[Row, ...]
    value: tuple[Any, ...]

    def __init__(
        self,
        spec: TableSpec[Row],
        *,
        prefix: Callable[[], StoredKey | None],
        kind: Kind = "any",
        where: Callable[[Row], bool] | None = None,
        show: Callable[[Row], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, row_after, hidden)
        self.spec = spec
        self._at = prefix
        self._kind = kind
        self._where = where
        self._projection = None if show is None else Projection(show)
        self._prefix: StoredKey | None = None
        self.rows = ()
        self.value = ()

    def reload(self, reads: Reads) -> int:
        """Listen, and tell nothing."""
        self._listen(self._at())
        return UNCHANGED

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Take the rows of this commit; whether there are any."""
        deltas: Iterable[Delta] = routed.get(self, ())
        if self.depends & moved and (prefix := self._at()) != self._prefix:
            self._listen(prefix)
            deltas = _under(prefix, reads.changes_of(self.spec.id))
        rows = self._rows(deltas)
        if not rows:
            return UNCHANGED
        self.rows = tuple(rows.values())
        show = self._projection
        self.value = self.rows if show is None else show.take(self.rows, list(rows))
        return SHOWN

    def mark(self, moved: int) -> Mark:
        """As `Part.mark`."""
        return self.spec, self.rows, (), ()

    def forget(self) -> None:
        """The emission was made: whoever looks from now on sees nothing."""
        self.rows = self.value = ()

    def close(self) -> None:
        """Unregister the prefix."""
        self._listen(None)

    def _listen(self, prefix: StoredKey | None) -> None:
        if prefix == self._prefix:
            return
        if self._prefix is not None:
            self.interests.remove_prefix(self.spec.id, self._prefix, self)
        self._prefix = prefix
        if prefix is not None:
            self.interests.add_prefix(self.spec.id, prefix, self)

    def _rows(self, deltas: Iterable[Delta]) -> dict[StoredKey, Row]:
        found = {}
        for key, before, after in sorted(deltas, key=_key):
            if self._kind not in ("any", _KINDS[before is not None, after is not None]):
                continue
            row = self.spec.row(key, before if after is None else after)
            if self._where is None or self._where(row):
                found[key] = row
        return found


def _under(prefix: StoredKey | None, changes: TableChanges) -> Iterable[Delta]:
    """The changes of keys that begin with `prefix`."""
    if prefix is None:
        return []
    return [
        (key, before, after)
        for key, (before, after) in changes.items()
        if (key == prefix if isinstance(prefix, int) else isinstance(key, int) or key.startswith(prefix))
    ]


def _key(delta: Delta) -> Any:
    return delta[0]
