"""What the words with a base of the server share: the ranges of what was never fetched, and what is stale.

Depends on: context, expr_check.  Never on: the words.

Law: from a range follow the groups that it puts in doubt; of every group there is a key to ask for it by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.expr_check import ExprChecker
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import CallNode, ListNode, Syntax
from pillarbox_codegen.model import (
    AnchoredCount,
    Expr,
    Holes,
    KeyPart,
    Local,
    Marker,
    Ranges,
    Stale,
    Table,
)
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def group_scope(key: Sequence[KeyPart]) -> Scope:
    """The parts of a word's key by bare name; tables cannot be read."""
    names = {part.name: Local(part.name, "field", part.type) for part in key}
    return Scope(names, no_lookups="it follows from the group alone")


def check_holes(context: Context, node: YamlNode, key: Sequence[KeyPart], *, whole: bool) -> Holes:
    """`gaps([project_id, 0], [label])`. `whole`: it names every part of the key. Raises Invalid."""
    syntax = parse_node(node, context.findings)
    if not isinstance(syntax, CallNode) or syntax.named or not 1 <= len(syntax.arguments) <= 2:
        text = "what was never fetched is told by the group, and the space, of ranges"
        raise context.findings.add(node, "holes", text, "write `RANGES([group], [space])`")
    table = context.table(syntax.function, syntax.at)
    if not isinstance(table.rule, Ranges):
        text = f"`{table.name}` is no table of ranges"
        raise context.add(syntax.at, "holes", text, "name a table of the word `ranges`")
    groups = len(table.rule.group)
    spaces = table.key[groups : groups + len(table.rule.space)]
    given = (*syntax.arguments, ListNode((), syntax.at))[:2]
    scope = group_scope(key)
    at = (
        *_parts(context, given[0], table.key[:groups], scope),
        *_parts(context, given[1], spaces, scope),
    )
    known = {expr.name for expr in at if isinstance(expr, Local)}
    mixed = next((expr for expr in at if not isinstance(expr, Local) and names_in(expr)), None)
    if mixed is not None:
        text = "from a range the group cannot be told"
        hint = "each part is a part of the group by its name, or a constant"
        raise context.findings.add(node, "holes", text, hint)
    missing = [part.name for part in key if part.name not in known]
    if (whole and missing) or (key and key[0].name in missing):
        text = f"from a range `{missing[0]}` cannot be told"
        raise context.findings.add(node, "holes", text, f"name `{missing[0]}` in the group or the space")
    return Holes(table.name, at, edge_names(context, table))


def _parts(context: Context, syntax: Syntax, parts: Sequence[KeyPart], scope: Scope) -> tuple[Expr, ...]:
    wanted = [(part.name, part.type) for part in parts]
    return key_parts(ExprChecker(context, scope), syntax, wanted, may_be_none=False)


def names_of(node: YamlNode) -> list[YamlScalar]:
    """The names in a list, or the one that stands alone."""
    items = node.items if isinstance(node, YamlList) else (node,)
    return [item for item in items if isinstance(item, YamlScalar)]


def check_doubts(context: Context) -> None:
    """Every word with a base has a table of what is stale, by a key that its own key tells."""
    for table in list(context.tables.values()):
        if isinstance(table.rule, Marker | AnchoredCount):
            context.findings.attempt(_check_doubt, context, table, table.rule.stale)


def _check_doubt(context: Context, table: Table, name: str) -> None:
    body = context.entries("tables")[table.name].body
    node = _stale_node(body)
    if name not in context.entries("tables"):
        hint = did_you_mean(name, context.entries("tables"))
        raise context.findings.add(node, "unknown-table", f"there is no table `{name[:60]}`", hint)
    doubts = context.tables.get(name)
    if doubts is None:
        raise context.findings.silent()
    if not isinstance(doubts.rule, Stale):
        text = f"`{name}` is no table of what is stale"
        raise context.findings.add(node, "stale", text, f"declare one: `stale: {{of: {table.name}}}`")
    own = {part.name: part.type for part in table.key}
    for part in doubts.key:
        if own.get(part.name) != part.type:
            text = f"the key of `{name}` has `{part.name}`, which no group of `{table.name}` tells"
            raise context.findings.add(node, "stale", text, "its parts are parts of the group")


def _stale_node(body: YamlMap) -> YamlNode:
    holder = body.values.get("marker", body.values.get("count"))
    if isinstance(holder, YamlMap) and "anchor" in holder.values:
        holder = holder.values["anchor"]
    assert isinstance(holder, YamlMap)
    return holder.values["stale"]


def holes_source(body: YamlMap) -> list[YamlNode]:
    """The table that `holes` names, to be looked at first."""
    node = body.values.get("holes")
    if not isinstance(node, YamlScalar):
        return []
    return [replace(node, value=node.value.partition("(")[0].strip())]


def edge_names(context: Context, table: Table) -> tuple[str, ...]:
    """The parts that ranges are over, by the names they were declared with."""
    ranges = context.entries("tables")[table.name].body.values["ranges"]
    assert isinstance(ranges, YamlMap)
    over = ranges.values["over"]
    assert isinstance(over, YamlMap)
    return tuple(over.values)
