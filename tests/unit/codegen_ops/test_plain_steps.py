"""What the plain steps do over every kind of type, one operation at a time."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from tests.property.law_machine import SCHEMAS, package_of
from tests.unit.codegen_ops.making import Bench, loaded_schema

from pillarbox.codec import PatchAdd, PatchFlags, PatchSet, PatchUnset, Unknown, bag, patched
from pillarbox.errors import RangeError
from pillarbox.inspect.records import RowCodec, Structs
from pillarbox.inspect.shape import StoredLayout
from pillarbox.inspect.values import Values
from pillarbox_codegen.plan.layout import layout_tree


@pytest.fixture
def bench() -> Bench:
    return Bench(package_of("types"))


def types() -> Any:
    return package_of("types").types


def op(name: str, **params: Any) -> Any:
    return getattr(package_of("types").operations, name)(**params)


def parcel(number: int = 1, **fields: Any) -> Any:
    given = {"depot": 1, "number": number, "content": types().Nothing(), **fields}
    return types().Parcels(**given)


def told(bench: Bench) -> list[int]:
    """The versions in the events so far."""
    return [event.version for event in bench.tx._events]


def handled(bench: Bench, **params: Any) -> list[int]:
    given = {"depot": 1, "number": 1, "contents": (), "state": None, "mark": 0, **params}
    before = len(told(bench))
    bench.replay(op("Handle", **given))
    return told(bench)[before:]


# --------------------------------------------------------------------------------------------- match


def test_the_branch_of_the_case_is_taken(bench: Bench) -> None:
    crate = types().Crate(weight=4, label="x")
    letter = types().Letter(words="hello")

    versions = handled(bench, contents=(letter, crate, types().Nothing()))

    assert versions[0] == 1
    assert bench.tx.parcels.get(1, 1).label == "hello"


def test_a_require_in_a_branch_ends_the_operation(bench: Bench) -> None:
    assert handled(bench, contents=(types().Crate(weight=4),)) == []


def test_a_case_that_only_a_newer_package_knows_does_nothing(bench: Bench) -> None:
    assert handled(bench, contents=(Unknown(77, b"\x91\x4d"),)) == [3, 8, 9]


@pytest.mark.parametrize(("state", "expected"), [("FRESH", 2), (None, 3), ("SORTED", 4), ("SENT", 4)])
def test_values_of_an_enum_none_and_others_have_their_branches(
    bench: Bench, state: str | None, expected: int
) -> None:
    value = None if state is None else types().State[state]

    assert handled(bench, state=value)[0] == expected


@pytest.mark.parametrize(("mark", "label"), [(2, "heavy"), (0, None), (3, None), (4, None)])
def test_a_flag_alone_takes_its_branch(bench: Bench, mark: int, label: str | None) -> None:
    bench.tx.parcels.put(parcel())

    handled(bench, mark=mark)

    assert bench.tx.parcels.get(1, 1).label == label


@pytest.mark.parametrize(("content", "expected"), [("Crate", 5), ("Animal", 6), ("Nothing", 7), (None, 8)])
def test_a_row_that_is_looked_up_is_matched(bench: Bench, content: str | None, expected: int) -> None:
    made: dict[str, dict[str, Any]] = {"Crate": {"weight": 1}, "Animal": {"name": "a"}, "Nothing": {}}
    if content is not None:
        bench.tx.parcels.put(parcel(content=getattr(types(), content)(**made[content])))

    assert expected in handled(bench)


# ----------------------------------------------------------------------------------- rows and ranges


def trip(leaves: int, number: int = 0, **fields: Any) -> Any:
    return types().Trips(depot=1, leaves=leaves, number=number, **fields)


def cancel(**params: Any) -> Any:
    given = {"trips": (), "one": types().TripId(depot=1, number=9), "rows": (), "drivers": (), "until": -1}
    return op("CancelTrips", **(given | params))


def test_rows_are_removed_and_changed_by_their_identity(bench: Bench) -> None:
    for leaves in (5, 6, 7):
        bench.tx.trips.put(trip(leaves, driver="d"))

    bench.replay(cancel(trips=(types().TripId(depot=1, number=2),), one=types().TripId(depot=1, number=3)))

    assert [(row.number, row.driver) for row in bench.tx.trips.all()] == [(1, "d"), (3, None)]
    assert told(bench)[0] == 3


def test_an_index_row_names_its_source_row(bench: Bench) -> None:
    bench.tx.trips.put(trip(5, loads=(types().Crate(weight=3), types().Nothing())))
    (row,) = bench.tx.trip_ids.all()

    bench.replay(cancel(one=types().TripId(depot=1, number=1), rows=(row,)))

    assert bench.tx.trips.all() == []


def test_a_closed_range_goes_with_both_its_ends(bench: Bench) -> None:
    for leaves in (-1, 0, 3, 4):
        bench.tx.trips.put(trip(leaves))
    for driver in (4, 5, 6, 7):
        bench.tx.drivers.put(types().Drivers(id=driver, name=""))

    bench.replay(cancel(one=types().TripId(depot=1, number=8), until=6, drivers=(7,)))

    assert [row.leaves for row in bench.tx.trips.all()] == [-1]
    assert [row.id for row in bench.tx.drivers.all()] == [4]


def test_the_ends_of_a_prefix_and_what_is_near_are_found(bench: Bench) -> None:
    driver = types().Drivers(id=3, name="before")
    bench.tx.drivers.put(driver)
    for leaves in (2, 4, 6):
        bench.tx.trips.put(trip(leaves, driver="d", loads=(types().Nothing(),) * leaves))

    bench.replay(op("Survey", parcels=(), depot=1, number=4, text="", marks=0))

    assert told(bench) == [7]
    assert bench.tx.trips.last_row(b"").leaves == 6
    assert bench.tx.trips.first_row(b"").leaves == 2


def test_spans_give_the_least_and_the_greatest_of_each_group(bench: Bench) -> None:
    sent = types().State.SENT
    opened = (types().Opened(at=40, by="x"),)
    parcels = (parcel(3, state=sent), parcel(8, state=sent), parcel(1), parcel(2, notes=opened, label="l"))

    bench.replay(op("Survey", parcels=parcels, depot=1, number=1, text="", marks=0))

    assert told(bench)[0] == 5
    assert bench.tx.drivers.get(40).name == "xl"


def test_flags_are_added_and_taken_away(bench: Bench) -> None:
    bench.tx.parcels.put(parcel())

    bench.replay(op("Survey", parcels=(), depot=1, number=1, text="", marks=5))

    assert bench.tx.parcels.get(1, 1).marks == 3


def test_a_row_that_moves_keeps_what_it_is_to_keep(bench: Bench) -> None:
    number = bench.tx.trips.put(trip(5, driver="d")).number

    put = bench.tx.trips.put_was(trip(6, number))

    assert put.was == trip(5, number, driver="d")
    assert bench.tx.trips.all() == [trip(6, number, driver="d")]


def test_a_facet_is_part_of_the_rules_that_ask_it(tmp_path: Path) -> None:
    text = (SCHEMAS / "types/schema.yaml").read_text()
    assert "Animal: feed_at" in text

    before = layout_tree(loaded_schema(tmp_path / "a", text))["tables"]
    after = layout_tree(loaded_schema(tmp_path / "b", text.replace("Animal: feed_at", "Crate: weight")))[
        "tables"
    ]

    changed = {before[number]["name"] for number in before if before[number] != after[number]}
    assert changed == {"due"}


# --------------------------------------------------------------------------------------------- types


def test_what_is_no_bag_is_refused_and_a_bag_is_made_in_order(bench: Bench) -> None:
    opened, weighed = types().Opened(at=1), types().Weighed(grams=2)

    bench.tx.parcels.put(parcel(notes=bag(opened, weighed)))

    assert bench.tx.parcels.get(1, 1).notes == (weighed, opened)
    with pytest.raises(RangeError, match=r"parcels\.notes"):
        bench.tx.parcels.put(parcel(notes=(opened, weighed)))
    with pytest.raises(RangeError, match="one value of each case"):
        bag(weighed, types().Weighed(grams=3))


def test_indexes_follow_facets_cases_and_bags(bench: Bench) -> None:
    bench.tx.parcels.put(parcel(1, content=types().Letter(words="hi", pages=2)))
    bench.tx.parcels.put(parcel(2, content=types().Animal(name="b", feed_at=7)))
    bench.tx.parcels.put(
        parcel(3, notes=bag(types().Opened(at=5), types().ReturnedTo(place="p", until=6)),
               gift=types().Crate(weight=1, label="g"))
    )  # fmt: skip
    tx = bench.tx

    assert [(row.title, row.number) for row in tx.by_title.all()] == [("hi", 1)]
    assert [(row.due, row.number) for row in tx.due.all()] == [(7, 2)]
    assert [row.words for row in tx.letters.all()] == ["hi"]
    assert [row.at for row in tx.times.all()] == [5, 6]
    assert [(row.at, row.by, row.grams) for row in tx.openings.all()] == [(5, None, None)]
    assert [row.label for row in tx.gifts.all()] == ["g"]


def test_values_of_a_newer_package_answer_facets_with_nothing(bench: Bench) -> None:
    bench.tx.parcels.put(parcel(content=Unknown(77, b"\x91\x4d"), notes=(Unknown(9, b"\x91\x09"),)))

    row = bench.tx.parcels.get(1, 1)

    assert row.title == "!"
    assert bench.tx.times.all() == bench.tx.due.all() == []


def test_a_counter_of_writes_starts_again_behind_its_greatest(bench: Bench) -> None:
    bench.tx.parcels.put(parcel(version=2**32 - 1))

    bench.tx.parcels.put(parcel(label="x"))

    assert bench.tx.parcels.get(1, 1).version == 0


def test_patches_are_plain_data() -> None:
    t = types()
    patch = t.PatchParcels(label=PatchSet("x"), seen=PatchAdd(2), gift=PatchUnset())
    row = parcel(seen=1, gift=t.Nothing())

    again = pickle.loads(pickle.dumps(patch))

    assert again == patch
    assert patched(row, patch) == parcel(seen=3, label="x")
    assert patched(row, t.PatchParcels()) is row


def test_patches_are_made_in_expressions_and_kept_in_rows(bench: Bench) -> None:
    bench.replay(op("Plan", depot=1, label="a", seen=5, state=None, weight=2))

    (plan,) = bench.tx.plans.all()

    assert plan.changes.state is None
    assert patched(parcel(marks=4, seen=9), plan.changes) == parcel(marks=2, seen=9, label="a", version=2)


def test_tools_read_bags_and_patches_by_the_layout_alone(bench: Bench) -> None:
    t = types()
    changes = t.PatchParcels(label=PatchSet("x"), marks=PatchFlags(2, 4), gift=PatchSet(None))
    bench.tx.plans.put(t.Plans(depot=1, changes=changes))
    bench.tx.parcels.put(parcel(notes=bag(t.Opened(at=1), t.Weighed(grams=2))))
    bench.commit()
    layout = StoredLayout(json.loads(package_of("types").layout.LAYOUT))

    plan, row = (shown(bench, layout, table) for table in (8, 1))

    assert {name: change for name, change in plan["changes"].items() if change is not None} == {
        "label": {"Set": {"value": "x"}},
        "marks": {"Flags": {"set": ["heavy"], "clear": ["late"]}},
        "gift": {"Set": {"value": None}},
    }
    assert row["notes"] == [{"Weighed": {"grams": 2, "again": False}}, {"Opened": {"at": 1, "by": None}}]


def shown(bench: Bench, layout: StoredLayout, number: int) -> dict[str, Any]:
    """The lone row of a table as tools show it."""
    table = layout.tables[number]
    ((key, value),) = bench.engine.scan(table.stored, None, None)
    spec = next(spec for spec in bench.package.specs.ALL if spec.id == number)
    codec = RowCodec(layout, table, Structs(layout, strict=True), strict=True)
    found = codec.decode(tuple(spec.key_fields(key)), value)
    values = Values(layout)
    return {
        field.name: values.shown(field.type, one)
        for field, one in zip(table.record.fields, found, strict=True)
    }
