"""A client of the server of posts: its tables and kept words, wired by hand as the generator would.

Depends on: answering_server (the posts), transaction, maintainers.  Never on: what a count should be.

Every part of a key is one byte. Posts lie by time, their identity is their id; words hang on the table
itself, and through an index on what is not hidden.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final, TypeVar

from tests.property.answered_rows import (
    ASKED_PACKED,
    GUESSED,
    GUESSED_PACKED,
    HOLES,
    HOLES_PACKED,
    POST_IDS,
    POSTS,
    SEEN,
    SEEN_AT,
    SEEN_AT_PACKED,
    SEEN_LATE,
    SEEN_LATE_PACKED,
    SEEN_PACKED,
    STALE_GUESSED,
    STALE_SEEN,
    STALE_SEEN_AT,
    STALE_SEEN_LATE,
    STALE_TAGGED,
    STALE_TAGGED_PACKED,
    STALE_TALKED,
    TAGGED,
    TAGGED_PACKED,
    TALK,
    TALKED,
    TALKED_PACKED,
    Guessed,
    Hole,
    PostId,
    PostRow,
    Seen,
    SeenAt,
    SeenLate,
    Tagged,
    Talk,
    Talked,
    raw,
    tag_sums,
    talk_rows,
)
from tests.property.answering_server import LAST_ID

from pillarbox.codec import Packed
from pillarbox.maintainers import (
    AnchoredCountTable,
    AnchorShape,
    Doubt,
    HolesShape,
    Identity,
    Index,
    MarkerShape,
    MarkerTable,
    MissedShape,
    SettledFollower,
    StaleTable,
    Through,
)
from pillarbox.maintainers.base import Keys
from pillarbox.maintainers.ranges import Edges, RangesTable
from pillarbox.storage import Engine
from pillarbox.tables import DerivedTable, FollowedTable, KeptTable, TableSpec, TouchLog
from pillarbox.transaction import Transaction

R = TypeVar("R")

#: The group that stands at zero before anybody says so.
ASSUMED_GROUP: Final = 2


ONE_PART: Final = Keys(raw)
TWO_PARTS: Final = Keys(raw, raw)
THREE_PARTS: Final = Keys(raw, raw, raw)
HOLES_SHAPE: Final = HolesShape(
    prefix_of=lambda key: key[:1], point_of=lambda position: bytes(position[-1:]), parts_of=tuple
)


class Posts(FollowedTable[PostRow]):
    """Puts by identity, and says what it was to change and does not have."""

    __slots__ = ("_identity",)
    SPEC = POSTS

    def __init__(self, engine: Engine, log: TouchLog, identity: Identity[PostRow]) -> None:
        super().__init__(engine, log)
        self._identity = identity

    def stored(self, group: int, id: int) -> PostRow | None:
        owner = self._identity.owner(PostRow(group, 0, id, 0, 0, 0))
        return None if owner is None else self.row_at(owner)

    def put(self, row: PostRow) -> PostRow:
        key, cell = POSTS.key_of(row), POSTS.cell_of(row)
        owner = self._identity.owner(row)
        self._identity.take(row)
        if owner is None or owner == key:
            self.put_cell(key, cell)
        else:
            self.move_cell(owner, key, cell)
        return row

    def remove(self, group: int, id: int) -> None:
        old = self.stored(group, id)
        if old is None:
            self.missed(group=group, id=id)
            return
        self._identity.release(old)
        self.put_cell(POSTS.key_of(old), None)


class HolesTable(RangesTable[Hole]):
    __slots__ = ()
    SPEC = HOLES
    EDGES = Edges(HOLES, lambda edge: bytes((edge,)), HOLES_PACKED, start=(1,), end=(LAST_ID,))

    def add_range(self, group: int, low: int, high: int) -> None:
        self._add_all([bytes((group,))], bytes((low,)), bytes((high,)))

    def cut_range(self, group: int, low: int, high: int) -> None:
        self._cut_all([bytes((group,))], bytes((low,)), bytes((high,)))


class SeenTable(MarkerTable[Seen]):
    """Over an index, with all options."""

    __slots__ = ()
    SPEC = SEEN
    PACKED = SEEN_PACKED
    SHAPE = MarkerShape[Talk](
        group_of=lambda row: bytes((row.group,)),
        position_of=lambda row: (row.id,),
        counts=lambda row: not row.mine,
        keys=ONE_PART,
        stream=TWO_PARTS,
        tracks=lambda key: True,
        assumed=lambda key: key[0] == ASSUMED_GROUP,
        missed=MissedShape(("group",), ("id",)),
        holes=HOLES_SHAPE,
        marks=2,
        counted=0,
        width=1,
        known=True,
        flag=True,
    )


class SeenLateTable(MarkerTable[SeenLate]):
    __slots__ = ()
    SPEC = SEEN_LATE
    PACKED = SEEN_LATE_PACKED
    SHAPE = MarkerShape[Talk](
        group_of=lambda row: bytes((row.group,)),
        position_of=lambda row: (row.id,),
        counts=lambda row: not row.mine,
        keys=ONE_PART,
        stream=TWO_PARTS,
        tracks=lambda key: True,
        assumed=lambda key: False,
        missed=MissedShape(("group",), ("id",)),
        holes=HOLES_SHAPE,
        marks=1,
        counted=0,
        width=1,
        known=False,
        flag=False,
    )


class SeenAtTable(MarkerTable[SeenAt]):
    """Over the table itself, by time."""

    __slots__ = ()
    SPEC = SEEN_AT
    PACKED = SEEN_AT_PACKED
    SHAPE = MarkerShape[PostRow](
        group_of=lambda row: bytes((row.group,)),
        position_of=lambda row: (row.at, row.id),
        counts=lambda row: not row.mine,
        keys=ONE_PART,
        stream=THREE_PARTS,
        tracks=lambda key: True,
        assumed=lambda key: False,
        missed=MissedShape(("group",), ("at", "id")),
        holes=None,
        marks=1,
        counted=0,
        width=2,
        known=False,
        flag=False,
    )


class TaggedTable(AnchoredCountTable[Tagged]):
    """The server gives how many posts have a tag; how many of the stored ones are others' is counted here."""

    __slots__ = ()
    SPEC = TAGGED
    PACKED = TAGGED_PACKED
    SHAPE = AnchorShape[PostRow](
        sums_of=tag_sums,
        anchored=lambda key: True,
        covers=lambda row, base: row.id <= base[0],
        guess=False,
        given=(True, False),
        blank=(0,),
        keys=TWO_PARTS,
        missed=MissedShape(("group", None)),
        facts_of=attrgetter("group", "tags", "mine"),
        hole_parts=tuple,
        covers_hole=lambda prefix, high, base: high[0] <= base[0],
    )


