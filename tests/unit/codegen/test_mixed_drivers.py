"""A join that looks up by fields of two drivers holds what its sources give, whatever came in which order.

Law: after each commit the join, and what is counted of it, are as they would be made of nothing.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported

SCHEMA = """
schema: {name: mixed_drivers, doc: A key of parts of two drivers.}
tables:
  base: {id: 1, key: {g: int32, n: int32}, record: {near: [1, opt<int64>]}}
  more: {id: 2, key: {g: int32, n: int32}, record: {v: [1, int32]}}
  pairs: {id: 3, key: {near: int64, v: int32}, record: {name: [1, text]}}
  by_pair: {id: 4, index: {from: base, with: {m: "more([g, n])"}, when: near is present and m is present, key: [near, m.v, g, n]}}
  named: {id: 5, join: {by: [g, n], rows: [base, more], with: {pair: {row: "pairs([base.near, more.v])", via: by_pair}}, row: {name: "pair.name // '-'"}}}
  counted: {id: 6, count: {from: named, group: [name], sum: {n: 1}}}
operations:
  put: {code: 1, params: {base: [1, list<row<base>>], more: [2, list<row<more>>], pairs: [3, list<row<pairs>>]}, steps: [{put: {into: base, row: x}, each: base as x}, {put: {into: more, row: x}, each: more as x}, {put: {into: pairs, row: x}, each: pairs as x}]}
  drop: {code: 2, params: {table: [1, int32], a: [2, int32], b: [3, int32]}, steps: [{remove: {from: base, at: "[a, b]"}, when: table == 0}, {remove: {from: more, at: "[a, b]"}, when: table == 1}, {remove: {from: pairs, at: "[a, b]"}, when: table == 2}]}
"""  # noqa: E501


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("mixed_drivers"), SCHEMA)


def change(package: Package, random: Random) -> object:
    """Some operation over keys so few that they meet."""
    types, operations = package.types, package.operations
    a, b = random.randint(1, 2), random.randint(1, 2)
    match random.randint(0, 3):
        case 0:
            return operations.Put_((types.Base(a, b, random.choice([None, 1, 2])),), (), ())
        case 1:
            return operations.Put_((), (types.More(a, b, random.randint(1, 2)),), ())
        case 2:
            return operations.Put_((), (), (types.Pairs(a, b, random.choice("xyz")),))
        case _:
            return operations.Drop(random.randint(0, 2), a, b)


@pytest.mark.parametrize("seed", range(40))
def test_the_join_is_what_its_sources_give(package: Package, seed: int) -> None:
    random, bench = Random(seed), Bench(package)
    for _ in range(20):
        bench.replay(*(change(package, random) for _ in range(random.randint(1, 4))))
        bench.commit()

        near = {(row.g, row.n): row.near for row in bench.tx.base.all()}
        v = {(row.g, row.n): row.v for row in bench.tx.more.all()}
        names = {(row.near, row.v): row.name for row in bench.tx.pairs.all()}
        found = {key: names.get((near.get(key), v.get(key)), "-") for key in near.keys() | v.keys()}
        assert {(row.g, row.n): row.name for row in bench.tx.named.all()} == found
        assert {row.name: row.n for row in bench.tx.counted.all()} == Counter(found.values())
