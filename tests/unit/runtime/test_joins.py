"""What joins cost, and what a box tells of times; that they are right is for the property tests."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.property.test_join import package
from tests.unit.codegen_ops.making import new_engine

from pillarbox.errors import RangeError, UsageError
from pillarbox.storage import Engine, StoredKey, TableLayout
from pillarbox_tracker.box import open_box
from pillarbox_tracker.types import (
    Comments,
    Issues,
    Login,
    Milestones,
    ProjectId,
    State,
    UserId,
    Users,
    Watchers,
)
from pillarbox_tracker.views import Attention, AttentionSnapshot

PEOPLE = range(40)


class CountingEngine:
    """An engine that counts the statements that read rows, by table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.reads: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        self.reads[table.name] += 1
        return self._engine.get(table, key)

    def get_many(self, table: TableLayout, keys: list[StoredKey]) -> dict[StoredKey, bytes]:
        self.reads[table.name] += 1
        return self._engine.get_many(table, keys)

    def scan(self, table: TableLayout, *bounds: Any, **options: Any) -> list[tuple[StoredKey, bytes]]:
        self.reads[table.name] += 1
        return self._engine.scan(table, *bounds, **options)


def filled() -> tuple[CountingEngine, Any]:
    """People with a desk and a task each, committed; and the transaction of their box."""
    made = package()
    engine = CountingEngine(new_engine(made))
    tx = made.transaction.Transaction(engine)
    types = made.types
    tx.begin()
    for person in PEOPLE:
        tx.people.put(types.People(person_id=person, home=person, level=1))
        tx.desks.put(types.Desks(desk_id=person, floor=types.Floor.ATTIC, owner=person + 1))
        tx.tasks.put(types.Tasks(person, 1, 5, 1))
    tx.settings.put(types.Settings(n=0, least=0))
    commit(tx)
    engine.reads.clear()
    return engine, tx


def commit(tx: Any) -> Any:
    record = tx.seal()
    tx.commit()
    return record


def test_each_looked_up_table_is_read_with_one_statement_however_many_rows_are_made_again() -> None:
    engine, tx = filled()
    tasks = package().types.Tasks

    tx.begin()
    for person in PEOPLE:
        tx.tasks.put(tasks(person, 2, 9, 1))
    commit(tx)

    reads = engine.reads
    assert (reads["desks"], reads["settings"]) == (1, 2)  # `both` asks for settings of its own
    assert reads["cards"] == 1  # to see which rows differ
    assert reads["people"] == 2  # the driver, and the owners of the desks, which are read at once
    assert reads["ratings"] <= 2  # `both` asks for others than `cards`


def test_a_changed_row_costs_the_rows_that_are_made_with_it() -> None:
    engine, tx = filled()
    desks, floor = package().types.Desks, package().types.Floor

    tx.begin()
    tx.desks.put(desks(desk_id=3, floor=floor.GROUND, owner=4))
    record = commit(tx)

    cards = package().specs.CARDS
    assert list(record.tables[cards.id]) == [3]
    assert engine.reads["by_desk"] == 1  # what the index `by_owner` reads, the join has at hand


def test_rows_that_are_made_again_and_are_equal_are_not_written() -> None:
    _, tx = filled()
    types = package().types

    tx.begin()
    tx.settings.put(types.Settings(n=0, least=-1))  # everybody has a level above either
    record = commit(tx)

    assert set(record.tables) == {package().specs.SETTINGS.id}


def test_a_box_tells_the_next_time_of_each_index_that_has_times() -> None:
    project = ProjectId(1)
    with open_box(":memory:") as box:
        assert box.next_due() == {}
        with box.transaction() as tx:
            tx.milestones.put(Milestones(project, 1, "later", 900))
            tx.milestones.put(Milestones(project, 2, "soon", 300))
            for number, milestone in enumerate((1, 2, 2, None), 1):
                state = State.CLOSED if number == 2 else State.OPEN
                tx.issues.put(issue(project, number, milestone=milestone, state=state))
            assert tx.overdue.next_due() == 300

        assert box.next_due() == {"milestones_due": 300, "overdue": 300}
        with box.reading() as tables:
            assert [row.number for row in tables.overdue.due(300)] == [3]
            assert [row.number for row in tables.overdue.due(900, limit=5)] == [3, 1]
            assert tables.overdue.due(299) == []
            with pytest.raises(RangeError):
                tables.overdue.due(1 << 63)
            with pytest.raises(UsageError, match="limit is -1"):
                tables.overdue.due(900, limit=-1)
        with box.transaction() as tx:
            tx.milestones.put(Milestones(project, 2, "soon", 300, True))
        assert box.next_due() == {"milestones_due": 900, "overdue": 900}


def test_a_view_over_a_join_follows_what_is_looked_up() -> None:
    project, user = ProjectId(1), UserId(7)
    with open_box(":memory:") as box:
        with box.transaction() as tx:
            tx.users.put(Users(user, Login("seven"), "Seven"))
            for number in (1, 2):
                tx.issues.put(issue(project, number, assignee_id=user if number == 1 else None))
                tx.watchers.put(Watchers(project, number, user, since=0))
        heard: list[AttentionSnapshot] = []
        box.watch(Attention(user, 5)).listen(lambda emission: heard.append(emission.snapshot))

        with box.transaction() as tx:
            tx.comments.put(Comments(project_id=project, number=1, posted_at=50, author_id=user, body="so?"))
        with box.transaction() as tx:
            tx.issues.put(issue(project, 2, state=State.CLOSED))

        assert [[(row.number, row.updated_at) for row in shown.issues] for shown in heard] == [
            [(2, 0), (1, 0)],
            [(1, 50), (2, 0)],
            [(1, 50)],
        ]
        assert [(shown.counts.issues, shown.counts.mine) for shown in heard] == [(2, 1), (2, 1), (1, 1)]


def issue(project: ProjectId, number: int, **fields: Any) -> Issues:
    return Issues(
        project_id=project, number=number, title="", author_id=UserId(1), created_at=0, updated_at=0, **fields
    )
