"""What a search finds equals what reading every text finds, in each engine, whatever was written before.

The oracle cuts texts by the plainest means: letters and digits belong together, without their accents.
"""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from tests.property.mutants import HARD, Fault

from pillarbox.codec import Packed, PackedField
from pillarbox.errors import PillarboxError
from pillarbox.storage import Engine, Search, StoredKey, TableLayout, open_engine, sqlite, statements, words

BYTES = TableLayout(1, "texts", False, 1, False, words=True)
INTS = TableLayout(2, "numbered texts", True, None, False, words=True)
KEYS: dict[int, list[Any]] = {1: [b"a", b"b", b"\0", b"\xff"], 2: [-(2**63), 0, 7, 2**63 - 1]}
VALUE = Packed("texts", (PackedField("words", "text"),))

pieces = st.sampled_from(
    [
        "ab",
        "abc",
        "b",
        "É",
        "e\u0301a",
        "AB",
        "日本",
        "本",
        "カナ",
        "ab-b",
        "it's",
        "!",
        '"',
        "*",
        "a:b",
        "NEAR",
        "ไทย",
        "\ue0000p1",
    ]
)
texts = st.lists(pieces, max_size=4).map(" ".join) | st.text(
    alphabet='ab é日本"*(){}^:-\0\ue0000p1', max_size=8
)
marks = st.lists(st.tuples(st.integers(0, 1), st.sampled_from((-1, 1))), max_size=2)
bounds = st.none() | st.none() | st.integers(0, 3)


def cut(text: str) -> list[str]:
    """The words of a text."""
    plain = unicodedata.normalize("NFD", text.lower())
    found: list[str] = []
    inside = False
    for letter in plain:
        if unicodedata.combining(letter) and not "\u0e00" <= letter <= "\u0eff":
            continue
        alone = (
            "\u0e00" <= letter <= "\u0eff" or "\u3040" <= letter <= "\u30ff" or "\u4e00" <= letter <= "\u9fff"
        )
        if not letter.isalnum():
            inside = False
        elif inside and not alone:
            found[-1] += letter
        else:
            found.append(letter)
            inside = not alone
    return found


def finds(query: str, text: str) -> bool:
    phrases = [
        phrase for word in query.replace("\0", " ").replace("\ue000", " ").split() if (phrase := cut(word))
    ]
    inside = cut(text.replace("\ue000", " "))
    if not phrases:
        return False
    for place, phrase in enumerate(phrases):
        last = place == len(phrases) - 1
        starts = range(len(inside) - len(phrase) + 1)
        if not any(
            inside[at : at + len(phrase)] == phrase
            or (
                last
                and inside[at : at + len(phrase) - 1] == phrase[:-1]
                and inside[at + len(phrase) - 1].startswith(phrase[-1])
            )
            for at in starts
        ):
            return False
    return True


