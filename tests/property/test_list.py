"""Lists are Python lists, whatever happens in between; rows under a prefix become those that replace them.

The schema is `tests/data/schemas/list`: its steps run as operations, against a model of one list per group.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from struct import error as StructError
from typing import Any, TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test
from msgspec.structs import astuple
from tests.property.law_machine import EngineMachine
from tests.property.mutants import HARD, Fault
from tests.property.mutants_ranges import LIST_FAULTS
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.errors import PillarboxError

SCHEMA = Path(__file__).parents[1] / "data/schemas/list/schema.yaml"
#: Item -> record; a dict keeps the order.
Items: TypeAlias = dict[tuple[Any, ...], tuple[Any, ...]]
#: (list, group) -> its items.
Lists: TypeAlias = dict[tuple[str, tuple[int, ...]], Items]
LISTS = (("plain", (1,)), ("plain", (2,)), ("rated", ()), ("alone", ()))
LIMITS = {("plain", (1,)): 3, ("rated", ()): 4}

owners = st.sampled_from((1, 2))
numbers = st.integers(0, 5)
places = st.integers(-1, 6)
rated_items = st.tuples(st.integers(0, 1), st.sampled_from(("a", "b", "")))
songs = st.tuples(st.integers(0, 1), numbers, st.sampled_from("abcd"), st.integers(0, 2))


@cache
def package() -> Package:
    return imported(Path(tempfile.mkdtemp()), SCHEMA.read_text())


def plain(row: Any) -> tuple[Any, ...]:
    """The fields of a row, without the places of reserved numbers."""
    return tuple(part for part in astuple(row) if part is not None)


class Model:
    """One dict per list, one of the songs."""

    def __init__(self) -> None:
        self.lists: Lists = {key: {} for key in LISTS}
        self.songs: dict[tuple[int, int], tuple[str, int]] = {}

    def copy(self) -> Model:
        other = Model()
        other.lists = {key: dict(items) for key, items in self.lists.items()}
        other.songs = dict(self.songs)
        return other

    def place(
        self,
        name: str,
        group: tuple[int, ...],
        item: tuple[Any, ...],
        at: int | None,
        record: tuple[Any, ...],
    ) -> None:
        key = (name, group)
        others = [each for each in self.lists[key] if each != item]
        limit = LIMITS.get(key, 99)
        if at is None:
            order = [*others, item][-limit:]
        else:
            at = min(max(at, 0), limit - 1)
            order = [*others[:at], item, *others[at:]][:limit]
        records = {**self.lists[key], item: record}
        self.lists[key] = {each: records[each] for each in order}

    def put_song(self, album: int, number: int, title: str, rank: int) -> None:
        for key in [key for key, song in self.songs.items() if song[0] == title]:
            del self.songs[key]
        self.songs[album, number] = (title, rank)

    def replace_songs(self, album: int, rows: list[tuple[int, str, int]]) -> None:
        for number, title, rank in rows:
            self.put_song(album, number, title, rank)
        kept = {number for number, _, _ in rows}
        # A title moves from row to row, so that an earlier row may be gone already.
        for key in [key for key in self.songs if key[0] == album and key[1] not in kept]:
            del self.songs[key]

    def rows(self) -> dict[str, set[tuple[Any, ...]]]:
        """Every table as it must be."""
        found: dict[str, set[tuple[Any, ...]]] = {
            name: set()
            for name in ("plain", "rated", "alone", "plain_places", "rated_places", "alone_places")
        }
        for (name, group), items in self.lists.items():
            for position, (item, record) in enumerate(items.items()):
                found[name].add((*group, position, *item, *record))
                found[f"{name}_places"].add((*group, *item, position))
        found["songs"] = {(*key, *song) for key, song in self.songs.items()}
        found["song_names"] = {(title, *key) for key, (title, _) in self.songs.items()}
        return found


class ListMachine(EngineMachine):
    """Transactions of random length, with reads, rollbacks and reopenings."""

    def __init__(self) -> None:
        super().__init__()
        self.made = package()
        self.committed = Model()
        self.model = Model()
        self.open_new(self.made.specs.ALL)

    def open_package(self) -> None:
        self.tx = self.made.transaction.Transaction(self.engine)

    # ------------------------------------------------------------------------------------- steps

    def do(self, name: str, **params: Any) -> list[Any]:
        """Apply an operation; the events it emitted."""
        before = len(self.tx._events)
        self.made.replay.replay(self.tx, [getattr(self.made.operations, name)(**params)])
        return list(self.tx._events[before:])

    @rule(owner=owners, song=numbers, front=st.booleans())
    def place_plain(self, owner: int, song: int, front: bool) -> None:
        self.begin()
        self.do("PlaceFront" if front else "PlaceEnd", owner=owner, song=song)
        self.model.place("plain", (owner,), (song,), 0 if front else None, ())

    @rule(item=rated_items, stars=st.integers(0, 2), at=places)
    def rate(self, item: tuple[int, str], stars: int, at: int) -> None:
        self.begin()
        self.do("Rate", album=item[0], song=item[1], stars=stars, at=at)
        self.model.place("rated", (), item, at, (stars, ""))

    @rule(item=rated_items, at=places)
    def move(self, item: tuple[int, str], at: int) -> None:
        self.begin()
        self.do("Move", album=item[0], song=item[1], at=at)
        self.model.place("rated", (), item, at, self.model.lists["rated", ()].get(item, (0, "")))

    @rule(item=rated_items, at=st.none() | places, note=st.sampled_from(("", "x")))
    def place_with_a_note(self, item: tuple[int, str], at: int | None, note: str) -> None:
        """As the application does it, without an operation."""
        self.begin()
        row = self.made.types.Rated(position=9, album=item[0], song=item[1], stars=1, note=note)
        self.tx.rated.place(row, at)
        self.model.place("rated", (), item, at, (1, note))

    @rule(song=numbers, at=st.none() | places)
    def place_alone(self, song: int, at: int | None) -> None:
        self.begin()
        self.tx.alone.place(self.made.types.Alone(position=0, song=song), at)
        self.model.place("alone", (), (song,), at, ())

    @rule(song=numbers)
    def drop(self, song: int) -> None:
        self.begin()
        events = self.do("Drop", song=song)
        there = self.model.lists["alone", ()].pop((song,), None)
        assert len(events) == (there is None)

    @rule(
        owner=owners,
        shuffled=st.permutations(range(6)),
        some=st.integers(0, 6),
        whole=st.booleans(),
        twice=st.booleans(),
    )
    def sort(self, owner: int, shuffled: list[int], some: int, whole: bool, twice: bool) -> None:
        """The right set half of the time, and half of that with an item that is named twice."""
        self.begin()
        items = self.model.lists["plain", (owner,)]
        named = [n for n in shuffled if (n,) in items] if whole else shuffled[:some]
        named = named + named[:1] if twice else named
        events = self.do("Sort", owner=owner, songs=tuple(named))
        fits = {(n,) for n in named} == items.keys() and len(named) == len(items)
        assert len(events) == (not fits)
        if fits:
            self.model.lists["plain", (owner,)] = {(n,): () for n in named}

    @rule(rows=st.lists(songs, max_size=4))
    def prefer(self, rows: list[tuple[int, int, str, int]]) -> None:
        self.begin()
        self.do("Prefer", songs=tuple(self.made.types.Songs(*row) for row in rows))
        items = self.model.lists["rated", ()]
        named = [(album, title) for album, _, title, rank in rows if rank > 0 and (album, title) in items]
        self.model.lists["rated", ()] = {item: items[item] for item in dict.fromkeys([*named, *items])}

    @rule(owner=owners, named=st.lists(numbers, max_size=5))
    def fill_plain(self, owner: int, named: list[int]) -> None:
        self.begin()
        self.do("FillPlain", owner=owner, songs=tuple(named))
        limit, each_once = LIMITS.get(("plain", (owner,))), dict.fromkeys(named)
        self.model.lists["plain", (owner,)] = dict.fromkeys([(n,) for n in each_once][:limit], ())

    @rule(rows=st.lists(songs, max_size=5))
    def fill_rated(self, rows: list[tuple[int, int, str, int]]) -> None:
        self.begin()
        self.do("FillRated", songs=tuple(self.made.types.Songs(*row) for row in rows))
        filled: Items = {}
        for album, _, title, rank in rows:
            filled.setdefault((album, title), (rank, ""))
        self.model.lists["rated", ()] = dict(list(filled.items())[:4])

    @rule(owner=owners)
    def forget(self, owner: int) -> None:
        self.begin()
        self.do("Forget", owner=owner)
        self.model.lists["plain", (owner,)] = {}

    @rule(row=songs)
    def put_song(self, row: tuple[int, int, str, int]) -> None:
        self.begin()
        self.tx.songs.put(self.made.types.Songs(*row))
        self.model.put_song(*row)

    @rule(
        album=st.integers(0, 1),
        rows=st.lists(st.tuples(numbers, st.sampled_from("abcd"), st.integers(0, 2)), max_size=3),
    )
    def fill_album(self, album: int, rows: list[tuple[int, str, int]]) -> None:
        self.begin()
        self.do("FillAlbum", album=album, songs=tuple(self.made.types.Songs(album, *row) for row in rows))
        self.model.replace_songs(album, rows)

    @rule(album=st.integers(0, 1), titles=st.lists(st.sampled_from(("", "a", "b")), max_size=2))
    def fill_titles(self, album: int, titles: list[str]) -> None:
        self.begin()
        self.do("FillTitles", album=album, titles=tuple(titles))
        self.model.replace_songs(album, [(1, title, 0) for title in titles if title])

    # ------------------------------------------------------------------------------ reads and ends

    @precondition(lambda self: self.is_open)
    @rule(name=st.sampled_from(("plain", "rated", "alone", "plain_places", "rated_places", "alone_places")))
    def look(self, name: str) -> None:
        assert {plain(row) for row in getattr(self.tx, name).all()} == self.model.rows()[name]

    @precondition(lambda self: self.is_open)
    @rule()
    def commit(self) -> None:
        record = self.tx.seal()
        self.tx.commit()
        before, after = self.committed.rows(), self.model.rows()
        for spec in self.made.specs.ALL:
            changes = record.tables.get(spec.id, {})
            old, new = (
                {plain(spec.row(key, each[side])) for key, each in changes.items() if each[side] is not None}
                for side in (0, 1)
            )
            assert old == before[spec.name] - after[spec.name], spec.name
            assert new == after[spec.name] - before[spec.name], spec.name
        self.committed = self.model
        self.check()

    def check(self) -> None:
        """The transaction is over: the file holds exactly what it must."""
        self.is_open = False
        expected = self.committed.rows()
        tables = self.made.transaction.Tables(self.engine)
        for spec in self.made.specs.ALL:
            found = [plain(row) for row in tables.by_id()[spec.id].rows_between(None, None)]
            assert sorted(found) == sorted(expected[spec.name]), spec.name


class FileMachine(ListMachine):
    """The same, in a file that is closed and opened again."""

    in_file = True


TestInMemory = ListMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=40)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=40, max_examples=30)


@pytest.mark.parametrize("fault", LIST_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with (
        fault.planted(),
        pytest.raises((AssertionError, PillarboxError, LookupError, TypeError, StructError)),
    ):
        run_state_machine_as_test(ListMachine, settings=HARD)
