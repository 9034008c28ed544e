"""The tracker beside its state machine: wrong keys, damaged rows, shared rows, refreshes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.views.fakes import ISSUES, PEOPLE, FakeStore, Issue, Person

from pillarbox.errors import DataError, UsageError
from pillarbox.tables import ChangeRecord
from pillarbox.views import (
    Get,
    GetEach,
    Readers,
    Scan,
    Subscription,
    Tracker,
    View,
    Why,
    deliver,
)


class Board(msgspec.Struct, frozen=True):
    """Key of a view of the newest issues of a project and their people."""

    project: int
    limit: int = 3


class Who(msgspec.Struct, frozen=True):
    """Key of a view of one person."""

    person_id: int


class BoardSnapshot(msgspec.Struct, frozen=True):
    """What a board shows."""

    issues: tuple[Issue, ...]
    people: Any


def board(key: Board, readers: Readers) -> View[BoardSnapshot]:
    issues = Scan(ISSUES, prefix=lambda: bytes((key.project,)), limit=lambda: key.limit, newest_first=True)
    people = GetEach(PEOPLE, name=lambda row: row.person_id, of=issues, keys=keys_of)
    return View(
        key,  # type: ignore[arg-type]  # made without `__snapshot__`, which only types need
        (issues, people),
        lambda: BoardSnapshot(issues.value, people.value),
        names=("issues", "people"),
    )


def keys_of(issue: Issue) -> tuple[int, ...]:
    if issue.rank == 99:
        raise DataError("the row is damaged")
    return () if issue.assignee is None else (issue.assignee,)


def who(key: Who, readers: Readers) -> View[Person | None]:
    person = Get(PEOPLE, at=lambda: key.person_id)
    return View(key, (person,), lambda: shown(person.value), names=("person",))  # type: ignore[arg-type]


def shown(person: Person | None) -> Person | None:
    if person is not None and person.name == "no snapshot":
        raise DataError("the person is nameless")
    return person


class Watched:
    """A store and its tracker."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.errors: list[BaseException] = []
        self.tracker = Tracker({Who: who, Board: board}, self.store.readers, on_error=self.errors.append)
        self.store.commit(people=[Person(1, "ann"), Person(2, "bob")], issues=[Issue(1, 1, assignee=1)])

    def subscribe(self, key: Any, **options: Any) -> Subscription[Any]:
        return self.tracker.subscribe(key, **options)

    def replay(self, record: ChangeRecord) -> None:
        """One whole round."""
        deliver(self.tracker.replay(record))


@pytest.fixture
def watched() -> Watched:
    """Two people and an issue."""
    return Watched()


def test_a_key_of_another_schema_is_refused_and_the_right_ones_are_named(watched: Watched) -> None:
    with pytest.raises(UsageError, match=r"'stranger' is no view .* \(Board, Who\)"):
        watched.subscribe("stranger")


def test_a_queue_without_room_is_refused_and_loads_nothing(watched: Watched) -> None:
    with pytest.raises(UsageError, match="queue_max is 0"):
        watched.subscribe(Who(1), every=True, queue_max=0)

    assert not watched.tracker.has_subscriptions


def test_equal_rows_are_one_object_in_all_views(watched: Watched) -> None:
    first, second = watched.subscribe(Who(1)), watched.subscribe(Board(1))

    assert second.latest.snapshot.people[1] is first.latest.snapshot

    watched.replay(watched.store.commit(people=[Person(1, "eve")]))
    third = watched.subscribe(Board(1, limit=1))

    assert second.latest.snapshot.people[1] is first.latest.snapshot
    assert third.latest.snapshot.people[1] is first.latest.snapshot


def test_a_commit_that_no_view_shows_costs_no_replay(watched: Watched) -> None:
    watched.subscribe(Board(1))

    assert watched.tracker.replay(watched.store.commit(issues=[Issue(2, 1)])) == []
    assert watched.tracker.replay(watched.store.commit(people=[Person(2, "eve")])) == []


