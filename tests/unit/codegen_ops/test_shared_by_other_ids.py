"""A schema by which rows share their values otherwise than in the box: by other ids, or not at all."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box
from pillarbox.errors import LayoutConflict

NAME: Final = "pillarbox_shown"
SCHEMA: Final = """
schema: {name: shown}
types:
  Item:
    union:
      Photo: [1, {number: [1, int32], album: [2, int32]}]
      Sound: [2, {number: [1, int32]}]
    facets:
      ident: {type: opt<int32>, of: {Photo: number, Sound: number}}
tables:
  pages: {id: 1, key: {page: int32}, record: {shown: [1, list<Item>], hidden: [2, list<Item>]}}
  shared: {id: 2, refs: {from: pages, each: shown as s, id: s.ident, users: {id: 3}}}
"""
ALL: Final = "{Photo: number, Sound: number}"
_made: Final = count()
CHANGES: Final = {
    "some have no id": (ALL, "{Photo: number}"),
    "some have another id": (ALL, "{Photo: album, Sound: number}"),
    "none has the id of before": (ALL, "{Photo: album}"),
}


def package(folder: Path, text: str) -> ModuleType:
    """The package of a schema, under a name of its own."""
    return version(folder, text, f"{NAME}_{next(_made)}")


def rows_of(package: ModuleType) -> list[Any]:
    """Pages that share a photo and a sound, and one with a photo of the same album."""
    t = package.types
    both = (t.Photo(number=1, album=7), t.Sound(number=2))
    return [t.Pages(page=1, shown=both), t.Pages(page=2, shown=both), t.Pages(page=3, shown=(t.Sound(3),))]


def fill(box: Box[Any, Any], package: ModuleType) -> None:
    t = package.types
    with box.transaction() as tx:
        for row in rows_of(package):
            tx.pages.put(row)
        tx.shared.hold(3, t.Sound(number=3))
        tx.shared.hold(4, t.Sound(number=4))


def seen(box: Box[Any, Any]) -> tuple[str, str]:
    """All rows, and what they share."""
    with box.reading() as tables:
        return str(tables.pages.all()), str(tables.shared.all())


@pytest.mark.parametrize("is_back", [False, True], ids=["there", "and back"])
@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_values_of_other_ids_are_shared_again(tmp_path: Path, old: str, new: str, is_back: bool) -> None:
    before, now = package(tmp_path / "before", SCHEMA), package(tmp_path / "now", SCHEMA.replace(old, new))
    if is_back:
        before, now = now, before
    with Box(tmp_path / "box", before.PACKAGE) as box, box.transaction() as tx:
        for row in rows_of(before):
            tx.pages.put(row)
    with Box(tmp_path / "fresh", now.PACKAGE) as box:
        with box.transaction() as tx:
            for row in rows_of(now):
                tx.pages.put(row)
        fresh = seen(box)

    with Box(tmp_path / "box", now.PACKAGE) as box:
        assert (box.opened, seen(box)) == ("upgraded", fresh)
    for level in ("derived", "records"):
        assert found_in(tmp_path / "box", now.PACKAGE, level) == []


def test_what_is_held_stays_held_where_it_belongs(tmp_path: Path) -> None:
    before = package(tmp_path / "before", SCHEMA)
    now = package(tmp_path / "now", SCHEMA.replace(ALL, "{Photo: album, Sound: number}"))
    with Box(tmp_path / "box", before.PACKAGE) as box:
        fill(box, before)
        with box.transaction() as tx:
            tx.shared.hold(9, before.types.Photo(number=9, album=8))
            tx.pages.put(before.types.Pages(page=4, shown=(before.types.Photo(number=5, album=8),)))

    with Box(tmp_path / "box", now.PACKAGE) as box, box.reading() as tables:
        shared = [(row.ref, row.held) for row in tables.shared.all()]
        shown = tables.pages.get(4).shown

    assert shared == [(2, False), (3, True), (4, True), (7, False), (8, True)]
    assert shown == (now.types.Photo(number=9, album=8),)
    for level in ("derived", "records"):
        assert found_in(tmp_path / "box", now.PACKAGE, level) == []


@pytest.mark.parametrize(
    "text",
    [SCHEMA.replace(ALL, "{Photo: number}"), SCHEMA.partition("  shared:")[0]],
    ids=["by others", "by none"],
)
def test_values_of_one_row_are_one_where_they_have_one_id_now(tmp_path: Path, text: str) -> None:
    """As they would be by a put; else a row that comes later would change this one."""
    by_album = SCHEMA.replace(ALL, "{Photo: album}")
    before, now = package(tmp_path / "before", text), package(tmp_path / "now", by_album)
    alike = [before.types.Photo(number=number, album=7) for number in (1, 2)]
    other = before.types.Photo(number=3, album=8)
    with Box(tmp_path / "box", before.PACKAGE) as box, box.transaction() as tx:
        tx.pages.put(before.types.Pages(page=1, shown=(alike[0], other, alike[1])))

    with Box(tmp_path / "box", now.PACKAGE) as box, box.reading() as tables:
        assert [it.number for it in tables.pages.get(1).shown] == [1, 3, 1]
        assert tables.shared.all() == []


@pytest.mark.parametrize(
    "text",
    [
        SCHEMA.replace("name: shown", "name: shown, reserved: [2, 3]").partition("  shared:")[0],
        SCHEMA.partition("  shared:")[0],
        SCHEMA.replace("each: shown", "each: hidden"),
    ],
    ids=["given up", "not known", "of another list"],
)
def test_who_would_not_find_shared_values_is_refused(tmp_path: Path, text: str) -> None:
    before, now = package(tmp_path / "before", SCHEMA), package(tmp_path / "now", text)
    with Box(tmp_path / "box", before.PACKAGE) as box:
        fill(box, before)

    with pytest.raises(LayoutConflict, match=r"of table 'pages' \(1\) lies in table 'shared' \(2\)"):
        Box(tmp_path / "box", now.PACKAGE)


def test_shared_values_go_with_the_rows_that_share_them(tmp_path: Path) -> None:
    head = SCHEMA.replace("name: shown", "name: shown, reserved: [1, 2, 3]").partition("  pages:")[0]
    before, now = (
        package(tmp_path / "before", SCHEMA),
        package(tmp_path / "now", head + "  other: {id: 4, key: {n: int32}}\n"),
    )
    with Box(tmp_path / "box", before.PACKAGE) as box:
        fill(box, before)

    with Box(tmp_path / "box", now.PACKAGE) as box:
        assert box.opened == "upgraded"
