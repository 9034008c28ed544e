"""Facets: what every value of a union answers to, whatever its case.

Depends on: context, check_fields, expr_check.  Never on: tables, steps.

Law: a facet has a value for every value of its union, cases that nobody here knows included.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen.check_fields import check_field_name, check_stored_type, text_value
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Expr, Facet, Local, UnionCase, UnionType
from pillarbox_codegen.names import snake
from pillarbox_codegen.type_rules import has_zero, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

_NO_LOOKUPS = "a facet is made of the fields of one case"


def declare_facets(context: Context) -> None:
    """Give the unions their facets with types alone, so that every expression can name them."""
    for name, union, node in _facets(context):
        found = [context.findings.attempt(_declare, context, union, key, value) for key, value in node]
        context.types[name] = replace(union, facets=tuple(facet for facet in found if facet is not None))


def check_facets(context: Context) -> None:
    """Fill in what the facets are; types and tables are known."""
    for name, union, node in _facets(context):
        facets = []
        for facet in union.facets:
            body = node.values[facet.name]
            assert isinstance(body, YamlMap)
            found = context.findings.attempt(_check, context, union, facet, body)
            facets.append(facet if found is None else found)
        context.types[name] = replace(union, facets=tuple(facets))


def _facets(context: Context) -> list[tuple[str, UnionType, YamlMap]]:
    found = []
    for name, entry in context.sound("types"):
        union, node = context.types.get(name), entry.body.values.get("facets")
        if isinstance(union, UnionType) and isinstance(node, YamlMap):
            found.append((name, union, node))
    return found


def _declare(context: Context, union: UnionType, key: YamlScalar, node: YamlNode) -> Facet:
    check_field_name(context.findings, key)
    if key.value in {snake(case.name) for case in union.cases}:
        text = f"`{key.value}` is a case of {union.name} in a path already"
        raise context.findings.add(key, "name-taken", text, "choose another name")
    assert isinstance(node, YamlMap)
    type = check_stored_type(context, node.values["type"])
    return Facet(key.value, type, (), text_value(node.values.get("doc")))


def _check(context: Context, union: UnionType, facet: Facet, body: YamlMap) -> Facet:
    holder = body.values["of"]
    assert isinstance(holder, YamlMap)
    cases = {case.name: case for case in union.cases}
    if not has_zero(facet.type, context.types):
        text = f"{show(facet.type)} has no zero value for the cases that `{facet.name}` does not name"
        raise context.findings.add(
            body.values["type"], "no-default", text, f"write `opt<{show(facet.type)}>`"
        )
    of: list[tuple[str, Expr]] = []
    with context.findings.together() as block:
        for key, node in holder:
            if key.value not in cases:
                hint = did_you_mean(key.value, cases) or f"it has {one_of(cases)}"
                text = f"{union.name} has no case `{key.value[:60]}`"
                context.findings.add(key, "unknown-name", text, hint)
                block.failed = True
                continue
            expr = block.attempt(check_node, context, node, facet.type, _scope(cases[key.value]))
            if expr is not None:
                of.append((key.value, expr))
        given = dict(of)
        for case in union.cases:
            field = next((field for field in case.fields if field.name == facet.name), None)
            if field is not None and not block.failed and given.get(case.name) != _field(case, facet.name):
                text = f"{case.name} has a field `{facet.name}` of its own, and the facet is something else"
                raise context.findings.add(
                    body.keys["of"], "name-taken", text, f"write `{case.name}: {facet.name}`, or rename one"
                )
    return replace(facet, of=tuple(of))


def _field(case: UnionCase, name: str) -> Local:
    return Local(name, "field", next(field.type for field in case.fields if field.name == name))


def _scope(case: UnionCase) -> Scope:
    return Scope({field.name: _field(case, field.name) for field in case.fields}, no_lookups=_NO_LOOKUPS)
