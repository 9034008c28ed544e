"""One run and its surroundings: who may write, what it refuses, what it checks before it commits."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import JOB, line
from tests.waiting import SECONDS_MAX

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox.errors import (
    DataError,
    PillarboxError,
    StoreError,
    StoreFailed,
    StoreMissing,
    TransientError,
    UsageError,
)
from pillarbox_spark import driver
from pillarbox_spark.engines import InlineEngine
from pillarbox_spark.files import TABLES, Attempt, RunBusy, locked, write_whole
from pillarbox_spark.manifest import Manifest, read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.task import run_task
from pillarbox_spark.wire import Result, decode_result, decode_task, encode
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.types import UserId

CUT = Options(shard_bytes=60, piece_bytes=60, buckets=2)


class Meddling(InlineEngine):
    """Does something to the run's folder, or to a result, after each task."""

    def __init__(self, meddle: Callable[[Path, Result], Result | None]) -> None:
        self._meddle = meddle

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        for descriptor in descriptors:
            result = decode_result(run_task(descriptor))
            changed = self._meddle(Path(decode_task(descriptor).run), result)
            if changed is not None:
                on_result(encode(changed))


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


# ----------------------------------------------------------------------------------------- the one box


class Lasting(InlineEngine):
    """Is interrupted while a task goes on, which writes, and publishes what it wrote, until it fails to."""

    def __init__(self) -> None:
        self.task = threading.Thread(target=self._go_on)
        self._written = threading.Event()

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        self._folder = Path(decode_task(descriptors[0]).run)
        self.task.start()
        assert self._written.wait(SECONDS_MAX)
        raise KeyboardInterrupt

    def _go_on(self) -> None:
        with suppress(OSError, StoreError):
            for number in range(100_000):
                attempt = Attempt(self._folder, "late", number)
                attempt.part("x").write_bytes(b"")
                attempt.publish("x", f"{TABLES}/late", lasting=False)
                if number == 100:
                    self._written.set()


def test_a_task_that_outlives_an_interrupt_leaves_nothing(history: Path, tmp_path: Path) -> None:
    engine = Lasting()

    with pytest.raises(KeyboardInterrupt):
        run(JOB, [history], tmp_path / "out", CUT, engine=engine)

    engine.task.join(SECONDS_MAX)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]


def test_an_existing_box_is_refused_before_any_work(history: Path, tmp_path: Path) -> None:
    (tmp_path / "one.box").touch()

    with pytest.raises(
        UsageError, match="exists; name a new file, or have the old one replaced: `--replace`"
    ):
        run(JOB, [history], tmp_path / "out", Options(into=tmp_path / "one.box"))

    assert not (tmp_path / "out").exists()


def test_a_replaced_box_does_not_inherit_the_log_of_the_old_one(history: Path, tmp_path: Path) -> None:
    into = tmp_path / "one.box"
    run(JOB, [history], tmp_path / "out", Options(into=tmp_path / "want.box"))
    with Box(into, PACKAGE) as old, old.transaction() as tx:
        tx.users.remove(UserId(1))
    for ending in ("-wal", "-shm"):
        into.with_name(into.name + ending).write_bytes(b"stale")

    run(JOB, [history], tmp_path / "out", Options(into=into, replace=True))

    assert differences(PACKAGE, tmp_path / "want.box", into) == []


