"""Commits that bring more rows to the front of a list than it holds."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.property.mutants import Fault
from tests.unit.views.fakes import BY_RANK, ISSUES, FakeStore, Issue, issue_key

from pillarbox.views import Interests, Reads, Scan
from pillarbox.views.lane import Lane
from pillarbox.views.view import View

#: Rows shown; eight more are held.
SHOWN = 3


def by_number(*, newest_first: bool) -> Scan[Issue, Issue]:
    """Issues by their numbers."""
    return Scan(ISSUES, prefix=lambda: b"\1", limit=lambda: SHOWN, newest_first=newest_first)


def by_rank(*, newest_first: bool) -> Scan[Issue, Issue]:
    """Issues by their ranks, which change."""
    return Scan(
        BY_RANK,
        prefix=lambda: b"\1",
        source=ISSUES,
        source_key=lambda row: issue_key(row.project, row.number),
        limit=lambda: SHOWN,
        newest_first=newest_first,
    )


FAULTS = (
    (by_rank, Fault("what is cut off is taken for all", Lane, "_cut", "self.complete = False", "pass")),
    (by_number, Fault("what is cut off is not told", Lane, "_cut", "self.left.update", "dict")),
)


@pytest.mark.parametrize("newest_first", [True, False])
@pytest.mark.parametrize("make", [by_number, by_rank])
def test_what_is_shown_is_as_loaded_anew_and_what_came_and_went_is_told(
    make: Any, newest_first: bool
) -> None:
    check(make, newest_first=newest_first)


@pytest.mark.parametrize(("make", "fault"), FAULTS)
def test_a_planted_fault_is_found(make: Any, fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError)):
        check(make, newest_first=True)


def check(make: Any, *, newest_first: bool) -> None:
    """Replay commits of few changes and of many, and compare after each."""
    for seed in range(60):
        chance = random.Random(seed)
        store, interests = FakeStore(), Interests()
        store.commit(issues=[_issue(chance) for _ in range(chance.choice((2, 40)))])
        scan = make(newest_first=newest_first)
        view: View[Any] = View(("a key",), (scan,), lambda part=scan: part.value, names=("rows",))  # type: ignore[arg-type,misc]  # any key will do
        view.open(interests, Reads(store.readers))
        for _ in range(6):
            was = {id(row): row for row in scan.rows}
            many = chance.choice((0, 2, 30, 60))
            record = store.commit(
                issues=[_issue(chance) for _ in range(many)],
                no_issues=[(1, chance.randrange(100)) for _ in range(chance.choice((0, many, 90)))],
            )
            differs = view.replay(
                Reads(store.readers, record.tables, interests), interests.route(record.tables)
            )

            fresh = make(newest_first=newest_first)
            View(("other",), (fresh,), lambda: None, names=("rows",)).open(Interests(), Reads(store.readers))  # type: ignore[arg-type]
            assert scan.rows == fresh.rows
            if differs:
                for row in scan.left:
                    del was[id(row)]
                was.update((id(row), row) for row in scan.entered)
                assert was.keys() == {id(row) for row in scan.rows}


def _issue(chance: random.Random) -> Issue:
    return Issue(1, chance.randrange(100), rank=chance.randrange(200), assignee=1)
