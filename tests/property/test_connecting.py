"""A box is opened where one lies or may be made, and a refusal leaves everything as it was.

Law. Whatever lies under a name, and under that of its log: `connect` gives a connection to a regular file,
which it made for its owner alone where nothing was, or raises an error that says what is wrong, and touches
nothing. For reading only it makes nothing.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.test_places import THINGS, put, seen, things

from pillarbox.errors import DataError, PillarboxError, StoreMissing
from pillarbox.storage import connecting

#: Where something lies that can be opened.
_FILES: Final = ("file", "empty file", "link")
#: What else may lie there, as who only reads is told of it.
_REASONS: Final = {
    "nothing": "there is no such file",
    "link to nothing": "this is a link to what is not there",
    "folder": "this is a folder",
}


def opened(path: Path, *, read_only: bool) -> PillarboxError | None:
    """Open and close it; the refusal, if it is one."""
    try:
        connecting.connect(str(path), read_only=read_only, busy_ms=0, vfs=None).close()
    except PillarboxError as error:
        return error
    return None


def law_of(hard: settings) -> None:
    @hard
    @given(things, st.sampled_from(THINGS[:3]), st.booleans())
    def law(thing: str, log: str, read_only: bool) -> None:
        with TemporaryDirectory() as name:
            path = Path(name, "a.box")
            put(path, thing)
            put(Path(name, "a.box-wal"), log)
            before = seen(Path(name))

            error = opened(path, read_only=read_only)

            if log == "file" and thing in ("nothing", "empty file", "link to nothing"):
                assert type(error) is DataError
            elif thing in _FILES or (thing == "nothing" and not read_only):
                assert error is None
            else:
                assert type(error) is StoreMissing
                assert not read_only or error.reason == _REASONS[thing]
            made = {"a.box": (0o600, b"")} if error is None and thing == "nothing" else {}
            assert seen(Path(name)) == before | made

    law()


def test_what_is_opened_is_a_file_and_a_refusal_touches_nothing() -> None:
    law_of(settings(max_examples=40))


FAULTS: Final = (
    Fault("who reads makes a file", connecting, "connect", "if not read_only:", "if True:"),
    Fault("a lone log is let be", connecting, "connect", "refuse_lone_log(path)", "pass"),
    Fault("nobody looks what lies there", connecting, "connect", "not os.path.isfile(path)", "False"),
    Fault("SQLite makes the file", connecting, "connect", "create_private(path)", "open(path, 'a').close()"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, OSError)):
        law_of(settings(HARD, max_examples=200))
