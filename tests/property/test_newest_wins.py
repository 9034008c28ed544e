"""Rows of which the newest version wins, and those that are deleted: in any order, however often.

Law. What tells rows with a version, and tells what is deleted as a row that says so, leaves the same rows in
whatever order it comes and however often: of each row its newest version. `docs/schema/updates.md` shows it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.folding_world import folding_store
from tests.property.fresh import fresh_box
from tests.property.random_store import RandomStore
from tests.property.test_bulk import IN_MEMORY

from pillarbox_codegen.repeats import doubt

SCHEMA: Final = """
schema: {name: NAME}
tables:
  notes:
    id: 1
    key: {note: int32}
    record:
      rev: [1, int64]
      text: [2, opt<text>]
      deleted: {number: 3, type: bool, default: false}
    upsert: [{keep: [rev, text, deleted], when: old.rev > new.rev}]
  standing: {id: 2, index: {from: notes, when: not deleted, key: [note], value: {text: text}}}
operations:
  put_note:
    code: 1
    params: {note: [1, row<notes>]}
    steps: [{put: {into: notes, row: note}}]
  delete_note:
    code: 2
    params: {note: [1, int32], rev: [2, int64]}
    steps: [{put: {into: notes, row: {note: note, rev: rev, text: none, deleted: true}}}]
"""
DELETED: Final = "[{put: {into: notes, row: {note: note, rev: rev, text: none, deleted: true}}}]"

#: What a server has said of a note by its versions; a text, or that it is deleted.
histories = st.dictionaries(
    st.tuples(st.integers(1, 3), st.integers(1, 4)), st.none() | st.sampled_from("abc"), min_size=1
)


def newest(name: str, text: str) -> RandomStore:
    return folding_store(name, text)


def told(store: RandomStore, history: dict[tuple[int, int], str | None]) -> list[Any]:
    operations, types = store.module(".operations"), store.module(".types")
    return [
        operations.DeleteNote(note=note, rev=rev)
        if text is None
        else operations.PutNote(note=types.Notes(note=note, rev=rev, text=text))
        for (note, rev), text in history.items()
    ]


def standing(store: RandomStore, operations: Sequence[Any]) -> dict[int, str | None]:
    """The notes of a box in which these were replayed, each in a commit of its own."""
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder,
        fresh_box(Path(folder, "a.box"), store.package) as box,
    ):
        for one in operations:
            box.replay([one])
        with box.reading() as tables:
            return {row.note: row.text for row in tables.standing.all()}


def law(store: RandomStore) -> None:
    @given(history=histories, data=st.data())
    def whatever_comes(history: dict[tuple[int, int], str | None], data: st.DataObject) -> None:
        coming = data.draw(st.permutations([*told(store, history), *told(store, history)]))
        last = {note: text for (note, _), text in sorted(history.items(), key=lambda one: one[0])}

        assert standing(store, coming) == {note: text for note, text in last.items() if text is not None}

    whatever_comes()


def test_the_newest_version_stands_in_whatever_order_it_comes() -> None:
    store = newest("newest_wins", SCHEMA)

    assert [doubt(one, store.schema.tables) for one in store.schema.operations.values()] == [None, None]
    law(store)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("newest_keeps_less", "keep: [rev, text, deleted]", "keep: [rev, text]"),
        ("newest_is_removed", DELETED, "[{remove: {from: notes, at: note}}]"),
    ],
)
def test_less_than_that_is_found(name: str, old: str, new: str) -> None:
    """What keeps only some fields, and a deleted row that is gone and so comes back."""
    assert SCHEMA.count(old) == 1

    with pytest.raises(AssertionError):
        law(newest(name, SCHEMA.replace(old, new)))
