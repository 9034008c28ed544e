"""What of the rows of a window was never fetched, and what is asked for then.

Depends on: check_view_parts (what words share), check_window_lanes.  Never on: anchors.

Law: holes are told of each lane by the terms that tell the lanes apart; a name under which holes are
wanted is that of one table of holes in the whole schema.
"""

from __future__ import annotations

from collections.abc import Mapping

from pillarbox_codegen.check_fields import check_field_name, text_value
from pillarbox_codegen.check_view_parts import prefix_of, table_of
from pillarbox_codegen.check_window_lanes import Lanes, alike, names
from pillarbox_codegen.context import Context, row_types
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_amount, check_condition
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.findings import where
from pillarbox_codegen.model import (
    BoundaryHole,
    Expr,
    MarkerHoles,
    RangeHoles,
    Ranges,
    Table,
    Type,
    View,
    Want,
    WindowHoles,
    WindowPart,
)
from pillarbox_codegen.type_rules import base, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def check_holes(
    context: Context, node: YamlMap, lanes: Lanes, rows: Table, scope: Scope
) -> WindowHoles | None:
    """What was never fetched, of each lane. Raises Invalid after findings."""
    body = node.values.get("holes")
    if body is None:
        return None
    assert isinstance(body, YamlMap)
    if not lanes.under:
        text = "rows by their keys are in no order that could have holes"
        raise context.findings.add(node.keys["holes"], "part", text, "leave `holes` out")
    inner = lanes.item_scope(scope)
    if "ranges" in body.values:
        return _ranges(context, body, rows, inner)
    if "markers" in body.values:
        return _markers(context, body, lanes, inner)
    rest = lanes.one_rest(context, body.keys["boundary"], "a boundary")
    syntax = parse_node(body.values["boundary"], context.findings)
    parts = [(part.name, part.type) for part in rest]
    return BoundaryHole(key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=True))


def _ranges(context: Context, body: YamlMap, rows: Table, scope: Scope) -> RangeHoles:
    place = body.values["ranges"]
    table = table_of(context, place)
    rule = table.rule
    if not isinstance(rule, Ranges):
        text = f"`{table.name}` is no table of ranges"
        raise context.findings.add(place, "part", text, "name one that has `ranges:`, or write `markers`")
    about = [(part.name, part.type) for part in table.key[: -len(rule.over)]]
    with context.findings.together() as block:
        at = block.attempt(_at, context, body.values["at"], about, scope)
        by = block.attempt(_by, context, body.values["by"], table, rule, rows)
    assert at is not None
    assert by is not None
    return RangeHoles(table.name, at, by)


def _at(context: Context, node: YamlNode, about: list[tuple[str, Type]], scope: Scope) -> tuple[Expr, ...]:
    syntax = parse_node(node, context.findings)
    return key_parts(ExprChecker(context, scope), syntax, about, may_be_none=True)


def _by(context: Context, node: YamlNode, table: Table, rule: Ranges, rows: Table) -> tuple[str, ...]:
    """The fields of a row that the ranges are over."""
    items = node.items if isinstance(node, YamlList) else [node]
    if len(items) != len(rule.over):
        text = f"the ranges of `{table.name}` are over {len(rule.over)} numbers, {len(items)} given"
        raise context.findings.add(node, "key-parts", text, "name a field of a row for each")
    if any(part.desc for part in table.key[-len(rule.over) :]):
        text = f"the ranges of `{table.name}` run downwards, as no ids do"
        raise context.findings.add(node, "part", text, "use ranges over numbers that ascend")
    known = row_types(rows)
    for item, over in zip(items, rule.over, strict=True):
        field = text_value(item)
        if field not in known:
            hint = did_you_mean(field, known) or f"it has {one_of(known)}"
            raise context.findings.add(item, "unknown-field", f"there is no field `{field[:60]}`", hint)
        if known[field] != over and base(over, context.types) != known[field]:
            text = f"`{field}` is {show(known[field])}, and `{table.name}` has ranges over {show(over)}"
            raise context.findings.add(item, "type", text, "name the field that the ranges are over")
    return tuple(text_value(item) for item in items)


def _markers(context: Context, body: YamlMap, lanes: Lanes, scope: Scope) -> MarkerHoles:
    place = body.values["markers"]
    table = table_of(context, place)
    wanted = lanes.one_rest(context, body.keys["markers"], "a table of markers")
    prefix = prefix_of(context, body.values["prefix"], table, scope)
    rest = table.key[len(prefix) :]
    if not alike(rest, wanted):
        text = f"keys of `{table.name}` end in {names(rest)}, those of the lanes in {names(wanted)}"
        hint = f"markers are in the order of the rows: {_types(lanes)}"
        raise context.findings.add(place, "key-parts", text, hint)
    return MarkerHoles(table.name, prefix)


def _types(lanes: Lanes) -> str:
    parts = [f"{part.name}: {show(part.type)}{' descending' if part.desc else ''}" for part in lanes.rest]
    return f"[{', '.join(parts)}]"


# ---------------------------------------------------------------------------------------------- want


def check_want(context: Context, node: YamlMap, scope: Scope) -> Want | None:
    """Under which name holes are wanted. Raises Invalid after findings."""
    body = node.values.get("want")
    if body is None:
        return None
    assert isinstance(body, YamlMap)
    if "holes" not in node.values:
        hint = "add `holes:`, or leave `want` out"
        raise context.findings.add(node.keys["want"], "part", "without `holes` nothing is wanted", hint)
    name = body.values["name"]
    assert isinstance(name, YamlScalar)
    with context.findings.together() as block:
        block.attempt(check_field_name, context.findings, name)
        when = block.attempt(check_condition, context, body.values.get("when"), scope)
        count = block.attempt(check_amount, context, body.values["count"], scope.assume(when))
    assert count is not None
    return Want(name.value, when, count)


def check_wants(context: Context, views: Mapping[str, View]) -> None:
    """One table of holes for each name."""
    first: dict[str, tuple[str, YamlNode]] = {}
    for view_name, view in views.items():
        parts = context.entries("views")[view_name].body.values["parts"]
        assert isinstance(parts, YamlMap)
        for part in view.parts:
            if not isinstance(part, WindowPart) or part.want is None:
                continue
            node, own = _want_name(parts.values[part.common.name]), holes_table(part)
            table, place = first.setdefault(part.want.name, (own, node))
            if table != own:
                text = f"`{part.want.name}` are holes of `{table}` ({where(place)}), these are of `{own}`"
                context.findings.add(node, "name-taken", text, "choose another name")


def _want_name(node: YamlNode) -> YamlNode:
    assert isinstance(node, YamlMap)
    want = node.values["want"]
    assert isinstance(want, YamlMap)
    return want.values["name"]


def holes_table(part: WindowPart) -> str:
    """The table that tells of the holes; of a boundary that of the rows."""
    return part.rows if part.holes is None or isinstance(part.holes, BoundaryHole) else part.holes.table
