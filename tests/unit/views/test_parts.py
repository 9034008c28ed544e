"""Single parts: what they show, and what they do not read."""

from __future__ import annotations

from typing import Any, assert_type

import pytest
from tests.unit.views.fakes import BY_RANK, ISSUES, PEOPLE, FakeStore, Issue, Person, issue_key

from pillarbox.tables import ChangeRecord
from pillarbox.views import (
    Aggregate,
    Count,
    Emission,
    Get,
    GetEach,
    Interests,
    Max,
    Part,
    Reads,
    Scan,
    View,
    Why,
    Window,
    WindowAt,
)


class Live:
    """A view of some parts over a store, replayed by hand."""

    def __init__(self, store: FakeStore, *parts: Part) -> None:
        self.store = store
        self.interests = Interests()
        self.view: View[tuple[Any, ...]] = View(
            ("live",),  # type: ignore[arg-type]  # any key will do
            parts,
            lambda: tuple(part.value for part in parts),
            names=[f"part{n}" for n in range(len(parts))],
        )
        self.view.open(self.interests, Reads(store.readers))
        store.log.clear()

    def replay(self, record: ChangeRecord) -> Emission[tuple[Any, ...]] | None:
        """Fold one commit in."""
        reads = Reads(self.store.readers, record.tables, self.interests)
        return self.view.replay(reads, self.interests.route(record.tables))


@pytest.fixture
def store() -> FakeStore:
    """Nine issues in project 1, of two people."""
    store = FakeStore()
    store.commit(
        people=[Person(1, "ann"), Person(2, "bob")],
        issues=[Issue(1, number, rank=number, assignee=1 + number % 2) for number in range(1, 10)],
    )
    return store


def numbers(rows: Any) -> list[int]:
    """The numbers of some issues."""
    return [row.number for row in rows]


def name_of(row: Person) -> str:
    """A projection."""
    return row.name


def rank_of(row: Issue) -> int:
    """A term."""
    return row.rank


# ---------------------------------------------------------------------------------------------- get


def test_a_default_stands_in_for_an_absent_row_and_an_absent_key(store: FakeStore) -> None:
    nobody = Get(PEOPLE, at=lambda: 9, default=lambda: Person(9, "nobody"))
    without_key = Get(PEOPLE, at=lambda: None, default=lambda: Person(0))
    live = Live(store, nobody, without_key)
    assert_type(nobody.value, Person)
    assert (nobody.value, without_key.value) == (Person(9, "nobody"), Person(0))

    assert live.replay(store.commit(people=[Person(9, "eve")]))

    assert nobody.value == Person(9, "eve")


def test_a_change_of_fields_that_are_not_shown_emits_nothing(store: FakeStore) -> None:
    name = Get(PEOPLE, at=lambda: 1, show=name_of)
    live = Live(store, name)
    assert_type(name.value, str | None)

    assert not live.replay(store.commit(people=[Person(1, "ann", team=3)]))
    assert live.replay(store.commit(people=[Person(1, "eve", team=3)]))

    assert name.value == "eve"
    assert name.row == Person(1, "eve", team=3)


def test_a_hidden_part_moves_those_that_read_it(store: FakeStore) -> None:
    issue = Get(ISSUES, at=lambda: issue_key(1, 1), hidden=True)
    person = Get(PEOPLE, at=lambda: None if issue.row is None else issue.row.assignee, after=(issue,))
    live = Live(store, issue, person)
    assert person.value == Person(2, "bob")

    told = live.replay(store.commit(issues=[Issue(1, 1, assignee=1)]))

    assert person.value == Person(1, "ann")
    assert told is not None
    assert told.parts == ("part1",)


# --------------------------------------------------------------------------------------------- scan


def test_inserts_and_updates_within_a_list_read_nothing(store: FakeStore) -> None:
    issues = Scan(ISSUES, prefix=lambda: b"\1", limit=lambda: 3, newest_first=True)
    live = Live(store, issues)
    assert_type(issues.value, tuple[Issue, ...])

    live.replay(store.commit(issues=[Issue(1, 20), Issue(1, 8, rank=77)]))

    assert numbers(issues.value) == [20, 9, 8]
    assert issues.value[2].rank == 77
    assert not store.log


def test_a_row_moved_in_an_index_is_not_read_again(store: FakeStore) -> None:
    issues = Scan(
        BY_RANK,
        prefix=lambda: b"\1",
        limit=lambda: 3,
        newest_first=True,
        source=ISSUES,
        source_key=lambda row: issue_key(row.project, row.number),
    )
    live = Live(store, issues)
    assert_type(issues.value, tuple[Issue, ...])
    eight = issues.value[1]

    live.replay(store.commit(issues=[Issue(1, 7, rank=50)]))

    assert numbers(issues.value) == [7, 9, 8]
    assert issues.value[2] is eight
    assert not store.log


def test_a_list_without_limit_holds_all_rows(store: FakeStore) -> None:
    issues = Scan(ISSUES, prefix=lambda: b"\1", where=lambda row: row.open)
    live = Live(store, issues)

    live.replay(store.commit(issues=[Issue(1, 1, open=False), Issue(1, 30)]))

    assert numbers(issues.value) == [2, 3, 4, 5, 6, 7, 8, 9, 30]
    assert not store.log


def test_an_absent_prefix_reads_and_registers_nothing(store: FakeStore) -> None:
    live = Live(
        store,
        Scan(ISSUES, prefix=lambda: None),
        WindowAt(ISSUES, prefix=lambda: None, anchor="newest", before_max=lambda: 2, after_max=lambda: 0),
        Aggregate(Count(), ISSUES, prefix=lambda: None),
        GetEach(PEOPLE, name=lambda row: row.name, at=lambda: None),
    )

    assert live.view.snapshot == ((), Window(), 0, {})
    assert not live.interests


