"""Random searches in views, and what they find by definition: word for word, with no code of an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hypothesis import strategies as st
from tests.property.view_columns import ColumnRecipe, EntriesRecipe
from tests.property.view_laws import Step
from tests.property.view_trees import (
    GetRecipe,
    Number,
    Show,
    Source,
    is_small,
    named_people,
    shown_as,
    some_fields,
)
from tests.unit.views.fakes import ISSUES, WORDS, FakeStore, Issue, text_of

from pillarbox.storage import mark, search_for
from pillarbox.views import Interests, Matches, Part, Reads, View

#: By number: what is looked for.
TEXTS: Final = ("fix", "fixed", "red fi", "Broken", "", "fix red")


@dataclass(frozen=True)
class MatchesRecipe:
    """Issues by the words in them."""

    text: Number
    project: Number | None
    limit: Number | None
    newest_first: bool
    by_relevance: bool
    where: Literal["all", "small", "like"]
    like: Number
    show: Show

    def make(self, parts: Sequence[Part]) -> Part:
        text = Source(self.text, parts)
        project = None if self.project is None else Source(self.project, parts)
        limit = None if self.limit is None else Source(self.limit, parts)
        like = Source(self.like, parts)
        where: Callable[[Any], bool] | None = None
        if self.where == "small":
            where = is_small
        elif self.where == "like":
            where = lambda row: like() in named_people(row)  # noqa: E731

        def search() -> Any:
            number, only = text(), None if project is None else project()
            if number is None:
                return None
            return search_for(TEXTS[number], [] if only is None else [mark(0, only)])

        others = [source for source in (project, limit) if source is not None]
        return Matches(
            WORDS,
            search=search,
            source=ISSUES,
            limit=limit,
            newest_first=self.newest_first,
            by_relevance=self.by_relevance,
            where=where,
            after=[part for source in (text, *others) for part in source.after],
            row_after=like.after if self.where == "like" else (),
            **shown_as(self.show),
        )


def check_found(recipe: MatchesRecipe, start: Step) -> None:
    """A fresh search is what its definition says. Its numbers are fixed: `recipe` stands alone."""
    store = FakeStore()
    start.commit(store)
    part = recipe.make(())
    View[Any](("alone",), (part,), lambda: None, names=("part",))  # type: ignore[arg-type]

    part.open(Interests(), Reads(store.readers))

    assert part.value == _found(recipe, store)


def _found(recipe: MatchesRecipe, store: FakeStore) -> tuple[Any, ...]:
    """All numbers are fixed ones."""
    numbers = [
        number if isinstance(number, int) or number is None else 1
        for number in (recipe.text, recipe.project, recipe.limit, recipe.like)
    ]
    text, project, limit, like = numbers
    rows = [row for _, row in sorted(store.issues.items()) if stands_in(TEXTS[text or 0], row)]
    if project is not None:
        rows = [row for row in rows if row.project == project]
    if recipe.where == "small":
        rows = [row for row in rows if row.open]
    elif recipe.where == "like":
        rows = [row for row in rows if like in named_people(row)]
    if recipe.newest_first:
        rows.reverse()
    if recipe.by_relevance:
        rows.sort(key=lambda row: -places(TEXTS[text or 0], row))
    return tuple(some_fields(row) if recipe.show == "some fields" else row for row in rows[:limit])


def stands_in(text: str, issue: Issue) -> bool:
    """Every word is one of the issue's, the last one as its beginning; no words find nothing."""
    words = (text_of(issue) or "").split()
    *whole, last = text.lower().split() or [""]
    return (
        bool(last) and all(word in words for word in whole) and any(word.startswith(last) for word in words)
    )


def places(text: str, issue: Issue) -> int:
    """How many of the issue's words are looked for, those twice that are looked for by two."""
    *whole, last = text.lower().split()
    found = (text_of(issue) or "").split()
    return sum(found.count(word) for word in whole) + sum(word.startswith(last) for word in found)


_small: Final = st.integers(0, 3)
_from_part: Final = st.just(("part", 0))
_numbers: st.SearchStrategy[Any] = _small | _from_part
lone_searches: st.SearchStrategy[MatchesRecipe] = st.builds(
    MatchesRecipe,
    st.integers(0, len(TEXTS) - 1),
    st.none() | st.integers(1, 2),
    st.none() | _small,
    st.booleans(),
    st.booleans(),
    st.sampled_from(("all", "small", "like")),
    _small,
    st.sampled_from(("rows", "some fields")),
)
#: A person who may say what is looked for, a search, and children of what is found.
searches: st.SearchStrategy[Any] = st.tuples(
    st.builds(GetRecipe, st.just("people"), st.integers(1, 2), st.booleans(), st.just("rows")),
    st.builds(
        MatchesRecipe,
        _numbers,
        st.none() | _numbers,
        st.none() | _numbers,
        st.booleans(),
        st.booleans(),
        st.sampled_from(("all", "small", "like")),
        _numbers,
        st.sampled_from(("rows", "some fields", "hidden")),
    ),
)
_author: Final = ColumnRecipe("get", ("row", 0), "people", False, ())
found_with_children: st.SearchStrategy[Any] = searches.map(lambda made: (*made, EntriesRecipe(1, (_author,))))

#: What random histories seldom meet: a row that is found changes, and its words do not.
HARD_SEARCHES: Final[tuple[tuple[Any, Any, int], ...]] = (
    (
        (MatchesRecipe(0, None, None, False, True, "all", 1, "rows"),),
        (Step(issues=(Issue(1, 1),)), [Step(issues=(Issue(1, 1, assignee=1),))]),
        0,
    ),
)
