"""The options `owned` and `bound` of primary tables, which say what goes by itself.

Depends on: context, check_runs.  Never on: steps.

Law: from an owner its rows are found, and from a row its owner; no table owns itself, near or far. Rows of a
bounded group lie side by side in key order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_runs import leading_parts
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.model import Bound, Index, KeyPart, Local, Owned, Table, Type
from pillarbox_codegen.type_rules import fits_key, present, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def check_options(context: Context) -> None:
    """Add what `owned` and `bound` say to the primary tables; every table is known."""
    for name, entry in context.sound("tables"):
        table = context.tables.get(name)
        if table is None or table.role != "primary":
            continue
        owned, bound = entry.body.values.get("owned"), entry.body.values.get("bound")
        if isinstance(bound, YamlMap):
            found = context.findings.attempt(_check_bound, context, table, bound)
            table = replace(table, bound=found)
        if isinstance(owned, YamlMap):
            owner = context.findings.attempt(_check_owned, context, table, owned)
            table = replace(table, owned=owner)
        context.tables[name] = table
    _check_circles(context)


# -------------------------------------------------------------------------------------------- bound


def _check_bound(context: Context, table: Table, body: YamlMap) -> Bound:
    group = leading_parts(context, body.values["group"], table)
    if len(group) >= len(table.key):
        text = f"every row of {table.name} would be a group of its own"
        hint = "leave at least the last key part out of `group`"
        raise context.findings.add(body.values["group"], "group-key", text, hint)
    order = tuple(_ordered_field(context, table, item) for item in _items(body.values["order"]))
    return Bound(group, order, int(text_value(body.values["keep"])))


def _ordered_field(context: Context, table: Table, node: YamlNode) -> str:
    name = text_value(node)
    types = _fields_of(table)
    if name not in types:
        hint = did_you_mean(name, list(types)) or "name a field of the row"
        raise context.findings.add(node, "unknown-field", f"{table.name} has no field `{name[:60]}`", hint)
    context.definition(present(types[name]))
    if not fits_key(types[name], context.types):
        text = f"`{name}` is {show(types[name])}, which has no order"
        raise context.findings.add(
            node, "bound", text, "use a number, an id, text or bytes that is always there"
        )
    return name


# -------------------------------------------------------------------------------------------- owned


def _check_owned(context: Context, table: Table, body: YamlMap) -> Owned:
    owner = _owner(context, body.values["by"])
    key = _owner_key(context, table, owner, body.values["key"])
    via = text_value(body.values["via"]) if "via" in body.values else None
    if via is not None:
        _check_via(context, table, key, body.values["via"])
    elif tuple(part.name for part in table.key[: len(key)]) != key:
        text = (
            f"the rows of an owner do not lie side by side: the key of {table.name} does not begin with them"
        )
        hint = f"begin the key with {', '.join(key)}, or name an index that does with `via`"
        raise context.findings.add(body.values["key"], "owner", text, hint)
    elif any(mine.desc != its.desc for mine, its in zip(table.key, owner.key, strict=False)):
        text = f"a key part is descending in one of {table.name} and {owner.name}, and not in the other"
        raise context.findings.add(body.values["key"], "owner", text, "let both run the same way")
    return Owned(
        owner.name, key, via, "skip" if text_value(body.values.get("orphans")) == "skip" else "refuse"
    )


def _owner(context: Context, node: YamlNode) -> Table:
    owner = context.table(text_value(node), at_start(node))
    identity = isinstance(owner.rule, Index) and owner.rule.unique == "identity"
    if owner.role == "primary" or identity:
        return owner
    text = f"`{owner.name}` is made when a transaction ends, and a row needs its owner before"
    if owner.role != "derived":
        text = f"`{owner.name}` is the table of a word that tells nobody which of its rows go"
    hint = "name a primary table, or an identity"
    raise context.findings.add(node, "owner", text, hint)


def _owner_key(context: Context, table: Table, owner: Table, node: YamlNode) -> tuple[str, ...]:
    items = list(_items(node))
    if len(items) != len(owner.key):
        parts = ", ".join(part.name for part in owner.key)
        text = f"the key of {owner.name} has {_count(len(owner.key))}, found {len(items)}"
        raise context.findings.add(node, "key-parts", text, f"give a field for each of {parts}")
    return tuple(_owner_part(context, table, item, part) for item, part in zip(items, owner.key, strict=True))


def _owner_part(context: Context, table: Table, node: YamlNode, part: KeyPart) -> str:
    name = text_value(node)
    types = _fields_of(table)
    if name not in types:
        hint = did_you_mean(name, list(types)) or "name a field of the row"
        raise context.findings.add(node, "unknown-field", f"{table.name} has no field `{name[:60]}`", hint)
    if types[name] != part.type:
        text = f"`{name}` is {show(types[name])}, and `{part.name}` of the owner {show(part.type)}"
        raise context.findings.add(node, "type", text, "make both the same type")
    if name in _made_at_a_put(table):
        text = f"`{name}` is filled in when a row is put, and its owner is looked up before"
        raise context.findings.add(node, "owner", text, "name fields that are given")
    return name


def _check_via(context: Context, table: Table, key: tuple[str, ...], node: YamlNode) -> None:
    index = context.table(text_value(node), at_start(node))
    rule = index.rule
    if not isinstance(rule, Index) or rule.source != table.name or rule.unique == "identity":
        text = f"`{index.name}` is no index of {table.name}"
        raise context.findings.add(node, "owner", text, f"name an index from {table.name}")
    if rule.when is not None or rule.lookups or rule.each:
        text = f"`{index.name}` does not have exactly one row for each row of {table.name}"
        raise context.findings.add(node, "owner", text, "use an index without `each`, `when` and `with`")
    begins = [item.expr for item in rule.key[: len(key)]]
    names = [expr.name if isinstance(expr, Local) and expr.kind == "field" else None for expr in begins]
    if names != list(key):  # Which way they run makes no difference: the rows are found by their fields.
        text = f"the key of `{index.name}` does not begin with the owner's key"
        raise context.findings.add(node, "owner", text, f"begin it with {', '.join(key)}")


def _check_circles(context: Context) -> None:
    for name, table in context.tables.items():
        path = [name]
        while table.owned is not None:
            owner = _origin(context, table.owned.by)
            if owner == name:
                entry = context.entries("tables")[name]
                owned = entry.body.values["owned"]
                assert isinstance(owned, YamlMap)
                text = f"the table owns itself: {' <- '.join([*path, name])}"
                hint = "rows of a table cannot be removed with rows of the same table"
                context.findings.add(owned.values["by"], "cycle", text, hint)
                break
            if owner in path:  # a circle further on, told there
                break
            path.append(owner)
            table = context.tables[owner]


def _origin(context: Context, name: str) -> str:
    """The table that is written; an identity stands for its source."""
    rule = context.tables[name].rule
    return rule.source if isinstance(rule, Index) else name


def _items(node: YamlNode) -> Iterator[YamlNode]:
    if isinstance(node, YamlList):
        yield from (item for item in node.items if isinstance(item, YamlScalar))
    else:
        yield node


def _fields_of(table: Table) -> dict[str, Type]:
    types = {part.name: part.type for part in table.key}
    return types | {field.name: field.type for field in table.fields}


def _made_at_a_put(table: Table) -> set[str]:
    """What a put computes, or takes of a sequence."""
    made = {field.name for field in table.fields if field.computed is not None or field.fill is not None}
    return made | {part.name for part in table.key if part.fill is not None}


def _count(parts: int) -> str:
    return "one part" if parts == 1 else f"{parts} parts"
