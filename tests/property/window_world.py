"""A tiny world of lanes with holes, and windows on it that an earlier part steers.

A lane holds items by (time, id), both small; ids of a lane are unique. Ranges and markers say what may be
missing. One row, the *dials*, says what a window looks at, so that a commit can turn it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from tests.unit.views.fakes import FakeReader, forgetful

from pillarbox.storage import StoredKey, TableLayout
from pillarbox.tables import Cell, ChangeRecord, TableReader, TableSpec
from pillarbox.views import (
    AtId,
    Boundary,
    Column,
    Entries,
    Expand,
    Get,
    GetColumn,
    Ids,
    KeysAt,
    LaneAt,
    LaneWindow,
    MarkerHoles,
    Nest,
    Part,
    RangeHoles,
    Suffix,
    View,
    Want,
)


class Item(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Key: lane, time, id."""

    lane: int
    time: int
    id: int
    tag: int = 0
    album: int = 0
    open: bool = True


class Range(NamedTuple):
    """Key: lane, upper."""

    lane: int
    upper: int
    lower: int


class Mark(NamedTuple):
    """Key: lane, time, id."""

    lane: int
    time: int
    id: int


class Stamp(NamedTuple):
    """Key: lane, id."""

    lane: int
    id: int
    time: int


class Tagged(NamedTuple):
    """Index: items of a lane by tag, or of an album."""

    first: int
    lane: int
    time: int
    id: int


#: Items listed by lane and id.
Listed: TypeAlias = tuple[Literal["keys"], tuple[tuple[int, int], ...]]
#: A lane, of the items or of those with a tag; or a list.
LaneName: TypeAlias = "int | tuple[Literal['tag'], int, int] | Listed"
#: An end; a place (lane, time, id); a place in a list; an id (lane, id).
AnchorName: TypeAlias = (
    "Literal['newest', 'oldest'] | tuple[Literal['at'], int, int, int] | tuple[Literal['in'], Listed, int] | "
    "tuple[Literal['id'], int, int]"
)


class Dials(msgspec.Struct, frozen=True):
    """What a window looks at; key: 0."""

    lanes: tuple[LaneName, ...] | None
    anchor: AnchorName | None
    before: int
    after: int
    clip: bool = True
    ranked: bool = False
    wanted: int | None = None
    boundary: tuple[int, int] | None = None
    albums: bool = True


def _spec(
    number: int,
    name: str,
    key_of: Callable[[Any], StoredKey],
    row: Callable[[Any, Cell], Any],
    cell_of: Callable[[Any], Cell],
    *,
    int_key: bool = False,
) -> TableSpec[Any]:
    layout = TableLayout(id=number, name=name, int_key=int_key, key_width=None, heap=False)
    fields = (lambda key: (key,)) if int_key else tuple
    return forgetful(TableSpec(layout, "primary", key_of, cell_of, row, key_fields=fields))


ITEMS: Final[TableSpec[Item]] = _spec(
    1, "items", lambda row: bytes((row.lane, row.time, row.id)), lambda key, cell: cell, lambda row: row
)
IDS: Final[TableSpec[Stamp]] = _spec(
    2,
    "ids",
    lambda row: bytes((row.lane, row.id)),
    lambda key, cell: Stamp(*key, *cell),
    lambda row: bytes((row.time,)),
)
BY_TAG: Final[TableSpec[Tagged]] = _spec(3, "by_tag", bytes, lambda key, cell: Tagged(*key), lambda row: b"")
BY_ALBUM: Final[TableSpec[Tagged]] = _spec(
    4, "by_album", bytes, lambda key, cell: Tagged(*key), lambda row: b""
)
RANGES: Final[TableSpec[Range]] = _spec(
    5,
    "ranges",
    lambda row: bytes((row.lane, row.upper)),
    lambda key, cell: Range(*key, *cell),
    lambda row: bytes((row.lower,)),
)
MARKS: Final[TableSpec[Mark]] = _spec(6, "marks", bytes, lambda key, cell: Mark(*key), lambda row: b"")
DIALS: Final[TableSpec[Dials]] = _spec(
    7, "dials", lambda row: 0, lambda key, cell: cell, lambda row: row, int_key=True
)
SPECS: Final = (ITEMS, IDS, BY_TAG, BY_ALBUM, RANGES, MARKS, DIALS)


