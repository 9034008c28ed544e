"""Files get their names, whatever lies there: nothing of that is touched, and what is new is whole.

Law. `give_name`, `create_private` and the refusals leave every file, folder and link that has a name as it
is; where nothing has it they do what they say, also where a file can have one name only, and whatever the
umask.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.errors import DataError, PillarboxError, UsageError
from pillarbox.storage import places

THINGS: Final = ("nothing", "file", "empty file", "folder", "link", "link to nothing")
things = st.sampled_from(THINGS)
WHOLE: Final = b"all of it"


def put(path: Path, thing: str) -> None:
    """Let this lie there."""
    match thing:
        case "file":
            path.write_bytes(b"mine")
            path.chmod(0o644)
        case "empty file":
            path.touch()
        case "folder":
            path.mkdir()
        case "link":
            path.with_suffix(".other").write_bytes(b"other")
            path.symlink_to(path.with_suffix(".other"))
        case "link to nothing":
            path.symlink_to(path.with_suffix(".gone"))


def seen(folder: Path) -> dict[str, object]:
    """Name -> what lies there."""
    found: dict[str, object] = {}
    for path in folder.iterdir():
        mode = path.lstat().st_mode
        what = os.readlink(path) if path.is_symlink() else None if path.is_dir() else path.read_bytes()
        found[path.name] = stat.S_IMODE(mode), what
    return found


def refused(action: Callable[[], None]) -> PillarboxError | None:
    """What it raises, if it does."""
    try:
        action()
    except PillarboxError as error:
        return error
    return None


def check_give_name(folder: Path, thing: str, *, one_name: bool) -> None:
    """A finished file gets a name that nobody has."""
    part, path = folder / "a.part", folder / "a.box"
    part.write_bytes(WHOLE)
    put(path, thing)
    before = seen(folder)

    def no_link(_from: str, _to: str) -> None:
        raise PermissionError("there are no links here")

    with patch.object(os, "link", no_link if one_name else os.link):
        error = refused(lambda: places.give_name(str(part), str(path)))

    if thing == "nothing":
        assert error is None
        assert path.read_bytes() == WHOLE
    else:
        assert isinstance(error, UsageError)
        assert seen(folder) == before


def check_create(folder: Path, thing: str, mask: int) -> None:
    """A new file is empty and its owner's; one that is there stays."""
    path = folder / "b.box"
    put(path, thing)
    before = seen(folder)
    was = os.umask(mask)
    try:
        error = refused(lambda: places.create_private(str(path)))
    finally:
        os.umask(was)
    assert error is None
    assert seen(folder) == (before | {"b.box": (0o600, b"")} if thing == "nothing" else before)


def check_refusals(folder: Path, thing: str, log: str) -> None:
    """A name that is taken is refused, and a log without its box; neither touches anything."""
    path = folder / "c.box"
    put(path, thing)
    put(folder / "c.box-wal", log)
    before = seen(folder)

    taken = refused(lambda: places.refuse_taken(str(path)))
    lone = refused(lambda: places.refuse_lone_log(str(path)))

    assert isinstance(taken, UsageError) == (thing != "nothing")
    has_box = thing in ("file", "folder", "link")
    assert isinstance(lone, DataError) == (log == "file" and not has_box)
    assert seen(folder) == before


def law_of(hard: settings) -> None:
    @hard
    @given(things, st.booleans(), st.sampled_from((0o022, 0o077, 0o277)), st.sampled_from(THINGS[:3]))
    def law(thing: str, one_name: bool, mask: int, log: str) -> None:
        with TemporaryDirectory() as name:
            for place in ("1", "2", "3"):
                Path(name, place).mkdir()
            check_give_name(Path(name, "1"), thing, one_name=one_name)
            check_create(Path(name, "2"), thing, mask)
            check_refusals(Path(name, "3"), thing, log)

    law()


def test_nothing_that_has_a_name_is_touched() -> None:
    law_of(settings(max_examples=40))


FAULTS: Final = (
    Fault("a link to nothing is nothing", places, "refuse_taken", "path.lexists(", "path.exists("),
    Fault("what has the name is not looked at", places, "give_name", "refuse_taken(path)", "pass"),
    Fault("a file that is there is taken", places, "create_private", "os.O_EXCL", "os.O_TRUNC"),
    Fault("the umask takes more away", places, "create_private", "os.fchmod(handle, 0o600)", "pass"),
    Fault("every box has its log", places, "refuse_lone_log", "if is_lone:", "if False:"),
    Fault("an empty file is a box", places, "refuse_lone_log", " and os.path.getsize(path)", ""),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, OSError)):
        law_of(settings(HARD, max_examples=200))
