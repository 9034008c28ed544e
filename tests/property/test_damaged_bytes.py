"""One byte of a box is another: `verify` tells of it, or the box is what it was, and takes writes.

Law. That of each byte of the header of the file, of its first page, and of what the box says of its layout.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_damaged_pages import run

from pillarbox.cli import ExitCode
from pillarbox.errors import PillarboxError
from pillarbox.inspect import verify
from pillarbox.storage import surveys
from pillarbox.storage.sqlite_file import PAGE_SIZE
from pillarbox_tracker import open_box
from pillarbox_tracker.types import ProjectId, Projects, UserId

Change: TypeAlias = Callable[[Path], None]
#: What SQLite says of a file stands in so many bytes at its beginning.
HEADER_BYTES: Final = 100


def project(number: int) -> Projects:
    return Projects(ProjectId(number), f"name {number}", f"p{number}", UserId(1))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A box with a row, its log moved in."""
    path = tmp_path_factory.mktemp("sound") / "a.box"
    with open_box(path) as box, box.transaction() as tx:
        tx.projects.put(project(1))
    return path.read_bytes()


def another_byte(at: int, value: int) -> Change:
    """In the file."""

    def change(path: Path) -> None:
        found = bytearray(path.read_bytes())
        found[at] = value
        path.write_bytes(found)

    return change


def another_of(name: str, at: float, flip: int) -> Change:
    """In what the box says of itself."""

    def change(path: Path) -> None:
        connection = apsw.Connection(str(path))
        try:
            ((said,),) = connection.execute("SELECT value FROM pillarbox_meta WHERE name=?", (name,))
            found = bytearray(said)
            found[int(at * len(found))] ^= flip
            connection.execute("UPDATE pillarbox_meta SET value=? WHERE name=?", (bytes(found), name))
        finally:
            connection.close()

    return change


def in_the_layout(path: Path, old: bytes, new: bytes) -> None:
    """Once in what the box says of its tables."""
    connection = apsw.Connection(str(path))
    try:
        ((said,),) = connection.execute("SELECT value FROM pillarbox_meta WHERE name='layout'")
        assert said.count(old) == 1
        sets = "UPDATE pillarbox_meta SET value=? WHERE name='layout'"
        connection.execute(sets, (said.replace(old, new),))
    finally:
        connection.close()


def check(sound: bytes, change: Change) -> None:
    """The law of one change."""
    with TemporaryDirectory(dir=IN_MEMORY) as folder:
        path = Path(folder, "a.box")
        path.write_bytes(sound)
        change(path)
        code, text = run("verify", path, "--level", "derived")
        # A file that is no box, or cannot be read at all, is an error of the store.
        assert code in (ExitCode.FINE, ExitCode.FINDINGS, ExitCode.STORE), f"it ends with {code}: {text}"
        if code == ExitCode.FINE:
            is_same(path)


def is_same(path: Path) -> None:
    """It reads as it did, and what is written to it stays."""
    for count in (1, 2):
        with open_box(path) as box:
            with box.reading() as tables:
                found = [tables.projects.get(ProjectId(number)) for number in range(1, count + 1)]
            assert found == [project(number) for number in range(1, count + 1)]
            with box.transaction() as tx:
                tx.projects.put(project(count + 1))


bytes_of_page = st.builds(another_byte, st.integers(0, PAGE_SIZE - 1), st.integers(0, 255))
bytes_of_header = st.builds(another_byte, st.integers(0, HEADER_BYTES - 1), st.integers(0, 255))
bytes_of_layout = st.builds(
    another_of,
    st.sampled_from(("layout", "layout_hash")),
    st.floats(0, 1, exclude_max=True),
    st.sampled_from((1, 2, 32, 128)),
)
changes = st.one_of(bytes_of_header, bytes_of_page, bytes_of_layout)


@pytest.mark.parametrize("at", range(HEADER_BYTES))
def test_what_the_file_says_of_itself(sound: bytes, at: int) -> None:
    for value in {3, sound[at] ^ 255} - {sound[at]}:
        check(sound, another_byte(at, value))


@given(change=changes)
def test_whatever_byte_is_another_it_is_found_or_does_no_harm(sound: bytes, change: Change) -> None:
    check(sound, change)


def another_number(path: Path) -> None:
    """Rows are read by the layout, and what follows from them by the package."""
    in_the_layout(path, b'"30":{', b'"91":{')


def another_schema(path: Path) -> None:
    """By which the package is found."""
    in_the_layout(path, b'"schema":"tracker"', b'"schema":"tracked"')


#: Those that were found late, or not at all.
KNOWN: Final = (another_byte(18, 3), another_of("layout_hash", 0, 1), another_number, another_schema)


@pytest.mark.parametrize("change", KNOWN)
def test_what_was_not_found_once(sound: bytes, change: Change) -> None:
    check(sound, change)


FAULTS: Final = (
    Fault("who may write to the file is not looked at", surveys, "_header_faults", "if known", "if True"),
    Fault("what the hash of the layout names is not looked at", verify, "_quick",
          "if not box.is_whole:", "if False:"),
    Fault("damage of the layout is none to what follows", verify, "_quick",
          'damaged = "its layout is damaged"', 'damaged = ""'),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(sound: bytes, fault: Fault) -> None:
    def all_known() -> None:
        for change in KNOWN:
            check(sound, change)

    with fault.planted(), pytest.raises((AssertionError, KeyError, PillarboxError)):
        all_known()
