"""Steps: what operations and seeds do, one word each, with `each`, `when` and `as`.

Depends on: context, check_modifiers, check_writes, expr_check, step_registry.  Never on: operations, which
hold the steps.

Law: a checked step writes only primary tables and cursors, and every value it writes fits its field.
"""

from __future__ import annotations

from pillarbox_codegen.check_base_steps import check_advance, check_anchor_step, check_confirm, check_mark
from pillarbox_codegen.check_fields import check_name, text_value
from pillarbox_codegen.check_items import named_value
from pillarbox_codegen.check_list_steps import check_place, check_reorder, check_replace, check_unplace
from pillarbox_codegen.check_match import check_match
from pillarbox_codegen.check_modifiers import body_of, modifiers, refuse_taken, step_key
from pillarbox_codegen.check_ranges import check_add_range, check_cut_range
from pillarbox_codegen.check_refs import check_hold, check_rewrite
from pillarbox_codegen.check_removes import check_remove
from pillarbox_codegen.check_writes import check_patch, check_put
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import all_of, did_you_mean, left_out, one_of
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import At
from pillarbox_codegen.model import (
    EmitStep,
    IfStep,
    LetStep,
    Modifiers,
    NamedExpr,
    RequireStep,
    SetCursorStep,
    Step,
    Type,
)
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.step_registry import STEPS, check_steps
from pillarbox_codegen.type_rules import BOOL
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

# ------------------------------------------------------------------------------- let, require, if


def _let(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    node = item.values["let"]
    assert isinstance(node, YamlMap)
    names: list[NamedExpr] = []
    for key, value in node:
        check_name(context.findings, key, snake_problem)
        refuse_taken(context, At(key, 0), key.value, scope)
        expr = check_node(context, value, None, scope)
        names.append(NamedExpr(key.value, expr))
        scope = scope.bind(key.value, "local", expr.type)
    return LetStep(tuple(names), Modifiers()), scope


def _require(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    mods, inner = modifiers(context, item, scope)
    condition = check_node(context, item.values["require"], BOOL, inner)
    otherwise = check_steps(context, item.values.get("else"), inner.assume(condition, truth=False))
    after = scope.assume(condition) if mods.when is None else scope
    return RequireStep(condition, otherwise, mods), after


def _if(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    mods, inner = modifiers(context, item, scope)
    condition = check_node(context, item.values["if"], BOOL, inner)
    with context.findings.together() as block:
        then = block.attempt(check_steps, context, item.values["then"], inner.assume(condition))
        otherwise = block.attempt(
            check_steps, context, item.values.get("else"), inner.assume(condition, truth=False)
        )
    return IfStep(condition, then or (), otherwise or (), mods), scope


# ---------------------------------------------------------------------------- set_cursor and emit


def _set_cursor(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "set_cursor")
    node = body.values["cursor"]
    name = text_value(node)
    context.declared_one("cursors", name, at_start(node), "unknown-cursor", "cursor")
    table = context.table(name, at_start(node))
    mods, inner = modifiers(context, item, scope)
    if "at" in body.values:
        at = step_key(context, body.values["at"], table, inner)
    elif table.key:
        names = ", ".join(part.name for part in table.key)
        raise context.findings.add(body, "key-parts", f"`{name}` has a row for each {names}", "add `at:`")
    else:
        at = ()
    holder = body.values["set"]
    assert isinstance(holder, YamlMap)
    known = [field.name for field in table.fields]
    for key, _ in holder:
        if key.value not in known:
            hint = did_you_mean(key.value, known) or f"it has {one_of(known)}"
            raise context.findings.add(
                key, "unknown-cursor", f"`{name}` has no part `{key.value[:60]}`", hint
            )
    types = {field.name: field.type for field in table.fields}
    with context.findings.together() as block:
        found = [
            block.attempt(named_value, context, key, value, inner, types[key.value]) for key, value in holder
        ]
    return SetCursorStep(name, at, tuple(one for one in found if one is not None), mods), scope


def _emit(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "emit")
    node = body.values["event"]
    name = text_value(node)
    context.declared_one("events", name, at_start(node), "unknown-event", "event")
    event = context.events.get(name)
    mods, inner = modifiers(context, item, scope)
    if event is None:
        raise context.findings.silent()
    given = {key: value for key, value in body.values.items() if key != "event"}
    types = {field.name: field.type for field in event.fields}
    required = {field.name for field in event.fields if not field.has_default}
    fields = check_arguments(context, body, given, types, required, f"the event {name}", inner)
    return EmitStep(name, fields, mods), scope


def check_arguments(
    context: Context, holder: YamlMap, given: dict[str, YamlNode], types: dict[str, Type], required: set[str],
    noun: str, scope: Scope,
) -> tuple[NamedExpr, ...]:  # fmt: skip
    """Arguments by name: all that have no default, none unknown, each of its type. Raises Invalid."""
    found: list[NamedExpr] = []
    with context.findings.together() as block:
        for name, node in given.items():
            if name not in types:
                hint = did_you_mean(name, types) or (f"it has {one_of(types)}" if types else "it has none")
                context.findings.add(holder.keys[name], "unknown-field", f"{noun} has no `{name[:60]}`", hint)
                block.failed = True
                continue
            expr = block.attempt(check_node, context, node, types[name], scope)
            if expr is not None:
                found.append(NamedExpr(name, expr))
        missing = left_out(sorted(required), given, types)
        if missing:
            text = f"{noun} needs {all_of(missing)}"
            raise context.findings.add(holder, "missing-key", text, "give every one that has no default")
    return tuple(found)


#: A word of steps of its own file is one line here.
STEPS.update(
    {
        "let": _let,
        "require": _require,
        "if": _if,
        "match": check_match,
        "put": check_put,
        "patch": check_patch,
        "remove": check_remove,
        "set_cursor": _set_cursor,
        "emit": _emit,
        "replace": check_replace,
        "place": check_place,
        "unplace": check_unplace,
        "reorder": check_reorder,
        "add_range": check_add_range,
        "cut_range": check_cut_range,
        "anchor": check_anchor_step,
        "advance": check_advance,
        "mark": check_mark,
        "confirm": check_confirm,
        "hold": check_hold,
        "rewrite": check_rewrite,
    }
)

__all__ = ["check_arguments", "check_steps"]
