"""The tracker's table classes and its transaction, as the generator would print them.

Depends on: tracker, transaction, maintainers.  Never on: engines, hypothesis.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace
from tests.unit.runtime import tracker as t

from pillarbox.codec import successor
from pillarbox.maintainers import Count, Identity, Index, SequenceTable, Top, UniqueIndex
from pillarbox.storage import Engine
from pillarbox.tables import DerivedTable, Put, TableReader, TableWriter, TouchLog
from pillarbox.transaction import Transaction

#: The greatest number that a sequence gives: small, so that it runs out.
LIMIT = 200


#: table id -> its class outside of transactions, and inside of them where a maintainer writes it
READERS: dict[int, type[TableReader[Any]]] = {
    spec.id: type("Reader", (TableReader,), {"__slots__": (), "SPEC": spec}) for spec in t.SPECS
}
DERIVED: dict[int, type[DerivedTable[Any]]] = {
    spec.id: type("Derived", (DerivedTable,), {"__slots__": (), "SPEC": spec})
    for spec in t.SPECS
    if spec.role == "derived"
}


class Numbers(SequenceTable[t.Numbering]):
    __slots__ = ()
    SPEC = t.NUMBERS
    PACKED = t.NEXT
    START = 1
    LIMIT = LIMIT


class Uids(Numbers):
    __slots__ = ()
    SPEC = t.UIDS


class Issues(TableWriter[t.Issue]):
    """Puts with numbers to fill in and an identity that is no part of the key."""

    __slots__ = ("_identity", "_numbers", "_uids")
    SPEC = t.ISSUES

    def __init__(
        self, engine: Engine, log: TouchLog, identity: Identity[t.Issue], numbers: Numbers, uids: Uids
    ) -> None:
        super().__init__(engine, log)
        self._identity = identity
        self._numbers = numbers
        self._uids = uids

    def get(self, project: int, number: int) -> t.Issue | None:
        return self.row_at(t.issue_key(project, number))

    def put(self, row: t.Issue) -> t.Issue:
        return self.put_was(row).row

    def put_was(self, row: t.Issue) -> Put[t.Issue]:
        group = bytes((row.project,))
        while row.number == 0:
            taken = self._numbers.take(group)
            if self.cell(t.issue_key(row.project, taken)) is None:
                row = replace(row, number=taken)
        key = t.issue_key(row.project, row.number)
        standing = self.cell(key)
        while row.uid == 0:
            named = replace(row, uid=self._uids.take(group) if standing is None else standing.uid)
            if standing is not None or self._identity.owner(named) is None:
                row = named
        owner = self._identity.owner(row)
        was = standing if owner is None else self.cell(owner)
        if standing is not None and owner != key:
            self._identity.release(standing)
        self._identity.take(row)
        if owner is not None and owner != key:
            self.put_cell(owner, None)
        self.put_cell(key, row)
        return Put(was, row)

    def remove(self, project: int, number: int) -> None:
        key = t.issue_key(project, number)
        old = self.cell(key)
        if old is not None:
            self._identity.release(old)
            self.put_known(key, old, None)

    def remove_under(self, project: int) -> int:
        prefix = bytes((project,))
        found = self.scan_cells(prefix, successor(prefix))
        for key, cell in found:
            self._identity.release(cell)
            self.put_known(key, cell, None)
        return len(found)

    def probe(self, rows: list[t.Issue]) -> None:
        owners = self._identity.preload([row for row in rows if row.uid != 0])
        self.preload([*owners, *(t.ISSUES.key_of(row) for row in rows)])
        self._numbers.preload([bytes((row.project,)) for row in rows])


class Cursors(TableWriter[t.Cursor]):
    __slots__ = ()
    SPEC = t.CURSORS

    def get(self, cursor_id: int) -> t.Cursor | None:
        return self.row_at(cursor_id)

    def put(self, row: t.Cursor) -> None:
        self.put_cell(row.cursor_id, t.CURSORS.cell_of(row))


class TrackerTransaction(Transaction):
    """`without` are the ids of derived tables that an older schema did not have yet."""

    __slots__ = ("cursors", "derived", "issues", "numbers", "uids")

    def __init__(self, engine: Engine, *, without: Collection[int] = ()) -> None:
        super().__init__(engine)
        log = self._log
        self.numbers = Numbers(engine, log)
        self.uids = Uids(engine, log)
        self.derived = {number: made(engine, log) for number, made in DERIVED.items()}
        d = {table.spec.name: table for table in self.derived.values()}
        identity = Identity[t.Issue](
            d["issue_ids"],
            key_of=lambda row: bytes((row.project, row.uid)),
            cell_of=lambda row: t.ISSUE_IDS.cell_of(t.IssueId(row.project, row.uid, row.number)),
            owner_of=lambda key, cell: t.issue_key(key[0], t.ISSUE_IDS.row(key, cell).number),
        )
        self.issues = Issues(engine, log, identity, self.numbers, self.uids)
        self.cursors = Cursors(engine, log)
        rules = (
            Index(self.issues, d["by_label"], t.by_label_rows),
            Index(self.issues, d["by_rank"], t.by_rank_rows),
            Index(self.issues, d["by_lane"], t.by_lane_rows),
            UniqueIndex(self.issues, d["slugs"], t.slugs_rows),
            Count(self.issues, d["label_counts"], t.label_counts_sums, t.SUMS[t.LABEL_COUNTS.id]),
            Count(d["by_label"], d["labelled_counts"], t.labelled_counts_sums, t.SUMS[t.LABELLED_COUNTS.id]),
            Count(d["slugs"], d["slug_counts"], t.slug_counts_sums, t.SUMS[t.SLUG_COUNTS.id]),
            Index(d["label_counts"], d["by_count"], t.by_count_rows),
            Top(d["by_rank"], d["newest"], t.NEWEST_SHAPE),
            Top(d["by_lane"], d["newest_across"], t.NEWEST_ACROSS_SHAPE),
            Top(d["by_rank"], d["best"], t.BEST_SHAPE),
            Top(d["by_lane"], d["best_across"], t.BEST_ACROSS_SHAPE),
            Top(self.issues, d["latest"], t.LATEST_SHAPE),
        )
        self._wire(
            identities=[(self.issues, identity)],
            rules=[rule for rule in rules if rule.target.spec.id not in without],
            sequences=(self.numbers, self.uids),
            derived=list(self.derived.values()),
        )


class TrackerTables:
    """The read side."""

    __slots__ = ("_by_id",)

    def __init__(self, engine: Engine) -> None:
        self._by_id = {number: reader(engine) for number, reader in READERS.items()}

    def by_id(self) -> Mapping[int, TableReader[Any]]:
        return self._by_id
