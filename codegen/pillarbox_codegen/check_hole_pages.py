"""Pages: what an answer brings of what was asked for, and what it proves.

Depends on: context, check_hole_scope, check_emissions, check_wire.  Never on: requests.

Law: the rows of a page are rows of one table, each with the id that the holes are over.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen.check_bodies import check_body_of
from pillarbox_codegen.check_domains import type_of
from pillarbox_codegen.check_emissions import check_emission
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_hole_scope import NO_LOOKUPS, Holed
from pillarbox_codegen.check_hole_stored import check_absent
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_steps import check_arguments
from pillarbox_codegen.check_wire import answer_of
from pillarbox_codegen.context import Context, at_start, is_required, row_types
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_condition, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Emission,
    Expr,
    HoleGuard,
    HolePage,
    HoleRest,
    HoleStored,
    ListOf,
    Local,
    RowOf,
    Type,
    Wire,
    WireOf,
)
from pillarbox_codegen.type_rules import INT64, TEXT, optional, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def check_page(
    context: Context,
    key: YamlScalar,
    body: YamlNode,
    of: Holed,
    guards: Sequence[HoleGuard],
    stored: HoleStored | None,
) -> HolePage:
    """One of `answers`. Raises Invalid after findings."""
    assert isinstance(body, YamlMap)
    answer = answer_of(context, key)
    wire = context.protocol.wires(answer.kind).get(answer.name)
    if wire is None:
        raise context.findings.silent()
    field, table = _rows(context, body.values["rows"], wire)
    scope = of.scope
    for one in wire.fields:  # they hide parts of the hole of the same name
        scope = scope.bind(one.name, "param", one.type)
    row = Local("row", "row", RowOf(table))
    around = scope.bind("row", "row", RowOf(table))
    with context.findings.together() as block:
        alone = Scope({"row": row}, no_lookups=NO_LOOKUPS)
        id = block.attempt(_id, context, body.values["id"], of, alone) or ()
        belongs = block.attempt(check_condition, context, body.values.get("belongs"), around)
        whole = block.attempt(check_condition, context, body.values.get("whole"), scope)
        as_of = block.attempt(_as_of, context, body, param_scope(wire.fields, NO_LOOKUPS), guards)
        rest = block.attempt(_rest, context, body, of, scope)
        joins = block.attempt(_joins, context, body, of, Scope({"row": row}))
        brought = block.attempt(_body, context, body, answer)
        emits = block.attempt(_emits, context, body.values.get("emits"), scope) or ()
        gone = block.attempt(check_absent, context, body.values.get("absent"), of, scope, stored)
    return HolePage(
        answer, field, table, id, belongs, whole, as_of, rest, joins, emits, brought, gone or ()
    )  # fmt: skip


def _body(context: Context, body: YamlMap, answer: WireOf) -> str | None:
    node = body.values.get("body")
    if node is None:
        if "emits" not in body.values:
            text = "how the rows are written is not said"
            raise context.findings.add(
                body, "missing-key", text, "add `emits`, or `body` where the answer has one"
            )
        return None
    return check_body_of(context, node, answer)


def _rows(context: Context, node: YamlNode, wire: Wire) -> tuple[str, str]:
    """The field with the rows, and the table that they are of."""
    name = text_value(node)
    types: dict[str, Type] = {one.name: one.type for one in wire.fields}
    if name not in types:
        hint = did_you_mean(name, types) or (f"it has {one_of(types)}" if types else "it has none")
        raise context.add(at_start(node), "unknown-field", f"{wire.name} has no field `{name[:60]}`", hint)
    match types[name]:
        case ListOf(RowOf(table)):
            return name, table
    text = f"a page is rows of a table, `{name}` is {show(types[name])}"
    raise context.findings.add(node, "type", text, "declare the field as `list<row<TABLE>>`")


def _id(context: Context, node: YamlNode, of: Holed, scope: Scope) -> tuple[Expr, ...]:
    syntax = parse_node(node, context.findings)
    if of.over:
        parts = [(part.name, part.type) for part in of.table.key[-len(of.over) :]]
        return key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=False)
    return (check_node(context, node, None, scope),)


def _as_of(context: Context, body: YamlMap, scope: Scope, guards: Sequence[HoleGuard]) -> Expr | None:
    node = body.values.get("as_of")
    if node is None:
        return None
    if token := next((it for it in guards if type_of(context, it.cursor, it.part) == TEXT), None):
        text = f"`{token.cursor}.{token.part}` is a token: nobody can say which of two comes first"
        raise context.findings.add(body.keys["as_of"], "fetching", text, "leave `as_of` out")
    if not guards:
        text = "it says where a counter stood, and none is named"
        raise context.findings.add(body.keys["as_of"], "fetching", text, "add `guards`, or leave `as_of` out")
    return check_node(context, node, optional(INT64), scope)


def _joins(context: Context, body: YamlMap, of: Holed, scope: Scope) -> Expr | None:
    if "joins" in body.values and of.width is None:
        text = "a range knows by its ids which rows are stored"
        raise context.findings.add(body.keys["joins"], "fetching", text, "leave `joins` out")
    return check_condition(context, body.values.get("joins"), scope)


def _rest(context: Context, body: YamlMap, of: Holed, scope: Scope) -> HoleRest | None:
    node = body.values.get("rest")
    if node is None:
        return None
    if of.width is None:
        text = "what of a range is still missing follows from the rows"
        raise context.findings.add(body.keys["rest"], "fetching", text, "leave `rest` out, or say `whole`")
    assert isinstance(node, YamlMap)
    when = check_condition(context, node.values.get("when"), scope)
    types = row_types(of.table)
    required = {part.name for part in of.table.key} | {
        field.name for field in of.table.fields if is_required(field)
    }
    given = {name: value for name, value in node.values.items() if name != "when"}
    noun = f"a mark of {of.table.name}"
    row = check_arguments(context, node, given, types, required, noun, scope.assume(when))
    return HoleRest(when, row)


def _emits(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Emission, ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(check_emission, context, item, scope) for item in node.items]
    return tuple(one for one in found if one is not None)
