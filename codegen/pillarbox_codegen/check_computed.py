"""Fields that follow from their row: `fill:` with an expression, or with the interned numbers of values.

Depends on: context, expr_check, expr_parse.  Never on: steps.

Law: what such a field is follows from the other fields of its row alone, and from numbers given before.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pillarbox_codegen.context import Context, row_types
from pillarbox_codegen.expr_check import ExprChecker, check
from pillarbox_codegen.expr_parse import parse_text
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Computed, Field, ListOf, Local, Named, RecordType, Sequence, Table, Type
from pillarbox_codegen.type_rules import base, has_zero, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

_CALL: Final = re.compile(
    r"\s*(?P<name>[a-z][a-z0-9_]*)\s*\((?P<each>\s*each\s)?(?P<value>.*)\)\s*", re.DOTALL
)
_NO_LOOKUPS: Final = "a filled field follows from the fields of its own row"


def check_computed(context: Context) -> None:
    """Fill in what the fields are; types, facets and tables are known."""
    for name, entry in context.sound("tables"):
        table = context.tables.get(name)
        record = entry.body.values.get("record")
        if table is None or table.role != "primary" or not isinstance(record, YamlMap):
            continue
        if not any(field.computed is not None for field in table.fields):
            continue
        fields = []
        for field in table.fields:
            found = None
            if field.computed is not None:
                body = record.values[field.name]
                assert isinstance(body, YamlMap)
                found = context.findings.attempt(_check, context, table, field, body.values["fill"])
            fields.append(field if found is None else found)
        context.tables[name] = replace(table, fields=tuple(fields))


def _check(context: Context, table: Table, field: Field, node: YamlNode) -> Field:
    assert isinstance(node, YamlScalar)
    defined = context.types.get(field.type.name) if isinstance(field.type, Named) else None
    # A record could be made of zeros, but is no value that stands in the definition of a class.
    if not field.has_default and (isinstance(defined, RecordType) or not has_zero(field.type, context.types)):
        text = f"{show(field.type)} has no zero value for rows that are yet to be filled"
        raise context.findings.add(node, "no-default", text, f"write `opt<{show(field.type)}>`")
    plain = {item.name for item in table.fields if item.computed is None} | {part.name for part in table.key}
    types = {name: type for name, type in row_types(table).items() if name in plain}
    scope = Scope({name: Local(name, "field", type) for name, type in types.items()}, no_lookups=_NO_LOOKUPS)
    call = _CALL.fullmatch(node.value)
    sequence = None if call is None else context.sequences.get(call["name"])
    if call is not None and sequence is None and call["name"] in context.entries("sequences"):
        raise context.findings.silent()
    if call is None or sequence is None or sequence.intern is None:
        syntax = parse_text(node, node.value, 0, context.findings)
        return replace(field, computed=Computed(check(context, syntax, field.type, scope)))
    value = parse_text(node, call["value"], call.start("value"), context.findings)
    wanted: Type = ListOf(sequence.intern) if call["each"] else sequence.intern
    expr = ExprChecker(context, scope).check(value, wanted)
    _check_numbers(context, node, field, sequence, many=bool(call["each"]))
    _check_groups(context, node, sequence, types)
    return replace(field, computed=Computed(expr, sequence.name, many=bool(call["each"])))


def _check_numbers(
    context: Context, node: YamlScalar, field: Field, sequence: Sequence, *, many: bool
) -> None:
    type = field.type.item if many and isinstance(field.type, ListOf) else field.type
    if base(type, context.types) != sequence.type or (many and not isinstance(field.type, ListOf)):
        given = f"a list of {sequence.type.name}" if many else sequence.type.name
        text = f"`{sequence.name}` gives {given}, the field is {show(field.type)}"
        raise context.findings.add(node, "fill", text, "make both the same type")


def _check_groups(context: Context, node: YamlScalar, sequence: Sequence, types: dict[str, Type]) -> None:
    for part in sequence.per:
        if types.get(part.name) != part.type:
            have = show(types[part.name]) if part.name in types else "not a field of the row that is given"
            text = f"`{sequence.name}` counts per `{part.name}` ({show(part.type)}), which is {have}"
            raise context.findings.add(node, "fill", text, "the row must have such a field")
