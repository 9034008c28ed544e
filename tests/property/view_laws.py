"""The laws of views as functions that raise, so that tests and planted faults share them.

`check_replay`: after every commit a view equals one freshly loaded; it said True exactly if its snapshot
differs; old snapshots stay as they were; what did not change is the same object; and it listens to
exactly what a fresh view listens to. `check_load`: what a fresh list shows, by definition. `check_reads`:
how often a scan reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from string import ascii_letters
from typing import Any, Final, TypeAlias
from unittest.mock import patch

from hypothesis import strategies as st
from tests.property.view_trees import (
    SCANNED,
    GetEachRecipe,
    ScanRecipe,
    Snapshot,
    Tree,
    WindowRecipe,
    is_small,
    named_people,
    some_fields,
    view_of,
)
from tests.unit.views.fakes import ISSUES, FakeStore, Issue, Person

from pillarbox.tables import ChangeRecord
from pillarbox.views import Interests, Reads, Scan, View, Window, lane


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


History: TypeAlias = tuple[Step, list[Step]]


# --------------------------------------------------------------------------------------- strategies


def _few(values: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=most, unique_by=_key).map(tuple)


def _key(value: Any) -> Any:
    if isinstance(value, Issue):
        return value.project, value.number
    return value.person_id if isinstance(value, Person) else value


_person_ids = st.integers(0, 3)
_people = st.builds(Person, _person_ids, st.sampled_from(["a", "b"]), _person_ids)
_projects = st.integers(1, 2)
_numbers = st.integers(1, 4)
_issues = st.builds(
    Issue,
    _projects,
    _numbers,
    st.integers(0, 3),
    st.booleans(),
    st.none() | st.integers(1, 3),
    st.sampled_from([(), (1,), (2,), (1, 2)]),
)
steps = st.builds(
    Step,
    _few(_people, 2),
    _few(_issues, 3),
    _few(_person_ids, 2),
    _few(st.tuples(_projects, _numbers), 3),
    st.sampled_from([True, True, True, False]),
)
starts = st.builds(Step, _few(_people, 4), _few(_issues, 8))
histories: st.SearchStrategy[History] = st.tuples(starts, st.lists(steps, min_size=1, max_size=6))
slacks = st.sampled_from([0, 1, 8])

#: Numbers of one project's issues that are put and removed, commit by commit.
Traffic: TypeAlias = list[tuple[frozenset[int], frozenset[int]]]
_many = st.frozensets(st.integers(1, 40), max_size=6)
traffics: st.SearchStrategy[Traffic] = st.lists(st.tuples(_many, _many), max_size=12)


#: Histories that random ones seldom meet. Here a rejected row comes between, so that a row leaves the
#: zone and comes back within one commit, in which another row changes.
HARD: Final[tuple[tuple[Tree, History, int], ...]] = (
    (
        (ScanRecipe("by rank", 1, 2, False, "small", 1, "rows"),),
        (
            Step(issues=(Issue(1, 1, rank=0), Issue(1, 2, rank=2), Issue(1, 3, rank=3))),
            [Step(issues=(Issue(1, 1, rank=0, assignee=2), Issue(1, 4, rank=1, open=False)))],
        ),
        0,
    ),
    (  # A row that stands in two places changes, and stays there.
        (ScanRecipe("by label", 1, None, False, "all", 1, "rows"),),
        (
            Step(issues=(Issue(1, 1, labels=(0, 1)),)),
            [Step(issues=(Issue(1, 1, rank=1, labels=(0, 1)),))],
        ),
        0,
    ),
    (  # More rows come at once than are shown.
        (ScanRecipe("issues", 1, 1, True, "all", 1, "rows"), GetEachRecipe(0, (), "rows")),
        (
            Step(people=(Person(1), Person(2)), issues=(Issue(1, 1),)),
            [Step(issues=(Issue(1, 2, assignee=1), Issue(1, 3, assignee=2)))],
        ),
        0,
    ),
)


# ------------------------------------------------------------------------------------------- replay


def check_replay(tree: Tree, history: History, slack_min: int) -> None:
    """Every law of a live view, over one history."""
    check_held(tree, history, slack_min, ())


def check_held(tree: Tree, history: History, slack_min: int, held: Collection[int]) -> None:
    """As `check_replay`; `held` are the places of parts that are held."""
    with patch.object(lane, "_SLACK_MIN", slack_min):
        store = FakeStore()
        history[0].commit(store)
        interests = Interests()
        view = view_of(tree, held)
        view.open(interests, Reads(store.readers, shared=interests))
        taken = {name: plain(view.snapshot[name]) for name in _names(view, held)}
        assert taken == {name: plain(_fresh(store, tree).snapshot[name]) for name in taken}
        for step in history[1]:
            before, was = view.snapshot, plain(view.snapshot)
            record = step.commit(store)
            if step.replayed:
                routed = interests.route(record.tables)
                told = view.replay(Reads(store.readers, record.tables, interests), routed) if routed else None
            else:
                told = view.refresh(Reads(store.readers))
            _check_fresh(view, interests, store, tree, held)
            assert taken == {name: plain(view.snapshot[name]) for name in taken}, "a held part moved"
            assert plain(before) == was, "an old snapshot was changed"
            differs = told is not None
            assert differs == (plain(view.snapshot) != was), "emitted without difference, or the reverse"
            _check_identity(before, view.snapshot, changed=() if told is None else told.parts)
        view.close()
        assert not interests, "something is still registered"


def _names(view: View[Snapshot], places: Collection[int]) -> list[str]:
    """The names of the parts at these places that are shown."""
    return [name for name in view.snapshot if int(name.lstrip(ascii_letters)) in places]


def _fresh(store: FakeStore, tree: Tree) -> View[Snapshot]:
    fresh = view_of(tree)
    fresh.open(Interests(), Reads(store.readers))
    return fresh


def _check_fresh(
    view: View[Snapshot], interests: Interests, store: FakeStore, tree: Tree, held: Collection[int]
) -> None:
    others = Interests()
    fresh = view_of(tree, held)
    fresh.open(others, Reads(store.readers), held=view.held)
    assert plain(view.snapshot) == plain(fresh.snapshot), "replayed is not fresh"
    assert interests.registered(view) == others.registered(fresh), "listens to other keys than a fresh view"


def _check_identity(before: Snapshot, after: Snapshot, *, changed: Iterable[str]) -> None:
    for name, value in after.items():
        if name not in changed:
            assert value is before[name], f"{name} was rebuilt without a change"
        old = _entries(before[name])
        for entry in _entries(value):
            equal = [other for other in old if other == entry]
            assert not equal or any(other is entry for other in equal), (
                f"an equal entry of {name} was rebuilt"
            )


def _entries(value: Any) -> list[Any]:
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
    return tuple(plain(other) for other in value) if isinstance(value, tuple) else value


# --------------------------------------------------------------------------------------------- load


def check_load(recipe: ScanRecipe | WindowRecipe, start: Step) -> None:
    """A fresh list is what its definition says. Its numbers are fixed: `recipe` stands alone."""
    store = FakeStore()
    start.commit(store)

    value = loaded(recipe, store)

    if isinstance(recipe, ScanRecipe):
        assert value == _scanned(recipe, store)
    else:
        assert value == _windowed(recipe, store)


def loaded(recipe: ScanRecipe | WindowRecipe, store: FakeStore) -> Any:
    """The value of a part alone in its view."""
    part = recipe.make(())
    View[Any](("alone",), (part,), lambda: None, names=("part",))  # type: ignore[arg-type]
    part.open(Interests(), Reads(store.readers))
    return part.value


_FIXED: Final = 1  # What a number is that asks for an earlier part where there is none.


def _number(number: Any) -> int:
    return number if isinstance(number, int) else _FIXED


def _stored(what: str, prefix: Any, store: FakeStore) -> list[tuple[Any, Any]]:
    """(key, row) of all keys with this prefix, in key order."""
    spec, source, prefix_of = SCANNED[what]
    wanted = prefix_of(_number(prefix))
    found = []
    for key, cell in sorted(store.tables[spec.id].items(), key=lambda item: item[0]):
        inside = key == wanted if isinstance(wanted, int) else isinstance(key, int) or key.startswith(wanted)
        if inside:
            row = spec.row(key, cell)
            found.append((key, store.issues[source["source_key"](row)] if source else row))
    return found


def _scanned(recipe: ScanRecipe, store: FakeStore) -> tuple[Any, ...]:
    rows = [row for _, row in _stored(recipe.what, recipe.prefix, store)]
    if recipe.newest_first:
        rows.reverse()
    if recipe.where == "small":
        rows = [row for row in rows if is_small(row)]
    elif recipe.where == "like":
        rows = [row for row in rows if _number(recipe.like) in named_people(row)]
    if recipe.limit is not None:
        rows = rows[: _number(recipe.limit)]
    return tuple(some_fields(row) if recipe.show == "some fields" else row for row in rows)


def _windowed(recipe: WindowRecipe, store: FakeStore) -> Window[Any]:
    stored = _stored(recipe.what, recipe.prefix, store)
    after_max = _number(recipe.after_max)
    anchor: Any = recipe.anchor
    if anchor == "newest":
        older, newer = stored, []
    elif anchor == "oldest":
        older, newer = [], stored
    else:
        place = recipe.key(_number(recipe.prefix), _number(anchor[0]) + anchor[1])
        older = [item for item in stored if item[0] <= place]
        newer = [item for item in stored if item[0] > place]
        anchor = _fields(place)
    first = max(0, len(older) - recipe.before_max)
    rows = [row for _, row in older[first:] + newer[:after_max]]
    return Window(
        entries=tuple(some_fields(row) if recipe.show == "some fields" else row for row in rows),
        anchor=anchor,
        earlier=_fields(older[first - 1][0]) if first else None,
        later=_fields(newer[after_max][0]) if len(newer) > after_max else None,
    )


def _fields(key: Any) -> tuple[int, ...]:
    return (key,) if isinstance(key, int) else tuple(key)


# -------------------------------------------------------------------------------------------- reads


def check_reads(traffic: Traffic, limit: int, newest_first: bool) -> None:
    """A scan reads once at load, and then at most once for so many removals as its slack holds and one."""
    store = FakeStore()
    store.commit(issues=[Issue(1, number) for number in range(1, 41)])
    interests = Interests()
    scan = Scan(ISSUES, prefix=lambda: b"\1", limit=lambda: limit, newest_first=newest_first)
    View[Any](("reads",), (scan,), lambda: None, names=("scan",))  # type: ignore[arg-type]
    scan.open(interests, Reads(store.readers))
    store.log.clear()
    removed = 0
    for put, gone in traffic:
        record = store.commit(
            issues=[Issue(1, number, rank=len(gone)) for number in sorted(put)],
            no_issues=[(1, number) for number in sorted(gone)],
        )
        changes = record.tables.get(ISSUES.id, {})
        removed += sum(after is None for _, after in changes.values())
        scan.replay(Reads(store.readers, record.tables), interests.route(record.tables), 0)
        assert len(store.log) <= removed // (max(8, limit // 4) + 1)