class WordsMachine(RuleBasedStateMachine):
    """Two tables of texts with marks; the model is a dict for each."""

    in_file = True

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.engine: Engine = self.opened()
        self.engine.begin()
        self.engine.create(BYTES)
        self.engine.create(INTS)
        self.engine.commit()
        self.committed: dict[int, dict[StoredKey, tuple[str, frozenset[Any]]]] = {1: {}, 2: {}}
        self.rows = {1: dict(self.committed[1]), 2: dict(self.committed[2])}
        self.is_open = False

    def opened(self) -> Engine:
        path = str(Path(self.folder.name) / "a.box") if self.in_file else ":memory:"
        return open_engine(path, durability="relaxed")

    def teardown(self) -> None:
        self.engine.close()
        self.folder.cleanup()

    def begin(self) -> None:
        if not self.is_open:
            self.engine.begin()
            self.rows = {number: dict(rows) for number, rows in self.committed.items()}
            self.is_open = True

    @rule(
        table=st.sampled_from([BYTES, INTS]),
        entries=st.lists(
            st.tuples(st.integers(0, 3), texts, marks), min_size=1, max_size=4, unique_by=lambda it: it[0]
        ),
    )
    def put(self, table: TableLayout, entries: list[Any]) -> None:
        self.begin()
        entries = sorted((KEYS[table.id][at], text, given) for at, text, given in entries)
        values = [
            VALUE.encode(words.marked(text, [words.mark(*it) for it in given])) for _, text, given in entries
        ]
        self.engine.put_many(table, [key for key, _, _ in entries], values)
        for key, text, given in entries:
            self.rows[table.id][key] = (text, frozenset(given))

    @rule(table=st.sampled_from([BYTES, INTS]), text=texts, given=marks)
    def put_everywhere(self, table: TableLayout, text: str, given: list[Any]) -> None:
        """So that one search finds several rows, whose order then shows."""
        self.put(table, [(at, text, given) for at in range(4)])

    @rule(table=st.sampled_from([BYTES, INTS]), places=st.sets(st.integers(0, 3)))
    def remove(self, table: TableLayout, places: set[int]) -> None:
        self.begin()
        keys = sorted(KEYS[table.id][place] for place in places)
        self.engine.remove_many(table, keys)
        for key in keys:
            self.rows[table.id].pop(key, None)

    @rule(table=st.sampled_from([BYTES, INTS]), drop=st.booleans())
    def clear(self, table: TableLayout, drop: bool) -> None:
        self.begin()
        if drop:
            self.engine.drop(table)
            self.engine.create(table)
        else:
            self.engine.clear(table)
        self.rows[table.id].clear()

    @precondition(lambda self: self.is_open)
    @rule(land=st.booleans())
    def end(self, land: bool) -> None:
        self.is_open = False
        if land:
            self.engine.commit()
            self.committed = self.rows
        else:
            self.engine.rollback()
        self.rows = {number: dict(rows) for number, rows in self.committed.items()}

    @precondition(lambda self: self.in_file)
    @rule()
    def reopen(self) -> None:
        self.engine.close()
        self.engine = self.opened()
        self.is_open = False
        self.rows = {number: dict(rows) for number, rows in self.committed.items()}

    @precondition(lambda self: self.in_file and not self.is_open)
    @rule()
    def copy(self) -> None:
        """A backup numbers the rows of its tables as it likes."""
        path = str(Path(self.folder.name) / "b.box")
        self.engine.backup(path)
        self.engine.close()
        Path(path).rename(Path(self.folder.name) / "a.box")
        for name in ("a.box-wal", "a.box-shm"):
            Path(self.folder.name, name).unlink(missing_ok=True)
        self.engine = self.opened()

    @rule(
        query=texts,
        like=st.none() | st.integers(0, 7),
        given=marks,
        low=bounds,
        high=bounds,
        newest=st.booleans(),
        limit=st.none() | st.integers(0, 3) | st.just(1 << 63),
    )
    def search(
        self,
        query: str,
        like: int | None,
        given: list[Any],
        low: int | None,
        high: int | None,
        newest: bool,
        limit: int | None,
    ) -> None:
        """For any text, or for one that is there, or for its last word."""
        stored = [it for rows in self.rows.values() for it in rows.values()]
        if like is not None and stored:
            text, there = stored[like % len(stored)]
            query = text if like % 2 else text[-2:]
            given = sorted(there)[: len(given)] if like % 4 < 2 else given
        for table in (BYTES, INTS):
            keys = sorted(KEYS[table.id])
            low_key = None if low is None else keys[low]
            high_key = None if high is None else keys[high]
            wanted = sorted(
                (
                    key
                    for key, (text, marked_with) in self.rows[table.id].items()
                    if finds(query, text) and marked_with.issuperset(given)
                    if (low_key is None or key >= low_key) and (high_key is None or key < high_key)
                ),
                reverse=newest,
            )[:limit]

            asked = words.search_for(query, [words.mark(*it) for it in given])
            found = self.engine.search(table, asked, low_key, high_key, newest_first=newest, limit=limit)

            assert found == wanted


class MemoryWordsMachine(WordsMachine):
    """The same, in memory."""

    in_file = False


TestInFile = WordsMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30)
TestInMemory = MemoryWordsMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)

#: What engines share is looked for in memory, which is faster.
FILE, MEMORY = WordsMachine, MemoryWordsMachine
FAULTS = (
    (MEMORY, Fault("a text may be a mark", words, "_spaced", '_FORBIDDEN.sub(" ", text)', "text")),
    (
        MEMORY,
        Fault("letters of their own are one word", words, "_spaced", 'r" \\1 "', 'r"\\1"'),
    ),
    (MEMORY, Fault("less than nothing is more", words, "mark", 'f"{part}m{-number}"', 'f"{part}p{-number}"')),
    (MEMORY, Fault("marks are of one part", words, "mark", 'f"{part}p{number}"', 'f"0p{number}"')),
    (
        MEMORY,
        Fault("the last word of a search is all", words, "search_for", "text.split()", "text.split()[-1:]"),
    ),
    (
        FILE,
        Fault(
            "an expression asks for no marks",
            Search,
            "expression",
            "for mark in self.marks",
            "for mark in ()",
        ),
    ),
    (FILE, Fault("the last word of an expression is whole", Search, "expression", "} *", "}")),
    (MEMORY, Fault("marks are not looked at", Search, "finds", "for mark in self.marks", "for mark in ()")),
    (MEMORY, Fault("one phrase will do", Search, "finds", "for phrase in whole", "for phrase in ()")),
    (MEMORY, Fault("a phrase must not stand", words, "_stands", "return any(", "return not any(")),
    (MEMORY, Fault("the last word begins anywhere", words, "_begins", ".startswith(last)", ".count(last)")),
    (FILE, Fault("a text that goes stays", statements, "_words", "old.v", "zeroblob(0)")),
    (
        FILE,
        Fault("a search has no upper bound", sqlite, "search_sql", "AND t.k<?2", "AND ?2 IS NOT NULL"),
    ),
    (
        FILE,
        Fault(
            "a search is in the order of keys",
            sqlite,
            "search_sql",
            '" DESC" if newest_first',
            '"" if newest_first',
        ),
    ),
)


@pytest.mark.parametrize(("machine", "fault"), FAULTS, ids=str)
def test_planted_faults_are_found(machine: type[WordsMachine], fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        run_state_machine_as_test(machine, settings=HARD)
