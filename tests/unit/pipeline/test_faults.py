"""Records and adapters at fault: those are put aside, whatever is wrong with them, and these are told so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import JOB, MODULE, SOURCE, Happened, line

from pillarbox.bulk import Emit
from pillarbox_spark.pipeline import run
from pillarbox_spark.rows import Unmade, guarded
from pillarbox_tracker.types import ProjectId, UserId

GOOD = [1, 1, 1, "a", 0, "x"]


@pytest.mark.parametrize("ending", ["lines", "loose"])
def test_values_of_wrong_types_keep_out_their_record_and_no_other(tmp_path: Path, ending: str) -> None:
    records: list[list[Any]] = [
        GOOD,
        ["x", 1, 1, "a", 0, "x"],
        [1, 1.5, 1, "a", 0, "x"],
        [1, 2, 1, None, 0, "x"],
        [1, 3, 1, "\ud800", 0, "x"],
        [1, 4, 2**70, "a", 0, "x"],
        [1, 5, 1, "a", 0],
        [1, 6, 1, "a", 0, ["x"]],
        [1, 7, 1, "b", 1, "y"],
    ]
    path = tmp_path / f"history.{ending}"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    report = run(JOB, [path], tmp_path / "out")

    assert (report.read, report.written) == (9, 2)
    assert report.quarantined == {
        "range-error": 1,
        "type-error": 1,
        "unicode-encode-error": 1,
        "wrong-type": 4,
    }
    told = oracle.quarantine_of(tmp_path / "out")
    assert [json.loads(one["raw"]) for one in told] == records[1:-1]
    assert told[0]["detail"] == (
        "Expected `int`, got `str` - at `project`; mend the record, or what the adapter makes of it"
    )


def _no_attribute(row: Any) -> Iterator[Any]:
    yield row.said.nothing


def _no_member(row: Any) -> Iterator[Any]:
    yield {}[row.said]


def _by_zero(row: Any) -> Iterator[Any]:
    yield row.at // 0


def _too_deep(row: Any) -> Iterator[Any]:
    yield from _too_deep(row)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_no_attribute, "attribute-error"),
        (_no_member, "key-error"),
        (_by_zero, "zero-division-error"),
        (_too_deep, "recursion-error"),
    ],
)
@pytest.mark.parametrize("ending", ["lines", "loose"])
def test_what_cannot_be_made_of_a_record_keeps_it_out(
    tmp_path: Path, ending: str, make: Callable[[Any], Iterator[Any]], reason: str
) -> None:
    path = tmp_path / f"history.{ending}"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    job = replace(JOB, source=replace(SOURCE, emits=(Emit(make),)))

    with patch(f"{MODULE}.JOB", job):
        report = run(job, [path], tmp_path / "out")

    assert (report.read, report.quarantined) == (1, {reason: 1})


@pytest.mark.parametrize("ending", ["lines", "loose"])
def test_an_operation_of_wrong_types_keeps_out_what_is_applied_with_it(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history.{ending}"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    stranger = Emit(lambda row: [replaced(SOURCE.emits[0].make(row))], by_user)
    job = replace(JOB, source=replace(SOURCE, emits=(stranger, *SOURCE.emits[1:])))

    with patch(f"{MODULE}.JOB", job):
        report = run(job, [path], tmp_path / "out")

    assert (report.read, report.quarantined) == (1, {"wrong-type": 1})
    assert report.tables["issues"] == 1
    (told,) = oracle.quarantine_of(tmp_path / "out")
    assert told["raw"] == line(1, 1, 1, "a", 0, "x")


by_user = SOURCE.emits[0].route


def replaced(operations: Any) -> Any:
    """An operation that adds users, with text where a number must be."""
    (operation,) = operations
    (user,) = operation.users
    return type(operation)((type(user)("nobody", user.login, user.name),))


def test_a_guarded_row_has_the_types_of_its_columns() -> None:
    made = guarded(Happened)(1, 1, 1, "a", 0, said="x")

    assert made == Happened(ProjectId(1), 1, UserId(1), "a", 0, "x")
    assert isinstance(guarded(Happened)(True, 1, 1, "a", 0, "x"), Unmade)


def test_a_row_that_cannot_be_made_tells_which_column_is_at_fault() -> None:
    made = guarded(Happened)(1, 1, 1, "a", "soon", "x")

    assert isinstance(made, Unmade)
    assert "at `at`" in str(made.error)
