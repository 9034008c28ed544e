"""The word `index`, and the identities that some indexes are.

Depends on: context, check_items, check_lookups.  Never on: other words.

Law: an index row leads back to its source row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_items import (
    Derived,
    check_distinct,
    check_key_items,
    each_and_when,
    fields_of,
    key_parts_of,
    named_values,
    source_table,
)
from pillarbox_codegen.check_lookups import Own, check_lookups, field_paths
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.model import Expr, IdType, Index, Local, NamedExpr, Refs, Table, Type
from pillarbox_codegen.type_rules import is_int, named, show
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlMap


def check_index(context: Context, body: YamlMap) -> Derived:
    source = source_table(context, body.values["from"])
    own = Own(source.key, field_paths(part.name for part in source.key), [source])
    lookups, scope = check_lookups(context, body, row_scope(source), own)
    if lookups and "unique" in body.keys:
        text = "a unique index has no lookups: what it refuses hangs on its source alone"
        raise context.findings.add(body.keys["unique"], "lookup", text, "leave `unique` or `with` out")
    each, when, scope = each_and_when(context, body, scope)
    with context.findings.together() as block:
        key = block.attempt(check_key_items, context, body.values["key"], scope) or ()
        value = block.attempt(named_values, context, body.values.get("value"), scope) or ()
    check_distinct(context, body, key, value, "value")
    rule = Index(source.name, each, when, key, value, _unique(body), lookups, _due(context, body, key))
    _check_source_key(context, body, source, rule)
    return Derived(rule, key_parts_of(key), fields_of(value))


def _unique(body: YamlMap) -> Literal["no", "yes", "identity"]:
    match text_value(body.values.get("unique")):
        case "identity":
            return "identity"
        case "true":
            return "yes"
        case _:
            return "no"


def _due(context: Context, body: YamlMap, key: Sequence[NamedExpr]) -> str | None:
    """The key part that is a time. Raises Invalid where it cannot be one."""
    node = body.values.get("due")
    if node is None:
        return None
    name = text_value(node)
    part = next((item for item in key if item.name == name), None)
    if part is None:
        hint = did_you_mean(name, [item.name for item in key]) or "name a part of `key`"
        raise context.findings.add(node, "due", f"the key has no part `{name[:60]}`", hint)
    if not _grows(context, part.expr.type) or part.desc:
        found = f"{show(part.expr.type)}{', descending' if part.desc else ''}"
        text = f"a time is a whole number that grows, `{name}` is {found}"
        hint = "name an ascending part that is a whole number, such as int64, or an id of one"
        raise context.findings.add(node, "due", text, hint)
    return name


def _grows(context: Context, type: Type) -> bool:
    """Whether values of the type may be times: whole numbers, with a type of their own or not."""
    definition = named(type, context.types)
    return is_int(definition.base if isinstance(definition, IdType) else type)


def _check_source_key(context: Context, body: YamlMap, source: Table, rule: Index) -> None:
    """An index row must lead back to its source row: by its key, or, being unique, by key and value."""
    in_key = {_field_name(item.expr) for item in rule.key}
    reachable = in_key if rule.unique == "no" else in_key | {_field_name(item.expr) for item in rule.value}
    missing = [part.name for part in source.key if part.name not in reachable]
    if missing:
        place = "the key" if rule.unique == "no" else "neither the key nor the value"
        names = ", ".join(f"`{name}`" for name in missing)
        text = f"{place} {'lacks' if rule.unique == 'no' else 'has'} {names} of {source.name}"
        hint = "end the key with it, or say `unique: true`" if rule.unique == "no" else "add it to `value`"
        raise context.findings.add(body.values["key"], "index-key", text, hint)
    if rule.unique == "identity" and (rule.each or rule.when is not None):
        word = "each" if rule.each else "when"
        text = "an identity has exactly one row for each source row"
        raise context.findings.add(
            body.keys[word], "identity", text, f"leave `{word}` out, or say `unique: true`"
        )
    if rule.unique == "identity" and source.role != "primary":
        text = f"`{source.name}` is a derived table, nobody puts into it"
        raise context.findings.add(body.values["from"], "identity", text, "an identity is of a primary table")
    computed = names_in(rule.key) & {field.name for field in source.fields if field.computed is not None}
    if rule.unique == "identity" and computed:
        text = f"`{min(computed)}` is computed when a row is put, and its identity is looked up before"
        hint = f"put what it is computed from into `key`, as in `key: [{{{min(computed)}: EXPRESSION}}]`"
        raise context.findings.add(body.values["key"], "identity", text, hint)


def _field_name(expr: Expr) -> str | None:
    return expr.name if isinstance(expr, Local) and expr.kind == "field" else None


def check_identities(context: Context) -> None:
    first: dict[str, str] = {}
    for table in context.tables.values():
        if isinstance(table.rule, Index) and table.rule.unique == "identity":
            other = first.setdefault(table.rule.source, table.name)
            if other != table.name:
                body = context.entries("tables")[table.name].body.values["index"]
                assert isinstance(body, YamlMap)
                text = f"`{table.rule.source}` has the identity `{other}` already"
                context.findings.add(body.keys["unique"], "identity", text, "say `unique: true` here")
        if isinstance(table.rule, Refs):
            _check_shared(context, table.name, table.rule)


def _check_shared(context: Context, name: str, rule: Refs) -> None:
    """A row takes values that others have, so what it was found by would be another."""
    for other in context.tables.values():
        if isinstance(other.rule, Index) and other.rule.unique == "identity" and (
            other.rule.source == rule.source and rule.field in names_in(other.rule.key)
        ):  # fmt: skip
            body = context.entries("tables")[other.name].body.values["index"]
            assert isinstance(body, YamlMap)
            text = f"`{name}` shares the values of `{rule.field}`, which a put may make others"
            hint = "name fields that are of the row alone"
            context.findings.add(body.values["key"], "identity", text, hint)
