"""One run and its surroundings: who may write, what it refuses, what it checks before it commits."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import ADAPTER, JOB, MODULE, SOURCE, line

from pillarbox.box import Box
from pillarbox.bulk import Emit, differences
from pillarbox.errors import (
    DataError,
    PillarboxError,
    StoreError,
    StoreFailed,
    StoreMissing,
    TransientError,
    UsageError,
)
from pillarbox_spark import driver, pipeline
from pillarbox_spark.adapters import Piece, Refused
from pillarbox_spark.engines import InlineEngine
from pillarbox_spark.files import RunBusy, locked, write_whole
from pillarbox_spark.manifest import Manifest, read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.task import run_task
from pillarbox_spark.wire import Result, decode_result, decode_task, encode
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.types import UserId

CUT = Options(shard_bytes=60, piece_bytes=60, buckets=2)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.lines"
    path.write_text(
        line(1, 1, 1, "a", 0, "x")
        + line(2, 1, 2, "b", 1, "rename")
        + "! torn\n"
        + line(1, 2, 1, "b", 2, "yy")
    )
    return path


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


def test_an_existing_box_is_refused_before_any_work(history: Path, tmp_path: Path) -> None:
    (tmp_path / "one.box").touch()

    with pytest.raises(UsageError, match="exists; name a new file, or ask for the old one to be replaced"):
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


# ------------------------------------------------------------------------- adapters and sources at fault


@contextmanager
def adapter_with(**methods: Any) -> Iterator[None]:
    with patch.multiple(type(ADAPTER), **methods):
        yield


def _too_few(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield row(1, 1, 1, "a", 0, "x")


def _raises(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield row(1, 1, 1, "a", 0, "x")
    raise ValueError("no such luck")


def _gone(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield from (path.with_suffix(".gone")).open()


def _strangers(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield "text"


@pytest.mark.parametrize(
    ("read", "kind", "said"),
    [
        (_too_few, DataError, "the index found 4 records from byte 0 on, and reading 1; run again when"),
        (_raises, UsageError, r"ended in ValueError\('no such luck'\); the adapter .* must yield a Refused"),
        (_gone, StoreMissing, "history.gone: No such file"),
        (_strangers, UsageError, "record 0: the adapter .* yields a str; it must yield what `row` returns"),
    ],
)
def test_an_adapter_at_fault_is_told_so(
    history: Path, tmp_path: Path, read: Any, kind: type[PillarboxError], said: str
) -> None:
    history = history.rename(history.with_suffix(".loose"))

    with adapter_with(read=read), pytest.raises(kind, match=said):
        run(JOB, [history], tmp_path / "out")


def test_an_adapter_that_gives_records_twice_is_told_so(history: Path, tmp_path: Path) -> None:
    def index(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Piece]:
        yield from [Piece(file, 0, path.stat().st_size, 0, 4, group) for group in ("1", "2")]

    with (
        adapter_with(index=index),
        pytest.raises(UsageError, match="pieces must come in order and must not overlap"),
    ):
        run(JOB, [history], tmp_path / "out", CUT)


def test_a_record_that_only_some_parts_of_were_refused_has_one_line(tmp_path: Path) -> None:
    big = 2**40
    (tmp_path / "history.lines").write_text(line(1, big, 1, "a", 0, "x"))

    report = run(JOB, [tmp_path / "history.lines"], tmp_path / "out", Options(into=tmp_path / "one.box"))

    (told,) = oracle.quarantine_of(tmp_path / "out")
    assert (told["record"], told["begin"], told["reason"]) == (0, 0, "range-error")
    assert told["raw"] == line(1, big, 1, "a", 0, "x")
    assert (report.written, report.quarantined) == (0, {"range-error": 1})
    assert [row["user_id"] for row in oracle.box_rows(tmp_path / "one.box", "users")] == [1]
    assert oracle.box_rows(tmp_path / "one.box", "issues") == []


def test_what_the_machine_does_wrong_is_no_fault_of_a_record(history: Path, tmp_path: Path) -> None:
    def raises(row: Any) -> Iterator[Any]:
        raise StoreMissing("elsewhere", "gone")

    job = replace(JOB, source=replace(SOURCE, emits=(Emit(raises),)))

    with patch(f"{MODULE}.JOB", job), pytest.raises(StoreMissing, match="elsewhere: gone"):
        run(job, [history], tmp_path / "out")


def test_an_emission_without_group_or_route_is_refused(history: Path, tmp_path: Path) -> None:
    job = replace(JOB, source=replace(SOURCE, group=None))

    with patch(f"{MODULE}.JOB", job), pytest.raises(UsageError, match="has no `group`; give each of its"):
        run(job, [history], tmp_path / "out")


# --------------------------------------------------------------------------------- engines, progress


class Heard:
    def __init__(self) -> None:
        self.stages: list[tuple[str, int, int]] = []
        self.done: list[tuple[str, int, int]] = []
        self.ended = 0

    def stage(self, name: str, tasks: int, of_bytes: int) -> None:
        self.stages.append((name, tasks, of_bytes))

    def task_done(self, records: int, bytes_read: int) -> None:
        self.done.append((self.stages[-1][0], records, bytes_read))

    def finished(self) -> None:
        self.ended += 1


def test_progress_is_told_of_each_stage_and_task(history: Path, tmp_path: Path) -> None:
    heard = Heard()
    size = history.stat().st_size

    run(JOB, [history], tmp_path / "out", replace(CUT, into=tmp_path / "one.box"), progress=heard)

    assert [name for name, _, _ in heard.stages] == ["index", "read", "gather", "merge", "commit"]
    for stage in ("index", "read"):
        told = [(records, read) for name, records, read in heard.done if name == stage]
        assert [sum(figures) for figures in zip(*told, strict=True)] == [4, size]
    assert heard.stages[1][2] == size
    assert heard.ended == 1


def test_progress_ends_with_an_error_too(tmp_path: Path) -> None:
    heard = Heard()

    with pytest.raises(UsageError, match="no such file"):
        run(JOB, [tmp_path / "none"], tmp_path / "out", progress=heard)

    assert heard.ended == 1


@pytest.mark.parametrize(
    ("engine", "least", "expected"),
    [("auto", 1, "spark"), ("auto", 1 << 20, "inline"), ("spark", 1 << 20, "spark")],
)
def test_spark_is_for_what_is_large_or_where_it_is_asked_for(
    history: Path, tmp_path: Path, engine: Any, least: int, expected: str
) -> None:
    class Fake(InlineEngine):
        name = "spark"  # type: ignore[misc]

    @contextmanager
    def local_engine(cores: int | None, memory: str | None) -> Iterator[Fake]:
        yield Fake()

    options = Options(engine=engine)
    with (
        patch("pillarbox_spark.spark_engine.local_engine", local_engine),
        patch.object(pipeline, "SPARK_BYTES", least),
    ):
        report = run(JOB, [history], tmp_path / "out", options)

    assert report.engine == expected
    assert read_manifest(tmp_path / "out").report["engine"] == expected


def test_a_group_is_cut_only_where_tasks_run_at_the_same_time(tmp_path: Path) -> None:
    class Two(InlineEngine):
        parallel = 2  # type: ignore[misc]

    (tmp_path / "history.lines").write_text("".join(line(1, 1, 1, "a", at, "x") for at in range(9)))
    options = Options(shard_bytes=60, piece_bytes=60)

    one = run(JOB, [tmp_path / "history.lines"], tmp_path / "one", options)
    two = run(JOB, [tmp_path / "history.lines"], tmp_path / "two", options, engine=Two())

    assert one.tables == two.tables
    assert any("read" in shard.box for shard in read_manifest(tmp_path / "one").shards)
    assert all("gather" in shard.box for shard in read_manifest(tmp_path / "two").shards)


def test_refused_is_what_it_says(tmp_path: Path) -> None:
    """The adapter's own refusals come out as it worded them."""
    (tmp_path / "history.lines").write_text("! torn\n? lost\n")

    run(JOB, [tmp_path / "history.lines"], tmp_path / "out")

    lost, torn = oracle.quarantine_of(tmp_path / "out")
    refused = Refused("wrong-shape", "it begins with !; take it out", 0, b"! torn\n")
    assert (torn["reason"], torn["detail"], torn["begin"]) == (refused.reason, refused.detail, refused.begin)
    assert (lost["record"], lost["reason"], lost["begin"], lost["bytes"]) == (None, "damaged", 7, 7)
