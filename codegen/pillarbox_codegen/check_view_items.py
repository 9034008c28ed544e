"""Items: single values out of what views show, with names and keys of their own.

Depends on: context, expr_check, shown_types, check_views (types of keys).  Never on: parts, which views hold.

Law: the terms of `at` read the item's key and name the key of one view; `take` reads that key and what
the view shows.
"""

from __future__ import annotations

from collections.abc import Mapping

from pillarbox_codegen.check_fields import check_plain_fields, text_value
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.check_views import key_type
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import check, check_node
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import NameNode
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    Expr,
    Field,
    Item,
    ListOf,
    Local,
    MapOf,
    NoneType,
    Optional,
    PutResult,
    SpanOf,
    TupleOf,
    View,
)
from pillarbox_codegen.shown_types import hidden_parts, shown_parts
from pillarbox_codegen.type_rules import assignable, show
from pillarbox_codegen.walk import names_in, nodes
from pillarbox_codegen.yaml_nodes import YamlMap

_NO_TABLES = "an item reads what its view shows; add a `get` part to the view"


def check_view_items(context: Context, views: Mapping[str, View]) -> tuple[Item, ...]:
    """The items of the schema, in the order of its files."""
    found = [
        context.findings.attempt(_check_item, context, name, entry, views)
        for name, entry in context.sound("items")
    ]
    return tuple(item for item in found if item is not None)


def _check_item(context: Context, name: str, entry: Entry, views: Mapping[str, View]) -> Item:
    body = entry.body.values
    view = _view_of(context, entry, views)
    key = check_plain_fields(context, body["key"], key_type) if "key" in body else view.key
    with context.findings.together() as block:
        at = block.attempt(_at, context, entry, view, key)
        take = block.attempt(_take, context, entry, view, key)
    assert at is not None
    assert take is not None
    return Item(name, doc_of(entry), view.name, key, at, take)


def _view_of(context: Context, entry: Entry, views: Mapping[str, View]) -> View:
    node = entry.body.values["view"]
    name = text_value(node)
    context.declared_one("views", name, at_start(node), "unknown-view", "view")
    if name not in views:
        raise Invalid  # its own place has a finding
    return views[name]


# ------------------------------------------------------------------------------------------------ key


def _at(context: Context, entry: Entry, view: View, key: tuple[Field, ...]) -> tuple[tuple[str, Expr], ...]:
    """One term for each part of the view's key: the one of `at`, or the part of that name."""
    given = entry.body.values.get("at")
    assert given is None or isinstance(given, YamlMap)
    wanted = {field.name: field for field in view.key}
    scope = param_scope(key, _NO_TABLES)
    found: dict[str, Expr] = {}
    with context.findings.together() as block:
        for name, node in given or ():
            if name.value not in wanted:
                text = f"the key of `{view.name}` has no `{name.value[:60]}`"
                hint = did_you_mean(name.value, wanted) or (
                    f"it has {one_of(wanted)}" if wanted else "it has no parts at all"
                )
                context.findings.add(name, "unknown-field", text, hint)
                block.failed = True
                continue
            expr = block.attempt(check_node, context, node, wanted[name.value].type, scope)
            if expr is not None:
                found[name.value] = expr
        named = set() if given is None else set(given.keys)
        for field in view.key:
            if field.name not in named:
                own = block.attempt(_same_name, context, entry, view, field, scope)
                found |= {} if own is None else own
    return tuple((field.name, found[field.name]) for field in view.key if field.name in found)


def _same_name(context: Context, entry: Entry, view: View, field: Field, scope: Scope) -> dict[str, Expr]:
    """The item's own part of that name; empty where it has none and needs none."""
    own = scope.names.get(field.name)
    if own is not None and assignable(own.type, field.type, context.types):
        return {field.name: own}
    if own is None and (field.has_default or isinstance(field.type, Optional | ListOf | MapOf)):
        return {}
    place = entry.body.keys["view"]
    if own is None:
        text = f"the key of `{view.name}` has `{field.name}`, which the item does not give"
    else:
        text = (
            f"`{field.name}` is {show(field.type)} in the key of `{view.name}`, here it is {show(own.type)}"
        )
    raise context.findings.add(place, "key-parts", text, f"add `at: {{{field.name}: ..}}`")


# ----------------------------------------------------------------------------------------------- take


def _take(context: Context, entry: Entry, view: View, key: tuple[Field, ...]) -> Expr:
    """The term over the snapshot and the item's key."""
    node = entry.body.values["take"]
    shown = shown_parts(view, context.tables)
    own = {field.name: field.type for field in key}
    both = sorted(set(shown) & set(own) - hidden_parts(view))
    if both:
        text = f"`{both[0]}` is a part of the view `{view.name}` as well"
        raise context.findings.add(entry.body.keys["key"], "name-taken", text, "rename that part of the key")
    names = {name: Local(name, "part", type) for name, type in shown.items()}
    names |= {name: Local(name, "param", type) for name, type in own.items()}
    syntax = parse_node(node, context.findings)
    take = check(context, syntax, None, Scope(names, no_lookups=_NO_TABLES))
    hidden = names_in(take) & hidden_parts(view) - set(own)
    if hidden:
        place = next(one.at for one in nodes(syntax) if isinstance(one, NameNode) and one.name in hidden)
        text = f"`{min(hidden)}` is a part of `{view.name}` that nobody sees"
        raise context.add(place, "part", text, "take another part, or let the view show it")
    if isinstance(take.type, TupleOf | NoneType | PutResult | SpanOf):
        text = f"{show(take.type)} is no value that an item can have"
        raise context.findings.add(node, "type", text, "name a single value or a list")
    return take
