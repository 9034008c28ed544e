"""Rows around an anchor, of several lanes, as far as no hole cuts them off.

Depends on: part, window, lanes, holes.  Never on: other words.

Law: `value.entries` are the nearest rows about the anchor between which and it no unfetched row could
stand, in the order of the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from msgspec.structs import replace

from pillarbox.views.expanded import Expand, Expansion
from pillarbox.views.holes import Boundary, Gap, Hole, Holes, Want
from pillarbox.views.interests import Interests, Routed
from pillarbox.views.lane_set import LaneSet
from pillarbox.views.lanes import AnchorAt, AnyLane, AtId, End, Ids, Resolved, Suffix
from pillarbox.views.looks import NO_FRAME, Frame, Look
from pillarbox.views.parts.amounts import amount
from pillarbox.views.parts.part import HOLES, MOVED, MOVED_WINDOW, SHOWN, UNCHANGED, WANTS, ListPart, Part
from pillarbox.views.parts.projection import Projection
from pillarbox.views.parts.window import Window
from pillarbox.views.reads import Reads
from pillarbox.views.swapped import swapped
from pillarbox.views.where import Where

if TYPE_CHECKING:
    from pillarbox.tables import TableSpec
    from pillarbox.views.lane import Lane

Row = TypeVar("Row")
Value = TypeVar("Value")
R = TypeVar("R")
V = TypeVar("V")


class LaneWindow(ListPart[Row], Generic[Row, Value]):
    """The rows around `anchor`, of all `lanes` together. `spec` is the table of the rows shown.

    Lanes are merged by the suffixes of their keys, or with `chain` follow one another, the oldest first.
    If `lanes()` or `anchor()` gives None, nothing is read. `clip()` False shows what lies beyond holes
    too. All zero-argument callables belong to `after`; `where`, `distinct` and those of `expand` that
    read parts besides the row, to `row_after`.
    """

    __slots__ = (
        "_after_max",
        "_anchor",
        "_before_max",
        "_clip",
        "_distinct",
        "_expand",
        "_expansion",
        "_given",
        "_holes",
        "_lanes",
        "_lanes_at",
        "_projection",
        "_rank",
        "_seen",
        "_want",
        "_where",
        "resolved",
        "rows",
        "value",
    )

    traits: ClassVar[int] = WANTS
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
        where: Callable[[R], bool] | Where | None = None,
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
        where: Callable[[R], bool] | Where | None = None,
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
        where: Callable[[Any], bool] | Where | None = None,
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
        self.row_spec = spec
        self._lanes_at = lanes
        self._anchor = anchor
        self._before_max = before_max
        self._after_max = after_max
        self._holes = holes
        self._clip = clip
        self._where = where
        self._distinct = distinct
        self._expand = expand
        self._rank = rank
        self._want = want
        self._lanes = LaneSet(chain=chain, ids=ids, holes=holes, where=where)
        self._expansion: Expansion | None = None
        self._projection = None if show is None else Projection(show)
        self._seen: Look | None = None
        self._given: Resolved | None = None
        #: The anchor as it was found, None while it is pending. A refresh and a replay keep it.
        self.resolved: Resolved | None = None
        self.entered = self.left = ()
        self.rows = ()
        self.value = Window()

    @property
    def held_rows(self) -> Sequence[Row]:
        """The rows shown."""
        return self.rows

    @property
    def unread(self) -> bool:
        """Whether the anchor was found as the first that was not read."""
        return isinstance(self.resolved, Suffix) and self.resolved.unread

    @property
    def lanes(self) -> Iterable[Lane[Any]]:
        """As `Part.lanes`."""
        return [lane for rows in self._lanes.lanes for lane in rows.held_lanes()]

    def open(self, interests: Interests, reads: Reads) -> None:
        """Register and load."""
        self._lanes.bind(self.view, interests)
        if self._expand is not None:
            self._expansion = Expansion(self._expand, self.row_spec.key_of, self.view, interests)
        super().open(interests, reads)

    @property
    def is_anchored(self) -> bool:
        """As `Part.is_anchored`."""
        return callable(self._anchor)

    @property
    def found(self) -> Resolved | None:
        """As `Part.found`."""
        look = self._seen
        if look is None:
            return self._given
        return self.resolved if isinstance(look.anchor, AtId) else None

    def find(self, interests: Interests, reads: Reads) -> None:
        """As `Part.find`."""
        look = self._look()
        if look is None or not isinstance(look.anchor, AtId):
            return
        lanes = self._lanes
        lanes.bind(self.view, interests)
        try:
            lanes.arrange(look.lanes)
            lanes.wait_for(reads, look.anchor)
            if lanes.around(look.anchor) is None:
                self._given = lanes.find(reads, look.anchor)
        finally:
            lanes.close()

    def hold(self, resolved: Resolved) -> None:
        """Before `open`: take this for the anchor that is asked for, as another view has found it."""
        self._given = resolved

    def with_entries(self, entry: Callable[[Row], Any]) -> Window[Any]:
        """The window with other entries for its rows, where nothing narrows them."""
        window: Window[Any] = self.value
        entries = [one if type(one) is Gap else entry(one) for one in window.entries]
        return replace(window, entries=tuple(entries))

    def wanted(self) -> Iterable[Hole]:
        """The hole that it reports, if it wants any."""
        hole = self.value.hole
        return () if hole is None or hole.name is None else (hole,)

    def reload(self, reads: Reads) -> int:
        """Load from scratch, keeping equal old objects; what differs."""
        self._seen, was = self._look(), self._seen
        if self._expansion is not None:
            self._expansion.reload(reads)
        self._begin(reads, was)
        return self._take(reads)

    def replay(self, reads: Reads, routed: Routed, moved: int) -> int:
        """Fold one commit in; what differs."""
        if not self.depends & moved:
            return self._fold(reads, routed, differs=False)
        was, look = self._seen, self._look()
        is_moved = (look and look.place) != (was and was.place)
        if self.row_depends & moved or look is None or was is None or is_moved or look.known != was.known:
            verdict = self.reload(reads)
        else:
            self._seen = look
            if look.names[0] != was.names[0]:
                is_moved = True
                self._lanes.arrange(look.lanes)
            verdict = self._fold(reads, routed, differs=look.names != was.names)
        if look is not None and was is not None and look.known != was.known:
            verdict |= HOLES
        return verdict | MOVED_WINDOW if is_moved and verdict else verdict

    def close(self) -> None:
        """Unregister everything."""
        self._lanes.close()
        if self._expansion is not None:
            self._expansion.close()

    # ------------------------------------------------------------------------------ what is looked at

    def _look(self) -> Look | None:
        lanes = self._lanes_at()
        anchor = self._anchor() if callable(self._anchor) else self._anchor
        if lanes is None or anchor is None:
            return None
        return Look(
            tuple(lanes),
            anchor,
            amount("before", self._before_max()),
            amount("after", self._after_max()),
            self._clip is None or self._clip(),
            self._rank is not None and self._rank(),
            self._expand is not None and self._expand.is_on,
            None if self._want is None else self._want.count(),
            self._holes.suffix() if isinstance(self._holes, Boundary) else None,
        )

    def _begin(self, reads: Reads, was: Look | None) -> None:
        """Look at a place, from scratch."""
        look = self._seen
        self._lanes.arrange(() if look is None else look.lanes)
        if look is None:
            self.resolved = None
            return
        if was is None or was.anchor != look.anchor:
            self.resolved = None
        self._resolve(reads, look, anew=True)

    def _resolve(self, reads: Reads, look: Look, *, anew: bool) -> None:
        """Find the anchor, unless it is known, and begin there; or wait until it can be found."""
        asked = look.anchor
        if self.resolved is None:
            if not isinstance(asked, AtId):
                self.resolved = asked
            elif self._given is not None:
                self.resolved, self._given = self._given, None
            else:
                if anew:
                    self._lanes.wait_for(reads, asked)
                if self._lanes.around(asked) is not None:
                    return
                self.resolved = self._lanes.find(reads, asked)
        all_held = look.ranked and self._where is not None
        maxima = [None, None] if all_held else [look.before_max + 1, look.after_max + 1]
        self._lanes.begin(reads, self.resolved, maxima, counted=look.ranked)

    def _fold(self, reads: Reads, routed: Routed, *, differs: bool) -> int:
        """Fold one commit into what is held; what differs."""
        look = self._seen
        if look is None:
            return UNCHANGED
        rows, holes = self._lanes.fold(reads, routed)
        if self._expansion is not None:
            rows |= self._expansion.fold(reads, routed)
        if not (rows or holes or differs):
            return UNCHANGED
        verdict = HOLES if holes else UNCHANGED
        if self.resolved is None:
            self._resolve(reads, look, anew=differs)
            if self.resolved is not None:
                verdict |= MOVED_WINDOW
        return verdict | self._take(reads)

    # -------------------------------------------------------------------------------- what is shown

    def _take(self, reads: Reads) -> int:
        """Rebuild what is shown; what differs."""
        look = self._seen
        items: Sequence[Any] = ()
        if look is None:
            frame = NO_FRAME
        elif self.resolved is None:
            frame = self._pending(look)
        else:
            items, frame = self._sides(reads, look)
        if self._expansion is not None:
            items = self._expansion.replace(reads, items)
        # Gaps stand among the rows only where holes do not end the window.
        verdict = self._swap(items, has_gaps=look is not None and not look.clip)
        entries: tuple[Any, ...] = self.rows
        if self._projection is not None:
            entries = self._projection.take(entries, list(map(self.row_spec.key_of, entries)))
        if len(items) != len(self.rows):
            rows = iter(entries)
            old: dict[Any, Any] = {entry: entry for entry in self.value.entries if type(entry) is Gap}
            entries = tuple([old.get(item, item) if type(item) is Gap else next(rows) for item in items])
        window: Window[Any] = Window(entries, *frame)
        if window == self.value:
            return verdict
        self.value = window
        return verdict | SHOWN

    def _sides(self, reads: Reads, look: Look) -> tuple[Sequence[Any], Frame]:
        """What is shown of both sides, the oldest first, and all of the window besides."""
        lanes, distinct = self._lanes, self._distinct
        older = lanes.side(reads, look.before_max, newer=False, clip=look.clip, distinct=distinct)
        seen: frozenset[Hashable] = frozenset()
        if distinct is not None:
            seen = frozenset([distinct(row) for row in older.rows if type(row) is not Gap])
        newer = lanes.side(reads, look.after_max, newer=True, clip=look.clip, distinct=distinct, seen=seen)
        rank = None
        if look.ranked:
            below, above = lanes.counts(reads)
            rank = (below - older.span, below + above)
        lanes.close_unused()
        shown = [*older.rows[::-1], *newer.rows]
        hole = look.named(self._want, look.reported(older, newer))
        assert self.resolved is not None, "the anchor is known"
        return shown, Frame(
            anchor=self.resolved if isinstance(self.resolved, str) else lanes.fields(self.resolved),
            earlier=None if older.beyond is None else older.beyond.fields,
            later=None if newer.beyond is None else newer.beyond.fields,
            hole=hole,
            hole_before=older.hole is not None,
            hole_after=newer.hole is not None,
            loading=hole is not None and not shown,
            rank=rank,
        )

    def _pending(self, look: Look) -> Frame:
        """While the anchor is not known."""
        assert isinstance(look.anchor, AtId), "other anchors are known at once"
        hole = look.named(self._want, self._lanes.around(look.anchor))
        return Frame(None, None, None, hole, True, True, loading=True)

    def _swap(self, items: Sequence[Any], *, has_gaps: bool) -> int:
        """Take other rows, keeping equal old objects; whether they differ."""
        rows = [item for item in items if type(item) is not Gap] if has_gaps else items
        was = self.rows
        self.rows, self.entered, self.left = swapped(self.rows, rows, self.row_spec.key_of)
        return UNCHANGED if was is self.rows else MOVED