# ----------------------------------------------------------------------------------------- get_each


def test_a_person_named_by_several_rows_stays_until_the_last_of_them_goes(store: FakeStore) -> None:
    issues = Scan(ISSUES, prefix=lambda: b"\1", limit=lambda: 3, newest_first=True)
    people = GetEach(PEOPLE, name=lambda row: row.name, of=issues, keys=lambda row: (row.assignee or 0,))
    live = Live(store, issues, people)
    assert set(people.value) == {"ann", "bob"}

    live.replay(store.commit(no_issues=[(1, 9)]))
    assert set(people.value) == {"ann", "bob"}
    live.replay(store.commit(issues=[Issue(1, 8, assignee=2), Issue(1, 6, assignee=2)]))

    assert set(people.value) == {"bob"}
    assert live.interests.registered(live.view) == {("prefix", ISSUES.id, b"\1"), ("key", PEOPLE.id, 2)}


def test_a_mapping_is_the_same_object_when_only_the_list_changed(store: FakeStore) -> None:
    issues = Scan(ISSUES, prefix=lambda: b"\1", limit=lambda: 4)
    people = GetEach(PEOPLE, name=lambda row: row.name, of=issues, keys=lambda row: (row.assignee or 0,))
    live = Live(store, issues, people)
    before = people.value

    told = live.replay(store.commit(issues=[Issue(1, 2, rank=9, assignee=1)]))

    assert people.value is before
    assert told is not None
    assert told.parts == ("part0",)


def test_names_may_be_ints_that_are_keys_of_other_rows(store: FakeStore) -> None:
    one, two = Person(1, "ann", team=2), Person(2, "bob", team=1)
    store.commit(people=[one, two])
    people = GetEach(PEOPLE, name=lambda row: row.team, at=lambda: (1, 2))
    live = Live(store, people)
    assert people.value == {2: one, 1: two}

    live.replay(store.commit(people=[Person(1, "ann", team=3)]))

    assert people.value == {3: Person(1, "ann", team=3), 1: two}


def test_names_that_become_keys_of_other_rows_are_names(store: FakeStore) -> None:
    one, two = Person(1, "ann", team=1), Person(2, "bob", team=2)
    store.commit(people=[one, two])
    people = GetEach(PEOPLE, name=lambda row: row.team, at=lambda: (1, 2))
    live = Live(store, people)

    live.replay(store.commit(people=[Person(1, "ann", team=2), Person(2, "bob", team=1)]))

    assert people.value == {2: Person(1, "ann", team=2), 1: Person(2, "bob", team=1)}


# ------------------------------------------------------------------------------------------- window


def test_a_window_tells_what_lies_beyond_on_either_side(store: FakeStore) -> None:
    window = WindowAt(
        ISSUES,
        prefix=lambda: b"\1",
        anchor=lambda: issue_key(1, 5),
        before_max=lambda: 2,
        after_max=lambda: 1,
    )
    live = Live(store, window)
    assert_type(window.value, Window[Issue])
    assert numbers(window.value.entries) == [4, 5, 6]
    assert (window.value.anchor, window.value.earlier, window.value.later) == ((1, 5), (1, 3), (1, 7))

    told = live.replay(store.commit(no_issues=[(1, 7)]))

    assert window.value.later == (1, 8)
    assert told is not None
    assert told.why is Why.GENERIC


def test_a_window_whose_anchor_moves_says_so(store: FakeStore) -> None:
    person = Get(PEOPLE, at=lambda: 1)
    window = WindowAt(
        ISSUES,
        prefix=lambda: b"\1",
        anchor=lambda: None if person.row is None else issue_key(1, person.row.team),
        before_max=lambda: 1,
        after_max=lambda: 1,
        after=(person,),
    )
    live = Live(store, person, window)

    told = live.replay(store.commit(people=[Person(1, "ann", team=3)]))

    assert numbers(window.value.entries) == [3, 4]
    assert told is not None
    assert told.why is Why.UPDATE_VISIBLE


@pytest.mark.parametrize(("anchor", "shown"), [("newest", [8, 9]), ("oldest", [1, 2, 3])])
def test_a_window_at_an_end_has_rows_on_one_side_only(
    store: FakeStore, anchor: Any, shown: list[int]
) -> None:
    window = WindowAt(ISSUES, prefix=lambda: b"\1", anchor=anchor, before_max=lambda: 2, after_max=lambda: 3)
    Live(store, window)

    assert numbers(window.value.entries) == shown
    assert window.value.anchor == anchor


# ---------------------------------------------------------------------------------------- aggregate


def test_an_extreme_is_read_again_only_when_it_leaves_without_being_beaten(store: FakeStore) -> None:
    top = Aggregate(Max(rank_of), ISSUES, prefix=lambda: b"\1")
    live = Live(store, top)
    assert_type(top.value, int | None)

    live.replay(store.commit(issues=[Issue(1, 3, rank=1), Issue(1, 9, rank=60)]))
    assert (top.value, store.log) == (60, [])
    live.replay(store.commit(no_issues=[(1, 9)]))

    assert top.value == 8
    assert store.log == [("scan", "issues")]


def test_an_aggregate_of_a_part_follows_its_rows(store: FakeStore) -> None:
    issues = Scan(ISSUES, prefix=lambda: b"\1", limit=lambda: 2, hidden=True)
    count = Aggregate(Count(), issues, where=lambda row: row.open)
    live = Live(store, issues, count)

    assert live.replay(store.commit(issues=[Issue(1, 2, open=False)]))

    assert count.value == 1
    assert live.view.snapshot[1] == 1
