"""A schema with every word of updates, imported once for all tests of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.unit.codegen_ops.making import Package, imported

SCHEMA = Path(__file__).parents[2] / "golden/generated/told_updates/schema.yaml"


@cache
def told() -> Package:
    """The package."""
    return imported(Path(mkdtemp()), SCHEMA.read_text(encoding="utf-8"))
