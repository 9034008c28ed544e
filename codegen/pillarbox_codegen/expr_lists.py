"""Lists in expressions: rows under a prefix of their keys, their ends, spans over them, and words of a text.

Depends on: context, expr_keys, expr_make (arguments), expr_syntax.  Never on: operators.

Law: only a step reads rows it does not know the keys of, and only those under one prefix.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pillarbox_codegen.context import UNREAD
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_make import count_arguments
from pillarbox_codegen.expr_syntax import AttrNode, CallNode, ListNode, NameNode, Syntax
from pillarbox_codegen.model import (
    Call,
    Expr,
    ListOf,
    Local,
    Optional,
    RowOf,
    Scan,
    SpanOf,
    Spans,
    Type,
)
from pillarbox_codegen.type_rules import NO_ORDER, TEXT, ordered, present, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker


def prefix(checker: ExprChecker, node: CallNode) -> Scan:
    """`table.prefix([parts..])`: the rows whose keys begin so, in key order."""
    context, holder = checker.context, node.arguments[0]
    if not isinstance(holder, NameNode) or not context.is_table(holder.name):
        text = "`prefix` is asked of a table by its name"
        raise context.add(holder.at, "unknown-table", text, "write `TABLE.prefix([..])`")
    if not checker.scope.is_step:
        text = f"rows of `{holder.name}` cannot be read here"
        raise context.add(node.at, "lookup", text, "steps read rows under a prefix; views have `scan`")
    table = context.table(holder.name, holder.at)
    if table.role == "sequence" and not context.interns(table):
        text = "a sequence gives numbers where a field has `fill`, it is not read"
        raise context.add(node.at, "lookup", text, UNREAD)
    if len(node.arguments) != 2 or node.named:
        text = "`prefix` takes the first parts of a key"
        raise context.add(node.at, "arguments", text, f"write `{table.name}.prefix([{table.key[0].name}])`")
    parts = [(part.name, part.type) for part in table.key]
    given = key_parts(checker, node.arguments[1], parts, may_be_none=False, prefix=True)
    if len(given) == len(parts):
        text = f"this is the whole key of {table.name}"
        raise context.add(node.arguments[1].at, "key-parts", text, f"look it up: `{table.name}([..])`")
    return Scan(table.name, given, ListOf(RowOf(table.name)))


def end_of_scan(function: str, scan: Scan) -> Scan:
    """`first(..)` and `last(..)` of rows: one row is read."""
    return replace(scan, end="first" if function == "first" else "last", type=Optional(RowOf(scan.table)))


def near(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`floor(table.prefix([..]), x)`: the last row whose next key parts are not above x, or `ceiling`."""
    count_arguments(checker, node, 2, 2, f"{node.function}(table.prefix([..]), value)")
    scan = checker.infer(node.arguments[0])
    if not isinstance(scan, Scan) or scan.end != "all":
        text = f"`{node.function}` looks among the rows under a prefix"
        raise checker.context.add(node.arguments[0].at, "type", text, "write `table.prefix([..])`")
    table = checker.context.table(scan.table, node.at)
    parts = [(part.name, part.type) for part in table.key[len(scan.prefix) :]]
    at = key_parts(checker, node.arguments[1], parts, may_be_none=False, prefix=True)
    if not at:
        text, told = "there is nothing to look near", f"give a value for `{parts[0][0]}`"
        raise checker.context.add(node.arguments[1].at, "key-parts", text, told)
    end = end_of_scan("first", scan)
    return replace(end, end="floor" if node.function == "floor" else "ceiling", at=at)


def spans(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`spans(rows, by: [a, b], of: x)`: for each group of a list its least and greatest x."""
    context = checker.context
    named = {one.name: one.value for one in node.named}
    if len(node.arguments) != 1 or set(named) != {"by", "of"}:
        text = "`spans` takes rows, what groups them, and what is measured"
        raise context.add(node.at, "arguments", text, "write `spans(rows, by: [fields], of: field)`")
    rows = checker.infer(node.arguments[0])
    members = context.members(rows.type.item) if isinstance(rows.type, ListOf) else None
    if members is None:
        text = f"`spans` takes a list of rows or records, found {show(rows.type)}"
        raise context.add(node.arguments[0].at, "type", text, "name a list of rows or records")
    names = {name: Local(name, "field", type) for name, type in members.items()}
    inner = checker.within(replace(checker.scope, names=names, proven=frozenset(), narrowed={}))
    items = named["by"].items if isinstance(named["by"], ListNode) else (named["by"],)
    by = tuple(_group_part(checker, inner, item) for item in items)
    of = inner.infer(named["of"])
    if not ordered(of.type, context.types):
        raise context.add(named["of"].at, "type", f"values of {show(of.type)} have no order", NO_ORDER)
    span = SpanOf(tuple((name, expr.type) for name, expr in by), present(of.type))
    return Spans(rows, by, of, ListOf(span))


def _group_part(checker: ExprChecker, inner: ExprChecker, syntax: Syntax) -> tuple[str, Expr]:
    if not isinstance(syntax, NameNode | AttrNode) or syntax.name in ("least", "greatest"):
        text = "a group is named by the fields it is made of"
        raise checker.context.add(syntax.at, "arguments", text, "write `by: [field, ..]`")
    expr = inner.infer(syntax)
    if isinstance(expr.type, Optional):
        inner.fit(expr, expr.type.item, syntax.at)
    return syntax.name, expr


def tokens(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`tokens(text)`: its words, folded, each once."""
    count_arguments(checker, node, 1, 1, "tokens(text)")
    return Call("tokens", (checker.check(node.arguments[0], TEXT),), ListOf(TEXT))
