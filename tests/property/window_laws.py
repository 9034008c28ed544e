"""The laws of windows of lanes as functions that raise, so that tests and planted faults share them."""

from __future__ import annotations

import itertools
from typing import Any, Final, TypeAlias
from unittest.mock import patch

from hypothesis import strategies as st
from tests.property.window_oracle import check_hole, expected
from tests.property.window_world import ITEMS, Dials, Item, Mark, Recipe, Step, World, shown_of, view_of

from pillarbox.views import Gap, Interests, Reads, Window, lane

#: The first commit, then the others.
History: TypeAlias = tuple[Step, list[Step]]

# --------------------------------------------------------------------------------------- strategies

_IDS: Final = range(1, 7)
_ids = st.sampled_from(_IDS)
_lane_numbers = st.sampled_from((1, 1, 2, 2, 3))
#: A number of which each id takes a digit.
_digits = st.integers(0, 3 ** (max(_IDS) + 1) - 1)


def _items_of(
    lane_number: int, there: int, times: int, tags: int, albums: int, rejected: int
) -> tuple[Item, ...]:
    """Many items of a lane at once, so that the world is dense; `times` 0 is in step with ids."""
    return tuple(
        [
            Item(
                lane_number,
                _digit(times, id_) + 1 if times else id_,
                id_,
                _digit(tags, id_),
                _digit(albums, id_),
                _digit(rejected, id_) < 2,
            )
            for id_ in _IDS
            if _digit(there, id_)
        ]
    )


def _digit(number: int, at: int) -> int:
    return number // int(3**at) % 3


_attributes = st.tuples(_digits, _digits, _digits)
_few_of = st.builds(
    lambda lane_number, ids, times, attributes: _items_of(
        lane_number, sum(3**id_ for id_ in ids), times, *attributes
    ),
    _lane_numbers,
    st.sets(_ids, max_size=3),
    st.just(0),
    _attributes,
)
_stretches = st.tuples(_lane_numbers, _ids, st.integers(0, 2)).map(
    lambda one: (one[0], one[1], one[1] + one[2])
)
_fetched = _stretches | _lane_numbers.map(lambda number: (number, 1, max(_IDS)))
_marks = st.builds(lambda number, id_: Mark(number, id_, id_), _lane_numbers, _ids)
_names = st.tuples(_lane_numbers, _ids)


def _few(values: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=most).map(tuple)


_tagged = st.tuples(st.just("tag"), st.integers(0, 1), _lane_numbers)
_listed = st.sampled_from((("keys", ((1, 1), (2, 4))), ("keys", ((2, 2), (1, 5), (1, 3), (2, 2)))))
_merged = st.sampled_from(((1, 2), (2, 1), (1,), (1, 2, 3), ())) | st.tuples(_lane_numbers | _tagged, _tagged)
_chained = _merged | st.tuples(_lane_numbers | _listed, _lane_numbers | _tagged | _listed)
_ends = st.sampled_from(("newest", "oldest"))
_at = st.builds(lambda number, id_: ("at", number, id_, id_), _lane_numbers, _ids)
_by_id = st.builds(lambda number, id_: ("id", number, id_), _lane_numbers, _ids)
_in_list = st.builds(lambda listed, place: ("in", listed, place), _listed, st.integers(0, 2))
_counts = st.sampled_from((0, 1, 1, 2))


def dials_of(recipe: Recipe) -> st.SearchStrategy[Dials]:
    """What a window may look at."""
    anchors = _ends | _at | _in_list if recipe.chain else _ends | _at | _by_id | _by_id
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


def steps_of(recipe: Recipe, times: st.SearchStrategy[int]) -> st.SearchStrategy[Step]:
    """Commits, most of which leave the dials alone."""
    ranges = _few(_stretches, 1) if recipe.holes == "ranges" else st.just(())
    marks = _few(_marks, 1) if recipe.holes == "marks" else st.just(())
    some = st.builds(_items_of, _lane_numbers, _digits, times, _digits, _digits, _digits)
    return st.builds(
        Step,
        _few_of | some | st.just(()),
        _few(_names, 3),
        ranges,
        _few(_fetched, 1) if recipe.holes == "ranges" else st.just(()),
        marks,
        marks,
        st.one_of(*[st.none()] * 5, dials_of(recipe)),
        st.one_of(*[st.none()] * 4, _chained if recipe.chain else _merged),
        st.none() | _ids.map(lambda id_: (id_, id_)) if recipe.holes == "boundary" else st.none(),
        st.sampled_from((False, False, True)),
        st.sampled_from((True, True, True, True, False)),
    )


def starts_of(recipe: Recipe, times: st.SearchStrategy[int]) -> st.SearchStrategy[Step]:
    """What is there when a view is opened."""
    lanes = [
        st.builds(_items_of, st.just(number), _digits, times, _digits, _digits, _digits)
        for number in (1, 2, 3)
    ]
    return st.builds(
        Step,
        st.tuples(*lanes).map(lambda made: tuple(itertools.chain(*made))),
        missing=_few(_stretches, 3) if recipe.holes == "ranges" else st.just(()),
        marks=_few(_marks, 3) if recipe.holes == "marks" else st.just(()),
        dials=dials_of(recipe),
    )


