"""The laws of windows of lanes as functions that raise, so that tests and planted faults share them."""

from __future__ import annotations

from typing import Any, TypeAlias
from unittest.mock import patch

from hypothesis import strategies as st
from tests.property.window_oracle import check_hole, expected
from tests.property.window_world import Dials, Item, Mark, Recipe, Step, World, shown_of, view_of

from pillarbox.views import Gap, Interests, Reads, Window, lane

#: The first commit, then the others.
History: TypeAlias = tuple[Step, list[Step]]

# --------------------------------------------------------------------------------------- strategies

_ids = st.integers(1, 7)
_lane_numbers = st.integers(1, 3)
_in_step = st.builds(
    lambda lane, id_, tag, album, is_open: Item(lane, id_, id_, tag, album, is_open),
    _lane_numbers, _ids, st.integers(0, 2), st.integers(0, 2), st.booleans(),
)  # fmt: skip
_out_of_step = st.builds(
    Item, _lane_numbers, st.integers(1, 3), _ids, st.integers(0, 2), st.integers(0, 2), st.booleans()
)
_stretches = st.tuples(_lane_numbers, _ids, st.integers(0, 3)).map(
    lambda one: (one[0], one[1], one[1] + one[2])
)
_marks = st.builds(lambda lane, id_: Mark(lane, id_, id_), _lane_numbers, _ids)
_names = st.tuples(_lane_numbers, _ids)


def _few(values: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=most).map(tuple)


_merged = _few(_lane_numbers | st.tuples(st.just("tag"), st.integers(0, 1), _lane_numbers), 3)
_keys = st.tuples(st.just("keys"), _few(_names, 3))
_chained = _few(_lane_numbers | st.tuples(st.just("tag"), st.integers(0, 1), _lane_numbers) | _keys, 3)
_anchors = st.one_of(
    st.sampled_from(("newest", "oldest")),
    st.builds(lambda lane, id_: ("at", lane, id_, id_), _lane_numbers, _ids),
    st.builds(lambda lane, id_: ("id", lane, id_), _lane_numbers, _ids),
)
_counts = st.integers(0, 2)


def dials_of(recipe: Recipe) -> st.SearchStrategy[Dials]:
    """What a window may look at."""
    anchors = _anchors.filter(lambda one: one[0] != "id") if recipe.chain else _anchors
    return st.builds(
        Dials,
        st.one_of(*[_chained if recipe.chain else _merged] * 7, st.none()),
        st.one_of(*[anchors] * 7, st.none()),
        _counts,
        _counts,
        st.sampled_from((True, True, False)),
        st.booleans(),
        st.none() | st.just(5),
        st.none() | st.just((0, 0)) | _ids.map(lambda id_: (id_, id_)),
        st.booleans(),
    )


def steps_of(recipe: Recipe, items: st.SearchStrategy[Item]) -> st.SearchStrategy[Step]:
    """Commits, most of which leave the dials alone."""
    return st.builds(
        Step,
        _few(items, 3),
        _few(_names, 2),
        _few(_stretches, 1) if recipe.holes == "ranges" else st.just(()),
        _few(_stretches, 1) if recipe.holes == "ranges" else st.just(()),
        _few(_marks, 1) if recipe.holes == "marks" else st.just(()),
        _few(_marks, 1) if recipe.holes == "marks" else st.just(()),
        st.one_of(*[st.none()] * 4, dials_of(recipe)),
        st.sampled_from((True, True, True, False)),
    )


def starts_of(recipe: Recipe, items: st.SearchStrategy[Item]) -> st.SearchStrategy[Step]:
    """What is there when a view is opened."""
    return st.builds(
        Step,
        _few(items, 10),
        missing=_few(_stretches, 2) if recipe.holes == "ranges" else st.just(()),
        marks=_few(_marks, 3) if recipe.holes == "marks" else st.just(()),
        dials=dials_of(recipe),
    )


def histories_of(recipe: Recipe, *, in_step: bool = False) -> st.SearchStrategy[History]:
    """A beginning and some commits."""
    items = _in_step if in_step else _in_step | _out_of_step
    return st.tuples(starts_of(recipe, items), st.lists(steps_of(recipe, items), min_size=1, max_size=6))


#: Windows of one kind of holes at a time, so that each is met often.
PLAIN = {
    name: Recipe(chain=chain, holes=holes)
    for chain in (False, True)
    for holes in ("none", "ranges", "marks", "boundary")
    for name in [f"{'chained' if chain else 'merged'} {holes}"]
}
recipes = st.builds(
    Recipe,
    st.booleans(),
    st.sampled_from(("none", "ranges", "ranges", "marks", "boundary")),
    *[st.booleans()] * 6,
)
slacks = st.sampled_from([0, 1, 8])


# ------------------------------------------------------------------------------------------- replay


