"""Words of views for lists of their own kind: values, ranges, rows found by words.

Depends on: check_view_parts, expr_check, expr_keys.  Never on: views, which hold parts.

Law: what is listed are values that can be told apart, none of them a row; ranges are those of one group and
space; a search asks its table for what that keeps.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_view_parts import common_of, flag_of, limit_of, table_of, where_of
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    CaseOf,
    EachPart,
    Expr,
    ListOf,
    MapOf,
    Named,
    Optional,
    Part,
    RangePart,
    Ranges,
    RecordType,
    RowOf,
    Scalar,
    ScanPart,
    SearchPart,
    Text,
    Type,
    UnionType,
)
from pillarbox_codegen.type_rules import optional, present, show
from pillarbox_codegen.yaml_nodes import YamlMap

TEXT: Final = Scalar("text")


def check_each(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    common = common_of(context, name, node, when, None)
    around = scope.names.get("item")
    if around is not None and around.kind != "row":
        kind = "key parameter" if around.kind == "param" else "part"
        text = f"in the children of `each` the value is `item`, and `item` is a {kind} already"
        raise context.findings.add(node.keys["each"], "name-taken", text, f"rename that {kind}")
    place = node.values["each"]
    items = check_node(context, place, None, scope)
    listed = present(items.type)
    if not isinstance(listed, ListOf):
        hint = "name a list, such as a field of earlier rows"
        raise context.findings.add(place, "type", f"{show(items.type)} is no list", hint)
    if not isinstance(listed.item, Scalar | Named | CaseOf | RowOf):
        text = f"{show(listed.item)} is nothing that can be told apart"
        raise context.findings.add(place, "type", text, "list numbers, texts, ids, enums, records or rows")
    if _has_maps(context, listed.item):
        text = f"{show(listed.item)} has a map, by which values cannot be told apart"
        raise context.findings.add(place, "type", text, "list its key")
    return EachPart(common, items, listed.item), listed


def _has_maps(context: Context, type: Type) -> bool:
    """Whether a value holds a mapping somewhere, which has no hash."""
    pending, seen = [type], set()
    while pending:
        one = present(pending.pop())
        if isinstance(one, MapOf):
            return True
        if isinstance(one, ListOf):
            pending.append(one.item)
        elif one not in seen:
            seen.add(one)
            definition = context.definition(one)
            if isinstance(definition, UnionType):
                pending += [CaseOf(definition.name, case.name) for case in definition.cases]
            elif isinstance(one, RowOf | CaseOf) or isinstance(definition, RecordType):
                pending += (context.members(one) or {}).values()
    return False


def check_ranges(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    table = table_of(context, node.values["ranges"])
    if not isinstance(table.rule, Ranges):
        text = f"`{table.name}` is no table of ranges"
        raise context.findings.add(node.values["ranges"], "part", text, "read it by `scan`")
    common = common_of(context, name, node, when, table)
    about = [(part.name, part.type) for part in table.key[: -len(table.rule.over)]]
    syntax = parse_node(node.values["at"], context.findings)
    at = key_parts(ExprChecker(context, scope), syntax, about, may_be_none=True)
    row = RowOf(table.name)
    match text_value(node.values.get("pick")):
        case "latest" | "earliest" as pick:
            return RangePart(common, table.name, at, pick), Optional(row)
        case _:
            return ScanPart(common, table.name, table.name, at, False, None, None), ListOf(row)


def check_search(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    table = table_of(context, node.values["search"])
    rule = table.rule
    if not isinstance(rule, Text):
        text = f"`{table.name}` is no table of words"
        raise context.findings.add(node.values["search"], "part", text, "name one that has `text:`")
    source = context.table(rule.source, at_start(node))
    common = common_of(context, name, node, when, source)
    with context.findings.together() as block:
        match = block.attempt(check_node, context, node.values["match"], Optional(TEXT), scope)
        filters = block.attempt(_filters, context, node, rule, scope) or ()
        limit = block.attempt(limit_of, context, node, scope)
        where = block.attempt(where_of, context, node, source.name, scope)
    assert match is not None
    newest_first = flag_of(node, "newest_first")
    best = text_value(node.values.get("order")) == "relevance"
    part = SearchPart(common, table.name, source.name, match, filters, best, newest_first, limit, where)
    return part, ListOf(RowOf(source.name))


def _filters(context: Context, node: YamlMap, rule: Text, scope: Scope) -> tuple[tuple[int, Expr], ...]:
    """What is asked for of the table's filters, by their places."""
    body = node.values.get("filter")
    if body is None:
        return ()
    assert isinstance(body, YamlMap)
    places = {item.name: place for place, item in enumerate(rule.filters)}
    found = []
    for name, wanted in body:
        if name.value not in places:
            hint = did_you_mean(name.value, places) or (
                f"it has {one_of(places)}" if places else "it has none"
            )
            text = f"there is no filter `{name.value[:60]}`"
            raise context.findings.add(name, "unknown-field", text, hint)
        place = places[name.value]
        asked = optional(rule.filters[place].expr.type)
        found.append((place, check_node(context, wanted, asked, scope)))
    return tuple(sorted(found, key=itemgetter(0)))