def test_a_refresh_without_a_difference_emits_nothing(watched: Watched) -> None:
    watched.subscribe(Board(1))

    assert watched.tracker.refresh_all() == []


def test_a_refresh_finds_what_no_replay_told_and_keeps_equal_objects(watched: Watched) -> None:
    board = watched.subscribe(Board(1))
    before = board.latest.snapshot
    watched.store.commit(issues=[Issue(1, 2, assignee=1)])

    deliver(watched.tracker.refresh_all())

    after = board.latest
    assert (after.why, after.parts) == (Why.GENERIC, ("issues",))
    assert after.snapshot.issues[1] is before.issues[0]
    assert after.snapshot.people is before.people


def test_a_view_over_a_damaged_row_ends_and_the_others_go_on(watched: Watched) -> None:
    board, person = watched.subscribe(Board(1)), watched.subscribe(Who(1))
    next(board), next(person)

    watched.replay(watched.store.commit(people=[Person(1, "eve")], issues=[Issue(1, 2, rank=99)]))

    assert next(person).snapshot.name == "eve"
    with pytest.raises(DataError, match="damaged"):
        next(board)
    assert list(board) == []
    person.close()
    assert not watched.tracker.interests


def test_a_view_that_cannot_be_loaded_registers_nothing(watched: Watched) -> None:
    watched.store.commit(issues=[Issue(1, 2, rank=99)])

    with pytest.raises(DataError, match="damaged"):
        watched.subscribe(Board(1))

    assert not watched.tracker.has_subscriptions
    assert not watched.tracker.interests


def test_a_view_without_a_snapshot_registers_nothing_and_nobody_moves_to_it(watched: Watched) -> None:
    watched.store.commit(people=[Person(3, "no snapshot")])
    with pytest.raises(DataError, match="nameless"):
        watched.subscribe(Who(3))
    assert not watched.tracker.has_subscriptions
    assert not watched.tracker.interests

    person = watched.subscribe(Who(1))
    with pytest.raises(DataError, match="nameless"):
        watched.tracker.move(person, Who(3))
    watched.replay(watched.store.commit(people=[Person(1, "eve")]))
    assert (person.key, person.latest.snapshot) == (Who(1), Person(1, "eve"))
    person.close()
    assert not watched.tracker.interests


def test_a_view_that_failed_can_be_subscribed_to_again(watched: Watched) -> None:
    failed = watched.subscribe(Board(1))
    deliveries = watched.tracker.replay(watched.store.commit(issues=[Issue(1, 2, rank=99)]))
    watched.store.commit(no_issues=[(1, 2)])

    again = watched.subscribe(Board(1))
    deliver(deliveries)

    assert failed.closed
    watched.replay(watched.store.commit(issues=[Issue(1, 3)]))
    assert [issue.number for issue in again.latest.snapshot.issues] == [3, 1]


def test_all_snapshots_are_frozen_before_the_first_is_delivered(watched: Watched) -> None:
    person, board = watched.subscribe(Who(1)), watched.subscribe(Board(1))
    seen: list[Any] = []

    def commit_again(emission: Any) -> None:
        if emission.why is not Why.INITIAL and not seen:
            seen.append(watched.tracker.replay(watched.store.commit(people=[Person(1, "later")])))

    person.listen(commit_again)
    names: list[str] = []
    board.listen(lambda emission: names.append(emission.snapshot.people[1].name))
    watched.replay(watched.store.commit(people=[Person(1, "sooner")]))
    deliver(seen[0])

    assert names == ["ann", "sooner", "later"]


def test_closing_the_tracker_ends_all_subscriptions(watched: Watched) -> None:
    subscriptions = [watched.subscribe(Who(1)), watched.subscribe(Who(1)), watched.subscribe(Board(1))]

    watched.tracker.close()

    assert all(subscription.closed for subscription in subscriptions)
    assert not watched.tracker.has_subscriptions
    assert not watched.tracker.interests
