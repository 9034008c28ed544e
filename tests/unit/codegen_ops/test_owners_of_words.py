"""Owned rows beside other words: what goes goes before it is used, and only where its owner has gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported

SCHEMA = """
schema: {name: owners_of_words, doc: Owned rows beside other words.}
types:
  Stamp:
    union: {Printed: [1, {number: [1, int32], face: [2, text]}]}
    facets: {number: {type: int32, of: {Printed: number}}}
tables:
  boxes: {id: 1, key: {box: int32}, record: {name: [1, text], size: {number: 2, type: int32, default: 0}}}
  box_names: {id: 2, index: {from: boxes, unique: identity, key: [name], value: {box: box}}}
  letters:
    id: 3
    key: {box: int32, n: int32}
    record: {stamps: [1, list<Stamp>]}
    owned: {by: boxes, key: [box]}
  stamps: {id: 4, refs: {from: letters, each: stamps as s, id: s.number, users: {id: 5}}}
  stickers: {id: 6, key: {n: int32}, record: {box: [1, int32]}, owned: {by: boxes, key: [box], via: on_boxes}}
  on_boxes: {id: 7, index: {from: stickers, key: [{box: {of: box, desc: true}}, n]}}
  labels:
    id: 8
    key: {name: text, n: int32}
    owned: {by: box_names, key: [name]}
operations:
  rename:
    code: 1
    params: {box: [1, int32], name: [2, text]}
    steps: [{patch: {table: boxes, at: box, set: {name: name}}}]
  drop: {code: 2, params: {box: [1, int32]}, steps: [{remove: {from: boxes, at: box}}]}
  face:
    code: 3
    params: {number: [1, int32], stamp: [2, opt<Stamp>]}
    steps: [{rewrite: {table: stamps, id: number, value: stamp}}]
  keep:
    code: 4
    params: {number: [1, int32], stamp: [2, opt<Stamp>]}
    steps: [{hold: {table: stamps, id: number, value: stamp}}]
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(Path(tmp_path_factory.mktemp("owners_of_words")), SCHEMA)


@pytest.fixture
def bench(package: Package) -> Bench:
    """A box with a letter, a sticker and a label."""
    bench, t = Bench(package), package.types
    bench.tx.boxes.put(t.Boxes(box=1, name="a"))
    bench.tx.letters.put(t.Letters(box=1, n=1, stamps=(t.Printed(number=7, face="cat"),)))
    bench.tx.stickers.put(t.Stickers(n=1, box=1))
    bench.tx.labels.put(t.Labels(name="a", n=1))
    bench.commit()
    return bench


def test_an_index_that_runs_downwards_leads_from_owners_to_rows(bench: Bench) -> None:
    t = bench.package.types
    bench.tx.boxes.put(t.Boxes(box=2, name="b"))
    bench.tx.stickers.put(t.Stickers(n=2, box=2))
    bench.commit()

    bench.replay(bench.package.operations.Drop(box=1))

    assert list(bench.tx.stickers.all()) == [t.Stickers(n=2, box=2)]


@pytest.mark.parametrize("face", ["dog", None])
def test_a_rewrite_does_not_put_again_what_has_gone_with_its_owner(bench: Bench, face: str | None) -> None:
    o, t = bench.package.operations, bench.package.types
    stamp = None if face is None else t.Printed(number=7, face=face)

    bench.replay(o.Drop(box=1), o.Face(number=7, stamp=stamp))

    assert list(bench.tx.letters.all()) == []
    bench.commit()
    assert list(bench.tx.letters.all()) == []


def test_what_has_gone_with_its_owner_gives_no_value_to_hold(bench: Bench) -> None:
    o, t = bench.package.operations, bench.package.types

    bench.replay(o.Drop(box=1), o.Keep(number=7, stamp=t.Printed(number=7, face="dog")))

    assert [row.value.face for row in bench.tx.stamps.all()] == ["dog"]


@pytest.mark.parametrize("way", ["patch", "put"])
def test_an_owner_that_gets_another_identity_keeps_the_rows_of_its_key(bench: Bench, way: str) -> None:
    letters, stickers = list(bench.tx.letters.all()), list(bench.tx.stickers.all())
    if way == "patch":
        bench.replay(bench.package.operations.Rename(box=1, name="b"))
    else:
        bench.tx.boxes.put(bench.package.types.Boxes(box=1, name="b"))
    bench.commit()

    assert len(letters) == len(stickers) == 1
    assert (list(bench.tx.letters.all()), list(bench.tx.stickers.all())) == (letters, stickers)
    assert list(bench.tx.labels.all()) == []
    assert [(row.name, row.box) for row in bench.tx.box_names.all()] == [("b", 1)]


def test_an_owner_in_whose_place_another_moves_has_gone(bench: Bench) -> None:
    t = bench.package.types
    bench.tx.boxes.put(t.Boxes(box=2, name="b"))
    bench.tx.labels.put(t.Labels(name="b", n=2))

    bench.tx.boxes.put(t.Boxes(box=1, name="b"))
    bench.commit()

    assert list(bench.tx.boxes.all()) == [t.Boxes(box=1, name="b")]
    assert (list(bench.tx.letters.all()), list(bench.tx.stickers.all())) == ([], [])
    assert list(bench.tx.labels.all()) == [t.Labels(name="b", n=2)]
