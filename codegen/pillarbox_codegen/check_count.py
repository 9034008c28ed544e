"""The word `count`.

Depends on: context, check_items.  Never on: other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pillarbox_codegen.check_anchor import check_anchor
from pillarbox_codegen.check_items import (
    Derived,
    check_distinct,
    check_key_items,
    each_and_when,
    key_parts_of,
    named_values,
    refuse_twice,
    source_table,
)
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.model import Count, Field
from pillarbox_codegen.type_rules import INT64, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode


def check_count(context: Context, body: YamlMap) -> Derived:
    node = body.values["from"]
    nodes = node.items if isinstance(node, YamlList) else [node]
    refuse_twice(context, nodes)
    with context.findings.together() as block:
        found = [block.attempt(_check_source, context, body, source) for source in nodes]
    counts = [count for count in found if count is not None]
    rule = counts[0]
    anchor = body.values.get("anchor")
    if isinstance(anchor, YamlMap):
        return _check_anchored(context, anchor, rule, nodes)
    for count, source in zip(counts[1:], nodes[1:], strict=True):
        _check_alike(context, rule, count, source)
    fields = tuple(Field(number, item.name, INT64) for number, item in enumerate(rule.sums, 1))
    return Derived(replace(rule, further=tuple(counts[1:])), key_parts_of(rule.group), fields)


def _check_anchored(context: Context, anchor: YamlMap, rule: Count, nodes: Sequence[YamlNode]) -> Derived:
    if len(nodes) > 1:
        text = "a base is of the rows of one table"
        raise context.findings.add(nodes[1], "anchor", text, "count each table by itself")
    return check_anchor(context, anchor, rule, row_scope(source_table(context, nodes[0])))


def _check_source(context: Context, body: YamlMap, node: YamlNode) -> Count:
    """The count of one source; its expressions read the fields of that source."""
    source = source_table(context, node)
    each, when, scope = each_and_when(context, body, row_scope(source))
    with context.findings.together() as block:
        group = block.attempt(check_key_items, context, body.values["group"], scope) or ()
        sums = block.attempt(named_values, context, body.values["sum"], scope, INT64) or ()
    check_distinct(context, body, group, sums, "sum")
    return Count(source.name, each, when, group, sums)


def _check_alike(context: Context, first: Count, other: Count, node: YamlNode) -> None:
    """The groups of all sources are keys of one table. Raises Invalid."""
    for one, two in zip(first.group, other.group, strict=True):
        if one.expr.type != two.expr.type:
            text = (
                f"`{one.name}` is {show(two.expr.type)} in `{other.source}`, "
                f"{show(one.expr.type)} in `{first.source}`"
            )
            hint = "the sources of one count have groups of one type"
            raise context.findings.add(node, "type", text, hint)
