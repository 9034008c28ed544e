"""Names that generated code uses itself, and docs that try to be code."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.unit.codegen_ops.hostile import TEXT
from tests.unit.codegen_ops.making import Bench, Package, imported, ruff

from pillarbox.sync import Around


@cache
def folder() -> Path:
    return Path(mkdtemp())


@cache
def hostile() -> Package:
    return imported(folder(), TEXT)


def test_the_package_does_what_its_schema_says() -> None:
    bench, operations, types = Bench(hostile()), hostile().operations, hostile().types
    row = types.Operation(operation=5, list=1, str_="s")

    bench.replay(
        operations.Replay_(tx=1, operation=5, replace=(), len=(), row=row, print="p", bytes_=(b"b",))
    )
    bench.replay(operations.Prefetch_())

    assert [stored.str_ for stored in bench.tx.operation.all()] == ["p"]
    assert bench.tx.settle_.get(1).parts == 3
    assert [(stored.part.bytes_, stored.part.type) for stored in bench.tx.tx.all()] == [(b"b", None)]


def test_a_text_of_a_schema_stays_a_text() -> None:
    bench, operations = Bench(hostile()), hostile().operations

    bench.replay(operations.Replay_(tx=1, operation=5, replace=(), len=(), row=None, print="p", bytes_=()))

    (event,) = bench.tx._events
    assert event.accept_ == 'p""" {{ x }} \\ p'


def test_a_type_checker_does_not_take_a_field_for_a_class() -> None:
    hostile()

    text = (folder() / "generated/pillarbox_hostile/views.py").read_text()

    assert text.count("        @builtins.property\n        def __snapshot__(self) -> builtins.type[") == 1


def test_an_update_does_not_hide_the_lists_that_updates_give() -> None:
    emit = hostile().updates.Emit

    assert not hasattr(emit, "list")
    assert [*emit(Around()).list_(hostile().updates.List(list=(1,)))] == []


def test_a_linter_finds_nothing() -> None:
    # Where the package stands is no part of it: which imports are whose cannot be told from there.
    assert hostile().box is not None
    assert ruff(folder(), "check", "--ignore", "I001") == ""


def test_a_formatter_changes_nothing() -> None:
    assert hostile().box is not None
    assert ruff(folder(), "format", "--check") == ""


OWNERS = """
schema: {name: named_as_a_word}
tables:
  owners: {id: 1, key: {n: int32}, record: {name: [1, text]}}
  marks: {id: 2, key: {n: int32, m: int32}, record: {}, owned: {by: owners, key: [n], orphans: skip}}
operations:
  own: {code: 1, params: {row: [1, row<owners>]}, steps: [{put: {into: owners, row: row}}]}
  mark: {code: 2, params: {row: [1, row<marks>]}, steps: [{put: {into: marks, row: row}}]}
"""


def test_a_table_may_be_called_as_a_class_of_the_module_that_its_neighbours_stand_on(tmp_path: Path) -> None:
    package = imported(tmp_path, OWNERS)
    bench, operations, types = Bench(package), package.operations, package.types

    bench.replay(operations.Mark(types.Marks(1, 1)))
    bench.replay(operations.Own(types.Owners(1, "Ada")))
    bench.replay(operations.Mark(types.Marks(1, 2)))

    assert [(row.n, row.m) for row in bench.tx.marks.all()] == [(1, 2)]


CALLED_AS_FUNCTIONS = """
schema: {name: called_as_functions}
sequences:
  tags: {id: 3, per: {}, type: int32, intern: text}
tables:
  flights:
    id: 1
    key: {flight: int32}
    record:
      crew: [1, list<int32>]
      name: [2, text]
      first: {number: 3, type: opt<int32>, fill: first(crew)}
      last: {number: 4, type: opt<int32>, fill: last(crew)}
      len: {number: 5, type: int32, fill: size(crew)}
      min: {number: 6, type: int32, fill: "min(flight, 3)"}
      max: {number: 7, type: int32, fill: "max(flight, 3)"}
      tags_key: {number: 8, type: int32, fill: tags(name)}
  rows: {id: 5, key: {flight: int32}, record: {crew: [1, list<int32>]}}
  least: {id: 2, index: {from: rows, each: {min: crew}, key: [{least: "min(min, 3)"}, min, flight]}}
  lengths: {id: 4, count: {from: rows, group: [flight], each: {len: crew}, sum: {long: size(crew)}}}
"""


def test_what_follows_from_a_row_may_be_called_as_a_function_that_it_uses(tmp_path: Path) -> None:
    package = imported(tmp_path, CALLED_AS_FUNCTIONS)
    bench, types = Bench(package), package.types

    bench.tx.flights.put(types.Flights(flight=4, crew=(5, 2), name="late"))
    bench.tx.rows.put(types.Rows(flight=4, crew=(5, 2)))
    bench.commit()

    (row,) = bench.tx.flights.all()
    assert (row.first, row.last, row.len, row.min, row.max, row.tags_key) == (5, 2, 2, 3, 4, 1)
    assert [(row.least, row.min) for row in bench.tx.least.all()] == [(2, 2), (3, 5)]
    assert [row.long for row in bench.tx.lengths.all()] == [4]
