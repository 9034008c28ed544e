"""Writes over a row, patches as steps and as data, parts of fields, numbers of values: against a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from tests.property.law_machine import LawMachine, Rows, package_of
from tests.property.mutants import HARD, Fault

import pillarbox.expr
from pillarbox.codec import bags as bags_
from pillarbox.codec import patches
from pillarbox.codec.patches import PatchAdd, PatchFlags, PatchMax, PatchMin, PatchSet, PatchUnset
from pillarbox.errors import PillarboxError
from pillarbox.maintainers import InternTable

few = st.integers(0, 2)
numbers = st.integers(-1, 2)
flags = st.integers(0, 7)
texts = st.sampled_from(("", "x", "y"))


def types() -> Any:
    return package_of("upsert").types


@st.composite
def things(draw: st.DrawFn) -> Any:
    t = types()
    return draw(
        st.builds(t.Crate, n=numbers) | st.builds(t.Sack, n=numbers, t=st.none() | texts) | st.builds(t.Cup)
    )


@st.composite
def bags(draw: st.DrawFn) -> Any:
    """In the order of the cases' numbers: Lost is 1, Seen is 2."""
    t = types()
    lost = draw(st.none() | st.builds(t.Lost, by=texts))
    seen = draw(st.none() | st.builds(t.Seen, at=numbers))
    return tuple(note for note in (lost, seen) if note is not None)


@dataclass(frozen=True)
class Item:
    """What somebody gives, and what a row has besides."""

    thing: Any
    marks: int
    count: int | None
    notes: tuple[Any, ...]
    things: tuple[Any, ...]
    words: tuple[str, ...]
    tag: str | None
    version: int = 0
    serial: int = 0


@st.composite
def items(draw: st.DrawFn) -> Item:
    return Item(
        thing=draw(things()),
        marks=draw(flags),
        count=draw(st.none() | numbers),
        notes=draw(bags()),
        things=tuple(draw(st.lists(things(), max_size=3))),
        words=tuple(draw(st.lists(texts, max_size=2))),
        tag=draw(st.none() | texts),
    )


def note_of(notes: tuple[Any, ...], name: str) -> Any:
    return next((note for note in notes if type(note).__name__ == name), None)


def with_note(notes: tuple[Any, ...], name: str, note: Any) -> tuple[Any, ...]:
    """Seen stands behind Lost."""
    left = {type(one).__name__: one for one in notes}
    left.pop(name, None)
    if note is not None:
        left[name] = note
    return tuple(left[one] for one in ("Lost", "Seen") if one in left)