def check_replay(recipe: Recipe, history: History, slack_min: int) -> None:
    """A window is as one loaded now under the same anchor; it told exactly if it differs; and so on."""
    with patch.object(lane, "_SLACK_MIN", slack_min):
        world = World()
        world.commit(history[0])
        interests = Interests()
        view, window = view_of(recipe)
        view.open(interests, Reads(world.readers, shared=interests))
        for step in history[1]:
            before = view.snapshot
            record = world.commit(step)
            if step.replayed:
                routed = interests.route(record.tables)
                differs = bool(routed) and view.replay(Reads(world.readers, record.tables, interests), routed)
            else:
                differs = view.refresh(Reads(world.readers))
            _check_fresh(view, window, interests, world, recipe)
            assert differs == (view.snapshot != before), "emitted without difference, or the reverse"
            if not differs:
                assert view.snapshot is before, "rebuilt without a change"
            _check_identity(before, view.snapshot)
        view.close()
        assert not interests, "something is still registered"


def _check_fresh(view: Any, window: Any, interests: Interests, world: World, recipe: Recipe) -> None:
    others = Interests()
    fresh, same = view_of(recipe)
    if window.resolved is not None:
        same.hold(window.resolved)
    fresh.open(others, Reads(world.readers))
    assert same.resolved == window.resolved, "the anchor is another one"
    assert view.snapshot == fresh.snapshot, "replayed is not fresh"
    assert list(window.wanted()) == list(same.wanted()), "other holes are wanted"
    assert interests.registered(view) == others.registered(fresh), "listens to other keys than a fresh view"


def _check_identity(before: Window[Any], after: Window[Any]) -> None:
    for entry in after.entries:
        equal = [other for other in before.entries if other == entry]
        assert not equal or any(other is entry for other in equal), "an equal entry was rebuilt"


# --------------------------------------------------------------------------------------------- sentence


def check_sentence(recipe: Recipe, history: History) -> None:
    """What is shown is what the sentence says, when it is loaded and after each commit."""
    world = World()
    world.commit(history[0])
    interests = Interests()
    view, window = view_of(recipe)
    view.open(interests, Reads(world.readers, shared=interests))
    _check_shown(window, recipe, world)
    for step in history[1]:
        record = world.commit(step)
        view.replay(Reads(world.readers, record.tables, interests), interests.route(record.tables))
        _check_shown(window, recipe, world)


def _check_shown(part: Any, recipe: Recipe, world: World) -> None:
    window: Window[Any] = part.value
    dials = world.dials
    if dials.lanes is None or dials.anchor is None:
        assert window == Window()
        return
    if part.resolved is None:
        lane_number, id_ = dials.anchor[1:3]
        assert isinstance(lane_number, int), "an anchor by id"
        assert id_ in world.missing.get(lane_number, ()), "a pending anchor is not in a hole"
        assert window.hole is not None
        assert (window.entries, window.loading, window.hole.start, window.hole.end) == ((), True, id_, None)
        return
    _check_anchor(part.resolved, dials, recipe)
    wanted = expected(recipe, world, part.resolved)
    entries = wanted["entries"]
    if recipe.expand and dials.albums:
        entries = _expanded(entries, world)
    if recipe.shown and not recipe.nested:
        entries = [entry if isinstance(entry, Gap) else shown_of(entry) for entry in entries]
    assert list(window.entries) == entries, "other rows than the sentence says"
    for name in ("hole_before", "hole_after", "loading", "rank"):
        assert getattr(window, name) == wanted[name], name
    assert _beyond(window.earlier) == _place(wanted["earlier"], recipe), "another row is next"
    assert _beyond(window.later) == _place(wanted["later"], recipe), "another row is next"
    check_hole(window, wanted["reported"], recipe, world)
    if window.hole is not None:
        is_wanted = recipe.wants and dials.wanted is not None
        assert (window.hole.name, window.hole.count) == (("items", 5) if is_wanted else (None, None))


def _check_anchor(resolved: Any, dials: Dials, recipe: Recipe) -> None:
    anchor = dials.anchor
    if isinstance(anchor, str):
        assert resolved == anchor
    elif anchor is not None and anchor[0] == "at":
        assert tuple(resolved.suffix) == anchor[2:]


def _expanded(entries: list[Any], world: World) -> list[Any]:
    shown: list[Any] = []
    for entry in entries:
        group = [entry]
        if isinstance(entry, Item) and entry.album:
            albums = [item for item in world.items.values() if item.album == entry.album]
            group = sorted(albums, key=lambda item: (item.lane, item.time, item.id))[:3]
        shown += [one for one in group if one not in shown]
    return shown


def _beyond(fields: Any) -> Any:
    """The end of a key, which the indexes have in common; of a listed row, its place in the list."""
    return None if fields is None else tuple(fields[-2:])


def _place(one: Any, recipe: Recipe) -> Any:
    return None if one is None else one.position[1:] if recipe.chain else one.position
