"""Group seeds: what the ranges of a group start with, read as if it were written, written when first touched.

Depends on: ranges, tables, codec.  Never on: who touches a group; stretches and versions are generated.

Law: reading a group that no step has touched since it was seeded, or since an upgrade was declared, shows
what touching it would write, and writes nothing. The first step that touches it writes that in its own
transaction, with a mark that says up to which upgrade; a second one adds nothing. Vocabulary, section 4.

The mark of a group is a row of a table of its own: group -> version. A group whose ranges are all cut has
no row left, so the rows cannot tell.

A change record is of what is read: `before` of a seeded row is the row as it was shown. What was shown and
stays is written without being a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

from pillarbox.codec import INT64_BIAS, Packed, successor
from pillarbox.maintainers.ranges import RangesReader, RangesTable
from pillarbox.storage import Engine, StoredKey
from pillarbox.tables import (
    Batch,
    Cell,
    KeptTable,
    Row,
    TableChanges,
    TableSpec,
    TableWriter,
    TouchLog,
    Written,
)


class Stretch(NamedTuple):
    """One step of a seed: ranges added to a space, or cut from it."""

    adds: bool
    prefix: bytes
    low: bytes
    high: bytes


#: (the mark's key, the version written last or None) -> the steps that are due, in order.
Due: TypeAlias = Callable[[Any, int | None], Iterable[Stretch]]


class Seeds:
    """What the groups of one table start with."""

    __slots__ = ("_int_key", "_packed", "due", "marks", "version", "width")

    def __init__(self, marks: TableSpec[Any], packed: Packed, due: Due, *, width: int, version: int) -> None:
        """`width`: of a group's bytes. `version`: the number of the last upgrade, 0 if there is none."""
        self.marks = marks
        self._packed = packed
        self.due = due
        self.width = width
        self.version = version
        self._int_key = marks.int_key

    def mark_key(self, group: bytes) -> StoredKey:
        """Where the mark of a group is stored."""
        return int.from_bytes(group, "big") - INT64_BIAS if self._int_key else group

    def version_in(self, cell: Cell | None) -> int | None:
        """The version that a mark tells; None: never seeded."""
        return None if cell is None else int(self._packed.decode(cell)[0])

    def mark(self, version: int) -> Cell:
        """The cell of a mark."""
        return self._packed.encode(version)

    def behind(self, version: int | None) -> bool:
        """Whether a group with such a mark has something due."""
        return version is None or version < self.version


class _Scratch(RangesTable[Row]):
    """A group as its seed would leave it. Never written to the engine."""

    __slots__ = ()


