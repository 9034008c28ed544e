"""The steps of the word `list`, and `replace`, which plain tables have as well.

Depends on: context, check_list, check_modifiers.  Never on: other words.

Law: a step names one group and whole items; an item that comes new into a list has every field of the record
that has no default. Of a plain table `replace` takes rows of its own, under a proper prefix of its key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_list import POSITION
from pillarbox_codegen.check_modifiers import body_of, check_each, modifiers, parts_given, step_key
from pillarbox_codegen.context import Context, at_start, is_required
from pillarbox_codegen.diagnostics import all_of, did_you_mean, left_out, one_of
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    EachVar,
    Expr,
    Field,
    ItemList,
    ListOf,
    Literal_,
    Local,
    Make,
    Modifiers,
    NamedExpr,
    PlaceStep,
    ReorderStep,
    ReplaceStep,
    RowOf,
    Step,
    Table,
    Type,
    UnplaceStep,
)
from pillarbox_codegen.step_registry import check_steps
from pillarbox_codegen.type_rules import INT64
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

#: Names an item where the schema gives it none; no name of a schema ends so.
_ITEM = "item_"


# ------------------------------------------------------------------------------ what steps share


def _list_of(context: Context, node: YamlNode) -> tuple[Table, ItemList]:
    """The list that is named. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if not isinstance(table.rule, ItemList):
        text = f"`{table.name}` is no list"
        raise context.findings.add(node, "word", text, "this step is for tables of the word `list`")
    return table, table.rule


def _group(
    context: Context, body: YamlMap, word: str, table: Table, rule: ItemList, scope: Scope
) -> tuple[Expr, ...]:
    node = body.values.get(word)
    parts = [(part.name, part.type) for part in table.key[: len(rule.group)]]
    if node is None and parts:
        names = ", ".join(name for name, _ in parts)
        raise context.findings.add(body, "key-parts", f"there is a list for each {names}", f"add `{word}:`")
    if node is None:
        return ()
    if not parts:
        text = "this is one list, without groups"
        raise context.findings.add(body.keys[word], "key-parts", text, f"leave `{word}` out")
    return parts_given(context, node, parts, scope)


def _item_parts(table: Table, rule: ItemList) -> list[tuple[str, Type]]:
    return [(field.name, field.type) for field in table.fields[: len(rule.item)]]


def _record(table: Table, rule: ItemList) -> list[Field]:
    return list(table.fields[len(rule.item) :])


def _steps(context: Context, body: YamlMap, scope: Scope) -> tuple[Step, ...]:
    return check_steps(context, body.values.get("else"), scope)


# ------------------------------------------------------------------------------- place, unplace


def check_place(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "place")
    table, rule = _list_of(context, body.values["list"])
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        group = block.attempt(_group, context, body, "group", table, rule, inner) or ()
        parts = _item_parts(table, rule)
        placed = block.attempt(parts_given, context, body.values["item"], parts, inner) or ()
        at = block.attempt(_position, context, body.values["at"], inner)
        record = block.attempt(_placed_record, context, body, table, rule, inner)
    assert at is not None
    return PlaceStep(table.name, group, placed, at, record, mods), scope


def _position(context: Context, node: YamlNode, scope: Scope) -> Expr | Literal["front", "end"]:
    match text_value(node):
        case "front" if "front" not in scope.names:
            return "front"
        case "end" if "end" not in scope.names:
            return "end"
    return check_node(context, node, INT64, scope)


def _placed_record(
    context: Context, body: YamlMap, table: Table, rule: ItemList, scope: Scope
) -> tuple[NamedExpr, ...] | None:
    fields = _record(table, rule)
    node = body.values.get("record")
    if node is None:
        missing = [field.name for field in fields if is_required(field)]
        if missing:
            text = f"an item that is new to {table.name} needs {all_of(missing)}"
            raise context.findings.add(body, "missing-key", text, "add `record:`, or give them defaults")
        return None
    return _fields(context, node, table, fields, scope)


def _fields(
    context: Context, node: YamlNode, table: Table, fields: Sequence[Field], scope: Scope
) -> tuple[NamedExpr, ...]:
    """Values of these fields, each of its type, all that have no default among them."""
    assert isinstance(node, YamlMap)
    types = {field.name: field.type for field in fields}
    given: list[NamedExpr] = []
    with context.findings.together() as block:
        for key, value in node:
            if key.value not in types:
                hint = did_you_mean(key.value, types)
                hint = hint or (f"it has {one_of(types)}" if types else "it has none")
                text = f"items of {table.name} have no field `{key.value[:60]}`"
                context.findings.add(key, "unknown-field", text, hint)
                block.failed = True
                continue
            expr = block.attempt(check_node, context, value, types[key.value], scope)
            if expr is not None:
                given.append(NamedExpr(key.value, expr))
        missing = left_out([field.name for field in fields if is_required(field)], node.values, types)
        if missing:
            text = f"items of {table.name} need {all_of(missing)}"
            raise context.findings.add(node, "missing-key", text, "give every field that has no default")
    return tuple(given)


def check_unplace(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "unplace")
    table, rule = _list_of(context, body.values["list"])
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        group = block.attempt(_group, context, body, "group", table, rule, inner) or ()
        gone = block.attempt(parts_given, context, body.values["item"], _item_parts(table, rule), inner) or ()
        otherwise = block.attempt(_steps, context, body, inner) or ()
    return UnplaceStep(table.name, group, gone, otherwise, mods), scope


# ------------------------------------------------------------------------------ reorder, replace


