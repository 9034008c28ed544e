"""A default of what may be absent names a value of an enum: what is stored of it is the number."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from tests.unit.codegen_ops.making import loaded_schema, version

from pillarbox.box import Box
from pillarbox.box.opening import LAYOUT, LAYOUT_HASH
from pillarbox.errors import LayoutConflict
from pillarbox.inspect.verbs import scan
from pillarbox.layout import compare
from pillarbox.storage import open_engine
from pillarbox_codegen.plan.layout import layout_tree

PLAIN: Final = """
schema: {name: optional_defaults}
types:
  Kind: {enum: {plain: 0, bold: 1}}
tables: {things: {id: 1, key: {n: int32}, record: {at: [1, int32]}}}
"""
SCHEMA: Final = PLAIN.replace("[1, int32]", "[1, int32], kind: {number: 2, type: opt<Kind>, default: bold}")


def before(tree: dict[str, Any]) -> dict[str, Any]:
    """A layout as it once was printed, with the name of the value."""
    old = deepcopy(tree)
    for field in old["tables"]["1"]["fields"]:
        if field.get("default") is not None:
            field["default"] = "bold"
    return old


def tree(folder: Path, text: str) -> dict[str, Any]:
    return layout_tree(loaded_schema(folder, text))


@pytest.mark.parametrize("is_old", [False, True], ids=["by its number", "by its name"])
def test_a_value_that_is_renamed_stays_the_default_and_one_that_takes_its_name_does_not(
    tmp_path: Path, is_old: bool
) -> None:
    first = tree(tmp_path / "first", SCHEMA)
    renamed = tree(tmp_path / "renamed", SCHEMA.replace("bold", "heavy"))
    swapped = tree(tmp_path / "swapped", SCHEMA.replace("{plain: 0, bold: 1}", "{bold: 0, plain: 1}"))
    if is_old:
        assert before(first) != first
        assert compare(before(first), first).same
        first = before(first)

    assert compare(first, renamed).same
    assert compare(first, swapped).conflicts == [
        "field 'kind' (2) of table 'things' (1) has the default 0, the box left out 1"
    ]


@pytest.mark.parametrize("is_old", [False, True], ids=["by its number", "by its name"])
def test_rows_that_lack_it_are_shown_with_it(tmp_path: Path, is_old: bool) -> None:
    path = tmp_path / "a.box"
    plain = version(tmp_path / "plain", PLAIN, "pillarbox_optional_defaults_plain")
    now = version(tmp_path / "now", SCHEMA, "pillarbox_optional_defaults_now")
    with Box(path, plain.PACKAGE) as box, box.transaction() as tx:
        tx.things.put(plain.types.Things(1, 5))
    with Box(path, now.PACKAGE) as box, box.reading() as tables:
        assert box.opened == "upgraded"
        assert tables.things.get(1).kind == now.types.Kind.BOLD
    if is_old:
        engine = open_engine(str(path), durability="durable")
        engine.begin()
        engine.set_meta(LAYOUT, json.dumps(before(json.loads(now.PACKAGE.layout))).encode())
        engine.set_meta(LAYOUT_HASH, b"another")
        engine.commit()
        engine.close()

    told = CliRunner().invoke(scan, [str(path), "things"])

    assert told.exception is None
    assert told.output.split() == ["n", "at", "kind", "1", "5", "bold"]


def test_packed_rows_without_it_have_nothing_there_so_a_new_one_has_no_default(tmp_path: Path) -> None:
    packed = PLAIN.replace("[1, int32]}}", "[1, int32]}, layout: packed}")
    more = packed.replace("[1, int32]", "[1, int32], size: {number: 2, type: opt<int32>}")
    plain = version(tmp_path / "plain", packed, "pillarbox_optional_packed_plain")
    now = version(tmp_path / "now", more, "pillarbox_optional_packed_now")
    given = version(
        tmp_path / "given",
        more.replace("opt<int32>", "opt<int32>, default: 5"),
        "pillarbox_optional_packed_given",
    )
    with Box(tmp_path / "a.box", plain.PACKAGE) as box, box.transaction() as tx:
        tx.things.put(plain.types.Things(n=1, at=5))

    with pytest.raises(
        LayoutConflict, match="packed rows without it have nothing there: leave its default out"
    ):
        Box(tmp_path / "a.box", given.PACKAGE)
    with Box(tmp_path / "a.box", now.PACKAGE) as box, box.reading() as tables:
        assert tables.things.get(1).size is None
    with Box(tmp_path / "a.box", given.PACKAGE) as box:  # for who makes a row from now on
        assert box.opened == "same"
        with box.transaction() as tx:
            tx.things.put(given.types.Things(n=2, at=5))
        with box.reading() as tables:
            assert [row.size for row in tables.things.all()] == [None, 5]
