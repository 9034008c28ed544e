"""Any operations on words that keep tables on top of each other: how it comes about does not matter.

The schemas are `tests/data/schemas/words` (rows that share, own, bound, number and name each other, and what
is made of them) and `grounds` (what stands on a base of a server, on ranges, lists and seeds).

Laws. A history leaves the same whether transactions are rolled back in between, everything is read in the
middle, the box is opened anew, or a shard is built of it in slices. Each pure table is the function of its
sources, and what must hold of the others holds. What a commit tells is what has changed. Operations leave the
same one by one and all at once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.fresh import fresh_box
from tests.property.law_machine import check_made_again, create
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_random_store import play
from tests.property.test_verify import found_in

from pillarbox.box import Box
from pillarbox.bulk import ShardBuilder, differences
from pillarbox.codec import successor
from pillarbox.errors import PillarboxError, UsageError
from pillarbox.inspect.constraints import beyond, misplaced, orphans
from pillarbox.inspect.kept import kept_faults
from pillarbox.maintainers import (
    BoundTable,
    ListTable,
    OwnedTable,
    Refs,
    SeededReader,
    SeededTable,
    SharedTable,
    join,
    looking_index,
    lookups,
    marker,
    ranges,
    runs,
)
from pillarbox.storage import Engine, open_engine
from pillarbox.tables import ChangeRecord, TableReader, TableWriter, writer

WORDS: Final = ("words", "grounds")


class Turn(NamedTuple):
    """One transaction of a history."""

    operations: list[Any]
    #: Whether it is one that somebody takes back.
    keep: bool
    reopen: bool
    #: Before how many of the operations everything is read.
    reads: int


def some(store: RandomStore, most: int) -> st.SearchStrategy[list[Any]]:
    """Operations of a dozen kinds."""
    every = sorted(store.schema.operations)
    kinds = st.lists(st.sampled_from(every), min_size=2, max_size=12, unique=True)
    return kinds.flatmap(lambda few: store.operations(few, most))


def turns(store: RandomStore) -> st.SearchStrategy[list[Turn]]:
    """Mostly upon something, for without owners nothing stays."""
    every = sorted(store.schema.operations)
    kinds = st.lists(st.sampled_from(every), min_size=2, max_size=12, unique=True)
    keep = st.sampled_from((True, True, True, False))

    def of(few: list[str]) -> st.SearchStrategy[list[Turn]]:
        one = st.builds(Turn, store.operations(few, 5), keep, st.booleans(), st.integers(0, 5))
        return st.lists(one, min_size=2, max_size=8)

    return kinds.flatmap(of).map(lambda history: [Turn(grounds(store), True, False, 0), *history])


def grounds(store: RandomStore) -> list[Any]:
    """What there is at first: owners, and something of theirs."""
    o, t = store.module(".operations"), store.types
    if store.schema.name.startswith("words"):
        stamps = (t.Printed(1, "a"),)
        letters = [t.Letters(box=n, n=1, uid=n, at=n, stamps=stamps, words=("a",)) for n in (1, 2)]
        boxes = [t.Boxes(box=box, name=name, room=1) for box, name in enumerate(("", "a", "b"))]
        return [*map(o.PutBox, boxes), o.PutLetters(tuple(letters))]
    posts = [t.Posts(room=room, at=at, post=at, marks=at) for room in (1, 2) for at in (1, 3)]
    answers = [o.Answer(1, 0, 0, 0, 0), o.AnswerTagged(1, 1, 0, 1)]
    return [*(o.PutRoom(room, "a") for room in range(4)), *answers, o.Add(tuple(posts))]


#: How much is done at a time, or remembered.
LIMITS: Final = (
    *[(module, "_SLICE_ROWS") for module in (join, looking_index, lookups, runs)],
    (marker, "_SLICE"),
    (ranges, "_HELD_MAX"),
    (runs, "_SLICE_MAX"),
    (writer, "_KNOWN_MAX"),
)


@contextmanager
def all_limits_are(number: int) -> Iterator[None]:
    """What is done in slices, or up to a bound, comes past its end."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in LIMITS:
            patch.setattr(module, name, number)
        yield


class Lab:
    """An engine in memory, and transactions on it."""

    def __init__(self, store: RandomStore) -> None:
        self.package = store.package
        self.engine: Engine = open_engine(":memory:", durability="relaxed")
        create(self.engine, self.package.specs)
        self.tx = self.package.transaction(self.engine)

    def play(self, operations: list[Any], *, keep: bool = True, reads: int = 0) -> ChangeRecord | None:
        """Apply operations in one transaction; what it tells, None where it came to nothing."""
        tx = self.tx
        tx.begin()
        try:
            for place, operation in enumerate(operations):
                if place < reads:
                    self.read_everything()
                self.package.replay(tx, [operation])
            if not keep:
                raise UsageError("taken back")
            record: ChangeRecord = tx.seal()
            tx.commit()
        except PillarboxError:
            tx.rollback()
            return None
        return record

    def read_everything(self) -> None:
        for spec in self.package.specs:
            getattr(self.tx, spec.name).scan_cells(None, None)

    def shown(self) -> dict[int, dict[Any, Any]]:
        """What is read of each table."""
        return {number: shown(it) for number, it in self.package.tables(self.engine).by_id().items()}

    def stored(self) -> dict[str, Any]:
        """The bytes of each table; of what is in doubt, without the versions: they tell of transactions."""
        rules = self.package.layout_tree["tables"]
        doubted = {int(it) for it, table in rules.items() if (table["rule"] or {}).get("word") == "stale"}
        return {
            spec.name: [
                (key, value[:1] + value[5:] if spec.id in doubted else value)
                for key, value in self.engine.scan(spec.layout, None, None)
            ]
            for spec in self.package.specs
        }

    def faults(self) -> Iterator[Any]:
        """What does not hold of tables that are no functions of others."""
        tx = self.package.transaction(self.engine)
        for table in (getattr(tx, spec.name) for spec in self.package.specs):
            yield from kept_faults(self.engine, table)
            if isinstance(table, OwnedTable):
                yield from orphans(table)
            if isinstance(table, SharedTable):
                yield from misplaced(table)
            if isinstance(table, BoundTable):
                yield from beyond(table)
            if hasattr(table, "_computed"):
                yield from self._miscomputed(tx, table)

    def _miscomputed(self, tx: Any, table: Any) -> Iterator[Any]:
        """Rows whose fields are not those that follow from the others; values of one id that differ."""
        tx.begin()
        rows = table.rows_between(None, None)
        yield from (row for row in rows if table._computed(row) != row)
        values: dict[Any, set[Any]] = {}
        for row in rows:
            for value in getattr(row, "stamps", ()):
                values.setdefault(getattr(value, "number", value), set()).add(value)
        yield from (number for number, found in values.items() if len(found) > 1)
        tx.rollback()


