"""Each way in which two layouts can differ, and what it means for a box."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from pillarbox.layout import Difference, compare

Json = Any


def layout() -> Json:
    """One table of each role and layout, and a type of each kind."""
    return {"format": 1, "schema": "tracker", "types": _types(), "tables": _tables()}


def _types() -> Json:
    return {
        "IssueId": {"id": "int64"},
        "Place": {
            "packed": [
                {"name": "shelf", "type": "uint8", "bits": 7},
                {"name": "row", "type": "int64", "bits": 56},
            ]
        },
        "State": {"enum": {"open": 0, "closed": 1}, "base": "uint8"},
        "Marks": {"flags": {"locked": 0}, "base": "uint32"},
        "Author": {"record": [{"number": 1, "name": "name", "type": "text"}], "reserved": []},
        "Media": {
            "union": {
                "1": {"name": "Photo", "fields": [{"number": 1, "name": "width", "type": "int32"}]},
                "2": {"name": "Link", "fields": []},
            }
        },
    }


def _tables() -> Json:
    issues_fields = [
        {"number": 1, "name": "title", "type": "text"},
        {"number": 2, "name": "state", "type": "State", "default": 0},
        {"number": 3, "name": "authors", "type": "list<Author>", "default": []},
        {"number": 4, "name": "media", "type": "opt<Media>", "default": None},
        {"number": 5, "name": "seen", "type": "map<Place, Marks>", "default": []},
    ]
    marks_fields = [
        {"number": 1, "name": "marks", "type": "Marks"},
        {"number": 2, "name": "at", "type": "int64", "default": 0},
    ]
    size = {"number": 1, "name": "size", "type": "int32"}
    project, state, issue = _part("project", "int32"), _part("state", "State"), _part("issue_id", "IssueId")
    rule = {"word": "index", "from": 1}
    return {
        "1": _table("issues", "primary", [project, issue], "record", issues_fields, [6], None),
        "2": _table("marks", "primary", [issue], "packed", marks_fields, [], None),
        "3": _table(
            "by_state", "derived", [state, project, issue | {"desc": True}], "packed", [size], [], rule
        ),
    }


def _part(name: str, type_: str) -> Json:
    return {"name": name, "type": type_, "desc": False}


def _table(
    name: str, role: str, key: list[Json], kind: str, fields: list[Json], reserved: list[int], rule: Json
) -> Json:
    return {
        "name": name,
        "role": role,
        "key": deepcopy(key),
        "layout": kind,
        "storage": "clustered",
        "fields": fields,
        "reserved": reserved,
        "rule": rule,
    }


Change = Callable[[Json], object]


def changed(change: Change) -> Json:
    tree = layout()
    change(tree)
    return tree


def issues(tree: Json) -> Json:
    return tree["tables"]["1"]


def marks(tree: Json) -> Json:
    return tree["tables"]["2"]


def by_state(tree: Json) -> Json:
    return tree["tables"]["3"]


def types(tree: Json) -> Json:
    return tree["types"]


def field(number: int, type_: str, **more: Json) -> Json:
    return {"number": number, "name": f"field_{number}", "type": type_, **more}


def test_a_layout_is_the_same_as_itself() -> None:
    assert compare(layout(), layout()) == Difference()
    assert compare(layout(), layout()).same


# -------------------------------------------------------------------------------- no difference at all


def rename_type(tree: Json) -> None:
    types(tree)["Status"] = types(tree).pop("State")
    issues(tree)["fields"][1]["type"] = "Status"
    by_state(tree)["key"][0]["type"] = "Status"


SAME: dict[str, Change] = {
    "a table has another name": lambda t: issues(t).update(name="tickets"),
    "a field has another name": lambda t: issues(t)["fields"][0].update(name="headline"),
    "a key part has another name": lambda t: issues(t)["key"][0].update(name="project_id"),
    "a type has another name": rename_type,
    "an enum value has another name": lambda t: types(t)["State"].update(enum={"new": 0, "done": 1}),
    "a union case has another name": lambda t: types(t)["Media"]["union"]["2"].update(name="Url"),
    "a flag is added": lambda t: types(t)["Marks"]["flags"].update(pinned=1),
    "a part of a packed id has another name": lambda t: types(t)["Place"]["packed"][0].update(name="rack"),
    "an id becomes the number that it stands for": lambda t: issues(t)["key"][1].update(type="int64"),
    "a packed id becomes an int64": lambda t: issues(t)["fields"][4].update(type="map<int64, Marks>"),
    "flags become the number that they stand for": lambda t: marks(t)["fields"][0].update(type="uint32"),
    "a field of a record row gains a default": lambda t: issues(t)["fields"][0].update(default=""),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_what_does_not_change_the_meaning_of_bytes_is_no_difference(change: Change) -> None:
    new = changed(change)

    assert compare(layout(), new) == Difference()


# -------------------------------------------------------------------- the package knows more than the box

ADDS: dict[str, tuple[Change, str]] = {
    "a field with a default": (
        lambda t: issues(t)["fields"].append(field(7, "int32", default=3)),
        "field 'field_7' (7) of table 'issues' (1)",
    ),
    "a field with a default in a packed row": (
        lambda t: marks(t)["fields"].append(field(3, "int32", default=0)),
        "field 'field_3' (3) of table 'marks' (2)",
    ),
    "a field of a record type": (
        lambda t: types(t)["Author"]["record"].append(field(2, "bool", default=False)),
        "field 'field_2' (2) of type 'Author'",
    ),
    "a field of a union case": (
        lambda t: types(t)["Media"]["union"]["1"]["fields"].append(field(2, "opt<int32>", default=None)),
        "field 'field_2' (2) of case 'Photo' of type 'Media'",
    ),
    "an enum value": (lambda t: types(t)["State"]["enum"].update(stuck=2), "value 2 of type 'State'"),
    "a union case": (
        lambda t: types(t)["Media"]["union"].update({"3": {"name": "File", "fields": []}}),
        "case 3 of type 'Media'",
    ),
    "a number that is reserved at once": (
        lambda t: issues(t)["reserved"].append(7),
        "number 7 of table 'issues' (1) as reserved",
    ),
}


@pytest.mark.parametrize(("change", "text"), ADDS.values(), ids=ADDS)
def test_what_is_added_makes_the_box_older_and_the_other_way_round_newer(change: Change, text: str) -> None:
    new = changed(change)

    assert compare(layout(), new) == Difference(adds=[text])
    assert compare(new, layout()) == Difference(lacks=[text])
    assert compare(layout(), new).reasons() == compare(new, layout()).reasons() == []


def test_a_removed_field_that_is_reserved_makes_the_box_older_and_cannot_be_read_by_the_older_package() -> (
    None
):
    def reserve(tree: Json) -> None:
        del issues(tree)["fields"][1]
        issues(tree)["reserved"].append(2)

    new = changed(reserve)

    assert compare(layout(), new).adds == ["field 'state' (2) of table 'issues' (1) as reserved"]
    assert compare(new, layout()).conflicts == [
        "field 'state' (2) of table 'issues' (1) takes a number that the box holds as reserved, since a "
        "newer package has given it up or it was another's"
    ]


def test_a_new_table_is_created() -> None:
    new = changed(lambda t: t["tables"].update({"7": {**issues(t), "name": "notes"}}))

    assert compare(layout(), new) == Difference(adds=["table 'notes' (7)"], create=[7])
    assert compare(new, layout()) == Difference(lacks=["table 'notes' (7)"])


def test_a_new_derived_table_is_created_and_filled() -> None:
    new = changed(lambda t: t["tables"].update({"7": {**by_state(t), "name": "by_size"}}))

    assert compare(layout(), new) == Difference(adds=["table 'by_size' (7)"], create=[7], rebuild=[7])


def test_a_table_that_was_given_up_is_dropped_and_its_number_stays_taken() -> None:
    def give_up(tree: Json) -> None:
        del tree["tables"]["2"]
        tree["reserved"] = [2, 9]

    new = changed(give_up)

    assert compare(layout(), new) == Difference(
        adds=["table 'marks' (2) as reserved", "number 9 of tables as reserved"], drop=[2]
    )
    assert compare(new, new).same
    assert compare(new, layout()).conflicts == [
        "table 'marks' (2) takes a number that the box holds as reserved, since a newer package has given it "
        "up or it was another's"
    ]
    forgotten = changed(lambda tree: tree["tables"].pop("2"))
    assert compare(new, forgotten) == Difference(
        lacks=["number 2 of tables as reserved", "number 9 of tables as reserved"]
    )


# ------------------------------------------------------------------------------------- derived tables

REBUILT: dict[str, Change] = {
    "its rule": lambda t: by_state(t)["rule"].update(when="size > 3"),
    "its fields": lambda t: by_state(t)["fields"].append(field(2, "int64")),
    "its layout, from packed to record": lambda t: by_state(t).update(layout="record"),
    "its storage": lambda t: by_state(t).update(storage="heap"),
    "the direction of a key part": lambda t: by_state(t)["key"][2].update(desc=False),
    "the type of a key part": lambda t: by_state(t)["key"][1].update(type="int64"),
    "the base of an enum that its key holds": lambda t: (
        types(t).update(Narrow={"enum": {"open": 0, "closed": 1}, "base": "int32"}),
        by_state(t)["key"][0].update(type="Narrow"),
    ),
}


@pytest.mark.parametrize("change", REBUILT.values(), ids=REBUILT)
def test_a_derived_table_is_made_anew_when_this_changes(change: Change) -> None:
    new = changed(change)

    assert compare(layout(), new) == Difference(rebuild=[3])
    assert compare(new, layout()) == Difference(rebuild=[3])


def test_an_enum_value_leaves_the_index_over_it_as_it_is() -> None:
    new = changed(lambda t: types(t)["State"]["enum"].update(stuck=2))

    assert compare(layout(), new).rebuild == []


def test_a_newer_box_whose_derived_tables_mean_something_else_is_refused() -> None:
    def grow(tree: Json) -> None:
        types(tree)["State"]["enum"].update(stuck=2)
        by_state(tree)["rule"].update(when="size > 3")

    newer = changed(grow)

    assert compare(layout(), newer).reasons() == []
    assert compare(newer, layout()).reasons() == [
        "the box has value 2 of type 'State'",
        "the package keeps derived table 'by_state' (3) by another rule",
    ]
