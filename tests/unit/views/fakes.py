"""A tiny issue tracker in dicts: tables, indexes and change records, without any engine.

Depends on: tables, views.  Never on: storage that stores, transactions.

Law: a commit's record has a key exactly if its cell differs from before, and readers see the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from pillarbox.storage import Search, StoredKey, TableLayout, mark, marked, stored_text
from pillarbox.tables import Cell, ChangeRecord, TableReader, TableSpec


class Person(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Key: `person_id`, an int."""

    person_id: int
    name: str = ""
    team: int = 0


class Issue(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Key: `project`, `number`, a byte each."""

    project: int
    number: int
    rank: int = 0
    open: bool = True
    assignee: int | None = None
    labels: tuple[int, ...] = ()


class ByRank(NamedTuple):
    """Index: issues of a project by rank."""

    project: int
    rank: int
    number: int


class ByLabel(NamedTuple):
    """Index: an issue once per label, so that one project's prefix has an issue several times."""

    project: int
    label: int
    number: int


class ByNumber(NamedTuple):
    """Index whose value tells where the row is: one number belongs to one project at a time."""

    number: int
    project: int


def issue_key(project: int, number: int) -> bytes:
    """Two bytes."""
    return bytes((project, number))


def _spec(
    number: int,
    name: str,
    key_of: Callable[[Any], StoredKey],
    row: Callable[[StoredKey, Cell], Any],
    cell_of: Callable[[Any], Cell],
    *,
    int_key: bool = False,
) -> TableSpec[Any]:
    layout = TableLayout(id=number, name=name, int_key=int_key, key_width=None, heap=False)
    spec: TableSpec[Any] = TableSpec(
        layout=layout,
        role="primary",
        key_of=key_of,
        cell_of=cell_of,
        row=row,
        key_fields=lambda key: (key,) if isinstance(key, int) else tuple(key),
    )
    return forgetful(spec)


def forgetful(spec: TableSpec[Any]) -> TableSpec[Any]:
    """A table of cells that are objects, which makes a row each time it is asked.

    Remembered by what it equals, a row would hide who makes it again without need.
    """
    object.__setattr__(spec, "row", getattr(spec.row, "__wrapped__", spec.row))
    return spec


def _second(key: StoredKey, cell: Cell) -> Any:
    return cell


def _same(row: Any) -> Cell:
    return row


def _bytes(key: StoredKey) -> bytes:
    assert isinstance(key, bytes)
    return key


PEOPLE: Final[TableSpec[Person]] = _spec(1, "people", lambda row: row.person_id, _second, _same, int_key=True)
ISSUES: Final[TableSpec[Issue]] = _spec(
    2, "issues", lambda row: issue_key(row.project, row.number), _second, _same
)
BY_RANK: Final[TableSpec[ByRank]] = _spec(
    3, "by_rank", bytes, lambda key, cell: ByRank(*_bytes(key)), lambda row: b""
)
BY_LABEL: Final[TableSpec[ByLabel]] = _spec(
    4, "by_label", bytes, lambda key, cell: ByLabel(*_bytes(key)), lambda row: b""
)
BY_NUMBER: Final[TableSpec[ByNumber]] = _spec(
    5,
    "by_number",
    lambda row: bytes((row.number,)),
    lambda key, cell: ByNumber(_bytes(key)[0], cell[0]),
    lambda row: bytes((row.project,)),
)
WORDS: Final[TableSpec[Any]] = _spec(6, "words", bytes, _second, _same)


def text_of(issue: Issue) -> str | None:
    """What an issue is found by; None where it is not to be found."""
    if issue.assignee == 3:
        return None
    return " ".join(
        ("fix", "fixed", "broken", "fix fix")[issue.rank : issue.rank + 1] + ("red",) * len(issue.labels)
    )


def _words_of(issue: Issue) -> bytes | None:
    """As generated code packs it: a head, then the text with its marks."""
    text = text_of(issue)
    return None if text is None else b"12345" + marked(text, [mark(0, issue.project)]).encode()


def _decoded(cell: Cell | None) -> Cell | None:
    """A new object on every read, as decoding gives."""
    return msgspec.structs.replace(cell) if isinstance(cell, msgspec.Struct) else cell


class FakeReader(TableReader[Any]):
    """Reads one dict; every call is entered in `log` as (method, table name)."""

    __slots__ = ("_cells", "_log")

    def __init__(
        self, spec: TableSpec[Any], cells: Mapping[StoredKey, Cell], log: list[tuple[str, str]]
    ) -> None:
        self.spec = spec
        self._cells = cells
        self._log = log

    def cell(self, key: StoredKey) -> Cell | None:
        self._log.append(("cell", self.spec.name))
        return _decoded(self._cells.get(key))

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        self._log.append(("cells_at", self.spec.name))
        return {key: _decoded(self._cells[key]) for key in keys if key in self._cells}

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        self._log.append(("scan", self.spec.name))
        keys: list[Any] = sorted(
            (key for key in self._cells if (low is None or key >= low) and (high is None or key < high)),  # type: ignore[operator]
            reverse=newest_first,
        )
        return [(key, _decoded(self._cells[key])) for key in keys[:limit]]

    def found(
        self,
        search: Search,
        low: StoredKey | None = None,
        high: StoredKey | None = None,
        *,
        newest_first: bool = True,
        limit: int | None = None,
    ) -> list[StoredKey]:
        rows = self.scan_cells(low, high, newest_first=newest_first)
        return [key for key, cell in rows if search.finds(stored_text(cell))][:limit]


class FakeStore:
    """People and issues, and the three indexes and the words of issues."""

    def __init__(self) -> None:
        self.people: dict[StoredKey, Person] = {}
        self.issues: dict[StoredKey, Issue] = {}
        self.tables: dict[int, dict[StoredKey, Cell]] = {number: {} for number in range(1, 7)}
        self.log: list[tuple[str, str]] = []
        specs = (PEOPLE, ISSUES, BY_RANK, BY_LABEL, BY_NUMBER, WORDS)
        self.readers: dict[int, TableReader[Any]] = {
            spec.id: FakeReader(spec, self.tables[spec.id], self.log) for spec in specs
        }

    def commit(
        self,
        *,
        people: Iterable[Person] = (),
        issues: Iterable[Issue] = (),
        no_people: Iterable[int] = (),
        no_issues: Iterable[tuple[int, int]] = (),
    ) -> ChangeRecord:
        """Put rows, then remove some; rows equal to the stored ones change nothing."""
        for person in people:
            self.people[person.person_id] = person
        for person_id in no_people:
            self.people.pop(person_id, None)
        for issue in issues:
            self.issues[issue_key(issue.project, issue.number)] = issue
        for project, number in no_issues:
            self.issues.pop(issue_key(project, number), None)
        return self._seal()

    def _seal(self) -> ChangeRecord:
        tables = {}
        for number, wanted in self._derive().items():
            stored = self.tables[number]
            changes = {
                key: (stored.get(key), wanted.get(key))
                for key in {**stored, **wanted}
                if stored.get(key) != wanted.get(key)
            }
            # An unchanged row keeps its object, as it would in a file that nobody wrote to.
            for key, (_, after) in changes.items():
                if after is None:
                    del stored[key]
                else:
                    stored[key] = after
            if changes:
                tables[number] = changes
        return ChangeRecord(tables)

    def _derive(self) -> dict[int, dict[StoredKey, Cell]]:
        issues = self.issues.values()
        return {
            PEOPLE.id: dict(self.people),
            ISSUES.id: dict(self.issues),
            BY_RANK.id: {bytes((row.project, row.rank, row.number)): b"" for row in issues},
            BY_LABEL.id: {
                bytes((row.project, label, row.number)): b"" for row in issues for label in row.labels
            },
            BY_NUMBER.id: {
                bytes((row.number,)): bytes((row.project,))
                for row in sorted(issues, key=lambda row: row.project)
            },
            WORDS.id: {
                issue_key(row.project, row.number): cell
                for row in issues
                if (cell := _words_of(row)) is not None
            },
        }
