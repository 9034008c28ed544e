"""A `count` with an `anchor`: sums over a base that the server gave.

Depends on: context, check_items, check_holes.  Never on: other words, steps.

Law: what the base covers follows from one row and the base; of a hole, from where it ends and the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pillarbox_codegen.check_fields import check_field_name, text_value
from pillarbox_codegen.check_holes import check_holes, group_scope, names_of
from pillarbox_codegen.check_items import Derived, key_parts_of
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    AnchoredCount,
    Count,
    Expr,
    Field,
    Holes,
    KeyPart,
    Scalar,
    Type,
)
from pillarbox_codegen.type_rules import BOOL, INT64, INT_RANGES
from pillarbox_codegen.type_text import SCALARS
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar


def check_anchor(context: Context, node: YamlMap, count: Count, scope: Scope) -> Derived:
    """The count with its anchor; `scope` is that of its rows."""
    key = key_parts_of(count.group)
    sums = [item.name for item in count.sums]
    with context.findings.together() as block:
        given = block.attempt(_given, context, node.values["given"], sums)
        bases = block.attempt(_base, context, node.values.get("base"), {*sums, *(part.name for part in key)})
        anchored = block.attempt(check_condition, context, node.values.get("when"), group_scope(key))
    assert given is not None
    assert bases is not None
    covers = _covers(context, node, scope, bases)
    holes = _holes(context, node, key, covers, bases)
    fields = tuple(
        Field(number, name, type)
        for number, (name, type) in enumerate(((*((name, INT64) for name in sums), *bases)), 1)
    )
    rule = AnchoredCount(
        count.source, count.each, count.when, count.group, count.sums, anchored, given,
        tuple(name for name, _ in bases), covers, holes, text_value(node.values["stale"]),
    )  # fmt: skip
    return Derived(rule, key, fields)


def _given(context: Context, node: YamlNode, sums: list[str]) -> tuple[str, ...]:
    names = names_of(node)
    for item in names:
        if item.value not in sums:
            hint = did_you_mean(item.value, sums) or f"the sums are {one_of(sums)}"
            text = f"there is no sum `{item.value[:60]}`"
            raise context.findings.add(item, "unknown-field", text, hint)
    return tuple(item.value for item in names)


def _base(context: Context, node: YamlNode | None, taken: set[str]) -> tuple[tuple[str, Type], ...]:
    if node is None:
        return ()
    if isinstance(node, YamlScalar):
        check_field_name(context.findings, node)
        pairs: list[tuple[YamlScalar, Type]] = [(node, INT64)]
    else:
        assert isinstance(node, YamlMap)
        pairs = [(key, _base_type(context, value)) for key, value in node]
    for name, _ in pairs:
        check_field_name(context.findings, name)
        if name.value in taken:
            text = f"`{name.value}` is a sum or a part of the group already"
            raise context.findings.add(name, "name-taken", text, "choose another name")
    return tuple((name.value, type) for name, type in pairs)


def _base_type(context: Context, node: YamlNode) -> Type:
    name = text_value(node)
    if name not in INT_RANGES:
        text = f"what a base says is a number, `{name[:60]}` is none"
        raise context.findings.add(node, "bad-type", text, "use int32, int64 or their likes")
    return Scalar(SCALARS[name])


def _covers(
    context: Context, node: YamlMap, scope: Scope, bases: tuple[tuple[str, Type], ...]
) -> Expr | Literal["unknown"] | None:
    covers = node.values.get("covers")
    if covers is None:
        return None
    if text_value(covers) == "unknown" and "unknown" not in scope.names:
        return "unknown"
    for name, type in bases:
        if name in scope.names:
            text = f"`{name}` is a field of the row already"
            raise context.findings.add(node.values["base"], "name-taken", text, "choose another name")
        scope = scope.bind(name, "local", type)
    return check_node(context, covers, BOOL, scope)


def _holes(
    context: Context, node: YamlMap, key: Sequence[KeyPart], covers: Expr | Literal["unknown"] | None,
    bases: tuple[tuple[str, Type], ...],
) -> Holes | None:  # fmt: skip
    if "holes" not in node.values:
        return None
    holes = check_holes(context, node.values["holes"], key, whole=False)
    if isinstance(covers, str) or covers is None:
        return holes
    known = {*holes.over, *(name for name, _ in bases)}
    other = sorted(names_in(covers) - known)
    if other:
        text = f"of a hole `{other[0]}` is not known, so nobody can say whether a base covers it"
        hint = f"with `holes`, `covers` compares {one_of(list(holes.over))} with the base"
        raise context.findings.add(node.values["covers"], "holes", text, hint)
    return holes
