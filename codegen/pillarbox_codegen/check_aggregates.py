"""The word `aggregate`: one value over many rows, or the first of them.

Depends on: check_view_parts (what words share), expr_check, expr_folds.  Never on: views, which hold parts.

Law: the terms are over the rows of a table or of one earlier part, and over what hangs on the latter.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_view_parts import common_of, prefix_of, source_of, table_of
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_amount, check_condition
from pillarbox_codegen.expr_folds import FOLDS, FoldName, folded
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    AggregatePart,
    EachPart,
    Expr,
    GetEachPart,
    ListOf,
    Literal_,
    Optional,
    Part,
    RowOf,
    ScanPart,
    SearchPart,
    Type,
    WindowPart,
)
from pillarbox_codegen.type_rules import INT64, optional
from pillarbox_codegen.view_types import value_type
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

_LISTS: Final = (ScanPart, WindowPart, SearchPart, GetEachPart, EachPart)


class _Over(NamedTuple):
    """What is gone through: rows of a table, or those or the values of an earlier part."""

    table: str | None
    part: Part | None
    item: Type


def check_aggregate(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    body, values = node.values["aggregate"], node.values
    assert isinstance(body, YamlMap)
    over = _over(context, node, scope, earlier)
    word, what = next(iter(body.values.items()))
    shown = over.item if word == "first" else None
    source = context.table(shown.table, at_start(node)) if isinstance(shown, RowOf) else None
    common = common_of(context, name, node, when, source)
    prefix: tuple[Expr, ...] = ()
    if over.table is not None:
        prefix = prefix_of(context, values["prefix"], context.table(over.table, at_start(node)), scope)
    inner = _scope_of_one(context, over, scope)
    where = check_condition(context, values.get("where"), inner)
    of: Expr | None = None
    if word == "first":
        of, type = _first(context, what, over, scope)
    else:
        of, type = _folded(context, FOLDS[word], what, inner.assume(where))
    children = () if over.part is None else over.part.common.children
    read = names_in((of, where)) & {child.common.name for child in children}
    deep = bool(read) or isinstance(over.part, EachPart)
    if deep and over.part is not None and scope.names[over.part.common.name].kind == "row":
        text = f"`{over.part.common.name}` hangs on a row itself"
        hint = "name a part of the view, or read its rows only"
        raise context.findings.add(values["of"], "part", text, hint)
    function = "first" if word == "first" else FOLDS[word]
    of_part = None if over.part is None else over.part.common.name
    return AggregatePart(common, function, of, over.table, of_part, prefix, where, type, deep), type


def _over(context: Context, node: YamlMap, scope: Scope, earlier: list[Part]) -> _Over:
    of = node.values["of"]
    name = text_value(of)
    if "prefix" in node.values:
        table = table_of(context, of)
        return _Over(table.name, None, RowOf(source_of(table, bare=False)))
    lists = {part.common.name: part for part in earlier if isinstance(part, _LISTS)}
    part = lists.get(name)
    if isinstance(part, EachPart):
        return _Over(None, part, part.item)
    if part is not None:
        return _Over(None, part, RowOf(part.table if isinstance(part, GetEachPart) else part.rows))
    if name in scope.lost:
        raise context.findings.silent()
    if context.is_table(name):
        text = f"`{name}` is a table"
        raise context.findings.add(of, "part", text, "add `prefix:`, [] for all of it")
    hint = did_you_mean(name, [*lists, *context.table_names()])
    hint = hint or f"name {one_of(lists) if lists else 'a part with a list before it'}, or a table"
    raise context.findings.add(of, "unknown-part", f"there is no earlier list part `{name[:60]}`", hint)


def _scope_of_one(context: Context, over: _Over, scope: Scope) -> Scope:
    """One row or value, and what hangs on it."""
    inner = scope.bind("item" if isinstance(over.part, EachPart) else "row", "row", over.item)
    for child in () if over.part is None else over.part.common.children:
        inner = inner.bind(child.common.name, "row", value_type(context.tables, child))
    return inner


def _first(context: Context, node: YamlNode, over: _Over, scope: Scope) -> tuple[Expr | None, Type]:
    """How many rows; 1, as it is written, is one row or none and no list."""
    count = check_amount(context, node, scope)
    if isinstance(count, Literal_) and count.value == 1:
        return None, Optional(over.item)
    return count, ListOf(over.item)


def _folded(context: Context, function: FoldName, node: YamlNode, scope: Scope) -> tuple[Expr | None, Type]:
    if function == "count":
        if text_value(node) != "n":
            raise context.findings.add(
                node, "part", "`count` counts rows", "write `{count: n}`; conditions go to `where`"
            )
        return None, INT64
    syntax = parse_node(node, context.findings)
    of, type = folded(ExprChecker(context, scope), function, syntax)
    return of, optional(type) if function in ("min", "max") else type
