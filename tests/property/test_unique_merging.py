"""Operations on tables with unique indexes: merged, or all at once, they do what they do one by one.

Law. Where operations in one transaction violate nothing, what `optimise` leaves of them violates nothing
either, and leaves an equal box; so do they in several transactions, where that violates nothing. What is
unique also follows from other tables, through a join; and it is looked at whenever somebody reads what is
derived, which may be before another operation settles what is in conflict.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.folding_world import folding_store
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_merging import by_kind, merges_of

from pillarbox.bulk import differences
from pillarbox.errors import PillarboxError
from pillarbox.sync import Merges, optimiser
from pillarbox_codegen import reaches

TEXT: Final = """
schema: {name: NAME, doc: What is unique.}
tables:
  shelves: {id: 1, key: {shelf: int32}, record: {zone: [1, int32]}}
  books:
    id: 2
    key: {shelf: int32, book: int32}
    record: {mark: [1, int32], serial: [2, int32]}
    owned: {by: shelves, key: [shelf]}
  by_mark:
    id: 3
    index: {from: books, unique: true, when: mark > 0, key: [mark], value: {shelf: shelf, book: book}}
  by_serial: {id: 4, index: {from: books, unique: identity, key: [serial, book], value: {shelf: shelf}}}
  on_shelf: {id: 9, index: {from: books, key: [shelf, book]}}
  placed:
    id: 5
    join:
      by: [shelf, book]
      rows: books
      with: {at: {row: "shelves([shelf])", via: on_shelf}}
      when: at is present
      row: {zone: at.zone, mark: rows.mark}
  by_zone: {id: 6, index: {from: placed, unique: true, key: [zone, mark], value: {shelf: shelf, book: book}}}
  people: {id: 7, key: {person: int32}, record: {of: [1, int32]}}
  counted: {id: 8, count: {from: people, group: [of], sum: {all: 1}}}
events:
  told: {code: 1, fields: {all: [1, int32]}}
operations:
  put_books:
    code: 1
    params: {books: [1, list<row<books>>]}
    merge: {batch: books}
    steps: [{put: {into: books, row: b}, each: books as b}]
  put_shelves:
    code: 2
    params: {shelves: [1, list<row<shelves>>]}
    merge: {batch: shelves}
    steps: [{put: {into: shelves, row: s}, each: shelves as s}]
  put_people:
    code: 3
    params: {people: [1, list<row<people>>]}
    merge: {batch: people}
    steps: [{put: {into: people, row: p}, each: people as p}]
  remove_shelf:
    code: 4
    params: {shelf: [1, int32]}
    steps: [{remove: {from: shelves, at: shelf}}]
  remove_book:
    code: 5
    params: {shelf: [1, int32], book: [2, int32]}
    steps: [{remove: {from: books, at: "[shelf, book]"}}]
  move_shelf:
    code: 6
    params: {shelf: [1, int32], zone: [2, int32]}
    merge: {tail: [shelf]}
    steps: [{patch: {table: shelves, at: shelf, set: {zone: zone}}}]
  tell:
    code: 7
    params: {of: [1, int32]}
    steps: [{emit: {event: told, all: counted(of).all // 0}}]
  tell_zone:
    code: 8
    params: {zone: [1, int32], mark: [2, int32]}
    steps: [{emit: {event: told, all: 'by_zone([zone, mark]).book // 0'}}]
"""
#: Rows that stand by themselves are not looked up when others are put: less is known to meet.
VARIANTS: Final = {
    "unique_owned": TEXT,
    "unique_alone": TEXT.replace("    owned: {by: shelves, key: [shelf]}\n", ""),
}
#: Gives operations of a store.
Some: TypeAlias = Callable[[RandomStore], st.SearchStrategy[Any]]
NAMES: Final = (
    *("put_books",) * 4,
    *("put_shelves", "move_shelf", "tell", "put_people") * 2,
    *("remove_shelf", "remove_book", "tell_zone"),
)


def any_of(store: RandomStore) -> st.SearchStrategy[Any]:
    """Operations of each kind."""
    return st.sampled_from(NAMES).flatmap(store.operation_of)


def quarrels(store: RandomStore) -> st.SearchStrategy[Any]:
    """Of two books that bear the same mark, one at a time is put, or removed, or somebody looks."""
    operations, types = store.module(".operations"), store.module(".types")
    put = [operations.PutBooks(books=(types.Books(1, book, 1, book),)) for book in (1, 2)]
    remove = [operations.RemoveBook(shelf=1, book=book) for book in (1, 2)]
    return st.sampled_from((*put, *remove, operations.Tell(of=1)))


def law_of(store: RandomStore, hard: settings, some: Some = any_of) -> None:
    """The law, for histories of these operations."""
    one, merges = some(store), merges_of(store.schema.name)

    @hard
    @given(st.lists(one, max_size=4), st.lists(one, min_size=2, max_size=8), st.integers(1, 4))
    def law(before: list[Any], operations: list[Any], run: int) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            boxes = Boxes(store, Path(folder))
            boxes.begin(before)
            boxes.replay(operations, merges, run)

    law()


class Boxes:
    """One box each for ways to replay the same."""

    def __init__(self, store: RandomStore, folder: Path) -> None:
        self.package = store.package
        self.paths = [folder / f"{way}.box" for way in ("tried", "at once", "merged", "in runs")]
        self.boxes = [fresh_box(path, self.package) for path in self.paths]

    def begin(self, operations: Sequence[Any]) -> None:
        """Whatever of it can be done."""
        for one in operations:
            if self._told(0, [one]) is not None:
                for way in range(1, len(self.boxes)):
                    self._told(way, [one])

    def replay(self, operations: list[Any], merges: Merges, run: int) -> None:
        """The law; where the operations violate something, whether merged or not, it says nothing."""
        told = self._told(1, operations)
        if told is None:
            return
        merged = self._told(2, optimiser.optimise(operations, merges))
        assert merged is not None, "merged it is refused"
        assert by_kind(merged) == by_kind(told)
        runs = [operations[start : start + run] for start in range(0, len(operations), run)]
        in_runs = [self._told(3, one) for one in runs]
        for box in self.boxes:
            box.close()
        assert differences(self.package, self.paths[1], self.paths[2]) == []
        if None not in in_runs:
            assert differences(self.package, self.paths[1], self.paths[3]) == []

    def _told(self, way: int, operations: Sequence[Any]) -> Sequence[object] | None:
        """The events; None where it is refused."""
        try:
            return self.boxes[way].replay(operations).events
        except PillarboxError:
            return None


@pytest.mark.parametrize("name", VARIANTS)
def test_operations_on_what_is_unique_do_merged_and_at_once_what_they_do_one_by_one(name: str) -> None:
    store, some = (
        folding_store(name, VARIANTS[name]),
        settings(max_examples=max(100, settings().max_examples)),
    )

    law_of(store, some)
    law_of(store, some, quarrels)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("what is unique is not looked at in between", reaches, "_follow",
          "origins(table.name, tables) & written", "False"),
    Fault("nothing ends a batch", optimiser, "optimise", "merges.ends.get(kind, frozenset())", "frozenset()"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law_of(folding_store(f"unique_fault_{FAULTS.index(fault)}", VARIANTS["unique_alone"]), HARD, quarrels)
