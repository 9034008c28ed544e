"""Rows by the words in them, in key order or by relevance.

Depends on: stretched, found, reads.  Never on: other words.

Law: `rows` are the first `limit()` rows whose text `search()` finds and for which `where` holds: in key order
or its reverse or, `by_relevance`, those first that have most of what is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from pillarbox.views.found import FoundRows, RankedRows
from pillarbox.views.interests import Routed
from pillarbox.views.parts.part import UNCHANGED, Part
from pillarbox.views.parts.stretched import Stretched
from pillarbox.views.reads import Reads

if TYPE_CHECKING:
    from pillarbox.storage import Search
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")

_WHOLE_TABLE: Final = b""


class Matches(Stretched[Row, Value]):
    """The rows of `source` that a search of its words finds; `spec` is the table of words.

    `search()` gives None where nothing is to be found. It listens to all texts: a change of one costs a look
    into that text, and no read. `rows` are whole rows, for other parts; `value` is what the snapshot shows.
    """

    __slots__ = ("_found", "_search", "_search_of", "_table")

    @overload
    def __init__(
        self: Matches[R, R],
        spec: TableSpec[Any],
        *,
        search: Callable[[], Search | None],
        source: TableSpec[R],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        by_relevance: bool = False,
        where: Callable[[R], bool] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: Matches[R, V],
        spec: TableSpec[Any],
        *,
        search: Callable[[], Search | None],
        source: TableSpec[R],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        by_relevance: bool = False,
        where: Callable[[R], bool] | None = None,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        search: Callable[[], Search | None],
        source: TableSpec[Any],
        limit: Callable[[], int | None] | None = None,
        newest_first: bool = False,
        by_relevance: bool = False,
        where: Callable[[Any], bool] | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        kind = RankedRows if by_relevance else FoundRows
        self._found: RankedRows[Any] | FoundRows[Any] = kind(
            spec, source, newest_first=newest_first, where=where
        )
        super().__init__(self._found, limit, show, after, row_after, hidden)
        self._table = spec.id
        self.row_spec = source
        self._search_of = search
        self._search: Search | None = None

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        self._unregister()
        search = self._search_of()
        stretch = self._stretch
        if search is None:
            stretch.clear()
            return self._take()
        self.interests.add_prefix(self._table, _WHOLE_TABLE, self)
        self._search = search
        self._found.look_for(search)
        self._limited_to = count = self._count()
        stretch.load(reads, None, None, count, stretch.held())
        return self._take()

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if self.depends & moved and (
            self.row_depends & moved
            or self._search_of() != self._search
            or (self._search is not None and self._count() != self._limited_to)
        ):
            return self.reload(reads)
        deltas = routed.get(self)
        stretch = self._stretch
        if deltas is None and stretch not in routed:
            return UNCHANGED
        stretch.fold(reads, deltas or (), routed)
        return self._take() if stretch.entered or stretch.left else UNCHANGED

    def _unregister(self) -> None:
        if self._search is not None:
            self.interests.remove_prefix(self._table, _WHOLE_TABLE, self)
            self._search = None
