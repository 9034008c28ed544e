"""`compare` held against an independent reading of layouts, over random chains of changes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD

from pillarbox import layout as subject
from pillarbox.layout import compare
from pillarbox.layout_types import split

Json: TypeAlias = Any
#: Changes a layout in place; the number says which of the possible places.
Change: TypeAlias = Callable[[Json, int], object]


def _table(role: str, layout: str, key: list[str], fields: list[Json]) -> Json:
    return {
        "name": "some",
        "role": role,
        "key": [{"name": f"k{at}", "type": type_, "desc": at == 1} for at, type_ in enumerate(key)],
        "layout": layout,
        "storage": "clustered",
        "fields": [
            {"number": number, "name": f"f{number}", "type": type_, **more}
            for number, (type_, more) in enumerate(fields, 1)
        ],
        "reserved": [],
        "rule": {"word": "index", "from": 1} if role == "derived" else None,
    }


#: Every kind of type and table, and every way of nesting one in another.
BASE: Json = {
    "format": 1,
    "schema": "tracker",
    "types": {
        "Id": {"id": "int64"},
        "State": {"enum": {"a": 0, "b": 1}, "base": "int32"},
        "Marks": {"flags": {"x": 0}, "base": "int32"},
        "Place": {
            "packed": [
                {"name": "p", "type": "uint8", "bits": 7},
                {"name": "q", "type": "int64", "bits": 56},
            ]
        },
        "Note": {"record": [{"number": 1, "name": "n", "type": "Id"}], "reserved": []},
        "Media": {
            "union": {
                "1": {"name": "One", "fields": [{"number": 1, "name": "note", "type": "opt<Note>"}]},
                "2": {"name": "Two", "fields": []},
            }
        },
    },
    "tables": {
        "1": _table("primary", "record", ["int32", "Id"], [("list<Note>", {}), ("map<State, Media>", {})]),
        "2": _table("primary", "packed", ["Place"], [("Marks", {}), ("int64", {"default": 0})]),
        "3": _table("derived", "packed", ["State", "Id"], [("int64", {})]),
        "4": _table("sequence", "packed", ["int64"], [("int32", {})]),
        "5": _table(
            "cursor", "packed", ["Id"], [("int64", {"kind": "counter"}), ("int64", {"kind": "stamp"})]
        ),
    },
}


# --------------------------------------------------------------------------------------- the oracle


def meaning(tree: Json) -> Json:
    """A layout without its names: equal exactly when two layouts read the same bytes alike."""

    def of_type(text: str) -> Json:
        head, _, inner = text.partition("<")
        if inner:
            return (head, *[of_type(part) for part in inner[:-1].split(", ")])
        named = tree["types"].get(head)
        if named is None:
            return head
        if "id" in named:
            return named["id"]
        if "flags" in named:
            return named["base"]
        if "enum" in named:
            return ("enum", named["base"], sorted(named["enum"].values()))
        if "packed" in named:
            return "int64"
        if "record" in named:
            return ("record", of_fields(named["record"]), sorted(named["reserved"]))
        return ("union", {number: of_fields(case["fields"]) for number, case in named["union"].items()})

    def of_fields(items: Json) -> Json:
        return {
            item["number"]: (of_type(item["type"]), item.get("default", "none"), item.get("kind") == "stamp")
            for item in items
        }

    return {
        number: (
            table["role"],
            [(of_type(part["type"]), part["desc"]) for part in table["key"]],
            table["layout"],
            table["storage"],
            of_fields(table["fields"]),
            sorted(table["reserved"]),
            table["rule"],
        )
        for number, table in tree["tables"].items()
    }


# ------------------------------------------------------------------------------------------- changes


def _pick(items: Json, which: int) -> Json:
    return list(items)[which % len(items)]


def _stored(tree: Json) -> list[Json]:
    return [table for table in tree["tables"].values() if table["role"] != "derived"]


def _field_lists(tree: Json) -> list[Json]:
    cases = tree["types"]["Media"]["union"].values()
    return [
        tree["types"]["Note"]["record"],
        *(case["fields"] for case in cases),
        *(table["fields"] for table in _stored(tree)),
    ]


def _unused(items: Json, reserved: Json = ()) -> int:
    numbers: list[int] = [0, *reserved, *(item["number"] for item in items)]
    return max(numbers) + 1


def add_field(tree: Json, which: int) -> None:
    table = _pick(_stored(tree), which)
    number = _unused(table["fields"], table["reserved"])
    table["fields"].append({"number": number, "name": "new", "type": "int32", "default": 0})


def add_nested_field(tree: Json, which: int) -> None:
    items = _pick(_field_lists(tree)[:3], which)
    items.append({"number": _unused(items), "name": "new", "type": "int32", "default": 0})


def add_enum_value(tree: Json, which: int) -> None:
    values = tree["types"]["State"]["enum"]
    values[f"new{len(values)}"] = len(values)


def add_union_case(tree: Json, which: int) -> None:
    cases = tree["types"]["Media"]["union"]
    cases[str(len(cases) + 1)] = {"name": "New", "fields": []}


def add_table(tree: Json, which: int) -> None:
    tree["tables"][str(len(tree["tables"]) + 1)] = deepcopy(_pick(tree["tables"].values(), which))


def reserve_number(tree: Json, which: int) -> None:
    table = _pick(_stored(tree), which)
    table["reserved"].append(_unused(table["fields"], table["reserved"]))


GROWTH: tuple[Change, ...] = (
    add_field,
    add_nested_field,
    add_enum_value,
    add_union_case,
    add_table,
    reserve_number,
)


def rename_everything(tree: Json, which: int) -> None:
    for table in tree["tables"].values():
        table["name"] += "_"
        for item in (*table["key"], *table["fields"]):
            item["name"] += "_"
    values = tree["types"]["State"]["enum"]
    tree["types"]["State"]["enum"] = {f"{name}_": value for name, value in values.items()}


def id_as_number(tree: Json, which: int) -> None:
    for table in tree["tables"].values():
        for item in (*table["key"], *table["fields"]):
            item["type"] = "int64" if item["type"] == "Id" else item["type"]


def add_flag(tree: Json, which: int) -> None:
    flags = tree["types"]["Marks"]["flags"]
    flags[f"new{len(flags)}"] = len(flags)


def a_counter_without_gaps(tree: Json, which: int) -> None:
    tree["tables"]["5"]["fields"][0]["kind"] = "watermark"


HARMLESS: tuple[Change, ...] = (rename_everything, id_as_number, add_flag, a_counter_without_gaps)


def another_part_type(tree: Json, which: int) -> None:
    _pick(_pick(tree["tables"].values(), which)["key"], which // 7)["type"] = "int8"


def another_direction(tree: Json, which: int) -> None:
    part = _pick(_pick(tree["tables"].values(), which)["key"], which // 7)
    part["desc"] = not part["desc"]


def a_part_more(tree: Json, which: int) -> None:
    _pick(tree["tables"].values(), which)["key"].append({"name": "more", "type": "int8", "desc": False})


def another_storage(tree: Json, which: int) -> None:
    _pick(tree["tables"].values(), which)["storage"] = "heap"


def another_layout(tree: Json, which: int) -> None:
    table = _pick(tree["tables"].values(), which)
    table["layout"] = "record" if table["layout"] == "packed" else "packed"


def another_field_type(tree: Json, which: int) -> None:
    _pick(_pick(tree["tables"].values(), which)["fields"], which // 7)["type"] = "bool"


def another_nested_type(tree: Json, which: int) -> None:
    tree["types"]["Note"]["record"][0]["type"] = _pick(("int32", "text", "State", "list<Id>"), which)


def another_base(tree: Json, which: int) -> None:
    tree["types"][_pick(("State", "Marks"), which)]["base"] = "int16"


def another_default(tree: Json, which: int) -> None:
    tree["tables"]["2"]["fields"][1]["default"] = 1


def a_number_as_enum(tree: Json, which: int) -> None:
    tree["tables"]["4"]["fields"][0]["type"] = "State"


def another_kind(tree: Json, which: int) -> None:
    tree["tables"]["5"]["fields"][1]["kind"] = _pick(("counter", "watermark"), which)


BREAKING: tuple[Change, ...] = (
    another_part_type,
    another_direction,
    a_part_more,
    another_storage,
    another_layout,
    another_field_type,
    another_nested_type,
    another_base,
    another_default,
    a_number_as_enum,
    another_kind,
)

places = st.integers(0, 60)


def chains(changes: tuple[Change, ...], *, at_least: int = 0) -> st.SearchStrategy[Json]:
    """The base layout after some changes, of which each kind may come more than once."""

    def changed(steps: list[tuple[Change, int]]) -> Json:
        tree = deepcopy(BASE)
        for change, which in steps:
            change(tree, which)
        return tree

    steps = st.tuples(st.sampled_from(changes), places)
    return st.lists(steps, min_size=at_least, max_size=at_least + 3).map(changed)


# ----------------------------------------------------------------------------------------------- laws


def check_same(one: Json, other: Json) -> None:
    assert compare(one, other).same == (meaning(one) == meaning(other))


def check_break(old: Json, change: Change, which: int) -> None:
    new = deepcopy(old)
    change(new, which)
    touched = {number for number, table in meaning(new).items() if table != meaning(old)[number]}
    derived = {number for number in touched if new["tables"][number]["role"] == "derived"}

    found = compare(old, new)

    assert bool(found.conflicts) == bool(touched - derived)
    assert {str(number) for number in found.rebuild} >= derived
    assert found.reasons() == found.conflicts
    assert (found.adds, found.lacks, found.create) == ([], [], [])


@given(chains((*GROWTH, *HARMLESS, *BREAKING)), chains((*HARMLESS, another_default, a_number_as_enum)))
def test_two_layouts_are_the_same_exactly_if_they_mean_the_same(one: Json, other: Json) -> None:
    check_same(one, other)


@given(chains(GROWTH), chains(GROWTH))
def test_two_that_grew_apart_are_the_same_exactly_if_they_mean_the_same(one: Json, other: Json) -> None:
    check_same(one, other)


@given(chains((*GROWTH, *HARMLESS)), st.lists(st.tuples(st.sampled_from(GROWTH), places), min_size=1))
def test_growth_makes_a_box_older_and_never_refuses_it(old: Json, steps: list[tuple[Change, int]]) -> None:
    new = deepcopy(old)
    for step, which in steps:
        step(new, which)

    upgrade, back = compare(old, new), compare(new, old)

    assert upgrade.reasons() == back.reasons() == []
    assert upgrade.adds
    assert back.lacks
    assert (upgrade.lacks, back.adds, back.create, back.rebuild) == ([], [], [], [])
    added = new["tables"].keys() - old["tables"].keys()
    assert {str(number) for number in upgrade.create} == added
    assert {str(number) for number in upgrade.rebuild} == {
        number for number in added if new["tables"][number]["role"] == "derived"
    }


@given(chains(HARMLESS), st.sampled_from(BREAKING), places)
def test_a_change_of_what_bytes_mean_is_a_conflict_or_rebuilds_what_is_derived(
    old: Json, change: Change, which: int
) -> None:
    check_break(old, change, which)


def texts(parts: st.SearchStrategy[tuple[str, list[Any]]]) -> st.SearchStrategy[tuple[str, list[Any]]]:
    return st.tuples(st.sampled_from(["list", "opt", "map"]), st.lists(parts, min_size=1, max_size=2))


def joined(type_: tuple[str, list[Any]]) -> str:
    head, arguments = type_
    return f"{head}<{','.join(map(joined, arguments))}>" if arguments else head


def taken_apart(text: str) -> tuple[str, list[Any]]:
    head, arguments = split(text)
    return head, [taken_apart(argument) for argument in arguments]


@given(st.recursive(st.tuples(st.sampled_from(["int32", "Note"]), st.just([])), texts))
def test_a_type_is_taken_apart_into_what_it_was_made_of(type_: tuple[str, list[Any]]) -> None:
    assert taken_apart(joined(type_)) == type_


# -------------------------------------------------------------------------------------- planted faults

FAULTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "defaults are not compared": lambda patch: patch.setattr(
        subject._Comparison, "_default", lambda *args, **options: None
    ),
    "kinds are not compared": lambda patch: patch.setattr(subject._Comparison, "_kind", lambda *args: None),
    "types are not compared": lambda patch: patch.setattr(subject._Comparison, "type", lambda *args: None),
    "keys are not compared": lambda patch: patch.setattr(subject._Comparison, "_key", lambda *args: None),
    "rules and directions of derived tables are not compared": lambda patch: patch.setattr(
        subject, "_essence", lambda table: ()
    ),
    "an id is not what it stands for": lambda patch: patch.setattr(
        subject, "base_of", lambda head, named: head
    ),
    "the base of an enum is not compared": lambda patch: patch.setattr(
        subject._Comparison, "_same_base", lambda *args: None
    ),
    "enum values and union cases are not compared": lambda patch: patch.setattr(
        subject._Comparison, "_numbers", lambda *args: None
    ),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_planted_faults_are_found(fault: Callable[[pytest.MonkeyPatch], None]) -> None:
    @HARD
    @given(chains((*GROWTH, *HARMLESS)), chains((*GROWTH, *HARMLESS)), st.sampled_from(BREAKING), places)
    def laws(one: Json, other: Json, change: Change, which: int) -> None:
        check_same(one, other)
        check_break(one, change, which)

    with pytest.MonkeyPatch.context() as patch:
        fault(patch)
        with pytest.raises(AssertionError):
            laws()
