"""What updates say about counters and rows, and what they become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.unit.codegen_ops.told import told

from pillarbox.sync import Absent, Around, Claim, Need, Poll, Position, ResetAsk, Unhandled
from pillarbox.sync.protocol import Row


def update(name: str, /, **fields: Any) -> Any:
    return getattr(told().updates, name)(**fields)


def made(name: str, /, **fields: Any) -> Any:
    return getattr(told().types, name)(**fields)


def note(room: int, number: int) -> Any:
    return told().operations.Note(room=room, number=number)


def emit(of: Any, around: Around | None = None) -> Any:
    return told().updates.emit(of, Around() if around is None else around)


def standing(places: Mapping[tuple[int, object], Position]) -> Around:
    return Around(position=lambda cursor, key: places.get((cursor, key)))


def key(table: str, *parts: object) -> Any:
    return getattr(told().keys, f"{table}_key")(*parts)


# ---------------------------------------------------------------------------------------------- relations


def test_what_says_nothing_of_counters_and_rows_has_none() -> None:
    """G-9: an update without a claim shares the fate of its container."""
    moved = update("Moved", held=made("Held", where=made("Nowhere"), level=1))

    assert (moved.claim(), moved.beside(), moved.needs()) == (None, None, ())


def test_only_updates_that_say_so_are_applied_when_they_are_old() -> None:
    """G-5: some are applied though their counter has passed them."""
    assert frozenset({told().updates.Renamed}) == told().updates.WHEN_OLD


def test_what_observes_or_rides_is_beside_an_instance_and_claims_nothing() -> None:
    """K-1, K-4: it is sorted with the claims of its group, unchecked."""
    updates = told().updates
    looked = update("Looked", room=4, rev=9, level=0)
    passed = update("Passed", room=5)

    assert (updates.claim(looked), updates.beside(looked)) == (None, (102, key("storey", 4)))
    assert (updates.claim(passed), updates.beside(passed)) == (None, (102, key("storey", 5)))
    assert updates.beside(update("Lost")) is None


def test_a_claim_of_the_part_is_taken_with_its_unless() -> None:
    assert update("Came", room=3, rev=0, count=0).claim() is None
    assert update("Came", room=3, rev=7, count=2).claim() == Claim(102, key("storey", 3), 0, 5, 7)


# ---------------------------------------------------------------------------------------- what is around


def test_emissions_see_the_end_of_their_claim() -> None:
    renamed = update("Renamed", room=1, name="x", rev=5, count=1)

    assert emit(renamed, Around(end=5))[1] == note(1, 5)
    assert emit(renamed)[1] == note(1, 0)


def test_the_end_of_a_claim_may_be_absent_where_the_claim_may() -> None:
    came = update("Came", room=1, rev=0, count=0)

    assert emit(came, Around(date=7, now=10_000)) == [note(1, -1), note(1, 9_993)]
    assert emit(came, Around(date=7, end=3))[0] == note(1, 3)


def test_emissions_see_where_cursors_stand_in_the_batch() -> None:
    looked = update("Looked", room=4, rev=9, level=0)

    assert emit(looked) == [Poll(102, key("storey", 4), 9)]
    assert emit(looked, standing({(102, key("storey", 4)): (8, 0)})) == [note(4, 8), Poll(102, 4, 9)]
    assert emit(looked, standing({(102, key("storey", 4)): (9, 0)})) == [note(4, 9)]


def test_a_cursor_that_is_one_in_the_box_is_named_without_a_key() -> None:
    assert emit(update("Lost")) == [Poll(101), Poll(101)]
    assert emit(update("Lost"), standing({(101, b""): (6, 0)})) == [Poll(101), Poll(101, b"", 6)]


# --------------------------------------------------------------------------------------- acts and cases


def test_what_is_asked_for_may_have_a_hint() -> None:
    assert emit(update("Passed", room=4, hint=12)) == [Poll(102, key("storey", 4), 12)]
    assert emit(update("Passed", room=4)) == [Poll(102, key("storey", 4), None)]


def moved(where: Any, level: str = "LOW", **fields: Any) -> Any:
    return update("Moved", held=made("Held", where=where, level=told().types.Level[level], **fields))


def test_entries_are_chosen_by_the_case_of_a_union() -> None:
    room, desk, nowhere = made("Room", room=1), made("Desk", room=2, desk=3), made("Nowhere")
    last = Poll(101, b"", 0)

    assert emit(moved(room)) == [note(1, 1), last]
    assert emit(moved(desk)) == [note(2, 2), last]
    assert emit(moved(nowhere)) == [last]
    assert emit(moved(nowhere, also=(desk, room, room))) == [Poll(102, 1), Poll(102, 1), last]


def test_a_list_inside_a_case_has_an_entry_for_each_that_passes() -> None:
    given = update(
        "Moved",
        held=made("Held", where=made("Desk", room=2, desk=3), level=told().types.Level.LOW),
        rooms=(5, 0, 6),
        to=made("Nowhere"),
    )

    assert emit(given) == [note(2, 2), note(5, 3), note(6, 3)]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("LOW", []),
        ("MIDDLE", [ResetAsk("all_rooms"), ResetAsk("one_room", 7), ResetAsk("one_room", 8)]),
        ("HIGH", [Poll(101)]),
    ],
)
def test_entries_are_chosen_by_the_value_of_an_enum_and_others(level: str, expected: list[object]) -> None:
    held = made("Held", where=made("Nowhere"), level=told().types.Level[level])

    assert emit(update("Moved", held=held, rooms=(7, 8), to=made("Nowhere"))) == expected


def test_what_is_handled_by_nothing_is_not_unhandled() -> None:
    strange = update("Strange", held=made("Held", where=made("Nowhere"), level=0))

    assert emit(update("Many", rooms=(1,))) == []
    assert emit(strange) == [Unhandled(strange)]


# ----------------------------------------------------------------------------------------------- needs


def test_needs_name_rows_in_order_where_they_are_asked_for() -> None:
    """A-9: rows that must stand, and what becomes of the update without them."""
    assert told().updates.needs(update("Seated", room=1, desk=2, others=(3, 4))) == [
        Need((1, key("rooms", 1)), Absent.DISCARD),
        Need((2, key("desks", 1, 2)), Absent.IGNORE),
        Need((2, key("desks", 1, 3)), Absent.SKIP),
        Need((2, key("desks", 1, 4)), Absent.SKIP),
    ]
    assert update("Seated", room=1).needs() == [Need((1, key("rooms", 1)), Absent.DISCARD)]


def test_a_row_that_is_not_there_may_be_asked_for() -> None:
    """A-9: what is missing is fetched first, and only what is missing then is given up."""
    find = told().requests.FindRooms

    assert update("Many", rooms=(1, 2)).needs() == [
        Need((1, key("rooms", 1)), Absent.POLL, find(ids=(1,))),
        Need((1, key("rooms", 2)), Absent.POLL, find(ids=(2,))),
    ]


def test_emissions_read_the_rows_that_are_needed() -> None:
    rows: dict[Row, Any] = {
        (1, key("rooms", 1)): made("Rooms", room=1, name="hall", seats=4),
        (2, key("desks", 1, 3)): made("Desks", room=1, desk=3, text="free"),
        (2, key("desks", 1, 4)): made("Desks", room=1, desk=4, text="taken"),
    }
    seated = update("Seated", room=1, desk=3, others=(3, 4))

    assert emit(seated) == [note(1, -1)]
    assert emit(seated, Around(row=rows.get)) == [told().operations.NameRoom(room=1, name="hall"), note(1, 3)]


# ------------------------------------------------------------------------------------------------- wire


def test_updates_survive_both_forms() -> None:
    updates = told().updates
    given = moved(made("Desk", room=2, desk=3), also=(made("Room", room=2**62), made("Nowhere")))

    assert updates.decode_update(updates.encode_update(given)) == given
    assert updates.decode_update_json(updates.encode_update_json(given)) == given
    assert updates.encode_update_json(given) == b"[5,[[2,2,3],0,[[1,4611686018427387904],[3]]],null,[]]"
