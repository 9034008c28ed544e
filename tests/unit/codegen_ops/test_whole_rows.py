"""A field of what is stored becomes another: rows are read as they were, or the box is refused."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from click.testing import CliRunner
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box
from pillarbox.errors import LayoutConflict
from pillarbox.inspect.verbs import scan
from pillarbox.layout import compare

NAME: Final = "pillarbox_whole_rows"
SCHEMA: Final = """
schema: {name: whole_rows}
sequences: {serials: {id: 9, type: int32, per: {}}}
tables:
  things: {id: 1, key: {n: int32}, record: {at: [1, int32]%s}, layout: %s}
  told: {id: 2, key: {n: int32}, record: {name: [1, text]}}
  asked: {id: 3, stale: {of: told, record: {how: {number: 1, type: int32, default: 3}%s}}}
"""
#: What the second field of `things` may be.
FIELDS: Final = {
    "none": "",
    "a number": "{number: 2, type: int32}",
    "with a default": "{number: 2, type: int32, default: 0}",
    "with another": "{number: 2, type: int32, default: 5}",
    "absent or not": "{number: 2, type: opt<int32>}",
    "numbered": "{number: 2, type: int32, fill: serials}",
    "computed": "{number: 2, type: int32, fill: (at)}",
    "numbered, with a default": "{number: 2, type: int32, default: 0, fill: serials}",
    "computed, with a default": "{number: 2, type: int32, default: 5, fill: (at)}",
}
#: What has no other field, or one that is written alike.
FITS: Final = {
    "packed": {
        ("none", "with a default"),
        ("none", "with another"),
        ("none", "absent or not"),
        ("none", "numbered, with a default"),
        ("none", "computed, with a default"),
        ("with a default", "numbered, with a default"),
        ("numbered, with a default", "with a default"),
        ("with another", "computed, with a default"),
        ("computed, with a default", "with another"),
        *permutations(("a number", "numbered", "computed"), 2),
    },
}


@cache
def package(field: str, layout: str = "packed", more: str = "") -> ModuleType:
    """The package of the schema with this field, under a name of its own."""
    text = SCHEMA % (field and f", other: {field}", layout, more and f", more: {more}")
    return version(Path(tempfile.mkdtemp()), text, f"{NAME}_{package.cache_info().misses}")


def rows_of(box: Box[Any, Any]) -> list[Any]:
    with box.reading() as tables:
        return [getattr(row, "other", None) for row in tables.things.all()]


@pytest.mark.parametrize(
    ("old", "new"), [(old, new) for old, new in permutations(FIELDS, 2) if new != "none"]
)
@pytest.mark.parametrize("layout", ["packed", "record"])
def test_rows_are_read_as_they_were_or_not_at_all(tmp_path: Path, layout: str, old: str, new: str) -> None:
    before, now = package(FIELDS[old], layout), package(FIELDS[new], layout)
    with Box(tmp_path / "a.box", before.PACKAGE) as box:
        for n in range(3):
            with box.transaction() as tx:
                given = {"other": n + 4} if old in ("a number", "absent or not") else {}
                tx.things.put(before.types.Things(n=n, at=7, **given))
        stood = rows_of(box)

    try:
        with Box(tmp_path / "a.box", now.PACKAGE) as box:
            stands = rows_of(box)
    except LayoutConflict:
        assert layout == "record" or (old, new) not in FITS["packed"]
        return

    assert layout == "record" or (old, new) in FITS["packed"]
    is_other = "another" in new or new.startswith("computed, ")
    assert stands == ([5 if is_other else None if "absent" in new else 0] * 3 if old == "none" else stood)
    assert found_in(tmp_path / "a.box", now.PACKAGE, "records") == []


@pytest.mark.parametrize("more", ["{number: 2, type: int32, default: 4}", "{number: 2, type: opt<int32>}"])
def test_what_is_asked_is_kept_with_a_field_more_only_if_that_may_be_absent(
    tmp_path: Path, more: str
) -> None:
    before, now = package(""), package("", more=more)
    with Box(tmp_path / "a.box", before.PACKAGE) as box, box.transaction() as tx:
        tx.asked.mark(1)

    if "opt" not in more:
        with pytest.raises(LayoutConflict, match=r"'more'.* has no default for the rows already stored"):
            Box(tmp_path / "a.box", now.PACKAGE)
        return
    with Box(tmp_path / "a.box", now.PACKAGE) as box, box.transaction() as tx:
        tx.asked.mark(1)
        row = tx.asked.get(1)
    assert (row.version, row.how, row.more) == (2, 3, None)


def test_what_is_asked_keeps_what_it_was_marked_with_by_another_default(tmp_path: Path) -> None:
    before = package("")
    now = version(
        tmp_path, SCHEMA.replace("default: 3", "default: 4") % ("", "packed", ""), f"{NAME}_another"
    )
    with Box(tmp_path / "a.box", before.PACKAGE) as box, box.transaction() as tx:
        tx.asked.mark(1)

    with Box(tmp_path / "a.box", now.PACKAGE) as box, box.transaction() as tx:
        tx.asked.mark(2)
        assert [tx.asked.get(n).how for n in (1, 2)] == [3, 4]


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_a_layout_from_before_this_was_told_is_the_same(field: str) -> None:
    now = json.loads(package(field).PACKAGE.layout)
    before = json.loads(package(field).PACKAGE.layout)
    for table in before["tables"].values():
        table.pop("whole", None)

    assert compare(before, now).same
    assert compare(now, before).same


@pytest.mark.parametrize(
    "field", [it for it in FIELDS.values() if it], ids=[it for it in FIELDS if it != "none"]
)
def test_what_lies_in_a_packed_table_is_read_by_its_layout_alone(tmp_path: Path, field: str) -> None:
    made = package(field)
    with Box(tmp_path / "a.box", made.PACKAGE) as box, box.transaction() as tx:
        for n in range(2):
            tx.things.put(made.types.Things(n=n, at=7, other=n + 4))
        tx.asked.mark(1)
        wanted = [f"{row.n} {row.at} {row.other}" for row in tx.things.all()]

    told = [CliRunner().invoke(scan, [str(tmp_path / "a.box"), table]) for table in ("things", "asked")]

    assert [" ".join(line.split()) for line in told[0].output.splitlines()[1:]] == wanted
    assert told[1].output.split() == ["n", "version", "how", "1", "1", "3"]
    for level in ("derived", "records"):
        assert found_in(tmp_path / "a.box", made.PACKAGE, level) == []
