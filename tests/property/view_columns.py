"""Random children for the rows of random parts: what `view_trees` is for parts, for columns.

A column draws its key from its row, from an earlier column, or from an earlier part of the view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hypothesis import strategies as st
from tests.property.drawn_trees import WORDS
from tests.property.view_trees import (
    SCANNED,
    GetRecipe,
    Number,
    ScanRecipe,
    Source,
    Tree,
    WindowRecipe,
    named_people,
    number_from,
    some_fields,
)
from tests.unit.views.fakes import ISSUES, PEOPLE, Issue, Person, issue_key

from pillarbox.views import (
    Aggregate,
    Column,
    Count,
    Each,
    EachColumn,
    Entries,
    Get,
    GetColumn,
    GetEachColumn,
    ListPart,
    Nest,
    Part,
    PartColumn,
    Scan,
    ValueColumn,
)

#: Where a column's number is from: its row, an earlier column, an earlier part of the view.
From = tuple[Literal["row", "column", "part"], int]
_NAMES: Final[dict[type, Callable[[Any], Any]]] = {
    Person: lambda row: row.person_id,
    Issue: lambda row: (row.project, row.number),
}


def name_of(row: Any) -> Any:
    """What tells rows apart."""
    return _NAMES.get(type(row), lambda other: other)(row)


def number_of(value: Any) -> int | None:
    """A small number out of whatever a row or column is, or None."""
    match value:
        case Person(team=number) | Issue(assignee=number):
            return number
        case None:
            return None
        case int():
            return value % 4
        case tuple() | Mapping():
            return len(value) % 4 or None
        case _:
            return int(value.number) % 4


class Entry(tuple[Any, ...]):
    """A row and what its columns show; no list of rows, which a tuple would be taken for."""

    __slots__ = ()


class Term:
    """A number for each row, with what it depends on."""

    def __init__(self, source: From, columns: int, parts: Sequence[Part]) -> None:
        kind, at = source
        self.needs: tuple[int, ...] = ()
        self.after: tuple[Part, ...] = ()
        if kind == "column" and columns:
            self.needs = (at % columns,)
        elif kind == "part" and parts:
            self.after = (parts[at % len(parts)],)

    def __call__(self, row: Any, *values: Any) -> int | None:
        if self.after:
            return number_from(self.after[0])
        return number_of(values[0] if values else row)

    def people(self, row: Any, *values: Any) -> tuple[int, ...]:
        """Several numbers."""
        if self.needs or self.after or isinstance(row, int):
            number = self(row, *values)
            return () if number is None else (number, 1)
        return named_people(row)


def stand_in(number: int | None) -> Person:
    """Who is shown where nobody has a number; there is somebody in the team."""
    return Person(number or 0, "-", 1)


@dataclass(frozen=True)
class ColumnRecipe:
    """One child of every row; those that give rows may have children of their own."""

    word: Literal["get", "issue", "get_each", "scan", "count", "value", "each"]
    source: From
    what: str
    option: bool
    children: tuple[ColumnRecipe, ...]

    def make(self, columns: int, parts: Sequence[Part]) -> Column:
        term = Term(self.source, columns, parts)
        options: dict[str, Any] = {"needs": term.needs, "after": term.after}
        shown = self._shown(parts)
        match self.word:
            case "get":
                if self.option:
                    options["default"] = lambda row, *values: stand_in(term(row, *values))
                return GetColumn(PEOPLE, key=term, **options, **shown)
            case "issue":
                key = _keyed(term, lambda number: issue_key(1, number))
                return GetColumn(ISSUES, key=key, **options, **shown)
            case "get_each":
                return GetEachColumn(PEOPLE, keys=term.people, name=name_of, **options, **shown)
            case "scan" | "count":
                return self._ranged(term, options, parts)
            case "value":
                return ValueColumn(lambda row, *values: (term(row, *values), self.option), **options)
            case "each":
                nest = nest_of(self.children, parts, name=lambda item: item)
                return EachColumn(items=term.people, nest=nest, **options)

    def _ranged(self, term: Term, options: dict[str, Any], parts: Sequence[Part]) -> Column:
        spec, source, prefix_of = SCANNED[self.what]
        if self.word == "count":
            plain = ISSUES if source else spec
            return PartColumn(
                of=_keyed(term, prefix_of if not source else lambda number: bytes((number,))),
                make=lambda prefix: Aggregate(Count(), plain, prefix=lambda: prefix),
                empty=0,
                **options,
            )

        def scan(prefix: Any) -> Part:
            return Scan(spec, prefix=lambda: prefix, limit=lambda: 2, newest_first=self.option, **source)

        nest = nest_of(self.children, parts) if self.children else None
        return PartColumn(of=_keyed(term, prefix_of), make=scan, empty=(), nest=nest, **options)

    def _shown(self, parts: Sequence[Part]) -> dict[str, Any]:
        if self.children:
            return {"nest": nest_of(self.children, parts)}
        return {"show": some_fields} if self.option else {}


def _keyed(term: Term, make: Callable[[int], Any]) -> Callable[..., Any]:
    return lambda row, *values: None if (number := term(row, *values)) is None else make(number)


def nest_of(
    recipes: Sequence[ColumnRecipe], parts: Sequence[Part], *, name: Callable[[Any], Any] = name_of
) -> Nest:
    """The columns; an entry has the row and what they show."""
    columns = [recipe.make(at, parts) for at, recipe in enumerate(recipes)]
    return Nest(columns, name=name, make=lambda *shown: Entry(shown))


@dataclass(frozen=True)
class EntriesRecipe:
    """Children for the rows of an earlier part; of a part of its own where there is none."""

    of: int
    columns: tuple[ColumnRecipe, ...]

    def make(self, parts: Sequence[Part]) -> Part:
        sources = [part for part in parts if isinstance(part, ListPart | Get)]
        return Entries(sources[self.of % len(sources)], nest_of(self.columns, parts))


@dataclass(frozen=True)
class EachRecipe:
    """Children for a few values, of which a number says which; the same one twice at times."""

    of: Number
    columns: tuple[ColumnRecipe, ...]

    def make(self, parts: Sequence[Part]) -> Part:
        source = Source(self.of, parts)
        nest = nest_of(self.columns, parts, name=lambda item: item)
        return Each(lambda: self.items(source()), nest, after=source.after)

    def items(self, number: int | None) -> tuple[int, ...] | None:
        """The values, with doubles."""
        return None if number is None else (number, 1, 2 - number % 2)


_small: Final = st.integers(0, 3)
_words: Final = st.sampled_from(("get", "issue", "get_each", "scan", "count", "value", "each"))
_scanned: Final = st.sampled_from(("people", "one person", "issues", "by rank", "by label"))


def columns(depth: int) -> st.SearchStrategy[tuple[ColumnRecipe, ...]]:
    """Some columns, whose rows have columns `depth` times deeper."""
    nested = st.just(()) if not depth else st.just(()) | columns(depth - 1)
    froms = st.tuples(st.sampled_from(("row", "row", "column", "part")), _small)
    return st.lists(_column(froms, nested), max_size=3).map(tuple)


def _column(
    froms: st.SearchStrategy[Any],
    nested: st.SearchStrategy[tuple[ColumnRecipe, ...]],
    words: st.SearchStrategy[Any] = _words,
) -> st.SearchStrategy[ColumnRecipe]:
    return st.builds(ColumnRecipe, words, froms, _scanned, st.booleans(), nested)


_rows: Final = st.one_of([WORDS[word] for word in ("scan", "window", "get", "get_each")])
#: Rows of some part, at times with other parts around, and their children.
with_children: st.SearchStrategy[Tree] = st.tuples(
    _rows,
    st.lists(st.one_of(*WORDS.values()), max_size=2),
    st.builds(EntriesRecipe, _small, columns(2)),
).map(lambda made: (made[0], *made[1], made[2]))

_of_row = st.just(("row", 0))
_of_another = st.sampled_from((("column", 0), ("part", 1), ("row", 0)))
_lone_child = _column(_of_row, st.just(())).map(lambda child: (child,))
_pair = st.tuples(
    _column(_of_row, st.just(()) | _lone_child) | _column(_of_row, _lone_child, st.just("scan")),
    _column(_of_another, st.just(())),
)
_all_issues = st.just(ScanRecipe("all issues", 1, None, False, "all", 1, "hidden"))
_newest = st.just(WindowRecipe("issues", 1, (("part", 0), 0), 1, 1, "hidden"))
_person = st.builds(GetRecipe, st.just("people"), _small, st.booleans(), st.just("hidden"))
#: Where children hang together: issues, a person beside them, a column and one that reads it or the person.
close_children: st.SearchStrategy[Tree] = st.one_of(
    st.tuples(_all_issues, _person, st.builds(EntriesRecipe, st.just(0), _pair)),
    st.tuples(_person, _newest, st.builds(EntriesRecipe, st.just(1), _pair)),
)
#: Values with children, beside parts that say which values, and a part that reads how many there are.
each_value: st.SearchStrategy[Any] = st.tuples(
    _person,
    st.builds(EachRecipe, st.just(("part", 0)) | st.integers(0, 3), _pair | _lone_child),
    st.builds(GetRecipe, st.just("people"), st.just(("part", 1)), st.booleans(), st.just("rows")),
)
