"""What only a file can do: be locked, foreign, damaged, backed up, moved away or removed."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw
import pytest
from tests.unit.storage.files import TABLE, filled
from tests.waiting import SECONDS_MAX

from pillarbox.errors import DataError, FileDamaged, NotABox, StoreBusy, StoreFailed, StoreMissing, UsageError
from pillarbox.storage import SqliteEngine, open_engine, sqlite_file

# --------------------------------------------------------------------------------------------- locks


def test_a_second_writer_waits_its_time_and_is_told_whom_to_look_for(tmp_path: Path) -> None:
    first = filled(tmp_path / "a.box")
    second = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", busy_ms=50)
    first.begin()

    began = time.monotonic()
    with pytest.raises(StoreBusy, match=r"a\.box: another connection .* 50 ms; end its transaction.*fuser"):
        second.begin()

    assert 0.04 < time.monotonic() - began < SECONDS_MAX
    first.rollback()
    second.begin()
    second.rollback()
    first.close()
    second.close()


def test_the_lock_is_asked_for_often_enough_to_get_it_from_one_who_writes_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = filled(tmp_path / "a.box")
    second = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", busy_ms=5_000)
    first.begin()
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 200:  # for a moment
            first.rollback()

    monkeypatch.setattr(sqlite_file, "sleep", wait)
    second.begin()

    assert sum(waits) <= 0.5
    second.rollback()
    first.close()
    second.close()


def test_a_writer_in_another_process_is_waited_for_too(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box", busy_ms=1_000 * SECONDS_MAX)
    script = (
        "import sys, time, apsw\n"
        "connection = apsw.Connection(sys.argv[1])\n"
        "connection.execute('BEGIN IMMEDIATE')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.readline()\n"
        "connection.execute('COMMIT')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, engine.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        hasty = SqliteEngine(engine.path, durability="relaxed", busy_ms=20)

        with pytest.raises(StoreBusy):
            hasty.begin()
        other.communicate("\n", timeout=SECONDS_MAX)
        engine.begin()

        engine.rollback()
        hasty.close()
    engine.close()


def test_two_processes_may_create_the_same_box_at_once(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pillarbox.storage import open_engine\n"
        "sys.stdin.readline()\n"
        "open_engine(sys.argv[1], durability='relaxed').close()\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "a.box")], stdin=subprocess.PIPE)
        for _ in range(4)
    ]

    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.close()

    assert [process.wait(timeout=SECONDS_MAX) for process in processes] == [0, 0, 0, 0]


def test_a_new_box_waits_for_who_holds_the_lock_of_its_file(tmp_path: Path) -> None:
    path = str(tmp_path / "a.box")
    first = apsw.Connection(path)
    first.execute("BEGIN IMMEDIATE")
    let_go = threading.Timer(0.3, first.execute, ("ROLLBACK",))
    let_go.start()

    open_engine(path, durability="relaxed").close()

    let_go.join()
    first.close()


def test_a_new_box_does_not_wait_for_ever(tmp_path: Path) -> None:
    path = str(tmp_path / "a.box")
    first = apsw.Connection(path)
    first.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreBusy):
        open_engine(path, durability="relaxed", busy_ms=50)

    first.close()


# ------------------------------------------------------------------------------ files that are no box


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"these are notes, and not few of them" * 100)
    before = path.read_bytes()

    with pytest.raises(NotABox, match=r"notes\.txt: this is no SQLite database; check that this is the file"):
        open_engine(str(path), durability="relaxed")

    assert path.read_bytes() == before


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks(url)")
    connection.close()

    with pytest.raises(NotABox, match="not made by pillarbox"):
        open_engine(str(path), durability="relaxed")

    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("bookmarks",)]
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("delete",)]
    connection.close()


def test_a_damaged_page_is_told_as_damage(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    engine.begin()
    engine.put_many(TABLE, [bytes((1, low)) for low in range(256)], [b"v" * 200] * 256)
    engine.commit()
    engine.close()
    data = bytearray((tmp_path / "a.box").read_bytes())
    data[4096 * 2 :] = b"\xa5" * (len(data) - 4096 * 2)
    (tmp_path / "a.box").write_bytes(data)

    engine = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
    with pytest.raises(FileDamaged, match=r"a\.box: .*malformed; put a backup in its place"):
        engine.scan(TABLE, None, None)
    engine.close()


def test_a_file_system_that_cannot_keep_a_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match=r"cannot share memory, .*; put the box on a disk of this machine"):
        SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", vfs="unix-none")


# ----------------------------------------------------------------------------------- where the file is


def test_a_backup_is_on_the_disk_before_it_has_its_name_and_then_its_name_is(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    seen: list[tuple[str, bool]] = []
    real = os.fsync

    def sync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        seen.append((kind, (tmp_path / "copy.box").exists()))
        real(handle)

    with patch.object(os, "fsync", sync):
        engine.backup(str(tmp_path / "copy.box"))

    engine.close()
    assert seen == [("file", False), ("folder", True)]


def test_a_backup_has_its_name_also_where_a_file_can_have_one_name_only(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")

    with patch.object(os, "link", side_effect=PermissionError(errno.EPERM, "Operation not permitted")):
        engine.backup(str(tmp_path / "copy.box"))
        broken = patch.object(os, "rename", side_effect=OSError(errno.EIO, "Input/output error"))
        with broken, pytest.raises(StoreFailed, match=r"cannot be given its name \(Input/output error\)"):
            engine.backup(str(tmp_path / "none.box"))

    engine.close()
    copy = open_engine(str(tmp_path / "copy.box"), durability="relaxed")
    assert copy.get(TABLE, b"aa") == b"kept"
    copy.close()
    assert {path.name for path in tmp_path.iterdir()} == {"a.box", "copy.box"}


def test_a_backup_takes_no_name_that_leads_nowhere(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    (tmp_path / "copy.box").symlink_to("nowhere")

    with pytest.raises(UsageError, match="exists; name a file that does not"):
        engine.backup(str(tmp_path / "copy.box"))

    engine.close()
    assert {path.name for path in tmp_path.iterdir()} == {"a.box", "copy.box"}


@pytest.mark.parametrize("replaced", [True, False])
def test_a_box_that_is_not_where_it_was_is_not_taken_for_another(tmp_path: Path, replaced: bool) -> None:
    engine = filled(tmp_path / "a.box")
    for ending in ("", "-wal", "-shm"):
        os.rename(tmp_path / f"a.box{ending}", tmp_path / f"moved.box{ending}")
    if replaced:
        SqliteEngine(str(tmp_path / "a.box"), durability="relaxed").close()

    with pytest.raises(StoreMissing, match="is not there any more: it was moved, removed or replaced"):
        engine.backup(str(tmp_path / "copy.box"))

    engine.close()
    assert not (tmp_path / "copy.box").exists()


def test_who_writes_hears_within_a_second_that_the_file_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = filled(tmp_path / "a.box")
    os.unlink(tmp_path / "a.box")
    now = time.monotonic()
    monkeypatch.setattr("pillarbox.storage.sqlite_file.monotonic", lambda: now + 1)

    for _ in range(2):  # nor is it forgotten for the next second
        with pytest.raises(StoreMissing, match="is not there any more: it was moved, removed or replaced"):
            engine.begin()

    engine.close()


class Interrupted:
    """A cursor; the user hits Ctrl-C while its first statement runs, and Python says so after that."""

    def __init__(self, cursor: apsw.Cursor) -> None:
        self._cursor = cursor
        self._is_first = True

    def execute(self, sql: str, bindings: Sequence[Any] = ()) -> apsw.Cursor:
        """Run it."""
        done = self._cursor.execute(sql, bindings)
        if self._is_first:
            self._is_first = False
            raise KeyboardInterrupt
        return done


@pytest.mark.parametrize("kind", ["write", "read"])
def test_who_is_interrupted_while_a_transaction_begins_is_in_none(tmp_path: Path, kind: str) -> None:
    engine = filled(tmp_path / "a.box")
    other = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", busy_ms=0)
    monkey: Any = engine
    monkey._cursor = Interrupted(monkey._cursor)
    begin, end = (engine.begin, engine.rollback) if kind == "write" else (engine.begin_read, engine.end_read)

    with pytest.raises(KeyboardInterrupt):
        begin()

    other.begin()  # nobody has the lock
    other.rollback()
    begin()
    end()
    other.close()
    engine.close()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("left", [None, b""])
def test_the_log_of_a_box_that_was_moved_without_it_is_not_lost(
    tmp_path: Path, left: bytes | None, read_only: bool
) -> None:
    engine = filled(tmp_path / "a.box")
    killed = {ending: (tmp_path / f"a.box{ending}").read_bytes() for ending in ("", "-wal")}
    engine.close()
    (tmp_path / "moved.box").write_bytes(killed[""])
    (tmp_path / "a.box-wal").write_bytes(killed["-wal"])
    (tmp_path / "a.box").unlink()
    if left is not None:
        (tmp_path / "a.box").write_bytes(left)

    with pytest.raises(DataError, match=r"a\.box-wal holds the last commits of a box that is not beside it"):
        SqliteEngine(str(tmp_path / "a.box"), durability="relaxed", read_only=read_only)

    assert (tmp_path / "a.box-wal").read_bytes() == killed["-wal"]
    (tmp_path / "moved.box").rename(tmp_path / "a.box")
    again = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
    assert again.get(TABLE, b"aa") == b"kept"
    again.close()


def test_where_the_working_folder_is_gone_a_relative_name_is_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    with pytest.raises(StoreMissing, match="the folder that this program runs in is not there any more"):
        SqliteEngine("a.box", durability="relaxed")
