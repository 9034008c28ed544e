"""What the words of derived tables share: sources, `each`, `when`, key parts and values.

Depends on: context, expr_check.  Never on: any word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from pillarbox_codegen.check_fields import check_field_name, check_key_type, check_name, text_value, truth
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.expr_check import check, check_condition, check_node
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import AttrNode, NameNode, Syntax
from pillarbox_codegen.model import (
    EachVar,
    Expr,
    Field,
    KeyPart,
    ListOf,
    NamedExpr,
    Optional,
    Ranges,
    Rule,
    Table,
    Type,
)
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.type_rules import show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


class Also(NamedTuple):
    """A second, packed table of a word, named after the first; `rule` is handed the name of the first."""

    suffix: str
    id: int
    doc: str
    rule: Callable[[str], Rule]
    key: tuple[KeyPart, ...]
    fields: tuple[Field, ...]
    role: Literal["derived", "kept"] = "kept"


class Derived(NamedTuple):
    """What a word makes of a table."""

    rule: Rule
    key: tuple[KeyPart, ...]
    fields: tuple[Field, ...]
    #: How its rows are stored, where they have fields.
    layout: Literal["packed", "record"] = "packed"
    reserved: tuple[int, ...] = ()
    also: tuple[Also, ...] = ()
    storage: Literal["clustered", "words"] = "clustered"


def source_table(context: Context, node: YamlNode) -> Table:
    """The table a rule is of: primary or derived. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if table.role not in ("primary", "derived", "kept") and not context.interns(table):
        text = f"`{table.name}` is the table of a {table.role}"
        raise context.findings.add(node, "derived-source", text, "derive from a primary or a derived table")
    if isinstance(table.rule, Ranges) and table.rule.seeded:
        text = f"groups of `{table.name}` read as their seed before there are rows"
        raise context.findings.add(node, "derived-source", text, "derive from a table without a seed")
    return table


def refuse_twice(context: Context, nodes: Iterable[YamlNode]) -> None:
    """A finding where a list of tables names one twice. Raises Invalid then."""
    seen: set[str] = set()
    for node in nodes:
        name = text_value(node)
        if name in seen:
            raise context.findings.add(
                node, "name-taken", f"`{name[:60]}` is named already", "name each table once"
            )
        seen.add(name)


def each_and_when(
    context: Context, body: YamlMap, scope: Scope
) -> tuple[tuple[EachVar, ...], Expr | None, Scope]:
    each: list[EachVar] = []
    node = body.values.get("each")
    if isinstance(node, YamlMap):
        for key, value in node:
            check_name(context.findings, key, snake_problem)
            if key.value in scope.names:
                text = f"`{key.value}` is a field of the row already"
                raise context.findings.add(key, "name-taken", text, "choose another name, such as `item`")
            items = check_node(context, value, None, scope)
            each.append(EachVar(key.value, items))
            scope = scope.bind(key.value, "local", item_type(context, items, value))
    condition = check_condition(context, body.values.get("when"), scope)
    return tuple(each), condition, scope.assume(condition)


def item_type(
    context: Context, items: Expr, node: YamlNode, hint: str = "a single value is `[value]`"
) -> Type:
    """The type of an `each` variable. Raises Invalid where the expression is no list."""
    if isinstance(items.type, ListOf):
        return items.type.item
    code = "maybe-none" if isinstance(items.type, Optional) else "type"
    text = f"`each` takes a list, found {show(items.type)}"
    raise context.findings.add(node, code, text, hint)


def check_key_items(context: Context, node: YamlNode, scope: Scope) -> tuple[NamedExpr, ...]:
    """Key parts: an expression whose last word names the part, or `{name: expression}`."""
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_key_item, context, item, scope) for item in node.items]
    return tuple(item for item in found if item is not None)


def _key_item(context: Context, node: YamlNode, scope: Scope) -> NamedExpr:
    if isinstance(node, YamlMap):
        if len(node.values) != 1:
            text = f"a named key part is one name and its expression, found {len(node.values)}"
            hint = "write `{name: expression}`, or `{name: {of: expression, desc: true}}`"
            raise context.findings.add(node, "wrong-shape", text, hint)
        key, value = next(iter(node))
        check_field_name(context.findings, key)
        return _named_key_item(context, key.value, value, scope)
    syntax = parse_node(node, context.findings)
    name = _last_word(syntax)
    if name is None:
        text = "this key part has no name"
        raise context.findings.add(node, "missing-key", text, "write `{name: expression}`")
    return _key_expr(context, name, node, syntax, False, scope)


def _named_key_item(context: Context, name: str, node: YamlNode, scope: Scope) -> NamedExpr:
    if isinstance(node, YamlMap):
        for word, key in node.keys.items():
            if word not in ("of", "desc"):
                hint = did_you_mean(word, ["of", "desc"]) or "its keys are `of` and `desc`"
                raise context.findings.add(key, "unknown-key", f"a key part has no key `{word[:60]}`", hint)
        if "of" not in node.values:
            raise context.findings.add(node, "missing-key", "a key part needs `of`", "add `of:`")
        desc = truth(context.findings, node.values.get("desc"))
        of = node.values["of"]
        return _key_expr(context, name, of, parse_node(of, context.findings), desc, scope)
    return _key_expr(context, name, node, parse_node(node, context.findings), False, scope)


def _last_word(syntax: Syntax) -> str | None:
    match syntax:
        case NameNode(name=name) | AttrNode(name=name):
            return name
        case _:
            return None


def _key_expr(
    context: Context, name: str, node: YamlNode, syntax: Syntax, desc: bool, scope: Scope
) -> NamedExpr:
    expr = check(context, syntax, None, scope)
    check_key_type(context, expr.type, node)
    return NamedExpr(name, expr, desc)


def named_values(
    context: Context, node: YamlNode | None, scope: Scope, expected: Type | None = None
) -> tuple[NamedExpr, ...]:
    """`{name: expression}`. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlMap)
    with context.findings.together() as block:
        found = [block.attempt(named_value, context, key, value, scope, expected) for key, value in node]
    return tuple(item for item in found if item is not None)


def named_value(
    context: Context, key: YamlScalar, value: YamlNode, scope: Scope, expected: Type | None
) -> NamedExpr:
    check_field_name(context.findings, key)
    return NamedExpr(key.value, check_node(context, value, expected, scope))


def check_distinct(
    context: Context, body: YamlMap, key: Iterable[NamedExpr], value: Iterable[NamedExpr], word: str
) -> None:
    """Key parts and values of a row stand side by side, so all their names differ. Raises Invalid."""
    seen: set[str] = set()
    for item in key:
        if item.name in seen:
            node = body.values["key" if "key" in body.values else "group"]
            raise context.findings.add(node, "name-taken", f"two key parts are called `{item.name}`",
                                       "name one of them: `{other_name: expression}`")  # fmt: skip
        seen.add(item.name)
    holder = body.values.get(word)
    for item in value:
        if item.name in seen:
            assert isinstance(holder, YamlMap)
            text = f"`{item.name}` is a key part already"
            raise context.findings.add(
                holder.keys[item.name], "name-taken", text, "leave it out, or rename it"
            )


def key_parts_of(items: Iterable[NamedExpr]) -> tuple[KeyPart, ...]:
    return tuple(KeyPart(item.name, item.expr.type, item.desc) for item in items)


def fields_of(items: Iterable[NamedExpr]) -> tuple[Field, ...]:
    """The values of a derived row, numbered in order."""
    return tuple(
        Field(number, item.name, item.expr.type, has_default=isinstance(item.expr.type, Optional))
        for number, item in enumerate(items, 1)
    )
