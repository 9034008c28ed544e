"""Rows around an anchor, of several lanes, as far as no hole cuts them off.

Depends on: part, window, lanes, holes.  Never on: other words.

Law: `value.entries` are the nearest rows about the anchor between which and it no unfetched row could
stand, in the order of the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pillarbox.views.holes import Holes, Want
from pillarbox.views.lanes import AnchorAt, AnyLane, End, Ids, Resolved
from pillarbox.views.parts.part import ListPart, Part
from pillarbox.views.parts.window import Window

if TYPE_CHECKING:
    from pillarbox.storage import StoredKey
    from pillarbox.tables import TableSpec

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")


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


class LaneWindow(ListPart[Row], Generic[Row, Value]):
    """The rows around `anchor`, of all `lanes` together. `spec` is the table of the rows shown.

    Lanes are merged by the suffixes of their keys, or with `chain` follow one another, the oldest first.
    If `lanes()` or `anchor()` gives None, nothing is read. `clip()` False shows what lies beyond holes
    too. All zero-argument callables belong to `after`; `where`, `distinct` and those of `expand` that
    read parts besides the row, to `row_after`.
    """

    rows: tuple[Row, ...]
    value: Window[Value]

    @overload
    def __init__(
        self: LaneWindow[R, R],
        spec: TableSpec[R],
        *,
        lanes: Callable[[], Sequence[AnyLane] | None],
        anchor: End | Callable[[], AnchorAt | None],
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        chain: bool = False,
        ids: Ids[Any] | None = None,
        holes: Holes | None = None,
        clip: Callable[[], bool] | None = None,
        where: Callable[[R], bool] | None = None,
        distinct: Callable[[R], Hashable] | None = None,
        expand: Expand | None = None,
        rank: Callable[[], bool] | None = None,
        want: Want | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self: LaneWindow[R, V],
        spec: TableSpec[R],
        *,
        lanes: Callable[[], Sequence[AnyLane] | None],
        anchor: End | Callable[[], AnchorAt | None],
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        chain: bool = False,
        ids: Ids[Any] | None = None,
        holes: Holes | None = None,
        clip: Callable[[], bool] | None = None,
        where: Callable[[R], bool] | None = None,
        distinct: Callable[[R], Hashable] | None = None,
        expand: Expand | None = None,
        rank: Callable[[], bool] | None = None,
        want: Want | None = None,
        show: Callable[[R], V],
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
    ) -> None: ...
    def __init__(
        self,
        spec: TableSpec[Any],
        *,
        lanes: Callable[[], Sequence[AnyLane] | None],
        anchor: End | Callable[[], AnchorAt | None],
        before_max: Callable[[], int],
        after_max: Callable[[], int],
        chain: bool = False,
        ids: Ids[Any] | None = None,
        holes: Holes | None = None,
        clip: Callable[[], bool] | None = None,
        where: Callable[[Any], bool] | None = None,
        distinct: Callable[[Any], Hashable] | None = None,
        expand: Expand | None = None,
        rank: Callable[[], bool] | None = None,
        want: Want | None = None,
        show: Callable[[Any], Any] | None = None,
        after: Sequence[Part] = (),
        row_after: Sequence[Part] = (),
        hidden: bool = False,
    ) -> None:
        super().__init__(after, row_after, hidden)
        #: The anchor as it was found, None while it is pending. A refresh and a replay keep it.
        self.resolved: Resolved | None = None
        self.value = Window()
        self.rows = ()

    def hold(self, resolved: Resolved) -> None:
        """Before `open`: take this for the anchor that is asked for, as another view has found it."""
        raise NotImplementedError
