"""What may change when steps are replayed earlier or later than others: tables, words that follow, events.

Depends on: model, touches, walk.  Never on: findings, plans.

Law: steps that do not meet may be replayed in either order, within one transaction: the tables are the same
in the end, and so are the events of each kind, in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen.model import (
    AnchoredCount,
    AsOf,
    EmitStep,
    Index,
    Lookup,
    Marker,
    Places,
    Refs,
    Scan,
    SeedMarks,
    Table,
)
from pillarbox_codegen.touches import origins, touched_by
from pillarbox_codegen.walk import nodes

#: Stands for "derived tables are made now", of which some words hear, and which looks at what is unique. No
#: table has such a name.
_SETTLING: Final = "what is derived"


@dataclass(frozen=True, slots=True)
class Reach:
    """Names of tables, and of events as `event NAME`; what is looked at and written is in both."""

    read: frozenset[str]
    written: frozenset[str]
    #: What is written when derived tables are made, out of all that happened since they were before.
    settled: frozenset[str]


def reach(steps: object, tables: Mapping[str, Table]) -> Reach:
    """What steps or expressions reach, whatever their names stand for."""
    touches = touched_by(steps, tables)
    read, written = set(touches.read), set(touches.written)
    for node in nodes(steps):
        match node:
            case EmitStep(event=name):
                written.add(f"event {name}")
            case AsOf(cursor=name):
                read.add(name)
            case Lookup(table=name) | Scan(table=name) if _is_made_late(name, tables):
                read.add(_SETTLING)
    settled: set[str] = set()
    following = [table for table in tables.values() if _follows(table)] if written else []
    before = -1
    while before != len(written) + len(settled):
        before = len(written) + len(settled)
        for table in following:
            _follow(table, tables, read, written, settled)
    owned = [tables[name].owned for name in written if name in tables]
    if any(one is not None and one.via is not None for one in owned) or any(
        _is_late(tables[name], tables) for name in read | written if name in tables
    ):
        read.add(_SETTLING)
    return Reach(frozenset(read), frozenset(written), frozenset(settled))


def meeting(one: Reach, other: Reach) -> frozenset[str]:
    """What both reach, and at least one changes."""
    now = (one.written & (other.read | other.written)) | (one.read & other.written)
    late = (one.settled & (other.read | other.written)) | ((one.read | one.written) & other.settled)
    return now | late


def shared(one: Reach, other: Reach, tables: Mapping[str, Table]) -> frozenset[str]:
    """The tables in which two meet. If in none, each may be replayed by itself, into a box of its own.

    Not what is told, and not when derived tables are made: merging makes them again.
    """
    return meeting(one, other) & tables.keys()


def _follows(table: Table) -> bool:
    """Whether anything beside its rows may follow from what is written."""
    rule = table.rule
    return isinstance(rule, Marker | AnchoredCount | Refs) or (
        isinstance(rule, Index) and rule.unique == "yes"
    )


def _follow(
    table: Table, tables: Mapping[str, Table], read: set[str], written: set[str], settled: set[str]
) -> None:
    """Add what a word does, beside its rows, when something that it follows is written."""
    match table.rule:
        case Index(unique="yes") if origins(table.name, tables) & written:
            # It is looked at when derived tables are made: whatever has that done must find the same rows.
            settled.add(_SETTLING)
        case Marker() | AnchoredCount() as rule:
            source = rule.sources[0]
            late = _is_heard_late(source, tables)
            sources = origins(source, tables)
            heard = {table.name} | (set() if late else sources)
            heard |= set() if rule.holes is None else {rule.holes.table}
            if heard & written:
                written |= {table.name, rule.stale}
                read |= heard | sources | ({_SETTLING} if late else set())
            if late and (sources | {table.name}) & (written | settled):
                settled |= {table.name, rule.stale, _SETTLING}
        case Refs(source=source):
            if {table.name, source} & written:
                written |= {table.name, source}
                read.add(_SETTLING)


def _is_late(table: Table, tables: Mapping[str, Table]) -> bool:
    """Whether it is a word that hears when derived tables are made: who looks at it has that done."""
    rule = table.rule
    return isinstance(rule, Marker | AnchoredCount) and _is_heard_late(rule.sources[0], tables)


def _is_heard_late(name: str, tables: Mapping[str, Table]) -> bool:
    """Whether a word hears of a table when that is made, not when what it is made from is written."""
    table = tables[name]
    if table.role != "derived":
        return False
    if not isinstance(table.rule, Index) or table.rule.lookups:
        return True
    return _is_heard_late(table.rule.source, tables)


def _is_made_late(name: str, tables: Mapping[str, Table]) -> bool:
    """Whether the rows of a table are made when they are asked for, and at the end."""
    table = tables[name]
    if table.role != "derived" or isinstance(table.rule, Places | SeedMarks):
        return False
    return not (isinstance(table.rule, Index) and table.rule.unique == "identity")
