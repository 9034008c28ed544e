"""A small issue tracker wired by hand, as the generator would print it: rows, keys, specs, rules.

Depends on: tables, maintainers.  Never on: generated code, engines, hypothesis.

Every part of a key is one byte and every value is small, so that rows collide all the time. Each word
is there at least once, with every turn that it can take; `oracles.py` says what each must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from pillarbox.codec import Packed, PackedField, RecordCodec
from pillarbox.maintainers import TopShape
from pillarbox.storage import StoredKey, TableLayout
from pillarbox.tables import Cell, Role, TableSpec

R = TypeVar("R")

#: Issues in this lane are in no index by label.
HIDDEN_LANE: Final = 2
#: The lanes that the tops with `across` look at.
LANES: Final = (0, 1)
#: Issues with this slug have none.
NO_SLUG: Final = 0


class Issue(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Primary. Key: project, number. Identity: project, uid. A 0 in number or uid is filled in."""

    project: int
    number: int
    uid: int = 0
    rank: int = 0
    lane: int = 0
    labels: tuple[int, ...] = ()
    slug: int = NO_SLUG
    title: str = ""


class IssueId(NamedTuple):
    """Identity of issues."""

    project: int
    uid: int
    number: int


class ByLabel(NamedTuple):
    """Index with `each`, `when` and a value."""

    project: int
    label: int
    rank: int
    number: int
    lane: int


class ByRank(NamedTuple):
    """Plain index without a value."""

    project: int
    rank: int
    number: int


class ByLane(NamedTuple):
    """Plain index, for the tops that go across lanes."""

    project: int
    lane: int
    rank: int
    number: int


class Slug(NamedTuple):
    """Unique index with `when`."""

    project: int
    slug: int
    number: int


class LabelCount(NamedTuple):
    """Count with `each` and two sums, over the primary table."""

    project: int
    label: int
    issues: int
    ranks: int


class LabelledCount(NamedTuple):
    """Count over an index."""

    project: int
    label: int
    issues: int


class SlugCount(NamedTuple):
    """Count over a unique index."""

    project: int
    slugs: int


class ByCount(NamedTuple):
    """Index over a count."""

    issues: int
    project: int
    label: int


class Newest(NamedTuple):
    """Top 1 over an index."""

    project: int
    rank: int
    number: int


class NewestAcross(NamedTuple):
    """Top 1 over an index, across lanes."""

    project: int
    lane: int
    rank: int
    number: int


class Best(NamedTuple):
    """Top 3 over an index, folded."""

    project: int
    issues: int
    ranks: int


class BestAcross(NamedTuple):
    """Top 3 over an index across lanes, folded."""

    project: int
    issues: int
    ranks: int


class Latest(NamedTuple):
    """Top 1 over the primary table, with a value of its own."""

    project: int
    number: int
    rank: int


class Numbering(NamedTuple):
    """A sequence per project."""

    project: int
    next: int


class Cursor(NamedTuple):
    """Counters under an int key."""

    cursor_id: int
    revision: int
    comments: int


# ------------------------------------------------------------------------------------------- specs


def _layout(number: int, name: str, key_width: int | None) -> TableLayout:
    return TableLayout(id=number, name=name, int_key=key_width is None, key_width=key_width, heap=False)


def _packed(name: str, row: type[Any], key_parts: int) -> Packed:
    return Packed(name, tuple(PackedField(field, "int64") for field in row._fields[key_parts:]))


def _small(number: int, name: str, role: Role, row: type[R], key_parts: int) -> TableSpec[R]:
    """A table of a few integers, of which the first `key_parts` are the key, a byte each."""
    make: Callable[..., R] = row
    width = len(row._fields)  # type: ignore[attr-defined]  # a NamedTuple
    packed = _packed(name, row, key_parts)

    def row_of(key: bytes, cell: bytes) -> R:
        return make(*key, *packed.decode(cell)) if key_parts < width else make(*key)

    return TableSpec(
        layout=_layout(number, name, key_parts),
        role=role,
        key_of=lambda row: bytes(row[:key_parts]),  # type: ignore[index]
        cell_of=lambda row: packed.encode(*row[key_parts:]) if key_parts < width else b"",  # type: ignore[index]
        row=row_of,
        key_fields=lambda key: tuple(key),
    )


def issue_key(project: int, number: int) -> bytes:
    return bytes((project, number))


_issues: Final = RecordCodec(Issue, "issues")
ISSUES: Final = TableSpec[Issue](
    layout=_layout(1, "issues", 2),
    role="primary",
    key_of=lambda row: issue_key(row.project, row.number),
    cell_of=lambda row: row,
    row=lambda key, cell: cell,
    encode=_issues.encode,
    decode=_issues.decode,
    key_fields=lambda key: tuple(key),
)
ISSUE_IDS: Final = _small(2, "issue_ids", "derived", IssueId, 2)
BY_LABEL: Final = _small(3, "by_label", "derived", ByLabel, 4)
BY_RANK: Final = _small(4, "by_rank", "derived", ByRank, 3)
BY_LANE: Final = _small(5, "by_lane", "derived", ByLane, 4)
SLUGS: Final = _small(6, "slugs", "derived", Slug, 2)
LABEL_COUNTS: Final = _small(7, "label_counts", "derived", LabelCount, 2)
LABELLED_COUNTS: Final = _small(8, "labelled_counts", "derived", LabelledCount, 2)
SLUG_COUNTS: Final = _small(9, "slug_counts", "derived", SlugCount, 1)
BY_COUNT: Final = _small(10, "by_count", "derived", ByCount, 3)
NEWEST: Final = _small(11, "newest", "derived", Newest, 1)
NEWEST_ACROSS: Final = _small(12, "newest_across", "derived", NewestAcross, 1)
BEST: Final = _small(13, "best", "derived", Best, 1)
BEST_ACROSS: Final = _small(14, "best_across", "derived", BestAcross, 1)
LATEST: Final = _small(15, "latest", "derived", Latest, 1)
NUMBERS: Final = _small(16, "numbers", "sequence", Numbering, 1)
UIDS: Final = _small(17, "uids", "sequence", Numbering, 1)

