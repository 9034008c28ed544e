"""The word `runs`: neighbours with the same value.

Depends on: context, check_items, expr_check.  Never on: other words.

Law: the rows of a group lie side by side in the source's key order.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.check_fields import check_key_type, text_value
from pillarbox_codegen.check_items import Derived, source_table
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.model import Field, KeyPart, Optional, Runs, Table
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

#: Rows of a run where nothing else is said.
LONGEST: Final = 100


def check_runs(context: Context, body: YamlMap) -> Derived:
    """The rule, and the key and fields of its rows. Raises Invalid after findings."""
    source = source_table(context, body.values["of"])
    group = leading_parts(context, body.values["group"], source)
    rest = source.key[len(group) :]
    if not rest:
        text = f"every row of {source.name} would be a group of its own"
        hint = "leave at least the last key part out of `group`"
        raise context.findings.add(body.values["group"], "group-key", text, hint)
    same = check_node(context, body.values["same"], None, row_scope(source))
    item = same.type.item if isinstance(same.type, Optional) else same.type
    check_key_type(context, item, body.values["same"])  # what has an order can be compared
    longest = int(text_value(body.values["longest"])) if "longest" in body.values else LONGEST
    key = tuple(KeyPart(part.name, part.type, part.desc, None, part.doc) for part in source.key)
    fields = tuple(Field(number, f"first_{part.name}", part.type) for number, part in enumerate(rest, 1))
    taken = {part.name for part in key} & {field.name for field in fields}
    if taken:
        text = f"a part of the key of {source.name} is called `{min(taken)}`, as a field here would be"
        raise context.findings.add(body.values["of"], "name-taken", text, "rename that part")
    return Derived(Runs(source.name, group, same, longest), key, fields)


def leading_parts(context: Context, node: YamlNode, table: Table) -> tuple[str, ...]:
    """Names that are the first key parts of a table, in their order. Raises Invalid after a finding."""
    assert isinstance(node, YamlList)
    names = [item for item in node.items if isinstance(item, YamlScalar)]
    key = [part.name for part in table.key]
    for item, part in zip(names, [*key, *[None] * len(names)], strict=False):
        if item.value != part:
            text = f"the key of {table.name} does not go on with `{item.value[:60]}` here"
            hint = f"its parts are {', '.join(key)}, in this order"
            raise context.findings.add(item, "group-key", text, hint)
    return tuple(item.value for item in names)
