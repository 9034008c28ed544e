"""A schema changes, boxes stay: what was written under one version of a package, met by another.

Both versions have one name, so each works in a process of its own (`visit.py`), with its folder first on the
path. The schema is a copy of the tracker's in a temporary folder, the changes are in `changes.py`.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.evolution.changes import (
    CONFLICTS,
    GIVEN_UP,
    NEW_DERIVED,
    NEW_ENUM_VALUE,
    NEW_FIELDS,
    NEW_RULE,
    NEW_TABLES,
    NEW_UNIQUE,
    NEW_VIEW,
    RESERVED,
    UNCHANGED,
    WELCOME,
    Change,
    Conflict,
)
from tests.evolution.conftest import House, Told, generated
from tests.type_checker import type_errors

# ------------------------------------------------------------------------------------------------- welcome


@pytest.mark.parametrize("change", [*WELCOME, RESERVED], ids=lambda change: change.name)
def test_a_box_written_before_a_change_opens_after_it_with_every_row(house: House, change: Change) -> None:
    after = house.visit(change, "more")
    again = house.visit(change)

    assert after["opened"] == ("same" if change is NEW_VIEW else "upgraded")
    assert again["opened"] == "same"
    for table, rows in house.filled["rows"].items():
        assert_alike(rows, after["before"][table])
    assert again["rows"] == after["rows"] != after["before"]
    assert not [told for rows in again["rows"].values() for told in rows if isinstance(told, str)]


def assert_alike(one: Any, other: Any) -> None:
    """Two versions see the same, but for the fields that only one of them has."""
    if isinstance(one, dict):
        assert one.keys() <= other.keys() or other.keys() <= one.keys()
        for name in one.keys() & other.keys():
            assert_alike(one[name], other[name])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for item, counterpart in zip(one, other, strict=True):
            assert_alike(item, counterpart)
    else:
        assert one == other


def test_a_new_field_has_its_default_in_rows_of_any_layout(house: House) -> None:
    rows = house.visit(NEW_FIELDS)["rows"]

    assert {row["stage"] for row in rows["projects"]} == {3}
    assert {row["icon"] for row in rows["labels"]} == {7}
    documents = [file for row in rows["comments"] for file in row["attachments"]]
    assert documents
    assert {file["pages"] for file in documents} == {1}


def test_a_new_view_shows_what_an_older_package_wrote(house: House) -> None:
    desk = house.visit(NEW_VIEW, "view:Desk")["view:Desk"]

    assert [issue["title"] for issue in desk["issues"]] == ["asked"]
    assert [author["name"] for author in desk["authors"].values()] == ["Bo"]


@pytest.mark.parametrize("verbs", [(), ("more",)], ids=["from stored rows", "and kept from then on"])
def test_new_derived_tables_equal_their_recomputation(house: House, verbs: tuple[str, ...]) -> None:
    rows = house.visit(NEW_DERIVED, *verbs)["rows"]

    assert rows["issues_of"] == issues_of(rows["issues"]) != []
    assert rows["activity"] == activity(rows["comments"]) != []
    assert rows["first_of"] == first_of(rows["issues_of"]) != []


@pytest.mark.parametrize("verbs", [(), ("more",)], ids=["from stored rows", "and kept from then on"])
def test_new_joins_equal_their_recomputation(house: House, verbs: tuple[str, ...]) -> None:
    rows = house.visit(NEW_DERIVED, *verbs)["rows"]

    latest = {(row["project_id"], row["number"]): row["posted_at"] for row in rows["comments"]}
    names = {row["user_id"]: row["name"] for row in rows["users"]}
    discussed = [row for row in rows["issues"] if (row["project_id"], row["number"]) in latest]
    assert rows["discussed"] == [
        {
            "project_id": row["project_id"],
            "number": row["number"],
            "said_at": latest[row["project_id"], row["number"]],
            "author": names.get(row["author_id"], ""),
            "labels": row["labels"],
        }
        for row in discussed
    ]
    assert rows["discussed_by"] == sorted(
        (
            {"by": row["author_id"], "project_id": row["project_id"], "number": row["number"]}
            for row in discussed
        ),
        key=lambda row: [*row.values()],
    )
    times = Counter((row["project_id"], row["number"]) for row in (*discussed, *rows["watchers"]))
    assert rows["attended"] == [
        {"project_id": key[0], "number": key[1], "times": times[key]} for key in sorted(times)
    ]
    assert discussed


def test_a_join_of_another_rule_is_made_again_and_so_is_what_follows(house: House) -> None:
    rows = house.visit(NEW_RULE)["rows"]

    authors = {(row["project_id"], row["number"]): row["author_id"] for row in rows["issues"]}
    mine = [row for row in rows["attention"] if authors[row["project_id"], row["number"]] == row["user_id"]]
    assert mine
    assert [row for row in rows["attention"] if row["mine"]] == mine
    counts = Counter(row["user_id"] for row in mine)
    assert {row["user_id"]: row["mine"] for row in rows["attention_counts"] if row["mine"]} == counts


def test_tables_that_were_given_up_go_and_the_rest_stays(house: House) -> None:
    brought = house.visit(NEW_TABLES, "more")
    assert stored_tables(house.box) & {"t60", "t61", "t61_words", "t62"}

    told = house.visit(GIVEN_UP, "more")

    assert (told["opened"], house.visit(GIVEN_UP)["opened"]) == ("upgraded", "same")
    gone = ("calls", "find_titles", "titled")
    assert told["before"] == {table: rows for table, rows in brought["rows"].items() if table not in gone}
    assert told["rows"] != told["before"]
    assert not {name for name in stored_tables(house.box) if name.startswith(("t60", "t61", "t62"))}
    assert house.verified(GIVEN_UP) == f"{house.box}: nothing wrong (derived)\n"


def test_a_number_of_a_table_that_was_given_up_is_not_given_again(house: House) -> None:
    house.visit(NEW_TABLES)
    house.visit(GIVEN_UP)
    before = house.bytes_hash()

    again, forgotten = house.visit(NEW_TABLES), house.visit(UNCHANGED)

    assert again["error"][0] == "LayoutConflict"
    assert "table 'calls' (60) takes a number that the box holds as reserved" in again["error"][1]
    assert forgotten["opened"] == "newer"
    assert house.bytes_hash() == before


def stored_tables(box: Path) -> set[str]:
    """The names of everything that lies in the file."""
    with closing(sqlite3.connect(box)) as file:
        return {name for (name,) in file.execute("SELECT name FROM sqlite_master")}


def issues_of(issues: list[Told]) -> list[Told]:
    """Loud issues under their author and each of their labels."""
    found = [
        {
            "author_id": row["author_id"],
            "label": label,
            "project_id": row["project_id"],
            "number": row["number"],
            "title": row["title"],
        }
        for row in issues
        if row["priority"] >= 20
        for label in row["labels"]
    ]
    return sorted(found, key=lambda row: [*row.values()][:4])


def activity(comments: list[Told]) -> list[Told]:
    """How many comments each author has made in a project, and how many of them were edited."""
    said = Counter((row["author_id"], row["project_id"]) for row in comments)
    edited = Counter(
        (row["author_id"], row["project_id"]) for row in comments if row["edited_at"] is not None
    )
    return [
        {"author_id": group[0], "project_id": group[1], "comments": said[group], "edited": edited[group]}
        for group in sorted(said)
    ]


def first_of(rows: list[Told]) -> list[Told]:
    """The greatest row of each author."""
    greatest = {row["author_id"]: row for row in rows}
    return [greatest[author] for author in sorted(greatest)]


def test_a_new_unique_index_that_stored_rows_break_leaves_the_box_as_it_was(house: House) -> None:
    before = house.bytes_hash()

    told = house.visit(NEW_UNIQUE)

    assert told["error"][0] == "UniqueViolation"
    assert "two rows of 'users' share the key" in told["error"][1]
    assert house.bytes_hash() == before
    assert house.visit(UNCHANGED, "more")["opened"] == "same"


def test_the_changed_packages_pass_strict_type_checking(tmp_path: Path) -> None:
    # Under names of their own: one run can then hold them all.
    packages = [
        str(generated(change, tmp_path, name=f"tracker_{change.name}") / f"pillarbox_tracker_{change.name}")
        for change in (*WELCOME, RESERVED, GIVEN_UP)
    ]

    assert type_errors(*packages) == ""


# ------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize("conflict", CONFLICTS, ids=lambda conflict: conflict.change.name)
def test_a_conflicting_change_is_refused_with_its_reason_and_nothing_is_touched(
    house: House, conflict: Conflict
) -> None:
    before = house.bytes_hash()

    told = house.visit(conflict.change)

    assert told["error"][0] == "LayoutConflict"
    assert str(house.box) in told["error"][1]
    assert conflict.reason in told["error"][1]
    assert house.bytes_hash() == before
    assert house.visit(UNCHANGED)["opened"] == "same"


# --------------------------------------------------------------------------------------------------- newer


@pytest.mark.parametrize("change", [NEW_FIELDS, NEW_DERIVED, NEW_ENUM_VALUE], ids=lambda change: change.name)
def test_a_newer_box_can_be_read_by_the_older_package_and_not_written(house: House, change: Change) -> None:
    newer = house.visit(change, "more")
    before = house.bytes_hash()

    told = house.visit(UNCHANGED, "view:Project", "try_to_write")

    assert told["opened"] == "newer"
    for table, rows in told["rows"].items():
        assert_alike(rows, newer["rows"][table])
    assert told["view:Project"]["project"]["name"] == "Lamps"
    assert told["refusal"][0] == "LayoutNewer"
    assert "was written by a newer package" in told["refusal"][1]
    assert house.bytes_hash() == before


def test_a_value_that_only_the_newer_package_knows_is_told_and_not_misread(house: House) -> None:
    house.visit(NEW_ENUM_VALUE, "new_state")

    told = house.visit(UNCHANGED)

    assert told["opened"] == "newer"
    for table, error, fact in (
        ("issues", "RecordCorrupt", "Invalid enum value 3"),
        ("by_state", "KeyCorrupt", "3 is not a valid State"),
        ("by_priority", "RecordCorrupt", "3 is not a valid State"),
    ):
        assert told["rows"][table][0] == error
        assert f"table '{table}', key 0x8000000000000005" in told["rows"][table][1]
        assert fact in told["rows"][table][1]
        assert "either a newer package wrote the row: update this one; or" in told["rows"][table][1]
    assert_alike(told["rows"]["comments"], house.filled["rows"]["comments"])


def test_a_field_reserved_by_the_newer_package_is_not_given_back_to_the_older_one(house: House) -> None:
    house.visit(RESERVED)
    before = house.bytes_hash()

    told = house.visit(UNCHANGED)

    assert told["error"][0] == "LayoutConflict"
    assert "takes a number that the box holds as reserved" in told["error"][1]
    assert house.bytes_hash() == before
