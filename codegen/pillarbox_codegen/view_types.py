"""The types of what later parts read of a part.

Depends on: model.  Never on: findings, plans, what snapshots show.

Law: a name in an expression has this type, whatever `show` and `with` make of the part.
"""

from __future__ import annotations

from collections.abc import Mapping

from pillarbox_codegen.model import (
    AggregatePart,
    ChangesPart,
    EachPart,
    GetEachPart,
    GetPart,
    ListOf,
    MapOf,
    NoneType,
    Optional,
    Part,
    RangePart,
    RowOf,
    ScanPart,
    SearchPart,
    Table,
    TupleOf,
    Type,
    ValuePart,
    WantedPart,
    WindowPart,
)


def value_type(tables: Mapping[str, Table], part: Part) -> Type:
    """What later parts read of this one."""
    match part:
        case GetPart(_, table, _, or_default):
            row = RowOf(table)
            return row if or_default else Optional(row)
        case RangePart(_, table):
            return Optional(RowOf(table))
        case GetEachPart(_, table):
            key = tables[table].key
            name = key[0].type if len(key) == 1 else TupleOf(tuple(item.type for item in key))
            return MapOf(name, RowOf(table))
        case ScanPart() | WindowPart() | SearchPart():
            return ListOf(RowOf(part.rows))
        case AggregatePart():
            return part.type
        case ValuePart(_, of):
            return of.type
        case EachPart(_, _, item):
            return ListOf(item)
        case ChangesPart() | WantedPart():
            return NoneType()  # No other part reads it.
