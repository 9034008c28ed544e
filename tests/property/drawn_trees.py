"""How the trees of views are drawn: recipe by recipe, and some shapes that are seldom met by chance."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st
from tests.property.view_trees import (
    FOLDS,
    SCANNED,
    AggregateRecipe,
    GetEachRecipe,
    GetRecipe,
    Number,
    Recipe,
    ScanRecipe,
    Show,
    Tree,
    ValueRecipe,
    WindowRecipe,
)

_small = st.integers(0, 3)
_numbers: st.SearchStrategy[Number] = _small | st.tuples(st.just("part"), _small)
_shows: st.SearchStrategy[Show] = st.sampled_from(("rows", "rows", "some fields", "hidden"))
_gets = st.builds(GetRecipe, st.sampled_from(("people", "issues")), _numbers, st.booleans(), _shows)
_scans = st.builds(
    ScanRecipe,
    st.sampled_from(sorted(SCANNED)),
    _numbers,
    st.none() | _numbers,
    st.booleans(),
    st.sampled_from(("all", "small", "like")),
    _numbers,
    _shows,
)
_windows = st.builds(
    WindowRecipe,
    st.sampled_from(("people", "issues", "by rank", "by label", "bare ranks")),
    _numbers,
    st.sampled_from(("newest", "oldest")) | st.tuples(_numbers, st.integers(0, 1)),
    st.integers(0, 2),
    _numbers,
    _shows,
)
_each = st.builds(GetEachRecipe, _small, st.just(()) | st.lists(_numbers, max_size=3).map(tuple), _shows)
_aggregates = st.builds(
    AggregateRecipe,
    st.sampled_from(sorted(FOLDS)),
    st.sampled_from(("people", "issues", "all issues", "bare ranks")),
    _numbers,
    st.none() | _small,
    st.booleans(),
    st.booleans(),
)
WORDS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "get": _gets,
    "get_each": _each,
    "scan": _scans,
    "window": _windows,
    "aggregate": _aggregates,
    "value": st.builds(ValueRecipe, _numbers, st.booleans()),
}
recipes: st.SearchStrategy[Recipe] = st.one_of(*WORDS.values())
trees: st.SearchStrategy[Tree] = st.lists(recipes, min_size=1, max_size=4).map(tuple)
#: Short lists with more behind them.
edges: st.SearchStrategy[Tree] = st.builds(
    ScanRecipe,
    st.sampled_from(("all issues", "by rank", "by label")),
    st.just(1),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(("all", "small")),
    st.just(1),
    st.just("rows"),
).map(lambda scan: (scan,))
#: Rows of one table in several parts, so that one part can have them of another.
twins: st.SearchStrategy[Tree] = st.tuples(
    st.builds(GetRecipe, st.just("people"), _small, st.booleans(), st.just("rows")),
    st.builds(GetRecipe, st.just("people"), st.just(("part", 0)), st.booleans(), st.just("rows")),
    st.builds(GetRecipe, st.just("people"), _small, st.booleans(), st.just("rows")),
)
#: Lists whose condition reads a part before them.
conditions: st.SearchStrategy[Tree] = st.tuples(
    st.builds(GetRecipe, st.just("people"), st.integers(0, 3), st.just(False), st.just("rows")),
    st.builds(
        ScanRecipe,
        st.sampled_from(("people", "all issues", "by rank")),
        st.just(1),
        st.none() | st.integers(1, 2),
        st.booleans(),
        st.just("like"),
        st.just(("part", 0)),
        st.just("rows"),
    ),
)
