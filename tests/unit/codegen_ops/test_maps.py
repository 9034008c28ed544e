"""Maps are stored sorted, each key once; whatever else is given is refused when it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Bench, imported

from pillarbox.codec import check_map
from pillarbox.errors import RangeError

SCHEMA = """
schema: {name: mapped_things}
types:
  Colour: {enum: {red: 0, blue: 1}}
  Note: {union: {Plain: [1, {text: [1, text]}], Counted: [2, {votes: [1, "map<text, int32>"]}]}}
tables:
  things:
    id: 50
    key: {id: int64}
    record:
      names: [1, "map<text, text>"]
      maybe: [2, "opt<map<int64, text>>"]
      nested: [3, "map<bytes, map<Colour, text>>"]
      notes: [4, list<Note>]
"""

NAMED_ALIKE = """
schema: {name: alike_named}
types:
  Piece: {union: {Part: [1, {size: [1, int32]}]}}
  Bag: {record: {parts: [1, bag<Piece>]}}
tables:
  map: {id: 50, key: {id: int64}, record: {bag: [1, opt<Bag>], names: [2, "map<text, int32>"]}}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return imported(Path(tmp_path_factory.mktemp("maps")), SCHEMA)


def test_sorted_maps_are_stored_as_they_are(package: Any) -> None:
    bench, t = Bench(package), package.types
    colours = ((t.Colour.RED, "r"), (t.Colour.BLUE, "b"))
    row = t.Things(
        id=1, names=(("", "x"), ("a", "z"), ("b", "a")), maybe=((-1, "b"), (3, "a")),
        nested=((b"k", ()), (b"kk", colours)),
        notes=(t.Plain(text="p"), t.Counted(votes=(("a", 2), ("b", 1)))),
    )  # fmt: skip

    bench.tx.things.put(row)
    bench.tx.things.put(t.Things(id=2, maybe=None))

    assert bench.tx.things.get(1) == row


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("things.names", lambda t: {"names": (("b", "x"), ("a", "y"))}),
        ("things.names", lambda t: {"names": (("a", "x"), ("a", "y"))}),
        ("things.maybe", lambda t: {"maybe": ((3, "x"), (-1, "y"))}),
        ("things.nested", lambda t: {"nested": ((b"b", ()), (b"a", ()))}),
        ("things.nested", lambda t: {"nested": ((b"a", ((t.Colour.BLUE, ""), (t.Colour.RED, ""))),)}),
        ("Counted.votes", lambda t: {"notes": (t.Counted(votes=(("a", 1), ("a", 1))),)}),
    ],
)
def test_what_is_no_map_is_refused(package: Any, place: str, fields: Any) -> None:
    bench, t = Bench(package), package.types

    with pytest.raises(RangeError, match=rf"{place} .*pairs by their keys, each key once"):
        bench.tx.things.put(t.Things(id=1, **fields(t)))

    assert bench.tx.things.get(1) is None


def test_tables_and_types_may_be_called_as_what_is_checked(tmp_path: Path) -> None:
    package = imported(tmp_path, NAMED_ALIKE)
    bench, t = Bench(package), package.types
    chart = t.Map(id=1, bag=t.Bag(parts=(t.Part(size=1),)), names=(("a", 1), ("b", 2)))

    bench.tx.map.put(chart)

    assert bench.tx.map.get(1) == chart
    with pytest.raises(RangeError, match=r"map\.names"):
        bench.tx.map.put(t.Map(id=1, names=(("b", 1), ("a", 2))))
    with pytest.raises(RangeError, match=r"Bag\.parts"):
        bench.tx.map.put(t.Map(id=1, bag=t.Bag(parts=(t.Part(size=1), t.Part(size=2)))))


def test_short_maps_are_always_in_order() -> None:
    check_map((), "x")
    check_map(((1, "a"),), "x")
