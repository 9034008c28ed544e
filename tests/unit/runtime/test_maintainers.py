"""What maintainers refuse, and how little they read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.unit.box.faulty import FaultyEngine
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import issue
from tests.unit.runtime.tracker_tables import LIMIT, TrackerTransaction

from pillarbox.errors import SequenceExhausted, UniqueViolation
from pillarbox.storage import MemoryEngine

GROUP = b"\1"


@pytest.fixture
def engine() -> FaultyEngine:
    """A store that counts calls."""
    engine = FaultyEngine(MemoryEngine())
    engine.begin()
    for spec in t.SPECS:
        engine.create(spec.layout)
    engine.commit()
    return engine


@pytest.fixture
def tx(engine: FaultyEngine) -> Iterator[TrackerTransaction]:
    """An open transaction."""
    tx = TrackerTransaction(engine)
    tx.begin()
    yield tx
    if tx.is_open:
        tx.rollback()


def commit(tx: TrackerTransaction) -> None:
    tx.seal()
    tx.commit()
    tx.begin()


# ----------------------------------------------------------------------------------------- sequences


def test_a_sequence_counts_from_its_start_in_each_group(tx: TrackerTransaction) -> None:
    assert [tx.numbers.take(b"\1") for _ in range(3)] == [1, 2, 3]
    assert tx.numbers.take(b"\2") == 1


def test_numbers_that_were_given_are_not_given_again_though_their_rows_are_gone(
    tx: TrackerTransaction,
) -> None:
    row = tx.issues.put(issue(1, 0, uid=0))
    tx.issues.remove(row.project, row.number)
    commit(tx)

    assert tx.issues.put(issue(1, 0, uid=0)) == issue(1, 2)


def test_numbers_of_a_rolled_back_transaction_were_never_given(tx: TrackerTransaction) -> None:
    tx.numbers.take(GROUP)
    tx.rollback()
    tx.begin()

    assert tx.numbers.take(GROUP) == 1


def test_reading_a_sequence_shows_the_numbers_given_so_far(tx: TrackerTransaction) -> None:
    tx.numbers.take(GROUP)

    assert tx.numbers.row_at(GROUP) == t.Numbering(1, 2)
    assert tx.numbers.take(GROUP) == 2


def test_a_sequence_gives_its_last_number_and_then_says_that_it_is_used_up(
    engine: FaultyEngine, tx: TrackerTransaction
) -> None:
    engine.put_many(t.NUMBERS.layout, [GROUP], [t.NUMBERS.cell_of(t.Numbering(1, LIMIT))])

    assert tx.numbers.take(GROUP) == LIMIT
    with pytest.raises(
        SequenceExhausted, match=r"its last number, 200, in group \(1,\); give .* a wider type"
    ):
        tx.numbers.take(GROUP)
    commit(tx)
    with pytest.raises(SequenceExhausted):
        tx.numbers.take(GROUP)


# --------------------------------------------------------------------------------- unique and identity


def test_a_shared_key_of_a_unique_index_is_told_with_table_source_and_key(tx: TrackerTransaction) -> None:
    tx.issues.put(issue(1, 1, slug=4))
    commit(tx)
    tx.issues.put(issue(1, 2, slug=4))

    with pytest.raises(UniqueViolation) as caught:
        tx.seal()

    error = caught.value
    assert (error.table, error.source, error.key) == ("slugs", "issues", (1, 4))
    assert "remove or change one of them in the same transaction" in str(error)


def test_a_unique_key_may_pass_from_one_row_to_another_in_one_transaction(tx: TrackerTransaction) -> None:
    tx.issues.put(issue(1, 1, slug=4))
    tx.issues.put(issue(1, 2, slug=5))
    commit(tx)
    tx.issues.put(issue(1, 1, slug=5))
    tx.issues.put(issue(1, 2, slug=4))
    commit(tx)

    assert tx.derived[t.SLUGS.id].rows_between(None, None) == [t.Slug(1, 4, 2), t.Slug(1, 5, 1)]


def test_a_row_whose_identity_exists_moves_and_its_old_place_is_empty(tx: TrackerTransaction) -> None:
    tx.issues.put(issue(1, 1, 5, uid=9))
    commit(tx)

    was, row = tx.issues.put_was(issue(1, 2, 6, uid=9))

    assert was == issue(1, 1, 5, uid=9)
    commit(tx)
    assert tx.issues.rows_between(None, None) == [row]
    assert tx.derived[t.ISSUE_IDS.id].rows_between(None, None) == [t.IssueId(1, 9, 2)]


# ----------------------------------------------------------------------------------------- statements


def test_putting_many_rows_with_an_identity_does_not_settle_in_between(
    engine: FaultyEngine, tx: TrackerTransaction, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[int] = []
    settle = TrackerTransaction.settle
    rows = [issue(1, number, slug=number) for number in range(1, 50)]
    for table in tx.derived.values():
        table.settle_with(lambda: settled.append(1))
    engine.calls.clear()

    tx.issues.probe(rows)
    for row in rows:
        tx.issues.put(row)

    assert not settled
    assert sum(engine.calls.get(name, 0) for name in ("get", "get_many")) <= 3  # whatever the number of rows
    for table in tx.derived.values():
        table.settle_with(lambda: settle(tx))


def test_a_commit_is_one_statement_per_table_and_kind_or_one_for_each_of_two_rows(
    engine: FaultyEngine, tx: TrackerTransaction
) -> None:
    rows = [issue(1, number, number, slug=number, labels=(1, 2)) for number in range(1, 100)]
    tx.issues.probe(rows)
    for row in rows:
        tx.issues.put(row)
    engine.calls.clear()

    record = tx.seal()

    few = [changes for changes in record.tables.values() if len(changes) <= 2]
    assert engine.calls["put_many"] == len(record.tables) - len(few)
    assert engine.calls["put_one"] == sum(map(len, few))
    assert not {"remove_one", "remove_many", "add_one", "add_many"} & engine.calls.keys()
    assert engine.calls.get("get_many", 0) <= len(t.SPECS), "old cells are read table by table"
    assert engine.calls.get("get", 0) <= len(t.SPECS)


def test_an_arrival_above_the_top_reads_no_other_row(engine: FaultyEngine, tx: TrackerTransaction) -> None:
    tx.issues.put(issue(1, 1, 1))
    commit(tx)
    tx.issues.put(issue(1, 2, 2))
    before = engine.calls.get("scan", 0)

    tx.seal()

    # The folds of three and across lanes look again; the tops that keep their first row do not.
    assert engine.calls["scan"] - before == len(["best", "best_across lane 0", "best_across lane 1"])
