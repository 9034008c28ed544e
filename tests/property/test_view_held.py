"""The laws of held values: taken once, kept whatever happens, and part of what makes two views the same."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.property.drawn_trees import trees
from tests.property.mutants import HARD, Fault
from tests.property.view_columns import close_children, each_value
from tests.property.view_laws import History, Step, check_held, histories, plain, slacks, starts, steps
from tests.property.view_trees import Tree
from tests.unit.views.fakes import ISSUES, PEOPLE, FakeStore, Issue, Person, issue_key

from pillarbox.views import (
    Aggregate,
    Count,
    Emission,
    Get,
    GetEach,
    Interests,
    Readers,
    Reads,
    Scan,
    Subscription,
    Tracker,
    Value,
    View,
    deliver,
)
from pillarbox.views import view as view_module

places = st.sets(st.integers(0, 3), min_size=1)


@given(trees, places, histories, slacks)
def test_a_tree_with_held_parts_is_as_if_loaded_with_the_same_held_values(
    tree: Tree, held: set[int], history: History, slack_min: int
) -> None:
    check_held(tree, history, slack_min, held)


@given(close_children | each_value, places, histories, slacks)
def test_entries_with_held_parts_are_as_if_loaded_with_the_same_held_values(
    tree: Tree, held: set[int], history: History, slack_min: int
) -> None:
    check_held(tree, history, slack_min, held)


# ---------------------------------------------------------------------------------------- sharing


class Opened(msgspec.Struct, frozen=True):
    """Key of a view that remembers who was responsible when it was opened."""

    project: int


def opened(key: Opened, readers: Readers) -> View[Any]:
    """`first` is not held, and `marked` reads it; `all` is what must not be read to find out who shares."""
    first = Get(ISSUES, at=lambda: issue_key(key.project, 1), hidden=True)
    marked = Get(PEOPLE, at=lambda: None if first.row is None else first.row.assignee, after=(first,))
    everything = Scan(ISSUES, prefix=lambda: bytes((key.project,)))
    same = Aggregate(
        Count(), everything, where=lambda row: marked.row is not None and row.assignee == marked.row.person_id
    )
    return View(
        key,  # type: ignore[arg-type]  # made without `__snapshot__`, which only types need
        (first, marked, everything, same),
        lambda: {"marked": marked.value, "all": everything.value, "same": same.value},
        names=("first", "marked", "all", "same"),
        held=(marked,),
    )


class Reader:
    """A model subscriber, which knows what was true when it came."""

    def __init__(self, key: Opened, subscription: Subscription[Any]) -> None:
        self.key = key
        self.subscription = subscription
        self.got: list[Emission[Any]] = []
        subscription.listen(self.got.append)
        self.has = self.got.pop().snapshot
        self.marked = self.has["marked"]


class HeldMachine(RuleBasedStateMachine):
    """Subscribes, closes and commits at random."""

    def __init__(self) -> None:
        super().__init__()
        self.store = FakeStore()
        self.tracker = Tracker({Opened: opened}, self.store.readers)
        self.readers: list[Reader] = []

    @rule(project=st.integers(1, 2), follows=st.booleans())
    def subscribe(self, project: int, follows: bool) -> None:
        key: Any = Opened(project)
        now = self.store.issues.get(issue_key(project, 1))
        person = None if now is None or now.assignee is None else self.store.people.get(now.assignee)
        twins = [it for it in self.readers if it.key == key and it.marked == person]
        self.store.log.clear()

        if follows:
            reader = Reader(key, self.tracker.subscribe_over(("over", key), [key], itemgetter(0)))
        else:
            reader = Reader(key, self.tracker.subscribe(key))

        assert reader.marked == person, "the held value is not that of the moment"
        if twins:
            assert reader.has is twins[0].has, "equal held values do not share"
            assert ("scan", "issues") not in self.store.log, "a live view was loaded to be found"
        self.readers.append(reader)

    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        if self.readers:
            reader = data.draw(st.sampled_from(self.readers))
            self.readers.remove(reader)
            reader.subscription.close()

    @rule(step=starts | steps)
    def commit(self, step: Step) -> None:
        record = step.commit(self.store)

        deliver(self.tracker.replay(record) if step.replayed else self.tracker.refresh_all())

        for reader in self.readers:
            issues = [
                row for _, row in sorted(self.store.issues.items()) if row.project == reader.key.project
            ]
            marked = reader.marked
            now = {
                "marked": marked,
                "all": tuple(issues),
                "same": sum(marked is not None and row.assignee == marked.person_id for row in issues),
            }
            assert len(reader.got) == (now != reader.has), "not one emission for a difference"
            if reader.got:
                reader.has = reader.got.pop().snapshot
                assert plain(reader.has) == plain(now)

    @invariant()
    def views_are_as_many_as_held_values(self) -> None:
        kinds = {(reader.key, reader.marked) for reader in self.readers}
        assert len(list(self.tracker._views)) == len(kinds)
        assert bool(self.tracker.interests) == bool(self.readers)


TestHeld = HeldMachine.TestCase

FAULTS = (
    Fault("a held part is read again on refresh", View, "refresh", "in self._live", "in self._parts"),
    Fault("a held part is folded", View, "replay", "in self._live", "in self._parts"),
    Fault("held values are ignored where views are shared", Tracker, "_view", "other.held == held", "True"),
    Fault("views with held values are never shared", Tracker, "_view", "other.held == held", "False"),
    Fault("a view over others ignores what these hold", Tracker, "_follow", "key = (key, *views)", "pass"),
    Fault(
        "views over others that hold are never shared",
        Tracker,
        "_follow",
        "if live is not None:",
        "if False:",
    ),
    Fault("a held part goes on listening", view_module, "take", "raise\n            part.close()", "raise"),
    Fault("what a held part reads is let go", view_module, "take", "opened.append(part)", "pass"),
    Fault("all is loaded to find out who shares", view_module, "take", "elif part in needed", "elif True"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError, AttributeError)):
        run_state_machine_as_test(HeldMachine, settings=HARD)


# -------------------------------------------------------------------------------------- one by one


def test_held_values_of_every_word_feed_later_parts() -> None:
    store = FakeStore()
    store.commit(people=[Person(1), Person(2)], issues=[Issue(1, 1, assignee=1), Issue(1, 2, assignee=2)])
    issues = Scan(ISSUES, prefix=lambda: b"\1")
    people = GetEach(
        PEOPLE,
        name=lambda row: row.person_id,
        of=issues,
        keys=lambda row: () if row.assignee is None else (row.assignee,),
    )
    count = Aggregate(Count(), people)
    seen = Value(lambda: (len(issues.rows), len(people.rows), count.value), after=(issues, people, count))
    key: Any = ("held",)
    view = View(
        key,
        (issues, people, count, seen),
        lambda: seen.value,
        names=tuple("ipcs"),
        held=(issues, people, count),
    )
    interests = Interests()
    view.open(interests, Reads(store.readers))

    store.commit(no_people=[1], no_issues=[(1, 1)])
    differs = view.refresh(Reads(store.readers))

    assert not differs
    assert view.snapshot == (2, 2, 2)
    assert not interests, "held parts listen to nothing"


def test_a_view_that_cannot_take_its_held_values_leaves_nothing_behind() -> None:
    store = FakeStore()

    def fail() -> int | None:
        raise ValueError("no such moment")

    first = Get(PEOPLE, at=lambda: 1)
    held = Get(PEOPLE, at=fail, after=(first,))
    key: Any = ("held",)
    view = View(key, (first, held), lambda: None, names=("first", "held"), held=(held,))
    interests = Interests()

    with pytest.raises(ValueError, match="no such moment"):
        view.open(interests, Reads(store.readers))

    assert not interests
