"""A part of a cursor is read as what it was: one that was a moment is no counter to count on from."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from tests.unit.codegen_ops.making import loaded_schema

from pillarbox.layout import compare
from pillarbox_codegen.plan.layout import layout_tree

SCHEMA: Final = """
schema: {name: cursor_kinds}
cursors: {account: {id: 1, parts: {seen: {number: 1, kind: KIND}, known: {number: 2, kind: counter}}}}
"""


def tree(folder: Path, kind: str) -> dict[str, Any]:
    return layout_tree(loaded_schema(folder / kind, SCHEMA.replace("KIND", kind)))


def conflicts(folder: Path, old: str, new: str) -> list[str]:
    return compare(tree(folder, old), tree(folder, new)).conflicts


@pytest.mark.parametrize(("old", "new"), [("stamp", "counter"), ("counter", "stamp"), ("watermark", "stamp")])
def test_a_part_of_another_kind_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """Else each claim of it would be an old one, and dropped."""
    (told,) = conflicts(tmp_path, old, new)

    assert told.endswith(f" is a {new}, the box wrote a {old}: give the cursor another id")


@pytest.mark.parametrize(("old", "new"), [("counter", "watermark"), ("watermark", "counter")])
def test_what_counts_goes_on_with_or_without_gaps(tmp_path: Path, old: str, new: str) -> None:
    assert compare(tree(tmp_path, old), tree(tmp_path, new)).same


def test_a_layout_from_before_kinds_were_in_it_is_taken(tmp_path: Path) -> None:
    now = tree(tmp_path, "stamp")
    before = deepcopy(now)
    for entry in before["tables"]["1"]["fields"]:
        del entry["kind"]

    assert compare(before, now).same
    assert compare(now, before).same