@dataclass(frozen=True)
class Step:
    """One commit, and whether the view replays it or hears of it by a refresh only."""

    items: tuple[Item, ...] = ()
    gone: tuple[tuple[int, int], ...] = ()
    missing: tuple[tuple[int, int, int], ...] = ()
    fetched: tuple[tuple[int, int, int], ...] = ()
    marks: tuple[Mark, ...] = ()
    no_marks: tuple[Mark, ...] = ()
    dials: Dials | None = None
    #: Other lanes under the same anchor.
    lanes: tuple[LaneName, ...] | None = None
    #: Another boundary, and nothing else.
    boundary: tuple[int, int] | None = None
    #: The item at an anchor by id goes.
    drops_anchor: bool = False
    replayed: bool = True


@dataclass
class World:
    """The tables, made of what they are about."""

    items: dict[tuple[int, int], Item] = field(default_factory=dict)
    #: By lane, the ids that may be missing.
    missing: dict[int, set[int]] = field(default_factory=dict)
    marks: set[Mark] = field(default_factory=set)
    dials: Dials = field(default_factory=lambda: Dials((), "newest", 0, 0))
    log: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tables: dict[int, dict[StoredKey, Cell]] = {spec.id: {} for spec in SPECS}
        self.readers: dict[int, TableReader[Any]] = {
            spec.id: FakeReader(spec, self.tables[spec.id], self.log) for spec in SPECS
        }

    def commit(self, step: Step) -> ChangeRecord:
        """Do a step; what differs."""
        for item in step.items:
            self.items[item.lane, item.id] = item
        for name in step.gone:
            self.items.pop(name, None)
        anchor: Any = self.dials.anchor
        if step.drops_anchor and anchor is not None and anchor[0] == "id":
            self.items.pop(anchor[1:], None)
        for lane, low, high in step.missing:
            self.missing.setdefault(lane, set()).update(range(low, high + 1))
        for lane, low, high in step.fetched:
            self.missing.setdefault(lane, set()).difference_update(range(low, high + 1))
        self.marks = (self.marks | set(step.marks)) - set(step.no_marks)
        self.dials = step.dials or self.dials
        if step.lanes is not None:
            self.dials = msgspec.structs.replace(self.dials, lanes=step.lanes)
        if step.boundary is not None:
            self.dials = msgspec.structs.replace(self.dials, boundary=step.boundary)
        changes = {}
        for number, now in self._content().items():
            was = self.tables[number]
            differs = {
                key: (was.get(key), now.get(key))
                for key in sorted({*was, *now})
                if was.get(key) != now.get(key)
            }
            if differs:
                changes[number] = differs
            for key, (_, cell) in differs.items():
                if cell is None:
                    del was[key]
                else:
                    was[key] = cell
        return ChangeRecord(changes, ())

    def _content(self) -> Mapping[int, dict[StoredKey, Cell]]:
        items = self.items.values()
        ranges = [Range(lane, high, low) for lane, ids in self.missing.items() for low, high in blocks(ids)]
        rows: dict[TableSpec[Any], list[Any]] = {
            ITEMS: list(items),
            IDS: [Stamp(item.lane, item.id, item.time) for item in items],
            BY_TAG: [Tagged(item.tag, item.lane, item.time, item.id) for item in items],
            BY_ALBUM: [Tagged(item.album, item.lane, item.time, item.id) for item in items if item.album],
            RANGES: ranges,
            MARKS: list(self.marks),
            DIALS: [self.dials],
        }
        return {spec.id: {spec.key_of(row): spec.cell_of(row) for row in made} for spec, made in rows.items()}


def blocks(ids: set[int]) -> list[tuple[int, int]]:
    """The ranges that cover a set of ids, and nothing else."""
    found: list[tuple[int, int]] = []
    for id_ in sorted(ids):
        if found and found[-1][1] == id_ - 1:
            found[-1] = (found[-1][0], id_)
        else:
            found.append((id_, id_))
    return found