_cursors: Final = _packed("cursors", Cursor, 1)
CURSORS: Final = TableSpec[Cursor](
    layout=_layout(18, "cursors", None),
    role="cursor",
    key_of=lambda row: row.cursor_id,
    cell_of=lambda row: _cursors.encode(*row[1:]),
    row=lambda key, cell: Cursor(key, *_cursors.decode(cell)),
)

SPECS: Final[tuple[TableSpec[Any], ...]] = (
    ISSUES, ISSUE_IDS, BY_LABEL, BY_RANK, BY_LANE, SLUGS, LABEL_COUNTS, LABELLED_COUNTS, SLUG_COUNTS,
    BY_COUNT, NEWEST, NEWEST_ACROSS, BEST, BEST_ACROSS, LATEST, NUMBERS, UIDS, CURSORS,
)  # fmt: skip

SUMS: Final = {
    spec.id: _packed(spec.name, row, key_parts)
    for spec, row, key_parts in (
        (LABEL_COUNTS, LabelCount, 2),
        (LABELLED_COUNTS, LabelledCount, 2),
        (SLUG_COUNTS, SlugCount, 1),
    )
}
NEXT: Final = _packed("numbers", Numbering, 1)

# ------------------------------------------------------------------------------------------- rules

Entries = Iterable[tuple[StoredKey, Cell]]
Sums = Iterable[tuple[StoredKey, tuple[int, ...]]]


def _entry(spec: TableSpec[R], row: R) -> tuple[StoredKey, Cell]:
    return spec.key_of(row), spec.cell_of(row)


def by_label_rows(rows: Iterable[Issue]) -> Entries:
    return [
        _entry(BY_LABEL, ByLabel(row.project, label, row.rank, row.number, row.lane))
        for row in rows
        if row.lane != HIDDEN_LANE
        for label in row.labels
    ]


def by_rank_rows(rows: Iterable[Issue]) -> Entries:
    return [_entry(BY_RANK, ByRank(row.project, row.rank, row.number)) for row in rows]


def by_lane_rows(rows: Iterable[Issue]) -> Entries:
    return [_entry(BY_LANE, ByLane(row.project, row.lane, row.rank, row.number)) for row in rows]


def slugs_rows(rows: Iterable[Issue]) -> Entries:
    return [_entry(SLUGS, Slug(row.project, row.slug, row.number)) for row in rows if row.slug != NO_SLUG]


def label_counts_sums(row: Issue) -> Sums:
    return [(bytes((row.project, label)), (1, row.rank)) for label in row.labels]


def labelled_counts_sums(row: ByLabel) -> Sums:
    return [(bytes((row.project, row.label)), (1,))]


def slug_counts_sums(row: Slug) -> Sums:
    return [(bytes((row.project,)), (1,))]


def by_count_rows(rows: Iterable[LabelCount]) -> Entries:
    return [_entry(BY_COUNT, ByCount(row.issues, row.project, row.label)) for row in rows]


def _group(row: Any) -> bytes:
    return bytes((row.project,))


def _in_lanes(row: ByLane) -> bytes | None:
    return bytes((row.project,)) if row.lane in LANES else None


def _lanes(row: ByLane) -> Sequence[bytes]:
    return [bytes((row.project, lane)) for lane in LANES]


def _folded(spec: TableSpec[Any], make: Callable[..., Any]) -> Callable[[Sequence[Any]], Cell]:
    return lambda rows: spec.cell_of(make(rows[0].project, len(rows), sum(row.rank for row in rows)))


NEWEST_SHAPE: Final = TopShape[ByRank](
    first=1,
    group_of=_group,
    prefixes_of=lambda row: [bytes((row.project,))],
    order_of=lambda row: (row.rank, row.number),
    fold=lambda rows: NEWEST.cell_of(Newest(*rows[0])),
    stored_order=lambda key, cell: NEWEST.row(key, cell)[1:],
)
NEWEST_ACROSS_SHAPE: Final = TopShape[ByLane](
    first=1,
    group_of=_in_lanes,
    prefixes_of=_lanes,
    order_of=lambda row: (row.rank, row.lane, row.number),
    fold=lambda rows: NEWEST_ACROSS.cell_of(NewestAcross(*rows[0])),
    stored_order=lambda key, cell: (
        (row := NEWEST_ACROSS.row(key, cell)).rank,
        row.lane,
        row.number,
    ),
)
BEST_SHAPE: Final = TopShape[ByRank](
    first=3,
    group_of=_group,
    prefixes_of=lambda row: [bytes((row.project,))],
    order_of=lambda row: (row.rank, row.number),
    fold=_folded(BEST, Best),
    stored_order=None,
)
BEST_ACROSS_SHAPE: Final = TopShape[ByLane](
    first=3,
    group_of=_in_lanes,
    prefixes_of=_lanes,
    order_of=lambda row: (row.rank, row.lane, row.number),
    fold=_folded(BEST_ACROSS, BestAcross),
    stored_order=None,
)
LATEST_SHAPE: Final = TopShape[Issue](
    first=1,
    group_of=_group,
    prefixes_of=lambda row: [bytes((row.project,))],
    order_of=lambda row: (row.number,),
    fold=lambda rows: LATEST.cell_of(Latest(rows[0].project, rows[0].number, rows[0].rank)),
    stored_order=lambda key, cell: (LATEST.row(key, cell).number,),
)
