"""Files and folders that may not be read or written, and names that no box can have."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.unit.storage.files import TABLE, filled

from pillarbox.errors import StoreFailed, StoreMissing, StoreReadOnly, UsageError
from pillarbox.storage import open_engine


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of a user to whom permissions apply, which they do not to root."""
    with tempfile.TemporaryDirectory() as folder:
        root = os.geteuid() == 0
        if root:
            os.chown(folder, 65534, -1)
            os.seteuid(65534)
        yield Path(folder)
        if root:
            os.seteuid(0)


def test_files_are_for_their_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o777)
    try:
        engine = filled(tmp_path / "a.box")
    finally:
        os.umask(old)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"a.box": 0o600, "a.box-wal": 0o600, "a.box-shm": 0o600}
    engine.close()


def test_a_box_cannot_be_created_in_a_read_only_folder(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)

    with pytest.raises(
        StoreReadOnly, match=r"a\.box: the file cannot be created .*make the file and its folder"
    ):
        open_engine(str(unprivileged / "a.box"), durability="relaxed")


def test_a_read_only_file_cannot_be_opened_for_writing(unprivileged: Path) -> None:
    filled(unprivileged / "a.box").close()
    (unprivileged / "a.box").chmod(0o400)

    with pytest.raises(StoreReadOnly, match="or open the box read-only"):
        open_engine(str(unprivileged / "a.box"), durability="relaxed")


def test_a_read_only_file_can_be_read(unprivileged: Path) -> None:
    filled(unprivileged / "a.box").close()
    (unprivileged / "a.box").chmod(0o400)

    engine = open_engine(str(unprivileged / "a.box"), durability="relaxed", read_only=True)

    assert engine.get(TABLE, b"aa") == b"kept"
    engine.close()


def test_a_box_in_a_read_only_folder_is_refused_with_what_to_do(unprivileged: Path) -> None:
    filled(unprivileged / "a.box").close()
    unprivileged.chmod(0o500)

    with pytest.raises(StoreReadOnly, match=r"folder is read-only.* copy the box to one that is"):
        open_engine(str(unprivileged / "a.box"), durability="relaxed", read_only=True)


def test_a_backup_can_be_read_in_a_read_only_folder(unprivileged: Path) -> None:
    engine = filled(unprivileged / "a.box")
    engine.backup(str(unprivileged / "copy.box"))
    engine.close()
    unprivileged.chmod(0o500)

    copy = open_engine(str(unprivileged / "copy.box"), durability="relaxed", read_only=True)

    assert copy.get(TABLE, b"aa") == b"kept"
    copy.close()


def test_reading_a_box_that_is_not_there_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="there is no such file; check the path"):
        open_engine(str(tmp_path / "a.box"), durability="relaxed", read_only=True)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("where", ["nowhere/a.box", "."])
def test_a_path_that_cannot_be_a_file_is_told(tmp_path: Path, where: str, read_only: bool) -> None:
    told = r"(no such file|cannot be created).*; check the path|is a folder; name the file of a box$"
    with pytest.raises(StoreMissing, match=told):
        open_engine(str(tmp_path / where), durability="relaxed", read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_no_regular_file_is_refused_and_left_alone(tmp_path: Path, read_only: bool) -> None:
    """Who opened a pipe to read it would wait for ever."""
    pipe = tmp_path / "a.box"
    os.mkfifo(pipe)

    for path in (pipe, Path(os.devnull)):
        with pytest.raises(StoreMissing, match="no regular file; name the file of a box"):
            open_engine(str(path), durability="relaxed", read_only=read_only)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_backup_into_no_folder_is_told_by_the_name_that_was_given(tmp_path: Path) -> None:
    engine = open_engine(str(tmp_path / "a.box"), durability="relaxed")

    with pytest.raises(StoreMissing) as raised:
        engine.backup(str(tmp_path / "nowhere" / "copy.box"))

    engine.close()
    assert raised.value.path == str(tmp_path / "nowhere" / "copy.box")
    assert ".part" not in str(raised.value)


def test_where_the_working_folder_cannot_be_named_a_whole_path_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    denied = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(os, "getcwd", Mock(side_effect=denied))

    with pytest.raises(StoreFailed, match=r"a\.box: .*runs in .*Permission denied.*; give the whole path"):
        open_engine("a.box", durability="relaxed")


@pytest.mark.parametrize("name", ["a\0.box", "\udcff.box"])
def test_a_name_that_no_box_can_have_is_the_callers_mistake(tmp_path: Path, name: str) -> None:
    engine = open_engine(str(tmp_path / "é.box"), durability="relaxed")

    for read_only in (True, False):
        with pytest.raises(UsageError, match="is no name that a box can have"):
            open_engine(str(tmp_path / name), durability="relaxed", read_only=read_only)
    with pytest.raises(UsageError, match="is no name that a box can have"):
        engine.backup(str(tmp_path / name))

    engine.close()
    assert [path.name for path in tmp_path.iterdir()] == ["é.box"]


@pytest.mark.parametrize("by", ["working folder", "link"])
def test_a_folder_in_which_no_box_can_be_is_told_before_there_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    (tmp_path / "\udcff").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "\udcff")
    monkeypatch.chdir(tmp_path / ("\udcff" if by == "working folder" else ""))
    engine = open_engine(str(tmp_path / "a.box"), durability="relaxed")

    with pytest.raises(UsageError, match=r"udcff/a\.box' is no name that a box can have: not UTF-8"):
        open_engine("a.box" if by == "working folder" else "link/a.box", durability="relaxed")
    if by == "working folder":
        with pytest.raises(UsageError, match=r"udcff/b\.box' is no name that a box can have: not UTF-8"):
            engine.backup("b.box")

    engine.close()
    assert list((tmp_path / "\udcff").iterdir()) == []


def test_where_python_takes_names_otherwise_than_sqlite_it_is_said_how_to_change_that(tmp_path: Path) -> None:
    program = "import sys\nfrom pillarbox.storage import *\nopen_engine(sys.argv[1], durability='relaxed')"
    ascii_only = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}

    command = [sys.executable, "-c", program, str(tmp_path / "é.box")]
    done = subprocess.run(command, env=os.environ | ascii_only, capture_output=True, text=True, check=False)

    assert "name another, or have Python take names as UTF-8, not as ascii (PYTHONUTF8=1)" in done.stderr
    assert list(tmp_path.iterdir()) == []
