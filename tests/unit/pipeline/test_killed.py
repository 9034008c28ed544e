"""Runs, tasks and twins that are killed at each step: the next run comes to what an undisturbed one does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import JOB, line

from pillarbox.bulk import differences
from pillarbox_spark import driver, files
from pillarbox_spark.engines import InlineEngine
from pillarbox_spark.files import RunBusy, locked
from pillarbox_spark.manifest import MANIFEST, read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.report import Report
from pillarbox_spark.task import run_task
from pillarbox_tracker.box import PACKAGE

#: Two tasks that read, two that gather, both kinds of refusals, and rows of every kind.
CUT = Options(shard_bytes=100, piece_bytes=100, whole_bytes=120, buckets=2)
LINES = (
    line(1, 1, 1, "a", 0, "x"),
    line(1, 2, 2, "b", 1, "rename"),
    line(1, 2**40, 2, "b", 1, "yy"),
    line(2, 1, 1, "b", 2, "yy"),
    "! torn\n",
    "? lost\n",
    line(1, 1, 1, "a", 0, "yy"),
)


class Killed(BaseException):
    """What a killed process never gets to see; nobody may catch it."""


class Knife:
    """Stands for `files.rename`: kills at the rename of a number, from 0, `after` it or before."""

    def __init__(self, at: int, *, after: bool = False, kill: Callable[[], None] | None = None) -> None:
        self.count = 0
        self._at = at
        self._after = after
        self._kill = kill or _raise

    def __call__(self, part: Path, final: Path) -> None:
        here = self.count == self._at
        self.count += 1
        if here and not self._after:
            self._kill()
        os.replace(part, final)
        if here:
            self._kill()


def _raise() -> None:
    raise Killed


@contextmanager
def renames(knife: Knife, *, cleans: bool) -> Iterator[None]:
    """Have the knife at all renames; a driver that `cleans` not is one that was killed."""
    with patch.object(files, "rename", knife), patch.object(driver, "rename", knife):
        if cleans:
            yield
            return
        with patch.object(shutil, "rmtree"), patch.object(driver._Merged, "remove"):
            yield


class Input:
    """Files to ingest, what that comes to undisturbed, and a folder in which things go wrong."""

    def __init__(self, folder: Path) -> None:
        self.files = [folder / "one.lines", folder / "two.lines"]
        self.files[0].write_text("".join(LINES))
        self.files[1].write_text("".join(LINES[:3]))
        self.whole = folder / "whole"
        self.report = self.run(self.whole)
        #: Of a run before, over another input.
        self.old = folder / "old"
        run(JOB, self.files[1:], self.old, CUT)
        self.out = folder / "out"

    def run(self, out: Path, engine: Any = None) -> Report:
        return run(JOB, self.files, out, self.options(out), engine=engine)

    def options(self, out: Path) -> Options:
        return replace(CUT, into=out.with_suffix(".box"), replace=True)

    def check(self, report: Report) -> None:
        """What is in `out` equals the undisturbed run."""
        assert differences(PACKAGE, self.whole.with_suffix(".box"), self.out.with_suffix(".box")) == []
        self.check_folder()
        assert _figures(report) == _figures(self.report)
        manifest = read_manifest(self.out)
        assert oracle.left_over(self.out, manifest) == []
        assert sorted(path.name for path in self.out.parent.glob(".*")) == []

    def check_folder(self) -> None:
        """The committed folder by itself equals the undisturbed one."""
        assert oracle.quarantine_of(self.out) == oracle.quarantine_of(self.whole)
        for table in JOB.parquet:
            assert oracle.parquet_rows(self.out, table.name) == oracle.parquet_rows(self.whole, table.name)
        here, there = read_manifest(self.out), read_manifest(self.whole)
        assert [shard.tables for shard in here.shards] == [shard.tables for shard in there.shards]


def _figures(report: Report) -> dict[str, object]:
    tree = report.to_tree()
    return {name: tree[name] for name in ("read", "written", "quarantined", "skipped", "tables", "shards")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Input:
    return Input(tmp_path_factory.mktemp("killed"))


@pytest.fixture
def given(undisturbed: Input, tmp_path: Path) -> Input:
    undisturbed.out = tmp_path / "out"
    return undisturbed


def count_renames(given: Input, folder: Path) -> int:
    knife = Knife(-1)
    with renames(knife, cleans=True):
        given.run(folder / "counted")
    return knife.count


def test_there_are_renames_of_every_kind(given: Input, tmp_path: Path) -> None:
    names: list[str] = []

    def rename(part: Path, final: Path) -> None:
        names.append(final.name)
        os.replace(part, final)

    with patch.object(files, "rename", rename), patch.object(driver, "rename", rename):
        given.run(tmp_path / "out")

    endings = {name.rpartition(".")[2] for name in names}
    assert endings == {"spill", "refused", "box", "parquet", "ndjson", "json", "txt"}
    assert names[-4:] == ["manifest.json", "report.json", "report.txt", "out.box"]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_driver_killed_at_any_rename_leaves_the_old_or_the_new_and_the_next_run_all(
    given: Input, tmp_path: Path, after: bool
) -> None:
    count = count_renames(given, tmp_path)

    committed = [check_killed_driver(given, at, after=after) for at in range(count)]

    assert committed == sorted(committed)
    assert committed.count(True) == (4 if after else 3)


def check_killed_driver(given: Input, at: int, *, after: bool) -> bool:
    """Kill a run over a folder that holds another, and run again. Whether the killed one was committed."""
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.with_suffix(".box").unlink(missing_ok=True)
    shutil.copytree(given.old, given.out)
    old = read_manifest(given.out)
    with renames(Knife(at, after=after), cleans=False), pytest.raises(Killed):
        given.run(given.out)

    left = read_manifest(given.out)
    if left == old:
        assert all((given.out / name).exists() for name in old.files)
        assert not given.out.with_suffix(".box").exists()
    else:
        given.check_folder()
    given.check(given.run(given.out))
    return left != old


class Looking(InlineEngine):
    """Looks at what lies in a folder, and beside it, when the first task is about to run."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self.seen: set[str] = set()

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        self.seen = self.seen or rubbish(self._out)
        super().run(descriptors, on_result)


