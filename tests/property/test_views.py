"""Laws of views, over random part trees, dense key spaces and random commits.

After every commit: the view equals one freshly loaded; it said True exactly if its snapshot differs;
old snapshots stay as they were; what did not change is the same object; and it listens to exactly what a
fresh view listens to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.view_trees import SCANNED, WORDS, Snapshot, Tree, trees, view_of
from tests.unit.views.fakes import FakeStore, Issue, Person

from pillarbox.tables import ChangeRecord
from pillarbox.views import Interests, Reads, View, Window, lane


@dataclass(frozen=True)
class Step:
    """One commit, and whether the view replays it or hears of it by a refresh only."""

    people: tuple[Person, ...] = ()
    issues: tuple[Issue, ...] = ()
    no_people: tuple[int, ...] = ()
    no_issues: tuple[tuple[int, int], ...] = ()
    replayed: bool = True

    def commit(self, store: FakeStore) -> ChangeRecord:
        """Do it."""
        return store.commit(
            people=self.people, issues=self.issues, no_people=self.no_people, no_issues=self.no_issues
        )


person_ids = st.integers(0, 3)
people = st.builds(Person, person_ids, st.sampled_from(["a", "b"]), person_ids)
projects = st.integers(1, 2)
numbers = st.integers(1, 4)
issues = st.builds(
    Issue,
    projects,
    numbers,
    st.integers(0, 3),
    st.booleans(),
    st.none() | st.integers(1, 3),
    st.sampled_from([(), (1,), (2,), (1, 2)]),
)


def _few(values: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=most, unique_by=_key).map(tuple)


def _key(value: Any) -> Any:
    if isinstance(value, Issue):
        return value.project, value.number
    return value.person_id if isinstance(value, Person) else value


steps = st.builds(
    Step,
    _few(people, 2),
    _few(issues, 3),
    _few(person_ids, 2),
    _few(st.tuples(projects, numbers), 3),
    st.sampled_from([True, True, True, False]),
)
starts = st.builds(Step, _few(people, 4), _few(issues, 8))
histories = st.tuples(starts, st.lists(steps, min_size=1, max_size=6))


def check(tree: Tree, history: tuple[Step, list[Step]], slack_min: int) -> None:
    """Every law of a live view, over one history."""
    with patch.object(lane, "_SLACK_MIN", slack_min):
        store = FakeStore()
        history[0].commit(store)
        interests = Interests()
        view = view_of(tree)
        view.open(interests, Reads(store.readers))
        for step in history[1]:
            before, was = view.snapshot, plain(view.snapshot)
            record = step.commit(store)
            if step.replayed:
                routed = interests.route(record.tables)
                differs = bool(routed) and view.replay(Reads(store.readers, record.tables), routed)
            else:
                differs = view.refresh(Reads(store.readers))
            check_step(view, interests, store, tree)
            assert plain(before) == was, "an old snapshot was changed"
            assert differs == (plain(view.snapshot) != was), "emitted without difference, or the reverse"
            check_identity(before, view.snapshot, changed=view.changed_parts if differs else ())
        view.close()
        assert not interests, "something is still registered"


def check_step(view: View[Snapshot], interests: Interests, store: FakeStore, tree: Tree) -> None:
    """The view is as if it had just been loaded."""
    others = Interests()
    fresh = view_of(tree)
    fresh.open(others, Reads(store.readers))
    assert plain(view.snapshot) == plain(fresh.snapshot), "replayed is not fresh"
    assert interests.registered(view) == others.registered(fresh), "listens to other keys than a fresh view"


def check_identity(before: Snapshot, after: Snapshot, *, changed: Iterable[str]) -> None:
    """Unchanged values and entries are the same objects."""
    for name, value in after.items():
        if name not in changed:
            assert value is before[name], f"{name} was rebuilt without a change"
        old = entries(before[name])
        for entry in entries(value):
            equal = [other for other in old if other == entry]
            assert not equal or any(other is entry for other in equal), (
                f"an equal entry of {name} was rebuilt"
            )


def entries(value: Any) -> list[Any]:
    """The rows in a part's value."""
    if isinstance(value, Window):
        return list(value.entries)
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if type(value) is tuple and value and not isinstance(value[0], int | str) else []


def plain(value: Any) -> Any:
    """A copy of a snapshot in plain data, which no later change can reach."""
    if isinstance(value, Window):
        return ("window", plain(value.entries), value.anchor, value.earlier, value.later)
    if isinstance(value, Mapping):
        return {name: plain(other) for name, other in value.items()}
    return tuple(plain(other) for other in value) if type(value) is tuple else value


slacks = st.sampled_from([0, 1, 8])


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_view_of_one_word_is_as_if_loaded_after_every_commit(word: str) -> None:
    @given(WORDS[word].map(lambda recipe: (recipe,)), histories, slacks)
    def law(tree: Tree, history: tuple[Step, list[Step]], slack_min: int) -> None:
        check(tree, history, slack_min)

    law()


@pytest.mark.parametrize("what", sorted(SCANNED))
def test_a_scan_of_any_table_is_as_if_loaded_after_every_commit(what: str) -> None:
    scans = WORDS["scan"].filter(lambda recipe: recipe.what == what)

    @given(scans.map(lambda recipe: (recipe,)), histories, slacks)
    def law(tree: Tree, history: tuple[Step, list[Step]], slack_min: int) -> None:
        check(tree, history, slack_min)

    law()


@given(trees, histories, slacks)
def test_a_tree_of_parts_is_as_if_loaded_after_every_commit(
    tree: Tree, history: tuple[Step, list[Step]], slack_min: int
) -> None:
    check(tree, history, slack_min)
