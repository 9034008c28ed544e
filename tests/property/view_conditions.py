"""Random lists whose condition reads what hangs on their rows, and faults planted into them.

The condition of an issue reads who it is assigned to, that person's team leader, who has the number of the
team, and the issues of the same number in the other project. By definition it is worked out of the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.view_laws import Step
from tests.property.view_trees import SCANNED, GetRecipe, Number, Source, Tree
from tests.unit.views.fakes import ISSUES, PEOPLE, FakeStore, Issue, Person, issue_key

from pillarbox.views import (
    Back,
    Column,
    GetColumn,
    GetEachColumn,
    Interests,
    Part,
    PartColumn,
    Reads,
    Scan,
    ValueColumn,
    View,
    Where,
    rows_under,
)

Asked = Literal["assignee", "leader", "labels", "twins", "term"]


def _all_issues(reads: Reads) -> list[Issue]:
    return rows_under(reads, ISSUES, b"")


def _of_person(reads: Reads, person: Person) -> Iterable[bytes]:
    """The issues that name a person."""
    return [
        issue_key(issue.project, issue.number)
        for issue in _all_issues(reads)
        if issue.assignee == person.person_id or person.person_id in issue.labels
    ]


def _of_leader(reads: Reads, leader: Person) -> Iterable[bytes]:
    """The issues of people whose team has the number of a leader."""
    people = [one for one in rows_under(reads, PEOPLE, b"") if one.team == leader.person_id]
    return [key for person in people for key in _of_person(reads, person)]


def columns() -> list[Column]:
    """What the conditions read, in the order of `Asked`."""
    return [
        GetColumn(PEOPLE, key=lambda row: row.assignee, default=lambda row: Person(0, "none")),
        GetColumn(PEOPLE, key=lambda row, person: person.team or None, needs=(0,)),
        GetEachColumn(PEOPLE, keys=lambda row: row.labels, name=lambda row: row.person_id),
        PartColumn(
            of=lambda row: bytes((3 - row.project,)) if row.project in (1, 2) else None,
            make=lambda prefix: Scan(ISSUES, prefix=lambda: prefix, limit=lambda: 2),
            empty=(),
        ),
        ValueColumn(lambda row, person: person.team + row.number, needs=(0,)),
    ]


def counts_by(asked: Asked, like: int, row: Issue, values: Sequence[Any]) -> bool:
    """Whether an issue counts; `values` are those of all columns."""
    assignee, leader, labels, twins, term = values
    match asked:
        case "assignee":
            return bool(assignee.name != "b" and row.rank != like)
        case "leader":
            return leader is not None and leader.name == "a"
        case "labels":
            return any(person.name == "a" for person in labels.values())
        case "twins":
            return any(twin.open and twin.rank < 2 for twin in twins)
        case "term":
            return bool(term % 2 == like % 2)


#: The ways back of each column. The scan of twins reads a project, any change of which is one of the other.
_BACK: Final = {
    "assignee": [Back(PEOPLE, _of_person)],
    "leader": [Back(PEOPLE, _of_leader), Back(PEOPLE, _of_person)],
    "labels": [Back(PEOPLE, _of_person)],
    "twins": [
        Back(
            ISSUES,
            lambda reads, twin: [
                issue_key(issue.project, issue.number)
                for issue in _all_issues(reads)
                if issue.project != twin.project
            ],
        )
    ],
    "term": [Back(PEOPLE, _of_person)],
}
_NEEDS: Final = {"assignee": 0, "leader": 1, "labels": 2, "twins": 3, "term": 4}


@dataclass(frozen=True)
class AskingRecipe:
    """A list of issues by a condition that asks what hangs on them."""

    what: str
    prefix: Number
    limit: Number | None
    newest_first: bool
    asked: Asked
    like: Number

    def make(self, parts: Sequence[Part]) -> Part:
        spec, source, prefix_of = SCANNED[self.what]
        prefix, like = Source(self.prefix, parts), Source(self.like, parts)
        limit = None if self.limit is None else Source(self.limit, parts)
        at = _NEEDS[self.asked]

        def test(row: Issue, value: Any) -> bool:
            values: list[Any] = [None] * len(_NEEDS)
            values[at] = value
            return counts_by(self.asked, like() or 0, row, values)

        return Scan(
            spec,
            prefix=prefix.key(prefix_of),
            limit=limit,
            newest_first=self.newest_first,
            where=Where(ISSUES, columns(), test, needs=(at,), back=_BACK[self.asked]),
            after=prefix.after + (() if limit is None else limit.after),
            row_after=like.after,
            **source,
        )


_small: Final = st.integers(0, 3)
_asking = st.builds(
    AskingRecipe,
    st.sampled_from(("all issues", "all issues", "issues", "by rank", "by label", "by number")),
    st.just(1),
    st.none() | st.integers(1, 3),
    st.booleans(),
    st.sampled_from(tuple(_NEEDS)),
    _small,
)
#: Alone, or below a person whose team they are asked about.
lone_conditions: st.SearchStrategy[Any] = _asking.map(lambda recipe: (recipe,))
conditions: st.SearchStrategy[Any] = lone_conditions | st.tuples(
    st.builds(GetRecipe, st.just("people"), _small, st.just(False), st.just("rows")),
    st.builds(
        AskingRecipe,
        st.sampled_from(("all issues", "by rank")),
        st.just(1),
        st.just(2),
        st.booleans(),
        st.just("term"),
        st.just(("part", 0)),
    ),
)


def check_condition(tree: Tree, start: Step) -> None:
    """A fresh list has the rows of which the definition says that they count."""
    store = FakeStore()
    start.commit(store)
    (recipe,) = tree
    assert isinstance(recipe, AskingRecipe)
    part = recipe.make(())
    View[Any](("alone",), (part,), lambda: None, names=("part",))  # type: ignore[arg-type]

    part.open(Interests(), Reads(store.readers))

    spec, source, prefix_of = SCANNED[recipe.what]
    prefix = prefix_of(1)
    found = []
    keys: Any = store.tables[spec.id]
    for key in sorted(keys, reverse=recipe.newest_first):
        if not key.startswith(prefix):
            continue
        row = spec.row(key, keys[key])
        issue = store.issues[source["source_key"](row)] if source else row
        if _counts(recipe, issue, store):
            found.append(issue)
    limit = recipe.limit
    assert isinstance(limit, int | None)
    assert part.value == tuple(found[:limit])


def _counts(recipe: AskingRecipe, issue: Issue, store: FakeStore) -> bool:
    nobody = Person(0, "none")
    person = store.people.get(issue.assignee, nobody) if issue.assignee is not None else nobody
    others = sorted(key for key in store.issues if isinstance(key, bytes) and key[0] == 3 - issue.project)
    values = (
        person,
        store.people.get(person.team) if person.team else None,
        {label: store.people[label] for label in issue.labels if label in store.people},
        [store.issues[key] for key in others][:2],
        person.team + issue.number,
    )
    assert isinstance(recipe.like, int), "alone there is no part to take it from"
    return counts_by(recipe.asked, recipe.like, issue, values)


def _fault(law: Literal["asking", "asked"], *fault: Any) -> tuple[str, Fault]:
    return law, Fault(*fault)


CONDITION_FAULTS: Final = (
    _fault("asking", "children are not heard of", Where, "again", "routed.get(listener, ())", "()"),
    _fault(
        "asking",
        "a row that counts no more stays",
        Where,
        "_of_table",
        "found.append((key, None, None))",
        "pass",
    ),
    _fault(
        "asking",
        "a row that begins to count is not read",
        Where,
        "_of_table",
        "if cell is not None:",
        "if False:",
    ),
    _fault(
        "asking",
        "a rejected source row stays so",
        Where,
        "_of_sources",
        "shown is None or not self(shown)",
        "shown is not None and not self(shown)",
    ),
    _fault(
        "asking",
        "a shown source row stays so",
        Where,
        "_of_sources",
        "shown is None or not self(shown)",
        "shown is None",
    ),
    _fault(
        "asking",
        "rows outside of the list come in",
        Where,
        "_of_table",
        "key in changed or not lane.reaches(key)",
        "key in changed",
    ),
    _fault(
        "asking",
        "what is held is another object",
        Where,
        "_of_table",
        "elif not self(lane.items[at]):\n            found.append((key, None, None))",
        "else:\n            found.append((key, None, reads.cell(self._rows, key)))",
    ),
    _fault(
        "asking",
        "children stay listened to",
        Where,
        "close",
        "self._interests.remove_prefix(listener.back.table.id, _WHOLE_TABLE, listener)",
        "pass",
    ),
    _fault(
        "asking",
        "rows are asked about as before the commit",
        Scan,
        "replay",
        "self._where.follow(stretch, reads, deltas or (), routed)",
        "self._where.with_again(stretch, reads, deltas or (), routed, self._where.again(reads, routed))",
    ),
    _fault("asked", "no default in a condition", GetColumn, "probe", "self._default is not None", "False"),
    _fault(
        "asked",
        "what is needed is not given",
        Where,
        "__call__",
        "for number in column.needs]",
        "for number in column.needs[1:]]",
    ),
)
