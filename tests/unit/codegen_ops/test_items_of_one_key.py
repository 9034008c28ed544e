"""Items of a list that give one key of an index: one row, with the value of the last."""

from __future__ import annotations

from pathlib import Path

from tests.unit.codegen_ops.making import imported

from pillarbox.box import Box
from pillarbox.storage import MEMORY

SCHEMA = """
schema: {name: items_of_one_key}
types:
  Mark: {record: {place: [1, text], at: [2, int64]}}
tables:
  pages: {id: 1, key: {n: int32}, record: {marks: [1, list<Mark>]}}
  marked: {id: 2, index: {from: pages, each: {m: marks}, key: [m.place, n], value: {at: m.at}}}
operations:
  put_pages: {code: 1, params: {pages: [1, list<row<pages>>]}, steps: [{put: {into: pages, row: p}, each: pages as p}]}
views:
  places: {key: {}, parts: {pages: {scan: marked, prefix: [], all: true}}}
"""  # noqa: E501


def test_the_last_item_of_a_key_counts(tmp_path: Path) -> None:
    package = imported(tmp_path, SCHEMA)
    box, mark = Box(MEMORY, package.box.PACKAGE), package.types.Mark

    def marked(*marks: tuple[str, int]) -> list[tuple[str, int]]:
        page = package.types.Pages(1, tuple(mark(*it) for it in marks))
        box.replay([package.operations.PutPages((page,))])
        with box.reading() as tables:
            return [(row.place, row.at) for row in tables.marked.all()]

    assert marked(("top", 5), ("end", 2), ("top", 1)) == [("end", 2), ("top", 1)]
    assert marked(("top", 7), ("top", 9), ("end", 2)) == [("end", 2), ("top", 9)]
    assert [row.n for row in box.get(package.views.Places()).pages] == [1, 1]
    box.close()
