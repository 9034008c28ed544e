"""The log of a box is moved beside its commits, and its process is killed: no commit is lost or halved.

Law. Whatever the moment at which a process is killed that commits and moves its log, while another process
looks or moves the log as well: the file is whole, holds each commit that was told, at most one more and no
half of one, and takes further commits.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.killing import killed, looking, moments_of, stored
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY
from tests.unit.storage.files import TABLE, filled

from pillarbox.errors import PillarboxError
from pillarbox.storage import SqliteEngine, log_mover
from pillarbox.storage.log_mover import LogMover

#: Some rows are longer than a page.
_SIZES: Final = (1, 300, 9_000)
Rows = dict[bytes, bytes]


@dataclass(frozen=True)
class Batch:
    """What one commit writes: keys, how long the values are, and whether it waits until the log is moved."""

    keys: tuple[int, ...]
    size: int
    waits: bool

    def rows(self, number: int) -> Rows:
        """The values say which commit they are of."""
        return {bytes((0, key)): number.to_bytes(2, "big") * self.size for key in self.keys}


batches: Final = st.lists(
    st.builds(
        Batch,
        st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True).map(
            lambda keys: tuple(sorted(keys))
        ),
        st.sampled_from(_SIZES),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


class Writer:
    """Commits batches, moves the log as a box does, and says after each commit that it is one."""

    def __init__(self, path: Path, batches: Sequence[Batch], told: Path) -> None:
        self._path = path
        self._batches = batches
        self._told = told

    def write(self) -> None:
        """All of them."""
        engine = SqliteEngine(str(self._path), durability="relaxed")
        told = os.open(self._told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number, batch in enumerate(self._batches, 1):
            commit(engine, batch.rows(number))
            os.write(told, b".")
            if not engine.checkpoint_beside():
                engine.checkpoint()
            if batch.waits:
                engine._log.wait()
        engine.close()

    def told(self) -> int:
        """How many commits were told."""
        return self._told.stat().st_size if self._told.exists() else 0


def commit(engine: SqliteEngine, rows: Rows) -> None:
    engine.begin()
    engine.put_many(TABLE, list(rows), list(rows.values()))
    engine.commit()


@contextmanager
def moving(path: Path) -> Iterator[None]:
    """Another process moves the log again and again."""
    pid = os.fork()
    if not pid:
        try:
            engine = SqliteEngine(str(path), durability="relaxed")
            while True:
                engine.checkpoint()
        finally:
            os._exit(1)
    try:
        yield
        assert os.waitpid(pid, os.WNOHANG) == (0, 0), "who moves the log beside others has failed"
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def read(path: Path) -> Rows:
    """All rows; the file must be whole."""
    assert stored(path) is not None
    engine = SqliteEngine(str(path), durability="relaxed")
    try:
        return {key: value for key, value in engine.scan(TABLE, None, None) if isinstance(key, bytes)}
    finally:
        engine.close()


def law_of(hard: settings) -> None:
    """The law, with passes so often that there are some."""

    @hard
    @given(
        batches=batches,
        at=st.integers(0, 999),
        torn=st.booleans(),
        pages_max=st.sampled_from((0, 8, 4_096)),
        beside=st.sets(st.sampled_from(("looks", "moves"))),
    )
    def law(batches: list[Batch], at: int, torn: bool, pages_max: int, beside: set[str]) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr(log_mover, "_PAGES_A_PASS", 1)
            patch.setattr(log_mover, "_PAGES_MAX", pages_max)
            path, other = Path(folder, "a.box"), Path(folder, "other.box")
            for box in (path, other):
                filled(box).close()
            states = [read(path)]
            for number, batch in enumerate(batches, 1):
                states.append(states[-1] | batch.rows(number))
            moments = moments_of(Writer(other, batches, Path(folder, "other")).write)
            assert read(other) == states[-1]

            writer = Writer(path, batches, Path(folder, "told"))
            with ExitStack() as stack:
                if "looks" in beside:
                    stack.enter_context(looking(path))
                if "moves" in beside:
                    stack.enter_context(moving(path))
                died = killed(writer.write, 1 + at * moments // 1000, torn=torn)
            found, told = read(path), writer.told()

            assert found in (states[told : told + 2] if died else states[-1:])
            engine = SqliteEngine(str(path), durability="relaxed")
            commit(engine, {b"zz": b"after"})
            engine.close()
            assert read(path) == found | {b"zz": b"after"}

    law()


def test_no_commit_is_lost_or_halved_whenever_its_process_is_killed() -> None:
    law_of(settings(max_examples=max(10, settings().max_examples // 2)))


FAULTS = (
    Fault(
        "the log is emptied before a pass",
        LogMover,
        "_move",
        'connection.pragma("schema_version")',
        '__import__("os").truncate(self._path + "-wal", 0); connection.pragma("schema_version")',
    ),
    Fault(
        "the log is emptied before it is moved",
        LogMover,
        "finish",
        "connection.wal_checkpoint(mode=_PASSIVE)",
        '__import__("os").truncate(self._path + "-wal", 0)',
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, apsw.Error)):
        law_of(settings(HARD, max_examples=100))
