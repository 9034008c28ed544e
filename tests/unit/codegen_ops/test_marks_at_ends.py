"""Marks at the ends of what keys can be: at zero where no member is, and at the greatest number there is."""

from __future__ import annotations

from typing import Any, Final

import pytest
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.box import Box
from pillarbox.maintainers import marker

SCHEMA: Final = """
schema: {name: endmarks, doc: Marks at the ends of their streams.}
types:
  Rank: {enum: {high: 200, low: 3, mid: 7}}
tables:
  posts: {id: 1, key: {n: int64}, record: {v: [1, int32]}}
  seen:
    id: 2
    marker: {over: posts, group: [], by: n, marks: [read], counted: read, base: {count: unread},
             default: true, stale: late}
  late: {id: 3, stale: {of: seen}}
  ranked: {id: 4, key: {b: bool, r: Rank, u: uint64}, record: {v: [1, int32]}}
  passed:
    id: 5
    marker: {over: ranked, group: [b], by: [r, u], marks: [read], counted: read, base: {count: unread},
             default: true, stale: unsure}
  unsure: {id: 6, stale: {of: passed}}
operations:
  go: {code: 1, params: {n: [1, int64]}, steps: [{advance: {table: seen, at: [], mark: read, to: n}}]}
  rank_to:
    code: 2
    params: {b: [1, bool], r: [2, Rank], u: [3, uint64]}
    steps: [{advance: {table: passed, at: b, mark: read, to: "[r, u]"}}]
"""
MOST: Final = (1 << 63) - 1
U_MOST: Final = (1 << 64) - 1


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("endmarks"), SCHEMA)


@pytest.mark.parametrize("numbers", [(1, 2, MOST - 1, MOST), (MOST - 1, MOST), (1,)])
@pytest.mark.parametrize("at_a_time", [2, 1_000])
def test_a_mark_goes_to_the_greatest_number_and_stays_sure(
    package: Package, numbers: tuple[int, ...], at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marker, "_SLICE", at_a_time)
    with Box(":memory:", package.box.PACKAGE) as box:
        box.transact(lambda tx: [tx.posts.put(package.types.Posts(n, v=1)) for n in numbers])
        for to in (0, 1, MOST - 1, MOST, MOST):
            box.replay([package.operations.Go(n=to)])
            (row,) = read(box, "seen")
            assert row.unread == sum(n > to for n in numbers)
            assert read(box, "late") == []


def test_a_mark_at_zero_stands_before_every_member(package: Package) -> None:
    ranks = package.types.Rank
    places = [(rank, u) for rank in sorted(ranks) for u in (0, 1, U_MOST)]
    with Box(":memory:", package.box.PACKAGE) as box:
        box.transact(lambda tx: [tx.ranked.put(package.types.Ranked(True, r, u, v=1)) for r, u in places])
        assert [row.unread for row in read(box, "passed")] == [len(places)]
        for to in (
            (ranks.LOW, 0),
            (ranks.LOW, 5),
            (ranks.MID, 0),
            (ranks.HIGH, U_MOST),
            (ranks.HIGH, U_MOST),
        ):
            box.replay([package.operations.RankTo(b=True, r=to[0], u=to[1])])
            (row,) = read(box, "passed")
            assert (row.read_r, row.read_u, row.unread) == (*to, sum(place > to for place in places))
            assert read(box, "unsure") == []


def read(box: Any, table: str) -> list[Any]:
    with box.reading() as tables:
        found: list[Any] = getattr(tables, table).rows_between(None, None)
    return found