class TalkedTable(AnchoredCountTable[Talked]):
    __slots__ = ()
    SPEC = TALKED
    PACKED = TALKED_PACKED
    SHAPE = AnchorShape[Talk](
        sums_of=lambda row: [(bytes((row.group,)), (1,))],
        anchored=lambda key: True,
        covers=lambda row, base: row.id <= base[0],
        guess=False,
        given=(True,),
        blank=(0,),
        keys=ONE_PART,
        missed=MissedShape(("group",)),
        facts_of=attrgetter("group"),
        hole_parts=tuple,
        covers_hole=lambda prefix, high, base: high[0] <= base[0],
    )


class GuessedTable(AnchoredCountTable[Guessed]):
    __slots__ = ()
    SPEC = GUESSED
    PACKED = GUESSED_PACKED
    SHAPE = AnchorShape[Talk](
        sums_of=lambda row: [(bytes((row.group,)), (1,))],
        anchored=lambda key: True,
        covers=None,
        guess=True,
        given=(True,),
        blank=(),
        keys=ONE_PART,
        missed=MissedShape(("group",)),
        facts_of=attrgetter("group"),
        hole_parts=tuple,
    )


def _stale(spec: TableSpec[Any], packed: Packed) -> type[StaleTable[Any]]:
    return type("Stale", (StaleTable,), {"__slots__": (), "SPEC": spec, "PACKED": packed})


class Client(Transaction):
    """All tables of the client."""

    __slots__ = (
        "guessed", "holes", "post_ids", "posts", "seen", "seen_at", "seen_late", "stale", "tagged", "talk",
        "talked",
    )  # fmt: skip

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        log = self._log
        self.post_ids: DerivedTable[PostId] = type(
            "PostIds", (DerivedTable,), {"__slots__": (), "SPEC": POST_IDS}
        )(engine, log)
        self.talk: DerivedTable[Talk] = type("Talks", (DerivedTable,), {"__slots__": (), "SPEC": TALK})(
            engine, log
        )
        identity = Identity[PostRow](
            self.post_ids,
            key_of=lambda row: bytes((row.group, row.id)),
            cell_of=lambda row: POST_IDS.cell_of(PostId(row.group, row.id, row.at)),
            owner_of=lambda key, cell: bytes((key[0], POST_IDS.row(key, cell).at, key[1])),
        )
        self.posts = Posts(engine, log, identity)
        self.holes = HolesTable(engine, log)
        self.seen = SeenTable(engine, log)
        self.seen_late = SeenLateTable(engine, log)
        self.seen_at = SeenAtTable(engine, log)
        self.tagged = TaggedTable(engine, log)
        self.talked = TalkedTable(engine, log)
        self.guessed = GuessedTable(engine, log)
        #: Kept word -> where it says what is stale.
        self.stale: dict[str, StaleTable[Any]] = {
            "seen": _stale(STALE_SEEN, ASKED_PACKED)(engine, log),
            "seen_late": _stale(STALE_SEEN_LATE, ASKED_PACKED)(engine, log),
            "seen_at": _stale(STALE_SEEN_AT, ASKED_PACKED)(engine, log),
            "tagged": _stale(STALE_TAGGED, STALE_TAGGED_PACKED)(engine, log),
            "talked": _stale(STALE_TALKED, ASKED_PACKED)(engine, log),
            "guessed": _stale(STALE_GUESSED, ASKED_PACKED)(engine, log),
        }
        doubts = {name: Doubt(table, lambda key: key) for name, table in self.stale.items()}
        self.seen.connect(self.talk, doubts["seen"], self.holes)
        self.seen_late.connect(self.talk, doubts["seen_late"], self.holes)
        self.seen_at.connect(self.posts, doubts["seen_at"], None)
        self.tagged.connect(doubts["tagged"])
        self.talked.connect(doubts["talked"])
        self.guessed.connect(doubts["guessed"])
        self.holes.holes_followed_by([self.seen, self.seen_late, self.tagged, self.talked, self.guessed])
        kept: list[KeptTable[Any]] = [
            self.holes, self.seen, self.seen_late, self.seen_at, self.tagged, self.talked,
            *self.stale.values(),
        ]  # fmt: skip
        self._wire(
            identities=[(self.posts, identity)],
            rules=[
                Index(self.posts, self.talk, talk_rows),
                SettledFollower(self.talk, self.guessed, self.guessed),
            ],
            sequences=(),
            derived=[self.talk, self.guessed],
            kept=kept,
            followers=[
                (self.posts, Through(talk_rows, TALK, self.seen)),
                (self.posts, Through(talk_rows, TALK, self.seen_late)),
                (self.posts, self.seen_at),
                (self.posts, self.tagged),
                (self.posts, Through(talk_rows, TALK, self.talked)),
            ],
        )
