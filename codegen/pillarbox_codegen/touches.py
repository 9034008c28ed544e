"""Which tables the steps of an operation touch, with what goes when their rows do.

Depends on: model, walk.  Never on: findings, plans.

Law: a derived table counts as the table that it is made from in the end; sequences and cursors are tables.
What follows by a word, as from a base that is set, is in `reaches`, which says what must be kept in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pillarbox_codegen.model import (
    AdvanceStep,
    AnchorStep,
    ConfirmStep,
    Index,
    Lookup,
    MarkStep,
    Operation,
    PatchStep,
    Places,
    PlaceStep,
    PutStep,
    RangeStep,
    Refs,
    RemoveStep,
    Renumber,
    ReorderStep,
    ReplaceStep,
    Scan,
    SeedMarks,
    SetCursorStep,
    ShareStep,
    Table,
    UnplaceStep,
)
from pillarbox_codegen.walk import nodes


@dataclass(frozen=True, slots=True)
class Touched:
    """Names of tables. What is looked at and written is in both."""

    read: frozenset[str]
    written: frozenset[str]
    #: Those of `written` that give out numbers.
    sequences: frozenset[str]


def touched(operation: Operation, tables: Mapping[str, Table]) -> Touched:
    """What the steps of the operation touch, whatever its parameters are."""
    return touched_by(operation.steps, tables)


def touched_by(steps: object, tables: Mapping[str, Table]) -> Touched:
    """What steps or expressions touch, whatever their names stand for."""
    read: set[str] = set()
    written: set[str] = set()
    sequences: set[str] = set()
    #: Tables whose rows may go.
    going: set[str] = set()
    for node in nodes(steps):
        match node:
            case Lookup(table=name) | Scan(table=name):
                read |= origins(name, tables)
            case PutStep(table=name):
                written.add(name)
                sequences |= _numbering(tables[name])
            case PatchStep(table=name, create=create):
                written.add(name)
                sequences |= _numbering(tables[name]) if create is not None else _always(tables[name])
            case RemoveStep(table=name):
                written.add(name)
                going.add(name)
                if tables[name].role == "cursor" and "debts" in tables:
                    written.add("debts")
            case SetCursorStep(cursor=name):
                written.add(name)
            case ReplaceStep(table=name):
                written.add(name)
                going.add(name)
                sequences |= _numbering(tables[name])
            case PlaceStep(table=name) | UnplaceStep(table=name) | ReorderStep(table=name):
                written.add(name)
            case RangeStep(table=name) | AnchorStep(table=name) | AdvanceStep(table=name):
                written.add(name)
            case MarkStep(table=name) | ConfirmStep(table=name):
                written.add(name)
            case ShareStep(table=name):
                rule = tables[name].rule
                written |= {name} | ({rule.source} if isinstance(rule, Refs) else set())
    moving = identified(tables) if written else set()
    for name in written:
        table = tables[name]
        if table.owned is not None:
            read |= origins(table.owned.by, tables)
        if table.bound is not None or name in moving:
            going.add(name)
    written |= gone_with(going, tables)
    return Touched(frozenset(read), frozenset(written | sequences), frozenset(sequences))


def identified(tables: Mapping[str, Table]) -> set[str]:
    """The tables whose rows may move to other keys."""
    rules = [table.rule for table in tables.values()]
    return {rule.source for rule in rules if isinstance(rule, Index) and rule.unique == "identity"}


def identity_of(table: Table, tables: Mapping[str, Table]) -> Table | None:
    """The table that keeps the identity of this one's rows."""
    for other in tables.values():
        rule = other.rule
        if isinstance(rule, Index) and rule.unique == "identity" and rule.source == table.name:
            return other
    return None


def gone_with(going: set[str], tables: Mapping[str, Table]) -> set[str]:
    """These tables, and all whose rows go with rows of them, near or far."""
    found = set(going)
    if not found:
        return found
    owned = [
        (name, origins(table.owned.by, tables)) for name, table in tables.items() if table.owned is not None
    ]
    size = -1
    while size != len(found):
        size = len(found)
        found |= {name for name, owners in owned if owners & found}
    return found


def origins(name: str, tables: Mapping[str, Table]) -> set[str]:
    """The tables that the rows of this one come from in the end; itself where nothing makes it again."""
    table = tables[name]
    if isinstance(table.rule, Places | SeedMarks):
        return {table.rule.of}
    if table.rule is None or table.role != "derived":
        return {name}
    return {origin for source in table.rule.sources for origin in origins(source, tables)}


def _numbering(table: Table) -> set[str]:
    """The sequences that may number a new row of the table."""
    parts = {part.fill for part in table.key} | {field.fill for field in table.fields}
    parts |= {field.computed.intern for field in table.fields if field.computed is not None}
    return {name for name in parts if name is not None}


def _always(table: Table) -> set[str]:
    """The sequences that may number any row of the table that is written."""
    again = {rule.field for rule in table.upsert if isinstance(rule, Renumber)}
    parts = {field.fill for field in table.fields if field.name in again}
    parts |= {field.computed.intern for field in table.fields if field.computed is not None}
    return {name for name in parts if name is not None}
