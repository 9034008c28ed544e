"""Derived tables: `index`, `count` and `top`, in the order in which they are made from each other.

Depends on: context, expr_check, check_tables, check_top.  Never on: operations, views.

Law: a derived table's key, fields and types follow from its rule; no table is made from itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pillarbox_codegen.check_fields import check_field_name, check_key_type, check_name, text_value
from pillarbox_codegen.check_tables import check_packed, doc_of, id_of
from pillarbox_codegen.check_top import check_top
from pillarbox_codegen.context import Context, Entry, at_start, row_scope
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.expr_check import check, check_node
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import AttrNode, NameNode, Syntax
from pillarbox_codegen.findings import place_of
from pillarbox_codegen.model import (
    Count,
    EachVar,
    Expr,
    Field,
    Index,
    KeyPart,
    ListOf,
    Local,
    NamedExpr,
    Optional,
    Rule,
    Table,
    Type,
)
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.type_rules import BOOL, INT64, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def check_derived(context: Context) -> None:
    """Add the derived tables to the context, sources before what is made from them."""
    for name in _in_order(context):
        entry = context.entries("tables")[name]
        table = context.findings.attempt(_check_derived, context, name, entry)
        if table is not None:
            context.tables[name] = table
    _check_identities(context)


def rule_of(entry: Entry) -> tuple[str, YamlMap] | None:
    """The word of a derived table and the mapping below it."""
    for word in ("index", "count", "top"):
        body = entry.body.values.get(word)
        if isinstance(body, YamlMap):
            return word, body
    return None


def _source_node(entry: Entry) -> YamlNode | None:
    rule = rule_of(entry)
    return None if rule is None else rule[1].values.get("of" if rule[0] == "top" else "from")


def _in_order(context: Context) -> Iterator[str]:
    """Derived tables, each after its source; one finding for each circle."""
    entries = {name: entry for name, entry in context.sound("tables") if rule_of(entry) is not None}
    done: set[str] = set()
    for name in entries:
        path: list[str] = []
        while name in entries and name not in done and name not in path:
            path.append(name)
            name = text_value(_source_node(entries[name]))
        if name in path:
            circle = [*path[path.index(name) :], name]
            node = _source_node(entries[path[-1]])
            assert node is not None
            text = f"the table is made from itself: {' <- '.join(circle)}"
            context.findings.add(node, "cycle", text, "one of them must be of a table that is given")
            done.update(path)
            continue
        yield from reversed(path)
        done.update(path)


def source_table(context: Context, node: YamlNode) -> Table:
    """The table a rule is of: primary or derived. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if table.role not in ("primary", "derived"):
        text = f"`{table.name}` is the table of a {table.role}"
        raise context.findings.add(node, "derived-source", text, "derive from a primary or a derived table")
    return table


