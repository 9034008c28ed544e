"""A rule that stays as it is written and makes other rows, since what it is made of answers otherwise."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box
from pillarbox.layout import compare

NAME: Final = "pillarbox_other_values"
SCHEMA: Final = """
schema: {name: other_values}
types:
  Marks: {flags: {small: 0, big: 1}, type: uint8}
  Item:
    union:
      Photo: [1, {size: [1, int32]}]
      Sound: [2, {length: [1, int32]}]
    facets:
      marks: {type: Marks, of: {Photo: "flags(small: size == 0, big: size > 1)"}}
      weight: {type: int32, of: {Photo: size}}
  Link: {record: {url: [1, text]}}
tables:
  pages: {id: 1, key: {page: int32}, record: {first: [1, Item], items: [2, list<Item>], link: [3, Link]}}
  light: {id: 2, index: {from: pages, when: first.weight == 0, key: [page]}}
  weights: {id: 3, index: {from: pages, each: {w: items.weight}, key: [w, page]}}
  packs: {id: 4, index: {from: pages, key: [page], value: {link: encoded(link)}}}
  marked: {id: 6, index: {from: pages, key: [page], value: {marks: first.marks}}}
  links: {id: 5, index: {from: pages, key: [link.url, page]}}
"""
CHANGES: Final = {
    "a facet that may be absent": ("weight: {type: int32,", "weight: {type: opt<int32>,", {2, 3}),
    "a value that is longer": ("[1, text]", "[1, text], rank: {number: 2, type: int32, default: 7}", {4}),
    "flags that have changed numbers": ("{small: 0, big: 1}", "{small: 1, big: 0}", {6}),
    "a flag of another name": ("small", "little", set()),
    "a value of another name": ("url", "address", set()),
}
_made: Final = count()


def package(folder: Path, text: str) -> ModuleType:
    """The package of a schema, under a name of its own."""
    alias = f"{NAME}_{next(_made)}"
    return version(folder / alias, text, alias)


def rows_of(box: Box[Any, Any]) -> list[str]:
    with box.reading() as tables:
        derived = (tables.light, tables.weights, tables.packs, tables.links, tables.marked)
        return [",".join(map(str, table.all())).replace("address", "url") for table in derived]


def fill(box: Box[Any, Any], package: ModuleType) -> None:
    t = package.types
    with box.transaction() as tx:
        for page in range(3):
            first, items = (t.Sound(1), (t.Photo(page),)) if page % 2 else (t.Photo(page), (t.Sound(5),))
            tx.pages.put(t.Pages(page=page, first=first, items=items, link=t.Link("x")))


@pytest.mark.parametrize("is_back", [False, True], ids=["there", "and back"])
@pytest.mark.parametrize(("old", "new", "tables"), CHANGES.values(), ids=CHANGES)
def test_its_table_is_made_again(tmp_path: Path, old: str, new: str, tables: set[int], is_back: bool) -> None:
    before, now = package(tmp_path, SCHEMA), package(tmp_path, SCHEMA.replace(old, new))
    found = compare(json.loads(before.PACKAGE.layout), json.loads(now.PACKAGE.layout))
    assert set(found.rebuild) >= tables
    assert 5 not in found.rebuild
    if is_back and not found.adds:  # a field that is there stays
        before, now = now, before
    with Box(tmp_path / "fresh.box", now.PACKAGE) as box:
        fill(box, now)
        fresh = rows_of(box)

    with Box(tmp_path / "a.box", before.PACKAGE) as box:
        fill(box, before)
    with Box(tmp_path / "a.box", now.PACKAGE) as box:
        assert rows_of(box) == fresh
    assert found_in(tmp_path / "a.box", now.PACKAGE, "derived") == []


def test_a_layout_that_does_not_say_yet_whether_facets_may_be_absent_is_the_same(tmp_path: Path) -> None:
    now = package(tmp_path, SCHEMA).PACKAGE.layout
    before = now.replace(",false,false,false]", ",false,false]").replace(",false,true,false]", ",false,true]")

    assert before != now
    assert compare(json.loads(before), json.loads(now)).same
    assert compare(json.loads(now), json.loads(before)).same
