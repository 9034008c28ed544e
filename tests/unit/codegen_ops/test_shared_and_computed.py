"""What follows from shared values, and what counts writes, goes by the values as they are stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, imported

SCHEMA = """
schema: {name: shared_and_computed, doc: Rows that share values and have fields that follow from them.}
types:
  Stamp:
    union: {Printed: [1, {number: [1, int32], face: [2, text]}]}
    facets: {number: {type: int32, of: {Printed: number}}, face: {type: text, of: {Printed: face}}}
tables:
  letters:
    id: 1
    key: {n: int32}
    record:
      stamps: [1, list<Stamp>]
      size: {number: 2, type: int32, fill: size(stamps)}
      face: {number: 3, type: text, fill: "first(stamps).face // ''"}
      version: {number: 4, type: uint32, default: 0}
    upsert: [{bump: version}]
  stamps: {id: 2, refs: {from: letters, each: stamps as s, id: s.number, users: {id: 3}}}
operations:
  change:
    code: 1
    params: {number: [1, int32], stamp: [2, opt<Stamp>]}
    steps: [{rewrite: {table: stamps, id: number, value: stamp}}]
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(imported(Path(tmp_path_factory.mktemp("shared_and_computed")), SCHEMA))


def test_fields_follow_from_the_values_that_are_stored(bench: Bench) -> None:
    o, t = bench.package.operations, bench.package.types
    for n, face in enumerate(("cat", "dog")):
        bench.tx.letters.put(t.Letters(n=n, stamps=(t.Printed(number=7, face=face),)))
    bench.commit()
    assert [(row.size, row.face) for row in bench.tx.letters.all()] == [(1, "cat"), (1, "cat")]

    again = bench.tx.letters.put(t.Letters(n=1, stamps=(t.Printed(number=7, face="dog"),)))
    assert again.version == 0, "an equal write changes nothing"

    bench.replay(o.Change(number=7, stamp=t.Printed(number=7, face="fox")))
    bench.commit()
    assert [(row.size, row.face) for row in bench.tx.letters.all()] == [(1, "fox"), (1, "fox")]
    assert [row.version for row in bench.tx.letters.all()] == [1, 1]

    bench.replay(o.Change(number=7, stamp=t.Printed(number=7, face="fox")))
    assert [row.version for row in bench.tx.letters.all()] == [1, 1], "an equal write changes nothing"

    bench.replay(o.Change(number=7, stamp=None))
    bench.commit()
    assert [(row.stamps, row.size, row.face) for row in bench.tx.letters.all()] == [((), 0, "")] * 2
    assert [row.version for row in bench.tx.letters.all()] == [2, 2]
