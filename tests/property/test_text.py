"""A search finds what reading every row finds: in a transaction, after it, and in a file opened again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from tests.property.law_machine import LawMachine, Rows
from tests.property.mutants import HARD, Fault
from tests.property.test_words import finds

from pillarbox.errors import PillarboxError
from pillarbox.maintainers import Text, TextReader, TextTable
from pillarbox.storage import mark, marked

words = st.lists(st.sampled_from(("red", "Réd", "fox", "foxes", "日本", "本", "-", "it's")), max_size=3)
texts = words.map(" ".join)
few = st.integers(0, 2)


class Model:
    def __init__(self) -> None:
        self.books: dict[tuple[int, int], tuple[str, str, int, bool]] = {}
        self.notes: dict[int, tuple[str, str]] = {}

    def copy(self) -> Model:
        other = Model()
        other.books, other.notes = dict(self.books), dict(self.notes)
        return other

    def rows(self) -> Rows:
        """What is stored of a text is the runtime's own business: `searches` holds what follows from it."""
        return {
            "books": {(*key, *fields) for key, fields in self.books.items()},
            "find_books": {
                (
                    *key,
                    marked(
                        f"{title} {subtitle}",
                        [mark(0, key[0]), *(mark(1, bit) for bit in (1, 2) if bit & bits)],
                    ),
                )
                for key, (title, subtitle, bits, hidden) in self.books.items()
                if not hidden
            },
            "notes": {(n, *fields) for n, fields in self.notes.items()},
            "find_notes": {
                (n, marked(text, [mark(0, owner), mark(1, n)])) for n, (text, owner) in self.notes.items()
            },
            "plain_notes": {(n, marked(text)) for n, (text, _) in self.notes.items()},
        }

    def books_with(self, query: str, shelf: int | None, marks: int | None) -> list[tuple[int, int]]:
        return sorted(
            key
            for key, (title, subtitle, bits, hidden) in self.books.items()
            if not hidden and finds(query, f"{title} {subtitle}")
            if (shelf is None or key[0] == shelf) and (marks is None or bits & marks == marks)
        )

    def notes_with(self, query: str, by: str | None, even: int | None) -> list[int]:
        return sorted(
            n
            for n, (text, owner) in self.notes.items()
            if finds(query, text) and (by is None or owner == by) and (even is None or n == even)
        )


class TextMachine(LawMachine):
    schema = "text"
    model_class = Model

    @rule(
        books=st.lists(
            st.tuples(st.integers(0, 1), few, texts, texts, st.integers(0, 3), st.booleans()),
            min_size=1,
            max_size=5,
        )
    )
    def put_books(self, books: list[Any]) -> None:
        self.begin()
        for shelf, *rest in books:
            self.tx.books.put(self.made("Books", self.types.Shelf(shelf), *rest))
            self.model.books[shelf, rest[0]] = tuple(rest[1:])

    @rule(limit=st.integers(1, 3), newest=st.booleans())
    def overwrite_and_search(self, limit: int, newest: bool) -> None:
        """What is stored is found until it is written over."""
        self.put_books([(shelf, n, "red", "", 0, False) for shelf in (0, 1) for n in range(3)])
        self.commit()
        self.put_books([(shelf, n, "fox", "", 0, False) for shelf, n in ((0, 0), (1, 2))])
        self.search_books("red", None, None, newest, limit)

    @rule(shelf=st.integers(0, 1), n=few)
    def remove_book(self, shelf: int, n: int) -> None:
        self.begin()
        self.tx.books.remove(self.types.Shelf(shelf), n)
        self.model.books.pop((shelf, n), None)

    @rule(n=st.integers(-1, 1), text=texts, owner=st.sampled_from(("ann", "red", "")))
    def put_note(self, n: int, text: str, owner: str) -> None:
        self.begin()
        self.tx.notes.put(self.types.Notes(n, text, owner))
        self.model.notes[n] = (text, owner)

    @rule(n=st.integers(-1, 1))
    def remove_note(self, n: int) -> None:
        self.begin()
        self.tx.notes.remove(n)
        self.model.notes.pop(n, None)

    @rule(
        query=texts | st.sampled_from(("", '"', "fo", "re")),
        shelf=st.none() | st.integers(0, 1),
        marks=st.none() | st.integers(0, 3),
        newest=st.booleans(),
        limit=st.none() | st.integers(0, 3),
    )
    def search_books(
        self, query: str, shelf: int | None, marks: int | None, newest: bool, limit: int | None
    ) -> None:
        tables = self.tx if self.is_open else self.package.transaction.Tables(self.engine)
        model = self.model if self.is_open else self.committed
        wanted = model.books_with(query, shelf, marks)

        asked = None if shelf is None else self.types.Shelf(shelf)
        found = tables.find_books.search(query, shelf=asked, marks=marks, newest_first=newest, limit=limit)

        rows = tables.books.rows_at(found)
        assert [(row.shelf, row.n) for row in rows] == (wanted[::-1] if newest else wanted)[:limit]

    @rule(
        query=texts,
        by=st.none() | st.sampled_from(("ann", "red", "", "fox")),
        even=st.none() | st.integers(-1, 1),
        limit=st.none() | st.integers(0, 2),
    )
    def search_notes(self, query: str, by: str | None, even: int | None, limit: int | None) -> None:
        tables = self.tx if self.is_open else self.package.transaction.Tables(self.engine)
        model = self.model if self.is_open else self.committed

        found = tables.find_notes.search(query, by=by, even=even, limit=limit)
        plainly = tables.plain_notes.search(query, limit=limit, newest_first=False)

        assert found == model.notes_with(query, by, even)[::-1][:limit]
        assert plainly == model.notes_with(query, None, None)[:limit]


class FileMachine(TextMachine):
    in_file = True


TestInMemory = TextMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30, max_examples=30)

FAULTS = (
    Fault("new texts are forgotten", Text, "add", "self.target.put_new", "list"),
    Fault(
        "old texts stay",
        Text,
        "apply",
        "None if new is None else text_of(new)",
        "was if new is None else text_of(new)",
    ),
    Fault("a text that changes stays", Text, "apply", "was != now", "was is None"),
    Fault(
        "writes of the transaction are not found",
        TextTable,
        "found",
        "if search.finds",
        "if False and search.finds",
    ),
    Fault("what was overwritten is found", TextTable, "found", "if key not in written", ""),
    Fault("too few are asked for", TextTable, "found", "limit + len(written)", "limit"),
    Fault("writes come last", TextTable, "found", "both.sort(reverse=newest_first)", "pass"),
    Fault("a search does not settle", TextTable, "found", "self._settle()", "pass"),
    Fault("the order is one", TextReader, "found", "newest_first=newest_first", "newest_first=True"),
    Fault("the limit is none", TextReader, "found", "limit=limit", "limit=None"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, TypeError)):
        run_state_machine_as_test(TextMachine, settings=HARD)
