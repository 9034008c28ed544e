"""What is committed under generated/ is exactly what schema/ generates: every file, of any kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pillarbox_codegen import packages
from pillarbox_codegen.generate import generate

ROOT = Path(__file__).parents[2]
SCHEMAS = sorted(path for path in (ROOT / "schema").iterdir() if path.is_dir())
GENERATED = ROOT / "generated"


def test_both_shipped_schemas_are_here() -> None:
    assert [schema.name for schema in SCHEMAS] == ["messenger", "tracker"]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
def test_generated_package_is_exactly_what_its_schema_generates(schema: Path) -> None:
    outputs = generate(schema)

    difference = packages.compare(outputs, GENERATED)

    assert difference.lines() == [], "run `make generate` and commit the result"


def test_every_package_under_generated_has_a_schema() -> None:
    packages_ = sorted(path.name for path in GENERATED.iterdir() if path.name != "__pycache__")

    assert packages_ == [f"pillarbox_{schema.name}" for schema in SCHEMAS]
