"""The laws of windows of several lanes, cut by holes, over dense worlds; and planted faults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from tests.property.mutants_window_holes import HOLE_FAULTS
from tests.property.mutants_window_lanes import LANE_FAULTS
from tests.property.mutants_windows import FAULTS, Planted
from tests.property.window_laws import (
    HARD,
    PLAIN,
    History,
    Traffic,
    check_reads,
    check_replay,
    check_sentence,
    histories_of,
    recipes,
    slacks,
    traffics,
)
from tests.property.window_world import Dials, Item, Mark, Recipe, Step


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


@pytest.mark.parametrize(("recipe", "history", "slack_min"), HARD)
def test_a_history_that_is_seldom_met_ends_as_if_loaded(
    recipe: Recipe, history: History, slack_min: int
) -> None:
    check_replay(recipe, history, slack_min)


def test_a_row_that_shows_nothing_new_is_older_than_the_first_that_does() -> None:
    step = Step(
        (Item(1, 1, 1), Item(1, 2, 2)),
        marks=(Mark(1, 1, 1),),
        dials=Dials((1, 2), "newest", 2, 0, clip=False, ranked=True),
    )

    check_sentence(Recipe(holes="marks", distinct=True), (step, []))


@given(traffics)
def test_a_window_reads_once_for_many_removals(traffic: Traffic) -> None:
    check_reads(traffic)


@pytest.mark.parametrize("planted", FAULTS + LANE_FAULTS + HOLE_FAULTS, ids=str)
def test_a_planted_fault_is_found(planted: Planted) -> None:
    hard = settings(
        max_examples=5_000,
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    recipe = planted.recipe
    if planted.law == "reads":
        law: Any = given(traffics)(check_reads)
    elif planted.law == "sentence":
        law = given(histories_of(recipe, in_step=True))(lambda history: check_sentence(recipe, history))
    else:
        law = given(histories_of(recipe), slacks)(
            lambda history, slack_min: check_replay(recipe, history, slack_min)
        )
        for hard_recipe, history, slack_min in HARD:
            if hard_recipe == recipe:
                law = example(history, slack_min)(law)

    with (
        planted.fault.planted(),
        pytest.raises((AssertionError, KeyError, IndexError, ValueError, TypeError)),
    ):
        hard(law)()
