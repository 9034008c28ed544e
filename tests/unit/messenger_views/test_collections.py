"""Views of collections, lists of things in an order, folders."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.unit.messenger_views.cases import Case, check

from pillarbox_messenger import operations as o
from pillarbox_messenger import types as t
from pillarbox_messenger import views as v

STICKERS, MASKS, EMOJI = (
    t.CollectionKind.STICKER_PACKS,
    t.CollectionKind.MASK_PACKS,
    t.CollectionKind.EMOJI_PACKS,
)
RECENT, SAVED = t.OrderedList.RECENT_STICKERS, t.OrderedList.SAVED_STICKERS


def put(
    kind: t.CollectionKind, number: int, items: Sequence[int] = (), title: str = "Cats"
) -> o.ReplaceCollection:
    id_ = t.CollectionId(number)
    info = t.CollectionInfo(title, "cats", len(items))
    return o.ReplaceCollection(
        kind, id_, info, tuple(sticker(kind, id_, at, n) for at, n in enumerate(items))
    )


def sticker(kind: t.CollectionKind, id_: t.CollectionId, at: int, number: int) -> t.CollectionItems:
    return t.CollectionItems(kind, id_, at, number, t.Photo(t.FileId(number)))


def fill(kind: t.CollectionKind, number: int, *items: int) -> o.ReplaceCollectionItems:
    id_ = t.CollectionId(number)
    return o.ReplaceCollectionItems(kind, id_, tuple(sticker(kind, id_, at, n) for at, n in enumerate(items)))


def order(kind: t.CollectionKind, *numbers: int) -> o.UpdatePacks:
    return o.UpdatePacks(t.PacksReordered(kind, tuple(t.CollectionId(number) for number in numbers)))


def ordered(which: t.OrderedList, *items: bytes) -> o.ReplaceOrdered:
    return o.ReplaceOrdered(which, tuple(t.OrderedItem(item, b"contents") for item in items))


def folder(number: int, title: str) -> t.FolderPlace:
    return t.FolderPlace(number, t.Folder(title=title, categories=0))


def around(count: int = 5) -> v.ItemCollections:
    return v.ItemCollections((STICKERS, MASKS), (RECENT,), count)


TWO = [put(STICKERS, 1, (11, 12)), put(STICKERS, 2, (21,))]
CASES = [
    Case(v.Collections(STICKERS, t.CollectionId(1)), TWO, [order(STICKERS, 2, 1)], "infos", [put(MASKS, 1)]),
    Case(
        v.Collections(STICKERS, t.CollectionId(1)),
        TWO,
        [fill(STICKERS, 1, 11, 12, 13)],
        "items",
        [fill(STICKERS, 2, 21, 22), fill(MASKS, 1, 5)],
    ),
    Case(
        v.CollectionInfos((STICKERS, MASKS)),
        TWO,
        [put(MASKS, 1, (5,))],
        "found",
        [put(EMOJI, 1, (5,)), fill(STICKERS, 3, 9), fill(EMOJI, 1, 6)],
    ),
    Case(
        v.CollectionInfos((STICKERS,)), TWO, [fill(STICKERS, 2, 21, 22)], "found", [put(MASKS, 2, (21, 22))]
    ),
    Case(
        v.CollectionIds((STICKERS, MASKS)),
        TWO,
        [put(STICKERS, 3)],
        "found",
        [put(EMOJI, 3), put(STICKERS, 2, (21,), "Dogs"), fill(STICKERS, 1, 7)],
    ),
    Case(
        v.OneCollection(STICKERS, t.CollectionId(2)),
        TWO,
        [put(STICKERS, 2, (21,), "Dogs")],
        "info",
        [order(STICKERS, 2, 1), put(STICKERS, 1, (11,), "Dogs"), put(MASKS, 2), fill(STICKERS, 2, 22)],
    ),
    Case(
        v.OrderedItems(RECENT),
        [ordered(RECENT, b"a", b"b")],
        [o.PlaceFirst(RECENT, b"b", b"contents", None)],
        "items",
        [o.PlaceFirst(SAVED, b"b", b"contents", None)],
    ),
    Case(
        v.OrderedItems(RECENT),
        [ordered(RECENT, b"a", b"b"), ordered(SAVED, b"a")],
        [o.UpdateOrdered(RECENT, b"a", b"other")],
        "items",
        [o.UpdateOrdered(SAVED, b"a", b"other")],
    ),
    Case(
        around(),
        TWO,
        [fill(STICKERS, 2, 21, 22)],
        "things",
        [fill(EMOJI, 1, 5), put(EMOJI, 9, (5,)), ordered(SAVED, b"a")],
    ),
    Case(around(), TWO, [order(STICKERS, 2, 1)], "infos things", [put(EMOJI, 1)]),
    Case(around(), [*TWO, ordered(RECENT, b"a")], [ordered(RECENT, b"b")], "ordered", [ordered(SAVED, b"b")]),
    Case(
        v.Folders(),
        [o.ReplaceFolders((folder(1, "Work"), folder(2, "Home")))],
        [o.PutFolder(2, t.Folder(title="Family", categories=0))],
        "folders",
        [put(STICKERS, 1), ordered(RECENT, b"a")],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_concerns_a_view_is_told_and_its_neighbours_are_not(case: Case) -> None:
    check(case)
