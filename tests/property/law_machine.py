"""What state machines of single words share: transactions, reads, rollbacks, reopenings, and the checks.

A machine gives its schema, a model that shares no code with the runtime, and rules that write both.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from msgspec.structs import astuple
from tests.unit.codegen_ops.making import Package, imported

from pillarbox.box.opening import fill
from pillarbox.storage import Engine, open_engine
from pillarbox.tables import ChangeRecord, TableSpec

SCHEMAS = Path(__file__).parents[1] / "data/schemas"
#: Table -> its rows, each as a tuple of its fields.
Rows: TypeAlias = dict[str, set[tuple[Any, ...]]]


class Model(Protocol):
    """What should be, by the plainest means."""

    def copy(self) -> Any:
        """A model that the next writes do not change."""

    def rows(self) -> Rows:
        """Every table as it must be."""


@cache
def package_of(name: str) -> Package:
    """The generated package of `tests/data/schemas/NAME`."""
    return imported(Path(tempfile.mkdtemp()), (SCHEMAS / name / "schema.yaml").read_text())


class EngineMachine(RuleBasedStateMachine):
    """One engine, in memory or in a file, that is rolled back, closed and opened again."""

    in_file = False
    #: The transaction that the rules write with.
    tx: Any
    #: A `Model` each: what the file must hold, and what the transaction must show.
    committed: Any
    model: Any

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory() if self.in_file else None
        self.path = str(Path(self.folder.name) / "a.box") if self.folder else ":memory:"
        self.is_open = False

    def open_new(self, specs: Iterable[TableSpec[Any]]) -> None:
        """Open it for the first time; these are its tables."""
        self.open_engine()
        create(self.engine, specs)

    def open_engine(self) -> None:
        self.engine = open_engine(self.path, durability="relaxed")
        self.open_package()

    def open_package(self) -> None:
        """Make `tx` for the engine."""
        raise NotImplementedError

    def begin(self) -> None:
        """Every rule that writes begins with it."""
        if not self.is_open:
            self.tx.begin()
            self.model = self.committed.copy()
            self.is_open = True

    def check(self) -> None:
        """The transaction is over: the file holds exactly what it must."""
        raise NotImplementedError

    def teardown(self) -> None:
        self.engine.close()
        if self.folder:
            self.folder.cleanup()

    @precondition(lambda self: self.is_open)
    @rule()
    def rollback(self) -> None:
        self.tx.rollback()
        self.check()

    @precondition(lambda self: self.in_file)
    @rule()
    def reopen(self) -> None:
        """Closing rolls back what is open."""
        self.engine.close()
        self.open_engine()
        self.check()


def create(engine: Engine, specs: Iterable[TableSpec[Any]]) -> None:
    """The tables of a new engine."""
    engine.begin()
    for spec in specs:
        engine.create(spec.layout)
    engine.commit()


def check_made_again(
    engine: Engine, specs: Sequence[TableSpec[Any]], transaction: Callable[[Engine], Any]
) -> None:
    """What is filled from its sources is what followed them."""
    fresh = open_engine(":memory:", durability="relaxed")
    create(fresh, specs)
    derived = [spec for spec in specs if spec.role == "derived"]
    fresh.begin()
    for spec in specs:
        if spec not in derived:
            stored = engine.scan(spec.layout, None, None)
            fresh.put_many(spec.layout, [key for key, _ in stored], [value for _, value in stored])
    fresh.commit()
    tx = transaction(fresh)
    tx.begin()
    fill(tx, {spec.id for spec in derived})
    tx.commit()
    for spec in derived:
        assert fresh.scan(spec.layout, None, None) == engine.scan(spec.layout, None, None), spec.name
    fresh.close()


class LawMachine(EngineMachine):
    """Transactions of random length, with reads, rollbacks and reopenings."""

    schema: ClassVar[str]
    model_class: ClassVar[type[Any]]

    def __init__(self) -> None:
        super().__init__()
        self.package = package_of(self.schema)
        self.types = self.package.types
        self.specs = {spec.name: spec for spec in self.package.specs.ALL}
        self.committed = self.model_class()
        self.model = self.model_class()
        self.open_new(self.package.specs.ALL)

    def open_package(self) -> None:
        self.tx = self.package.transaction.Transaction(self.engine)

    def made(self, name: str, *fields: Any) -> Any:
        """A row of this class, its fields in order."""
        row_class = getattr(self.types, name)
        return row_class(**dict(zip(row_class.__struct_fields__, fields, strict=True)))

    # ------------------------------------------------------------------------------------- reads

    @precondition(lambda self: self.is_open)
    @rule(which=st.integers(0, 20))
    def look(self, which: int) -> None:
        """Whatever table is read, it shows all that was written so far."""
        name = sorted(self.specs)[which % len(self.specs)]
        table = getattr(self.tx, name)
        found = table.rows_between(None, None)
        assert {astuple(row) for row in found} == self.model.rows()[name], name
        keys = [table.spec.key_of(row) for row in found]
        assert [table.row_at(key) for key in keys] == found

    # -------------------------------------------------------------------------------------- ends

    @precondition(lambda self: self.is_open)
    @rule()
    def commit(self) -> None:
        record = self.tx.seal()
        self.tx.commit()
        self.check_record(record)
        self.committed = self.model
        self.check()

    @precondition(lambda self: not self.is_open)
    @rule()
    def make_again(self) -> None:
        check_made_again(self.engine, self.package.specs.ALL, self.package.transaction.Transaction)

    # ------------------------------------------------------------------------------------- checks

    def check_record(self, record: ChangeRecord) -> None:
        """The change record is the difference of what was and what is, table by table."""
        before, after = self.committed.rows(), self.model.rows()
        for spec in self.specs.values():
            sides: list[set[tuple[Any, ...]]] = [
                {
                    astuple(spec.row(key, change[side]))
                    for key, change in record.tables.get(spec.id, {}).items()
                    if change[side] is not None
                }
                for side in (0, 1)
            ]
            assert sides == [before[spec.name] - after[spec.name], after[spec.name] - before[spec.name]], (
                spec.name
            )

    def check(self) -> None:
        """The transaction is over: the file holds exactly what it must."""
        self.is_open = False
        expected = self.committed.rows()
        for reader in self.package.transaction.Tables(self.engine).by_id().values():
            found = Counter(astuple(row) for row in reader.rows_between(None, None))
            assert found == Counter(expected[reader.spec.name]), reader.spec.name