@contextmanager
def labs(store: RandomStore, number: int) -> Iterator[list[Lab]]:
    made = [Lab(store) for _ in range(number)]
    try:
        yield made
    finally:
        for lab in made:
            lab.engine.close()


def shown(reader: TableReader[Any]) -> dict[Any, Any]:
    """What is read of a table; of one with seeds, which are read as if they were there, group by group."""
    if not isinstance(reader, SeededReader):
        return dict(reader.scan_cells(None, None))
    groups = [bytes((0x80 + room,)) for room in range(4)]
    return {key: cell for group in groups for key, cell in reader.scan_cells(group, successor(group))}


def check_history(store: RandomStore, history: list[Turn]) -> None:
    with labs(store, 2) as (plain, other):
        other.tx.remember()
        stands = plain.shown()
        for turn in history:
            with all_limits_are(1 + turn.reads % 3):
                other.play(turn.operations, keep=turn.keep, reads=turn.reads)
            if turn.keep:
                record = plain.play(turn.operations)
                was, stands = stands, plain.shown()
                check_told(record or ChangeRecord({}), was, stands)
        assert plain.stored() == other.stored()
        check_made_again(plain.engine, plain.package.specs, plain.package.transaction)
        assert list(plain.faults()) == []


def check_told(record: ChangeRecord, was: dict[int, Any], stands: dict[int, Any]) -> None:
    for number, rows in stands.items():
        pairs = {key: (was[number].get(key), rows.get(key)) for key in was[number].keys() | rows.keys()}
        changed = {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}
        assert record.tables.get(number, {}) == changed, number


def check_at_once(store: RandomStore, history: list[Any]) -> None:
    with labs(store, 2) as (single, at_once):
        every = [*grounds(store), *history]
        applied = [operation for operation in every if single.play([operation]) is not None]
        assert at_once.play(applied) is not None
        assert single.stored() == at_once.stored()


def check_files(store: RandomStore, history: list[Turn]) -> None:
    """Boxes remember from one transaction to the next, and search their words otherwise than memory does."""
    package = store.package
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        one, other, built = (Path(folder, f"{name}.box") for name in ("one", "other", "built"))
        with fresh_box(one, package) as box:
            for turn in history:
                play(store, box, turn.operations, keep=turn.keep)
        box = fresh_box(other, package)
        with ShardBuilder(package, built, slice_records=3) as builder:
            for place, turn in enumerate(history):
                if turn.keep:
                    play(store, box, turn.operations)
                    builder.add(place, turn.operations)
                if turn.reopen:
                    box.close()
                    box = Box(other, package, durability="relaxed")
            builder.finish()
        box.close()
        assert found_in(one, package, "derived") == []
        assert differences(package, one, other) == []
        assert differences(package, one, built) == []


@pytest.mark.parametrize("name", WORDS)
def test_a_history_leaves_the_same_whatever_happens_on_the_way(name: str) -> None:
    store = random_store(name)

    @given(history=turns(store))
    def law(history: list[Turn]) -> None:
        check_history(store, history)

    law()


#: Every word has its own law, with its faults; these stand for "words together would notice".
FAULTS: Final = (
    ("words", Fault("a value moves in unseen", Refs, "_decide", "self._write_anew(users)", "pass")),
    (
        "words",
        Fault("the order outlives", TableWriter, "forget", "self._order = {}, {}, None", "_ = {}, {}, None"),
    ),
    ("grounds", Fault("a seed is lost", SeededTable, "batch", "{**others, **differing}", "others")),
    (
        "grounds",
        Fault("places are not moved", ListTable, "_write", "was.pop(place, None) != at", "place not in was"),
    ),
)


@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=str)
def test_a_planted_fault_is_found(name: str, fault: Fault) -> None:
    store = random_store(name)

    @settings(HARD)
    @given(history=turns(store))
    def law(history: list[Turn]) -> None:
        check_history(store, history)

    with fault.planted(), pytest.raises((AssertionError, PillarboxError, KeyError)):
        law()


@pytest.mark.parametrize("name", WORDS)
def test_a_history_in_one_transaction_is_that_history(name: str) -> None:
    store = random_store(name)

    @given(history=some(store, 12))
    def law(history: list[Any]) -> None:
        check_at_once(store, history)

    law()


@pytest.mark.parametrize("name", WORDS)
def test_boxes_and_shards_hold_what_the_history_leaves(name: str) -> None:
    store = random_store(name)

    @settings(max_examples=max(10, settings().max_examples // 4))
    @given(history=turns(store))
    def law(history: list[Turn]) -> None:
        check_files(store, history)

    law()
