"""The laws of windows of several lanes, cut by holes, over dense worlds; and planted faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.window_laws import (
    PLAIN,
    History,
    check_replay,
    check_sentence,
    histories_of,
    recipes,
    slacks,
)
from tests.property.window_world import Recipe


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_a_window_shows_what_the_sentence_says(name: str) -> None:
    @given(histories_of(PLAIN[name], in_step=True))
    def law(history: History) -> None:
        check_sentence(PLAIN[name], history)

    law()


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_a_window_is_as_if_loaded_after_every_commit(name: str) -> None:
    @given(histories_of(PLAIN[name]), slacks)
    def law(history: History, slack_min: int) -> None:
        check_replay(PLAIN[name], history, slack_min)

    law()


@given(st.data(), recipes, slacks)
def test_a_window_with_options_is_as_if_loaded_after_every_commit(
    data: st.DataObject, recipe: Recipe, slack_min: int
) -> None:
    check_replay(recipe, data.draw(histories_of(recipe)), slack_min)


@given(st.data(), recipes.filter(lambda recipe: not recipe.nested))
def test_a_window_with_options_shows_what_the_sentence_says(data: st.DataObject, recipe: Recipe) -> None:
    check_sentence(recipe, data.draw(histories_of(recipe, in_step=True)))
