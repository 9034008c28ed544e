"""Random scans over several prefixes and between bounds, what they show by definition, and planted faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.view_laws import Step
from tests.property.view_trees import (
    SCANNED,
    GetRecipe,
    Number,
    Show,
    Source,
    is_small,
    shown_as,
    some_fields,
)
from tests.unit.views.fakes import PEOPLE, FakeStore, Person

from pillarbox.storage import StoredKey
from pillarbox.views import (
    Back,
    GetColumn,
    Interests,
    LaneScan,
    Part,
    Reads,
    Scan,
    View,
    Where,
    rows_under,
)

from tests.unit.views.fakes import ISSUES, issue_key  # isort: skip


@dataclass(frozen=True)
class LanesRecipe:
    """Rows of several prefixes: numbers that are fixed, or that an earlier part gives."""

    what: str
    prefixes: tuple[Number, ...]
    chain: bool
    limit: Number | None
    newest_first: bool
    where: Literal["all", "small", "asked"]
    show: Show

    def make(self, parts: Sequence[Part]) -> Part:
        spec, source, prefix_of = SCANNED[self.what]
        numbers = [Source(number, parts) for number in self.prefixes]
        limit = None if self.limit is None else Source(self.limit, parts)

        def prefixes() -> list[StoredKey] | None:
            found = [number() for number in numbers]
            return None if 0 in found else [prefix_of(number) for number in found if number is not None]

        after = [part for number in numbers for part in number.after]
        where: Any = {"all": None, "small": is_small, "asked": asked()}[self.where]
        return LaneScan(
            spec,
            prefixes=prefixes,
            chain=self.chain,
            limit=limit,
            newest_first=self.newest_first,
            where=where,
            after=after + ([] if limit is None else list(limit.after)),
            **source,
            **shown_as(self.show),
        )


def asked() -> Where:
    """Issues of people called "a"."""

    def of_person(reads: Reads, person: Person) -> list[bytes]:
        issues = rows_under(reads, ISSUES, b"")
        return [issue_key(one.project, one.number) for one in issues if one.assignee == person.person_id]

    columns = [GetColumn(PEOPLE, key=lambda row: row.assignee)]
    test = lambda row, person: person is not None and person.name == "a"  # noqa: E731
    return Where(ISSUES, columns, test, needs=(0,), back=[Back(PEOPLE, of_person)])


@dataclass(frozen=True)
class BoundedRecipe:
    """Issues of a project between two numbers, either of which may be absent."""

    what: Literal["issues", "by rank", "people"]
    low: Number | None
    high: Number | None
    limit: int | None
    newest_first: bool

    def make(self, parts: Sequence[Part]) -> Part:
        spec, source, _ = SCANNED[self.what]
        low, high = (None if at is None else Source(at, parts) for at in (self.low, self.high))

        def key(number: int) -> StoredKey:
            return number if spec.int_key else bytes((1, number))

        return Scan(
            spec,
            prefix=lambda: b"" if spec.int_key else b"\1",
            low=None if low is None else low.key(key),
            high=None if high is None else high.key(key),
            limit=lambda: self.limit,
            newest_first=self.newest_first,
            after=[part for at in (low, high) if at is not None for part in at.after],
            **source,
        )


_small: Final = st.integers(0, 3)
_numbers: Final = _small | st.tuples(st.just("part"), st.just(0))
_person: Final = st.builds(GetRecipe, st.just("people"), _small, st.booleans(), st.just("rows"))
_lanes: Final = st.builds(
    LanesRecipe,
    st.sampled_from(("issues", "by rank", "one rank", "by label", "bare ranks", "one person")),
    st.lists(_numbers, max_size=3).map(tuple),
    st.booleans(),
    st.none() | st.integers(0, 3) | st.just(("part", 0)),
    st.booleans(),
    st.sampled_from(("all", "all", "small")),
    st.sampled_from(("rows", "rows", "some fields", "hidden")),
)
_asking: Final = st.builds(
    LanesRecipe,
    st.sampled_from(("issues", "by rank", "by label")),
    st.lists(_numbers, min_size=1, max_size=2).map(tuple),
    st.booleans(),
    st.none() | st.integers(1, 2),
    st.booleans(),
    st.just("asked"),
    st.just("rows"),
)
#: A person who says which lanes there are and how much is shown, and lanes.
lanes: st.SearchStrategy[Any] = st.tuples(_person, _lanes | _asking)
lone_lanes: st.SearchStrategy[Any] = _lanes
bounded: st.SearchStrategy[Any] = st.tuples(
    _person,
    st.builds(
        BoundedRecipe,
        st.sampled_from(("issues", "by rank", "people")),
        st.none() | _numbers,
        st.none() | _numbers,
        st.none() | st.integers(0, 2),
        st.booleans(),
    ),
)


def check_lanes(recipe: LanesRecipe, start: Step) -> None:
    """Fresh lanes have what their definition says; there is no part before them."""
    store = FakeStore()
    start.commit(store)
    part = recipe.make(())
    View[Any](("alone",), (part,), lambda: None, names=("part",))  # type: ignore[arg-type]

    part.open(Interests(), Reads(store.readers))

    numbers = [number if isinstance(number, int) else 1 for number in recipe.prefixes]
    prefixes = [] if 0 in numbers else list(dict.fromkeys(SCANNED[recipe.what][2](one) for one in numbers))
    found = [entry for place, prefix in enumerate(prefixes) for entry in _lane(recipe, place, prefix, store)]
    if not recipe.chain:
        found.sort(key=lambda entry: entry[1])
        if recipe.newest_first:
            found = sorted(found, key=lambda entry: entry[0])
            found.sort(key=lambda entry: tuple(-byte for byte in entry[1]) + (1,) * (3 - len(entry[1])))
    limit = recipe.limit if recipe.limit is None or isinstance(recipe.limit, int) else 1
    rows = [row for _, _, row in found[:limit]]
    assert part.value == tuple(some_fields(row) if recipe.show == "some fields" else row for row in rows)


def _lane(recipe: LanesRecipe, place: int, prefix: Any, store: FakeStore) -> list[tuple[int, bytes, Any]]:
    """(lane, what follows the prefix, row) of all that count, in the lane's order."""
    spec, source, _ = SCANNED[recipe.what]
    keys: Any = store.tables[spec.id]
    found = []
    for key in sorted(keys, reverse=recipe.newest_first):
        if key != prefix if isinstance(key, int) else not key.startswith(prefix):
            continue
        row = spec.row(key, keys[key])
        row = store.issues[source["source_key"](row)] if source else row
        if recipe.where != "small" or is_small(row):
            found.append((place, b"" if isinstance(key, int) else key[len(prefix) :], row))
    return found


