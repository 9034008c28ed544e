"""What a transaction of a box does, and what it refuses."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec
import pytest
from tests.property.oracles import derived_rows
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    Board,
    One,
    PutIssue,
    RemoveIssue,
    Say,
    TrackerBox,
    issue,
    stored_rows,
)
from tests.unit.runtime.tracker_tables import TrackerTransaction

from pillarbox import transaction
from pillarbox.errors import BoxClosed, RangeError, UniqueViolation, UsageError


class Stop(Exception):
    """What these tests raise."""


def test_what_was_written_is_there_after_the_block_with_all_that_follows_from_it(box: TrackerBox) -> None:
    rows = [issue(1, 1, 5, labels=(1, 2)), issue(1, 2, 7, slug=3)]

    with box.transaction() as tx:
        for row in rows:
            tx.issues.put(row)

    stored = stored_rows(box)
    for name, expected in derived_rows(rows).items():
        assert stored[name] == expected
    assert box.get(Board(1)).issues == (rows[1], rows[0])


@pytest.mark.parametrize("value", [5, b"a", None])
def test_a_row_that_would_not_read_is_refused_and_nothing_is_written(box: TrackerBox, value: object) -> None:
    wrong = msgspec.structs.replace(issue(1, 2), title=value)

    with pytest.raises(RangeError, match=r"issues\.title is .*, which is not of the type that the schema"):
        box.replay([PutIssue(issue(1, 1)), PutIssue(wrong)])

    assert box.get(Board(1)).issues == ()


def test_operations_that_are_not_in_a_list_are_refused(box: TrackerBox) -> None:
    with pytest.raises(UsageError, match="this is of type PutIssue; put what is to be replayed in a list"):
        box.replay(PutIssue(issue(1, 1)))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="this is of type generator"):
        box.replay(PutIssue(issue(1, number)) for number in (1, 2))  # type: ignore[arg-type]

    assert box.get(Board(1)).issues == ()


def test_an_exception_leaves_file_and_caches_as_they_were(box: TrackerBox) -> None:
    box.replay([PutIssue(issue(1, 1, 5))])
    before = stored_rows(box)

    def work(tx: TrackerTransaction) -> None:
        tx.issues.put(issue(1, 1, 6))
        tx.issues.put(issue(1, 0, uid=0))
        tx.derived[t.NEWEST.id].row_at(b"\1")
        raise Stop

    with pytest.raises(Stop):
        box.transact(work)

    assert stored_rows(box) == before
    with box.transaction() as tx:
        assert tx.issues.get(1, 1) == issue(1, 1, 5)
        assert tx.numbers.take(b"\1") == 1


def test_a_replay_that_fails_has_done_nothing(box: TrackerBox) -> None:
    with pytest.raises(UniqueViolation, match="unique index 'slugs'"):
        box.replay([PutIssue(issue(1, 1, slug=1)), PutIssue(issue(1, 2, slug=1))])

    assert stored_rows(box)["issues"] == set()


def test_a_transaction_whose_settling_failed_can_only_be_rolled_back(box: TrackerBox) -> None:
    def work(tx: TrackerTransaction) -> None:
        tx.issues.put(issue(1, 1, slug=1))
        tx.issues.put(issue(1, 2, slug=1))
        with pytest.raises(UniqueViolation):
            tx.derived[t.BY_RANK.id].rows_between(None, None)
        tx.issues.remove(1, 2)

    with pytest.raises(UsageError, match="has failed already and can only be rolled back"):
        box.transact(work)

    assert stored_rows(box)["issues"] == set()
    box.replay([PutIssue(issue(1, 1, slug=1))])
    assert stored_rows(box)["issues"] == {(issue(1, 1, slug=1),)}


def test_a_replay_says_whether_anything_differs_and_what_was_emitted(box: TrackerBox) -> None:
    first = box.replay([PutIssue(issue(1, 1)), Say("one"), Say("two")])
    again = box.replay([PutIssue(issue(1, 1)), Say("three")])

    assert (first.changed, first.events) == (True, ("one", "two"))
    assert (again.changed, again.events) == (False, ("three",))


def test_there_and_back_in_one_transaction_is_no_change(box: TrackerBox) -> None:
    box.replay([PutIssue(issue(1, 1, labels=(1,)))])
    heard: list[object] = []
    with box.watch(Board(1)) as subscription:
        subscription.listen(heard.append)

        commit = box.replay(
            [RemoveIssue(1, 1), PutIssue(issue(1, 2)), RemoveIssue(1, 2), PutIssue(issue(1, 1, labels=(1,)))]
        )

    assert not commit.changed
    assert len(heard) == 1


def test_events_are_heard_after_the_commit_and_not_without_one(box: TrackerBox) -> None:
    heard: list[object] = []

    def listener(event: object) -> None:
        heard.append((event, box.get(One(1, 1)).issue))

    def work(tx: TrackerTransaction) -> None:
        tx.emit("lost")
        raise Stop

    stop = box.on_event(listener)
    box.replay([PutIssue(issue(1, 1)), Say("put")])
    with pytest.raises(Stop):
        box.transact(work)
    stop()
    stop()
    box.replay([Say("after")])

    assert heard == [("put", issue(1, 1))]


def test_a_transaction_in_a_transaction_of_the_same_thread_is_refused(box: TrackerBox) -> None:
    with box.transaction() as tx:
        tx.issues.put(issue(1, 1))
        with pytest.raises(UsageError, match="inside a transaction of this box already"), box.transaction():
            pass
        with pytest.raises(UsageError, match="inside a transaction"):
            box.replay([])
        with pytest.raises(UsageError, match="inside a transaction"):
            box.watch(Board(1))
        with pytest.raises(UsageError, match="inside a transaction"):
            box.close()

    assert box.get(One(1, 1)).issue == issue(1, 1)


def test_a_transaction_of_another_thread_waits_its_turn(box: TrackerBox) -> None:
    def other() -> None:
        with box.transaction() as tx:
            stored = tx.issues.get(1, 1)
            assert stored is not None
            tx.issues.put(issue(1, 1, stored.rank + 1))

    thread = threading.Thread(target=other)
    with box.transaction() as tx:
        thread.start()
        tx.issues.put(issue(1, 1, 5))
    thread.join()

    assert box.get(One(1, 1)).issue == issue(1, 1, 6)


@pytest.mark.parametrize("committed", [True, False])
def test_a_transaction_that_is_over_cannot_be_used(box: TrackerBox, committed: bool) -> None:
    try:
        with box.transaction() as tx:
            tx.issues.put(issue(1, 1))
            if not committed:
                raise Stop
    except Stop:
        pass

    uses: list[Callable[[], object]] = [
        lambda: tx.issues.put(issue(1, 2)),
        lambda: tx.issues.get(1, 1),
        lambda: tx.issues.rows_between(None, None),
        lambda: tx.issues.rows_at([b"\1\1"]),
        lambda: tx.derived[t.NEWEST.id].row_at(b"\1"),
        lambda: tx.numbers.take(b"\1"),
        lambda: tx.emit("late"),
    ]
    for use in uses:
        with pytest.raises(UsageError, match=r"through a transaction that is over; open a new one"):
            use()


def test_one_transaction_may_not_emit_without_bound(box: TrackerBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "_MAX_EVENTS", 2)

    with pytest.raises(UsageError, match="emitted more than 2 events; commit smaller batches"):
        box.replay([Say(1), Say(2), Say(3)])


def test_transact_gives_back_what_the_work_returns(box: TrackerBox) -> None:
    assert box.transact(lambda tx: tx.issues.put(issue(1, 0, uid=0))) == issue(1, 1)


# ---------------------------------------------------------------------------------------------- reading


def test_reading_sees_one_commit_while_others_are_made(box: TrackerBox) -> None:
    box.replay([PutIssue(issue(1, 1, 5))])

    with box.reading() as tables:
        box.replay([PutIssue(issue(1, 1, 6))])
        rows = tables.by_id()[t.ISSUES.id].rows_between(None, None)
        newest = tables.by_id()[t.NEWEST.id].row_at(b"\1")
        inner = box.get(One(1, 1)).issue

    assert rows == [issue(1, 1, 5)]
    assert newest == t.Newest(1, 5, 1)
    assert inner == issue(1, 1, 5), "a block inside another sees what that one sees"
    assert box.get(One(1, 1)).issue == issue(1, 1, 6)


def test_reading_in_a_transaction_sees_the_commit_before(box: TrackerBox) -> None:
    with box.transaction() as tx:
        tx.issues.put(issue(1, 1))
        assert box.get(One(1, 1)).issue is None


def test_who_reads_a_box_does_not_close_it_meanwhile(box: TrackerBox) -> None:
    with box.reading():
        with pytest.raises(UsageError, match="inside a `reading` block"):
            box.close()
        assert box.get(One(1, 1)).issue is None
    assert box.replay([PutIssue(issue(1, 1))]).changed


def test_a_closed_box_says_so(box: TrackerBox) -> None:
    box.close()
    box.close()

    uses: list[Callable[[], object]] = [
        lambda: box.replay([]),
        lambda: box.get(Board(1)),
        lambda: box.watch(Board(1)),
        lambda: box.backup("nowhere"),
        lambda: box.transact(lambda tx: None),
    ]
    for use in uses:
        with pytest.raises(BoxClosed, match="this box is closed; open it again"):
            use()
    assert not box.poll()
