"""The rule `top`: the first rows of a group, as a key or folded.

Depends on: context, expr_check, expr_folds.  Never on: index, count.

Law: the rows of a group, and of each of its `across` prefixes, lie side by side in the source's key order.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen.check_fields import check_field_name, text_value
from pillarbox_codegen.check_items import Derived, source_table
from pillarbox_codegen.context import Context, at_start, row_scope
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_constants import named_value
from pillarbox_codegen.expr_folds import fold
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Across,
    Constant,
    EnumType,
    Expr,
    Field,
    FlagsType,
    Fold,
    KeyPart,
    ListOf,
    Literal_,
    NamedExpr,
    Optional,
    Table,
    Top,
    Tuple_,
    Type,
)
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def check_top(context: Context, body: YamlMap) -> Derived:
    """The rule, and the key and fields of its rows. Raises Invalid after findings."""
    source = source_table(context, body.values["of"])
    group = _group(context, body.values["group"], source)
    across = _across(context, body.values.get("across"), source, group)
    order = _order(context, body, source, len(group), across)
    scope = row_scope(source)
    folds = _folds(context, body, scope)
    first = int(text_value(body.values["first"])) if "first" in body.values else 1
    if first > 1 and not folds:
        text = f"the first {first} rows of a group become one row"
        raise context.findings.add(
            body.keys["first"], "top-key", text, "say how with `fold`, or leave `first` out"
        )
    value = _values(context, body, scope, folds)
    key = source.key[: len(group)]
    rule = Top(source.name, group, across, order, first, value, folds)
    shown = tuple(KeyPart(part.name, part.type, part.desc, None, part.doc) for part in key)
    fields = _fields(source.key[len(group) :], rule)
    _refuse_shared(context, body, shown, fields)
    return Derived(rule, shown, fields)


def _names(node: YamlNode) -> list[YamlScalar]:
    assert isinstance(node, YamlList)
    return [item for item in node.items if isinstance(item, YamlScalar)]


def _group(context: Context, node: YamlNode, source: Table) -> tuple[str, ...]:
    names = _names(node)
    key = [part.name for part in source.key]
    for item, part in zip(names, [*key, *[None] * len(names)], strict=False):
        if item.value != part:
            text = f"the key of {source.name} does not go on with `{item.value[:60]}` here"
            raise context.findings.add(
                item, "top-key", text, f"its parts are {', '.join(key)}, in this order"
            )
    if len(names) >= len(key):
        text = f"every row of {source.name} would be a group of its own"
        raise context.findings.add(node, "top-key", text, "leave at least the last key part out of `group`")
    return tuple(item.value for item in names)


def _across(
    context: Context, node: YamlNode | None, source: Table, group: tuple[str, ...]
) -> tuple[Across, ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlMap)
    rest = source.key[len(group) :]
    found: list[Across] = []
    for position, (key, value) in enumerate(node):
        if position >= len(rest) - 1 or rest[position].name != key.value:
            text = f"`{key.value[:60]}` is not the key part that follows the group"
            hint = (
                f"after the group come {', '.join(part.name for part in rest)}; the last one orders the rows"
            )
            raise context.findings.add(key, "top-key", text, hint)
        found.append(Across(key.value, _across_values(context, value, rest[position].type)))
    return tuple(found)


def _across_values(context: Context, node: YamlNode, type: Type) -> tuple[Expr, ...]:
    expr = check_node(context, node, ListOf(type), Scope({}, no_lookups="`across` names constants"))
    match expr:
        case Tuple_(items=items) if items:
            return items
        case Constant(name=name, value=tuple(values)) if values:
            assert name in context.constants
            return tuple(_constant_item(context, one, type, node) for one in values)
        case _:
            raise context.findings.add(
                node, "type", "`across` takes a list of constants", "such as `[open, waiting]`"
            )


def _constant_item(context: Context, value: int | str | bool, type: Type, node: YamlNode) -> Expr:
    if isinstance(value, str) and isinstance(context.definition(type), EnumType | FlagsType):
        return named_value(context, value, type, at_start(node), None)
    return Literal_(value, type)


def _order(
    context: Context, body: YamlMap, source: Table, start: int, across: Sequence[Across]
) -> tuple[str, ...]:
    """What compares rows of a group: across parts anywhere, the rest as in the key, all of them in the end.

    Across parts that nobody names come last. Without them rows of several prefixes could be equal, and which
    of them is on top would be told by what came when.
    """
    node = body.values.get("order")
    fixed = {item.part for item in across}
    rest = [part.name for part in source.key[start:] if part.name not in fixed]
    if node is None:
        if across:
            text = "`across` needs `order`: how rows of different prefixes compare"
            raise context.findings.add(body.keys["across"], "top-key", text, f"such as [{', '.join(rest)}]")
        return tuple(rest)
    names = _names(node)
    for item in names:
        if item.value not in (*rest, *fixed):
            text = f"`{item.value[:60]}` is not a key part after the group"
            hint = f"name {', '.join(rest)}, in this order"
            raise context.findings.add(item, "top-key", text, hint)
    if [item.value for item in names if item.value not in fixed] != rest:
        text = "within one prefix, rows lie in the order of the key"
        raise context.findings.add(node, "top-key", text, f"name {', '.join(rest)}, in this order")
    named = [item.value for item in names]
    return (*named, *(item.part for item in across if item.part not in named))


def _folds(context: Context, body: YamlMap, scope: Scope) -> tuple[Fold, ...]:
    node = body.values.get("fold")
    if node is None:
        return ()
    assert isinstance(node, YamlMap)
    if "value" in body.values:
        text = "`value` is over the first row, `fold` over several"
        raise context.findings.add(body.keys["value"], "one-of", text, "keep one of the two")
    with context.findings.together() as block:
        found = [block.attempt(_fold, context, key, value, scope) for key, value in node]
    return tuple(one for one in found if one is not None)


def _fold(context: Context, key: YamlScalar, node: YamlNode, scope: Scope) -> Fold:
    check_field_name(context.findings, key)
    return fold(ExprChecker(context, scope), key.value, parse_node(node, context.findings))


def _values(context: Context, body: YamlMap, scope: Scope, folds: Sequence[Fold]) -> tuple[NamedExpr, ...]:
    node = body.values.get("value")
    if node is None or folds:
        return ()
    assert isinstance(node, YamlMap)
    with context.findings.together() as block:
        found = [block.attempt(_value, context, key, value, scope) for key, value in node]
    return tuple(item for item in found if item is not None)


def _value(context: Context, key: YamlScalar, node: YamlNode, scope: Scope) -> NamedExpr:
    check_field_name(context.findings, key)
    return NamedExpr(key.value, check_node(context, node, None, scope))


def _fields(rest: Sequence[KeyPart], rule: Top) -> tuple[Field, ...]:
    pairs: list[tuple[str, Type]] = [(one.name, one.type) for one in rule.folds]
    if not rule.folds:
        pairs = [(part.name, part.type) for part in rest]
        pairs += [(item.name, item.expr.type) for item in rule.value]
    return tuple(
        Field(number, name, type, has_default=isinstance(type, Optional))
        for number, (name, type) in enumerate(pairs, 1)
    )


def _refuse_shared(context: Context, body: YamlMap, key: Sequence[KeyPart], fields: Sequence[Field]) -> None:
    names = [part.name for part in key] + [field.name for field in fields]
    for word in ("fold", "value"):
        holder = body.values.get(word)
        for name in names:
            if isinstance(holder, YamlMap) and name in holder.keys and names.count(name) > 1:
                text = f"`{name}` is a field of the row already"
                raise context.findings.add(holder.keys[name], "name-taken", text, "choose another name")
