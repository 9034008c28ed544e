"""What operations do to rows while a page that may have them is asked for.

Depends on: context, check_hole_scope, touches.  Never on: requests, answers.

Law: an operation that may write the rows of pages is said to, in full, or spoils every page.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen.check_fields import text_value, truth
from pillarbox_codegen.check_hole_scope import Holed
from pillarbox_codegen.check_modifiers import modifiers
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Expr, HoleChange, HolePage
from pillarbox_codegen.touches import touched
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

_MODIFIERS = ("each", "when")


def check_changes(
    context: Context, body: YamlMap, of: Holed, pages: Sequence[HolePage]
) -> tuple[tuple[HoleChange, ...], tuple[str, ...]]:
    """What is said of operations, and those that may write the rows of which nothing is said."""
    node = body.values.get("changes")
    items: Sequence[YamlNode] = node.items if isinstance(node, YamlList) else ()
    with context.findings.together() as block:
        found = [block.attempt(_change, context, item, of) for item in items]
    changes = tuple(change for change in found if change is not None)
    said = {change.operation for change in changes}
    tables = {page.of for page in pages} | _also(context, body.values.get("also"))
    spoiling = tuple(
        name
        for name, operation in context.operations.items()
        if name not in said and touched(operation, context.tables).written & tables
    )
    return changes, spoiling


def _also(context: Context, node: YamlNode | None) -> set[str]:
    """Tables that pages write besides, and that are to be as new as their rows."""
    items: Sequence[YamlNode] = node.items if isinstance(node, YamlList) else ()
    with context.findings.together() as block:
        found = [block.attempt(context.table, text_value(item), at_start(item)) for item in items]
    return {table.name for table in found if table is not None}


def _change(context: Context, item: YamlNode, of: Holed) -> HoleChange:
    assert isinstance(item, YamlMap)
    given = [name for name in item.values if name not in _MODIFIERS]
    if len(given) != 1:
        text = f"an entry names one operation, this one {len(given)}"
        raise context.findings.add(item, "step", text, "write `- {operation: {part: expression, id: ..}}`")
    name = given[0]
    context.declared_one("operations", name, at_start(item.keys[name]), "unknown-operation", "operation")
    operation = context.operations.get(name)
    if operation is None:
        raise context.findings.silent()
    reason = "what an operation changes is told before it is done, from its parameters alone"
    mods, scope = modifiers(context, item, param_scope(operation.params, reason))
    body = item.values[name]
    assert isinstance(body, YamlMap)
    group, id = _rows(context, body, of, scope)
    part = truth(context.findings, body.values.get("part"))
    return HoleChange(name, group, id, part, mods.each, mods.when)


def _rows(
    context: Context, body: YamlMap, of: Holed, scope: Scope
) -> tuple[tuple[tuple[int, Expr], ...], tuple[Expr, ...]]:
    names = [part.name for part in of.group]
    group: list[tuple[int, Expr]] = []
    id: tuple[Expr, ...] = ()
    with context.findings.together() as block:
        for key, value in body:
            if key.value == "id":
                id = block.attempt(_id, context, value, of, scope) or ()
            elif key.value in names:
                place = names.index(key.value)
                expr = block.attempt(check_node, context, value, of.group[place].type, scope)
                if expr is not None:
                    group.append((place, expr))
            elif key.value != "part":
                hint = did_you_mean(key.value, names) or f"it has {one_of(names)}"
                context.findings.add(key, "unknown-name", f"the group has no part `{key.value[:60]}`", hint)
                block.failed = True
    return tuple(group), id


def _id(context: Context, node: YamlNode, of: Holed, scope: Scope) -> tuple[Expr, ...]:
    if not of.over:
        return (check_node(context, node, None, scope),)
    parts = [(part.name, part.type) for part in of.table.key[-len(of.over) :]]
    return key_parts(
        ExprChecker(context, scope), parse_node(node, context.findings), parts, may_be_none=False
    )
