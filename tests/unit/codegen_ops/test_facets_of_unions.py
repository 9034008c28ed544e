"""Facets that are values of a union themselves, where a condition has shown that they are there."""

from __future__ import annotations

from pathlib import Path

from tests.unit.codegen_ops.making import Bench, imported, mypy, ruff

SCHEMA = """
schema: {name: facets_of_unions, doc: Facets that are values of a union.}
types:
  Thing:
    union: {Stone: [1, {size: [1, int32]}], Bag: [2, {things: [1, list<Thing>]}], Air: [3, {}]}
    facets:
      top: {type: opt<Thing>, of: {Bag: first(things), Stone: make(Air)}}
      weight: {type: int32, of: {Stone: size, Air: 1}}
tables:
  carts: {id: 1, key: {cart: int32}, record: {thing: [1, Thing]}}
  heavy:
    id: 2
    index:
      from: carts
      when: thing.top is present and thing.top.weight > 0
      key: [{weight: "thing.top.weight + (if thing.top is Stone then 1 else 0)"}, cart]
operations:
  take_out:
    code: 1
    params: {cart: [1, int32], thing: [2, Thing]}
    steps:
      - require: thing.top is present
      - {put: {into: carts, row: {cart: cart, thing: thing.top}}}
"""


def test_they_are_read_and_a_type_checker_follows(tmp_path: Path) -> None:
    package = imported(tmp_path, SCHEMA)
    bench, t = Bench(package), package.types
    bag = t.Bag(things=(t.Stone(size=4), t.Air()))
    bench.tx.carts.put(t.Carts(cart=1, thing=bag))
    bench.tx.carts.put(t.Carts(cart=2, thing=t.Air()))

    bench.replay(
        *(package.operations.TakeOut(cart=cart, thing=thing) for cart, thing in ((3, bag), (4, t.Air())))
    )
    bench.commit()

    assert [row.cart for row in bench.tx.carts.all()] == [1, 2, 3]
    assert [(row.weight, row.cart) for row in bench.tx.heavy.all()] == [(1, 3), (5, 1)]
    assert (ruff(tmp_path, "format", "--check"), mypy(tmp_path)) == ("", "")
