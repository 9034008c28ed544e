"""Packed ids as people read and write them, part by part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import imported, loaded_schema

from pillarbox.inspect.shape import StoredLayout, Type
from pillarbox.inspect.values import Values
from pillarbox_codegen.plan.layout import layout_tree

SCHEMA = """
schema: {name: packed}
types:
  Kind: {enum: {first: 0, last: 8}, type: int16}
  Marks: {flags: {seen: 0, kept: 1}}
  Ref:
    packed: int64
    parts:
      kind: {type: Kind, bits: 4}
      near: {type: int8, bits: 4}
      set: {type: bool, bits: 1}
      marks: {type: Marks, bits: 2}
tables:
  t: {id: 1, key: {ref: Ref}}
"""


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (8 << 7, "last:0:false:0"),
        (15 << 3 | 1, "first:-1:false:seen"),
        (7 << 7 | 8 << 3 | 7, "7:-8:true:seen|kept"),
    ],
)
def test_a_part_is_read_as_it_is_shown_and_an_enum_is_never_negative(
    number: int, text: str, tmp_path: Path
) -> None:
    values = Values(StoredLayout(json.loads(json.dumps(layout_tree(loaded_schema(tmp_path, SCHEMA))))))

    assert values.text_of(Type("Ref"), number) == text
    assert values.parsed(Type("Ref"), text) == number


def test_an_id_sorts_by_its_parts_as_the_page_says_also_below_0(tmp_path: Path) -> None:
    types = imported(tmp_path, SCHEMA.replace("name: packed", "name: packed_in_order")).types
    near = [*range(8), *range(-8, 0)]

    ids = [types.ref(kind, part, False, 0) for kind in types.Kind for part in near]

    assert ids == sorted(ids)
    page = (Path(__file__).parents[3] / "docs/schema/types.md").read_text(encoding="utf-8")
    assert "it sorts by its parts, of which\nthose below 0 come behind all others" in page
