"""The word `scan`: rows from one end of a stretch of keys, or of several such stretches.

Depends on: check_view_parts (what words share), expr_keys.  Never on: views, which hold parts.

Law: what bounds a stretch is of the part of the key that follows its prefix.
"""

from __future__ import annotations

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_view_parts import (
    common_of,
    flag_of,
    limit_of,
    prefix_of,
    source_of,
    table_of,
    where_of,
)
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Expr, Index, KeyPart, ListOf, Part, RowOf, ScanPart, Table, Type
from pillarbox_codegen.type_rules import BYTES, TEXT, base, optional, present, show
from pillarbox_codegen.yaml_nodes import YamlMap


def check_scan(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    values = node.values
    table = table_of(context, values["scan"])
    bare = flag_of(node, "bare")
    if bare and not isinstance(table.rule, Index):
        text = f"`{table.name}` is no index, its rows are its own"
        raise context.findings.add(node.keys["bare"], "part", text, "leave `bare` out")
    rows = source_of(table, bare)
    source = context.table(rows, at_start(values["scan"]))
    common = common_of(context, name, node, when, source)
    with context.findings.together() as block:
        prefix = block.attempt(_prefix, context, node, table, scope) or ()
        limit = block.attempt(limit_of, context, node, scope)
        where = block.attempt(where_of, context, node, rows, scope)
    rest = table.key[len(prefix) :]
    with context.findings.together() as block:
        starts_with = block.attempt(_starts_with, context, node, rest, scope)
        low = block.attempt(_bound, context, node, "from", rest, scope) or ()
        high = block.attempt(_bound, context, node, "to", rest, scope) or ()
    lanes = any(isinstance(present(expr.type), ListOf) for expr in prefix)
    _check_bounds(context, node, lanes=lanes)
    part = ScanPart(
        common, table.name, rows, prefix, flag_of(node, "newest_first"), limit, where,
        starts_with=starts_with, low=low, high=high, chain=text_value(values.get("combine")) == "chain",
    )  # fmt: skip
    return part, ListOf(RowOf(rows))


def _prefix(context: Context, node: YamlMap, table: Table, scope: Scope) -> tuple[Expr, ...]:
    return prefix_of(context, node.values["prefix"], table, scope, lists=True)


def _check_bounds(context: Context, node: YamlMap, *, lanes: bool) -> None:
    """What goes with several stretches, and what with one."""
    given = [word for word in ("starts_with", "from", "to") if word in node.values]
    if "starts_with" in given and len(given) > 1:
        text = f"`starts_with` says where keys begin and end, and so does `{given[1]}`"
        raise context.findings.add(node.keys[given[1]], "one-of", text, "keep one of them")
    if lanes and any(word in given for word in ("from", "to")):
        text = "each value of the list in `prefix` is a stretch of its own, without bounds"
        raise context.findings.add(node.keys[given[0]], "part", text, "name one value in `prefix`")
    if not lanes and "combine" in node.values:
        hint = "leave it out, or name a list in `prefix`"
        raise context.findings.add(node.keys["combine"], "part", "there is one stretch only", hint)


def _starts_with(context: Context, node: YamlMap, rest: tuple[KeyPart, ...], scope: Scope) -> Expr | None:
    place = node.values.get("starts_with")
    if place is None:
        return None
    kind = base(rest[0].type, context.types) if rest else None
    if kind not in (TEXT, BYTES):
        text = "the whole key is in the prefix" if not rest else f"`{rest[0].name}` is {show(rest[0].type)}"
        hint = "`starts_with` is of a part of the key of text or bytes, behind the prefix"
        raise context.findings.add(place, "part", text, hint)
    return check_node(context, place, optional(kind), scope)


def _bound(
    context: Context, node: YamlMap, word: str, rest: tuple[KeyPart, ...], scope: Scope
) -> tuple[Expr, ...]:
    """The first parts of the rest of a key."""
    place = node.values.get(word)
    if place is None:
        return ()
    parts = [(part.name, part.type) for part in rest]
    syntax = parse_node(place, context.findings)
    found = key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=True, prefix=True)
    if not found:
        raise context.findings.add(place, "key-parts", f"`{word}` is empty", "leave it out")
    return found
