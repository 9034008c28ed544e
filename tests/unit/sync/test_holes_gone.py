"""What a page does not have, though it looked there, is gone; what came meanwhile stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.property.mutants import Fault
from tests.unit.sync.hole_world import Page, Put, World, hole, spec, wrote

from pillarbox.sync.hole_drafts import Page as Pages
from pillarbox.sync.hole_specs import HoleLimits


def test_what_is_stored_in_a_hole_and_not_on_its_page_is_gone() -> None:
    """D-6, 8.5, E-15: in the commit of the page, as far as it reaches, and nowhere else."""
    world = World()
    world.tables.rows = {60, 80, 92, 93, 95, 97, 98}
    world.tables.missing -= {93, 98, 99}
    world.want(hole(97, 1))
    world.asked()

    world.answer(97, 90)

    assert world.tables.rows == {60, 80, 90, 93, 97, 98}
    assert max(world.tables.missing) == 89


def test_an_empty_page_takes_all_away() -> None:
    """8.5: there is nothing in what was asked for."""
    world = World()
    world.tables.rows = {3, 4, 60}
    world.want(hole(1, 50))
    world.asked()

    world.answer()

    assert world.tables.rows == {60}


def test_around_an_id_what_lies_on_both_sides_goes() -> None:
    """8.5."""
    world = World()
    world.tables.rows = {10, 38, 39, 41, 60}
    world.want(hole(40, None))
    world.asked()

    world.answer(37, 44)

    assert world.tables.rows == {10, 37, 44, 60}


def test_what_came_while_a_page_was_asked_for_stays() -> None:
    """E-21: the page was perhaps made before it; whoever wrote it."""
    world = World()
    world.tables.rows = {95}
    world.want(hole(99, 1))
    world.asked()
    wrote(world, Put((94,)), at=1)
    world.tables.rows.add(93)  # the program

    world.answer(97, 90)

    assert world.tables.rows == {90, 93, 94, 97}


def test_what_a_page_has_and_a_commit_changed_is_left_alone() -> None:
    """E-21: it is not written, and not gone."""
    world = World()
    world.tables.rows = {95}
    world.want(hole(99, 1))
    world.asked()
    wrote(world, Put((95,)), at=1)

    world.answer(97, 95)

    assert world.tables.rows == {95, 97}


def test_no_more_is_closed_than_was_looked_at() -> None:
    """D-6: what is stored behind so many rows is looked at for the next page."""
    world = World(spec(limits=HoleLimits(page=10, stood=2)))
    world.tables.rows = {91, 92, 93, 94, 95}
    world.want(hole(99, 1))
    world.asked()

    world.answer(90)

    assert world.tables.rows == {90, 91, 92, 93}
    assert max(world.tables.missing) == 93


def test_a_page_that_is_older_than_its_question_is_asked_for_again() -> None:
    """E-21: what it lacks may have come since it was made."""
    world = World(spec(as_of=lambda page: page.at))
    world.tables.position = 7
    world.tables.rows = {95}
    world.want(hole(99, 1))
    world.asked()

    world.answer(97, 90, at=6)

    assert world.tables.rows == {95}
    assert len(world.asked()) == 1
    world.answer(97, 90, at=7)
    assert world.tables.rows == {90, 97}


def test_where_nobody_can_tell_what_is_gone_it_stays() -> None:
    """D-6."""
    given = spec()
    given.answers[Page] = replace(given.answers[Page], absent=None)  # type: ignore[index]
    world = World(given)
    world.tables.rows = {95}
    world.want(hole(99, 1))
    world.asked()

    world.answer(97, 90)

    assert world.tables.rows == {90, 95, 97}


@pytest.mark.parametrize(
    "fault",
    [
        Fault("more is gone than was missing", Pages, "_gone", "if store.has(tx, at, id)", ""),
        Fault("a page takes what it brings", Pages, "_gone", "and id not in page", ""),
        Fault("what the program wrote is taken for gone", Pages, "_gone", "if id in stood.ids and", "if"),
        Fault("a page is as old as it likes", Pages, "_is_current", "(self.before.values[0] or 0)", "0"),
        Fault(
            "all is closed", Pages, "apply", "low, high = max(low, stood.low), min(high, stood.high)", "pass"
        ),
    ],
    ids=str,
)
def test_faults_in_what_is_gone_are_noticed(fault: Fault) -> None:
    """E-21, D-6."""
    laws = (
        test_what_is_stored_in_a_hole_and_not_on_its_page_is_gone,
        test_what_came_while_a_page_was_asked_for_stays,
        test_what_a_page_has_and_a_commit_changed_is_left_alone,
        test_no_more_is_closed_than_was_looked_at,
        test_a_page_that_is_older_than_its_question_is_asked_for_again,
    )

    def noticed() -> bool:
        for law in laws:
            try:
                law()
            except AssertionError:
                return True
        return False

    assert not noticed()
    with fault.planted():
        assert noticed()
