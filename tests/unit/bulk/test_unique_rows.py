"""Rows of two shards that have one key in a unique index: which they are, and what to write in the source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.property.test_unique_merging import VARIANTS
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.bulk import ShardBuilder, merge
from pillarbox.errors import ShardsOverlap


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    text = VARIANTS["unique_alone"].replace("NAME", "unique_in_shards")
    return imported(tmp_path_factory.mktemp("unique_in_shards"), text)


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


@pytest.mark.parametrize(
    ("index", "books", "key", "row"),
    [
        ("by_mark", (8, 6), "ByMarkKey(mark=8)", "ByMark(mark=8, shelf={}, book=3)"),
        ("by_serial", (9, 5), "BySerialKey(serial=5, book=3)", "BySerial(serial=5, book=3, shelf={})"),
    ],
)
def test_rows_of_one_unique_key_are_told_with_their_shards(
    made: Package, tmp_path: Path, index: str, books: tuple[int, int], key: str, row: str
) -> None:
    one = shard(made, tmp_path / "one.box", (1, 3, 8, 5))
    other = shard(made, tmp_path / "other.box", (2, 4, 3, 7), (2, 3, *books))

    with pytest.raises(ShardsOverlap) as raised:
        merge(made.box.PACKAGE, [one, other], tmp_path / "all.box")

    assert str(raised.value).startswith(
        f"table {index!r}, key {key}: rows of 'books' that two groups wrote share this key of a unique "
        f"index: {row.format(1)} in {one} and {row.format(2)} in {other}; "
        f"in the source, give the emission that writes them `by`, "
    )
    assert "or `by: []` where none has them" in str(raised.value)
    assert raised.value.source == "books"
    assert [str(found) for found in raised.value.rows] == [row.format(1), row.format(2)]


def test_rows_that_only_meet_when_they_are_made_again_are_told_as_well(made: Package, tmp_path: Path) -> None:
    one = shard(made, tmp_path / "one.box", (1, 1, 0, 1), zone=4)
    other = shard(made, tmp_path / "other.box", (2, 2, 0, 2), zone=4)

    told = r"ByZoneKey\(zone=4, mark=0\): rows of 'placed' that two groups wrote share .* unique index; in"
    with pytest.raises(ShardsOverlap, match=told):
        merge(made.box.PACKAGE, [one, other], tmp_path / "all.box")

    assert not (tmp_path / "all.box").exists()
