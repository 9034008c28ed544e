"""Which tables an operation touches, so that it can be told which operations must be kept in order.

Depends on: model, walk.  Never on: findings, plans.

Law: two operations that do not meet may be replayed in either order, and by themselves.
A derived table counts as the table that it is made from in the end; sequences and cursors are tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pillarbox_codegen.model import (
    Lookup,
    Operation,
    PatchStep,
    Places,
    PlaceStep,
    PutStep,
    RangeStep,
    RemoveStep,
    ReorderStep,
    ReplaceStep,
    SeedMarks,
    SetCursorStep,
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
    read: set[str] = set()
    written: set[str] = set()
    sequences: set[str] = set()
    for node in nodes(operation.steps):
        match node:
            case Lookup(table=name):
                read |= _origins(name, tables)
            case PutStep(table=name):
                written.add(name)
                sequences |= _numbering(tables[name])
            case PatchStep(table=name, create=create):
                written.add(name)
                sequences |= _numbering(tables[name]) if create is not None else set()
            case RemoveStep(table=name) | SetCursorStep(cursor=name):
                written.add(name)
            case ReplaceStep(table=name):
                written.add(name)
                sequences |= _numbering(tables[name])
            case PlaceStep(table=name) | UnplaceStep(table=name) | ReorderStep(table=name):
                written.add(name)
            case RangeStep(table=name):
                written.add(name)
    return Touched(frozenset(read), frozenset(written | sequences), frozenset(sequences))


def meeting(one: Touched, other: Touched) -> frozenset[str]:
    """The tables that both touch, and at least one writes."""
    return (one.written & (other.read | other.written)) | (one.read & other.written)


def _origins(name: str, tables: Mapping[str, Table]) -> set[str]:
    """The tables that the rows of this one come from in the end; itself where nothing makes it again."""
    table = tables[name]
    if isinstance(table.rule, Places | SeedMarks):
        return {table.rule.of}
    if table.rule is None or table.role != "derived":
        return {name}
    return {origin for source in table.rule.sources for origin in _origins(source, tables)}


def _numbering(table: Table) -> set[str]:
    """The sequences that may number a new row of the table."""
    parts = {part.fill for part in table.key} | {field.fill for field in table.fields}
    return {name for name in parts if name is not None}
