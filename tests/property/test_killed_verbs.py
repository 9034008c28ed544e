"""A verb of the command line that is killed leaves a box as before it, or as after one of its commits.

Law. Whatever the moment at which `repair`, `ingest --into` or `replay` is killed: the box can be opened, is
whole, and holds what it held between two commits of a run that nobody disturbed. `repair` and `ingest`, done
again, are done. `replay` tells who does it again whether that may be.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import anyio
import apsw
import pytest
from hypothesis import settings
from tests.property.killing import killed, moments_of, stored
from tests.property.mutants import Fault
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_kills import HALF_REPAIR
from tests.property.test_verify import found_in
from tests.unit.sync_driver.test_verbs_record import Told
from tests.waiting import SECONDS_MAX

from pillarbox.cli import main
from pillarbox.errors import PillarboxError
from pillarbox.storage import SqliteEngine
from pillarbox.sync import Engine
from pillarbox_spark import driver
from pillarbox_tracker import open_box
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.protocol import PROTOCOL

DATA: Final = Path(__file__).parents[1] / "data" / "tracker"
#: Kills of each verb, beside those at its last moments.
TRIES: Final = max(3, settings().max_examples // 20)
_LAST: Final = 4


def said(*arguments: object) -> int:
    """Run the command line here, which prints nothing; the exit code."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            main([str(it) for it in arguments])
        except SystemExit as end:
            return int(end.code or 0)


class Verb:
    """A command, in a folder of its own; `path` is the box that it makes or changes."""

    name: str
    #: Whether a killed one may be done again.
    again = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "a.box"

    def prepare(self) -> None:
        """Make what it works on."""

    def do(self) -> None:
        """All of it."""
        assert said(*self.arguments()) == 0

    def arguments(self) -> tuple[object, ...]:
        """What is typed after `pillarbox`."""
        raise NotImplementedError


class Ingest(Verb):
    """Archives into a new box."""

    name = "ingest"
    archive = DATA

    def arguments(self) -> tuple[object, ...]:
        into = "--out", self.folder / "out", "--into", self.path
        return (
            "ingest",
            "pillarbox_tracker.jobs.issue_dump",
            self.archive,
            *into,
            "--engine",
            "inline",
            "--no-parquet",
        )


class Replace(Ingest):
    """Archives into a box in the place of another, whose last commits are in its log.

    Another program has that one open: else whoever looks at it first moves its log.
    """

    name = "ingest --replace"

    def prepare(self) -> None:
        other = Ingest(self.folder)
        other.archive = DATA / "2024-12.ndjson"
        other.do()
        shutil.rmtree(self.folder / "out")
        at, log = self.path, Path(f"{self.path}-wal")
        connection = apsw.Connection(str(at))
        connection.execute("INSERT INTO pillarbox_meta VALUES('last', x'01')")
        kept = at.read_bytes(), log.read_bytes()
        connection.close()
        at.write_bytes(kept[0])
        log.write_bytes(kept[1])

    def do(self) -> None:
        with closing(apsw.Connection(str(self.path))) as other:
            other.execute("SELECT count(*) FROM pillarbox_meta").fetchall()
            super().do()

    def arguments(self) -> tuple[object, ...]:
        return *super().arguments(), "--replace"


class Repair(Verb):
    """Derived tables made anew, of which some lack rows."""

    name = "repair"

    def prepare(self) -> None:
        Ingest(self.folder).do()
        connection = apsw.Connection(str(self.path))
        for spec in PACKAGE.specs:
            if spec.role == "derived":
                connection.execute(f"DELETE FROM t{spec.id} WHERE true")
        connection.close()

    def arguments(self) -> tuple[object, ...]:
        return "repair", self.path, "--derived"


class Replay(Verb):
    """The record of a session with a server, into a new box."""

    name = "replay"
    again = False

    def prepare(self) -> None:
        async def session() -> None:
            told = Told()
            with open_box(self.folder / "recorded.box") as box, anyio.fail_after(SECONDS_MAX):
                async with Engine(box, PROTOCOL, told, record=self.record):
                    await told.kept.wait()

        anyio.run(session)

    @property
    def record(self) -> Path:
        return self.folder / "a.record"

    def arguments(self) -> tuple[object, ...]:
        return "replay", self.record, "--into", self.path


def content(path: Path) -> Any:
    """What is in a box; who the master was last is drawn by lot."""
    found = stored(path)
    if found is not None:
        found["pillarbox_meta"] = [row for row in found["pillarbox_meta"] if row[0] != "master"]
    return found


def states_of(verb: Verb) -> list[Any]:
    """What the box holds before, after each commit to it, and in the end, where nobody disturbs."""
    states = [content(verb.path)]
    commit = SqliteEngine.commit

    def committed(engine: SqliteEngine) -> None:
        commit(engine)
        if engine.path == str(verb.path):
            states.append(content(verb.path))

    with patch.object(SqliteEngine, "commit", committed):
        verb.do()
    return [*states, content(verb.path)]


def law_of(kind: Callable[[Path], Verb], tries: int) -> None:
    """The law, for one verb at some moments."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        first, draw = Path(name, "first"), Random(name.count("/"))
        first.mkdir()
        kind(first).prepare()

        def copied(where: str) -> Verb:
            return kind(Path(shutil.copytree(first, Path(name, where))))

        states = states_of(copied("whole"))
        moments = moments_of(copied("counted").do)
        for at in {
            *draw.sample(range(1, moments + 1), min(tries, moments)),
            *range(moments - _LAST, moments + 1),
        }:
            verb = copied(f"killed at {at}")
            assert killed(verb.do, at, torn=at % 2 == 0)
            check_left(verb, states)


def check_left(verb: Verb, states: list[Any]) -> None:
    """A killed one leaves what was between two commits, and may be done again."""
    left = content(verb.path)
    if left == {"pillarbox_meta": []} or left == {}:  # made, and nothing in it yet
        left = None
    assert left in states, "what no commit has left"
    if left is not None:
        assert found_in(verb.path, PACKAGE, "derived") == [] or (left == states[0] != states[-1])
        with open_box(verb.path, durability="relaxed"):
            pass
    if verb.again and left != states[-1]:
        verb.do()
        assert content(verb.path) == states[-1]
    elif said(*verb.arguments()) == 0:
        assert content(verb.path) == states[-1]
    if verb.path.exists():
        assert found_in(verb.path, PACKAGE, "derived") == []


VERBS: Final = (Ingest, Replace, Repair, Replay)


@pytest.mark.parametrize("kind", VERBS, ids=lambda it: it.name)
def test_a_killed_verb_leaves_a_box_between_two_commits(kind: type[Verb]) -> None:
    law_of(kind, TRIES)


FAULTS: Final = (
    (
        Fault(
            "the old box goes before the new one has its name",
            driver._Merged,
            "land",
            "rename(self._made, self._box)",
            "self._box.unlink(); rename(self._made, self._box)",
        ),
        Replace,
    ),
    (
        Fault("the log of the old box is not moved", driver._Merged, "land", "self._settle_old()", "pass"),
        Replace,
    ),
    (HALF_REPAIR, Repair),
)


@pytest.mark.parametrize(("fault", "kind"), FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault, kind: type[Verb]) -> None:
    with fault.planted(), pytest.raises((AssertionError, apsw.Error, PillarboxError)):
        law_of(kind, 20)
