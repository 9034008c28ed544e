"""The one box of a run: where it may lie, what it replaces, and what is left where it cannot be."""

from __future__ import annotations

import errno
import json
import shutil
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import JOB
from tests.unit.pipeline.meddling import CUT, Meddling
from tests.waiting import SECONDS_MAX

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox.errors import (
    DataError,
    StoreError,
    StoreFailed,
    StoreMissing,
    UsageError,
)
from pillarbox_spark import driver
from pillarbox_spark.engines import InlineEngine
from pillarbox_spark.files import TABLES, Attempt
from pillarbox_spark.manifest import read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.wire import Result, decode_task
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.types import UserId


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


@pytest.mark.parametrize("replace", [False, True])
def test_a_new_box_is_not_laid_beside_the_log_of_one_that_is_gone(
    history: Path, tmp_path: Path, replace: bool
) -> None:
    into = tmp_path / "one.box"
    into.with_name("one.box-wal").write_bytes(b"last commits")

    with pytest.raises(DataError, match="holds the last commits of a box that is not beside it"):
        run(JOB, [history], tmp_path / "out", Options(into=into, replace=replace))
    assert not (tmp_path / "out").exists()
    with pytest.raises(DataError, match="holds the last commits of a box that is not beside it"):
        driver._Merged(driver.Into(into, replace), tmp_path / "out").land()

    assert into.with_name("one.box-wal").read_bytes() == b"last commits"


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


@pytest.mark.parametrize("replaces", [False, True])
def test_who_is_interrupted_behind_the_commit_is_told_what_stands(
    history: Path, tmp_path: Path, replaces: bool
) -> None:
    into = tmp_path / "one.box"
    stands = f"there is no {into} yet"
    if replaces:
        run(JOB, [history], tmp_path / "first", Options(into=into))
        stands = f"{into} is as it was"
    before = into.read_bytes() if replaces else b""

    with (
        patch.object(driver, "rename", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt) as raised,
    ):
        run(JOB, [history], tmp_path / "out", Options(into=into, replace=replaces))

    assert str(raised.value) == (
        f"the shards are committed in {tmp_path / 'out'}, and {stands}; run again for the one box"
    )
    assert read_manifest(tmp_path / "out").files
    assert (into.read_bytes() if into.exists() else b"") == before
    run(JOB, [history], tmp_path / "out", Options(into=into, replace=replaces))


def test_who_is_interrupted_with_the_box_in_its_place_is_told_no_more(history: Path, tmp_path: Path) -> None:
    into = tmp_path / "one.box"

    with (
        patch.object(driver, "sync", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt) as raised,
    ):
        run(JOB, [history], tmp_path / "out", Options(into=into))

    assert str(raised.value) == ""
    assert into.exists()


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


@pytest.mark.parametrize(
    "name", ["manifest.json", "manifest.json.part", "report.json", "report.txt.part", ".lock"]
)
@pytest.mark.parametrize("replace", [True, False])
def test_a_box_takes_the_place_of_nothing_that_a_run_writes(
    name: str, replace: bool, history: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()

    with pytest.raises(UsageError, match="is what a run writes of itself; name another file for the box"):
        run(JOB, [history], out, Options(into=tmp_path / "out" / ".." / "out" / name, replace=replace))

    assert list(out.iterdir()) == []


def test_a_box_is_not_laid_where_the_run_itself_sweeps_it_away(history: Path, tmp_path: Path) -> None:
    out, link = tmp_path / "out", tmp_path / "link.box"
    run(JOB, [history], out)
    box = out / read_manifest(out).run / "one.box"
    link.symlink_to(box)
    before = read_manifest(out)

    for into in (box, link):
        with pytest.raises(UsageError, match="is what a run writes of itself; name another file for the box"):
            run(JOB, [history], out, Options(into=into))

    assert read_manifest(out) == before


def test_a_folder_that_is_called_as_a_run_is_no_place(history: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is called as a run calls a folder of its own; name another"):
        run(JOB, [history], tmp_path / "run-0123456789ab")

    assert list(tmp_path.iterdir()) == [history]


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


def test_a_report_says_where_the_box_is_whoever_reads_it_and_from_where(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    report = run(JOB, [history], Path("out"), Options(into=Path("one.box")))

    assert (report.out, report.into) == (str(tmp_path / "here/out"), str(tmp_path / "here/one.box"))
    assert json.loads(Path("out/report.json").read_text())["into"] == report.into
