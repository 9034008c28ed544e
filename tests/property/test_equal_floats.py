"""Values that are equal and not the same: 0.0 and -0.0.

Law: what is stored does not depend on where transactions end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.bulk import differences
from pillarbox.storage import MemoryEngine
from pillarbox.tables import FollowedTable, Hearing, TouchLog

SCHEMA = """
schema: {name: equal_floats}
tables:
  spots: {id: 1, key: {n: int32}, record: {at: [1, float64], near: [2, list<float64>]}}
  counted:
    id: 2
    key: {n: int32}
    record: {at: [1, float64], rev: {number: 2, type: uint32, default: 0}, code: [3, int32]}
    upsert: [{bump: rev}]
  known: {id: 3, index: {from: counted, unique: identity, key: [code], value: {n: n}}}
  newest: {id: 4, top: {of: spots, group: [], value: {at: at}}}
  shown:
    id: 5
    join: {by: [n], rows: spots, with: {other: "counted([n])"}, row: {at: at, other: other.at}}
  shown_near:
    id: 6
    join: {by: [n], rows: spots, with: {other: "counted([n])"}, row: {near: near, other: other.at}}
operations:
  put_spot: {code: 1, params: {spot: [1, row<spots>]}, steps: [{put: {into: spots, row: spot}}]}
  put_counted: {code: 2, params: {row: [1, row<counted>]}, steps: [{put: {into: counted, row: row}}]}
  move:
    code: 3
    params: {n: [1, int32], at: [2, float64]}
    steps: [{patch: {table: spots, at: n, set: {at: at}}}]
  remove:
    code: 4
    params: {n: [1, int32]}
    steps: [{remove: {from: spots, at: n}}, {remove: {from: counted, at: n}}]
"""

KINDS = ("put_spot", "put_counted", "move", "remove")
ZEROS = st.sampled_from((0.0, -0.0))
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 1), ZEROS, st.booleans()), max_size=8)


@cache
def package() -> Package:
    with TemporaryDirectory() as folder:
        return imported(Path(folder), SCHEMA)


def operation(kind: str, n: int, at: float) -> Any:
    types, operations = package().types, package().operations
    match kind:
        case "put_spot":
            return operations.PutSpot(types.Spots(n, at, (1.0, at)))
        case "put_counted":
            return operations.PutCounted(types.Counted(n=n, at=at, code=n))
        case "move":
            return operations.Move(n, at)
        case _:
            return operations.Remove(n)


def replayed(path: Path, transactions: Sequence[Sequence[Any]]) -> Path:
    with package().box.open_box(path) as box:
        for operations in transactions:
            box.replay(operations)
    return path


@given(steps=STEPS)
@settings(max_examples=40)
def test_what_is_stored_does_not_depend_on_where_transactions_end(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, float, bool]]
) -> None:
    cut: list[list[Any]] = [[]]
    for kind, n, at, ends in steps:
        cut[-1].append(operation(kind, n, at))
        if ends:
            cut.append([])
    folder = tmp_path_factory.mktemp("boxes")
    one = replayed(folder / "one.box", [[made] for made in chain(*cut)])
    other = replayed(folder / "other.box", cut)

    assert differences(package().box.PACKAGE, one, other) == []


@pytest.mark.parametrize(
    "made",
    [
        [("put_spot", 0.0), ("put_counted", 0.0), ("put_counted", -0.0)],
        [("put_counted", -0.0), ("put_spot", 0.0), ("put_counted", 0.0)],
        [("put_counted", 0.0), ("put_spot", 0.0), ("move", -0.0)],
    ],
)
def test_a_derived_row_follows_a_zero_of_the_other_sign(
    tmp_path: Path, made: list[tuple[str, float]]
) -> None:
    operations = [operation(kind, 0, at) for kind, at in made]
    one = replayed(tmp_path / "one.box", [operations])
    each = replayed(tmp_path / "each.box", [[one] for one in operations])

    assert differences(package().box.PACKAGE, one, each) == []
    with package().box.open_box(each) as box, box.reading() as tables:
        last = {kind.removeprefix("put_").replace("move", "spot"): at for kind, at in made}
        assert [repr((row.at, row.other)) for row in tables.shown.all()] == [
            repr((last["spot"], last["counted"]))
        ]
        assert [repr(row.other) for row in tables.shown_near.all()] == [repr(last["counted"])]


def test_a_zero_of_the_other_sign_is_stored(tmp_path: Path) -> None:
    put = [[operation("put_spot", n, at) for n in numbers] for at, numbers in ((0.0, (1, 2)), (-0.0, (2,)))]
    path = replayed(tmp_path / "a.box", put)

    with package().box.open_box(path) as box, box.reading() as tables:
        assert json.dumps([row.at for row in tables.spots.all()]) == "[0.0, -0.0]"


def test_a_zero_of_the_other_sign_is_written_and_heard_where_others_follow() -> None:
    class Followed(FollowedTable[Any]):
        SPEC = next(spec for spec in package().box.PACKAGE.specs if spec.name == "spots")

    log, hearing = TouchLog(), Hearing()
    log.open = True
    table = Followed(MemoryEngine(), log)
    table.followed_by(hearing, ())
    row = package().types.Spots
    table.put_known(1, None, row(1, 0.0, ()))
    table.put_known(1, row(1, 0.0, ()), row(1, -0.0, ()))
    table.put_cell(1, row(1, 0.0, ()))
    table.put_cell(1, row(1, 0.0, ()))

    assert [repr(new and new.at) for _, _, new in hearing.run] == ["0.0", "-0.0", "0.0"]
    assert repr(table.row_at(1)) == repr(row(1, 0.0, ()))
