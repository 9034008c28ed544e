"""The words of views: what a part reads, and what it has for later ones.

Depends on: context, expr_check, expr_keys, type_rules.  Never on: views, which hold parts.

Law: a checked part names one table or one earlier part, and each of its terms fits what it is for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_key_lists import key_list
from pillarbox_codegen.context import UNREAD, Context, at_start, row_types
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_amount, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import ListNode
from pillarbox_codegen.model import (
    AggregatePart,
    ChangesPart,
    Expr,
    GetEachPart,
    GetPart,
    Index,
    ListOf,
    MapOf,
    NoneType,
    Optional,
    Part,
    PartCommon,
    PutResult,
    RangePart,
    Ranges,
    RowOf,
    ScanPart,
    SearchPart,
    Table,
    TupleOf,
    Type,
    ValuePart,
    WindowPart,
)
from pillarbox_codegen.type_rules import BOOL, has_zero, optional, present, row_of, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def common_of(
    context: Context, name: str, node: YamlMap, when: Expr | None, table: Table | None
) -> PartCommon:
    """What parts of all words have."""
    doc = text_value(node.values.get("doc"))
    show_node = node.values.get("show")
    if show_node is None:
        return PartCommon(name, doc, when, None)
    if isinstance(show_node, YamlScalar):
        if show_node.value != "none":
            raise context.findings.add(
                show_node, "part", "`show` is a list of fields, or `none`", "write [field]"
            )
        return PartCommon(name, doc, when, ())
    assert isinstance(show_node, YamlList)
    if table is None:
        raise context.findings.add(
            show_node, "part", "an aggregate has no fields to show", "write `show: none`"
        )
    known = row_types(table)
    for item in show_node.items:
        field = text_value(item)
        if field not in known:
            hint = did_you_mean(field, known) or f"it has {one_of(known)}"
            raise context.findings.add(
                item, "unknown-field", f"{table.name} has no field `{field[:60]}`", hint
            )
    return PartCommon(name, doc, when, tuple(text_value(item) for item in show_node.items))


def table_of(context: Context, node: YamlNode) -> Table:
    """The table that a part reads."""
    table = context.table(text_value(node), at_start(node))
    if table.role == "sequence" and not context.interns(table):
        raise context.findings.add(node, "part", "a sequence gives numbers, it is not read", UNREAD)
    return table


# -------------------------------------------------------------------------------------- get, get_each


def _get(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    table = table_of(context, node.values["get"])
    common = common_of(context, name, node, when, table)
    parts = [(part.name, part.type) for part in table.key]
    syntax = parse_node(node.values["at"], context.findings)
    at = key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=True)
    or_default = "or" in node.values
    if or_default:
        _check_zero(context, node.values["or"], table)
    row = RowOf(table.name)
    return GetPart(common, table.name, at, or_default), row if or_default else Optional(row)


def _check_zero(context: Context, node: YamlNode, table: Table) -> None:
    for field in table.fields:
        if not field.has_default and not has_zero(field.type, context.types):
            text = f"`{field.name}` of {table.name} is {show(field.type)}, which has no zero value"
            raise context.findings.add(
                node, "no-default", text, "give the field a default, or leave `or` out"
            )


def _get_each(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    table = table_of(context, node.values["get_each"])
    common = common_of(context, name, node, when, table)
    listed = key_list(context, node.values["at"], table, scope)
    key = table.key[0].type if len(table.key) == 1 else TupleOf(tuple(part.type for part in table.key))
    type = MapOf(key, RowOf(table.name))
    if listed is not None:
        return GetEachPart(common, table.name, listed.key, listed.over, listed.where), type
    return GetEachPart(common, table.name, keys_of(context, node.values["at"], table, scope)), type


def keys_of(context: Context, node: YamlNode, table: Table, scope: Scope) -> tuple[Expr, ...]:
    """Several keys: a list of the lone part, or an expression a part, some of which are lists."""
    syntax = parse_node(node, context.findings)
    checker = ExprChecker(context, scope)
    if len(table.key) == 1:
        if isinstance(syntax, ListNode) and len(syntax.items) == 1:
            lone = checker.infer(syntax.items[0], table.key[0].type)
            if isinstance(present(lone.type), ListOf):
                text = "this is a list of one list, where a list of keys stands"
                raise context.add(syntax.at, "type", text, "leave the brackets out")
        return (checker.check(syntax, optional(ListOf(optional(table.key[0].type)))),)
    return _product(context, checker, syntax if isinstance(syntax, ListNode) else None, table, node)


def _product(
    context: Context, checker: ExprChecker, syntax: ListNode | None, table: Table, node: YamlNode
) -> tuple[Expr, ...]:
    """One expression a key part; those that are lists are gone through."""
    if syntax is None or len(syntax.items) != len(table.key):
        names = ", ".join(part.name for part in table.key)
        text = f"the key of {table.name} has {len(table.key)} parts"
        raise context.findings.add(node, "key-parts", text, f"write [{names}], some of them lists")
    found: list[Expr] = []
    for item, part in zip(syntax.items, table.key, strict=True):
        expr = checker.infer(item, part.type)
        inner = present(expr.type)
        wanted: Type = ListOf(optional(part.type)) if isinstance(inner, ListOf) else part.type
        found.append(checker.fit(expr, optional(wanted), item.at))
    if not any(isinstance(present(expr.type), ListOf) for expr in found):
        raise context.add(syntax.at, "part", "none of the parts is a list", "use `get` for one row")
    return tuple(found)


# ---------------------------------------------------------------------------------------------- scan


def source_of(table: Table, bare: bool) -> str:
    """The table whose rows come out: an index leads to its source, unless its own rows are wanted."""
    return table.rule.source if isinstance(table.rule, Index) and not bare else table.name


def prefix_of(
    context: Context, node: YamlNode, table: Table, scope: Scope, *, lists: bool = False
) -> tuple[Expr, ...]:
    """The first parts of a key; `lists`: some of them may be lists of values."""
    parts = [(part.name, part.type) for part in table.key]
    syntax = parse_node(node, context.findings)
    prefix = key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=True, prefix=True, lists=lists)
    if isinstance(table.rule, Ranges) and table.rule.seeded and len(prefix) < len(table.rule.group):
        # A group that was never touched reads as its seed; of many groups nobody knows which there are.
        names = ", ".join(table.rule.group)
        text = f"the groups of `{table.name}` have a seed, and are read one by one"
        raise context.findings.add(node, "part", text, f"begin the prefix with {names}")
    return prefix


def where_of(context: Context, node: YamlMap, rows: str, scope: Scope) -> Expr | None:
    """The condition over `row`, if there is one. What has children is asked later: it may read them."""
    where = node.values.get("where")
    if where is None or "with" in node.values:
        return None
    return check_node(context, where, BOOL, scope.bind("row", "row", RowOf(rows)))


def limit_of(context: Context, node: YamlMap, scope: Scope) -> Expr | None:
    """How many rows, or none for all of them."""
    if ("limit" in node.values) == ("all" in node.values):
        text = "a list has one of `limit` and `all: true`"
        raise context.findings.add(node, "part", text, "say how many rows are enough, or that all are wanted")
    return check_amount(context, node.values["limit"], scope) if "limit" in node.values else None


def flag_of(node: YamlMap, word: str) -> bool:
    """Whether it says `true`."""
    return text_value(node.values.get(word)) == "true"


# ------------------------------------------------------------------------------------------- value


def _value(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    common = common_of(context, name, node, when, None)
    of = check_node(context, node.values["value"], None, scope)
    if isinstance(of.type, TupleOf | NoneType | PutResult):
        text = f"{show(of.type)} is no value that a view can show"
        raise context.findings.add(node.values["value"], "type", text, "name a single value or a list")
    return ValuePart(common, of), of.type


Check: TypeAlias = Callable[[Context, str, YamlMap, Expr | None, Scope, list[Part]], tuple[Part, Type]]
READING: Final[dict[str, Check]] = {
    "get": _get,
    "get_each": _get_each,
    "value": _value,
}


def rows_of(part: Part) -> str:
    """The table whose rows a part has."""
    match part:
        case GetPart(_, table) | GetEachPart(_, table) | RangePart(_, table) | ChangesPart(_, table):
            return table
        case ScanPart() | WindowPart() | SearchPart():
            return part.rows
        case AggregatePart(function="first", type=type_):  # of rows, one or many
            return row_of(type_)
        case _:
            raise TypeError("a part without rows")
