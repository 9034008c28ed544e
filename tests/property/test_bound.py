"""A bounded group holds the greatest of what was there at each put, and nothing else is in any table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from tests.property.law_machine import LawMachine, Rows
from tests.property.mutants import HARD, Fault
from tests.unit.codegen_ops.making import Bench, imported

from pillarbox.errors import OwnerMissing, PillarboxError
from pillarbox.maintainers import BoundTable

few = st.integers(0, 2)
some = st.integers(-2, 5)


def kept(rows: dict[Any, Any], group: Callable[[Any], bool], order: Callable[[Any], Any], keep: int) -> None:
    """Let the least of a group go until no more than `keep` are left."""
    inside = sorted((key for key in rows if group(key)), key=lambda key: (order(key), key))
    for key in inside[: max(0, len(inside) - keep)]:
        del rows[key]


class Model:
    def __init__(self) -> None:
        self.seen: dict[tuple[int, int], tuple[int, int]] = {}
        self.slots: dict[int, tuple[int, str]] = {}
        #: Card -> hand, place.
        self.cards: dict[tuple[int, int, int], None] = {}
        self.stamps: set[tuple[int, int, int, int]] = set()

    def copy(self) -> Model:
        other = Model()
        other.seen, other.slots = dict(self.seen), dict(self.slots)
        other.cards, other.stamps = dict(self.cards), set(self.stamps)
        return other

    def put_seen(self, reader: int, page: int, at: int, times: int) -> None:
        self.seen[reader, page] = (at, times)
        kept(self.seen, lambda key: bool(key[0] == reader), lambda key: self.seen[key][0], 3)

    def put_slot(self, slot: int, weight: int, name: str) -> None:
        self.slots[slot] = (weight, name)
        kept(self.slots, lambda key: True, lambda key: self.slots[key], 2)

    def put_card(self, hand: int, place: int, card: int) -> None:
        for key in [key for key in self.cards if key[2] == card]:
            del self.cards[key]
        self.cards[hand, place, card] = None
        kept(self.cards, lambda key: bool(key[0] == hand), lambda key: key[1], 2)
        self.follow()

    def replace_seen(self, reader: int, rows: list[tuple[int, int, int]]) -> None:
        pages = {page for page, _, _ in rows}
        self.seen = {key: row for key, row in self.seen.items() if key[0] != reader or key[1] in pages}
        for row in rows:
            self.put_seen(reader, *row)

    def replace_cards(self, hand: int, cards: list[tuple[int, int]]) -> None:
        given = {card for _, card in cards}
        self.cards = {key: None for key in self.cards if key[0] != hand or key[2] in given}
        for place, card in cards:
            self.put_card(hand, place, card)
        self.follow()

    def follow(self) -> None:
        self.stamps = {stamp for stamp in self.stamps if stamp[:3] in self.cards}

    def rows(self) -> Rows:
        return {
            "seen": {(*key, *fields) for key, fields in self.seen.items()},
            "seen_at": {(reader, at, page) for (reader, page), (at, _) in self.seen.items()},
            "seen_count": set(Counter(reader for reader, _ in self.seen).items()),
            "slots": {(key, *fields) for key, fields in self.slots.items()},
            "cards": set(self.cards),
            "card_ids": {(card, hand, place) for hand, place, card in self.cards},
            "stamps": self.stamps,
        }


class BoundMachine(LawMachine):
    schema = "bound"
    model_class = Model

    @rule(
        rows=st.lists(st.tuples(few, st.integers(0, 5), some, few), min_size=1, max_size=5),
        probe=st.booleans(),
    )
    def see(self, rows: list[tuple[int, int, int, int]], probe: bool) -> None:
        self.begin()
        made = [self.made("Seen", *row) for row in rows]
        if probe:
            self.tx.seen.probe(made)
        for row, each in zip(rows, made, strict=True):
            was = self.model.seen.get(row[:2])
            put = self.tx.seen.put_was(each)
            assert put.was == (None if was is None else self.made("Seen", *row[:2], *was))
            self.model.put_seen(*row)

    @rule(reader=few, page=st.integers(0, 5))
    def forget(self, reader: int, page: int) -> None:
        self.begin()
        self.tx.seen.remove(reader, page)
        self.model.seen.pop((reader, page), None)

    @rule(reader=few)
    def forget_all(self, reader: int) -> None:
        self.begin()
        gone = [key for key in self.model.seen if key[0] == reader]
        assert self.tx.seen.remove_of_reader(reader) == len(gone)
        for key in gone:
            del self.model.seen[key]

    @rule(reader=few, rows=st.lists(st.tuples(st.integers(0, 5), some, few), max_size=4))
    def replace_seen(self, reader: int, rows: list[tuple[int, int, int]]) -> None:
        self.begin()
        self.tx.seen.replace_of_reader(reader, [self.made("Seen", reader, *row) for row in rows])
        self.model.replace_seen(reader, rows)

    @rule(hand=few, cards=st.lists(st.tuples(few, few), max_size=3))
    def replace_cards(self, hand: int, cards: list[tuple[int, int]]) -> None:
        self.begin()
        self.tx.cards.replace_of_hand(hand, [self.made("Cards", hand, *card) for card in cards])
        self.model.replace_cards(hand, cards)

    @rule(
        slot=st.sampled_from([-(2**63), 0, 1, 2, 2**63 - 1]), weight=few, name=st.sampled_from(("", "a", "b"))
    )
    def fill(self, slot: int, weight: int, name: str) -> None:
        self.begin()
        self.tx.slots.put(self.made("Slots", slot, weight, name))
        self.model.put_slot(slot, weight, name)

    @rule(slot=st.sampled_from([-(2**63), 0, 1, 2, 2**63 - 1]))
    def empty(self, slot: int) -> None:
        self.begin()
        self.tx.slots.remove(slot)
        self.model.slots.pop(slot, None)

    @rule(cards=st.lists(st.tuples(few, few, few), min_size=1, max_size=4))
    def deal(self, cards: list[tuple[int, int, int]]) -> None:
        self.begin()
        for card in cards:
            self.tx.cards.put(self.made("Cards", *card))
            self.model.put_card(*card)

    @rule(card=st.tuples(few, few, few))
    def discard(self, card: tuple[int, int, int]) -> None:
        self.begin()
        self.tx.cards.remove(*card)
        self.model.cards.pop(card, None)
        self.model.follow()

    @rule(which=few, n=few)
    def stamp(self, which: int, n: int) -> None:
        self.begin()
        there = sorted(self.model.cards)
        card = there[which % len(there)] if there else (0, 0, 0)
        if there:
            self.tx.stamps.put(self.made("Stamps", *card, n))
            self.model.stamps.add((*card, n))
        else:
            with pytest.raises(OwnerMissing):
                self.tx.stamps.put(self.made("Stamps", *card, n))


class FileMachine(BoundMachine):
    in_file = True


TestInMemory = BoundMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30, max_examples=30)

FAULTS = (
    Fault("nothing goes", BoundTable, "_let_go", "self.drop(least, self.cell(least))", "pass"),
    Fault(
        "the greatest goes",
        BoundTable,
        "_let_go",
        "ranked[: max(0, len(ranked) - self.BOUND.keep)]",
        "ranked[self.BOUND.keep :]",
    ),
    Fault("one more is kept", BoundTable, "_let_go", "- self.BOUND.keep", "- self.BOUND.keep - 1"),
    Fault(
        "identities stay",
        BoundTable,
        "_let_go",
        "self.drop(least, self.cell(least))",
        "self.put_known(least, self.cell(least), None)",
    ),
    Fault("the old order stays", BoundTable, "_rank", "elif there and not comes:", "elif False:"),
    Fault(
        "rows are ranked by key",
        BoundTable,
        "_rank",
        "entry = (shape.order_of(row), key)",
        "entry = (0, key)",
    ),
    Fault("stored rows do not count", BoundTable, "_group_of", "in found)", "in ())"),
    Fault("a group is read once", BoundTable, "forget", "self._ranked.clear()", "pass"),
    Fault(
        "a row that moves is not ranked",
        BoundTable,
        "move_cell",
        "self._rank(key, standing, self.cell(key))",
        "pass",
    ),
    Fault("a move leaves its old place", BoundTable, "move_cell", "self._rank(old_key, old, None)", "pass"),
    Fault(
        "what goes makes new rows go",
        BoundTable,
        "_replace_under",
        "if key not in stays:",
        "if False:",
    ),
    Fault("a move lets none go", BoundTable, "move_cell", "self._let_go(group)", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, TypeError, IndexError)):
        run_state_machine_as_test(BoundMachine, settings=HARD)


NAMES = """
schema: {name: names_of_bound, doc: Names that are numbered.}
sequences: {numbers: {id: 101, type: int32, per: {}, start: 1}}
tables:
  names:
    id: 1
    key: {owner: int32, n: {type: int32, fill: numbers}}
    record: {name: [1, text]}
    bound: {group: [owner], order: n, keep: 2}
  by_name: {id: 2, index: {from: names, unique: identity, key: [owner, name], value: {n: n}}}
operations:
  name:
    code: 1
    params: {owner: [1, int32], rows: [2, list<row<names>>]}
    steps:
      - {replace: {table: names, under: owner, rows: rows}}
"""


def test_a_row_that_its_identity_finds_does_not_go_before_it_is_put_again(tmp_path: Path) -> None:
    bench = Bench(imported(tmp_path, NAMES))
    for name in ("a", "b"):
        bench.tx.names.put(bench.package.types.Names(owner=1, n=0, name=name))

    rows = [bench.package.types.Names(owner=1, n=0, name=name) for name in ("c", "b")]
    bench.tx.names.replace_of_owner(1, rows)

    assert [(row.n, row.name) for row in bench.tx.names.all()] == [(2, "b"), (3, "c")]
