"""Numbers that a put fills in: none of them is 0, and a row that is there keeps its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import Bench, Package, imported

SCHEMA = """
schema: {name: numbers_filled_in, doc: Numbers that a put fills in.}
sequences:
  depths: {id: 101, type: int8, per: {pit: int32}, start: -2}
  names: {id: 102, type: int16, intern: text, per: {}, start: -2}
  serials: {id: 103, type: int32, per: {shelf: int32}}
tables:
  layers:
    id: 1
    key: {pit: int32, depth: {type: int8, fill: depths}}
    record: {name: [1, text], name_id: {number: 2, type: int16, fill: names(name)}}
  things:
    id: 2
    key: {room: int32, place: int32}
    record:
      shelf: [1, int32]
      serial: {number: 2, type: int32, default: 0, fill: serials}
      maker: {number: 3, type: int32, default: 1}
  by_serial:
    id: 3
    index: {from: things, unique: identity, key: [maker, shelf, serial], value: {room: room, place: place}}
operations:
  add_things:
    code: 1
    params: {things: [1, list<row<things>>]}
    steps: [{put: {into: things, row: t, only: new}, each: things as t}]
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(Path(tmp_path_factory.mktemp("numbers_filled_in")), SCHEMA)


@pytest.fixture
def bench(package: Package) -> Bench:
    """A box with one thing."""
    bench = Bench(package)
    bench.tx.things.put(package.types.Things(room=1, place=1, shelf=1))
    bench.commit()
    return bench


@pytest.mark.parametrize("at_once", [True, False])
def test_a_sequence_that_starts_below_0_passes_over_it(bench: Bench, at_once: bool) -> None:
    t = bench.package.types
    for name in "abcd":
        bench.tx.layers.put(t.Layers(pit=1, depth=0, name=name))
        if not at_once:
            bench.commit()

    assert [(row.depth, row.name_id) for row in bench.tx.layers.all()] == [(-2, -2), (-1, -1), (1, 1), (2, 2)]


@pytest.mark.parametrize(("start", "number"), [(100, 100), (2, 2), (0, 2), (-5, 2)])
def test_another_start_is_for_what_is_written_from_now_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, start: int, number: int
) -> None:
    monkeypatch.setattr(type(bench.tx.serials), "START", start)

    stored = bench.tx.things.put(bench.package.types.Things(room=1, place=2, shelf=1))

    assert stored.serial == number


def test_a_row_that_stands_at_a_key_keeps_the_number_of_its_identity(bench: Bench) -> None:
    t = bench.package.types

    stored = bench.tx.things.put(t.Things(room=1, place=1, shelf=1, maker=2))

    assert stored.serial == 1
    assert bench.tx.things.put(t.Things(room=1, place=2, shelf=1)).serial == 2
    bench.commit()
    assert [(row.maker, row.serial) for row in bench.tx.by_serial.all()] == [(1, 2), (2, 1)]


def test_a_row_that_goes_to_another_shelf_takes_a_number_of_that(bench: Bench) -> None:
    t = bench.package.types
    bench.tx.things.put(t.Things(room=1, place=2, shelf=2))

    assert bench.tx.things.put(t.Things(room=1, place=1, shelf=2)).serial == 2


def test_a_row_whose_number_another_has_under_its_new_identity_takes_the_next(bench: Bench) -> None:
    t = bench.package.types
    other = bench.tx.things.put(t.Things(room=2, place=1, shelf=1, serial=1, maker=2))

    assert bench.tx.things.put(t.Things(room=1, place=1, shelf=1, maker=2)).serial == 2
    assert bench.tx.things.get(2, 1) == other


def test_only_new_rows_are_those_at_a_key_where_none_stands(bench: Bench) -> None:
    o, t = bench.package.operations, bench.package.types
    again = t.Things(room=1, place=1, shelf=1, maker=9)

    bench.replay(o.AddThings(things=(again, t.Things(room=1, place=2, shelf=1))))

    assert [(row.place, row.maker, row.serial) for row in bench.tx.things.all()] == [(1, 1, 1), (2, 1, 2)]
