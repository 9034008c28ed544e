"""Rows of two shards that have one key in a unique index: which they are, and what to write in the source."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.bulk import ShardBuilder, merge
from pillarbox.errors import ShardsOverlap

TEXT: Final = """
schema: {name: unique_in_shards}
tables:
  shelves: {id: 1, key: {shelf: int32}, record: {zone: [1, int32]}}
  books: {id: 2, key: {shelf: int32, book: int32}, record: {mark: [1, int32], serial: [2, int32]}}
  by_mark: {id: 3, index: {from: books, unique: true, key: [mark], value: {shelf: shelf, book: book}}}
  by_serial: {id: 4, index: {from: books, unique: identity, key: [serial], value: {shelf: shelf, book: book}}}
  on_shelf: {id: 5, index: {from: books, key: [shelf, book]}}
  placed:
    id: 6
    join:
      by: [shelf, book]
      rows: books
      with: {at: {row: "shelves([shelf])", via: on_shelf}}
      when: at is present
      row: {zone: at.zone, mark: rows.mark}
  by_zone: {id: 7, index: {from: placed, unique: true, key: [zone], value: {shelf: shelf, book: book}}}
operations:
  put_books:
    code: 1
    params: {books: [1, list<row<books>>]}
    steps: [{put: {into: books, row: b}, each: books as b}]
  put_shelves:
    code: 2
    params: {shelves: [1, list<row<shelves>>]}
    steps: [{put: {into: shelves, row: s}, each: shelves as s}]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(tmp_path_factory.mktemp("unique_in_shards"), TEXT)


def shard(made: Package, path: Path, *books: tuple[int, int, int, int], zone: int | None = None) -> Path:
    operations: list[Any] = [
        made.operations.PutBooks(
            books=tuple(
                made.types.Books(shelf=shelf, book=book, mark=mark, serial=serial)
                for shelf, book, mark, serial in books
            )
        )
    ]
    if zone is not None:
        operations.append(
            made.operations.PutShelves(shelves=(made.types.Shelves(shelf=books[0][0], zone=zone),))
        )
    with ShardBuilder(made.box.PACKAGE, path) as builder:
        builder.add(1, operations)
        assert builder.finish().refused == ()
    return path


@pytest.mark.parametrize(("index", "books"), [("by_mark", (8, 6)), ("by_serial", (9, 5))])
def test_rows_of_one_unique_key_are_told_with_their_shards(
    made: Package, tmp_path: Path, index: str, books: tuple[int, int]
) -> None:
    one = shard(made, tmp_path / "one.box", (1, 1, 8, 5))
    other = shard(made, tmp_path / "other.box", (2, 4, 3, 7), (2, 3, *books))

    told = (
        rf"table '{index}', key \w+\((mark=8|serial=5)\): rows of 'books' that two groups wrote share "
        r"this key of a unique index: .*shelf=1, book=1\) in .*one\.box and .*shelf=2, book=3\) in "
        r".*other\.box; in the source, give the emission that writes them `by`, .*`by: \[\]`"
    )
    with pytest.raises(ShardsOverlap, match=told) as raised:
        merge(made.box.PACKAGE, [one, other], tmp_path / "all.box")

    assert raised.value.source == "books"
    numbers = [str(row).partition(", ")[2] for row in raised.value.rows]
    assert numbers == ["shelf=1, book=1)", "shelf=2, book=3)"]


def test_rows_that_only_meet_when_they_are_made_again_are_told_as_well(made: Package, tmp_path: Path) -> None:
    one = shard(made, tmp_path / "one.box", (1, 1, 1, 1), zone=4)
    other = shard(made, tmp_path / "other.box", (2, 2, 2, 2), zone=4)

    told = r"'by_zone', key ByZoneKey\(zone=4\): rows of 'placed' that two groups .* of a unique index; in"
    with pytest.raises(ShardsOverlap, match=told):
        merge(made.box.PACKAGE, [one, other], tmp_path / "all.box")

    assert not (tmp_path / "all.box").exists()
