"""How hard property tests try, by HYPOTHESIS_PROFILE: default, ci or deep. Where they put what they need.

Which process runs which test.
"""

from __future__ import annotations

import importlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

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


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What anybody puts into the temporary folder of the system goes with the tests.

    That is generated packages, which outlive a test as they are imported once, what a process leaves that was
    killed on purpose, and what Spark and its Java keep for as long as they live.
    """
    tmp_path_factory.getbasetemp()  # what pytest itself makes stays, for who looks at a test that failed
    folder = tempfile.mkdtemp(prefix="pillarbox-tests-")
    os.chmod(folder, 0o1777)  # as that of the system: some tests are another user for a while
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", folder)
        patch.setenv("TMPDIR", folder)
        patch.setenv("SPARK_LOCAL_DIRS", folder)
        patch.setenv("SPARK_SUBMIT_OPTS", f"-Djava.io.tmpdir={folder}")
        yield
    shutil.rmtree(folder, ignore_errors=True)  # Java may still be about to end


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """How `pytest -n N` deals tests out: to whoever is free, but those on Spark all to one process."""
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = scope_of
    return scheduler


def scope_of(nodeid: str) -> str:
    """What is dealt out together. To start Spark takes long, and two of them slow each other down."""
    return "spark" if nodeid.startswith("tests/spark/") else nodeid
