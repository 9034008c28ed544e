"""What parts have in common that show the rows of one stretch.

Depends on: part, projection, stretch.  Never on: words.

Law: after `_take` the rows are those of the stretch, and it tells exactly what of the part differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from pillarbox.views.interests import Interests
from pillarbox.views.parts.amounts import amount
from pillarbox.views.parts.part import MOVED, SHOWN, UNCHANGED, ListPart, Part
from pillarbox.views.parts.projection import Projection
from pillarbox.views.reads import Reads
from pillarbox.views.stretch import Stretch

Row = TypeVar("Row")
Value = TypeVar("Value")


class Stretched(ListPart[Row], Generic[Row, Value]):
    """`limit()` gives a number of rows, or None for all; without `limit` all rows are held.

    `rows` are whole rows, for other parts; `value` is what the snapshot shows.
    """

    __slots__ = ("_limit", "_limited_to", "_projection", "_stretch", "rows", "value")

    rows: tuple[Row, ...]
    value: tuple[Value, ...]

    def __init__(
        self,
        stretch: Stretch[Any],
        limit: Callable[[], int | None] | None,
        show: Callable[[Any], Any] | None,
        after: Sequence[Part],
        row_after: Sequence[Part],
        hidden: bool,
    ) -> None:
        super().__init__(after, row_after, hidden)
        self._stretch = stretch
        self._limit = limit
        self._limited_to: int | None = None
        self._projection = None if show is None else Projection(show)
        self.rows = ()
        self.value = ()

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows shown."""
        return self.rows

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self._stretch.bind(self.view, interests)
        super().open(interests, reads)

    def rest(self) -> None:
        """As `Part.rest`."""
        super().rest()
        self._stretch.rest()

    def close(self) -> None:
        """Unregister everything."""
        self._unregister()
        self._stretch.clear()

    def _unregister(self) -> None:
        """Listen to nothing of what is scanned."""
        raise NotImplementedError

    def _count(self) -> int | None:
        count = None if self._limit is None else self._limit()
        return None if count is None else amount("limit", count)

    def _take(self) -> int:
        """Rebuild what is shown; what differs."""
        stretch = self._stretch
        self.entered, self.left = stretch.entered, stretch.left
        rows = stretch.rows()
        if rows == self.rows:
            return UNCHANGED
        self.rows = rows
        show = self._projection
        value = rows if show is None else show.take(rows, stretch.row_keys())
        if value is self.value:
            return MOVED
        self.value = value
        return MOVED | SHOWN
