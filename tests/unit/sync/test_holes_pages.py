"""What is asked for a hole, and what a page makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.sync.hole_world import CURSOR, KEYED, Edit, Page, Put, Remove, World, asked, hole, spec, wrote

from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.hole_notes import Notes
from pillarbox.sync.hole_specs import Asking, Covers, HoleLimits, RangeStore, Way, asking, covered
from pillarbox.sync.holes import GivenOut
from pillarbox.sync.protocol import Poll, Unhandled
from pillarbox.sync.signals import Log, Poke, Publish, SetTimer, Ticked

STORE = RangeStore(lambda *_: True, lambda *_: None, 1, 98)
PAGE = spec(limits=HoleLimits(page=100))


@pytest.mark.parametrize(
    ("given", "way", "low", "high"),
    [
        (hole(5, 9), Way.UP, 5, 9),
        (hole(5, 5), Way.UP, 5, 5),
        (hole(9, 5), Way.DOWN, 5, 9),
        (hole(9, None), Way.AROUND, 9, 9),
    ],
)
def test_a_range_says_where_to_begin(given: Any, way: Way, low: int, high: int) -> None:
    """8.2: start <= end fills upwards from start, start > end downwards; without an end around it."""
    asked = asking(given, PAGE)

    assert (asked.way, asked.lo, asked.hi) == (way, low, high)


@pytest.mark.parametrize(("count", "limit"), [(None, 100), (30, 30), (500, 100)])
def test_no_more_is_asked_for_than_is_wanted_and_allowed(count: int | None, limit: int) -> None:
    """8.4: limit = min(100, count)."""
    assert asking(hole(9, 1, count=count), PAGE).limit == limit


@pytest.mark.parametrize(
    ("way", "lo", "hi", "ids", "covers", "edges"),
    [
        # No ids, or a kind of rows that is always whole: all that was asked for.
        (Way.UP, 10, 40, [], Covers.REACHED, (10, 40)),
        (Way.DOWN, 10, 40, [], Covers.REACHED, (10, 40)),
        (Way.AROUND, 20, 20, [], Covers.REACHED, (1, 98)),
        (Way.UP, 10, 40, [12], Covers.ASKED, (10, 40)),
        (Way.DOWN, 10, 40, [38], Covers.ASKED, (10, 40)),
        (Way.AROUND, 20, 20, [20], Covers.ASKED, (1, 98)),
        # Around: from the least to the greatest, and at least the id.
        (Way.AROUND, 20, 20, [18, 25], Covers.REACHED, (18, 25)),
        (Way.AROUND, 20, 20, [22, 25], Covers.REACHED, (20, 25)),
        (Way.AROUND, 20, 20, [12], Covers.REACHED, (12, 20)),
        # Up: from the start to the greatest.
        (Way.UP, 10, 40, [12, 30], Covers.REACHED, (10, 30)),
        (Way.UP, 10, 40, [7], Covers.REACHED, (10, 10)),
        (Way.UP, 10, 40, [12, 45], Covers.REACHED, (10, 45)),
        # Down: from the least to the start.
        (Way.DOWN, 10, 40, [12, 38], Covers.REACHED, (12, 40)),
        (Way.DOWN, 10, 40, [44], Covers.REACHED, (40, 40)),
    ],
)
def test_what_a_page_proves(
    way: Way, lo: int, hi: int, ids: list[int], covers: Covers, edges: tuple[int, int]
) -> None:
    """8.5: a short page never closes a hole; an empty page closes its rest."""
    assert covered(Asking(hole(lo, hi), way, lo, hi, 100), ids, covers, STORE) == edges


def test_a_page_stores_its_rows_and_shrinks_the_hole_in_one_commit() -> None:
    """E-15, 8.5, H-2."""
    world = World()
    world.want(hole(99, 1))
    world.asked()

    world.answer(97, 90)

    assert world.tables.rows == {90, 97}
    assert max(world.tables.missing) == 89
    assert min(world.tables.missing) == 1


def test_a_row_outside_of_the_space_proves_nothing() -> None:
    """8.5: `ids` are those that really belong to the space."""
    given = spec()
    rule = given.answers[Page]
    given.answers[Page] = rule.__class__(  # type: ignore[index]
        rule.rows, rule.keep, rule.id, rule.emit, belongs=lambda _asking, _answer, row: row % 2 == 0
    )
    world = World(given)
    world.want(hole(99, 1))
    world.asked()

    world.answer(96, 91)

    assert world.tables.rows == {91, 96}
    assert max(world.tables.missing) == 95


def test_a_row_removed_while_it_was_asked_for_stays_away() -> None:
    """E-21: it was never stored, so nothing else tells of it."""
    world = asked(World())

    wrote(world, Remove(97), at=1)
    world.answer(98, 97, 90)

    assert world.tables.rows == {98, 90}
    assert max(world.tables.missing) == 89


def test_a_row_written_while_it_was_asked_for_is_left_as_it_is() -> None:
    """E-21."""
    world = asked(World())

    wrote(world, Put((97,)), at=1)
    world.answer(98, 97)

    assert world.tables.rows == {97, 98}
    assert world.tables.written == [(97,), (98,)]


def test_a_row_changed_in_part_while_it_was_asked_for_is_asked_for_again() -> None:
    """E-21: whether the page has it before or after the change, nobody knows."""
    world = asked(World())

    wrote(world, Edit(97), at=1)
    world.answer(98, 97)
    nothing = set(world.tables.rows)
    again = world.asked()
    world.answer(98, 97)

    assert nothing == set()
    assert len(again) == 1
    assert world.tables.rows == {97, 98}


def test_a_change_of_a_row_that_is_not_in_the_page_does_no_harm() -> None:
    """E-21."""
    world = asked(World())

    wrote(world, Edit(50), at=1)
    world.answer(98, 97)

    assert world.tables.rows == {97, 98}


def test_an_operation_of_which_nothing_is_known_spoils_the_page() -> None:
    """E-21."""
    world = asked(World())

    wrote(world, "something", at=1)
    world.answer(98, 97)

    assert world.tables.rows == set()
    assert len(world.asked()) == 1


def test_a_commit_that_was_not_told_and_moved_the_cursor_spoils_the_page() -> None:
    """E-21, P-4: another process has written."""
    world = asked(World())

    wrote(world, Remove(97), at=1, known=False)
    world.answer(98, 97)
    again = world.asked()
    world.answer(98)

    assert len(again) == 1
    assert world.tables.rows == {98}


def test_a_cursor_that_others_and_we_moved_is_not_explained_by_ours() -> None:
    """E-21, P-4: a chain of commits with a gap in it."""
    world = asked(World())

    wrote(world, Remove(97), at=1, known=False)
    wrote(world, Put((50,)), at=2)
    world.answer(98, 97)

    assert world.tables.rows == {50}


def test_a_commit_that_was_told_and_came_to_nothing_spoils_the_page() -> None:
    """E-21: what it was to write is neither here nor in the page."""
    world = asked(World())

    world.feed(Poke(0, world.holes.owner, GivenOut([Put((97,))], {(CURSOR, b""): ((0,), (1,))})))
    world.answer(98, 97)
    again = world.asked()
    world.answer(98, 97)

    assert len(again) == 1
    assert world.tables.rows == {98, 97}


def test_a_page_that_says_how_new_it_is_is_taken_though_the_cursor_moved() -> None:
    """E-21: it was made after all that is stored."""
    world = asked(World(spec(as_of=lambda page: page.at)))

    wrote(world, Remove(97), at=3, known=False)
    world.answer(98, at=3)

    assert world.tables.rows == {98}


def test_a_new_page_keeps_the_rows_of_a_commit_that_came_to_nothing() -> None:
    """E-21: what was noted as written is not, so it is not left out of the page; it is asked for again."""
    world = asked(World(spec(as_of=lambda page: page.at)))

    world.feed(Poke(0, world.holes.owner, GivenOut([Put((97,))], {(CURSOR, b""): ((1,), (2,))})))
    world.answer(98, 97, at=5)
    again = world.asked()
    world.answer(98, 97, at=5)

    assert len(again) == 1
    assert world.tables.rows == {98, 97}


def test_a_page_that_says_that_it_is_older_is_asked_for_again() -> None:
    """E-21."""
    world = asked(World(spec(as_of=lambda page: page.at)))

    wrote(world, Remove(97), at=3, known=False)
    world.answer(98, 97, at=2)

    assert world.tables.rows == set()
    assert len(world.asked()) == 1


def test_a_page_that_is_always_out_of_date_is_given_up() -> None:
    """E-21, 8.3, H-4: after some tries it is left alone like any other, and asked for after a while."""
    world = asked(World())
    asked_again = 0

    for at in range(1, 9):
        if world.holes.is_resting:
            break
        wrote(world, at=at, known=False)
        world.answer(98)
        asked_again += len(world.asked())

    assert asked_again == world.spec.limits.tries - 1
    assert world.holes.is_resting
    assert [log.rule for log in world.take(Log)] == ["E-21"]
    timer = world.take(SetTimer)[-1]
    world.now = timer.due
    world.feed(Ticked(world.now, timer.id))
    assert len(world.asked()) == 1
    world.answer(98)
    assert world.tables.rows == {98}


def test_a_row_that_is_known_is_neither_overwritten_nor_revived() -> None:
    """E-21: what lies in no hole is stored, or was removed."""
    world = World()
    world.tables.missing -= {97, 96}
    world.tables.rows = {96}

    asked(world).answer(98, 97, 96, 95)

    assert world.tables.rows == {98, 96, 95}


def test_a_hole_that_was_filled_meanwhile_is_not_asked_for() -> None:
    """8.3: the poke that says so is on its way."""
    world = World()
    world.tables.missing.clear()

    world.want(hole(99, 1))

    assert not world.asked()
    assert world.holes.is_resting


def test_what_a_page_asks_for_is_done_once_its_rows_are_written() -> None:
    """E-15, K-13: what is asked of a keyed cursor is owed in the commit of the page."""
    asked = [Poll(CURSOR), Poll(KEYED, 5, 7), Unhandled("typed alone")]
    world = World(spec(emit=lambda _tx, _asking, page: [Put(page.rows), *asked]))

    world.want(hole(9, 1))
    world.asked()
    assert world.acts == []
    world.answer(7, 8)

    assert world.tables.rows == {7, 8}
    assert world.acts == asked[:2]
    assert world.tables.debts == [Debt(KEYED, 5, 7, "", run=1, since=2)]
    assert [told.events for told in world.take(Publish)] == [(Unhandled("typed alone"),)]


def test_what_is_noted_while_a_page_is_asked_for_does_not_grow_with_what_is_pushed() -> None:
    """Of moves that follow on each other the first and the last are enough; one that is missing is seen."""
    notes, cursor = Notes(), (CURSOR, b"")
    for value in range(1_000):
        notes.add(spec(), (), [], {cursor: ((value,), (value + 1,))})
    assert sum(map(len, notes._moves.values())) == 1
    assert notes.explain((cursor, 0), 0, 1_000)
    assert not notes.explain((cursor, 0), 0, 999)

    notes.add(spec(), (), [], {cursor: ((1_001,), (1_002,))})
    assert not notes.explain((cursor, 0), 0, 1_002)
    assert not notes.explain((cursor, 0), 1_001, 1_002)
