"""The tables of the client of the server of posts: their rows, and how those are stored.

Depends on: answering_server (the posts).  Never on: what a count should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeVar

from tests.property.answering_server import TAGS, Post

from pillarbox.codec import Packed, PackedField
from pillarbox.storage import TableLayout
from pillarbox.tables import Role, TableSpec

R = TypeVar("R")


class PostRow(NamedTuple):
    group: int
    at: int
    id: int
    tags: int
    mine: int
    hidden: int


class PostId(NamedTuple):
    group: int
    id: int
    at: int


class Talk(NamedTuple):
    """A post that is not hidden."""

    group: int
    id: int
    at: int
    mine: int


class Hole(NamedTuple):
    group: int
    upper: int
    lower: int


class Seen(NamedTuple):
    group: int
    seen: int
    told: int
    unseen: int
    known: int
    flag: int


class SeenLate(NamedTuple):
    """Without what the base knows."""

    group: int
    seen: int
    unseen: int


class SeenAt(NamedTuple):
    """By time, then id."""

    group: int
    seen_at: int
    seen_id: int
    unseen: int


class Tagged(NamedTuple):
    group: int
    tag: int
    posts: int
    others: int
    upto: int


class Talked(NamedTuple):
    """Over an index."""

    group: int
    posts: int
    upto: int


class Guessed(NamedTuple):
    """Over a table that is made late, without a place in the stream: nobody can say what a base has."""

    group: int
    posts: int


class Asked(NamedTuple):
    group: int
    version: int


class AskedTag(NamedTuple):
    group: int
    tag: int
    version: int


def _packed(name: str, row: type[Any], key_parts: int) -> Packed:
    return Packed(name, tuple(PackedField(field, "int64") for field in row._fields[key_parts:]))


def _spec(number: int, name: str, role: Role, row: type[R], key_parts: int) -> tuple[TableSpec[R], Packed]:
    make: Callable[..., R] = row
    packed = _packed(name, row, key_parts)
    spec = TableSpec[
        R
    ](
        layout=TableLayout(id=number, name=name, int_key=False, key_width=key_parts, heap=False),
        role=role,
        key_of=lambda row: bytes(row[:key_parts]),  # type: ignore[index]
        cell_of=lambda row: packed.encode(*row[key_parts:]),  # type: ignore[index]
        row=lambda key, cell: make(*key, *packed.decode(cell)),
        key_fields=lambda key: tuple(key),
    )
    return spec, packed


POSTS, _ = _spec(1, "posts", "primary", PostRow, 3)
POST_IDS, _ = _spec(2, "post_ids", "derived", PostId, 2)
TALK, _ = _spec(3, "talk", "derived", Talk, 2)
HOLES, HOLES_PACKED = _spec(4, "holes", "kept", Hole, 2)
SEEN, SEEN_PACKED = _spec(5, "seen", "kept", Seen, 1)
SEEN_LATE, SEEN_LATE_PACKED = _spec(6, "seen_late", "kept", SeenLate, 1)
SEEN_AT, SEEN_AT_PACKED = _spec(7, "seen_at", "kept", SeenAt, 1)
TAGGED, TAGGED_PACKED = _spec(8, "tagged", "kept", Tagged, 2)
TALKED, TALKED_PACKED = _spec(10, "talked", "kept", Talked, 1)
GUESSED, GUESSED_PACKED = _spec(9, "guessed", "kept", Guessed, 1)
STALE_SEEN, ASKED_PACKED = _spec(15, "stale_seen", "kept", Asked, 1)
STALE_SEEN_LATE, _ = _spec(16, "stale_seen_late", "kept", Asked, 1)
STALE_SEEN_AT, _ = _spec(17, "stale_seen_at", "kept", Asked, 1)
STALE_TAGGED, STALE_TAGGED_PACKED = _spec(18, "stale_tagged", "kept", AskedTag, 2)
STALE_TALKED, _ = _spec(20, "stale_talked", "kept", Asked, 1)
STALE_GUESSED, _ = _spec(19, "stale_guessed", "kept", Asked, 1)

SPECS: Final[tuple[TableSpec[Any], ...]] = (
    POSTS, POST_IDS, TALK, HOLES, SEEN, SEEN_LATE, SEEN_AT, TAGGED, TALKED, GUESSED,
    STALE_SEEN, STALE_SEEN_LATE, STALE_SEEN_AT, STALE_TAGGED, STALE_TALKED, STALE_GUESSED,
)  # fmt: skip


def row_of(post: Post) -> PostRow:
    return PostRow(post.group, post.at, post.id, post.tags, int(post.mine), int(post.hidden))


def talk_rows(rows: Iterable[PostRow]) -> Iterable[tuple[bytes, bytes]]:
    talks = [Talk(row.group, row.id, row.at, row.mine) for row in rows if not row.hidden]
    return [(TALK.key_of(talk), TALK.cell_of(talk)) for talk in talks]  # type: ignore[misc]


def tag_sums(row: PostRow) -> list[tuple[bytes, tuple[int, ...]]]:
    return [(bytes((row.group, tag)), (1, 1 - row.mine)) for tag in TAGS if row.tags >> tag & 1]


def raw(*parts: int) -> bytes:
    return bytes(parts)