def test_an_old_box_is_whole_where_the_run_is_killed_before_the_new_one_has_its_name(
    history: Path, tmp_path: Path
) -> None:
    into = tmp_path / "one.box"
    run(JOB, [history], tmp_path / "out", Options(into=tmp_path / "old.box"))
    with Box(tmp_path / "old.box", PACKAGE, durability="relaxed") as old:
        with old.transaction() as tx:
            tx.users.remove(UserId(1))
        for ending in ("", "-wal"):  # as a process that was killed leaves them
            shutil.copy(tmp_path / f"old.box{ending}", tmp_path / f"one.box{ending}")

    with patch.object(driver, "rename", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        driver._Merged(driver.Into(into, replace=True), tmp_path / "out").land()

    assert differences(PACKAGE, tmp_path / "old.box", into) == []


@pytest.mark.parametrize("damage", [b"", b"z" * 4096])
def test_beside_an_old_box_nothing_is_left_where_the_run_fails(
    history: Path, tmp_path: Path, damage: bytes
) -> None:
    into = tmp_path / "one.box"
    run(JOB, [history], tmp_path / "out", Options(into=into))
    with into.open("r+b") as file:
        file.seek(4096)
        file.write(damage)

    with patch.object(driver, "commit", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        run(JOB, [history], tmp_path / "out", Options(into=into, replace=True))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["history.lines", "one.box", "out"]


def test_a_box_that_somebody_makes_meanwhile_is_not_overwritten(history: Path, tmp_path: Path) -> None:
    into = tmp_path / "one.box"

    def make(folder: Path, result: Result) -> Result:
        into.write_text("theirs")
        return result

    out = tmp_path / "out"
    with pytest.raises(
        UsageError, match=f"made by somebody else .* The shards are committed in {out}; for the"
    ):
        run(JOB, [history], out, Options(into=into), engine=Meddling(make))

    assert into.read_text() == "theirs"
    check_only_the_box_is_missing(out)


def test_of_a_box_that_cannot_take_its_place_the_rest_is_there_and_whole(
    history: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(JOB, [history], out, CUT)

    def rename(part: Path, final: Path) -> None:
        raise OSError(errno.EIO, "the disk says no", str(final))

    with (
        patch.object(driver, "rename", rename),
        pytest.raises(StoreFailed, match=r"one\.box: the disk says no"),
    ):
        run(JOB, [history], out, replace(CUT, into=tmp_path / "one.box"))

    check_only_the_box_is_missing(out)


def check_only_the_box_is_missing(out: Path) -> None:
    """The run in `out` is whole, told of and alone; nothing lies where its box was made."""
    manifest = read_manifest(out)
    assert json.loads((out / "report.json").read_text()) == manifest.report
    assert f"{manifest.report['read']}" in (out / "report.txt").read_text()
    assert oracle.left_over(out, manifest) == []
    assert list(out.parent.glob(".*")) == []


@pytest.mark.parametrize(
    ("out", "into", "said"),
    [
        ("history.lines", None, "is a file; name a folder"),
        ("out", "", "is a folder; name the file"),
        ("out", "no/one.box", "there is no such folder"),
    ],
)
def test_places_that_cannot_be_are_refused(
    history: Path, tmp_path: Path, out: str, into: str | None, said: str
) -> None:
    box = None if into is None else tmp_path / into

    with pytest.raises(UsageError, match=said):
        run(JOB, [history], tmp_path / out, Options(into=box))


def test_links_that_lead_nowhere_are_no_places(history: Path, tmp_path: Path) -> None:
    loop, stray = tmp_path / "loop", tmp_path / "stray"
    loop.symlink_to(loop)
    stray.symlink_to(tmp_path / "gone" / "further")

    for out in (loop, stray):
        with pytest.raises(UsageError, match="is a link that leads nowhere; name a folder"):
            run(JOB, [history], out)
    with pytest.raises(StoreMissing, match=r"loop"):
        run(JOB, [history], loop / "out")
    with pytest.raises(UsageError, match="is a link that leads back to itself; name the file"):
        run(JOB, [history], tmp_path / "out", Options(into=loop))
    with pytest.raises(UsageError, match="gone: there is no such folder for the box"):
        run(JOB, [history], tmp_path / "out", Options(into=stray))

    assert sorted(tmp_path.iterdir()) == [history, loop, stray]


def test_a_box_is_replaced_where_it_lies_and_not_the_link_to_it(history: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    box, link = tmp_path / "far" / "one.box", tmp_path / "link"
    link.symlink_to(box)
    run(JOB, [history], tmp_path / "out", Options(into=link))
    history.write_text("")

    run(JOB, [history], tmp_path / "out", Options(into=link, replace=True))

    assert link.is_symlink()
    assert oracle.box_rows(box, "issues") == []


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
