"""The tracker as a package: views, operations and the layout that a box stores.

Depends on: tracker, tracker_tables, box, views.  Never on: hypothesis.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_tables import TrackerTables, TrackerTransaction

from pillarbox.box import Box, Package
from pillarbox.views import Builder, Get, Readers, Scan, View

# ------------------------------------------------------------------------------------------- views


class BoardSnapshot(msgspec.Struct, frozen=True):
    newest: t.Newest | None
    issues: tuple[t.Issue, ...]
    slugs: t.SlugCount | None


class Board(msgspec.Struct, frozen=True):
    """The newest issues of a project, out of three tables."""

    project: int
    limit: int = 3

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[BoardSnapshot]: ...


class One(msgspec.Struct, frozen=True):
    """One issue."""

    project: int
    number: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[OneSnapshot]: ...


class OneSnapshot(msgspec.Struct, frozen=True):
    issue: t.Issue | None


def _board(key: Board, readers: Readers) -> View[BoardSnapshot]:
    group = bytes((key.project,))
    newest = Get(t.NEWEST, at=lambda: group)
    issues = Scan(
        t.BY_RANK,
        prefix=lambda: group,
        newest_first=True,
        limit=lambda: key.limit,
        source=t.ISSUES,
        source_key=lambda row: t.issue_key(row.project, row.number),
    )
    slugs = Get(t.SLUG_COUNTS, at=lambda: group)
    return View(
        key,
        (newest, issues, slugs),
        lambda: BoardSnapshot(newest.value, issues.value, slugs.value),
        names=("newest", "issues", "slugs"),
    )


def _one(key: One, readers: Readers) -> View[OneSnapshot]:
    issue = Get(t.ISSUES, at=lambda: t.issue_key(key.project, key.number))
    return View(key, (issue,), lambda: OneSnapshot(issue.value), names=("issue",))


VIEWS: Final[Mapping[type, Builder]] = {Board: _board, One: _one}

# -------------------------------------------------------------------------------------- operations


class PutIssue(msgspec.Struct, frozen=True):
    issue: t.Issue

    def apply(self, tx: TrackerTransaction) -> None:
        tx.issues.put(self.issue)


class RemoveIssue(msgspec.Struct, frozen=True):
    project: int
    number: int

    def apply(self, tx: TrackerTransaction) -> None:
        tx.issues.remove(self.project, self.number)


class Say(msgspec.Struct, frozen=True):
    event: object

    def apply(self, tx: TrackerTransaction) -> None:
        tx.emit(self.event)


Operation: TypeAlias = PutIssue | RemoveIssue | Say


def replay(
    tx: TrackerTransaction, operations: Sequence[Operation], applied: Iterable[Operation] | None = None
) -> None:
    tx.issues.probe([it.issue for it in operations if isinstance(it, PutIssue)])
    for operation in operations if applied is None else applied:
        operation.apply(tx)


def seed(tx: TrackerTransaction) -> None:
    """A new box knows one cursor."""
    tx.cursors.put(t.Cursor(0, 1, 0))


# ------------------------------------------------------------------------------------------ package


def layout_tree(without: Collection[int] = ()) -> dict[str, Any]:
    """What a box of the tracker stores, as plain data; tests change it to get other layouts."""
    tables = {}
    for spec in t.SPECS:
        if spec.id not in without:
            width = 1 if spec.int_key else spec.layout.key_width or 0
            tables[str(spec.id)] = {
                "name": spec.name,
                "role": spec.role,
                "key": [{"name": f"part_{at}", "type": "uint8", "desc": False} for at in range(width)],
                "layout": "packed" if spec.decode is None else "record",
                "storage": "clustered",
                "fields": [],
                "reserved": [],
                "rule": {"word": spec.name} if spec.role == "derived" else None,
            }
    return {"format": 1, "schema": "tracker", "types": {}, "tables": tables}


def package(
    tree: Mapping[str, Any] | None = None, *, without: Collection[int] = ()
) -> Package[TrackerTransaction, TrackerTables]:
    """The tracker under a layout of one's own; `without` are derived tables that it does not have."""
    layout = json.dumps(tree or layout_tree(without), sort_keys=True, separators=(",", ":"))
    return Package(
        name="tracker",
        layout=layout,
        layout_hash=sha256(layout.encode()).hexdigest()[:16],
        specs=tuple(spec for spec in t.SPECS if spec.id not in without),
        transaction=partial(TrackerTransaction, without=without),
        tables=TrackerTables,
        views=VIEWS,
        wants=frozenset(),
        replay=replay,
        seed=seed,
    )


PACKAGE: Final = package()
TrackerBox: TypeAlias = Box[TrackerTransaction, TrackerTables]


def issue(project: int, number: int, rank: int = 0, **more: Any) -> t.Issue:
    """An issue whose identity is its number, unless said otherwise."""
    return t.Issue(project, number, **{"uid": number, "rank": rank, **more})


def stored_rows(box: TrackerBox) -> dict[str, set[tuple[object, ...]]]:
    """Every row of a box as plain tuples, table by table, as `oracles` gives them."""
    with box.reading() as tables:
        return {
            table.spec.name: {
                (row,) if table.spec is t.ISSUES else tuple(row) for row in table.rows_between(None, None)
            }
            for table in tables.by_id().values()
        }
