"""The types of what views show, for terms over snapshots.

Depends on: model, check_view_parts (whose rows a part has).  Never on: YAML, findings, plans.

Law: every shown part has a type, and a path that the checker finds in it is one of attributes of the
generated snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping

from pillarbox_codegen.check_view_parts import rows_of
from pillarbox_codegen.context import row_types
from pillarbox_codegen.model import (
    AggregatePart,
    ChangesPart,
    EachPart,
    GetPart,
    ListOf,
    Optional,
    Part,
    RangePart,
    RowOf,
    ScanPart,
    SearchPart,
    ShownOf,
    Table,
    Type,
    ValuePart,
    View,
    WindowPart,
)
from pillarbox_codegen.type_rules import BOOL


def shown_parts(view: View, tables: Mapping[str, Table]) -> dict[str, Type]:
    """The parts of a view and what they show, or would show: those of `hidden_parts` are in no snapshot."""
    return {part.common.name: _shown(view.name, part.common.name, part, tables) for part in view.parts}


def hidden_parts(view: View) -> set[str]:
    """The parts that only feed others."""
    return {part.common.name for part in view.parts if part.common.show == ()}


def _shown(view: str, path: str, part: Part, tables: Mapping[str, Table]) -> Type:
    match part:
        case AggregatePart() if part.common.show:
            row = _row(view, path, part, tables)
            return Optional(row) if part.of is None else ListOf(row)
        case AggregatePart():
            return part.type
        case ValuePart():
            return part.of.type
        case GetPart(or_default=True):
            return _row(view, path, part, tables)
        case GetPart() | RangePart():
            return Optional(_row(view, path, part, tables))
        case ScanPart() | SearchPart() | EachPart() | ChangesPart():
            return ListOf(_row(view, path, part, tables))
        case WindowPart():
            flags = [(flag, BOOL) for flag in ("hole_before", "hole_after", "loading")]
            if part.shows_gaps:  # among the rows, which then cannot be told to have fields
                return ShownOf(view, path, "part", tuple(flags))
            entries = ListOf(_row(view, path, part, tables))
            return ShownOf(view, path, "part", (("entries", entries), *flags))
        case _:  # a mapping, or what else has no fields: taken whole or counted
            return ShownOf(view, path, "part", ())


def _row(view: str, path: str, part: Part, tables: Mapping[str, Table]) -> Type:
    """One row of a part, narrowed or with children as the snapshot has it."""
    common = part.common
    plain: Type
    if isinstance(part, EachPart):
        plain, mark = part.item, "item"
    else:
        plain, mark = RowOf(rows_of(part)), "row"
        if common.show:
            kept = {
                name: type for name, type in row_types(tables[rows_of(part)]).items() if name in common.show
            }
            plain = ShownOf(view, path, "row", tuple(kept.items()))
    if not common.children:
        return plain
    children = [
        (child.common.name, _shown(view, f"{path}.{child.common.name}", child, tables))
        for child in common.children
        if child.common.show != ()
    ]
    return ShownOf(view, path, "entry", ((mark, plain), *children))