class SeededReader(RangesReader[Row]):
    """Reads a group that has a seed due as if it were there.

    Whoever reads across groups sees what is stored: groups that were never touched are without number.
    """

    __slots__ = ()
    #: Set by the generated class.
    SEEDS: ClassVar[Seeds]
    _SCRATCH: ClassVar[type[_Scratch[Any]]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "SEEDS" in vars(cls):
            held = {"__slots__": (), "SPEC": cls.SPEC, "EDGES": cls.EDGES}
            cls._SCRATCH = type("Scratch", (_Scratch,), held)

    def cell(self, key: StoredKey) -> Cell | None:
        """As `TableReader.cell`."""
        shown = self._shown(self._group_of(key))
        return super().cell(key) if shown is None else shown.cell(key)

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        """As `TableReader.cells_at`."""
        groups: dict[bytes, list[StoredKey]] = {}
        for key in keys:
            groups.setdefault(self._group_of(key), []).append(key)
        found = super().cells_at(keys)
        for group, its in groups.items():
            shown = self._shown(group)
            if shown is not None:
                for key in its:
                    found.pop(key, None)
                found.update(shown.cells_at(its))
        return {key: found[key] for key in keys if key in found}

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        """As `TableReader.scan_cells`, where the bounds lie in one group."""
        group = self._group_between(low, high)
        shown = None if group is None else self._shown(group)
        if shown is None:
            return super().scan_cells(low, high, newest_first=newest_first, limit=limit)
        return shown.scan_cells(low, high, newest_first=newest_first, limit=limit)

    # -------------------------------------------------------------------------------------- groups

    def _group_of(self, key: Any) -> bytes:
        return self.EDGES.raw(key)[: self.SEEDS.width]

    def _group_between(self, low: StoredKey | None, high: StoredKey | None) -> bytes | None:
        """The one group that all keys with low <= key < high are of; None where there are more."""
        width = self.SEEDS.width
        if not width:
            return b""
        if not isinstance(low, bytes) or len(low) < width:
            return None
        group, end = low[:width], successor(low[:width])
        return group if end is None or (isinstance(high, bytes) and high <= end) else None

    def _shown(self, group: bytes) -> _Scratch[Row] | None:
        """The group with what is due; None where nothing is."""
        seeds = self.SEEDS
        key = seeds.mark_key(group)
        value = self._engine.get(seeds.marks.layout, key)
        version = seeds.version_in(None if value is None else seeds.marks.cell_from(value))
        return self._seeded(group, version) if seeds.behind(version) else None

    def _seeded(self, group: bytes, version: int | None) -> _Scratch[Row]:
        scratch = self._SCRATCH(self._engine, _open_log())
        for adds, prefix, low, high in self.SEEDS.due(self.SEEDS.mark_key(group), version):
            (scratch._add if adds else scratch._cut)(prefix, low, high)
        return scratch


def _open_log() -> TouchLog:
    log = TouchLog()
    log.open = True
    return log


class SeedMarks(KeptTable[Row]):
    """The marks of one table's groups. Written by that table."""

    __slots__ = ()


class SeededTable(RangesTable[Row], SeededReader[Row]):
    """Ranges whose groups are seeded when a step first touches them."""

    __slots__ = ("_marks", "_planted")

    def __init__(self, engine: Engine, log: TouchLog, marks: SeedMarks[Any]) -> None:
        super().__init__(engine, log)
        self._marks = marks
        #: Keys that a seed of this transaction wrote -> the cell stored before.
        self._planted: dict[StoredKey, Cell | None] = {}

    def touch(self, key: bytes) -> None:
        """A step is about to write the group that this key, or prefix of one, is of."""
        seeds, group = self.SEEDS, key[: self.SEEDS.width]
        mark = seeds.mark_key(group)
        standing = TableWriter.cell(self._marks, mark)  # nothing else writes it: it is up to date
        version = seeds.version_in(standing)
        if not seeds.behind(version):
            return
        scratch = self._seeded(group, version)
        scratch.end_settle()
        for each, (stored, shown) in scratch.changes().items():
            self._planted[each] = stored
            self.put_known(each, shown, shown)
        self._marks.put_known(mark, standing, seeds.mark(seeds.version))

    def _shown(self, group: bytes) -> _Scratch[Row] | None:
        """As the reader's; what this transaction has seeded stands already, and is not worked out again."""
        version = self.SEEDS.version_in(TableWriter.cell(self._marks, self.SEEDS.mark_key(group)))
        return self._seeded(group, version) if self.SEEDS.behind(version) else None

    # -------------------------------------------------------------------------------------- commit

    def flush(self) -> Written:
        """As `TableWriter.flush`; what was shown before it was stored is no change, and written."""
        self.end_settle()
        changes = self.changes()
        self.write(self.batch(changes))
        return changes

    def batch(self, changes: TableChanges) -> Batch:
        """As `TableWriter.batch`, with what was shown before it was stored, and stays."""
        planted = {key: (stored, self._cells[key]) for key, stored in self._planted.items()}
        differing = {key: change for key, change in planted.items() if self.spec.differ(*change)}
        others = {key: change for key, change in changes.items() if key not in planted}
        return super().batch({**others, **differing})

    def all_changes(self) -> tuple[Batch, list[tuple[StoredKey, Cell]]]:
        """As `TableWriter.all_changes`; what was only shown does not go away."""
        changes = self.changes()
        gone = [
            (key, old) for key, (old, _) in changes.items() if old is not None and key not in self._planted
        ]
        gone += [
            (key, stored)
            for key, stored in self._planted.items()
            if stored is not None and self.spec.differ(stored, self._cells[key])
        ]
        return self.batch(changes), gone

    def forget(self) -> None:
        """As `TableWriter.forget`."""
        super().forget()
        self._planted.clear()