def histories_of(recipe: Recipe, *, in_step: bool = False) -> st.SearchStrategy[History]:
    """A beginning and some commits."""
    times = st.just(0) if in_step else st.just(0) | _digits
    return st.tuples(starts_of(recipe, times), st.lists(steps_of(recipe, times), min_size=1, max_size=6))


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


def _numbered(*ids: int) -> tuple[Item, ...]:
    return tuple(Item(1, id_, id_) for id_ in ids)


_newest = Dials((1,), "newest", 1, 0)
#: Histories that random ones seldom meet: what comes beyond what is held, and what is dropped of it.
HARD: Final[tuple[tuple[Recipe, History, int], ...]] = (
    (
        Recipe(),
        (
            Step(_numbered(2, 3, 4, 5, 6), dials=_newest),
            [Step(_numbered(1), ((1, 6),)), Step(gone=((1, 5),))],
        ),
        1,
    ),
    (
        Recipe(),
        (Step(_numbered(5, 6), dials=_newest), [Step(_numbered(1, 2, 3, 4)), Step(gone=((1, 5), (1, 6)))]),
        1,
    ),
)


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
            before, dials, resolved = view.snapshot, world.dials, window.resolved
            record = world.commit(step)
            if step.replayed:
                routed = interests.route(record.tables)
                told = view.replay(Reads(world.readers, record.tables, interests), routed) if routed else None
            else:
                told = view.refresh(Reads(world.readers))
            _check_fresh(view, window, interests, world, recipe)
            if dials.lanes is not None and world.dials.lanes is not None and resolved is not None:
                is_same = dials.anchor == world.dials.anchor
                assert not is_same or window.resolved == resolved, "an anchor was found anew"
            differs = told is not None
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


# -------------------------------------------------------------------------------------------- reads

#: How many rows a side shows, the anchor's id, and by commit: ids that are put, ids that go, a stretch.
Traffic: TypeAlias = tuple[int, int, list[tuple[frozenset[int], frozenset[int], int | None]]]
_many = st.frozensets(st.integers(1, 40), max_size=6)
traffics: st.SearchStrategy[Traffic] = st.tuples(
    st.integers(1, 40),
    st.integers(0, 41),
    st.lists(st.tuples(_many, _many, st.none() | st.integers(1, 40)), max_size=12),
)


def check_reads(traffic: Traffic) -> None:
    """Nothing is read for what comes, changes or is missing; once for as many removals as there is slack."""
    count, anchor, commits = traffic
    world = World()
    items = tuple(Item(number, id_, id_) for number in (1, 2) for id_ in range(1, 41))
    world.commit(Step(items, dials=Dials((1, 2), ("at", 1, anchor, anchor), count, count)))
    interests = Interests()
    view, _ = view_of(Recipe(holes="ranges"))
    view.open(interests, Reads(world.readers, shared=interests))
    world.log.clear()
    removed = 0
    for put, gone, missing in commits:
        record = world.commit(
            Step(
                tuple(Item(1, id_, id_, len(gone)) for id_ in sorted(put)),
                tuple((1, id_) for id_ in sorted(gone)),
                missing=() if missing is None else ((1, missing, missing + 3),),
            )
        )
        changes = record.tables.get(ITEMS.id, {})
        removed += sum(after is None for _, after in changes.values())
        view.replay(Reads(world.readers, record.tables, interests), interests.route(record.tables))
        assert len(world.log) <= removed // (max(8, (count + 1) // 4) + 1)


# --------------------------------------------------------------------------------------------- sentence


def check_sentence(recipe: Recipe, history: History) -> None:
    """What is shown is what the sentence says, when it is loaded and after each commit."""
    world = World()
    world.commit(history[0])
    interests = Interests()
    view, window = view_of(recipe)
    view.open(interests, Reads(world.readers, shared=interests))
    _check_pending(window, world)
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
        anchor: Any = dials.anchor
        _, lane_number, id_ = anchor
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
    reported, newer = wanted["reported"]
    check_hole(window, reported, recipe, world, newer=newer)
    if window.hole is not None:
        is_wanted = recipe.wants and dials.wanted is not None
        assert (window.hole.name, window.hole.count) == (("items", 5) if is_wanted else (None, None))


def _check_pending(part: Any, world: World) -> None:
    """A window that was just loaded waits for its anchor exactly if that is in a hole of its lane."""
    dials = world.dials
    anchor: Any = dials.anchor
    if dials.lanes is not None and anchor is not None and anchor[0] == "id":
        _, lane_number, id_ = anchor
        lanes = [name[2] if isinstance(name, tuple) and name[0] == "tag" else name for name in dials.lanes]
        is_missing = lane_number in lanes and id_ in world.missing.get(lane_number, ())
        assert (part.resolved is None) == is_missing, "an anchor in a hole is found, or the reverse"


def _check_anchor(resolved: Any, dials: Dials, recipe: Recipe) -> None:
    anchor = dials.anchor
    if isinstance(anchor, str):
        assert resolved == anchor
    elif anchor is not None and anchor[0] == "at":
        assert tuple(resolved.suffix) == anchor[2:]
    elif anchor is not None and anchor[0] == "in":
        assert (resolved.suffix, resolved.lane) == (anchor[2], anchor[1])


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
