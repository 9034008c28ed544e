"""The laws of views, over random part trees, dense key spaces and random commits; and planted faults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from tests.property.drawn_trees import WORDS, conditions, edges, trees, twins
from tests.property.mutants_children import CHILD_FAULTS
from tests.property.mutants_searches import SEARCH_FAULTS
from tests.property.mutants_views import FAULTS, Planted
from tests.property.view_children import check_children, check_each
from tests.property.view_columns import close_children, each_value, with_children
from tests.property.view_laws import (
    HARD,
    History,
    Step,
    Traffic,
    check_load,
    check_reads,
    check_replay,
    histories,
    slacks,
    starts,
    traffics,
)
from tests.property.view_searches import (
    HARD_SEARCHES,
    MatchesRecipe,
    check_found,
    found_with_children,
    lone_searches,
    searches,
)
from tests.property.view_trees import SCANNED, ScanRecipe, Tree, WindowRecipe

_ALONE = {word: recipes.map(lambda recipe: (recipe,)) for word, recipes in WORDS.items()}
_LISTS: st.SearchStrategy[Any] = WORDS["scan"] | WORDS["window"]


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_view_of_one_word_is_as_if_loaded_after_every_commit(word: str) -> None:
    @given(_ALONE[word], histories, slacks)
    def law(tree: Tree, history: History, slack_min: int) -> None:
        check_replay(tree, history, slack_min)

    law()


@pytest.mark.parametrize("what", sorted(SCANNED))
def test_a_scan_of_any_table_is_as_if_loaded_after_every_commit(what: str) -> None:
    scans = WORDS["scan"].map(lambda recipe: replace(recipe, what=what))

    @given(scans, histories, slacks)
    def law(scan: ScanRecipe, history: History, slack_min: int) -> None:
        check_replay((scan,), history, slack_min)

    law()


@given(trees, histories, slacks)
def test_a_tree_of_parts_is_as_if_loaded_after_every_commit(
    tree: Tree, history: History, slack_min: int
) -> None:
    check_replay(tree, history, slack_min)


@given(with_children, histories, slacks)
def test_entries_are_as_if_loaded_after_every_commit(tree: Tree, history: History, slack_min: int) -> None:
    check_replay(tree, history, slack_min)


@given(close_children, starts)
def test_loaded_entries_are_what_their_definition_says(tree: Tree, start: Step) -> None:
    check_children(tree, start)


@given(each_value, histories, slacks)
def test_values_with_children_are_as_if_loaded_after_every_commit(
    tree: Tree, history: History, slack_min: int
) -> None:
    check_replay(tree, history, slack_min)


@given(each_value, starts)
def test_every_value_has_an_entry(tree: Tree, start: Step) -> None:
    check_each(tree, start)


@given(searches | found_with_children, histories, slacks)
def test_a_search_is_as_if_loaded_after_every_commit(tree: Tree, history: History, slack_min: int) -> None:
    check_replay(tree, history, slack_min)


@given(lone_searches, starts)
def test_a_loaded_search_is_what_its_definition_says(recipe: MatchesRecipe, start: Step) -> None:
    check_found(recipe, start)


@pytest.mark.parametrize(("tree", "history", "slack_min"), HARD + HARD_SEARCHES)
def test_a_history_that_is_seldom_met_ends_as_if_loaded(tree: Tree, history: History, slack_min: int) -> None:
    check_replay(tree, history, slack_min)


@given(_LISTS, starts)
def test_a_loaded_list_is_what_its_definition_says(recipe: ScanRecipe | WindowRecipe, start: Step) -> None:
    check_load(recipe, start)


@given(traffics, st.integers(0, 50), st.booleans())
def test_a_scan_reads_once_for_many_removals(traffic: Traffic, limit: int, newest_first: bool) -> None:
    check_reads(traffic, limit, newest_first)


_TREES: dict[str, Any] = {
    **_ALONE,
    "edge": edges,
    "where": conditions,
    "twins": twins,
    "tree": trees,
    "entries": close_children,
    "each": each_value,
    "search": searches,
}


@pytest.mark.parametrize("planted", FAULTS + CHILD_FAULTS + SEARCH_FAULTS, ids=str)
def test_a_planted_fault_is_found(planted: Planted) -> None:
    hard = settings(
        max_examples=5_000,
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    if planted.law == "load":
        law: Any = given(_LISTS, starts)(check_load)
    elif planted.law == "children":
        law = given(close_children, starts)(check_children)
    elif planted.law == "values":
        law = given(each_value, starts)(check_each)
    elif planted.law == "found":
        law = given(lone_searches, starts)(check_found)
    elif planted.law == "reads":
        law = given(traffics, st.integers(0, 50), st.booleans())(check_reads)
    else:
        law = given(_TREES[planted.law], histories, slacks)(check_replay)

        for case in HARD + HARD_SEARCHES:
            law = example(*case)(law)

    with planted.fault.planted(), pytest.raises((AssertionError, KeyError, IndexError, ValueError)):
        hard(law)()
