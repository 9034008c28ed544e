"""What follows from shared values, and what counts writes, goes by the values as they are stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported

from pillarbox.box import Box
from pillarbox.bulk import ShardBuilder, merge

SCHEMA = """
schema: {name: shared_and_computed, doc: Rows that share values and have fields that follow from them.}
types:
  Stamp:
    union: {Printed: [1, {number: [1, int32], face: [2, text]}]}
    facets: {number: {type: int32, of: {Printed: number}}, face: {type: text, of: {Printed: face}}}
sequences:
  faces: {id: 60, type: int32, intern: text, per: {box: int32}}
tables:
  letters:
    id: 1
    key: {box: int32, n: int32}
    record:
      stamps: [1, list<Stamp>]
      size: {number: 2, type: int32, fill: size(stamps)}
      face: {number: 3, type: text, fill: "first(stamps).face // ''"}
      version: {number: 4, type: uint32, default: 0}
      face_id: {number: 5, type: int32, fill: "faces(first(stamps).face // '')"}
    upsert: [{bump: version}]
  stamps: {id: 2, refs: {from: letters, each: stamps as s, id: s.number, users: {id: 3}}}
operations:
  change:
    code: 1
    params: {number: [1, int32], stamp: [2, opt<Stamp>]}
    steps: [{rewrite: {table: stamps, id: number, value: stamp}}]
  add: {code: 2, params: {letter: [1, row<letters>]}, steps: [{put: {into: letters, row: letter}}]}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(Path(tmp_path_factory.mktemp("shared_and_computed")), SCHEMA)


@pytest.fixture
def bench(package: Package) -> Bench:
    return Bench(package)


def test_fields_follow_from_the_values_that_are_stored(bench: Bench) -> None:
    o, t = bench.package.operations, bench.package.types
    for n, face in enumerate(("cat", "dog")):
        bench.tx.letters.put(t.Letters(box=1, n=n, stamps=(t.Printed(number=7, face=face),)))
    bench.commit()
    assert [(row.size, row.face) for row in bench.tx.letters.all()] == [(1, "cat"), (1, "cat")]

    again = bench.tx.letters.put(t.Letters(box=1, n=1, stamps=(t.Printed(number=7, face="dog"),)))
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


def test_fields_follow_from_the_values_that_a_merge_shares(package: Package, tmp_path: Path) -> None:
    """The value of the first shard stays; what was numbered of another keeps its number."""
    o, t, made = package.operations, package.types, package.box.PACKAGE
    shards = {1: "cat", 2: "dog"}
    for box, face in shards.items():
        with ShardBuilder(made, tmp_path / f"{box}.box", slice_records=1) as builder:
            for n in (1, 2):
                stamps = (t.Printed(number=7, face=face),)
                builder.add(n, [o.Add(t.Letters(box=box, n=n, stamps=stamps))])
            builder.finish()

    merge(made, [tmp_path / f"{box}.box" for box in shards], tmp_path / "merged.box")

    with Box[Any, Any](tmp_path / "merged.box", made) as merged, merged.reading() as tables:
        rows = tables.letters.all()
        assert [(row.box, row.face, row.version) for row in rows] == [(box, "cat", 0) for box in (1, 1, 2, 2)]
        assert [row.face_id for row in rows] == [1, 1, 2, 2]