def _check_derived(context: Context, name: str, entry: Entry) -> Table:
    found = rule_of(entry)
    assert found is not None
    word, body = found
    rule: Rule
    if word == "index":
        rule, key, fields = _check_index(context, body)
    elif word == "count":
        rule, key, fields = _check_count(context, body)
    else:
        rule, key, fields = check_top(context, body, source_table(context, body.values["of"]))
    check_packed(context, fields, entry.body.keys[word])
    return Table(
        name, id_of(entry), doc_of(entry), key, fields, (), "packed" if fields else "empty", "clustered",
        "derived", rule, place_of(entry.name),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- index


def _check_index(context: Context, body: YamlMap) -> tuple[Index, tuple[KeyPart, ...], tuple[Field, ...]]:
    source = source_table(context, body.values["from"])
    each, when, scope = _each_and_when(context, body, row_scope(source))
    with context.findings.together() as block:
        key = block.attempt(check_key_items, context, body.values["key"], scope) or ()
        value = block.attempt(named_values, context, body.values.get("value"), scope) or ()
    check_distinct(context, body, key, value, "value")
    rule = Index(source.name, each, when, key, value, _unique(body))
    _check_source_key(context, body, source, rule)
    return rule, key_parts_of(key), fields_of(value)


def _unique(body: YamlMap) -> Literal["no", "yes", "identity"]:
    match text_value(body.values.get("unique")):
        case "identity":
            return "identity"
        case "true":
            return "yes"
        case _:
            return "no"


def _check_source_key(context: Context, body: YamlMap, source: Table, rule: Index) -> None:
    """An index row must lead back to its source row: by its key, or, being unique, by key and value."""
    in_key = {_field_name(item.expr) for item in rule.key}
    reachable = in_key if rule.unique == "no" else in_key | {_field_name(item.expr) for item in rule.value}
    missing = [part.name for part in source.key if part.name not in reachable]
    if missing:
        place = "the key" if rule.unique == "no" else "neither the key nor the value"
        names = ", ".join(f"`{name}`" for name in missing)
        text = f"{place} {'lacks' if rule.unique == 'no' else 'has'} {names} of {source.name}"
        hint = "end the key with it, or say `unique: true`" if rule.unique == "no" else "add it to `value`"
        raise context.findings.add(body.values["key"], "index-key", text, hint)
    if rule.unique == "identity" and (rule.each or rule.when is not None):
        word = "each" if rule.each else "when"
        text = "an identity has exactly one row for each source row"
        raise context.findings.add(
            body.keys[word], "identity", text, f"leave `{word}` out, or say `unique: true`"
        )
    if rule.unique == "identity" and source.role != "primary":
        text = f"`{source.name}` is a derived table, nobody puts into it"
        raise context.findings.add(body.values["from"], "identity", text, "an identity is of a primary table")


def _field_name(expr: Expr) -> str | None:
    return expr.name if isinstance(expr, Local) and expr.kind == "field" else None


def _check_identities(context: Context) -> None:
    first: dict[str, str] = {}
    for table in context.tables.values():
        if isinstance(table.rule, Index) and table.rule.unique == "identity":
            other = first.setdefault(table.rule.source, table.name)
            if other != table.name:
                body = context.entries("tables")[table.name].body.values["index"]
                assert isinstance(body, YamlMap)
                text = f"`{table.rule.source}` has the identity `{other}` already"
                context.findings.add(body.keys["unique"], "identity", text, "say `unique: true` here")


# --------------------------------------------------------------------------------------------- count


def _check_count(context: Context, body: YamlMap) -> tuple[Count, tuple[KeyPart, ...], tuple[Field, ...]]:
    source = source_table(context, body.values["from"])
    each, when, scope = _each_and_when(context, body, row_scope(source))
    with context.findings.together() as block:
        group = block.attempt(check_key_items, context, body.values["group"], scope) or ()
        sums = block.attempt(named_values, context, body.values["sum"], scope, INT64) or ()
    check_distinct(context, body, group, sums, "sum")
    fields = tuple(Field(number, item.name, INT64) for number, item in enumerate(sums, 1))
    return Count(source.name, each, when, group, sums), key_parts_of(group), fields


# -------------------------------------------------------------------------------- what rules share


def _each_and_when(
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
    when = body.values.get("when")
    condition = None if when is None else check_node(context, when, BOOL, scope)
    return tuple(each), condition, scope.assume(condition)


def item_type(context: Context, items: Expr, node: YamlNode) -> Type:
    """The type of an `each` variable. Raises Invalid where the expression is no list."""
    if isinstance(items.type, ListOf):
        return items.type.item
    code = "maybe-none" if isinstance(items.type, Optional) else "type"
    text = f"`each` takes a list, found {show(items.type)}"
    raise context.findings.add(node, code, text, "a single value is `[value]`")


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
            raise context.findings.add(node, "wrong-shape", text, "write `{name: expression}`")
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
        desc = text_value(node.values.get("desc"))
        if desc not in ("", "true", "false"):
            raise context.findings.add(node.values["desc"], "wrong-shape", "expected `true` or `false`")
        of = node.values["of"]
        return _key_expr(context, name, of, parse_node(of, context.findings), desc == "true", scope)
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
        found = [block.attempt(_named_value, context, key, value, scope, expected) for key, value in node]
    return tuple(item for item in found if item is not None)


def _named_value(
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
