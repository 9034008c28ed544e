"""A process that is killed in the middle of long work on files leaves them as before it, or as after it.

Law. Whatever the moment at which a repair, an upgrade, a merge or a backup is killed: the box can be opened
and is whole, it holds what it held before or what it would hold after, and the same work, done again, is
done. Who looks at the box meanwhile sees nothing change.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evolution.changes import NEW_DERIVED, changed_schema
from tests.property.bulk_worlds import ROUTES, WORLDS, Record, World
from tests.property.killing import killed, looking, moments_of, stored
from tests.property.mutants import HARD, Fault
from tests.property.test_bulk import IN_MEMORY, built, replayed
from tests.property.test_verify import damaged, found_in, repaired

from pillarbox.box import Box, Package, opening
from pillarbox.errors import PillarboxError
from pillarbox.inspect import repair
from pillarbox.storage import sqlite
from pillarbox_codegen.generate import generate

#: The module, which its package hides behind the function.
merge_module: Final[Any] = import_module("pillarbox.bulk.merge")
#: Of the worlds with layouts of their own.
TRACKER, MESSENGER = WORLDS[2:]
_NAME: Final = "pillarbox_tracker"


class Work:
    """Something that takes long, in a folder; `path` is what it makes or changes."""

    name = "merge"

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.folder = folder
        self.path = folder / "merged.box"

    def prepare(self, records: Sequence[Record], data: st.DataObject) -> None:
        """Make what is worked on."""
        for shard in range(ROUTES):
            mine = [(at, record) for at, record in enumerate(records) if record.route == shard]
            built(self.world.package, self.folder / f"{shard}.box", mine, 4)

    def do(self) -> None:
        """All of it."""
        merge_module.merge(
            self.world.package, [self.folder / f"{shard}.box" for shard in range(ROUTES)], self.path
        )

    @property
    def package(self) -> Package[Any, Any]:
        """Whose tables are there when it is done."""
        return self.world.package

    def again(self) -> None:
        """Once more, where it was not done."""
        self.do()


class Backup(Work):
    """A copy of a box."""

    name = "backup"

    def prepare(self, records: Sequence[Record], data: st.DataObject) -> None:
        replayed(self.package, self.folder / "a.box", records)

    def do(self) -> None:
        with Box(self.folder / "a.box", self.package, durability="relaxed") as box:
            box.backup(self.path)


class Repair(Work):
    """Derived tables of a box are made anew, of which some were damaged."""

    name = "repair"

    def prepare(self, records: Sequence[Record], data: st.DataObject) -> None:
        replayed(self.package, self.path, records)
        for _ in range(3):
            damaged(self.path, self.package, data, of_derived=True)

    def do(self) -> None:
        assert not repaired(self.path, self.package).failed


class Upgrade(Work):
    """A box is opened by a package with more derived tables."""

    name = "upgrade"

    @property
    def package(self) -> Package[Any, Any]:
        return newer_tracker()

    def prepare(self, records: Sequence[Record], data: st.DataObject) -> None:
        replayed(self.world.package, self.path, records)

    def do(self) -> None:
        Box(self.path, self.package, durability="relaxed").close()


@cache
def newer_tracker() -> Package[Any, Any]:
    """The package of the tracker's schema with more derived tables, under a name of its own."""
    alias = f"{_NAME}_newer"
    with tempfile.TemporaryDirectory() as folder:
        for path, text in generate(changed_schema(NEW_DERIVED, Path(folder, "schema"))).items():
            target = Path(folder, path.replace(_NAME, alias))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text.replace(_NAME, alias), encoding="utf-8")
        sys.path.insert(0, folder)
        try:
            package: Package[Any, Any] = import_module(alias).PACKAGE
            import_module(f"{alias}.transaction")
        finally:
            sys.path.remove(folder)
    return package


WORKS = (
    (Work, TRACKER),
    (Work, MESSENGER),
    (Backup, TRACKER),
    (Repair, TRACKER),
    (Repair, MESSENGER),
    (Upgrade, TRACKER),
)


def _moment(at: int, moments: int) -> int:
    """So many thousandths of the way, or as many before the end, where names are given."""
    return 1 + at * moments // 1000 if at >= 0 else max(1, moments + 1 + at)


def law_of(kind: type[Work], world: World, hard: settings) -> None:
    """The law, for one kind of work."""

    @hard
    @given(
        records=world.records(least=2),
        data=st.data(),
        at=st.integers(0, 999) | st.integers(-6, -1),
        torn=st.booleans(),
        watched=st.booleans(),
    )
    def law(records: list[Record], data: st.DataObject, at: int, torn: bool, watched: bool) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            first, other = Path(folder, "first"), Path(folder, "other")
            first.mkdir()
            work = kind(world, first)
            work.prepare(records, data)
            shutil.copytree(first, other)
            before = stored(work.path)
            whole = kind(world, other)
            moments = moments_of(whole.do)
            after = stored(whole.path)
            assert after is not None

            with looking(work.path) if watched and work.path.exists() else nullcontext():
                # Where somebody looks, others end: who is not the last to close a file leaves its log.
                died = killed(work.do, _moment(at, moments), torn=torn)
                state = stored(work.path)
                assert state in ((before, after) if died else (after,))

            if state != after:
                work.again()
            assert stored(work.path) == after
            assert found_in(work.path, work.package, "derived") == []

    law()


@pytest.mark.parametrize(("kind", "world"), WORKS, ids=lambda it: it.name)
def test_a_killed_process_leaves_what_was_or_what_is_to_be(kind: type[Work], world: World) -> None:
    newer_tracker()
    law_of(kind, world, settings(max_examples=max(10, settings().max_examples // 4)))


HALF_REPAIR: Final = Fault(
    "a repair commits what it has",
    repair,
    "_put_right",
    "engine.put_many(spec.layout, keys, values)",
    "engine.commit(); engine.begin(); engine.put_many(spec.layout, keys, values)",
)

FAULTS = (
    (
        Fault(
            "tables are committed as they are made",
            opening,
            "_upgrade",
            "fill(tx, stale)",
            "engine.commit(); engine.begin(); fill(tx, stale)",
        ),
        Upgrade,
    ),
    (
        Fault(
            "the layout is remembered before the tables are filled",
            opening,
            "_in_transaction",
            "_upgrade(engine, package, tx, difference)",
            "_remember(engine, package); engine.commit(); engine.begin()"
            "; _upgrade(engine, package, tx, difference)",
        ),
        Upgrade,
    ),
    (HALF_REPAIR, Repair),
    (
        Fault(
            "a backup has its name before it is one",
            sqlite,
            "copy_to",
            'source.execute("VACUUM INTO ?", (part,))\n        synced(part)\n        give_name(part, target)',
            'give_name(part, target); source.execute("VACUUM INTO ?", (part,)); synced(part)',
        ),
        Backup,
    ),
    (
        Fault(
            "a merged box has its name before it is whole",
            merge_module,
            "merge",
            "for shard in shards:\n            merger.take(fspath(shard))\n        merger.complete()",
            "os.link(part, target)\n        for shard in shards:\n            merger.take(fspath(shard))"
            "\n        merger.complete(); os.unlink(target)",
        ),
        Work,
    ),
)


@pytest.mark.parametrize(("fault", "kind"), FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault, kind: type[Work]) -> None:
    newer_tracker()
    with fault.planted(), pytest.raises((AssertionError, apsw.CorruptError, PillarboxError)):
        law_of(kind, TRACKER, HARD)
