"""The word `list`: items of a group in an explicit order.

Depends on: context, check_fields, check_items.  Never on: other words, steps.

Law: a row has the group, the position, the item and the record side by side, all by different names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pillarbox_codegen.check_fields import check_fields, check_key_parts, text_value
from pillarbox_codegen.check_items import Also, Derived
from pillarbox_codegen.context import Context
from pillarbox_codegen.expr_check import check_amount
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Field, ItemList, KeyPart, Literal_, Local, Places, Scalar
from pillarbox_codegen.yaml_nodes import YamlMap

POSITION: Final = KeyPart("position", Scalar("uint32"))


def check_list(context: Context, body: YamlMap) -> Derived:
    with context.findings.together() as block:
        group = block.attempt(check_key_parts, context, body.values["group"]) or ()
        item = block.attempt(check_key_parts, context, body.values["item"]) or ()
        found = block.attempt(check_fields, context, body.values.get("record"), body)
    assert found is not None
    record, reserved = found
    _check_distinct(context, body, group, item, record)
    limit = None
    if "limit" in body.values:
        names = {part.name: Local(part.name, "field", part.type) for part in group}
        scope = Scope(names, no_lookups="how long a list is follows from its group alone")
        limit = check_amount(context, body.values["limit"], scope)
    rule = ItemList(
        tuple(part.name for part in group), tuple(part.name for part in item),
        None if isinstance(limit, Literal_) and limit.value == 0 else limit,
    )  # fmt: skip
    places = body.values["places"]
    assert isinstance(places, YamlMap)
    also = Also(
        "places", int(text_value(places.values["id"])), "Where each item is.", Places, (*group, *item),
        (Field(1, POSITION.name, POSITION.type),),
    )  # fmt: skip
    # The item comes first, so the numbers of the record begin behind it.
    count = len(item)
    fields = tuple(Field(number, part.name, part.type) for number, part in enumerate(item, 1))
    fields += tuple(replace(field, number=field.number + count) for field in record)
    return Derived(
        rule, (*group, POSITION), fields, "record" if record else "packed",
        tuple(number + count for number in reserved), (also,),
    )  # fmt: skip


def _check_distinct(
    context: Context, body: YamlMap, group: Sequence[KeyPart], item: Sequence[KeyPart],
    record: Sequence[Field],
) -> None:  # fmt: skip
    seen = {POSITION.name}
    for word, parts in (("group", group), ("item", item), ("record", record)):
        for part in parts:
            if part.name in seen:
                holder = body.values[word]
                assert isinstance(holder, YamlMap)
                text = f"a row of the list has `{part.name}` already"
                hint = "it has the group, the `position`, the item and the record side by side"
                raise context.findings.add(holder.keys[part.name], "name-taken", text, hint)
            seen.add(part.name)
