"""The laws of lists whose conditions read what hangs on their rows; and planted faults."""

from __future__ import annotations

import logging
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.property.mutants import Fault
from tests.property.view_conditions import (
    CONDITION_FAULTS,
    check_condition,
    columns,
    conditions,
    lone_conditions,
)
from tests.property.view_laws import History, Step, check_replay, histories, slacks, starts
from tests.property.view_trees import Tree
from tests.unit.views.fakes import ISSUES, FakeStore, Issue

from pillarbox.views import Interests, Reads, Scan, View, Where, where


@given(conditions, histories, slacks)
def test_a_list_that_asks_is_as_if_loaded_after_every_commit(
    tree: Tree, history: History, slack_min: int
) -> None:
    check_replay(tree, history, slack_min)


@given(lone_conditions, starts)
def test_a_loaded_list_that_asks_is_what_its_definition_says(tree: Tree, start: Step) -> None:
    check_condition(tree, start)


def _replayed(tree: Tree, history: History, slack_min: int) -> None:
    check_replay(tree, history, slack_min)


@pytest.mark.parametrize(("law", "fault"), CONDITION_FAULTS, ids=str)
def test_a_planted_fault_is_found(law: str, fault: Fault) -> None:
    hard = settings(
        max_examples=3_000,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    check: Any = (
        given(conditions, histories, slacks)(_replayed)
        if law == "asking"
        else given(lone_conditions, starts)(check_condition)
    )

    with (
        fault.planted(),
        pytest.raises((AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)),
    ):
        hard(check)()


def test_a_list_gives_up_where_too_many_rows_do_not_count(caplog: pytest.LogCaptureFixture) -> None:
    store = FakeStore()
    store.commit(issues=[Issue(1, number, rank=number) for number in range(1, 100)])
    asked = Where(ISSUES, columns(), lambda row, person: row.rank > 90, needs=(0,), back=())
    scan = Scan(ISSUES, prefix=lambda: b"", limit=lambda: 3, where=asked)
    View[Any](("few",), (scan,), lambda: None, names=("scan",))  # type: ignore[arg-type]

    with patch.object(where, "SCAN_MAX", 50), caplog.at_level(logging.WARNING, logger="pillarbox"):
        limited = Scan(ISSUES, prefix=lambda: b"", limit=lambda: 3, where=asked)
        View[Any](("few",), (limited,), lambda: None, names=("scan",))  # type: ignore[arg-type]
        limited.open(Interests(), Reads(store.readers))
    scan.open(Interests(), Reads(store.readers))

    assert (limited.incomplete, limited.rows) == (True, ())
    assert "incomplete" in caplog.text
    assert (scan.incomplete, [row.number for row in scan.rows]) == (False, [91, 92, 93])
