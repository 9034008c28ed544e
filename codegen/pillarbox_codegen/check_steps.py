"""Steps: what operations and seeds do, one word each, with `each`, `when` and `as`.

Depends on: context, expr_check, expr_calls.  Never on: operations, which hold the steps.

Law: a checked step writes only primary tables and cursors, and every value it writes fits its field.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Literal

from pillarbox_codegen.check_fields import check_name, text_value
from pillarbox_codegen.check_rules import item_type, named_values
from pillarbox_codegen.context import Context, at_start, row_types
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_calls import key_parts
from pillarbox_codegen.expr_check import ExprChecker, check, check_node
from pillarbox_codegen.expr_parse import At, parse_node, parse_text
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    EachVar,
    EmitStep,
    Expr,
    FlagsType,
    IfStep,
    LetStep,
    ListOf,
    Literal_,
    Make,
    Modifiers,
    NamedExpr,
    Optional,
    PatchField,
    PatchStep,
    PutResult,
    PutStep,
    RemoveStep,
    RequireStep,
    RowOf,
    SetCursorStep,
    Step,
    Table,
    Type,
)
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.type_rules import BOOL, INT64, is_int, ordered, present, show
from pillarbox_codegen.yaml_source import YamlList, YamlMap, YamlNode, YamlScalar

_EACH: Final = re.compile(r"(?P<items>.*\S)\s+as\s+(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*", re.DOTALL)


def check_steps(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Step, ...]:
    """Steps in order; names bound by one are known to those after it. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    steps: list[Step] = []
    with context.findings.together() as block:
        for item in node.items:
            assert isinstance(item, YamlMap)
            word = next(word for word in _STEPS if word in item.values)
            found = block.attempt(_STEPS[word], context, item, scope)
            if found is None:
                scope = scope.lose(_bound_names(item))
            else:
                step, scope = found
                steps.append(step)
    return tuple(steps)


def _bound_names(item: YamlMap) -> set[str]:
    let, result = item.values.get("let"), item.values.get("as")
    names = set(let.keys) if isinstance(let, YamlMap) else set()
    return names | ({result.value} if isinstance(result, YamlScalar) else set())


# ----------------------------------------------------------------------------------------- modifiers


def check_each(context: Context, node: YamlNode, scope: Scope) -> tuple[EachVar, Scope]:
    """`LIST as name`, and the scope that has the name. Raises Invalid after a finding."""
    assert isinstance(node, YamlScalar)
    match = _EACH.fullmatch(node.value)
    if match is None:
        text = "`each` names its variable"
        raise context.findings.add(node, "syntax", text, "write `each: LIST as name`")
    syntax = parse_text(node, match["items"], 0, context.findings)
    items = check(context, syntax, None, scope)
    type = item_type(context, items, node)
    problem = snake_problem(match["name"])
    if problem is not None:
        raise context.findings.add(node, "name", *problem, offset=match.start("name"))
    _refuse_taken(context, At(node, match.start("name")), match["name"], scope)
    return EachVar(match["name"], items), scope.bind(match["name"], "local", type)


def _refuse_taken(context: Context, at: At, name: str, scope: Scope) -> None:
    if name in scope.names:
        text = f"`{name}` names something else here already"
        raise context.add(at, "name-taken", text, "choose another name")


def _modifiers(context: Context, item: YamlMap, scope: Scope) -> tuple[Modifiers, Scope]:
    """The modifiers, and the scope that the step itself sees."""
    each: EachVar | None = None
    if "each" in item.values:
        each, scope = check_each(context, item.values["each"], scope)
    when = None
    if "when" in item.values:
        when = check_node(context, item.values["when"], BOOL, scope)
        scope = scope.assume(when)
    return Modifiers(each, when), scope


# ------------------------------------------------------------------------------- let, require, if


