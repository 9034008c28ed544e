"""Layouts that would misread each other's bytes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest
from tests.unit.runtime.test_layout import (
    Change,
    Json,
    by_state,
    changed,
    field,
    issues,
    layout,
    marks,
    types,
)

from pillarbox.layout import compare

CONFLICTS: dict[str, tuple[Change, str]] = {
    "another format": (lambda t: t.update(format=2), "the box uses layout format 1, the package 2"),
    "another schema": (
        lambda t: t.update(schema="notes"),
        "the box belongs to schema 'tracker', the package to 'notes'",
    ),
    "another role": (lambda t: by_state(t).update(role="primary"), "was derived and is primary now"),
    "packed becomes record": (
        lambda t: marks(t).update(layout="record"),
        "has layout 'record', the box wrote 'packed'",
    ),
    "clustered becomes heap": (
        lambda t: issues(t).update(storage="heap"),
        "has storage 'heap', the box wrote 'clustered'",
    ),
    "a key part more": (
        lambda t: issues(t)["key"].append({"name": "n", "type": "int8", "desc": False}),
        "has 3 key parts, the box wrote 2",
    ),
    "another type of a key part": (
        lambda t: issues(t)["key"][0].update(type="int64"),
        "key part 'project' of table 'issues' (1) is int64, the box wrote int32",
    ),
    "another direction of a key part": (
        lambda t: issues(t)["key"][0].update(desc=True),
        "key part 'project' of table 'issues' (1) changed its direction",
    ),
    "key parts change places": (lambda t: issues(t)["key"].reverse(), "the box wrote int32"),
    "another type of a field": (
        lambda t: issues(t)["fields"][0].update(type="bytes"),
        "field 'title' (1) of table 'issues' (1) is bytes, the box wrote text",
    ),
    "a field becomes optional": (
        lambda t: issues(t)["fields"][0].update(type="opt<text>"),
        "is opt<text>, the box wrote text",
    ),
    "another type in a list": (
        lambda t: issues(t)["fields"][2].update(type="list<text>"),
        "is text, the box wrote Author",
    ),
    "another value type in a map": (
        lambda t: issues(t)["fields"][4].update(type="map<Place, int8>"),
        "is int8, the box wrote Marks",
    ),
    "a new field without a default": (
        lambda t: issues(t)["fields"].append(field(7, "int32")),
        "is new and has no default for the rows already stored",
    ),
    "a reserved number comes back": (
        lambda t: (issues(t)["fields"].append(field(6, "int32", default=0)), issues(t)["reserved"].clear()),
        "takes a number that the box holds as reserved",
    ),
    "a packed field is reserved": (
        lambda t: (marks(t)["fields"].pop(), marks(t)["reserved"].append(2)),
        "field 'at' (2) of table 'marks' (2) is reserved now, but packed rows cannot skip it",
    ),
    "another default": (
        lambda t: issues(t)["fields"][1].update(default=1),
        "has the default 1, the box left out 0",
    ),
    "a default of a packed field is gone": (
        lambda t: marks(t)["fields"][1].pop("default"),
        "lost its default",
    ),
    "a packed field gains a default": (
        lambda t: marks(t)["fields"][0].update(default=0),
        "has a default now, which moves it in a packed row",
    ),
    "an id over another type": (
        lambda t: types(t)["IssueId"].update(id="int32"),
        "type 'IssueId' stands for int32, the box wrote int64",
    ),
    "an enum over another type": (
        lambda t: types(t)["State"].update(base="int32"),
        "type 'State' is stored as int32, the box wrote uint8",
    ),
    "flags over another type": (
        lambda t: types(t)["Marks"].update(base="uint64"),
        "type 'Marks' is stored as uint64, the box wrote uint32",
    ),
    "a number becomes an enum, which does not take all of them": (
        lambda t: issues(t)["key"][0].update(type="State"),
        "is State, the box wrote int32",
    ),
    "other bits in a packed id": (
        lambda t: types(t)["Place"]["packed"][0].update(bits=6),
        "type 'Place' changed how its parts are packed",
    ),
    "another sign in a packed id": (
        lambda t: types(t)["Place"]["packed"][0].update(type="int8"),
        "part 'shelf' of type 'Place' is int8, the box wrote uint8",
    ),
    "another kind of type": (
        lambda t: types(t).update(Media={"record": [], "reserved": []}),
        "type 'Media' was a union and is a record now",
    ),
}


@pytest.mark.parametrize(("change", "text"), CONFLICTS.values(), ids=CONFLICTS)
def test_what_would_misread_stored_bytes_is_refused_with_the_place_and_the_fact(
    change: Change, text: str
) -> None:
    found = compare(layout(), changed(change))

    assert any(text in reason for reason in found.conflicts)
    assert found.reasons() == found.conflicts
    assert not found.same


def totals(tree: Json) -> Json:
    """The fields of a table whose rows follow steps, which nobody numbers."""
    return tree["tables"].setdefault("4", {**deepcopy(marks(tree)), "role": "kept", "name": "totals"})[
        "fields"
    ]


#: What is numbered by its place alone, and how it is called.
PLACED: dict[str, tuple[Callable[[Json], Json], str, str]] = {
    "key parts": (lambda t: issues(t)["key"], "key part", "table 'issues' (1)"),
    "parts of a packed id": (lambda t: types(t)["Place"]["packed"], "part", "type 'Place'"),
    "fields of a table that is kept": (totals, "field", "table 'totals' (4)"),
}


@pytest.mark.parametrize(("held", "what", "of"), PLACED.values(), ids=PLACED)
def test_what_changes_places_is_no_other_name(held: Callable[[Json], Json], what: str, of: str) -> None:
    before = layout()
    for place, item in enumerate(held(before), 1):
        item.update(deepcopy(held(before)[0]), name=f"n{place}", number=place)
    after = deepcopy(before)
    held(after)[0]["name"], held(after)[1]["name"] = "n2", "n1"

    found = compare(before, after)

    assert found.conflicts == [
        f"{what} 'n2' of {of} is number 1, the box wrote it as number 2",
        f"{what} 'n1' of {of} is number 2, the box wrote it as number 1",
    ]


def test_who_cannot_give_a_field_its_default_is_told_something_else() -> None:
    before = layout()
    after = deepcopy(before)
    totals(before)
    totals(after).append(field(3, "int64"))

    (reason,) = compare(before, after).conflicts

    assert reason.endswith("no default for the rows already stored: give the table another id")


def test_a_box_and_a_package_that_both_moved_on_conflict_and_each_side_is_named() -> None:
    box = changed(lambda t: types(t)["State"]["enum"].update(stuck=2))
    package = changed(lambda t: issues(t)["fields"].append(field(7, "int32", default=0)))

    assert compare(box, package).reasons() == [
        "the box has value 2 of type 'State'",
        "the package has field 'field_7' (7) of table 'issues' (1)",
    ]


def test_a_removed_field_that_is_not_reserved_makes_the_box_newer() -> None:
    found = compare(layout(), changed(lambda t: issues(t)["fields"].pop(0)))

    assert found.lacks == ["field 'title' (1) of table 'issues' (1)"]


def test_a_type_that_holds_itself_is_compared_once() -> None:
    def nest(tree: Json) -> None:
        types(tree)["Author"]["record"].append(field(2, "opt<Author>", default=None))

    old = changed(nest)
    new = deepcopy(old)
    new["types"]["Author"]["record"].append(field(3, "int8", default=0))

    assert compare(old, old).same
    assert compare(old, new).adds == ["field 'field_3' (3) of type 'Author'"]
