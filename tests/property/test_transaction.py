"""All or nothing: whatever call of the engine fails, a transaction is in the file, or it never was.

The machine commits through a box over an engine in which one call fails, before or after it has done
its work. Views are watched all along. The model is a dict of issues; `oracles` computes the rest.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.property.mutants import HARD, Fault
from tests.property.mutants_boxes import BOX_FAULTS
from tests.property.oracles import derived_rows, shared_slugs
from tests.unit.box.faulty import FaultyEngine
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    PACKAGE,
    Board,
    One,
    Operation,
    PutIssue,
    RemoveIssue,
    Say,
    issue,
    stored_rows,
)
from tests.unit.runtime.tracker_tables import TrackerTransaction

from pillarbox.box import Box
from pillarbox.box import box as box_module
from pillarbox.errors import PillarboxError, StoreFull, UniqueViolation, UsageError
from pillarbox.storage import MemoryEngine
from pillarbox.tables import TableReader
from pillarbox.views import Subscription

numbers = st.integers(1, 3)
puts = st.builds(
    lambda number, rank, slug: PutIssue(issue(1, number, rank, slug=slug, labels=(rank,))),
    numbers,
    st.integers(0, 2),
    st.sampled_from((0, 0, 0, 1)),
)
operations = st.lists(
    puts | st.builds(RemoveIssue, st.just(1), numbers) | st.builds(Say, numbers), max_size=4
)
CALLS = (
    "begin",
    "get",
    "get_many",
    "scan",
    "add_one",
    "put_one",
    "put_many",
    "remove_one",
    "remove_many",
    "commit",
    "rollback",
    "data_version",
)
KEYS = (Board(1), Board(1, 1), *(One(1, number) for number in range(1, 4)))


class Stop(Exception):
    """What a transaction is left with."""


class TransactionMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        logging.getLogger("pillarbox").setLevel(logging.CRITICAL)  # it has much to tell here
        self.engine = FaultyEngine(MemoryEngine())
        with patch.object(box_module, "open_engine", lambda *args, **options: self.engine):
            self.box = Box(":memory:", PACKAGE)
        self.issues: dict[int, t.Issue] = {}
        self.said: list[object] = []
        self.heard: list[object] = []
        self.box.on_event(self.heard.append)
        self.seen: dict[Any, list[Any]] = {}
        self.subscriptions: dict[Any, Subscription[Any]] = {}
        for key in KEYS:
            self.watch(key)

    def watch(self, key: Any) -> None:
        self.seen[key] = []
        self.subscriptions[key] = self.box.watch(key).listen(
            lambda emission: self.seen[key].append(emission.snapshot)
        )

    def teardown(self) -> None:
        self.engine.heal()
        self.box.close()
        logging.getLogger("pillarbox").setLevel(logging.NOTSET)

    def after(self, batch: Sequence[Operation]) -> dict[int, t.Issue]:
        issues = dict(self.issues)
        for operation in batch:
            if isinstance(operation, PutIssue):
                issues[operation.issue.number] = operation.issue
            elif isinstance(operation, RemoveIssue):
                issues.pop(operation.number, None)
        return issues

    def done(self, batch: Sequence[Operation]) -> None:
        self.issues = self.after(batch)
        self.said += [operation.event for operation in batch if isinstance(operation, Say)]

    @rule(batch=operations)
    def commit(self, batch: list[Operation]) -> None:
        issues = self.after(batch)
        if shared_slugs(issues.values()):
            with pytest.raises(UniqueViolation):
                self.box.replay(batch)
        else:
            commit = self.box.replay(batch)
            assert commit.changed == (issues != self.issues)
            self.done(batch)

    @rule(batch=operations, look=st.booleans())
    def leave(self, batch: list[Operation], look: bool) -> None:
        """An exception in the block, perhaps after a read that settled."""

        def work(tx: TrackerTransaction) -> None:
            for operation in batch:
                operation.apply(tx)
            if look:
                tx.derived[t.NEWEST.id].row_at(b"\1")
            raise Stop

        with pytest.raises((Stop, UniqueViolation)):
            self.box.transact(work)

    @rule(batch=operations)
    def swallow(self, batch: list[Operation]) -> None:
        """A block that goes on after two issues claimed one slug, and even makes up for it."""

        def work(tx: TrackerTransaction) -> None:
            for operation in (PutIssue(issue(1, 1, 2, slug=1)), PutIssue(issue(1, 2, 2, slug=1)), *batch):
                operation.apply(tx)
            try:
                tx.derived[t.NEWEST.id].row_at(b"\1")
            except UniqueViolation:
                tx.issues.remove_under(1)
            else:
                raise Stop

        with pytest.raises((Stop, UsageError)):
            self.box.transact(work)

    @rule(
        batch=operations,
        call=st.sampled_from(CALLS),
        skip=st.integers(0, 3),
        landed=st.booleans(),
    )
    def fail(self, batch: list[Operation], call: str, skip: int, landed: bool) -> None:
        """One call fails; the box must know by itself what that means."""
        if shared_slugs(self.after(batch).values()):
            return
        # Only a commit can have worked though it failed; an engine's rollback works though it fails.
        landed = (landed and call == "commit") or call == "rollback"
        self.engine.fail(call, StoreFull("a.box"), skip=skip, landed=landed)
        try:
            self.box.replay(batch)
        except StoreFull:
            pass
        else:
            self.done(batch)
        self.engine.heal()
        for key, subscription in self.subscriptions.items():
            if subscription.closed:  # it was told that a read of its view failed
                self.watch(key)

    @invariant()
    def the_file_is_as_of_the_last_commit(self) -> None:
        stored = stored_rows(self.box)
        assert stored["issues"] == {(row,) for row in self.issues.values()}
        for name, expected in derived_rows(self.issues.values()).items():
            assert stored[name] == expected, name
        assert self.heard == self.said

    @invariant()
    def views_are_as_of_the_last_commit(self) -> None:
        self.box.poll()
        for key, snapshots in self.seen.items():
            assert snapshots[-1] == self.box.get(key)

    @invariant()
    def nothing_is_open(self) -> None:
        tx = self.box._tx
        assert not tx.is_open
        assert list(tx._log) == []
        tables: list[Any] = [tx.issues, tx.cursors, tx.numbers, tx.uids, *tx.derived.values()]
        assert not any(table.unsettled or table.began for table in tables)

    @invariant()
    def what_is_remembered_is_stored(self) -> None:
        tx = self.box._tx
        tables: list[Any] = [tx.issues, tx.cursors, tx.numbers, tx.uids, *tx.derived.values()]
        for table in tables:
            for key, cell in table._cells.items():
                assert cell == TableReader.cell(table, key)


TestTransactions = TransactionMachine.TestCase
TestTransactions.settings = settings(stateful_step_count=30)


@pytest.mark.parametrize("fault", BOX_FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError, pytest.fail.Exception)):
        run_state_machine_as_test(TransactionMachine, settings=HARD)
