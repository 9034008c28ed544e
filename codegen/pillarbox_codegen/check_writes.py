"""The steps that write rows: `put` and `patch`.

Depends on: context, check_modifiers, check_upsert.  Never on: other steps.

Law: they write primary tables only, and every value fits its field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pillarbox_codegen.check_fields import check_name, text_value
from pillarbox_codegen.check_modifiers import body_of, modifiers, refuse_taken
from pillarbox_codegen.check_targets import primary
from pillarbox_codegen.check_upsert import check_keeps
from pillarbox_codegen.context import Context, is_required, row_types
from pillarbox_codegen.diagnostics import all_of, did_you_mean, left_out, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_keys import RowKey, row_key
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import At
from pillarbox_codegen.model import (
    BagOf,
    Expr,
    FlagsType,
    ListOf,
    Literal_,
    Make,
    Named,
    Optional,
    PackedId,
    PatchField,
    PatchStep,
    PatchType,
    PutResult,
    PutStep,
    RowOf,
    Step,
    Table,
    Type,
    UnionType,
)
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.type_rules import INT64, is_int, optional, ordered, present, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar


def check_put(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "put")
    table = primary(context, body.values["into"])
    mods, inner = modifiers(context, item, scope)
    row = check_node(context, body.values["row"], RowOf(table.name), inner)
    keep = check_keeps(context, body.values.get("keep"), table, inner)
    only: Literal["any", "new", "old"] = "any"
    given = text_value(body.values.get("only"))
    if given:
        only = "new" if given == "new" else "old"
    if "as" not in item.values:
        return PutStep(table.name, row, only, mods, keep), scope
    result = item.values["as"]
    assert isinstance(result, YamlScalar)
    check_name(context.findings, result, snake_problem)
    refuse_taken(context, At(result, 0), result.value, scope)
    type: Type = PutResult(table.name)
    if mods.each is not None:
        type = ListOf(type)
    elif mods.when is not None or only != "any":
        type = Optional(type)
    step = PutStep(table.name, row, only, replace(mods, result=result.value), keep)
    return step, scope.bind(result.value, "local", type)


def check_patch(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "patch")
    table = primary(context, body.values["table"])
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        at, by = block.attempt(_at, context, body.values["at"], table, inner) or ((), None)
        given = block.attempt(_given, context, body, table, inner)
        changes: tuple[PatchField, ...] = ()
        if "with" not in body.values:
            changes = block.attempt(_changes, context, body, table, inner) or ()
        create = block.attempt(_create, context, body, table, inner)
        if by is not None and create is not None:
            text = f"a row of {table.name} is not made from its identity alone"
            raise context.findings.add(body.values["at"], "key-parts", text, "give the whole key")
    return PatchStep(table.name, at, changes, create, mods, given, by), scope


def _at(context: Context, node: YamlNode, table: Table, scope: Scope) -> RowKey:
    syntax = parse_node(node, context.findings)
    return row_key(ExprChecker(context, scope), syntax, table, may_be_none=False)


def _given(context: Context, body: YamlMap, table: Table, scope: Scope) -> Expr | None:
    """The patch that is data."""
    if "with" not in body.values:
        return None
    for word in ("set", "max", "min", "add", "flags"):
        if word in body.values:
            text = f"`with` is the whole patch, beside it `{word}` says nothing"
            raise context.findings.add(body.keys[word], "one-of", text, "use two patches")
    node = body.values["with"]
    value = check_node(context, node, _patch_of(context, table), scope)
    definition = context.definition(value.type)
    if not isinstance(definition, PatchType) or definition.of != RowOf(table.name):
        text = f"expected a patch of {table.name}, found {show(value.type)}"
        raise context.findings.add(node, "type", text, f"declare a type of `{{patch: {table.name}}}`")
    return value


def _patch_of(context: Context, table: Table) -> Type | None:
    """The type of the table's patches, if there is one."""
    for name, definition in context.types.items():
        if isinstance(definition, PatchType) and definition.of == RowOf(table.name):
            return Named(name)
    return None


