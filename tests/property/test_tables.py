"""The write-behind cache of a table against two dicts: what the engine has, and what is written over it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, ClassVar
from unittest import TestCase

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.property.mutants import HARD, Fault
from tests.property.mutants_tables import TABLE_FAULTS
from tests.unit.runtime import tracker as t

from pillarbox.errors import PillarboxError
from pillarbox.storage import StoredKey, open_engine
from pillarbox.tables import (
    ChangeRecord,
    TableChanges,
    TableReader,
    TableSpec,
    TableWriter,
    TouchLog,
    flushed,
)


class Issues(TableWriter[t.Issue]):
    """Bytes keys, and structs that are equal without being the same."""

    __slots__ = ()
    SPEC = t.ISSUES


class Cursors(TableWriter[t.Cursor]):
    """Int keys, and cells that are bytes."""

    __slots__ = ()
    SPEC = t.CURSORS


def issue_cell(number: int) -> t.Issue:
    return t.Issue(0, 0, title=str(number))


def cursor_cell(number: int) -> bytes:
    cell: bytes = t.CURSORS.cell_of(t.Cursor(0, number, 0))
    return cell


picks = st.integers(0, 6)
cells = st.none() | st.integers(0, 2)


class TableMachine(RuleBasedStateMachine):
    """One table in one transaction after the other, over an engine."""

    path = ":memory:"
    table_class: ClassVar[type[TableWriter[Any]]] = Issues
    keys: ClassVar[list[Any]] = [
        bytes((a, b)) for a, b in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 255), (255, 0), (255, 255))
    ]
    cell_of: ClassVar[Any] = staticmethod(issue_cell)

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.patch = tempfile.TemporaryDirectory(), pytest.MonkeyPatch()
        path = self.path if self.path == ":memory:" else str(Path(self.folder.name) / self.path)
        self.engine = open_engine(path, durability="relaxed")
        self.spec: TableSpec[Any] = self.table_class.SPEC
        self.engine.begin()
        self.engine.create(self.spec.layout)
        self.stored: dict[Any, Any] = {key: self.cell_of(1) for key in self.keys[1:5]}
        values = [self.spec.bytes_of(cell) for cell in self.stored.values()]
        self.engine.put_many(self.spec.layout, list(self.stored), values)
        self.engine.commit()
        self.log = TouchLog()
        self.table = self.table_class(self.engine, self.log)
        self.now = dict(self.stored)
        #: What was there when the last settle ended, and the keys written since.
        self.settled = dict(self.stored)
        self.written: set[Any] = set()

    def teardown(self) -> None:
        self.patch.undo()
        self.engine.close()
        self.folder.cleanup()

    @initialize(followed=st.booleans())
    def followed(self, followed: bool) -> None:
        """What no rule looks at is not read before it is written."""
        self.table.wakes = int(followed)

    @initialize(few=st.sampled_from([0, 2]))
    def one_by_one(self, few: int) -> None:
        """So many rows are written one by one."""
        self.patch.setattr(flushed, "_FEW", few)

    def begin(self) -> None:
        if not self.log.open:
            self.engine.begin()
            self.log.open = True

    # ------------------------------------------------------------------------------------ writes

    @rule(which=picks, cell=cells, known=st.booleans())
    def put(self, which: int, cell: int | None, known: bool) -> None:
        self.begin()
        key = self.keys[which]
        new = None if cell is None else self.cell_of(cell)

        if known:
            self.table.put_known(key, self.now.get(key), new)
        else:
            self.table.put_cell(key, new)

        self.written.add(key)
        self.now = {other: cell for other, cell in self.now.items() if other != key}
        if new is not None:
            self.now[key] = new

    @rule(entries=st.lists(st.tuples(picks, st.integers(0, 3)), max_size=4))
    def put_new(self, entries: list[tuple[int, int]]) -> None:
        self.begin()
        new = [(self.keys[which], self.cell_of(cell)) for which, cell in entries]
        new = [(key, cell) for key, cell in new if key not in self.now]

        self.table.put_new(iter(new))

        self.written |= {key for key, _ in new}
        self.now |= dict(new)

    # ------------------------------------------------------------------------------------- reads

    @rule(which=picks)
    def cell(self, which: int) -> None:
        self.begin()
        assert self.table.cell(self.keys[which]) == self.now.get(self.keys[which])

    @rule(which=st.lists(picks, max_size=5), preloaded=st.booleans())
    def cells_at(self, which: list[int], preloaded: bool) -> None:
        self.begin()
        keys = [self.keys[number] for number in which]
        if preloaded:
            self.table.preload(keys)
        assert self.table.cells_at(keys) == {key: self.now[key] for key in keys if key in self.now}

    @rule(
        low=st.none() | picks,
        high=st.none() | picks,
        newest_first=st.booleans(),
        limit=st.sampled_from([None, 0, 1, 2, 3]),
    )
    def scan(self, low: int | None, high: int | None, newest_first: bool, limit: int | None) -> None:
        self.begin()
        least = None if low is None else self.keys[low]
        above = None if high is None else self.keys[high]

        found = self.table.scan_cells(least, above, newest_first=newest_first, limit=limit)

        wanted = sorted(
            (key for key in self.now if (low is None or key >= least) and (high is None or key < above)),
            reverse=newest_first,
        )
        assert found == [(key, self.now[key]) for key in wanted[:limit]]

    # ------------------------------------------------------------------------------ settle, commit

    @precondition(lambda self: self.log.open)
    @rule(asked=st.booleans())
    def settle(self, asked: bool) -> None:
        assert bool(self.table.unsettled) == bool(self.written)
        if asked:
            self.ask()
        self.table.end_settle()
        self.settled, self.written = dict(self.now), set()

    def ask(self) -> None:
        """As a rule does that is woken."""
        fresh = self.table.fresh()
        if self.written and all(key in self.now and key not in self.settled for key in self.written):
            assert fresh is not None
            assert sorted(map(repr, fresh)) == sorted(
                repr(self.as_row(key, self.now)) for key in self.written
            )
        else:
            assert fresh is None
        net = {key: (old, new) for key, old, new in self.table.net()}
        assert net == {
            key: (self.as_row(key, self.settled), self.as_row(key, self.now))
            for key in self.written
            if self.settled.get(key) != self.now.get(key)
        }

    def as_row(self, key: StoredKey, cells: dict[Any, Any]) -> Any:
        return self.spec.row(key, cells[key]) if key in cells else None

    @precondition(lambda self: self.log.open)
    @rule(asked=st.none() | st.booleans())
    def commit(self, asked: bool | None) -> None:
        """`asked`: whether what changed is asked for before it is written; None: nothing is, nor settled."""
        if asked is not None:
            self.table.end_settle()
        changes: TableChanges = {
            key: (self.stored.get(key), self.now.get(key))
            for key in {*self.stored, *self.now}
            if self.stored.get(key) != self.now.get(key)
        }
        assert self.in_engine() == self.stored
        if asked:
            assert self.table.changes() == changes
        if asked is not None:
            batch, gone = self.table.all_changes()
            assert batch == self.table.batch(changes)
            assert dict(gone) == {key: old for key, (old, _) in changes.items() if old is not None}

        written = self.table.flush()
        assert bool(written) == bool(changes)
        assert ChangeRecord({1: written}).tables == {1: changes}

        assert self.in_engine() == self.now
        self.engine.commit()
        self.stored = dict(self.now)
        self.end()

    @precondition(lambda self: not self.log.open)
    @rule(writes=st.lists(st.tuples(picks, cells), min_size=1, max_size=4), asked=st.none() | st.booleans())
    def write_unread(self, writes: list[tuple[int, int | None]], asked: bool | None) -> None:
        """A whole transaction that nobody reads in."""
        for which, cell in writes:
            self.put(which, cell, known=False)
        self.commit(asked=asked)

    @precondition(lambda self: self.log.open)
    @rule()
    def rollback(self) -> None:
        self.engine.rollback()
        self.now = dict(self.stored)
        self.end()

    def end(self) -> None:
        assert self.log in ([], [self.table])
        self.table.forget()
        self.log.clear()
        self.log.open = False
        self.settled, self.written = dict(self.stored), set()
        assert self.in_engine() == self.stored

    def in_engine(self) -> dict[StoredKey, Any]:
        return dict(TableReader.scan_cells(self.table, None, None))


class IntKeyMachine(TableMachine):
    table_class = Cursors
    keys: ClassVar[list[Any]] = [-(2**63), -2, -1, 0, 1, 2, 2**63 - 1]
    cell_of = staticmethod(cursor_cell)


class FileMachine(TableMachine):
    path = "a.box"


class IntKeyFileMachine(IntKeyMachine):
    path = "a.box"


def case_of(machine: type[TableMachine]) -> type[TestCase]:
    case = machine.TestCase
    case.settings = settings(stateful_step_count=40)
    return case


TestInMemory = case_of(TableMachine)
TestIntKeysInMemory = case_of(IntKeyMachine)
TestInFile = case_of(FileMachine)
TestIntKeysInFile = case_of(IntKeyFileMachine)


@pytest.mark.parametrize("fault", TABLE_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, KeyError, TypeError)):
        run_state_machine_as_test(TableMachine, settings=HARD)
