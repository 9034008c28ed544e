"""The first row of a prefix, from one of its ends.

Depends on: part, scan.  Never on: other words.

Law: `row` is the row with the least key that begins with `prefix()`, or, `newest_first`, the greatest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.interests import Interests, Routed
from pillarbox.views.parts.part import UNCHANGED, ListPart, Part
from pillarbox.views.parts.scan import Scan
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")


class First(ListPart[Row], Generic[Row, Value]):
    """One row of a prefix, or None: `prefix()` is as in `Scan`.

    `row` is the whole row, for other parts; `value` is what the snapshot shows.
    """

    __slots__ = ("_scan", "row", "value")

    row: Row | None
    value: Value | None

    @overload
    def __init__(
        self: First[R, R],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        newest_first: bool = False,
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: First[R, V],
        spec: TableSpec[R],
        *,
        prefix: Callable[[], StoredKey | None],
        newest_first: bool = False,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        prefix: Callable[[], StoredKey | None],
        newest_first: bool = False,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, (), hidden)
        options: dict[str, Any] = {} if show is None else {"show": show}
        self._scan: Scan[Any, Any] = Scan(
            spec, prefix=prefix, limit=lambda: 1, newest_first=newest_first, after=after, **options
        )
        self.row_spec = spec
        self.row = None
        self.value = None

    @property
    def held_rows(self) -> Sequence[Row]:
        """The row, if there is one."""
        return () if self.row is None else (self.row,)

    def bind(self, view: object, number: int) -> None:
        """As `Part.bind`."""
        super().bind(view, number)
        self._scan.bind(view, number)

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self.interests = interests
        self._scan.open(interests, reads)
        self._take()

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        return self._take(self._scan.reload(reads))

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        return self._take(self._scan.replay(reads, routed, moved))

    def close(self) -> None:
        """Unregister everything."""
        self._scan.close()

    def _take(self, verdict: int = UNCHANGED) -> int:
        """What the scan has, as one row."""
        scan = self._scan
        self.entered, self.left = scan.entered, scan.left
        self.row = scan.rows[0] if scan.rows else None
        self.value = scan.value[0] if scan.value else None
        return verdict
