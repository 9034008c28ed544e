"""Shared objects for tests: built from the sources once per process, or the test is skipped with the reason.

They do not depend on PILLARBOX_NATIVE: what is tested is the object, not whether a box would use it.
PILLARBOX_TEST_CFLAGS are more flags for each of them; test_sanitizers.py runs other tests with some.
"""

from __future__ import annotations

import atexit
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

from pillarbox.errors import PillarboxError
from pillarbox.native.build import BuildFailed, build, find_compiler
from pillarbox.native.compiled import CompiledLibrary
from pillarbox.native.loader import NativeStatus, load
from pillarbox.storage import batches


def need_compiler() -> None:
    """Skip the test where nothing can be compiled."""
    try:
        find_compiler()
    except BuildFailed as error:
        pytest.skip(str(error))


@cache
def built(*extra: str) -> Path:
    """An object built with these flags as well; it goes when the tests end."""
    need_compiler()
    folder = Path(tempfile.mkdtemp(prefix="pillarbox-native-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return build(
        folder / "object.so", extra=(*extra, *shlex.split(os.environ.get("PILLARBOX_TEST_CFLAGS", "")))
    )


@cache
def native(*extra: str) -> CompiledLibrary:
    """The library in the object built with these flags as well."""
    library, status = load(built(*extra))
    assert isinstance(library, CompiledLibrary), status
    return library


def batches_go(by: str) -> AbstractContextManager[object]:
    """Engines opened in this block hand over batches by "page", with the object built here, or "carray"."""
    status = NativeStatus(False, "the test wants carrays")
    if by == "page":
        status = load(built())[1]
        if not status.has_table_function:
            pytest.skip("built without sqlite3ext.h; install libsqlite3-dev")
    return patch.object(batches, "status", lambda: status)


def portable() -> CompiledLibrary:
    """The library without instructions that only some processors have."""
    return native("-DPBX_PORTABLE")


def outcome(call: Callable[[], object]) -> object:
    """What the call answers, or everything that its error tells."""
    try:
        return call()
    except PillarboxError as error:
        return type(error).__name__, str(error), vars(error)
