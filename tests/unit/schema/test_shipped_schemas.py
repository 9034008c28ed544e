"""The schemas that come with pillarbox are in order, and so is the JSON Schema that editors use."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
import yaml
from jsonschema_rs import Draft202012Validator, meta

from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema

ROOT = Path(__file__).resolve().parents[3]
CODEGEN = ROOT / "codegen/pillarbox_codegen"
FOLDERS = [ROOT / "schema/tracker", ROOT / "schema/messenger", CODEGEN / "starter"]
FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.yaml"))]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_shipped_schema_has_no_findings(folder: Path) -> None:
    schema = load_schema(folder)

    assert schema.tables
    assert schema.views


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_shipped_file_names_the_json_schema_and_fits_it(path: Path) -> None:
    first, _, _ = path.read_text(encoding="utf-8").partition("\n")
    named = path.parent / first.partition("$schema=")[2]
    schema = CODEGEN / "pillarbox.schema.json" if "starter" in path.parts else named

    validator = Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))

    assert first.startswith("# yaml-language-server: $schema=")
    assert list(validator.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8")))) == []


def test_the_json_schema_is_one_and_in_order() -> None:
    packaged = (CODEGEN / "pillarbox.schema.json").read_bytes()

    meta.validate(json.loads(packaged))

    assert (ROOT / "schema/pillarbox.schema.json").read_bytes() == packaged


def parts_of(value: object) -> set[str]:
    """The names of all classes, literals and options that a checked schema is made of."""
    found: set[str] = set()
    pending = [value]
    while pending:
        one = pending.pop()
        if is_dataclass(one):
            found.add(type(one).__name__)
            for field in fields(one):
                held = getattr(one, field.name)
                if isinstance(held, str) and field.name in WORDS:
                    found.add(f"{type(one).__name__}.{held}")
                pending.append(held)
        elif isinstance(one, dict):
            pending.extend(one.values())
        elif isinstance(one, tuple):
            pending.extend(one)
    return found


WORDS = {"at", "layout", "storage", "role", "unique", "only", "how", "kind"}
EVERY_PART = """
    Literal_ EnumValue Constant Path Lookup Tuple_ Binary Unary Is Has If Call Make
    GetPart GetEachPart ScanPart WindowPart AggregatePart
    WindowCase Lane KeysLane RangeHoles MarkerHoles BoundaryHole WindowExpand Want
    WindowAnchor.newest WindowAnchor.oldest WindowAnchor.at WindowAnchor.id
    IdType PackedId EnumType FlagsType RecordType UnionType MapOf ListOf RowOf Optional Scalar Named CaseOf
    Index Index.no Index.yes Index.identity Count Top Fold Across EachVar Sequence Cursor ClaimRule Source
    Table.record Table.packed Table.empty Table.heap Table.clustered
    PutStep.any PutStep.new PatchField.set PatchField.max PatchField.add PatchField.flags
    BatchMerge TailMerge CursorPart.counter CursorPart.stamp
"""


def test_the_tracker_uses_every_part_of_the_language() -> None:
    used = parts_of(load_schema(ROOT / "schema/tracker"))

    assert set(EVERY_PART.split()) | {name for name in dir(model) if name.endswith("Step")} - {"Step"} <= used
