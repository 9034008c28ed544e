"""What generated tables do inside a transaction: number, keep, move, refuse and remove rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.codegen.loading import loaded

from pillarbox.errors import RangeError, SequenceExhausted
from pillarbox.storage import MemoryEngine
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.generate import generate_package

CASE = Path(__file__).parents[2] / "golden" / "generated" / "filled_and_moving_rows"
MODULES = ("types", "checks", "keys", "packed", "specs", "tables", "rules", "transaction")


@pytest.fixture(scope="module")
def package() -> Iterator[SimpleNamespace]:
    schema = load_schema(CASE)
    outputs = generate_package(schema)
    texts = {f"{name}.py": outputs[f"pillarbox_{schema.name}/{name}.py"] for name in MODULES}
    with loaded(schema, texts) as modules:
        yield modules


@pytest.fixture
def tx(package: SimpleNamespace) -> Any:
    """An open transaction over an empty store."""
    engine = MemoryEngine()
    engine.begin()
    for spec in package.specs.ALL:
        engine.create(spec.layout)
    engine.commit()
    tx = package.transaction.Transaction(engine)
    tx.begin()
    return tx


def commit(tx: Any) -> dict[int, Any]:
    """Commit, and begin the next transaction; the changes by table."""
    record = tx.seal()
    tx.commit()
    tx.begin()
    tables: dict[int, Any] = record.tables
    return tables


def note(package: SimpleNamespace, **fields: Any) -> Any:
    return package.types.Notes(**{"room_id": 1, "at": 10, "text": "x", **fields})


def test_zero_in_a_filled_key_part_becomes_the_next_number(package: SimpleNamespace, tx: Any) -> None:
    first = tx.notes.put(note(package))
    second = tx.notes.put(note(package))
    elsewhere = tx.notes.put(note(package, room_id=2))

    assert (first.number, second.number, elsewhere.number) == (1, 2, 1)
    assert (first.stable, second.stable, elsewhere.stable) == (100, 101, 102)


def test_a_number_that_is_in_use_is_not_given(package: SimpleNamespace, tx: Any) -> None:
    tx.notes.put(note(package, number=1))
    tx.lines.put(package.types.Lines(room_id=1, line=2, text="known"))

    given = tx.notes.put(note(package))
    line = tx.lines.put(package.types.Lines(room_id=1, text="new"))

    assert given.number == 2
    assert line.line == 3  # One sequence numbers both; 2 is taken by a line.


def test_numbers_go_on_after_a_commit_and_come_back_after_a_rollback(
    package: SimpleNamespace, tx: Any
) -> None:
    tx.notes.put(note(package))
    commit(tx)
    tx.notes.put(note(package))
    tx.rollback()
    tx.begin()

    again = tx.notes.put(note(package))

    assert (again.number, again.stable) == (2, 101)


def test_a_row_keeps_its_stored_number_when_it_is_put_with_zero(package: SimpleNamespace, tx: Any) -> None:
    stored = tx.notes.put(note(package, number=5))
    seat = tx.seats.put(package.types.Seats(room_id=1, seat=2))

    again = tx.notes.put_was(note(package, number=5, text="new"))
    seat_again = tx.seats.put(package.types.Seats(room_id=1, seat=2))

    assert again.row.stable == stored.stable
    assert again.was == stored
    assert seat_again == seat


def test_a_put_under_another_key_moves_the_row_of_that_identity(package: SimpleNamespace, tx: Any) -> None:
    stored = tx.notes.put(note(package, number=5))
    commit(tx)

    moved = tx.notes.put_was(note(package, number=5, at=99))

    assert moved.was == stored
    assert moved.row.stable == stored.stable
    assert tx.notes.all() == [moved.row]
    assert [row.at for row in tx.note_ids.all()] == [99]
    changes = commit(tx)[1]
    assert len(changes) == 2


def test_an_identity_outside_of_the_key_moves_and_replaces(package: SimpleNamespace, tx: Any) -> None:
    ann = tx.people.put(package.types.People(person_id=1, login="ann"))
    tx.people.put(package.types.People(person_id=2, login="bob"))
    commit(tx)

    moved = tx.people.put_was(package.types.People(person_id=2, login="ann"))

    assert moved.was == ann
    assert moved.row.badge == ann.badge
    assert tx.people.all() == [moved.row]
    assert [(row.login, row.person_id) for row in tx.logins.all()] == [("ann", 2)]


def test_a_row_that_takes_another_identity_gives_up_its_own(package: SimpleNamespace, tx: Any) -> None:
    tx.people.put(package.types.People(person_id=1, login="ann"))

    tx.people.put(package.types.People(person_id=1, login="cy"))

    assert [(row.login, row.person_id) for row in tx.logins.all()] == [("cy", 1)]


def test_replaced_by_tells_what_a_put_would_replace_and_writes_nothing(
    package: SimpleNamespace, tx: Any
) -> None:
    stored = tx.notes.put(note(package, number=5))
    commit(tx)

    told = [
        tx.notes.replaced_by(note(package, number=5, at=77)),
        tx.notes.replaced_by(note(package)),
        tx.people.replaced_by(package.types.People(person_id=9, login="nobody")),
    ]

    assert told == [stored, None, None]
    assert commit(tx) == {}


@pytest.mark.parametrize(
    "fields",
    [{"room_id": 1 << 63}, {"at": -(1 << 63) - 1}, {"number": 1 << 31}, {"stable": -1}, {"stable": 1 << 32}],
    ids=str,
)
def test_a_row_out_of_range_is_refused_and_nothing_is_written(
    package: SimpleNamespace, tx: Any, fields: dict[str, int]
) -> None:
    ((field, value),) = fields.items()

    with pytest.raises(RangeError) as caught:
        tx.notes.put(note(package, **fields))

    assert caught.value.field == f"notes.{field}"
    assert caught.value.value == value
    assert commit(tx) == {}


def test_a_row_that_does_not_fit_takes_no_number(package: SimpleNamespace, tx: Any) -> None:
    with pytest.raises(RangeError):
        tx.notes.put(note(package, at=1 << 63))

    assert tx.notes.put(note(package)).number == 1


def test_a_sequence_that_has_given_all_numbers_says_so(package: SimpleNamespace, tx: Any) -> None:
    tx.numbers.put_cell(package.keys.numbers_key(1), package.packed.NUMBERS.encode((1 << 31) - 2))

    last = tx.lines.put(package.types.Lines(room_id=1, text="x"))
    with pytest.raises(SequenceExhausted):
        tx.lines.put(package.types.Lines(room_id=1, text="x"))

    assert last.line == (1 << 31) - 2
    commit(tx)


def test_removing_frees_the_identity(package: SimpleNamespace, tx: Any) -> None:
    stored = tx.notes.put(note(package, number=5))
    tx.notes.put(note(package, number=6, at=11))
    tx.notes.put(note(package, number=7, room_id=2))
    commit(tx)

    tx.notes.remove(1, stored.at, stored.number)
    tx.notes.remove(1, 12345, 12345)
    removed = tx.notes.remove_of_room(1)

    assert removed == 1
    assert [row.room_id for row in tx.notes.all()] == [2]
    assert [row.room_id for row in tx.note_ids.all()] == [2]


def test_probe_reads_what_the_puts_will_ask_for(package: SimpleNamespace, tx: Any) -> None:
    for number in range(1, 6):
        tx.notes.put(note(package, number=number, at=number))
        tx.people.put(package.types.People(person_id=number, login=str(number)))
    commit(tx)
    rows = [note(package, number=number, at=number + 1) for number in range(1, 9)] + [
        note(package, room_id=7)
    ]
    people = [package.types.People(person_id=number, login=str(number + 1)) for number in range(1, 9)]

    tx.notes.probe(rows)
    tx.people.probe(people)
    asked: list[str] = []
    get = tx._engine.get

    def noted(layout: Any, key: Any) -> Any:
        asked.append(layout.name)
        return get(layout, key)

    tx._engine.get = noted
    for row in rows:
        tx.notes.put(row)
    for person in people:
        tx.people.put(person)

    # Only what nobody knew: the one row of a sequence without groups, and whether a new number is free.
    assert asked == ["stable", "note_ids"]


def test_prefix_methods_stay_within_their_prefix(package: SimpleNamespace, tx: Any) -> None:
    for room in (1, 2, 3):
        for number in (1, 2, 3):
            tx.notes.put(note(package, room_id=room, number=number, at=number))
    commit(tx)
    key = package.keys.NotesKey

    def numbers(**options: Any) -> list[int]:
        return [row.number for row in tx.notes.of_room(2, **options)]

    assert numbers() == [1, 2, 3]
    assert numbers(newest_first=True, limit=2) == [3, 2]
    assert numbers(after=key(2, 1, 1)) == [2, 3]
    assert numbers(before=key(2, 3, 3), newest_first=True) == [2, 1]
    assert numbers(after=key(1, 1, 1), before=key(3, 9, 9)) == [1, 2, 3]
    assert [row.room_id for row in tx.notes.all(limit=4)] == [1, 1, 1, 2]
