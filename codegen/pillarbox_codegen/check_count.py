"""The word `count`.

Depends on: context, check_items.  Never on: other words.
"""

from __future__ import annotations

from pillarbox_codegen.check_items import (
    Derived,
    check_distinct,
    check_key_items,
    each_and_when,
    key_parts_of,
    named_values,
    source_table,
)
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.model import Count, Field
from pillarbox_codegen.type_rules import INT64
from pillarbox_codegen.yaml_nodes import YamlMap


def check_count(context: Context, body: YamlMap) -> Derived:
    source = source_table(context, body.values["from"])
    each, when, scope = each_and_when(context, body, row_scope(source))
    with context.findings.together() as block:
        group = block.attempt(check_key_items, context, body.values["group"], scope) or ()
        sums = block.attempt(named_values, context, body.values["sum"], scope, INT64) or ()
    check_distinct(context, body, group, sums, "sum")
    fields = tuple(Field(number, item.name, INT64) for number, item in enumerate(sums, 1))
    return Derived(Count(source.name, each, when, group, sums), key_parts_of(group), fields)
