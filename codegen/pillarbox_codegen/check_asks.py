"""Requests as they are asked: by name, with a value for each field.

Depends on: context, check_steps.  Never on: when they are asked, and what follows.

Law: what is asked has every field that has no default, each of its type, and no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_steps import check_arguments
from pillarbox_codegen.context import Context, at_start, is_required
from pillarbox_codegen.diagnostics import all_of, one_of
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Asked, NamedExpr, Wire, WireOf
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode


def request_of(context: Context, node: YamlNode) -> Wire:
    """The request of that name. Raises Invalid."""
    name = text_value(node)
    context.declared_one("requests", name, at_start(node), "unknown-request", "request")
    found = context.protocol.requests.get(name)
    if found is None:
        raise context.findings.silent()
    return found


def check_ask(context: Context, request: YamlNode, given: YamlNode | None, scope: Scope) -> Asked:
    """A request and its fields; where `given` is none they all have defaults. Raises Invalid."""
    wire = request_of(context, request)
    if isinstance(given, YamlMap):
        return Asked(wire.name, _arguments(context, wire, given, scope))
    missing = [field.name for field in wire.fields if is_required(field)]
    if missing:
        text = f"the request {wire.name} needs {all_of(missing)}"
        raise context.findings.add(request, "missing-key", text, "add `with: {field: expression}`")
    return Asked(wire.name, ())


def _arguments(context: Context, wire: Wire, given: YamlMap, scope: Scope) -> tuple[NamedExpr, ...]:
    types = {field.name: field.type for field in wire.fields}
    required = {field.name for field in wire.fields if is_required(field)}
    return check_arguments(
        context, given, dict(given.values), types, required, f"the request {wire.name}", scope
    )


def answered_by(context: Context, wire: Wire, node: YamlNode) -> WireOf:
    """One of the answers of a request. Raises Invalid."""
    name = text_value(node)
    found = next((one for one in wire.answers if one.name == name), None)
    if found is None:
        text = f"the request {wire.name} is not answered with `{name[:60]}`"
        raise context.findings.add(node, "unknown-answer", text, f"it is with {names_of(wire.answers)}")
    return found


def names_of(answers: Sequence[WireOf]) -> str:
    return one_of([answer.name for answer in answers])
