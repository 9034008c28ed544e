"""Rows that `order` finds equal: the greatest key is on top, whatever came when, and however it is read."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported, loaded_schema

from pillarbox_codegen.plan import layout

SCHEMA = """
schema: {name: tied_tops, doc: Rows of several prefixes that their order does not tell apart.}
types:
  Lane: {enum: {slow: 0, fast: 1, free: 2}}
tables:
  jobs: {id: 1, key: {g: int32, lane: Lane, shift: {type: text, desc: true}, at: int32}, record: {v: [1, int32]}}
  lanes: {id: 2, top: {of: jobs, group: [g], across: {lane: [fast, slow, free], shift: ["'a'", "'b'"]}, order: [at], value: {v: v}}}
  folds: {id: 3, top: {of: jobs, group: [g], across: {lane: [fast, slow, free], shift: ["'a'", "'b'"]}, order: [at], first: 2, fold: {v: sum(v)}}}
operations:
  put: {code: 1, params: {jobs: [1, list<row<jobs>>]}, steps: [{put: {into: jobs, row: x}, each: jobs as x}]}
  drop: {code: 2, params: {jobs: [1, list<row<jobs>>]}, steps: [{remove: {from: jobs, at: jobs}}]}
"""  # noqa: E501
#: Lane and shift of four rows, their greatest key first: a shift of `a` lies behind one of `b`.
PLACES = ((1, "a"), (1, "b"), (0, "a"), (0, "b"))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("tied_tops"), SCHEMA)


@pytest.mark.parametrize("come", list(itertools.permutations(range(4))))
def test_the_greatest_key_is_on_top_whatever_came_first(package: Package, come: tuple[int, ...]) -> None:
    bench, t, ops = Bench(package), package.types, package.operations
    rows = [t.Jobs(1, t.Lane(lane), shift, 5, 10**place) for place, (lane, shift) in enumerate(PLACES)]

    for place in come:
        bench.replay(ops.Put_(jobs=(rows[place],)))
        bench.commit()
    (lane,), (fold,) = bench.tx.lanes.all(), bench.tx.folds.all()
    assert (lane.lane, lane.shift, lane.v, fold.v) == (1, "a", 1, 11)

    for place in come[:-1]:
        bench.replay(ops.Drop(jobs=(rows[place],)))
        bench.commit()
        left = sorted(set(come) - set(come[: come.index(place) + 1]))
        (lane,), (fold,) = bench.tx.lanes.all(), bench.tx.folds.all()
        assert (lane.v, fold.v) == (10 ** left[0], sum(10**it for it in left[:2]))


def test_what_breaks_ties_is_part_of_what_stored_rows_mean(tmp_path: Path) -> None:
    def rule(text: str, number: str) -> dict[str, Any]:
        found: dict[str, Any] = layout.layout_tree(loaded_schema(tmp_path, text))["tables"][number]["rule"]
        return found

    told = SCHEMA.replace("order: [at]", "order: [at, lane, shift]")
    other = SCHEMA.replace("order: [at]", "order: [lane, at, shift]")
    for number in ("2", "3"):
        assert rule(SCHEMA, number)["order"] == ["at", "lane", "shift"]
        assert rule(SCHEMA, number) == rule(told, number) != rule(other, number)
