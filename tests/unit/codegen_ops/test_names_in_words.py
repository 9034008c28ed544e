"""Names of a schema that are parts of words of the code around them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported, ruff

SCHEMA = """
schema: {name: in_words, doc: Names that stand in other words.}
sequences:
  arrow: {id: 60, type: int32, per: {g: int32}}
tables:
  shots: {id: 1, key: {g: int32, e: {type: text, desc: true}, c: {type: bytes, desc: true}}, record: {v: [1, text], arrow: {number: 2, type: int32, fill: arrow}}, upsert: [{fill: arrow}]}
  last_shots: {id: 2, top: {of: shots, group: [g]}}
  two_shots: {id: 3, top: {of: shots, group: [g], first: 2, fold: {n: count(true)}}}
operations:
  shoot: {code: 1, params: {shot: [1, row<shots>]}, steps: [{put: {into: shots, row: shot}}]}
views:
  shot: {key: {g: int32}, parts: {shots: {scan: shots, prefix: [g], all: true}, two: {aggregate: {first: 2}, of: shots}}}
"""  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("in_words")


@pytest.fixture(scope="module")
def package(folder: Path) -> Package:
    return imported(folder, SCHEMA)


def test_no_name_is_looked_for_inside_of_another_word(package: Package) -> None:
    """`e` in `invert(escape(e.encode()))`, `row.` in `self._next_arrow.take(..)`."""
    bench = Bench(package)
    shots = package.types.Shots
    for e, v in [("a", "1"), ("b", "1"), ("a", "2")]:
        bench.replay(package.operations.Shoot(shots(g=1, e=e, c=b"", v=v, arrow=0)))
    bench.commit()

    assert [(row.e, row.v, row.arrow) for row in bench.tx.shots.all()] == [("b", "1", 2), ("a", "2", 3)]
    assert [row.e for row in bench.tx.last_shots.all()] == ["a"]
    assert [row.n for row in bench.tx.two_shots.all()] == [2]


def test_linters_find_nothing_in_it(package: Package, folder: Path) -> None:
    assert package.views is not None
    assert ruff(folder, "check") == ""
