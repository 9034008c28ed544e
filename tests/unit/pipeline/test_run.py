"""One run and its surroundings: who may write, what it refuses, what it checks before it commits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import JOB, line
from tests.unit.pipeline.meddling import CUT, Meddling

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox.errors import (
    DataError,
    PillarboxError,
    StoreError,
    StoreFailed,
    TransientError,
)
from pillarbox_spark import driver
from pillarbox_spark.files import RunBusy, locked, write_whole
from pillarbox_spark.manifest import Manifest, read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.wire import Result
from pillarbox_tracker.box import PACKAGE

# ------------------------------------------------------------------------------------------- around it


def test_a_second_run_over_the_same_folder_replaces_the_first_whole(history: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(JOB, [history], out, CUT)
    first = read_manifest(out)
    history.write_text(line(3, 1, 1, "c", 0, "x"))

    report = run(JOB, [history], out, CUT)

    assert report.read == 1
    second = read_manifest(out)
    assert second.run != first.run
    assert [path.name for path in out.glob("run-*")] == [second.run]
    assert [row["name"] for row in oracle.parquet_rows(out, "users")] == ["c"]


def test_what_was_committed_stays_readable_until_the_next_commit(history: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(JOB, [history], out, CUT)
    rows = oracle.parquet_rows(out, "users")
    seen = []

    def look(folder: Path, result: Result) -> Result:
        seen.append(oracle.parquet_rows(out, "users"))
        return result

    run(JOB, [history], out, CUT, engine=Meddling(look))

    assert len(seen) > 2
    assert all(found == rows for found in seen)


def test_what_was_said_before_and_comes_again_after_another_is_the_last_word(tmp_path: Path) -> None:
    said = ["a", "a", "a", "b", "b", "b", "a"]
    path = tmp_path / "names.lines"
    path.write_text("".join(line(1, 1, 7, name, at, "x") for at, name in enumerate(said)))

    run(JOB, [path], tmp_path / "out", CUT)

    assert [row["name"] for row in oracle.parquet_rows(tmp_path / "out", "users")] == ["a"]


def test_only_one_run_at_a_time_writes_to_a_folder_and_the_other_is_told_who(
    history: Path, tmp_path: Path
) -> None:
    with locked(tmp_path / "out"), pytest.raises(RunBusy, match=f"process {os.getpid()} on") as caught:
        run(JOB, [history], tmp_path / "out", CUT)

    assert isinstance(caught.value, StoreError)
    run(JOB, [history], tmp_path / "out", CUT)


def test_a_process_that_died_holds_no_lock(tmp_path: Path) -> None:
    code = (
        "import os; from pillarbox_spark.files import Path, locked; locked(Path()).__enter__(); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)

    with locked(tmp_path):
        pass


@pytest.mark.parametrize("name", ["my notes", "run-of-the-mill", "run-abc"])
def test_what_is_no_run_of_ours_is_left_alone(history: Path, tmp_path: Path, name: str) -> None:
    kept = tmp_path / "out" / name / "file"
    kept.parent.mkdir(parents=True)
    kept.touch()

    run(JOB, [history], tmp_path / "out", CUT)

    assert kept.exists()


def test_nothing_to_read_makes_a_folder_of_the_seed(tmp_path: Path) -> None:
    (tmp_path / "empty.lines").touch()

    report = run(JOB, [tmp_path / "empty.lines"], tmp_path / "out", Options(into=tmp_path / "one.box"))

    assert (report.read, report.shards) == (0, 1)
    with Box(tmp_path / "new.box", PACKAGE):
        pass
    assert differences(PACKAGE, tmp_path / "new.box", tmp_path / "one.box") == []
    assert [row["label"] for row in oracle.parquet_rows(tmp_path / "out", "labels")] == [1, 2]
    assert report.tables["labels"] == 2


def test_without_parquet_the_report_counts_the_same_rows(history: Path, tmp_path: Path) -> None:
    with_files = run(JOB, [history], tmp_path / "one", CUT)

    without = run(JOB, [history], tmp_path / "two", replace(CUT, parquet=False))

    assert without.tables == with_files.tables
    assert list((tmp_path / "two").rglob("*.parquet")) == []
    assert read_manifest(tmp_path / "two").parquet == {}


# --------------------------------------------------------------------------------- before the commit


def _drop(folder: Path, result: Result) -> Result | None:
    return None


def _rename(folder: Path, result: Result) -> Result:
    return _changed(result, task=99)


def _grow(folder: Path, result: Result) -> Result:
    for name in result.files:
        with (folder / name).open("ab") as file:
            file.write(b"!")
    return result


def _remove(folder: Path, result: Result) -> Result:
    for name in result.files:
        (folder / name).unlink()
    return result


def _lose_a_record(folder: Path, result: Result) -> Result:
    return _changed(result, passed=max(result.passed - 1, 0))


def _lose_an_entry(folder: Path, result: Result) -> Result:
    return _changed(result, gathered=max(result.gathered - 1, 0))


def _lose_a_line(folder: Path, result: Result) -> Result:
    return _changed(result, quarantine=())


def _changed(result: Result, **fields: Any) -> Result:
    return msgspec.structs.replace(result, **fields)


@pytest.mark.parametrize(
    ("meddle", "kind", "said"),
    [
        (_drop, TransientError, "ended without a result, the first is task 0; run again"),
        (_rename, DataError, "task 99, which is not of this stage"),
        (_grow, DataError, "should have .* bytes, CRC-32 .*; run again"),
        (_remove, DataError, "but it is not there"),
        (_lose_a_record, DataError, "4 records were read, but 1 written and 1 quarantined"),
        (_lose_an_entry, DataError, "was to gather 12 entries, and gathered"),
        (_lose_a_line, DataError, "1 records were refused when they were read, but 0 are in quarantine"),
    ],
)
def test_what_does_not_add_up_is_not_committed(
    history: Path,
    tmp_path: Path,
    meddle: Callable[[Path, Result], Result | None],
    kind: type[PillarboxError],
    said: str,
) -> None:
    with pytest.raises(kind, match=said):
        run(JOB, [history], tmp_path / "out", CUT, engine=Meddling(meddle))

    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]


def test_an_input_that_changes_while_it_is_read_is_not_committed(history: Path, tmp_path: Path) -> None:
    def change(folder: Path, result: Result) -> Result:
        os.utime(history, ns=(0, 0))
        return result

    with pytest.raises(DataError, match="changed while it was read; run again"):
        run(JOB, [history], tmp_path / "out", CUT, engine=Meddling(change))


@pytest.mark.parametrize("landed", [True, False])
def test_after_an_error_of_the_commit_the_manifest_tells_which_run_is_there(
    history: Path, tmp_path: Path, landed: bool
) -> None:
    out = tmp_path / "out"
    run(JOB, [history], out, CUT)
    first = read_manifest(out)

    def commit(folder: Path, manifest: Manifest) -> None:
        if landed:
            write_whole(
                folder / "manifest.json", (json.dumps(msgspec.to_builtins(manifest, str_keys=True))).encode()
            )
        raise StoreFailed(str(folder), "the disk says no")

    with patch.object(driver, "commit", commit), pytest.raises(StoreFailed):
        run(JOB, [history], out, CUT)

    left = read_manifest(out)
    assert (left.run != first.run) == landed
    assert all((out / name).exists() for name in left.files)