def check_reorder(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "reorder")
    table, rule = _list_of(context, body.values["list"])
    same_set = text_value(body.values.get("same_set")) == "true"
    if same_set and text_value(body.values.get("first")) == "true":
        text = "`same_set` names every item, `first` some of them"
        raise context.findings.add(body.keys["first"], "one-of", text, "keep one of them")
    if "else" in body.values and not same_set:
        text = "items that are not in the list are passed over, so there is no `else`"
        raise context.findings.add(body.keys["else"], "step", text, "say `same_set: true`, or leave it out")
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        group = block.attempt(_group, context, body, "group", table, rule, inner) or ()
        items = block.attempt(_ordered, context, body.values["items"], table, rule, inner)
        otherwise = block.attempt(_steps, context, body, inner) or ()
    assert items is not None
    each, when, parts = items
    return ReorderStep(table.name, group, parts, each, when, same_set, otherwise, mods), scope


def _ordered(
    context: Context, node: YamlNode, table: Table, rule: ItemList, scope: Scope
) -> tuple[EachVar, Expr | None, tuple[Expr, ...]]:
    if not isinstance(node, YamlMap):
        each, local = _lone_items(context, node, table, rule, scope)
        return each, None, (local,)
    each, when, inner = _each_of(context, node, "item", scope)
    return each, when, parts_given(context, node.values["item"], _item_parts(table, rule), inner)


def _lone_items(
    context: Context, node: YamlNode, table: Table, rule: ItemList, scope: Scope
) -> tuple[EachVar, Local]:
    """A list of items of one part."""
    parts = _item_parts(table, rule)
    if len(parts) != 1:
        names = ", ".join(name for name, _ in parts)
        text = f"an item has the parts {names}"
        raise context.findings.add(node, "key-parts", text, "write `{each: LIST as name, item: [..]}`")
    ((_, type),) = parts
    items = check_node(context, node, ListOf(type), scope)
    return EachVar(_ITEM, items), Local(_ITEM, "local", type)


def _each_of(context: Context, node: YamlMap, word: str, scope: Scope) -> tuple[EachVar, Expr | None, Scope]:
    other = "row" if word == "item" else "item"
    if other in node.values:
        text = f"`{other}` means nothing here"
        raise context.findings.add(node.keys[other], "unknown-key", text, f"write `{word}:`")
    for needed in ("each", word):
        if needed not in node.values:
            text = f"a list of items needs `{needed}`"
            raise context.findings.add(node, "missing-key", text, f"add `{needed}:`")
    each, inner = check_each(context, node.values["each"], scope)
    when = check_condition(context, node.values.get("when"), inner)
    inner = inner.assume(when)
    return each, when, inner


def check_replace(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    """`replace`, of rows under a prefix of a plain table, or of the items of a list."""
    body = body_of(item, "replace")
    node = body.values["table"]
    table = context.table(text_value(node), at_start(node))
    mods, inner = modifiers(context, item, scope)
    if isinstance(table.rule, ItemList):
        rule = table.rule
        with context.findings.together() as block:
            under = block.attempt(_group, context, body, "under", table, rule, inner) or ()
            found = block.attempt(_items, context, body.values["rows"], table, rule, inner)
        assert found is not None
        each, when, fields = found
        given = zip((part.name for part in table.key), (*under, Literal_(0, POSITION.type)), strict=True)
        row = Make(RowOf(table.name), (*given, *((one.name, one.expr) for one in fields)), RowOf(table.name))
        return ReplaceStep(table.name, under, row, each, when, mods), scope
    if table.role != "primary":
        text = f"`{table.name}` cannot be written by a step"
        raise context.findings.add(node, "read-only", text, "`replace` is for plain tables and lists")
    return _replace_rows(context, body, table, inner, mods), scope


def _items(
    context: Context, node: YamlNode, table: Table, rule: ItemList, scope: Scope
) -> tuple[EachVar, Expr | None, tuple[NamedExpr, ...]]:
    if isinstance(node, YamlMap):
        each, when, inner = _each_of(context, node, "row", scope)
        row = node.values["row"]
        if not isinstance(row, YamlMap):
            text = "the row of a list names its fields"
            raise context.findings.add(row, "wrong-shape", text, "write `{field: value, ..}`")
        return each, when, _fields(context, row, table, list(table.fields), inner)
    each, local = _lone_items(context, node, table, rule, scope)
    missing = [field.name for field in _record(table, rule) if is_required(field)]
    if missing:
        text = f"items of {table.name} need {all_of(missing)}"
        raise context.findings.add(node, "missing-key", text, "write `{each: LIST as name, row: {..}}`")
    return each, None, (NamedExpr(rule.item[0], local),)


def _replace_rows(
    context: Context, body: YamlMap, table: Table, scope: Scope, mods: Modifiers
) -> ReplaceStep:
    if "under" not in body.values:
        text = "`replace` writes what lies under a prefix"
        raise context.findings.add(body, "missing-key", text, "add `under:`")
    node = body.values["under"]
    under = step_key(context, node, table, scope, prefix=True)
    if len(under) == len(table.key) or not under:
        text = f"this is {'the whole' if under else 'no part of the'} key of {table.name}"
        raise context.findings.add(node, "key-parts", text, "name the first parts of the key")
    rows = body.values["rows"]
    if isinstance(rows, YamlMap):
        each, when, inner = _each_of(context, rows, "row", scope)
        row = check_node(context, rows.values["row"], RowOf(table.name), inner)
        return ReplaceStep(table.name, under, row, each, when, mods)
    expr = check_node(context, rows, ListOf(RowOf(table.name)), scope)
    return ReplaceStep(table.name, under, expr, None, None, mods)
