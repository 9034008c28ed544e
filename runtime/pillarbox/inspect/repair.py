"""Pure tables put right, in one transaction.

Depends on: derived, box (packages), storage, tables.  Never on: what made them wrong.

Law: afterwards every pure table that can be made anew equals its twin, and no other table has changed; or an
error was raised, and nothing has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pillarbox.box.opening import LAYOUT_HASH
from pillarbox.box.package import Package
from pillarbox.errors import FileDamaged, LayoutConflict
from pillarbox.inspect.derived import Twins, twins_of
from pillarbox.inspect.values import bare
from pillarbox.storage import Engine
from pillarbox.storage.journal import Journal
from pillarbox.storage.surveys import integrity_faults, rebuild_words, table_ids
from pillarbox.tables import TableSpec

#: Rows that are written at a time.
_SLICE_ROWS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done to one table."""

    table: str
    #: Rows that were missing, or had another value.
    written: int
    #: Rows that did not belong there.
    removed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a repair did, and what it could not do."""

    repaired: list[Repaired]
    #: Table -> why it could not be made anew.
    failed: dict[str, str]


def repair_derived(engine: Engine, package: Package[Any, Any]) -> Outcome:
    """Make every pure table of an open box what follows from its sources.

    Raises StoreError and FileDamaged, having changed nothing; so it does of a file that SQLite finds unsound,
    as whatever is written into it may be lost, or overwrite what could still be read. Raises LayoutConflict
    where the box is no more of the layout of the package, by which its tables would be made as others.
    """
    engine.begin()
    try:
        if engine.meta(LAYOUT_HASH) != package.layout_hash.encode():
            raise LayoutConflict(engine.path, ["another process has upgraded the box"], "Run this again")
        for fault in integrity_faults(engine, 1):
            reason = f"its pages are damaged (SQLite: {bare(fault)}), so nothing was repaired"
            raise FileDamaged(engine.path, reason)
        present = table_ids(engine)
        with twins_of(engine, package) as twins:
            done = []
            for spec in twins.specs:
                if spec.id not in present:
                    engine.create(spec.layout)
                refiled = twins.misfiled(spec, engine) is not None
                if refiled:  # first, so that it hears rightly of what is written now
                    rebuild_words(engine, spec.layout)
                written, removed = _put_right(engine, spec, twins)
                if written or removed or refiled or spec.id not in present:
                    done.append(Repaired(spec.name, written, removed))
            failed = {package.specs_by_id[number].name: why for number, why in twins.failed.items()}
        if done:
            Journal(engine).mark()
        engine.commit()
    except BaseException:
        engine.rollback()
        raise
    return Outcome(done, failed)


def _put_right(engine: Engine, spec: TableSpec[Any], twins: Twins) -> tuple[int, int]:
    """Write what differs; how many rows were written and removed.

    A slice is written behind the place where reading has come to, so that reading never meets it.
    """
    keys: list[Any] = []
    values: list[bytes] = []
    gone: list[Any] = []
    written = removed = 0

    def flush() -> tuple[int, int]:
        engine.remove_many(spec.layout, gone)
        engine.put_many(spec.layout, keys, values)
        counts = len(keys), len(gone)
        for held in (keys, values, gone):
            held.clear()
        return counts

    for key, _, wanted in twins.differences(spec, engine):
        if wanted is None:
            gone.append(key)
        else:
            keys.append(key)
            values.append(wanted)
        if len(keys) + len(gone) >= _SLICE_ROWS:
            counts = flush()
            written, removed = written + counts[0], removed + counts[1]
    counts = flush()
    return written + counts[0], removed + counts[1]
