"""Joins, indexes with lookups and counts of two tables equal a recomputation, whatever happens in between.

The schema is `tests/data/schemas/join`: a join over a top over an index, over a count of two tables, over
itself and through a row that is looked up itself; an index, a count and a top over the join, and a join over
those; eight levels in all. `join_world` computes the tables by other means.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test
from msgspec.structs import astuple
from tests.property.join_world import KEY_PARTS, Given, World, nothing_given
from tests.property.law_machine import EngineMachine, check_made_again
from tests.property.mutants import HARD, Fault
from tests.property.mutants_join import JOIN_FAULTS
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.errors import PillarboxError
from pillarbox.tables import ChangeRecord

SCHEMA = Path(__file__).parents[1] / "data/schemas/join/schema.yaml"

few = st.integers(0, 2)
maybe = st.none() | few
FIELDS = {
    "people": st.tuples(few, maybe, maybe, few, st.lists(few, max_size=2).map(tuple)),
    "desks": st.tuples(few, maybe),
    "tasks": st.tuples(st.integers(-1, 2), few),
    "errands": st.tuples(few),
    "settings": st.tuples(few, maybe),
    "ratings": st.tuples(few),
}
writes = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda name: st.tuples(st.just(name), st.tuples(*[few] * KEY_PARTS[name]), st.none() | FIELDS[name])
)
#: Table, key, and the other fields; None removes the row.
Change: TypeAlias = tuple[str, tuple[int, ...], tuple[Any, ...] | None]


@cache
def package(replaced: str = "", by: str = "") -> Package:
    """The generated package; or that of another schema, in which a text is replaced."""
    text = SCHEMA.read_text()
    if replaced:
        assert text.count(replaced) == 1
        text = text.replace(replaced, by).replace("law_of_joins", "law_of_wrong_joins")
    return imported(Path(tempfile.mkdtemp()), text)


def copied(given: Given) -> Given:
    return {name: dict(rows) for name, rows in given.items()}


def plain(row: Any) -> tuple[Any, ...]:
    return astuple(row)


class JoinMachine(EngineMachine):
    """Transactions of random length, with reads, rollbacks and reopenings."""

    def __init__(self) -> None:
        super().__init__()
        self.made = self.package()
        self.specs = {spec.name: spec for spec in self.made.specs.ALL}
        self.committed: Given = nothing_given()
        self.given: Given = nothing_given()
        self.open_new(self.made.specs.ALL)

    def package(self) -> Package:
        return package()

    def open_package(self) -> None:
        self.tx = self.made.transaction.Transaction(self.engine)

    # ------------------------------------------------------------------------------------ writes

    @rule(changes=st.lists(writes, min_size=1, max_size=6))
    def change(self, changes: list[Change]) -> None:
        """A few rows of any tables."""
        self.write(changes)

    def write(self, changes: list[Change]) -> None:
        if not self.is_open:
            self.tx.begin()
            self.given = copied(self.committed)
            self.is_open = True
        for name, key, fields in changes:
            table = getattr(self.tx, name)
            if fields is None:
                table.remove(*key)
                self.given[name].pop(key, None)
            else:
                row_class = getattr(self.made.types, name.capitalize())
                table.put(row_class(**dict(zip(row_class.__struct_fields__, (*key, *fields), strict=True))))
                self.given[name][key] = fields

    @rule(levels=st.lists(few, min_size=3, max_size=3))
    def write_everyone(self, levels: list[int]) -> None:
        """So that there mostly is something to join."""
        self.write(
            [
                *(("people", (n,), (n, None, levels[n], levels[n], ())) for n in range(3)),
                *(("desks", (n,), (levels[n], n)) for n in range(3)),
                *(("tasks", (n, levels[n]), (2, 1)) for n in range(3)),
                ("ratings", (levels[0], 0), (levels[1],)),
                ("settings", (0,), (levels[2], levels[1])),
            ]
        )

    # ------------------------------------------------------------------------------------- reads

    @precondition(lambda self: self.is_open)
    @rule(name=st.sampled_from(("cards", "by_owner", "both", "summary", "agenda", "lightest")))
    def look(self, name: str) -> None:
        """Reading what follows shows all that was written so far."""
        found = getattr(self.tx, name).rows_between(None, None)
        assert Counter(map(plain, found)) == Counter(World(self.given).rows()[name])

    @precondition(lambda self: self.is_open)
    @rule(now=st.integers(-1, 3), limit=st.none() | st.integers(0, 2))
    def look_what_is_due(self, now: int, limit: int | None) -> None:
        self.check_due(self.tx, self.given, now, limit)

    # -------------------------------------------------------------------------------------- ends

    @precondition(lambda self: self.is_open)
    @rule()
    def commit(self) -> None:
        record = self.tx.seal()
        self.tx.commit()
        self.check_record(record)
        self.committed = self.given
        self.check()

    @precondition(lambda self: not self.is_open)
    @rule()
    def make_again(self) -> None:
        check_made_again(self.engine, self.made.specs.ALL, self.made.transaction.Transaction)

    # ------------------------------------------------------------------------------------- checks

    def check_record(self, record: ChangeRecord) -> None:
        """The change record is the difference of what was and what is, table by table."""
        before, after = World(self.committed).rows(), World(self.given).rows()
        for spec in self.specs.values():
            changes = record.tables.get(spec.id, {})
            sides = [
                {
                    plain(spec.row(key, change[side]))
                    for key, change in changes.items()
                    if change[side] is not None
                }
                for side in (0, 1)
            ]
            assert sides == [before[spec.name] - after[spec.name], after[spec.name] - before[spec.name]], (
                spec.name
            )

    def check_due(self, tables: Any, given: Given, now: int, limit: int | None) -> None:
        """What is next, and what is due, group by group; the time of `due` is its second part."""
        rows = World(given).rows()
        for reader, position in ((tables.due, 1), (tables.agenda, 0)):
            expected = sorted(rows[reader.spec.name])
            times = [row[position] for row in expected]
            assert reader.next_due() == min(times, default=None)
            waiting = [row for row in expected if row[position] <= now]
            assert [plain(row) for row in reader.due(now, limit=limit)] == waiting[:limit]

    def check(self) -> None:
        """The transaction is over: the file holds exactly what it must."""
        self.is_open = False
        expected = World(self.committed).rows()
        for number, reader in self.made.transaction.Tables(self.engine).by_id().items():
            found = Counter(map(plain, reader.rows_between(None, None)))
            assert found == Counter(expected[reader.spec.name]), (number, reader.spec.name)
        self.check_due(self.made.transaction.Tables(self.engine), self.committed, 1, None)


class FileMachine(JoinMachine):
    """The same, in a file that is closed and opened again."""

    in_file = True


TestInMemory = JoinMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30, max_examples=30)


# -------------------------------------------------------------------------------------- planted faults


@pytest.mark.parametrize("fault", JOIN_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, ValueError, TypeError)):
        run_state_machine_as_test(JoinMachine, settings=HARD)


def test_an_index_that_leads_back_to_some_only_is_found() -> None:
    class WrongVia(JoinMachine):
        def package(self) -> Package:
            return package("when: backup is present", "when: backup is present and level > 0")

    with pytest.raises(AssertionError):
        run_state_machine_as_test(WrongVia, settings=HARD)


def test_rows_of_an_index_that_stay_are_not_written_and_wake_nobody() -> None:
    machine = JoinMachine()
    machine.write([("desks", (1,), (0, 2)), ("people", (0,), (1, None, 2, 0, ()))])
    machine.commit()
    machine.write([("people", (0,), (1, None, 2, 3, ()))])
    machine.tx.settle()

    made_of_people = {"by_backup", "by_desk", "by_owner"}  # the last one with what it looks up
    assert not made_of_people & {table.spec.name for table in machine.tx._log if table.began}
    machine.teardown()
