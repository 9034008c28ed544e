"""Keys of many rows, one for each item of a list: `{each: LIST, key: [..], where: ..}`, or a list of rows.

Depends on: context, expr_check, expr_keys.  Never on: parts.

Law: every item of the list gives one whole key, or none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_condition, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import ListNode
from pillarbox_codegen.model import CaseOf, Expr, ListOf, Local, Path, RecordType, RowOf, Table
from pillarbox_codegen.type_rules import present, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

_WORDS: Final = ("each", "key", "where")


class KeyList(NamedTuple):
    """The list, and over `item` the key and whether it counts."""

    over: Expr
    key: tuple[Expr, ...]
    where: Expr | None


def key_list(context: Context, node: YamlNode, table: Table, scope: Scope) -> KeyList | None:
    """What is said so; none where keys are given otherwise. Raises Invalid after findings."""
    if isinstance(node, YamlMap):
        return _spelled(context, node, table, scope)
    syntax = parse_node(node, context.findings)
    if isinstance(syntax, ListNode) or len(table.key) < 2:
        return None
    over = ExprChecker(context, scope).infer(syntax)
    listed = present(over.type)
    if not isinstance(listed, ListOf):
        return None
    item = listed.item
    if not isinstance(item, RowOf | CaseOf) and not isinstance(context.definition(item), RecordType):
        return None
    members = context.members(item) or {}
    if any(members.get(part.name) != part.type for part in table.key):
        names = all_of([part.name for part in table.key])
        text = f"{show(item)} does not have {names} of the key of {table.name}"
        hint = "write `{each: LIST, key: [..]}`, with terms over `item`"
        raise context.findings.add(node, "key-parts", text, hint)
    local = Local("item", "row", item)
    return KeyList(over, tuple(Path(local, part.name, part.type) for part in table.key), None)


def _spelled(context: Context, node: YamlMap, table: Table, scope: Scope) -> KeyList:
    for word, key in node.keys.items():
        if word not in _WORDS:
            hint = did_you_mean(word, _WORDS) or f"its keys are {one_of(_WORDS)}"
            raise context.findings.add(key, "unknown-key", f"keys have no `{word[:60]}`", hint)
    for word in ("each", "key"):
        if word not in node.values:
            raise context.findings.add(node, "missing-key", f"keys need `{word}`", f"add `{word}:`")
    if "item" in scope.names:
        text = "`item` is something else here already"
        raise context.findings.add(node.keys["each"], "name-taken", text, "list the keys in a part before")
    over = check_node(context, node.values["each"], None, scope)
    listed = present(over.type)
    if not isinstance(listed, ListOf):
        text = f"{show(over.type)} is no list"
        raise context.findings.add(node.values["each"], "type", text, "name a list")
    inner = scope.bind("item", "row", listed.item)
    where = check_condition(context, node.values.get("where"), inner)
    checker = ExprChecker(context, inner.assume(where))
    parts = [(part.name, part.type) for part in table.key]
    syntax = parse_node(node.values["key"], context.findings)
    return KeyList(over, key_parts(checker, syntax, parts, may_be_none=True), where)