def _changes(context: Context, body: YamlMap, table: Table, scope: Scope) -> tuple[PatchField, ...]:
    changes: list[PatchField] = []
    with context.findings.together() as block:
        seen: set[str] = set()
        for word in ("set", "max", "min", "add", "flags"):
            holder = body.values.get(word)
            for key, value in holder if isinstance(holder, YamlMap) else ():
                change = block.attempt(_change, context, table, word, key, value, scope)
                again = any(
                    f"{one}.".startswith(f"{key.value}.") or f"{key.value}.".startswith(f"{one}.")
                    for one in seen
                )
                if change is not None and again:
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
    name, *path = key.value.split(".")
    if key.value in {part.name for part in table.key}:
        text = f"`{key.value}` is part of the key of {table.name}, which a patch cannot change"
        raise context.findings.add(key, "step", text, "remove the row and put it under the other key")
    if name not in fields:
        hint = did_you_mean(name, fields) or (f"it has {one_of(fields)}" if fields else "it has none")
        raise context.findings.add(key, "unknown-field", f"{table.name} has no field `{name[:60]}`", hint)
    if any(field.name == name and field.computed is not None for field in table.fields):
        text = f"`{name}` follows from the other fields of its row"
        raise context.findings.add(key, "step", text, "change those")
    type = part_type(context, key, fields[name], path)
    if word == "flags":
        return replace(_flag_change(context, key, type, node, scope), field=name, path=tuple(path))
    if word == "add" and not is_int(present(type)):
        text = f"`add` needs a number, `{key.value}` is {show(type)}"
        raise context.findings.add(key, "type", text, "write the whole value with `set`")
    if word in ("max", "min") and not ordered(type, context.types):
        text = f"values of {show(type)} have no order"
        raise context.findings.add(key, "type", text, "write the whole value with `set`")
    value = check_node(
        context, node, type if word == "set" else INT64 if word == "add" else present(type), scope
    )
    how: dict[str, Literal["set", "max", "min", "add"]] = {
        "set": "set",
        "max": "max",
        "min": "min",
        "add": "add",
    }
    return PatchField(name, how[word], value, path=tuple(path))


def part_type(context: Context, key: YamlScalar, type: Type, path: Sequence[str]) -> Type:
    """The type of a part of a field, by the names that lead to it. Raises Invalid after a finding."""
    offset = key.value.find(".") + 1
    for place, name in enumerate(path, 1):
        of = present(type)
        members = context.members(of)
        cases: Mapping[str, Type] = {}
        if isinstance(of, BagOf):
            cases = context.case_types(of.item)
        elif isinstance(context.definition(of), UnionType) and place < len(path):
            cases = context.case_types(of)
        elif members is not None and not isinstance(context.definition(of), PackedId | UnionType):
            cases = members
        if name not in cases:
            hint = did_you_mean(name, cases)
            hint = hint or (
                f"it has {one_of(cases)}" if cases else f"change all of `{key.value[: offset - 1]}`"
            )
            text = f"{show(of)} has no part `{name[:60]}` that could be changed by itself"
            raise context.findings.add(key, "unknown-field", text, hint, offset)
        type = optional(cases[name]) if isinstance(of, BagOf) and place == len(path) else cases[name]
        offset += len(name) + 1
    return type


def _flag_change(context: Context, key: YamlScalar, type: Type, node: YamlNode, scope: Scope) -> PatchField:
    assert isinstance(node, YamlMap)
    if not isinstance(context.definition(type), FlagsType):
        text = f"`flags` changes flags, `{key.value}` is {show(type)}"
        raise context.findings.add(key, "type", text, "write the whole value with `set`")
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
        needed = {f.name for f in table.fields if is_required(f)}
        missing = left_out(sorted(needed - _assigned(body)), node.keys, types)
        if missing:
            text = f"a new row of {table.name} needs {all_of(missing)}"
            raise context.findings.add(node, "missing-key", text, "give every field that has no default")
    return Make(RowOf(table.name), tuple(fields), RowOf(table.name))


def _assigned(body: YamlMap) -> set[str]:
    holder = body.values.get("set")
    return set(holder.keys) if isinstance(holder, YamlMap) else set()
