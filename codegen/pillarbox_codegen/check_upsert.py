"""What of an old row outlives a write over it: the option `upsert` of a table, and `keep` of a put.

Depends on: context, check_fields, expr_check.  Never on: steps.

Law: neither the key nor the identity of a row changes by what is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_check import check_condition
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Bump,
    Field,
    FlagsType,
    Index,
    Keep,
    KeepCase,
    KeepField,
    KeepFlags,
    Kept,
    ListOf,
    Optional,
    Renumber,
    RowOf,
    Table,
    UnionType,
    UpsertRule,
)
from pillarbox_codegen.names import snake
from pillarbox_codegen.type_rules import is_int, present, show
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

Rule = TypeVar("Rule")

_NO_LOOKUPS: Final = "writing over a row asks for the two rows only"


def check_upserts(context: Context) -> None:
    """Give the primary tables their rules; types and identities are known."""
    for name, entry in context.sound("tables"):
        table, node = context.tables.get(name), entry.body.values.get("upsert")
        if table is None or node is None:
            continue
        scope = both_rows(table, Scope({}, no_lookups=_NO_LOOKUPS))
        rules = context.findings.attempt(_each, context, node, table, scope, _rule)
        context.tables[name] = replace(table, upsert=rules or ())


def check_keeps(context: Context, node: YamlNode | None, table: Table, scope: Scope) -> tuple[Keep, ...]:
    """The rules of one put. Raises Invalid after findings."""
    return () if node is None else _each(context, node, table, both_rows(table, scope), _keep)


def both_rows(table: Table, scope: Scope) -> Scope:
    """The scope that has `old` and `new` as well; both are there."""
    scope = scope.bind("old", "row", Optional(RowOf(table.name))).bind("new", "row", RowOf(table.name))
    return replace(scope, proven=scope.proven | {"old"})


def _each(
    context: Context, node: YamlNode, table: Table, scope: Scope,
    check: Callable[[Context, YamlMap, Table, Scope], Rule],
) -> tuple[Rule, ...]:  # fmt: skip
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [
            block.attempt(check, context, item, table, scope)
            for item in node.items
            if isinstance(item, YamlMap)
        ]
    return tuple(rule for rule in found if rule is not None)


def _rule(context: Context, item: YamlMap, table: Table, scope: Scope) -> UpsertRule:
    for word in ("bump", "fill"):
        if word in item.values:
            return _counted(context, item, table, scope, word)
    return _keep(context, item, table, scope)


def _counted(context: Context, item: YamlMap, table: Table, scope: Scope, word: str) -> UpsertRule:
    node = item.values[word]
    field = _field(context, table, node, text_value(node))
    if word == "bump" and not is_int(field.type):
        text = f"`bump` counts in a number, `{field.name}` is {show(field.type)}"
        raise context.findings.add(node, "type", text, "give it an integer type")
    if word == "fill" and field.fill is None:
        text = f"`{field.name}` has no sequence to take a number of"
        raise context.findings.add(node, "fill", text, "write `fill: SEQUENCE` in the field")
    when = check_condition(context, item.values.get("when"), scope)
    return Bump(field.name, when) if word == "bump" else Renumber(field.name, when)


def _keep(context: Context, item: YamlMap, table: Table, scope: Scope) -> Keep:
    word = next(word for word in _KEEPS if word in item.values)
    with context.findings.together() as block:
        kept = block.attempt(_KEEPS[word], context, item, table)
        when = block.attempt(check_condition, context, item.values.get("when"), scope)
    return Keep(kept or (), when)


def _fields(context: Context, item: YamlMap, table: Table) -> tuple[Kept, ...]:
    node = item.values.get("keep") or item.values["fields"]
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_field, context, table, name, text_value(name)) for name in node.items]
    return tuple(KeepField(field.name) for field in found if field is not None)


def _field(context: Context, table: Table, node: YamlNode, name: str) -> Field:
    """A field of the record that may differ between the two rows."""
    fields = {field.name: field for field in table.fields}
    if name in {part.name for part in table.key}:
        text = f"`{name}` is part of the key of {table.name}, which both rows share"
        raise context.findings.add(node, "step", text, "leave it out")
    if name not in fields:
        hint = did_you_mean(name, fields) or (f"it has {one_of(fields)}" if fields else "it has none")
        raise context.findings.add(node, "unknown-field", f"{table.name} has no field `{name[:60]}`", hint)
    for other in context.tables.values():
        rule = other.rule
        if not isinstance(rule, Index) or rule.unique != "identity" or rule.source != table.name:
            continue
        if any(name in names_in(part.expr) for part in rule.key):
            text = f"`{name}` is part of what names a row in {other.name}"
            raise context.findings.add(node, "step", text, "a row is found by it; it cannot be kept")
    if table.owned is not None and name in table.owned.key:
        text = f"`{name}` names the owner of a row, in {table.owned.by}"
        raise context.findings.add(node, "step", text, "its owner is looked up by it; it cannot be kept")
    return fields[name]


def _flags(context: Context, item: YamlMap, table: Table) -> tuple[Kept, ...]:
    """`flags: [names]`, of the one field that has such flags."""
    node = item.values["flags"]
    assert isinstance(node, YamlList)
    names = [text_value(name) for name in node.items]
    holders = [
        (field, definition)
        for field in table.fields
        if isinstance(definition := context.definition(field.type), FlagsType)
        and set(names) <= {flag for flag, _ in definition.bits}
    ]
    if len(holders) != 1:
        text = f"{len(holders) or 'no'} fields of {table.name} have {all_of(names)}"
        hint = "name the field: `flags_of: FIELD, bits: [..]`"
        raise context.findings.add(node, "unknown-name", text, hint)
    ((field, definition),) = holders
    return (KeepFlags(field.name, _mask(definition, names)),)


def _flags_of(context: Context, item: YamlMap, table: Table) -> tuple[Kept, ...]:
    node = item.values["flags_of"]
    field = _field(context, table, node, text_value(node))
    definition = context.definition(field.type)
    if not isinstance(definition, FlagsType):
        text = f"`{field.name}` is {show(field.type)}, not flags"
        raise context.findings.add(node, "type", text, "name a field of flags; others are kept by name")
    bits = item.values.get("bits")
    if bits is None:
        return (KeepField(field.name),)
    assert isinstance(bits, YamlList)
    known = [flag for flag, _ in definition.bits]
    for name in bits.items:
        if text_value(name) not in known:
            text = f"{definition.name} has no flag `{text_value(name)[:60]}`"
            hint = did_you_mean(text_value(name), known) or f"it has {one_of(known[:8])}"
            raise context.findings.add(name, "unknown-name", text, hint)
    return (KeepFlags(field.name, _mask(definition, [text_value(name) for name in bits.items])),)


def _mask(definition: FlagsType, names: list[str]) -> int:
    bits = dict(definition.bits)
    return sum(1 << bits[name] for name in set(names))


def _case(context: Context, item: YamlMap, table: Table) -> tuple[Kept, ...]:
    """`case: field.case_name`."""
    node = item.values["case"]
    name, dot, wanted = text_value(node).partition(".")
    if not dot:
        text = "`case` names a field and one of its cases"
        raise context.findings.add(node, "syntax", text, "write `case: field.case_name`")
    field = _field(context, table, node, name)
    type = present(field.type)
    type = type.item if isinstance(type, ListOf) else type
    union = context.definition(type)
    if not isinstance(union, UnionType):
        text = f"`{name}` is {show(field.type)}, which has no cases"
        raise context.findings.add(node, "type", text, "write `keep: [field]` for all of it")
    cases = {snake(case.name): case.name for case in union.cases}
    if wanted not in cases:
        hint = did_you_mean(wanted, cases) or f"it has {one_of(cases)}"
        raise context.findings.add(
            node, "unknown-name", f"{union.name} has no case `{wanted[:60]}`", hint, len(name) + 1
        )
    return (KeepCase(field.name, cases[wanted]),)


_KEEPS: Final[dict[str, Callable[[Context, YamlMap, Table], tuple[Kept, ...]]]] = {
    "keep": _fields,
    "fields": _fields,
    "flags_of": _flags_of,
    "flags": _flags,
    "case": _case,
}
