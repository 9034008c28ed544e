"""What every derived table of the tracker must hold, computed anew from the issues alone.

Depends on: the tracker's row types.  Never on: maintainers, rules, specs or codecs; not one line is
shared with what is tested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from tests.unit.runtime.tracker import Issue

#: A row of any table as a plain tuple: the fields of its key, then the others.
Rows: TypeAlias = set[tuple[object, ...]]


def derived_rows(issues: Iterable[Issue]) -> dict[str, Rows]:
    """Table name -> its rows."""
    issues = list(issues)
    entries = {
        (i.project, label, i.rank, i.number, i.lane) for i in issues for label in i.labels if i.lane != 2
    }
    slugs = {(i.project, i.slug, i.number) for i in issues if i.slug}
    label_counts = _totals([((i.project, label), (1, i.rank)) for i in issues for label in i.labels])
    by_rank = {(i.project, i.rank, i.number) for i in issues}
    by_lane = {(i.project, i.lane, i.rank, i.number) for i in issues}
    in_lanes = [i for i in issues if i.lane < 2]
    return {
        "issue_ids": {(i.project, i.uid, i.number) for i in issues},
        "by_label": {*entries},
        "by_rank": {*by_rank},
        "by_lane": {*by_lane},
        "slugs": {*slugs},
        "label_counts": label_counts,
        "labelled_counts": _totals([((project, label), (1,)) for project, label, _, _, _ in entries]),
        "slug_counts": _totals([((project,), (1,)) for project, _, _ in slugs]),
        "by_count": {(count, project, label) for project, label, count, _ in label_counts},
        "newest": _best({(i.project, (i.rank, i.number), (i.rank, i.number)) for i in issues}),
        "newest_across": _best(
            {(i.project, (i.rank, i.lane, i.number), (i.lane, i.rank, i.number)) for i in in_lanes}
        ),
        "best": _sums_of_three({(i.project, (i.rank, i.number), i.rank) for i in issues}),
        "best_across": _sums_of_three({(i.project, (i.rank, i.lane, i.number), i.rank) for i in in_lanes}),
        "latest": _best({(i.project, (i.number,), (i.number, i.rank)) for i in issues}),
    }


def shared_slugs(issues: Iterable[Issue]) -> bool:
    """Whether two issues claim one key of the unique index."""
    claimed = [(i.project, i.slug) for i in issues if i.slug]
    return len(claimed) != len(set(claimed))


def _totals(entries: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> Rows:
    groups = defaultdict(list)
    for group, amounts in entries:
        groups[group].append(amounts)
    sums = {(*group, *map(sum, zip(*amounts, strict=True))) for group, amounts in groups.items()}
    return {row for row in sums if any(row[len(entries[0][0]) :])}


def _grouped(candidates: set[tuple[int, tuple[int, ...], object]]) -> dict[int, list[object]]:
    """Project -> what its candidates hold, greatest order first."""
    groups: dict[int, list[object]] = defaultdict(list)
    for project, _, held in sorted(candidates, key=lambda it: it[1], reverse=True):
        groups[project].append(held)
    return groups


def _best(candidates: set[tuple[int, tuple[int, ...], object]]) -> Rows:
    return {(project, *held[0]) for project, held in _grouped(candidates).items()}  # type: ignore[misc]


def _sums_of_three(candidates: set[tuple[int, tuple[int, ...], object]]) -> Rows:
    return {
        (project, len(held[:3]), sum(rank for rank in held[:3] if isinstance(rank, int)))
        for project, held in _grouped(candidates).items()
    }
