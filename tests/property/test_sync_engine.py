"""The engine under a hostile world: whatever is lost, repeated, reordered, failed or killed."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.sync_world import ACTIONS, World, check_again, check_rest

#: What happens often is named often.
NAMES = (
    *ACTIONS,
    *("happen",) * 4,
    *("deliver",) * 6,
    *("work",) * 6,
    *("settle",) * 3,
    *("answer",) * 5,
    *("tick",) * 3,
)
actions = st.tuples(st.sampled_from(NAMES), st.integers(0, 23))
histories = st.lists(actions, min_size=1, max_size=80)


def run(history: Sequence[tuple[str, int]]) -> World:
    """A whole run, to its rest."""
    world = World()
    for name, choice in history:
        world.act(name, choice)
    world.rest()
    check_rest(world)
    return world


@settings(max_examples=300, deadline=None)
@given(histories)
def test_whatever_happens_every_step_keeps_the_laws_and_rest_is_the_server(
    history: list[tuple[str, int]],
) -> None:
    """E-1, E-2, E-3, E-5, E-7, E-8, E-9, E-10, E-13, E-18, E-19, E-20."""
    run(history)


@settings(max_examples=100, deadline=None)
@given(histories)
def test_the_same_inputs_give_the_same_outputs(history: list[tuple[str, int]]) -> None:
    """E-11."""
    check_again(run(history))
