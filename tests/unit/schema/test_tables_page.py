"""docs/schema/tables.md: its schema is one, and does what the page says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import SchemaErrors

PAGE = Path(__file__).parents[3] / "docs/schema/tables.md"
HEAD = """
schema: {name: page}
types:
  Zone: {enum: {dock: 0, rack: 1}}
  Sku: {id: text}
"""


def example() -> str:
    (found,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return HEAD + str(found)


def test_the_schema_of_the_page_is_fine(tmp_path: Path) -> None:
    (tmp_path / "page.yaml").write_text(example())

    schema = load_schema(tmp_path)

    assert list(schema.tables) == ["stock", "by_tag", "sums", "fullest"]


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("sku: Sku}", "sku: opt<Sku>}", "a part is never absent"),
        ("sku: Sku}", "sku: float64}", "float64 cannot be a part of a key"),
        ("zone, shelf, sku], value", "zone, shelf], value", "the key lacks `sku`"),
        ("value: {held: held}", "value: {tags: tags}", "a packed layout cannot hold"),
        ("first: 3, fold: {qty: sum(most), least: min(most)}", "first: 3", "become one row"),
        ("{number: 2, type: int32, default: 0}", "[4, int32]", "neither used nor reserved"),
    ],
)
def test_what_the_page_rules_out_is_a_finding(tmp_path: Path, was: str, now: str, told: str) -> None:
    (tmp_path / "page.yaml").write_text(example().replace(was, now))

    with pytest.raises(SchemaErrors) as caught:
        load_schema(tmp_path)

    said = [f"{one.text} {one.suggestion}" for one in caught.value.diagnostics]
    assert any(told in text for text in said), said
