"""Every derived table equals a recomputation from the primary rows, whatever happens in between.

The machine runs transactions over an engine, in memory or in a file that it closes and reopens. Its
model is a dict of issues and two dicts of numbers; `oracles` computes the rest.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace
from tests.property.law_machine import EngineMachine
from tests.property.mutants import HARD, Fault
from tests.property.mutants_maintainers import MAINTAINER_FAULTS
from tests.property.oracles import Rows, derived_rows, shared_slugs
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_tables import TrackerTables, TrackerTransaction

from pillarbox.errors import PillarboxError, UniqueViolation, UsageError
from pillarbox.tables import ChangeRecord, DerivedTable, TableChanges, TableSpec, TableWriter

Key: TypeAlias = tuple[int, int]
Numbers: TypeAlias = dict[int, int]

small = st.integers(0, 3)
projects = st.integers(1, 2)
issues = st.builds(
    t.Issue,
    project=projects,
    number=st.integers(0, 5),
    uid=st.integers(0, 4),
    rank=small,
    lane=st.integers(0, 2),
    labels=st.lists(st.integers(1, 2), max_size=3).map(tuple),
    slug=st.sampled_from((0, 0, 0, 0, 0, 1, 2, 3)),
    title=st.sampled_from(("", "a")),
)


few_changes = st.fixed_dictionaries(
    {},
    optional={"rank": small, "lane": st.integers(0, 2), "number": st.integers(1, 5), "title": st.just("b")},
)


class Model:
    """The issues and the sequences, by the plainest means."""

    def __init__(self) -> None:
        self.issues: dict[Key, t.Issue] = {}
        self.numbers: Numbers = {}
        self.uids: Numbers = {}

    def copy(self) -> Model:
        other = Model()
        other.issues, other.numbers, other.uids = dict(self.issues), dict(self.numbers), dict(self.uids)
        return other

    def put(self, row: t.Issue) -> t.Issue:
        """The row as it must be stored."""
        number, uid = row.number, row.uid
        if number == 0:
            number = self._take(self.numbers, row.project, {key[1] for key in self._keys(row)})
        if uid == 0:
            standing = self.issues.get((row.project, number))
            taken = {self.issues[key].uid for key in self._keys(row)}
            uid = standing.uid if standing else self._take(self.uids, row.project, taken)
        stored = t.Issue(row.project, number, uid, row.rank, row.lane, row.labels, row.slug, row.title)
        for key in self._keys(row):
            if self.issues[key].uid == uid:
                del self.issues[key]
        self.issues[row.project, number] = stored
        return stored

    def _keys(self, row: t.Issue) -> list[Key]:
        return [key for key in self.issues if key[0] == row.project]

    def _take(self, sequence: Numbers, project: int, taken: set[int]) -> int:
        number = sequence.get(project, 1)
        while number in taken:
            number += 1
        sequence[project] = number + 1
        return number

    def rows(self) -> dict[str, Rows]:
        """Every table as it must be now."""
        return {
            **derived_rows(self.issues.values()),
            "issues": {(row,) for row in self.issues.values()},
            "numbers": {*self.numbers.items()},
            "uids": {*self.uids.items()},
        }


#: What the machine writes; the cursor table is left to the test of tables.
STORED = tuple(spec for spec in t.SPECS if spec is not t.CURSORS)


def plain(spec: TableSpec[Any], row: Any) -> tuple[object, ...]:
    return (row,) if spec is t.ISSUES else tuple(row)


class MaintainersMachine(EngineMachine):
    """Transactions of random length, with reads, rollbacks and reopenings, against `Model`."""

    def __init__(self) -> None:
        super().__init__()
        self.committed = Model()
        self.model = Model()
        self.open_new(t.SPECS)

    def open_package(self) -> None:
        self.tx = TrackerTransaction(self.engine)

    # ------------------------------------------------------------------------------------ writes

    @rule(row=issues)
    def put(self, row: t.Issue) -> None:
        self.begin()
        old = dict(self.model.issues)
        replaced = next(
            (it for it in old.values() if (it.project, it.uid) == (row.project, row.uid)),
            old.get((row.project, row.number)),
        )

        was, stored = self.tx.issues.put_was(row)

        assert stored == self.model.put(row)
        assert was == replaced

    @rule(rows=st.lists(issues, min_size=2, max_size=6))
    def put_many(self, rows: list[t.Issue]) -> None:
        self.begin()
        self.tx.issues.probe(rows)
        for row in rows:
            assert self.tx.issues.put(row) == self.model.put(row)

    @rule(which=st.integers(0, 9), changes=few_changes)
    def put_again(self, which: int, changes: dict[str, Any]) -> None:
        """A row that is there, with a few fields changed, or none."""
        self.begin()
        if self.model.issues:
            rows = list(self.model.issues.values())
            self.put(replace(rows[which % len(rows)], **changes))

    @rule(project=projects, number=st.integers(1, 5))
    def remove(self, project: int, number: int) -> None:
        self.begin()
        self.tx.issues.remove(project, number)
        self.model.issues.pop((project, number), None)

    @rule(project=projects)
    def remove_under(self, project: int) -> None:
        self.begin()
        gone = [key for key in self.model.issues if key[0] == project]
        assert self.tx.issues.remove_under(project) == len(gone)
        for key in gone:
            del self.model.issues[key]

    # ------------------------------------------------------------------------------------- reads

    @precondition(lambda self: self.is_open)
    @rule(number=st.sampled_from([spec.id for spec in t.SPECS if spec.role in ("derived", "sequence")]))
    def look(self, number: int) -> None:
        """Reading what a maintainer writes settles; it shows all that was written so far."""
        table = self.kept(number)
        if shared_slugs(self.model.issues.values()):
            with pytest.raises(UniqueViolation):
                table.rows_between(None, None)
            with pytest.raises(UsageError, match="has failed already"):
                self.tx.seal()
            self.rollback()
            return

        found = table.rows_between(None, None)

        expected = self.model.rows()[table.spec.name]
        keys = [table.spec.key_of(row) for row in found]
        assert {tuple(row) for row in found} == expected
        assert {tuple(row) for row in table.rows_at(keys)} == expected
        assert {tuple(row) for key in keys if (row := table.row_at(key)) is not None} == expected

    def kept(self, number: int) -> DerivedTable[Any]:
        """A table that is read, and written by others only."""
        sequences: dict[int, DerivedTable[Any]] = {t.NUMBERS.id: self.tx.numbers, t.UIDS.id: self.tx.uids}
        return sequences[number] if number in sequences else self.tx.derived[number]

    # -------------------------------------------------------------------------------------- ends

    @precondition(lambda self: self.is_open)
    @rule()
    def commit(self) -> None:
        if shared_slugs(self.model.issues.values()):
            with pytest.raises(UniqueViolation):
                self.tx.seal()
            self.rollback()
            return
        record = self.tx.seal()
        self.tx.commit()
        self.check_record(record)
        self.committed = self.model
        self.check()

    # ------------------------------------------------------------------------------------- checks

    def check_record(self, record: ChangeRecord) -> None:
        """The change record is the difference of what was and what is, table by table."""
        before, after = self.committed.rows(), self.model.rows()
        for spec in STORED:
            old, new = self.sides(spec, record.tables.get(spec.id, {}))
            assert old == before[spec.name] - after[spec.name], spec.name
            assert new == after[spec.name] - before[spec.name], spec.name
        assert all(record.tables.values())

    def sides(self, spec: TableSpec[Any], changes: TableChanges) -> tuple[Rows, Rows]:
        """The rows before and the rows after."""
        sides: list[Rows] = [
            {
                plain(spec, spec.row(key, change[side]))
                for key, change in changes.items()
                if change[side] is not None
            }
            for side in (0, 1)
        ]
        return sides[0], sides[1]

    def check(self) -> None:
        """The transaction is over: the file holds exactly what it must, and the caches nothing."""
        self.is_open = False
        expected = self.committed.rows()
        readers = TrackerTables(self.engine).by_id()
        for spec in STORED:
            stored = [plain(spec, row) for row in readers[spec.id].rows_between(None, None)]
            assert Counter(stored) == Counter(expected[spec.name]), spec.name
        tables: tuple[TableWriter[Any], ...] = (
            self.tx.issues,
            self.tx.numbers,
            self.tx.uids,
            *self.tx.derived.values(),
        )
        assert not any(table._cells or table.unsettled or table.began for table in tables)


class FileMachine(MaintainersMachine):
    """The same, in a file that is closed and opened again."""

    in_file = True


TestInMemory = MaintainersMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=40)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=40)


# -------------------------------------------------------------------------------------- planted faults


@pytest.mark.parametrize("fault", MAINTAINER_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, ValueError, pytest.fail.Exception)):
        run_state_machine_as_test(MaintainersMachine, settings=HARD)
