"""Pages asked for while a guard has no position, and what follows once it has one."""

from __future__ import annotations

from tests.unit.sync.hole_world import Put, World, asked, spec, wrote


def unknown(world: World) -> World:
    """Nobody knows yet where the cursor stands that guards the pages."""
    world.tables.position = None
    return asked(world)


def test_a_page_from_before_the_first_position_is_asked_for_again() -> None:
    """E-21: an answer that says where the server is tells nothing of what happened before."""
    world = unknown(World())

    wrote(world, at=5)
    world.answer(98, 97)
    again = world.asked()
    world.answer(98)

    assert len(again) == 1
    assert world.tables.rows == {98}


def test_a_page_that_is_as_new_as_the_first_position_is_taken() -> None:
    """E-21."""
    world = unknown(World(spec(as_of=lambda page: page.at)))

    wrote(world, Put((50,)), at=5)
    world.answer(98, 97, at=5)

    assert world.asked() == []
    assert world.tables.rows == {50, 98, 97}


def test_without_a_position_pages_are_taken() -> None:
    """A guard of what is not followed, as a channel that was not joined, never has one."""
    world = unknown(World())

    wrote(world, Put((50,)))
    world.answer(98, 97)

    assert world.tables.rows == {50, 98, 97}


def test_a_page_from_before_a_position_that_is_forgotten_again_is_asked_for_again() -> None:
    """E-21: somebody joined and left while it was on its way."""
    world = unknown(World())

    wrote(world, at=5)
    world.tables.position = None
    world.answer(98, 97)

    assert len(world.asked()) == 1
