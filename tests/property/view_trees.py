"""Random part trees over the fake tables of `tests.unit.views.fakes`.

A tree is a tuple of recipes; a recipe makes its part from the parts before it, so the same tree can be
made again for a fresh view. Wherever a recipe draws a key, it is fixed or comes from an earlier part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tests.unit.views.fakes import BY_LABEL, BY_NUMBER, BY_RANK, ISSUES, PEOPLE, Issue, Person, issue_key

from pillarbox.storage import StoredKey
from pillarbox.views import (
    Aggregate,
    AnyOf,
    Count,
    Each,
    EveryOf,
    Fold,
    Get,
    GetEach,
    ListPart,
    Max,
    Min,
    Part,
    Scan,
    Sum,
    Value,
    View,
    WindowAt,
)

#: A number that is fixed, or that an earlier part gives (by place, counted modulo the parts there are).
Number: TypeAlias = "int | tuple[Literal['part'], int]"
Show: TypeAlias = Literal["rows", "some fields", "hidden"]


def number_from(part: Part) -> int | None:
    """What a part gives to those that depend on it: small, or None."""
    if isinstance(part, Get):
        row = part.row
        if row is None:
            return None
        return row.team if isinstance(row, Person) else row.assignee
    if isinstance(part, Aggregate):
        value = part.value
        return None if value is None else int(value) % 4
    if isinstance(part, GetEach):
        return len(part.rows)
    if isinstance(part, Each):
        return len(part.items) or None
    if isinstance(part, Value):
        number: int | None = part.value[1]
        return number
    assert isinstance(part, ListPart)
    return len(part.held_rows) or None


class Source:
    """A `Number` among the parts made so far."""

    def __init__(self, number: Number, parts: Sequence[Part]) -> None:
        self.after: tuple[Part, ...] = ()
        self._fixed = 1
        if isinstance(number, int):
            self._fixed = number
        elif parts:
            self.after = (parts[number[1] % len(parts)],)

    def __call__(self) -> int | None:
        return number_from(self.after[0]) if self.after else self._fixed

    def key(self, make: Callable[[int], StoredKey]) -> Callable[[], StoredKey | None]:
        """The key that the number makes, None without number."""
        return lambda: None if (number := self()) is None else make(number)


def named_people(row: Any) -> tuple[int, ...]:
    """The people that a row of any table names, the same one twice at times."""
    if isinstance(row, Issue):
        return row.labels if row.assignee is None else (row.assignee, *row.labels)
    if isinstance(row, Person):
        return (row.team,)
    return (row.number,)


def some_fields(row: Any) -> Any:
    """A projection that keeps the key."""
    if isinstance(row, Issue):
        return (row.project, row.number, row.open)
    return (row.person_id, row.name) if isinstance(row, Person) else row


def shown_as(show: Show) -> dict[str, Any]:
    """The options of a part that is shown so."""
    return {"show": some_fields} if show == "some fields" else {"hidden": True} if show == "hidden" else {}


@dataclass(frozen=True)
class GetRecipe:
    """One person or one issue."""

    table: Literal["people", "issues"]
    at: Number
    default: bool
    show: Show

    def make(self, parts: Sequence[Part]) -> Part:
        at = Source(self.at, parts)
        options: dict[str, Any] = shown_as(self.show)
        if self.table == "people":
            if self.default:
                options["default"] = lambda: Person(0)
            return Get(PEOPLE, at=at.key(lambda number: number), after=at.after, **options)
        if self.default:
            options["default"] = lambda: Issue(0, 0)
        return Get(ISSUES, at=at.key(lambda number: issue_key(1, number)), after=at.after, **options)


#: What can be scanned: spec, source options, and the prefix that a number makes.
SCANNED: Final[dict[str, tuple[Any, dict[str, Any], Callable[[int], StoredKey]]]] = {
    "people": (PEOPLE, {}, lambda number: b""),
    "one person": (PEOPLE, {}, lambda number: number),
    "issues": (ISSUES, {}, lambda number: bytes((number,))),
    "all issues": (ISSUES, {}, lambda number: b""),
    "by rank": (
        BY_RANK,
        {"source": ISSUES, "source_key": lambda row: issue_key(row.project, row.number)},
        lambda number: bytes((number,)),
    ),
    "one rank": (
        BY_RANK,
        {"source": ISSUES, "source_key": lambda row: issue_key(row.project, row.number)},
        lambda number: bytes((1, number)),
    ),
    "by label": (
        BY_LABEL,
        {"source": ISSUES, "source_key": lambda row: issue_key(row.project, row.number)},
        lambda number: bytes((number,)),
    ),
    "by number": (
        BY_NUMBER,
        {"source": ISSUES, "source_key": lambda row: issue_key(row.project, row.number)},
        lambda number: b"",
    ),
    "bare ranks": (BY_RANK, {}, lambda number: bytes((number,))),
}


@dataclass(frozen=True)
class ScanRecipe:
    """Rows of a table or index."""

    what: str
    prefix: Number
    limit: Number | None
    newest_first: bool
    where: Literal["all", "small", "like"]
    like: Number
    show: Show

    def make(self, parts: Sequence[Part]) -> Part:
        spec, source, prefix_of = SCANNED[self.what]
        prefix = Source(self.prefix, parts)
        limit = None if self.limit is None else Source(self.limit, parts)
        like = Source(self.like, parts)
        where: Callable[[Any], bool] | None = None
        row_after: tuple[Part, ...] = ()
        if self.where == "small":
            where = is_small
        elif self.where == "like":
            where = lambda row: like() in named_people(row)  # noqa: E731
            row_after = like.after
        return Scan(
            spec,
            prefix=prefix.key(prefix_of),
            limit=limit,
            newest_first=self.newest_first,
            where=where,
            after=prefix.after + (() if limit is None else limit.after),
            row_after=row_after,
            **source,
            **shown_as(self.show),
        )


def is_small(row: Any) -> bool:
    """A condition over fields that no key has."""
    if isinstance(row, Issue):
        return row.open
    return row.team < 2 if isinstance(row, Person) else row.number < 3


@dataclass(frozen=True)
class WindowRecipe:
    """Rows around an anchor."""

    what: str
    prefix: Number
    anchor: Literal["newest", "oldest"] | tuple[Number, int]
    before_max: int
    after_max: Number
    show: Show

    def make(self, parts: Sequence[Part]) -> Part:
        spec, source, prefix_of = SCANNED[self.what]
        prefix = Source(self.prefix, parts)
        after_max = Source(self.after_max, parts)
        after = prefix.after + after_max.after
        anchor: Any = self.anchor
        if not isinstance(self.anchor, str):
            low, step = self.anchor
            place = Source(low, parts)
            after += place.after
            anchor = place.key(lambda number: self.key(prefix(), number + step))
        return WindowAt(
            spec,
            prefix=prefix.key(prefix_of),
            anchor=anchor,
            before_max=lambda: self.before_max,
            after_max=lambda: after_max() or 0,
            after=after,
            **source,
            **shown_as(self.show),
        )

    def key(self, prefix: int | None, number: int) -> StoredKey:
        """A whole key near the prefix, at times outside of it."""
        spec, _, prefix_of = SCANNED[self.what]
        if spec.int_key:
            return number
        found = prefix_of(prefix or 0)
        assert isinstance(found, bytes)
        return (found[: number % 3] + bytes((number,)) * 3)[:3]


@dataclass(frozen=True)
class GetEachRecipe:
    """People named by the rows of an earlier part, or listed."""

    of: int
    numbers: tuple[Number, ...]
    show: Show

    def make(self, parts: Sequence[Part]) -> Part:
        lists = [part for part in parts if isinstance(part, ListPart)]
        options = {"name": lambda row: f"person {row.person_id}", **shown_as(self.show)}
        if lists and not self.numbers:
            return GetEach(PEOPLE, of=lists[self.of % len(lists)], keys=named_people, **options)
        sources = [Source(number, parts) for number in self.numbers]

        def at() -> Iterable[StoredKey] | None:
            numbers = [source() for source in sources]
            return None if 0 in numbers else [number for number in numbers if number is not None]

        return GetEach(PEOPLE, at=at, after=[part for source in sources for part in source.after], **options)


FOLDS: Final[dict[str, Callable[[], Fold[Any, Any]]]] = {
    "count": Count,
    "sum": lambda: Sum(lambda row: sum(named_people(row))),
    "any": lambda: AnyOf(is_small),
    "every": lambda: EveryOf(is_small),
    "min": lambda: Min(lambda row: min(named_people(row), default=None)),
    "max": lambda: Max(lambda row: max(named_people(row), default=None)),
}


@dataclass(frozen=True)
class AggregateRecipe:
    """A fold over a prefix, or over an earlier part."""

    fold: str
    what: str
    prefix: Number
    of: int | None
    where: bool
    hidden: bool

    def make(self, parts: Sequence[Part]) -> Part:
        lists = [part for part in parts if isinstance(part, ListPart)]
        fold = FOLDS[self.fold]()
        where = is_small if self.where else None
        if lists and self.of is not None:
            return Aggregate(fold, lists[self.of % len(lists)], where=where, hidden=self.hidden)
        spec, _, prefix_of = SCANNED[self.what]
        prefix = Source(self.prefix, parts)
        return Aggregate(
            fold, spec, prefix=prefix.key(prefix_of), where=where, after=prefix.after, hidden=self.hidden
        )


@dataclass(frozen=True)
class ValueRecipe:
    """A term over an earlier part."""

    of: Number
    hidden: bool

    def make(self, parts: Sequence[Part]) -> Part:
        of = Source(self.of, parts)
        return Value(lambda: ("value", of()), after=of.after, hidden=self.hidden)


Recipe: TypeAlias = GetRecipe | ScanRecipe | WindowRecipe | GetEachRecipe | AggregateRecipe | ValueRecipe
Tree: TypeAlias = tuple[Recipe, ...]
Snapshot: TypeAlias = dict[str, Any]


def view_of(tree: Tree, held: Collection[int] = ()) -> View[Snapshot]:
    """A new view, not loaded. Its snapshot has the values of the parts that are not hidden, by name.

    `held` are the places of the parts that are taken when it is opened.
    """
    parts: list[Part] = []
    for recipe in tree:
        parts.append(recipe.make(parts))
    names = [f"{type(recipe).__name__}{at}" for at, recipe in enumerate(tree)]
    shown = [(name, part) for name, part in zip(names, parts, strict=True) if part.shows]
    key: Any = ("tree",)
    return View(
        key,
        parts,
        lambda: {name: part.value for name, part in shown},
        names=names,
        held=[part for at, part in enumerate(parts) if at in held],
    )
