"""What the rows of a list show.

Depends on: nothing.  Never on: parts.

Law: a row that is the same object under its key shows the same object, and so does one that shows the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey


class Projection:
    """`show` over a list that changes."""

    __slots__ = ("_held", "_show", "value")

    def __init__(self, show: Callable[[Any], Any]) -> None:
        self._show = show
        #: key -> (row, what it shows)
        self._held: dict[StoredKey, tuple[Any, Any]] = {}
        self.value: tuple[Any, ...] = ()

    def take(self, rows: tuple[Any, ...], keys: Sequence[StoredKey]) -> tuple[Any, ...]:
        """What these rows, which are stored under `keys`, show; the old tuple if nothing differs."""
        value = self._project(rows, keys)
        if value != self.value:
            self.value = value
        return self.value

    def _project(self, rows: tuple[Any, ...], keys: Sequence[StoredKey]) -> tuple[Any, ...]:
        old, new, show = self._held, {}, self._show
        for key, row in zip(keys, rows, strict=True):
            was = old.get(key)
            if was is None or was[0] is not row:
                shown = show(row)
                was = (row, was[1] if was is not None and was[1] == shown else shown)
            new[key] = was
        self._held = new
        return tuple([new[key][1] for key in keys])