def rubbish(out: Path) -> set[str]:
    return {path.name for path in (*out.glob("run-*"), *out.parent.glob(".*"))}


@pytest.mark.parametrize("before", ["a run", "nothing", "a damaged manifest"])
def test_what_killed_runs_left_goes_before_the_next_one_writes(
    given: Input, tmp_path: Path, before: str
) -> None:
    if before != "nothing":
        shutil.copytree(given.old, given.out)
    if before == "a damaged manifest":
        (given.out / MANIFEST).write_text("")
    kept = rubbish(given.out)
    at_commit = count_renames(given, tmp_path) - 4
    for at in (0, at_commit):
        with renames(Knife(at), cleans=False), pytest.raises(Killed):
            given.run(given.out)
    left = rubbish(given.out)
    assert len(left - kept) == 3, "two runs, and the box that the second has merged"

    with locked(given.out), pytest.raises(RunBusy):
        given.run(given.out)
    assert rubbish(given.out) == left, "of another run that is under way"

    looking = Looking(given.out)
    report = given.run(given.out, looking)

    own = {read_manifest(given.out).run}
    runs = {name for name in left if name.startswith("run-")}
    assert looking.seen == own | (runs if before == "a damaged manifest" else kept)
    given.check(report)


class Retrying(InlineEngine):
    """Tries a task again that was killed, as Spark does."""

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        for descriptor in descriptors:
            try:
                result = run_task(descriptor)
            except Killed:
                result = run_task(descriptor)
            on_result(result)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_task_killed_at_any_rename_and_tried_again_changes_nothing(
    given: Input, tmp_path: Path, after: bool
) -> None:
    tried = 0
    for at in range(count_renames(given, tmp_path)):
        try:
            with renames(Knife(at, after=after), cleans=True):
                report = given.run(given.out, Retrying())
        except Killed:  # a rename of the driver's own
            continue
        given.check(report)
        tried += 1
    assert tried > 10


class Twins(InlineEngine):
    """Runs every task twice and tells both results, in any order."""

    def run(self, descriptors: Sequence[str], on_result: Callable[[str], None]) -> None:
        for result in [run_task(descriptor) for descriptor in (*descriptors, *reversed(descriptors))]:
            on_result(result)


def test_of_twins_one_counts_and_the_other_is_swept_away(given: Input) -> None:
    given.check(given.run(given.out, Twins()))


def _lands_at_once(make: Any) -> Any:
    def made(self: Any, job: Any, shards: Any) -> Any:
        rows = make(self, job, shards)
        os.link(self._made, self._box)
        return rows

    return made


FAULTS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "nothing is swept away": lambda: patch.object(driver, "sweep"),
    "the box lands before the commit": lambda: patch.object(
        driver._Merged, "make", _lands_at_once(driver._Merged.make)
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(given: Input, tmp_path: Path, fault: str) -> None:
    at_commit = count_renames(given, tmp_path) - 4

    with FAULTS[fault](), pytest.raises(AssertionError):
        check_killed_driver(given, at_commit, after=False)


DRIVER = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from pillarbox_spark import driver, files
from pillarbox_spark.pipeline import run
from tests.unit.pipeline.history import JOB
from tests.unit.pipeline.test_killed import CUT, Knife

at, out, *inputs = sys.argv[1:]
knife = Knife(int(at), kill=lambda: os.kill(os.getpid(), signal.SIGKILL))
files.rename = driver.rename = knife
options = replace(CUT, into=Path(out).with_suffix(".box"), replace=True)
run(JOB, [Path(name) for name in inputs], Path(out), options)
"""


@pytest.mark.parametrize("at", [0, 5, -5, -3, -2])
def test_a_process_that_was_really_killed_leaves_nothing_in_the_way(
    given: Input, tmp_path: Path, at: int
) -> None:
    at %= count_renames(given, tmp_path)
    command = [sys.executable, "-c", DRIVER, str(at), str(given.out), *map(str, given.files)]
    here = [str(Path(__file__).parents[3]), *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(here)}

    killed = subprocess.run(command, env=environment, capture_output=True, check=False)

    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert list(given.out.glob("run-*"))
    given.check(given.run(given.out))
