"""Files that appear whole: what is left after an error, and what errors of the system become."""

from __future__ import annotations

import errno
import os
import warnings
from pathlib import Path
from unittest.mock import patch

import pytest

from pillarbox.errors import PillarboxError, StoreFailed, StoreFull, StoreMissing, StoreReadOnly
from pillarbox_spark import files
from pillarbox_spark.files import Attempt, RunBusy, figures_of, locked, publish, store_error, write_whole


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EACCES, StoreReadOnly),
        (errno.EROFS, StoreReadOnly),
        (errno.ENOENT, StoreMissing),
        (errno.ELOOP, StoreMissing),
        (errno.EIO, StoreFailed),
    ],
)
def test_errors_of_the_system_are_grouped_by_who_must_act(code: int, kind: type[PillarboxError]) -> None:
    error = store_error(Path("here"), OSError(code, os.strerror(code)))

    assert type(error) is kind
    assert "here" in str(error)


@pytest.mark.parametrize(
    ("code", "todo"),
    [
        (errno.EFBIG, "`ulimit -f`"),
        (errno.EMFILE, "`ulimit -n`"),
        (errno.EIO, "check the disk .* then run again$"),  # there may be no box yet
    ],
)
def test_errors_of_the_system_say_what_to_do(code: int, todo: str) -> None:
    with pytest.raises(PillarboxError, match=todo):
        raise store_error(Path("here"), OSError(code, os.strerror(code)))


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    with patch.object(files, "rename", side_effect=OSError(errno.EIO, "bad")), pytest.raises(StoreFailed):
        write_whole(path, b"new")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_taken_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(b"half a")

    write_whole(tmp_path / "file", b"whole")

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"whole"}


def test_attempts_at_one_task_have_no_name_in_common(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    one, other = Attempt(tmp_path, "read", 3), Attempt(tmp_path, "read", 3)
    for attempt in (one, other):
        attempt.part("box").write_bytes(b"")

    names = {attempt.publish("box", "boxes", lasting=True) for attempt in (one, other)}

    assert len(names) == 2
    assert all(name.startswith("boxes/read-00003-") and name.endswith(".box") for name in names)
    assert list((tmp_path / "work").iterdir()) == []


def test_publishing_what_is_not_there_tells_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match=r"gone\.part"):
        publish(tmp_path / "gone.part", tmp_path / "gone")


def test_figures_tell_files_apart(tmp_path: Path) -> None:
    for name, data in {"a": b"12345", "b": b"12354", "c": b"123450"}.items():
        (tmp_path / name).write_bytes(data)

    figures = [figures_of(tmp_path / name) for name in "abc"]

    assert [it.bytes for it in figures] == [5, 5, 6]
    assert len({it.crc32 for it in figures}) == 3


def test_a_folder_with_no_room_for_a_lock_is_a_full_disk(tmp_path: Path) -> None:
    full = patch.object(os, "pwrite", side_effect=OSError(errno.ENOSPC, "No space left on device"))

    with full, pytest.raises(StoreFull, match=r"out: the disk .* is full"), locked(tmp_path / "out"):
        pass

    with locked(tmp_path / "out"):
        pass


def test_what_is_forked_meanwhile_does_not_hold_the_folder(tmp_path: Path) -> None:
    until, ended = os.pipe()
    with locked(tmp_path), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on, where there are threads
        child = os.fork()
        if not child:
            os.read(until, 1)
            os._exit(0)
    try:
        with locked(tmp_path), pytest.raises(RunBusy, match=f"process {os.getpid()} on"), locked(tmp_path):
            pass
    finally:
        os.write(ended, b".")
        os.waitpid(child, 0)
        os.close(until)
        os.close(ended)
