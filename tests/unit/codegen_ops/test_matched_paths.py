"""`match` on a path through what may be absent, and `//` where a list's values get their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from inspect import getsource
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.errors import RangeError

TEXT = """
schema: {name: lab_of_matched_paths, doc: Paths to what may be absent.}
types:
  Media: {union: {Picture: [1, {width: [1, int32]}], Document: [2, {name: [1, text]}]}}
  Info: {record: {media: [1, opt<Media>], tags: [2, opt<list<text>>], title: [3, text]}}
sequences:
  words: {id: 92, type: int32, intern: text, per: {}}
tables:
  notes:
    id: 1
    key: {n: int32}
    record:
      info: [1, opt<Info>]
      tags: [2, opt<list<text>>]
      tag_ids: {number: 3, type: list<int32>, fill: "words(each info.tags // tags // ['none'])"}
      width: {number: 4, type: int32, default: 0}
operations:
  put_note: {code: 1, params: {note: [1, row<notes>]}, steps: [{put: {into: notes, row: note}}]}
  look:
    code: 2
    params: {n: [1, int32]}
    steps:
      - let: {known: notes(n)}
      - match: known.info.media
        picture:
          - patch: {table: notes, at: n, set: {width: "case(known.info.media, Picture).width + known.n"}}
        document: [{patch: {table: notes, at: n, set: {width: size(known.info.title)}}}]
        none: [{put: {into: notes, row: {n: 99, width: n}}}]
  show:
    code: 3
    params: {n: [1, int32], media: [2, Media]}
    steps:
      - match: media
        picture: [{put: {into: notes, row: {n: n, width: media.width}}}]
        document: []
"""


@cache
def lab() -> Package:
    return imported(Path(mkdtemp()), TEXT)


@pytest.fixture
def box() -> Iterator[Any]:
    with lab().box.open_box(":memory:") as opened:
        yield opened


def put(box: Any, n: int, **fields: Any) -> None:
    operations = lab().operations
    box.replay([operations.PutNote(note=lab().types.Notes(n=n, **fields))])


def look(box: Any, n: int) -> None:
    box.replay([lab().operations.Look(n=n)])


def width(box: Any, n: int) -> int | None:
    with box.reading() as tables:
        row = tables.notes.get(n)
    return None if row is None else row.width


def info(media: Any = None, **fields: Any) -> Any:
    return lab().types.Info(media=media, title="abc", **fields)


def test_the_branch_of_the_case_knows_the_way_to_it(box: Any) -> None:
    put(box, 1, info=info(lab().types.Picture(width=40)))
    put(box, 2, info=info(lab().types.Document(name="d")))

    look(box, 1)
    look(box, 2)

    assert (width(box, 1), width(box, 2)) == (41, 3)
    assert "isinstance" not in getsource(lab().replay.Replay.look)


@pytest.mark.parametrize("fields", [None, {}, {"info": ...}])
def test_what_is_absent_anywhere_on_the_way_is_none(box: Any, fields: dict[str, Any] | None) -> None:
    if fields is not None:
        put(box, 1, **({"info": info()} if fields else {}))

    look(box, 1)

    assert width(box, 99) == 1


def test_values_get_their_numbers_wherever_they_come_from(box: Any) -> None:
    put(box, 1, info=info(tags=("a", "b")), tags=("c",))
    put(box, 2, tags=("b", "c"))
    put(box, 3)

    with box.reading() as tables:
        found = [tables.notes.get(n).tag_ids for n in (1, 2, 3)]

    assert found == [(1, 2), (2, 3), (4,)]


@pytest.mark.parametrize("media", [None, 5, "Picture"])
def test_what_is_no_case_at_all_is_told_by_the_parameter(box: Any, media: object) -> None:
    with pytest.raises(RangeError, match=r"Show\.media is .*, which is not of the type that the schema"):
        box.replay([lab().operations.Show(n=1, media=media)])


def test_a_case_of_another_union_is_told_by_the_parameter(box: Any) -> None:
    with pytest.raises(RangeError, match=r"Show\.media is Info"):
        box.replay([lab().operations.Show(n=1, media=info())])