def _fault(law: Literal["lanes", "lane", "bounds"], *fault: Any) -> tuple[str, Fault]:
    return law, Fault(*fault)


LANE_FAULTS: Final = (
    _fault(
        "lanes", "a lane that is left stays open", LaneScan, "_open_lanes", "self._close_lane(lane)", "pass"
    ),
    _fault("lanes", "a new lane is folded once more", LaneScan, "replay", "lane not in opened", "True"),
    _fault(
        "lanes", "a lane's index rows are not followed", LaneScan, "_fold", "stretch not in routed", "True"
    ),
    _fault(
        "lanes",
        "another order tells nobody",
        LaneScan,
        "replay",
        "list(self._lanes) != before",
        "bool(opened)",
    ),
    _fault(
        "lanes",
        "another limit tells nobody",
        LaneScan,
        "replay",
        "self._count() != self._limited_to",
        "False",
    ),
    _fault(
        "lanes", "rows that pass are new objects", LaneScan, "_in_order", "kept(held.get(own), row)", "row"
    ),
    _fault(
        "lanes",
        "lanes are not asked again",
        LaneScan,
        "replay",
        "again = self._where.again(reads, routed)",
        "pass",
    ),
    _fault("lanes", "equal rows of two lanes are two", LaneScan, "_in_order", "if one is None:", "if True:"),
    _fault(
        "lane",
        "doubles are two lanes",
        LaneScan,
        "_in_order",
        "self._lanes.values()",
        "[*self._lanes.values(), *list(self._lanes.values())[:1]]",
    ),
    _fault(
        "lane",
        "the whole key orders",
        LaneScan,
        "_in_order",
        "one[0].place(one[1])",
        "(one[0].prefix, one[1])",
    ),
    _fault(
        "bounds", "a bound is not looked at anew", Scan, "replay", "self._look() != self._bounds", "False"
    ),
    _fault(
        "bounds", "what is out of bounds is folded", Scan, "replay", "self._bounds != _UNBOUNDED", "False"
    ),
)
