"""Where there is no more of something, files or their length: what a process is told, and what stays."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import apsw
import pytest
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue
from tests.unit.storage.files import TABLE, filled
from tests.unit.storage.test_forked import in_child

from pillarbox.box import Box
from pillarbox.errors import FileDamaged, StoreError, StoreFailed, StoreFull, StoreMissing
from pillarbox.storage import SqliteEngine
from pillarbox.storage.faults import translated
from pillarbox.storage.presence import Presence
from pillarbox.storage.scratch import ScratchEngine


def put(box: TrackerBox, number: int) -> None:
    box.replay([PutIssue(issue(1, number, 5))])


def limit(what: int, most: int) -> None:
    resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def refused(work: Callable[[], object]) -> StoreError | None:
    """What it raises, if it does."""
    try:
        work()
    except StoreError as error:
        return error
    return None


@pytest.mark.parametrize("most", [50_000, 200_000, 400_000])
def test_where_no_file_may_grow_a_commit_is_refused_and_those_before_it_stay(
    tmp_path: Path, most: int
) -> None:
    path = tmp_path / "a.box"
    Box(path, PACKAGE).close()

    def child() -> None:
        with Box(path, PACKAGE, durability="relaxed") as box:
            done = 0
            limit(resource.RLIMIT_FSIZE, most)
            error: StoreError | None = None
            while error is None:
                error = refused(partial(put, box, done + 1))
                done += error is None
            assert type(error) is StoreFull
            assert "no file may grow so long; nothing was committed. Raise that limit" in str(error)
            assert len(box.get(Board(1, 1_000)).issues) == done
            limit(resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
            put(box, done + 1)
        (tmp_path / "done").write_text(str(done + 1))

    in_child(child)

    with Box(path, PACKAGE) as box:
        rows = box.get(Board(1, 1_000)).issues
    assert len(rows) == int((tmp_path / "done").read_text())


def test_where_no_file_may_grow_no_half_of_a_box_is_made(tmp_path: Path) -> None:
    for most in (0, 5_000, 40_000):
        path = tmp_path / f"{most}.box"

        def child(path: Path = path, most: int = most) -> None:
            limit(resource.RLIMIT_FSIZE, most)
            with pytest.raises(StoreFull, match="no file may grow so long"):
                Box(path, PACKAGE)

        in_child(child)
        with Box(path, PACKAGE) as box:
            assert box.opened == "created"
            put(box, 1)


def test_where_no_file_may_grow_a_file_beside_the_own_one_is_told_so(tmp_path: Path) -> None:
    """To read it SQLite needs a file of 32 KiB beside it, for the memory that is shared."""
    path = tmp_path / "a.box"
    filled(path).close()

    def child() -> None:
        with closing(ScratchEngine(str(tmp_path / "scratch"))) as engine:
            limit(resource.RLIMIT_FSIZE, 10_000)
            refused_so = pytest.raises(StoreFull, match=r"a\.box: no file may grow so long")
            with refused_so, engine.attached(str(path)):
                pytest.fail("there was room for it")

    in_child(child)


def test_who_may_open_no_more_files_is_told_that(tmp_path: Path) -> None:
    """At whichever file it is noticed: not that the box is not there, or its folder read-only."""
    path = tmp_path / "a.box"
    Box(path, PACKAGE).close()
    for spare in (*range(14), 30):

        def child(spare: int = spare) -> None:
            open_already = max(map(int, os.listdir("/proc/self/fd")))  # by the tests before this one
            limit(resource.RLIMIT_NOFILE, open_already + 64)
            held = []
            with suppress(OSError):
                while True:
                    held.append(os.open(os.devnull, os.O_RDONLY))
            for handle in held[:spare]:
                os.close(handle)

            def use() -> None:
                with Box(path, PACKAGE) as box, box.watch(Board(1)):
                    put(box, spare + 1)
                    box.backup(tmp_path / f"{spare}.copy")

            error = refused(use)
            if error is not None:
                assert type(error) is StoreFailed
                assert "too many files are open; close some, or allow more" in str(error)
            for handle in held[spare:]:
                os.close(handle)

        in_child(child)
    assert (tmp_path / "30.copy").exists()
    assert not (tmp_path / "0.copy").exists()


@pytest.mark.parametrize("length", [50, 511, 600, 4_000])
def test_a_file_that_ends_too_early_is_damaged(tmp_path: Path, length: int) -> None:
    path = tmp_path / "a.box"
    filled(path).close()
    os.truncate(path, length)

    with pytest.raises(FileDamaged, match="put a backup in its place"):
        SqliteEngine(str(path), durability="relaxed").get(TABLE, b"aa")


def test_whoever_may_write_to_a_box_is_seen_there(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    path.touch()
    path.chmod(0o660)

    presence = Presence.meet(str(path))

    assert presence is not None
    assert Path(f"{path}-presence").stat().st_mode & 0o777 == 0o660
    presence.close()


def test_who_asks_why_a_box_did_not_open_leaves_the_locks_of_others_alone(tmp_path: Path) -> None:
    """Whoever closes a file lets go of every lock that the process has on it, those of SQLite too."""
    path = tmp_path / "a.box"
    held = filled(path)

    error = translated(apsw.CantOpenError("unable to open database file"), str(path), 0)

    assert type(error) is StoreMissing
    inode = path.stat().st_ino
    assert [line for line in Path("/proc/locks").read_text().splitlines() if f":{inode} " in line]
    held.close()


def test_an_error_of_closing_is_told_though_nobody_knows_the_reason_any_more() -> None:
    connection = apsw.Connection(":memory:")
    connection.close()

    error = translated(apsw.IOError("disk I/O error"), "a.box", 0, connection)

    assert type(error) is StoreFailed
    assert str(error).startswith("a.box: disk I/O error; check the disk")
