"""How hard property tests try, by HYPOTHESIS_PROFILE: default, ci or deep. Where they put what they need.

Which process runs which test.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

# No deadlines: the machine is shared, and a slow example is not a wrong one.
settings.register_profile("default", deadline=None, max_examples=60, print_blob=True)
settings.register_profile(
    "ci",
    settings.get_profile("default"),
    derandomize=True,  # the same examples each time: it fails for what a change did, not by luck
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", settings.get_profile("ci"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Hypothesis also draws constants that it reads in the modules loaded so far. Which those are depends on what
# the same process ran before, so that what is always tried would not always be the same.
with suppress(ImportError):  # of a version that reads none
    _providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")
    if hasattr(_providers, "_get_local_constants"):
        _NONE = _providers.Constants()
        _providers._get_local_constants = lambda: _NONE


_MEMORY: Final = "/dev/shm"
_PREFIX: Final = "pillarbox-test-run-"
_PATCH: Final = pytest.StashKey[pytest.MonkeyPatch]()


def pytest_configure(config: pytest.Config) -> None:
    """What anybody puts into the temporary folder of the system, or into memory, goes with the tests.

    That is generated packages, which outlive a test as they are imported once, what a process leaves that was
    killed on purpose, and what Spark and its Java keep for as long as they live. The processes of `-n` start
    with what is set here; what a run leaves that was killed itself, the next one removes.
    """
    if hasattr(config, "workerinput"):
        return
    system = tempfile.gettempdir()
    folder = folder_in(system)
    patch = config.stash[_PATCH] = pytest.MonkeyPatch()
    patch.setattr(tempfile, "tempdir", folder)
    patch.setenv("TMPDIR", folder)
    patch.setenv("SPARK_LOCAL_DIRS", folder)
    patch.setenv("SPARK_SUBMIT_OPTS", f"-Djava.io.tmpdir={folder}")
    # What pytest itself makes stays, for who looks at a test that failed.
    patch.setenv("PYTEST_DEBUG_TEMPROOT", os.environ.get("PYTEST_DEBUG_TEMPROOT", system))
    patch.setenv("PILLARBOX_TESTS_IN_MEMORY", folder_in(_MEMORY) if os.path.isdir(_MEMORY) else folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove them: the processes of `-n` have ended by now."""
    patch = config.stash.get(_PATCH, None)
    if patch is not None:
        folders = os.environ["TMPDIR"], os.environ["PILLARBOX_TESTS_IN_MEMORY"]
        patch.undo()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)  # Java may still be about to end


def folder_in(place: str) -> str:
    """A new folder there, locked for as long as this process lives. Those that nobody locks any more go."""
    for left in Path(place).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # it is locked, just gone, or of somebody else
            lock = os.open(left, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)
    made = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=place))
    fcntl.flock(os.open(made, os.O_RDONLY | os.O_DIRECTORY), fcntl.LOCK_EX)
    made.chmod(0o1777)  # as that of the system: some tests are another user for a while
    return str(made.rename(made.with_name(made.name.removeprefix("."))))  # from here on others look at it


def pytest_collection_finish() -> None:
    """Look for garbage in what tests make alone, and less often: all that was imported stays to the end.

    Else each of the thousands of examples has its part of going through all of that again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """How `pytest -n N` deals tests out: to whoever is free, but some that belong together to one process.

    In the order in which they were found: the long ones come before the many small files of `tests/unit`, of
    which nobody has a long one left at the end.
    """
    config.option.loadscopereorder = False
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = scope_of
    mark, assigned = scheduler.mark_test_complete, scheduler.assigned_work

    def mark_and_forget(node: Any, item_index: int, duration: float = 0) -> None:
        mark(node, item_index, duration)
        for scope in [scope for scope, tests in assigned[node].items() if all(tests.values())]:
            del assigned[node][scope]

    # What is left of a process is counted after each test, over all that it ever had: it must not pile up.
    scheduler.mark_test_complete = mark_and_forget
    return scheduler


def scope_of(nodeid: str) -> str:
    """What is dealt out together: tests of a file, for the packages, boxes and checks that they share.

    All of those on Spark, as to start it takes long, and two of them slow each other down. A law and a hunt
    take as long as a file of others, and share little.
    """
    if nodeid.startswith("tests/spark/"):
        return "spark"
    return nodeid if nodeid.startswith(("tests/property/", "tests/sim/")) else nodeid.partition("::")[0]