@dataclass
class Model:
    stock: dict[tuple[int, int], Item] = field(default_factory=dict)
    serials: dict[int, int] = field(default_factory=dict)
    names: dict[int, dict[str, int]] = field(default_factory=dict)

    def copy(self) -> Model:
        names = {shelf: dict(known) for shelf, known in self.names.items()}
        return Model(dict(self.stock), dict(self.serials), names)

    # --------------------------------------------------------------------------------------- rules

    def take(self, shelf: int) -> int:
        self.serials[shelf] = self.serials.get(shelf, 0) + 1
        return self.serials[shelf]

    def put(self, key: tuple[int, int], new: Item) -> None:
        """Over the old row, by the rules of the table."""
        old = self.stock.get(key)
        if old is None:
            self.write(key, new)
            return
        row = new
        if new.count is None:
            row = replace(row, tag=old.tag)
        row = replace(row, marks=(new.marks & 3) + (old.marks & 4))
        seen = note_of(old.notes, "Seen")
        if not new.marks & 1 and seen is not None:
            row = replace(row, notes=with_note(new.notes, "Seen", seen))
        row = replace(row, things=self.kept_crates(old.things, new.things))
        both = type(old.thing).__name__ == type(new.thing).__name__ == "Sack"
        if old.marks & 2 and both:
            row = replace(row, thing=old.thing)
        self.write(key, row)

    def kept_crates(self, old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
        crates = [thing for thing in old if type(thing).__name__ == "Crate"]
        found = []
        for thing in new:
            is_crate = type(thing).__name__ == "Crate"
            found.append(crates.pop(0) if is_crate and crates else thing)
        return tuple(found)

    def write(self, key: tuple[int, int], row: Item) -> None:
        """What counts the writes, and numbers the words."""
        old = self.stock.get(key)
        for word in row.words:
            known = self.names.setdefault(key[0], {})
            if word and word not in known:
                known[word] = len(known) + 1
        if not any(row.words) and key[0] in self.names and not self.names[key[0]]:
            del self.names[key[0]]
        if old is None:
            self.stock[key] = replace(row, serial=row.serial or self.take(key[0]))
            return
        row = replace(row, version=old.version, serial=old.serial)
        if row != old:
            serial = self.take(key[0]) if row.marks & 2 else old.serial
            row = replace(row, version=old.version + 1, serial=serial)
        self.stock[key] = row

    # -------------------------------------------------------------------------------------- tables

    def word_ids(self, shelf: int, words: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.names[shelf][word] if word else 0 for word in words)

    def rows(self) -> Rows:
        weights = {"Crate": 1, "Sack": 2, "Cup": 0}
        named = [(shelf, word, n) for shelf, known in self.names.items() for word, n in known.items()]
        stock, sacks, seen = set(), set(), set()
        for (shelf, item), row in self.stock.items():
            kind = type(row.thing).__name__
            weight = weights[kind] * getattr(row.thing, "n", 0) + 1
            stock.add(
                (shelf, item, row.thing, row.marks, row.count, row.notes, row.things, row.version, row.serial,
                 row.words, self.word_ids(shelf, row.words), weight, row.tag)
            )  # fmt: skip
            if kind == "Sack" and row.thing.t is not None:
                sacks.add((row.thing.t, shelf, item, row.thing.n))
            if note_of(row.notes, "Seen") is not None:
                seen.add((note_of(row.notes, "Seen").at, shelf, item))
        return {
            "stock": stock,
            "names": {
                *((shelf, word, n) for shelf, word, n in named),
                *((shelf, "", len(known) + 1) for shelf, known in self.names.items() if known),
            },
            "serials": {(shelf, last + 1) for shelf, last in self.serials.items()},
            "names_by_number": {(shelf, n, word) for shelf, word, n in named},
            "sacks": sacks,
            "sightings": seen,
        }


class UpsertMachine(LawMachine):
    schema = "upsert"
    model_class = Model

    def row(self, key: tuple[int, int], item: Item) -> Any:
        given = {name: getattr(item, name) for name in item.__dataclass_fields__}
        return self.types.Stock(shelf=key[0], item=key[1], **given)

    def replay(self, name: str, **params: Any) -> None:
        self.begin()
        operation = getattr(self.package.operations, name)(**params)
        self.package.replay.replay(self.tx, [self.package.operations.decode_operation(
            self.package.operations.encode_operation(operation)
        )])  # fmt: skip

    @rule(shelf=few, item=few, given=items())
    def put(self, shelf: int, item: int, given: Item) -> None:
        self.begin()
        self.tx.stock.put(self.row((shelf, item), given))
        self.model.put((shelf, item), given)

    @rule(shelf=few, item=few)
    def put_again(self, shelf: int, item: int) -> None:
        """An equal write is no change."""
        self.begin()
        row = self.tx.stock.get(shelf, item)
        if row is not None:
            self.tx.stock.put(row)
            self.model.put((shelf, item), self.model.stock[shelf, item])

    @rule(shelf=few, item=few, given=items())
    def correct(self, shelf: int, item: int, given: Item) -> None:
        self.replay("Correct", row=self.row((shelf, item), given))
        old, row = self.model.stock.get((shelf, item)), given
        if old is not None:
            if old.tag is not None and old.tag == given.tag:
                row = replace(row, count=old.count)
            row = replace(row, marks=(given.marks & ~1) | (old.marks & 1))
            lost = note_of(old.notes, "Lost")
            if given.count is not None and lost is not None:
                row = replace(row, notes=with_note(row.notes, "Lost", lost))
        self.model.put((shelf, item), row)

    def patched(self, key: tuple[int, int], **changes: Any) -> None:
        if key in self.model.stock:
            self.model.write(key, replace(self.model.stock[key], **changes))

    @rule(shelf=few, item=few, tag=texts, count=numbers, on=flags, off=flags, as_data=st.booleans())
    def most(self, shelf: int, item: int, tag: str, count: int, on: int, off: int, as_data: bool) -> None:
        if as_data:
            changes = self.types.PatchStock(
                tag=PatchSet(tag), count=PatchMax(count), marks=PatchFlags(on, off)
            )
            self.replay("Given", shelf=shelf, item=item, changes=changes)
        else:
            self.replay("Most", shelf=shelf, item=item, tag=tag, count=count, set=on, clear=off)
        old = self.model.stock.get((shelf, item))
        if old is not None:
            greatest = count if old.count is None else max(count, old.count)
            self.patched((shelf, item), tag=tag, count=greatest, marks=(old.marks | on) & ~off)

    @rule(shelf=few, item=few, count=numbers, words=st.lists(texts, max_size=2), as_data=st.booleans())
    def least(self, shelf: int, item: int, count: int, words: list[str], as_data: bool) -> None:
        seen = (self.types.Seen(at=count),)
        if as_data:
            changes = self.types.PatchStock(
                words=PatchSet(tuple(words)),
                notes=PatchSet(seen),
                things=PatchUnset(),
                count=PatchMin(count),
            )
            self.replay("Given", shelf=shelf, item=item, changes=changes)
        else:
            self.replay("Least", shelf=shelf, item=item, count=count, words=tuple(words))
        old = self.model.stock.get((shelf, item))
        if old is not None:
            smallest = count if old.count is None else min(count, old.count)
            self.patched((shelf, item), words=tuple(words), notes=seen, things=(), count=smallest)

    @rule(shelf=few, item=few, count=numbers, thing=things(), as_data=st.booleans())
    def more(self, shelf: int, item: int, count: int, thing: Any, as_data: bool) -> None:
        if as_data:
            changes = self.types.PatchStock(
                tag=PatchUnset(),
                thing=PatchSet(thing),
                count=PatchAdd(count),
            )
            self.replay("GivenNew", shelf=shelf, item=item, changes=changes, thing=thing)
        else:
            self.replay("More", shelf=shelf, item=item, count=count, thing=thing)
        key = (shelf, item)
        old = self.model.stock.get(key, Item(thing, 0, None, (), (), ("new",), None))
        self.model.write(key, replace(old, tag=None, thing=thing, count=(old.count or 0) + count))

    @rule(shelf=few, item=few, by=texts, at=st.none() | numbers)
    def parts(self, shelf: int, item: int, by: str, at: int | None) -> None:
        self.replay("Parts", shelf=shelf, item=item, by=by, at=at)
        old = self.model.stock.get((shelf, item))
        if old is None:
            return
        if at is None:
            self.patched((shelf, item), notes=with_note(old.notes, "Lost", None))
            return
        notes = old.notes
        if note_of(notes, "Lost") is not None:
            notes = with_note(notes, "Lost", self.types.Lost(by=by))
        thing = old.thing
        if type(thing).__name__ == "Sack":
            thing = self.types.Sack(n=thing.n, t=by)
        elif type(thing).__name__ == "Crate":
            thing = self.types.Crate(n=thing.n + 1)
        notes = with_note(notes, "Seen", self.types.Seen(at=at))
        self.patched((shelf, item), notes=notes, thing=thing)

    @rule(low=few, high=few)
    def clear(self, low: int, high: int) -> None:
        self.replay("Clear", low=low, high=high)
        for key in [key for key in self.model.stock if low <= key[0] <= high]:
            del self.model.stock[key]

    @rule(shelf=few, word=texts)
    def ask(self, shelf: int, word: str) -> None:
        """Reading gives no numbers."""
        self.begin()
        found = self.tx.names.get(shelf, word)
        if word:
            expected = self.model.names.get(shelf, {}).get(word)
            assert (None if found is None else found.number) == expected


class UpsertInFile(UpsertMachine):
    in_file = True


TestUpsert = UpsertMachine.TestCase
TestUpsertInFile = UpsertInFile.TestCase
TestUpsertInFile.settings = settings(max_examples=15, stateful_step_count=25)


class Inside(Fault):
    """A fault in a function that others have imported by name."""

    @contextmanager
    def planted(self) -> Iterator[None]:
        real = vars(self.owner)[self.function]
        code = real.__code__
        with super().planted():
            real.__code__ = vars(self.owner)[self.function].__code__
            try:
                yield
            finally:
                real.__code__ = code


FAULTS = (
    Inside("the old case is lost", bags_, "kept_in_bag", "return with_case(new, value)", "return new"),
    Inside("a bag has two of a case", bags_, "with_case", "> number", ">= number"),
    Inside("a bag is out of order", bags_, "with_case", "(*below, value, *", "(value, *below, *"),
    Inside("the case stays", bags_, "without_case", "if not isinstance", "if True or not isinstance"),
    Inside("the first is kept for all", pillarbox.expr, "kept_in_list", "next(kept, value)", "value"),
    Inside("the greatest is the least", PatchMax, "of", "max(old, self.value)", "min(old, self.value)"),
    Inside("the least is the greatest", PatchMin, "of", "min(old, self.value)", "max(old, self.value)"),
    Inside("none counts as none", PatchAdd, "of", "(old or 0) + self.amount", "old and old + self.amount"),
    Inside("what is cleared is set", PatchFlags, "of", "& ~self.clear", "& ~0"),
    Inside("unset leaves it", PatchUnset, "of", "return default", "return _old"),
    Inside("changes are forgotten", patches, "patched", "if change is not None", "if False"),
    Fault("a value gets a second number", InternTable, "number", "if cell is not None:", "if False:"),
    Fault("two values get one number", InternTable, "number", "encode(number + 1)", "encode(number)"),
    Fault("nothing has a number", InternTable, "number", "return 0", "return 1"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    package_of("upsert")
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, TypeError)):
        run_state_machine_as_test(UpsertMachine, settings=HARD)
