"""Rows in place of rows: what belongs together is shown together.

Depends on: rows, interests, reads, parts.ranges (its bounds).  Never on: other parts.

Law: a row for which `prefix` gives something is replaced by the rows of that prefix, or stays if there are
none; what was shown already is not shown again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pillarbox.views.holes import Gap
from pillarbox.views.interests import Interests, Routed, Sink
from pillarbox.views.parts.ranges import bounds
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows, Stretch, TableRows

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec


class Expand:
    """Rows of a scan in place of a row, such as all that belong together with it; each is shown once.

    `prefix(row)` is what is scanned of `spec`, None: the row stays alone. At most `limit` rows. With
    `source` it is an index, as in `Scan`. `when()`: whether anything is replaced.
    """

    __slots__ = ("limit", "prefix", "source", "source_key", "spec", "when")

    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        prefix: Callable[[Any], StoredKey | None],
        limit: int,
        source: TableSpec[Any] | None = None,
        source_key: Callable[[Any], StoredKey] | None = None,
        when: Callable[[], bool] | None = None,
    ) -> None:
        self.spec = spec
        self.prefix = prefix
        self.limit = limit
        self.source = source
        self.source_key = source_key
        self.when = when

    @property
    def is_on(self) -> bool:
        """Whether anything is replaced."""
        return self.when is None or self.when()


class _Group(Sink):
    """The rows of one prefix."""

    __slots__ = ("stretch",)

    def __init__(self, expand: Expand, view: object) -> None:
        self.view = view
        self.stretch: Stretch[Any] = (
            TableRows(expand.spec, newest_first=False)
            if expand.source is None or expand.source_key is None
            else SourceRows(expand.spec, expand.source, expand.source_key, newest_first=False)
        )


class Expansion:
    """The rows of all prefixes that rows shown name."""

    __slots__ = ("_expand", "_groups", "_interests", "_key_of", "_view")

    def __init__(
        self, expand: Expand, key_of: Callable[[Any], StoredKey], view: object, interests: Interests
    ) -> None:
        self._expand = expand
        #: The key of a row shown.
        self._key_of = key_of
        self._view = view
        self._interests = interests
        self._groups: dict[StoredKey, _Group] = {}

    def fold(self, reads: Reads, routed: Routed) -> bool:
        """Fold one commit in; whether it concerns any of the rows."""
        touched = False
        for group in self._groups.values():
            deltas = routed.get(group, ())
            if deltas or group.stretch in routed:
                group.stretch.fold(reads, deltas, routed)
                touched = True
        return touched

    def reload(self, reads: Reads) -> None:
        """Load the rows anew, keeping equal old objects."""
        for prefix, group in self._groups.items():
            self._load(reads, prefix, group)

    def replace(self, reads: Reads, rows: Iterable[Any]) -> list[Any]:
        """What is shown in place of these rows; gaps stay. Reads what they name first."""
        expand, key_of = self._expand, self._key_of
        if not expand.is_on:
            self._settle(reads, {})
            return list(rows)
        named = [(row, None if type(row) is Gap else expand.prefix(row)) for row in rows]
        self._settle(reads, {prefix: None for _, prefix in named if prefix is not None})
        shown: dict[Any, Any] = {}
        for row, prefix in named:
            if type(row) is Gap:
                shown[row] = row
                continue
            found: Sequence[Any] = () if prefix is None else self._groups[prefix].stretch.rows()
            for one in found or (row,):
                shown.setdefault(key_of(one), one)
        return list(shown.values())

    def close(self) -> None:
        """Hold nothing, and unregister everything."""
        for prefix in list(self._groups):
            self._drop(prefix)

    def _settle(self, reads: Reads, wanted: dict[StoredKey, None]) -> None:
        """Hold the rows of these prefixes and of no others."""
        for prefix in [prefix for prefix in self._groups if prefix not in wanted]:
            self._drop(prefix)
        for prefix in wanted:
            if prefix not in self._groups:
                group = self._groups[prefix] = _Group(self._expand, self._view)
                group.stretch.bind(self._view, self._interests)
                self._interests.add_prefix(self._expand.spec.id, prefix, group)
                self._load(reads, prefix, group)

    def _load(self, reads: Reads, prefix: StoredKey, group: _Group) -> None:
        low, high = bounds(prefix, int_key=self._expand.spec.int_key)
        group.stretch.load(reads, low, high, self._expand.limit, group.stretch.held())

    def _drop(self, prefix: StoredKey) -> None:
        group = self._groups.pop(prefix)
        self._interests.remove_prefix(self._expand.spec.id, prefix, group)
        group.stretch.clear()
