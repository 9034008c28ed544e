"""A condition on rows that reads their children: asked of each candidate, shown or not.

Depends on: nest (columns), stretch, rows, interests, reads.  Never on: parts.

Law: a row counts exactly if `test` holds for it and for what its columns would have for it now. After
every commit `again` has the keys of all rows of which that may differ though they did not change
themselves; how to find those is what `back` says.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pillarbox.views.interests import Delta, Interests, Routed, Sink
from pillarbox.views.nest import Column
from pillarbox.views.reads import Reads
from pillarbox.views.rows import SourceRows
from pillarbox.views.stretch import Stretch

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

#: How many rows a list looks at, at most, to find those that it lacks.
SCAN_MAX: Final = 10_000
_WHOLE_TABLE: Final = b""
_log = logging.getLogger("pillarbox")


class Back(NamedTuple):
    """The way from a changed row of a child's table to the rows whose child it is, or was.

    `rows(reads, changed)` gives their stored keys as of the commit; too many do no harm. Of `changed` only
    the fields of its key are as they are now.
    """

    table: TableSpec[Any]
    rows: Callable[[Reads, Any], Iterable[StoredKey]]


class _Listener(Sink):
    """Hears of every change of one child's table."""

    __slots__ = ("back",)

    def __init__(self, back: Back) -> None:
        self.back = back


class Where:
    """`test(row, *values)` with the values of the columns that `needs` lists by number.

    The columns are read anew for every row asked about: they hold nothing and listen to nothing. For the
    stretches of one part, whose rows are those of `rows`.
    """

    __slots__ = ("_columns", "_interests", "_listeners", "_listens", "_needs", "_reads", "_rows", "_test")

    _reads: Reads
    _interests: Interests

    def __init__(
        self,
        rows: TableSpec[Any],
        columns: Sequence[Column],
        test: Callable[..., bool],
        *,
        needs: Sequence[int],
        back: Sequence[Back],
    ) -> None:
        self._rows = rows
        self._columns = tuple(columns)
        self._test = test
        self._needs = tuple(needs)
        self._listeners = tuple([_Listener(one) for one in back])
        self._listens = False

    def bind(self, view: object, interests: Interests) -> None:
        """Belong to a view."""
        self._interests = interests
        for listener in self._listeners:
            listener.view = view

    def begin(self, reads: Reads) -> None:
        """Rows are asked about as of `reads` from now on."""
        self._reads = reads

    def listen(self) -> None:
        """Hear of the children of rows, of all there are."""
        if not self._listens:
            self._listens = True
            for listener in self._listeners:
                self._interests.add_prefix(listener.back.table.id, _WHOLE_TABLE, listener)

    def close(self) -> None:
        """Hear of nothing."""
        if self._listens:
            self._listens = False
            for listener in self._listeners:
                self._interests.remove_prefix(listener.back.table.id, _WHOLE_TABLE, listener)

    def __call__(self, row: Any) -> bool:
        """Whether a row counts."""
        values: list[Any] = []
        for column in self._columns:
            values.append(column.probe(self._reads, row, [values[number] for number in column.needs]))
        return self._test(row, *[values[number] for number in self._needs])

    def again(self, reads: Reads, routed: Routed) -> Sequence[StoredKey]:
        """The rows to ask about again, since what hangs on them may differ."""
        found: dict[StoredKey, None] = {}
        for listener in self._listeners:
            table, rows = listener.back
            for key, before, after in routed.get(listener, ()):
                cell = before if after is None else after
                assert cell is not None, "a change has a cell before it or after"
                found.update(dict.fromkeys(rows(reads, table.row(key, cell))))
        return list(found)

    def follow(
        self, stretch: Stretch[Any], reads: Reads, deltas: Sequence[Delta], routed: Routed
    ) -> tuple[Sequence[Delta], Routed]:
        """What a part with one stretch is to fold into it."""
        self.begin(reads)
        return self.with_again(stretch, reads, deltas, routed, self.again(reads, routed))

    def with_again(
        self,
        stretch: Stretch[Any],
        reads: Reads,
        deltas: Sequence[Delta],
        routed: Routed,
        again: Sequence[StoredKey],
    ) -> tuple[Sequence[Delta], Routed]:
        """What to fold into one stretch, so that it asks about the rows of `again` too."""
        if not again:
            return deltas, routed
        if isinstance(stretch, SourceRows):
            more = self._of_sources(stretch, reads, routed, again)
            return deltas, {**routed, stretch: [*routed.get(stretch, ()), *more]} if more else routed
        return [*deltas, *self._of_table(stretch, reads, deltas, again)], routed

    def _of_sources(
        self, stretch: SourceRows[Any], reads: Reads, routed: Routed, again: Sequence[StoredKey]
    ) -> list[Delta]:
        changed = {key for key, _, _ in routed.get(stretch, ())}
        found: list[Delta] = []
        for key in again:
            if key in changed or not stretch.has_candidate(key):
                continue
            shown = stretch.row_of(key)
            if shown is None or not self(shown):
                cell = reads.cell(self._rows, key)
                found.append((key, cell, cell))
        return found

    def _of_table(
        self, stretch: Stretch[Any], reads: Reads, deltas: Sequence[Delta], again: Sequence[StoredKey]
    ) -> list[Delta]:
        lane = stretch.lane
        changed = {key for key, _, _ in deltas}
        found: list[Delta] = []
        for key in again:
            if key in changed or not lane.reaches(key):
                continue
            at = bisect_left(lane.keys, key)
            if at == len(lane.keys) or lane.keys[at] != key:
                cell = reads.cell(self._rows, key)
                if cell is not None:
                    found.append((key, None, cell))
            elif not self(lane.items[at]):
                found.append((key, None, None))
        return found


def limited(stretch: Stretch[Any]) -> None:
    """Let a stretch give up after `SCAN_MAX` rows that do not count."""
    stretch.lane.tests_max = SCAN_MAX


def warn_if_incomplete(stretch: Stretch[Any], table: str) -> None:
    """Say that there may be more than is shown."""
    if stretch.lane.incomplete:
        _log.warning(
            "a list of %s is incomplete: its condition was asked of %d rows, of which too few count; read it "
            "through an index of which more do",
            table,
            SCAN_MAX,
        )
