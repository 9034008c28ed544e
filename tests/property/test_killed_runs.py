"""Wherever a run ends, a manifest names what is there: all of the run before, or all of this one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.ending import Ended, ended_at
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.unit.pipeline.history import JOB, line

from pillarbox.errors import DataError
from pillarbox_spark import driver, manifest
from pillarbox_spark.manifest import MANIFEST, check_files, read_manifest
from pillarbox_spark.pipeline import Options, run

CUT: Final = Options("inline", shard_bytes=60, piece_bytes=60, buckets=2)
#: What a run asks of the system, and so where one may end.
_STEPS: Final = ("fsync", "mkdir", "open", "replace", "rmdir", "unlink")
#: More than there are of them.
_MANY: Final = 160


def files_of(folder: Path) -> list[Path]:
    """Two inputs, of which the later has less."""
    lines = [
        line(1, 1, 1, "a", 0, "x"),
        line(1, 2, 2, "b", 1, "rename"),
        "? lost\n",
        line(2, 1, 1, "b", 2, "y"),
    ]
    found = [folder / "one.lines", folder / "two.lines"]
    for path, texts in zip(found, (lines, lines[:2]), strict=True):
        path.write_text("".join(texts))
    return found


def law_of(hard: settings) -> None:
    @hard
    @given(st.booleans(), st.integers(0, _MANY))
    def law(before: bool, step: int) -> None:
        with TemporaryDirectory(dir=IN_MEMORY) as name:
            out, (one, two) = Path(name, "out"), files_of(Path(name))
            old = run(JOB, [two], out, CUT).read if before else None
            new = None
            with suppress(Ended), ended_at(step, _STEPS):
                new = run(JOB, [one], out, CUT).read

            if before or new is not None or (out / MANIFEST).exists():
                found = read_manifest(out)
                check_files(out, found.files)
                named = {*(it.box for it in found.shards), *found.quarantine}
                assert named | {path for paths in found.parquet.values() for path in paths} == {*found.files}
                assert found.report["read"] in ({old, 4} if new is None else {new})

            assert run(JOB, [one], out, CUT).read == 4
            kept = {MANIFEST, "report.json", "report.txt", ".lock", read_manifest(out).run}
            assert set(os.listdir(out)) == kept

    law()


def test_what_a_manifest_names_is_there_wherever_a_run_ends() -> None:
    law_of(settings())


COMMIT: Final = "commit(self._out, manifest)"
FAULTS = (
    Fault("what was there goes first", driver, "clear", "keep = read_manifest(out).run", "keep = None"),
    Fault("swept before it counts", driver.Driver, "run", COMMIT, f"sweep(self._out, manifest); {COMMIT}"),
    Fault("swept is what is named", manifest, "_remove_but", "elif entry not in named:", "else:"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, DataError)):
        law_of(HARD)