@dataclass(frozen=True)
class Recipe:
    """A kind of window; what it looks at, the dials say."""

    chain: bool = False
    holes: Literal["none", "ranges", "marks", "boundary"] = "none"
    where: bool = False
    distinct: bool = False
    expand: bool = False
    wants: bool = False
    nested: bool = False
    shown: bool = False


def source_of(row: Tagged) -> bytes:
    """The key of an item, out of its index row."""
    return bytes(row[1:])


def lane_at(name: LaneName, recipe: Recipe) -> LaneAt | KeysAt:
    """One lane, as code that is generated makes it."""
    if isinstance(name, int):
        holes = None if recipe.holes in ("none", "boundary") else bytes((name,))
        return LaneAt(ITEMS, bytes((name,)), holes=holes, item=name)
    if name[0] == "tag":
        _, tag, lane = name
        holes = None if recipe.holes in ("none", "boundary") else bytes((lane,))
        return LaneAt(BY_TAG, bytes((tag, lane)), ITEMS, source_of, holes, lane)
    keys = tuple(bytes(key) for key in name[1])
    return KeysAt(ITEMS, keys, IDS, lambda row: bytes((row.lane, row.time, row.id)), name)


def view_of(recipe: Recipe) -> tuple[View[Any], LaneWindow[Any, Any]]:
    """A new view, not loaded, and the window in it. Its snapshot is the window's value."""
    dials = Get(DIALS, at=lambda: 0, hidden=True)

    def now() -> Dials:
        row = dials.row
        assert row is not None, "the dials are always there"
        return row

    def lanes() -> Sequence[Any] | None:
        names = now().lanes
        return None if names is None else [lane_at(name, recipe) for name in names]

    def anchor() -> Any:
        found = now().anchor
        if found is None or isinstance(found, str):
            return found
        if found[0] == "id":
            return AtId(bytes((found[1],)), bytes(found[1:]), found[2], found[1], unread=True)
        if found[0] == "in":
            return Suffix(found[2], lane=found[1])
        return Suffix(bytes(found[2:]), lane=found[1] if recipe.chain else None)

    def boundary() -> bytes | None:
        found = now().boundary
        return None if found is None else b"" if found == (0, 0) else bytes(found)

    options: dict[str, Any] = {}
    if recipe.holes == "ranges":
        options["holes"] = RangeHoles(
            RANGES, id_of=lambda row: row.id, edges=lambda row: (row.lower, row.upper)
        )
    elif recipe.holes == "marks":
        options["holes"] = MarkerHoles(MARKS)
    elif recipe.holes == "boundary":
        options["holes"] = Boundary(boundary)
    if recipe.where:
        options["where"] = lambda row: row.open
    if recipe.distinct:
        options["distinct"] = lambda row: row.album
    if recipe.expand:
        options["expand"] = Expand(
            BY_ALBUM,
            prefix=lambda row: bytes((row.album,)) if row.album else None,
            limit=3,
            source=ITEMS,
            source_key=source_of,
            when=lambda: now().albums,
        )
    if recipe.wants:
        options["want"] = Want("items", lambda: now().wanted)
    if recipe.nested:
        options["hidden"] = True
    elif recipe.shown:
        options["show"] = shown_of
    window: LaneWindow[Any, Any] = LaneWindow(
        ITEMS,
        lanes=lanes,
        anchor=anchor,
        before_max=lambda: now().before,
        after_max=lambda: now().after,
        chain=recipe.chain,
        ids=Ids(IDS, suffix=lambda row: bytes((row.time, row.id)), id=lambda row: row.id),
        clip=lambda: now().clip,
        rank=lambda: now().ranked,
        after=(dials,),
        **options,
    )
    parts: list[Part] = [dials, window]
    if recipe.nested:
        stamp: Column = GetColumn(IDS, key=lambda row: bytes((row.lane, row.id)))
        parts.append(
            Entries(window, Nest([stamp], name=lambda row: (row.lane, row.id), make=lambda *shown: shown))
        )
    shown = parts[-1]
    key: Any = ("window",)
    names = [str(number) for number in range(len(parts))]
    return View(key, parts, lambda: shown.value, names=names), window


def shown_of(row: Item) -> tuple[int, int, int]:
    """Some fields."""
    return row.lane, row.id, row.tag
