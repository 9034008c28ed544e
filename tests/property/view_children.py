"""What hangs on rows, by definition: straight out of the store, with no code of the views in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.property.view_columns import (
    ColumnRecipe,
    EachRecipe,
    EntriesRecipe,
    Entry,
    Term,
    name_of,
    stand_in,
)
from tests.property.view_laws import Step
from tests.property.view_trees import SCANNED, Source, Tree, some_fields
from tests.unit.views.fakes import FakeStore, issue_key

from pillarbox.views import Interests, Part, Reads, View, Window


def check_children(tree: Tree, start: Step) -> None:
    """The entries of a view, freshly loaded, are what their definition says."""
    store, parts = _opened(tree, start)
    recipe = tree[-1]
    assert isinstance(recipe, EntriesRecipe)

    value = parts[-1].value

    entries = value.entries if isinstance(value, Window) else value
    rows: Any = parts[recipe.of].rows  # type: ignore[attr-defined]  # of a scan or a window
    assert entries == tuple(_entry(recipe.columns, row, parts[:-1], store) for row in rows)


def check_each(tree: Tree, start: Step) -> None:
    """There is one entry for each value that is listed, stored or not."""
    store, parts = _opened(tree, start)
    recipe = tree[1]
    assert isinstance(recipe, EachRecipe)

    value = parts[1].value

    items = dict.fromkeys(recipe.items(Source(recipe.of, parts[:1])()) or ())
    assert value == tuple(_entry(recipe.columns, item, parts[:1], store) for item in items)


def _opened(tree: Tree, start: Step) -> tuple[FakeStore, list[Part]]:
    """A store, and the parts of a tree loaded from it."""
    store = FakeStore()
    start.commit(store)
    parts: list[Part] = []
    for recipe in tree:
        parts.append(recipe.make(parts))
    View[Any](("alone",), parts, lambda: None, names=tuple(map(str, range(len(parts)))))  # type: ignore[arg-type]
    interests = Interests()
    for part in parts:
        part.open(interests, Reads(store.readers))
    return store, parts


def _entry(columns: Sequence[ColumnRecipe], row: Any, parts: Sequence[Part], store: FakeStore) -> Entry:
    values: list[Any] = []
    shown: list[Any] = []
    for number, column in enumerate(columns):
        term = Term(column.source, number, parts)
        given = [row, *[values[other] for other in term.needs]]
        found, seen = _child(column, term, given, parts, store)
        values.append(found)
        shown.append(seen)
    return Entry((row, *shown))


def _child(
    column: ColumnRecipe, term: Term, given: list[Any], parts: Sequence[Part], store: FakeStore
) -> tuple[Any, Any]:
    """What later columns read, and what the entry shows."""

    def show(row: Any) -> Any:
        if column.children:
            return _entry(column.children, row, parts, store)
        return some_fields(row) if column.option else row

    number = term(*given)
    match column.word:
        case "get":
            person = None if number is None else store.people.get(number)
            if person is None and column.option:
                person = stand_in(number)
            return person, None if person is None else show(person)
        case "issue":
            issue = None if number is None else store.issues.get(issue_key(1, number))
            return issue, None if issue is None else show(issue)
        case "get_each":
            people = [store.people[key] for key in dict.fromkeys(term.people(*given)) if key in store.people]
            return {name_of(one): one for one in people}, {name_of(one): show(one) for one in people}
        case "value":
            return (number, column.option), (number, column.option)
        case "each":
            items = tuple(dict.fromkeys(term.people(*given)))
            return items, tuple(_entry(column.children, item, parts, store) for item in items)
        case "count":
            source = SCANNED[column.what][1]
            rows = () if number is None else _rows("issues" if source else column.what, number, store)
            return len(rows), len(rows)
        case "scan":
            rows = () if number is None else _rows(column.what, number, store)
            rows = (rows[::-1] if column.option else rows)[:2]
            return rows, tuple(show(row) if column.children else row for row in rows)


def _rows(what: str, number: int, store: FakeStore) -> tuple[Any, ...]:
    """All rows under a prefix, in key order."""
    spec, source, prefix_of = SCANNED[what]
    prefix = prefix_of(number)
    found: list[Any] = []
    keys: Any = store.tables[spec.id]
    for key in sorted(keys):
        if key == prefix or (isinstance(prefix, bytes) and (isinstance(key, int) or key.startswith(prefix))):
            row = spec.row(key, store.tables[spec.id][key])
            found.append(store.issues[source["source_key"](row)] if source else row)
    return tuple(found)
