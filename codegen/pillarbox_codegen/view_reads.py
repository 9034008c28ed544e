"""Which of a part's children a condition over its rows reads.

Depends on: model, walk.  Never on: findings, plans.

Law: nothing else that hangs on a row can make the condition differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pillarbox_codegen.model import (
    AggregatePart,
    EachPart,
    Expr,
    GetEachPart,
    GetPart,
    Local,
    Part,
    RangePart,
    ScanPart,
    ValuePart,
)
from pillarbox_codegen.walk import names_in


def children_read(children: Sequence[Part], where: Expr | None) -> set[str]:
    """The children that a condition reads, and those that they read."""
    found = set() if where is None else names_in(where)
    for child in reversed(children):
        if child.common.name in found:
            found |= names_in(terms_of(child))
    return found & {child.common.name for child in children}


def terms_of(child: Part) -> tuple[Any, ...]:
    """What of a child may read the ones before it. A list that it goes through is read by its name."""
    match child:
        case GetEachPart(common, _, at, over, where):
            return common.when, at, over, where
        case GetPart(common, _, at) | RangePart(common, _, at):
            return common.when, at
        case ScanPart():
            bounds = (child.low, child.high, child.starts_with)
            return child.common.when, child.prefix, child.limit, child.where, bounds
        case AggregatePart():
            of = () if child.of_part is None else (Local(child.of_part, "row", child.type),)
            return child.common.when, child.prefix, child.of, child.where, of
        case ValuePart(common, of_):
            return common.when, of_
        case EachPart(common, items):
            return common.when, items
        case _:
            return ()
