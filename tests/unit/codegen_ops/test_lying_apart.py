"""Tables that hold what is of another one, when either is given another number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from tests.unit.codegen_ops.making import loaded_schema

from pillarbox.layout import compare
from pillarbox_codegen.plan.layout import layout_tree

SCHEMA: Final = """
schema: {name: apart, reserved: [90]}
tables:
  shelf:
    id: 1
    list: {group: {zone: int32}, item: {sku: int32}, record: {note: {number: 1, type: text, default: ""}}, places: {id: 2}}
  gaps:
    id: 4
    ranges: {group: {zone: int32}, over: {n: int64}, from: 1, seeded: {id: 5}}
seeds:
  group:
    gaps: [{do: [{add_range: {range: all}}]}]
"""  # noqa: E501
SEEDS: Final = SCHEMA[SCHEMA.index("seeds:") :]


def layout(folder: Path, text: str) -> Any:
    return json.loads(json.dumps(layout_tree(loaded_schema(folder, text))))


def conflicts(folder: Path, *changes: tuple[str, str]) -> list[str]:
    """What keeps a box of the schema from being opened where these texts are others."""
    text = SCHEMA
    for old, new in changes:
        text = text.replace(old, new)
    return compare(layout(folder / "before", SCHEMA), layout(folder / "now", text)).conflicts


@pytest.mark.parametrize(
    ("old", "new", "gone", "where"),
    [
        ("places: {id: 2}", "places: {id: 12}", 2, "'shelf' (1) lies in table 'shelf_places' (2)"),
        ("id: 1\n", "id: 11\n", 1, "'shelf' (1) lies in table 'shelf_places' (2)"),
        ("id: 4\n", "id: 14\n", 4, "'gaps' (4) lies in table 'gaps_seeded' (5)"),
    ],
    ids=["places without their list", "a list without its places", "ranges without their marks"],
)
def test_what_belongs_together_has_other_numbers_together(
    tmp_path: Path, old: str, new: str, gone: int, where: str
) -> None:
    found = conflicts(tmp_path, (old, new), ("[90]", f"[90, {gone}]"))

    assert found == [f"what is of table {where}, and the package does not look for it there"]


@pytest.mark.parametrize(
    "changes",
    [
        [("id: 1\n", "id: 11\n"), ("places: {id: 2}", "places: {id: 12}"), ("[90]", "[90, 1, 2]")],
        [("id: 4\n", "id: 14\n"), ("seeded: {id: 5}", "seeded: {id: 15}"), ("[90]", "[90, 4, 5]")],
        [(", seeded: {id: 5}", ""), (SEEDS, ""), ("[90]", "[90, 5]")],
        [("  shelf:", "  board:"), ("  gaps:", "  holes:"), ("    gaps:", "    holes:")],
    ],
    ids=["a list and its places", "ranges and their marks", "ranges that have no seed", "other names"],
)
def test_what_goes_together_may_go(tmp_path: Path, changes: list[tuple[str, str]]) -> None:
    assert conflicts(tmp_path, *changes) == []
