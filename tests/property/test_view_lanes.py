"""The laws of scans over several prefixes and between bounds; and planted faults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.property.mutants import Fault
from tests.property.view_lanes import LANE_FAULTS, LanesRecipe, bounded, check_lanes, lanes, lone_lanes
from tests.property.view_laws import History, Step, check_replay, histories, slacks, starts
from tests.property.view_trees import Tree


@given(lanes, histories, slacks)
def test_lanes_are_as_if_loaded_after_every_commit(tree: Tree, history: History, slack_min: int) -> None:
    check_replay(tree, history, slack_min)


@given(lone_lanes, starts)
def test_loaded_lanes_are_what_their_definition_says(recipe: LanesRecipe, start: Step) -> None:
    check_lanes(recipe, start)


@given(bounded, histories, slacks)
def test_a_bounded_scan_is_as_if_loaded_after_every_commit(
    tree: Tree, history: History, slack_min: int
) -> None:
    check_replay(tree, history, slack_min)


def _replayed(tree: Tree, history: History, slack_min: int) -> None:
    check_replay(tree, history, slack_min)


@pytest.mark.parametrize(("law", "fault"), LANE_FAULTS, ids=str)
def test_a_planted_fault_is_found(law: str, fault: Fault) -> None:
    hard = settings(
        max_examples=3_000,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    checks: dict[str, Any] = {
        "lanes": given(lanes, histories, slacks)(_replayed),
        "lane": given(lone_lanes, starts)(check_lanes),
        "bounds": given(bounded, histories, slacks)(_replayed),
    }

    with fault.planted(), pytest.raises((AssertionError, IndexError, KeyError, TypeError, ValueError)):
        hard(checks[law])()
