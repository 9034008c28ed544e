"""What a strict type checker says of generated packages, and of visitors that lack a method. One run."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from tests.type_checker import type_errors
from tests.unit.codegen_ops import hostile, lab, test_view_wiring
from tests.unit.codegen_ops.making import loaded_schema, written

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "tests/data/schemas"
PACKAGES = {
    "hostile": hostile.TEXT,
    "lab_of_steps": lab.TEXT,
    "lab_of_views": test_view_wiring.TEXT,
    "depot": (SCHEMAS / "types/schema.yaml").read_text(),
    "upsert_law": (SCHEMAS / "upsert/schema.yaml").read_text(),
}

SMALL = """
schema: {name: small, doc: Two operations and two updates.}
tables: {rows: {id: 1, key: {n: int64}, record: {text: [1, text]}}}
operations:
  add: {code: 1, params: {row: [1, row<rows>]}, steps: [{put: {into: rows, row: row}}]}
  drop: {code: 2, params: {n: [1, int64]}, steps: [{remove: {from: rows, at: n}}]}
updates:
  added: {code: 1, fields: {row: [1, row<rows>]}, emits: [{add: {row: row}}]}
  dropped: {code: 2, fields: {n: [1, int64]}, emits: [{drop: {n: n}}]}
views:
  lone: {key: {n: int64}, parts: {found: {get: rows, at: n}}}
"""

VISITORS = """
from pillarbox_small.box import Box
from pillarbox_small.operations import Add, Drop, Operation
from pillarbox_small.types import Rows
from pillarbox_small.updates import Added, Dropped, Update
from pillarbox_small.views import Lone


class Whole:
    def add(self, operation: Add) -> str:
        return operation.row.text

    def drop(self, operation: Drop) -> str:
        return str(operation.n)

    def added(self, update: Added) -> int:
        return update.row.n

    def dropped(self, update: Dropped) -> int:
        return update.n


def told(operation: Operation, update: Update) -> tuple[str, int]:
    return operation.accept(Whole()), update.accept(Whole())


def shown(box: Box) -> Rows | None:
    return box.watch(Lone(n=1)).latest.snapshot.found
"""

LACKING = {
    "drop": "operation.accept(Lacking())",
    "dropped": "update.accept(Lacking())",
}


@cache
def checked() -> tuple[str, ...]:
    """The lines that the type checker prints."""
    folder = Path(mkdtemp())
    for name, text in {**PACKAGES, "small": SMALL}.items():
        written(folder, loaded_schema(folder / f"schemas/{name}", text))
        (folder / f"pillarbox_{name}/spark.py").unlink(missing_ok=True)  # needs Spark to be installed
        shutil.rmtree(folder / f"pillarbox_{name}/jobs", ignore_errors=True)
    (folder / "whole.py").write_text(VISITORS)
    for method, call in LACKING.items():
        lines = VISITORS.replace(f"def {method}(", "def other(").replace("Whole", "Lacking")
        assert call in lines
        (folder / f"lacks_{method}.py").write_text(lines)
    modules = ["whole", *(f"lacks_{method}" for method in LACKING)]
    packages = [f"pillarbox_{name}" for name in (*PACKAGES, "small")]
    arguments = [
        word for flag, names in (("-m", modules), ("-p", packages)) for name in names for word in (flag, name)
    ]
    return tuple(type_errors(*arguments, path=folder).splitlines())


def test_generated_packages_and_whole_visitors_pass() -> None:
    assert [line for line in checked() if "lacks_" not in line] == []


@pytest.mark.parametrize("method", LACKING)
def test_a_visitor_that_lacks_a_method_is_refused(method: str) -> None:
    found = [line for line in checked() if f"lacks_{method}.py" in line]

    assert any("error" in line and "Lacking" in line for line in found)
    assert any(method in line for line in found)
