"""The steps `anchor`, `advance`, `mark` and `confirm`.

Depends on: context, check_modifiers, check_domains.  Never on: other steps.

Law: they name a whole key; what they set are fields that only steps set, each of its type.
"""

from __future__ import annotations

from pillarbox_codegen.check_domains import counter_of
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_marker import mark_fields
from pillarbox_codegen.check_modifiers import body_of, modifiers, parts_given, step_key
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import ListNode
from pillarbox_codegen.model import (
    AdvanceStep,
    AnchoredCount,
    AnchorStep,
    AsOf,
    ConfirmStep,
    Expr,
    Marker,
    MarkStep,
    NamedExpr,
    Stale,
    Step,
    Table,
    Type,
)
from pillarbox_codegen.type_rules import BOOL, INT64
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode


def _table(context: Context, body: YamlMap, words: tuple[type, ...], noun: str) -> Table:
    node = body.values["table"]
    table = context.table(text_value(node), at_start(node))
    if not isinstance(table.rule, words):
        text = f"`{table.name}` is no {noun}"
        raise context.findings.add(node, "word", text, f"this step is for a {noun}")
    return table


def _at(context: Context, body: YamlMap, table: Table, scope: Scope) -> tuple[Expr, ...]:
    if "at" in body.values:
        return step_key(context, body.values["at"], table, scope)
    if table.key:
        names = ", ".join(part.name for part in table.key)
        text = f"`{table.name}` has a row for each {names}"
        raise context.findings.add(body, "key-parts", text, "add `at:`")
    return ()


def settable(context: Context, table: Table) -> dict[str, tuple[tuple[str, Type], ...]]:
    """What a step may set of a row -> the fields that are set by it, with the types of what it gives."""
    types = {field.name: field.type for field in table.fields}
    match table.rule:
        case Marker() as rule:
            places = [*rule.marks, *([] if rule.known is None else [rule.known])]
            held = {name: mark_fields(name, rule.by) for name in places}
            over = context.tables[rule.over].key[len(rule.group) :]
            given = [part.type for part in over]
            types |= {field: type for name in places for field, type in zip(held[name], given, strict=True)}
            held[rule.count] = (rule.count,)
            if rule.flag is not None:
                held[rule.flag] = (rule.flag,)
        case AnchoredCount() as rule:
            held = {name: (name,) for name in (*rule.given, *rule.base)}
        case _:
            held = {}
    return {name: tuple((field, types[field]) for field in fields) for name, fields in held.items()}


def check_anchor_step(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "anchor")
    table = _table(context, body, (Marker, AnchoredCount), "marker or count with an `anchor`")
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        at = block.attempt(_at, context, body, table, inner) or ()
        given = block.attempt(_set, context, body.values["set"], table, inner) or ()
        as_of = block.attempt(_as_of, context, body.values.get("as_of"), inner)
    return AnchorStep(table.name, at, given, as_of, mods), scope


def _set(
    context: Context, node: YamlNode, table: Table, scope: Scope
) -> tuple[tuple[str, tuple[Expr, ...]], ...]:
    assert isinstance(node, YamlMap)
    known = settable(context, table)
    if not node.values:
        raise context.findings.add(node, "anchor", "this sets nothing", f"set {one_of(list(known))}")
    found: list[tuple[str, tuple[Expr, ...]]] = []
    with context.findings.together() as block:
        for key, value in node:
            if key.value not in known:
                hint = did_you_mean(key.value, known) or f"it has {one_of(list(known))}"
                text = f"the base of {table.name} has no `{key.value[:60]}`"
                context.findings.add(key, "anchor", text, hint)
                block.failed = True
                continue
            exprs = block.attempt(parts_given, context, value, known[key.value], scope)
            if exprs is not None:
                found.append((key.value, exprs))
    return tuple(found)


def _as_of(context: Context, node: YamlNode | None, scope: Scope) -> AsOf | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    domain = node.values["domain"]
    cursor, part, _ = counter_of(context, domain)
    table = context.table(cursor, at_start(domain))
    if table.key and "key" not in node.values:
        names = ", ".join(part.name for part in table.key)
        raise context.findings.add(node, "claim", f"`{cursor}` counts for each {names}", "give `key:`")
    parts = [(part.name, part.type) for part in table.key]
    syntax = (
        parse_node(node.values["key"], context.findings)
        if "key" in node.values
        else ListNode((), at_start(node))
    )
    key = key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=False)
    return AsOf(cursor, part, key, check_node(context, node.values["end"], INT64, scope))


def check_advance(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "advance")
    table = _table(context, body, (Marker,), "marker")
    rule = table.rule
    assert isinstance(rule, Marker)
    mark = text_value(body.values["mark"])
    if mark not in rule.marks:
        hint = did_you_mean(mark, rule.marks) or f"its marks are {one_of(list(rule.marks))}"
        text = f"{table.name} has no mark `{mark[:60]}`"
        raise context.findings.add(body.values["mark"], "unknown-field", text, hint)
    if "flag" in body.values and rule.flag is None:
        text = f"{table.name} has no flag"
        raise context.findings.add(body.keys["flag"], "step", text, "declare `flag:`, or leave it out here")
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        at = block.attempt(_at, context, body, table, inner) or ()
        parts = settable(context, table)[mark]
        to = block.attempt(parts_given, context, body.values["to"], parts, inner) or ()
        flag = block.attempt(_optional, context, body.values.get("flag"), BOOL, inner)
    return AdvanceStep(table.name, at, mark, to, flag, mods), scope


def _optional(context: Context, node: YamlNode | None, type: Type, scope: Scope) -> Expr | None:
    return None if node is None else check_node(context, node, type, scope)


def check_mark(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "mark")
    table = _table(context, body, (Stale,), "table of what is stale")
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        at = block.attempt(_at, context, body, table, inner) or ()
        record = block.attempt(_record, context, body.values.get("record"), table, inner)
    return MarkStep(table.name, at, record, mods), scope


def _record(
    context: Context, node: YamlNode | None, table: Table, scope: Scope
) -> tuple[NamedExpr, ...] | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    types = {field.name: field.type for field in table.fields[1:]}
    found: list[NamedExpr] = []
    with context.findings.together() as block:
        for key, value in node:
            if key.value not in types:
                hint = did_you_mean(key.value, types) or (
                    f"it has {one_of(list(types))}" if types else "it has none"
                )
                text = f"{table.name} has no field `{key.value[:60]}`"
                context.findings.add(key, "unknown-field", text, hint)
                block.failed = True
                continue
            expr = block.attempt(check_node, context, value, types[key.value], scope)
            if expr is not None:
                found.append(NamedExpr(key.value, expr))
    return tuple(found)


def check_confirm(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "confirm")
    table = _table(context, body, (Stale,), "table of what is stale")
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        at = block.attempt(_at, context, body, table, inner) or ()
        version = block.attempt(_optional, context, body.values.get("version"), INT64, inner)
    return ConfirmStep(table.name, at, version, mods), scope