def _let(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    node = item.values["let"]
    assert isinstance(node, YamlMap)
    names: list[NamedExpr] = []
    for key, value in node:
        check_name(context.findings, key, snake_problem)
        _refuse_taken(context, At(key, 0), key.value, scope)
        expr = check_node(context, value, None, scope)
        names.append(NamedExpr(key.value, expr))
        scope = scope.bind(key.value, "local", expr.type)
    return LetStep(tuple(names), Modifiers()), scope


def _require(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    mods, inner = _modifiers(context, item, scope)
    condition = check_node(context, item.values["require"], BOOL, inner)
    otherwise = check_steps(context, item.values.get("else"), inner.assume(condition, truth=False))
    after = scope.assume(condition) if mods.when is None else scope
    return RequireStep(condition, otherwise, mods), after


def _if(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    mods, inner = _modifiers(context, item, scope)
    condition = check_node(context, item.values["if"], BOOL, inner)
    with context.findings.together() as block:
        then = block.attempt(check_steps, context, item.values["then"], inner.assume(condition))
        otherwise = block.attempt(
            check_steps, context, item.values.get("else"), inner.assume(condition, truth=False)
        )
    return IfStep(condition, then or (), otherwise or (), mods), scope


# ------------------------------------------------------------------------------ put, patch, remove


def _target(context: Context, node: YamlNode) -> Table:
    """The primary table a step writes. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if table.role != "primary":
        hints = {
            "derived": f"write `{table.rule.source}`; it follows" if table.rule is not None else None,
            "cursor": "use the step `set_cursor`",
            "sequence": "it moves by itself where a field has `fill`",
        }
        text = f"`{table.name}` cannot be written by a step"
        raise context.findings.add(node, "read-only", text, hints.get(table.role))
    return table


def _put(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = _body(item, "put")
    table = _target(context, body.values["into"])
    mods, inner = _modifiers(context, item, scope)
    row = check_node(context, body.values["row"], RowOf(table.name), inner)
    only: Literal["any", "new", "old"] = "any"
    given = text_value(body.values.get("only"))
    if given:
        only = "new" if given == "new" else "old"
    if "as" not in item.values:
        return PutStep(table.name, row, only, mods), scope
    result = item.values["as"]
    assert isinstance(result, YamlScalar)
    check_name(context.findings, result, snake_problem)
    _refuse_taken(context, At(result, 0), result.value, scope)
    type: Type = PutResult(table.name)
    if mods.each is not None:
        type = ListOf(type)
    elif mods.when is not None or only != "any":
        type = Optional(type)
    step = PutStep(table.name, row, only, replace(mods, result=result.value))
    return step, scope.bind(result.value, "local", type)


def _body(item: YamlMap, word: str) -> YamlMap:
    body = item.values[word]
    assert isinstance(body, YamlMap)
    return body


def _key(
    context: Context, node: YamlNode, table: Table, scope: Scope, prefix: bool = False
) -> tuple[Expr, ...]:
    parts = [(part.name, part.type) for part in table.key]
    syntax = parse_node(node, context.findings)
    return key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=False, prefix=prefix)


def _patch(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = _body(item, "patch")
    table = _target(context, body.values["table"])
    mods, inner = _modifiers(context, item, scope)
    with context.findings.together() as block:
        at = block.attempt(_key, context, body.values["at"], table, inner) or ()
        changes = block.attempt(_changes, context, body, table, inner) or ()
        create = block.attempt(_create, context, body, table, inner)
    return PatchStep(table.name, at, changes, create, mods), scope


def _changes(context: Context, body: YamlMap, table: Table, scope: Scope) -> tuple[PatchField, ...]:
    changes: list[PatchField] = []
    with context.findings.together() as block:
        seen: set[str] = set()
        for word in ("set", "max", "min", "add", "flags"):
            holder = body.values.get(word)
            for key, value in holder if isinstance(holder, YamlMap) else ():
                change = block.attempt(_change, context, table, word, key, value, scope)
                if change is not None and key.value in seen:
                    text = f"`{key.value}` is changed twice in one patch"
                    raise context.findings.add(key, "name-taken", text, "one change a field")
                seen.add(key.value)
                if change is not None:
                    changes.append(change)
    if not changes and not block.failed and not isinstance(body.values.get("create"), YamlMap):
        text = "this patch changes nothing"
        raise context.findings.add(body, "step", text, "add `set`, `max`, `min`, `add` or `flags`")
    return tuple(changes)


def _change(
    context: Context, table: Table, word: str, key: YamlScalar, node: YamlNode, scope: Scope
) -> PatchField:
    fields = {field.name: field.type for field in table.fields}
    if key.value in {part.name for part in table.key}:
        text = f"`{key.value}` is part of the key of {table.name}, which a patch cannot change"
        raise context.findings.add(key, "step", text, "remove the row and put it under the other key")
    if key.value not in fields:
        hint = did_you_mean(key.value, fields) or (f"it has {one_of(fields)}" if fields else None)
        raise context.findings.add(
            key, "unknown-field", f"{table.name} has no field `{key.value[:60]}`", hint
        )
    type = fields[key.value]
    if word == "flags":
        return _flag_change(context, key, type, node, scope)
    if word == "add" and not is_int(present(type)):
        raise context.findings.add(key, "type", f"`add` needs a number, `{key.value}` is {show(type)}")
    if word in ("max", "min") and not ordered(type, context.types):
        raise context.findings.add(key, "type", f"values of {show(type)} have no order")
    value = check_node(
        context, node, type if word == "set" else INT64 if word == "add" else present(type), scope
    )
    how: dict[str, Literal["set", "max", "min", "add"]] = {
        "set": "set",
        "max": "max",
        "min": "min",
        "add": "add",
    }
    return PatchField(key.value, how[word], value)


def _flag_change(context: Context, key: YamlScalar, type: Type, node: YamlNode, scope: Scope) -> PatchField:
    assert isinstance(node, YamlMap)
    if not isinstance(context.definition(type), FlagsType):
        raise context.findings.add(key, "type", f"`flags` changes flags, `{key.value}` is {show(type)}")
    if not node.values:
        raise context.findings.add(node, "step", "this changes no flag", "add `set:` or `clear:`")
    none: Expr = Literal_(0, type)
    value = check_node(context, node.values["set"], type, scope) if "set" in node.values else none
    clear = check_node(context, node.values["clear"], type, scope) if "clear" in node.values else None
    return PatchField(key.value, "flags", value, clear)


def _create(context: Context, body: YamlMap, table: Table, scope: Scope) -> Make | None:
    """The row a patch starts from: the key is the one it is at, so only the record's fields are named."""
    node = body.values.get("create")
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    keys = {part.name for part in table.key}
    types = row_types(table)
    fields: list[tuple[str, Expr]] = []
    with context.findings.together() as block:
        for key, value in node:
            if key.value in keys:
                text = f"`{key.value}` is part of the key, which `at` gives"
                context.findings.add(key, "step", text, "leave it out")
                block.failed = True
            elif key.value not in types:
                hint = did_you_mean(key.value, set(types) - keys)
                context.findings.add(
                    key, "unknown-field", f"{table.name} has no field `{key.value[:60]}`", hint
                )
                block.failed = True
            else:
                expr = block.attempt(check_node, context, value, types[key.value], scope)
                if expr is not None:
                    fields.append((key.value, expr))
        needed = {f.name for f in table.fields if not f.has_default and f.fill is None}
        missing = sorted(needed - set(node.keys) - _assigned(body))
        if missing:
            text = f"a new row of {table.name} needs {one_of(missing).replace(' or ', ' and ')}"
            raise context.findings.add(node, "missing-key", text, "give every field that has no default")
    return Make(RowOf(table.name), tuple(fields), RowOf(table.name))


def _assigned(body: YamlMap) -> set[str]:
    holder = body.values.get("set")
    return set(holder.keys) if isinstance(holder, YamlMap) else set()


def _remove(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = _body(item, "remove")
    table = _target(context, body.values["from"])
    mods, inner = _modifiers(context, item, scope)
    given = [word for word in ("at", "under") if word in body.values]
    if len(given) != 1:
        text = "`remove` has one of `at` and `under`"
        raise context.findings.add(body, "step", text, "`at` a whole key, or everything `under` a prefix")
    if given == ["at"]:
        at = _key(context, body.values["at"], table, inner)
        return RemoveStep(table.name, at, True, mods), scope
    under = body.values["under"]
    at = _key(context, under, table, inner, prefix=True)
    if len(at) == len(table.key):
        text = f"this is the whole key of {table.name}"
        raise context.findings.add(under, "key-parts", text, "write `at` instead of `under`")
    return RemoveStep(table.name, at, False, mods), scope


# ---------------------------------------------------------------------------- set_cursor and emit


def _set_cursor(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = _body(item, "set_cursor")
    node = body.values["cursor"]
    name = text_value(node)
    context.declared_one("cursors", name, at_start(node), "unknown-cursor", "cursor")
    table = context.table(name, at_start(node))
    mods, inner = _modifiers(context, item, scope)
    if "at" in body.values:
        at = _key(context, body.values["at"], table, inner)
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
    return SetCursorStep(name, at, named_values(context, holder, inner, INT64), mods), scope


def _emit(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = _body(item, "emit")
    node = body.values["event"]
    name = text_value(node)
    context.declared_one("events", name, at_start(node), "unknown-event", "event")
    event = context.events.get(name)
    mods, inner = _modifiers(context, item, scope)
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
        missing = sorted(required - set(given))
        if missing:
            text = f"{noun} needs {one_of(missing).replace(' or ', ' and ')}"
            raise context.findings.add(holder, "missing-key", text, "give every one that has no default")
    return tuple(found)


_STEPS: Final[dict[str, Callable[[Context, YamlMap, Scope], tuple[Step, Scope]]]] = {
    "let": _let,
    "require": _require,
    "if": _if,
    "put": _put,
    "patch": _patch,
    "remove": _remove,
    "set_cursor": _set_cursor,
    "emit": _emit,
}
