"""Cursors that are forgotten by the beginning of their keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported, ruff

SCHEMA = """
schema: {name: forgotten_cursors, doc: Where rooms of houses stand.}
cursors:
  room: {id: 10, per: {house: int32, number: int32}, parts: {rev: {kind: counter, number: 1}}}
operations:
  stand:
    code: 1
    params: {house: [1, int32], number: [2, int32]}
    steps: [{set_cursor: {cursor: room, at: "[house, number]", set: {rev: 1}}}]
  sell: {code: 2, params: {house: [1, int32]}, steps: [{remove: {from: room, under: [house]}}]}
  move_out: {code: 3, params: {}, steps: [{remove: {from: room, under: []}}]}
  sell_some:
    code: 4
    params: {houses: [1, list<int32>], key: [2, int32]}
    steps: [{remove: {from: room, under: [h]}, each: houses as h, when: h != key}]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forgotten_cursors")


@pytest.fixture(scope="module")
def package(folder: Path) -> Package:
    return imported(folder, SCHEMA)


def stood(package: Package) -> Bench:
    bench = Bench(package)
    bench.replay(*(package.operations.Stand(house=house, number=n) for house in (1, 2, 3) for n in (5, 6)))
    return bench


def left(bench: Bench) -> list[tuple[int, int]]:
    return [(row.house, row.number) for row in bench.tx.room.all()]


def test_those_under_a_prefix_are_forgotten(package: Package, folder: Path) -> None:
    bench = stood(package)

    bench.replay(package.operations.Sell(house=2))

    assert left(bench) == [(1, 5), (1, 6), (3, 5), (3, 6)]
    assert ruff(folder, "check") == ""


def test_all_are_forgotten(package: Package) -> None:
    bench = stood(package)

    bench.replay(package.operations.MoveOut())

    assert left(bench) == []


def test_prefixes_of_a_list_are_forgotten_where_a_condition_holds(package: Package) -> None:
    bench = stood(package)

    bench.replay(package.operations.SellSome(houses=[1, 2, 3], key=3))

    assert left(bench) == [(3, 5), (3, 6)]
