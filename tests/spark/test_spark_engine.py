"""Tasks on a real Spark: each by itself, tried again where that may help, and told once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.spark.engine_tasks import SECONDS_MAX, attempts, describe, run_case, wait_for

from pillarbox.errors import StoreError, UsageError
from pillarbox_spark.session import ATTEMPTS
from pillarbox_spark.spark_engine import SparkEngine, local_engine


@pytest.fixture
def cases(engine: SparkEngine) -> SparkEngine:
    """An engine whose tasks are cases."""
    session = SparkSession.getActiveSession()
    assert session is not None
    return SparkEngine(session.newSession(), parallel=2, java=engine.java, task=run_case)


def told_by(engine: SparkEngine, *descriptors: str) -> list[str]:
    told: list[str] = []
    engine.run(descriptors, told.append)
    return told


def test_each_task_is_a_partition_of_its_own_and_is_told_once(cases: SparkEngine, tmp_path: Path) -> None:
    names = [f"task{number}" for number in range(23)]

    told = told_by(cases, *(describe(tmp_path, name=name) for name in names))

    assert sorted(text.split()[0] for text in told) == sorted(names)
    assert len({text.split()[1] for text in told}) == len(names)
    assert [attempts(tmp_path, name) for name in names] == [[f"{name}.0"] for name in names]


def test_no_tasks_are_no_job(cases: SparkEngine) -> None:
    assert told_by(cases) == []


def test_a_result_is_told_while_other_tasks_still_run(cases: SparkEngine, tmp_path: Path) -> None:
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text.split()[0])
        (tmp_path / "told").touch()

    waits = describe(tmp_path, name="second", does="wait", file="told")
    cases.run([describe(tmp_path, name="first"), waits], tell)

    assert told == ["first", "second"]


def test_what_a_task_refuses_on_purpose_comes_out_as_it_was_and_is_not_tried_again(
    cases: SparkEngine, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"^count is -1, which is not from 0 to 9"):
        told_by(cases, describe(tmp_path, name="a", does="refuse"), describe(tmp_path, name="b"))

    assert len(attempts(tmp_path, "a")) == 1


def test_a_full_disk_is_tried_again_and_then_told_as_it_was(cases: SparkEngine, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^/somewhere: the disk .* is full"):
        told_by(cases, describe(tmp_path, name="a", does="fill the disk"))

    assert len(attempts(tmp_path, "a")) == ATTEMPTS


def test_a_bug_in_a_task_comes_out_with_its_own_traceback_and_none_of_java(
    cases: SparkEngine, tmp_path: Path
) -> None:
    with pytest.raises(
        RuntimeError, match=r"(?s)^a task failed .* in run_case\n.*KeyError: 'no such thing'\n$"
    ):
        told_by(cases, describe(tmp_path, name="a", does="be wrong"))

    assert len(attempts(tmp_path, "a")) == ATTEMPTS


def test_a_killed_task_is_run_again_and_told_once(cases: SparkEngine, tmp_path: Path) -> None:
    told = told_by(
        cases,
        *(describe(tmp_path, name=name, does="die once") for name in ("a", "b")),
        describe(tmp_path, name="c"),
    )

    assert sorted(text.split()[0] for text in told) == ["a", "b", "c"]
    assert attempts(tmp_path, "a") == ["a.0", "a.1"]


def test_a_task_that_is_killed_each_time_is_an_error_of_one_line(cases: SparkEngine, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        told_by(cases, describe(tmp_path, name="a", does="die"))

    assert str(caught.value).startswith("Spark gave up: Python worker exited unexpectedly (crashed). Where")
    assert "\n" not in str(caught.value)


def test_an_error_while_a_result_is_taken_stops_the_other_tasks(cases: SparkEngine, tmp_path: Path) -> None:
    def interrupted(text: str) -> None:
        wait_for(tmp_path / "long.0")
        raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        cases.run([describe(tmp_path, name="a"), describe(tmp_path, name="long", does="sleep")], interrupted)

    assert time.monotonic() - began < SECONDS_MAX / 2
    assert told_by(cases, describe(tmp_path, name="next")) != []


def test_a_session_of_others_is_used_and_not_stopped(engine: SparkEngine) -> None:
    with local_engine(1) as borrowed:
        assert (borrowed.parallel, borrowed.java) == (2, None)

    session = SparkSession.getActiveSession()
    assert session is not None
    assert session.range(3).count() == 3
