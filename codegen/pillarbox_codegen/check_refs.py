"""The word `refs`, values that rows share, and its steps `hold` and `rewrite`.

Depends on: context, check_items, check_modifiers.  Never on: other words.

Law: a value can be left out of its row and put back: rows are records, values cases of a union in a list of
the row, and an id has ordered bytes.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.check_fields import check_key_type, text_value
from pillarbox_codegen.check_items import Also, Derived, key_parts_of, source_table
from pillarbox_codegen.check_modifiers import body_of, check_each, modifiers
from pillarbox_codegen.context import Context, at_start, row_scope
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    EachVar,
    Expr,
    Field,
    Index,
    Is,
    KeyPart,
    ListOf,
    Local,
    NamedExpr,
    Optional,
    Refs,
    ShareStep,
    Step,
    Table,
    UnionType,
)
from pillarbox_codegen.type_rules import BOOL
from pillarbox_codegen.yaml_nodes import YamlMap, YamlScalar

_LISTED: Final = "write `each: FIELD as name`, of a field that is a list of a union"

#: The key part that is the id, here and in the index of users.
REF = "ref"


def check_refs(context: Context, body: YamlMap) -> Derived:
    """The rule, the shared values, and the index of their users. Raises Invalid after findings."""
    source = source_table(context, body.values["from"])
    if source.role != "primary" or source.layout != "record":
        text = f"`{source.name}` is no primary table of records"
        raise context.findings.add(body.values["from"], "refs", text, "values are shared by such tables")
    if any(part.name == REF for part in source.key):
        text = f"a part of the key of {source.name} is called `{REF}`, as the id of a value is"
        raise context.findings.add(body.values["from"], "name-taken", text, "rename that part")
    _refuse_second(context, source, body)
    each, scope = check_each(context, body.values["each"], row_scope(source), hint=_LISTED)
    item = each.items.type
    assert isinstance(item, ListOf), "each has a list"
    if not isinstance(each.items, Local) or each.items.kind != "field" or not _is_union(context, item):
        text = "what is shared is not a list of a union in the row"
        raise context.findings.add(body.values["each"], "refs", text, _LISTED)
    of = check_node(context, body.values["id"], None, scope)
    present = of.type.item if isinstance(of.type, Optional) else of.type
    check_key_type(context, present, body.values["id"])
    fields = (Field(1, "value", item.item), Field(2, "held", BOOL, default=False, has_default=True))
    rule = Refs("", source.name, each.items.name, each.name, of)
    users = _users(context, body, scope, source, each, of)
    return Derived(rule, (KeyPart(REF, present),), fields, "record", also=(users,))


def _is_union(context: Context, type_: ListOf) -> bool:
    return isinstance(context.definition(type_.item), UnionType)


def _refuse_second(context: Context, source: Table, body: YamlMap) -> None:
    for other in context.tables.values():
        if isinstance(other.rule, Refs) and other.rule.source == source.name:
            text = f"`{source.name}` shares its values by `{other.name}` already"
            raise context.findings.add(body.values["from"], "refs", text, "a table shares one list of values")


def _users(context: Context, body: YamlMap, scope: Scope, source: Table, each: EachVar, of: Expr) -> Also:
    when = Is(of, "present", None, BOOL) if isinstance(of.type, Optional) else None
    ref = check_node(context, body.values["id"], None, scope.assume(when))
    if isinstance(ref.type, Optional):
        text = "an id that may be absent is a path, such as `x.id`"
        raise context.findings.add(body.values["id"], "refs", text, "make it a facet of the union")
    fields = [NamedExpr(part.name, Local(part.name, "field", part.type), part.desc) for part in source.key]
    key = (NamedExpr(REF, ref), *fields)
    users = body.values["users"]
    assert isinstance(users, YamlMap)
    return Also(
        "users",
        int(text_value(users.values["id"])),
        f"Which rows of `{source.name}` use a shared value.",
        lambda _name: Index(source.name, (each,), when, key, (), "no"),
        key_parts_of(key),
        (),
        "derived",
    )


# -------------------------------------------------------------------------------------------- steps


def check_hold(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    """`hold: {table, id, value}`."""
    return _check_step(context, item, scope, "hold"), scope


def check_rewrite(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    """`rewrite: {table, id, value}`."""
    return _check_step(context, item, scope, "rewrite"), scope


def _check_step(context: Context, item: YamlMap, scope: Scope, word: str) -> ShareStep:
    body = body_of(item, word)
    node = body.values["table"]
    assert isinstance(node, YamlScalar)
    table = context.table(text_value(node), at_start(node))
    if not isinstance(table.rule, Refs):
        text = f"`{table.name}` is no table of shared values"
        raise context.findings.add(node, "word", text, "this step is for tables of the word `refs`")
    mods, inner = modifiers(context, item, scope)
    with context.findings.together() as block:
        ref = block.attempt(check_node, context, body.values["id"], table.key[0].type, inner)
        value = block.attempt(
            check_node, context, body.values["value"], Optional(table.fields[0].type), inner
        )
    assert ref is not None
    assert value is not None
    return ShareStep("hold" if word == "hold" else "rewrite", table.name, ref, value, mods)
