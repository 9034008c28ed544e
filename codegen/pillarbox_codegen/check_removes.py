"""The step `remove`: rows by key or identity, a list of them, rows under a prefix, or a closed range; and
where a cursor with a key stands.

Depends on: context, check_modifiers, expr_keys.  Never on: other steps.

Law: what is removed is named by whole keys, or by the beginnings of keys.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import body_of, modifiers, step_key
from pillarbox_codegen.check_targets import primary
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.expr_check import ExprChecker
from pillarbox_codegen.expr_keys import row_key
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import ListNode, NameNode
from pillarbox_codegen.model import (
    AnchoredCount,
    AnchorStep,
    EachVar,
    Expr,
    IfStep,
    ItemList,
    ListOf,
    Literal_,
    Marker,
    Modifiers,
    Ranges,
    RemoveStep,
    RowOf,
    Scan,
    Step,
    Table,
    Type,
)
from pillarbox_codegen.type_rules import BOOL
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode


def check_remove(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, "remove")
    kept = context.tables.get(text_value(body.values["from"]))
    if kept is not None and isinstance(kept.rule, ItemList | Ranges):
        return _reset(context, item, body, kept, scope), scope
    if kept is not None and isinstance(kept.rule, Marker | AnchoredCount):
        return _forget(context, item, body, kept, scope), scope
    if kept is not None and kept.role == "cursor":
        return _forget_cursor(context, item, body, kept, scope), scope
    table = primary(context, body.values["from"])
    mods, inner = modifiers(context, item, scope)
    given = [word for word in ("at", "under", "between") if word in body.values]
    if len(given) != 1:
        text = "`remove` has one of `at`, `under` and `between`"
        hint = "`at` a whole key, everything `under` a prefix, or `between` two keys or prefixes"
        raise context.findings.add(body, "step", text, hint)
    if given == ["at"]:
        return _at(context, body.values["at"], table, mods, inner), scope
    if given == ["between"]:
        return _between(context, body.values["between"], table, mods, inner), scope
    under = _beginning(context, body.values["under"], table, inner)
    return RemoveStep(table.name, under, False, mods), scope


def _beginning(context: Context, node: YamlNode, table: Table, scope: Scope) -> tuple[Expr, ...]:
    """Some of the first parts of a key, not all of them."""
    at = step_key(context, node, table, scope, prefix=True)
    if len(at) == len(table.key):
        text = f"this is the whole key of {table.name}"
        raise context.findings.add(node, "key-parts", text, "write `at` instead of `under`")
    return at


def _at(context: Context, node: YamlNode, table: Table, mods: Modifiers, scope: Scope) -> Step:
    checker, syntax = ExprChecker(context, scope), parse_node(node, context.findings)
    hint = table.key[0].type if len(table.key) == 1 else None
    listed = None if isinstance(syntax, ListNode) else checker.infer(syntax, hint)
    if listed is None or not isinstance(listed.type, ListOf):
        parts, by = row_key(checker, syntax, table, may_be_none=False)
        return RemoveStep(table.name, parts, True, mods, by)
    return _each(context, node, listed, listed.type.item, table, mods, scope)


def _each(
    context: Context, node: YamlNode, listed: Expr, item: Type, table: Table, mods: Modifiers, scope: Scope
) -> Step:
    """A row for each item of a list."""
    name = next(name for name in ("key", *(f"key_{n}" for n in range(2, 99))) if name not in scope.names)
    inner = scope.bind(name, "local", item)
    parts, by = row_key(ExprChecker(context, inner), NameNode(name, at_start(node)), table, may_be_none=False)
    each = EachVar(name, listed)
    if mods.each is None and mods.when is None:
        return RemoveStep(table.name, parts, True, replace(mods, each=each), by)
    many = RemoveStep(table.name, parts, True, Modifiers(each), by)
    return IfStep(Literal_(True, BOOL), (many,), (), mods)


def _between(context: Context, node: YamlNode, table: Table, mods: Modifiers, scope: Scope) -> Step:
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        low, high = (block.attempt(step_key, context, end, table, scope, True) for end in node.items)
    assert low is not None
    assert high is not None
    if not low or not high:
        text = "a range has two ends"
        raise context.findings.add(node, "key-parts", text, "`under: []` removes everything")
    return RemoveStep(table.name, low, False, mods, upper=high)


def _forget_cursor(context: Context, item: YamlMap, body: YamlMap, table: Table, scope: Scope) -> Step:
    """Where one instance stands, as if it had never been heard of."""
    if not table.key:
        text = f"`{table.name}` is one in the box, and is not forgotten"
        hint = "a recipe makes it anew; `set_cursor` writes some of its parts"
        raise context.findings.add(body.values["from"], "read-only", text, hint)
    mods, inner = modifiers(context, item, scope)
    if "at" in body.values and len(body.values) == 2:
        return _at(context, body.values["at"], table, mods, inner)
    if "under" in body.values and len(body.values) == 2:
        under = body.values["under"]
        rows = RowOf(table.name)
        listed = Scan(table.name, _beginning(context, under, table, inner), ListOf(rows))
        return _each(context, under, listed, rows, table, mods, inner)
    text = f"where `{table.name}` stands is forgotten `at` a key, or `under` the beginning of keys"
    raise context.findings.add(body, "step", text, "write one of the two")


def _forget(context: Context, item: YamlMap, body: YamlMap, table: Table, scope: Scope) -> Step:
    """What a server said of one group."""
    if "at" not in body.values:
        text = f"`{table.name}` is left group by group"
        hint = f'write `at:`, with `each: "{table.name}.prefix([..]) as ..."` for several'
        raise context.findings.add(body, "step", text, hint)
    mods, inner = modifiers(context, item, scope)
    return AnchorStep(table.name, step_key(context, body.values["at"], table, inner), (), None, mods)


def _reset(context: Context, item: YamlMap, body: YamlMap, table: Table, scope: Scope) -> Step:
    """Everything under a prefix of the groups of a list, or of the groups and spaces of ranges."""
    rule = table.rule
    assert isinstance(rule, ItemList | Ranges)
    if "at" in body.values or "under" not in body.values:
        text = f"`{table.name}` is emptied `under` a prefix"
        hint = "one item is taken out by `unplace`" if isinstance(rule, ItemList) else "use `cut_range`"
        raise context.findings.add(body.keys.get("at", body), "step", text, hint)
    mods, inner = modifiers(context, item, scope)
    under = body.values["under"]
    at = step_key(context, under, table, inner, prefix=True)
    spaces = rule.space if isinstance(rule, Ranges) else ()
    longest = len(rule.group) + len(spaces)
    # A group that was never touched has its seed still: only its own removal is about it.
    least = len(rule.group) if isinstance(rule, Ranges) and rule.seeded else 1
    if not max(least, 1) <= len(at) <= longest:
        names = ", ".join((*rule.group, *spaces))
        count = f"{least} to {longest}" if least != longest else str(longest)
        text = f"`{table.name}` is emptied under {count} of {names}, {len(at)} given"
        raise context.findings.add(under, "key-parts", text, "groups with a seed are emptied one by one")
    return RemoveStep(table.name, at, False, mods)
