"""Containers: the updates in them, what they claim, and what comes with the updates.

Depends on: context, check_emissions, check_relations, expr_check.  Never on: answers, recipes.

Law: a container is taken apart by its own fields alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from pillarbox_codegen.check_domains import counter_of
from pillarbox_codegen.check_emissions import check_entries
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import modifiers, refuse_taken, step_key
from pillarbox_codegen.check_needs import STORED_ROLES
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_relations import check_claim
from pillarbox_codegen.context import UNREAD, Context, Entry, at_start
from pillarbox_codegen.diagnostics import did_you_mean
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Bring,
    ClaimRule,
    ContainerRule,
    Emission,
    Emitted,
    Expr,
    ListOf,
    RowOf,
    SwitchCase,
    SwitchEntry,
    Table,
    UpdateOf,
)
from pillarbox_codegen.type_rules import INT64, optional
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

NO_ROWS: Final = "a row that comes along is `was` in the `emits` of `brings`; operations look up the others"
#: The row as it stood before.
WAS: Final = "was"
NO_LOOKUPS: Final = "the operations that it becomes can look rows up, in a `let` step"


def check_containers(context: Context) -> None:
    for name, entry in context.sound("containers"):
        if name not in context.protocol.containers:
            continue
        rule = context.findings.attempt(_check_container, context, name, entry)
        if rule is not None:
            context.protocol.opened[name] = rule


def _check_container(context: Context, name: str, entry: Entry) -> ContainerRule:
    values = entry.body.values
    scope = param_scope(context.protocol.containers[name].fields, NO_LOOKUPS)
    with context.findings.together() as block:
        items = block.attempt(_items, context, values.get("items"), scope)
        claim = block.attempt(_claim, context, values.get("claims"), scope)
        steps = block.attempt(_steps, context, values.get("steps"), scope)
        stamps = block.attempt(_stamps, context, values.get("stamps"), scope)
        if stamps and "claims" not in values:
            text = "stamps are set where the claim of their container applies, and this one has none"
            context.findings.add(
                entry.body.keys["stamps"], "claim", text, "add `claims`, or leave `stamps` out"
            )
            block.failed = True
        side = block.attempt(check_side, context, values.get("side"), scope)
        brings = block.attempt(check_brings, context, values.get("brings"), scope)
        date = block.attempt(_date, context, values.get("date"), scope)
        acts = block.attempt(check_acts, context, values.get("emits"), looking(context, scope))
    return ContainerRule(
        items, claim, steps or (), stamps or (), side or (), brings or (), date, acts or ()
    )  # fmt: skip


def _items(context: Context, node: YamlNode | None, scope: Scope) -> Expr | None:
    return None if node is None else check_node(context, node, ListOf(UpdateOf()), scope)


def _date(context: Context, node: YamlNode | None, scope: Scope) -> Expr | None:
    return None if node is None else check_node(context, node, INT64, scope)


# ------------------------------------------------------------------------------------------- counters


def _claim(context: Context, node: YamlNode | None, scope: Scope) -> ClaimRule | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    claim = check_span(context, node, scope)
    if context.cursors[claim.cursor].per:
        text = f"a container claims a counter that is one in the box, `{claim.cursor}` is not"
        hint = "let the updates in it claim it, or give `steps:` for one that moves without an update"
        raise context.findings.add(node.values["domain"], "claim", text, hint)
    return claim


def _steps(context: Context, node: YamlNode | None, scope: Scope) -> tuple[ClaimRule, ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(check_span, context, item, scope) for item in node.items]
    return tuple(claim for claim in found if claim is not None)


def check_span(context: Context, node: YamlNode, scope: Scope) -> ClaimRule:
    """A claim by `end` and `count` or `after`, or by `first` and `last`. Raises Invalid after a finding."""
    assert isinstance(node, YamlMap)
    values = node.values
    if "first" not in values and "last" not in values:
        return check_claim(context, node, scope)
    for word in ("end", "count", "after"):
        if word in values:
            text = f"`first` and `last` say which span it is, and so does `{word}`"
            raise context.findings.add(node.keys[word], "one-of", text, "keep one of them")
    if "first" not in values or "last" not in values:
        missing = "first" if "last" in values else "last"
        raise context.findings.add(node, "claim", f"a claim needs `{missing}` as well", f"add `{missing}:`")
    cursor, part, _ = counter_of(context, values["domain"])
    table = context.table(cursor, at_start(values["domain"]))
    if table.key and "key" not in values:
        names = ", ".join(part.name for part in table.key)
        text = f"`{cursor}` counts for each {names}"
        raise context.findings.add(values["domain"], "claim", text, "give `key:`")
    unless = check_condition(context, values.get("unless"), scope)
    scope = scope.assume(unless, truth=False)
    key = step_key(context, values["key"], table, scope) if "key" in values else ()
    first = check_node(context, values["first"], INT64, scope)
    last = check_node(context, values["last"], INT64, scope)
    return ClaimRule(cursor, part, key, last, None, unless, first)


def _stamps(context: Context, node: YamlNode | None, scope: Scope) -> tuple[tuple[str, str, Expr], ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlMap)
    found: list[tuple[str, str, Expr]] = []
    with context.findings.together() as block:
        for key, value in node:
            place = block.attempt(_stamp_of, context, key)
            expr = block.attempt(check_node, context, value, INT64, scope)
            if place is not None and expr is not None:
                found.append((*place, expr))
    return tuple(found)


def _stamp_of(context: Context, node: YamlNode) -> tuple[str, str]:
    name, _, part = text_value(node).partition(".")
    context.declared_one("cursors", name, at_start(node), "unknown-cursor", "cursor")
    cursor = context.cursors.get(name)
    if cursor is None:
        raise context.findings.silent()
    stamps = [f"{name}.{known.name}" for known in cursor.parts if known.kind == "stamp"]
    if cursor.per:
        text = f"`{name}` is not one in the box, so a container cannot stamp it"
        raise context.findings.add(node, "claim", text, "let an update say it")
    if f"{name}.{part}" not in stamps:
        hint = did_you_mean(text_value(node), stamps) or "name a part of the kind `stamp`"
        raise context.findings.add(node, "claim", f"`{text_value(node)[:60]}` is no stamp", hint)
    return name, part


# -------------------------------------------------------------------------- what comes with the updates


def check_side(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Emitted, ...]:
    """Entries that are operations. Raises Invalid after findings."""
    entries = check_entries(context, node, scope)
    with context.findings.together() as block:
        for entry, item in zip(entries, _nodes(node), strict=True):
            if has_acts(entry):
                text = "nothing is asked for here, rows are written"
                context.findings.add(item, "step", text, "put it into `emits:`")
                block.failed = True
    return entries


def looking(context: Context, scope: Scope) -> Scope:
    """The scope with where cursors stand."""
    return replace(scope, no_lookups=NO_ROWS, lookups=frozenset(context.cursors))


def check_acts(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Emitted, ...]:
    """Entries that ask for something. Raises Invalid after findings."""
    entries = check_entries(context, node, scope)
    with context.findings.together() as block:
        for entry, item in zip(entries, _nodes(node), strict=True):
            if has_operations(entry):
                text = "rows are not written here, something is asked for"
                context.findings.add(item, "step", text, "put it into `side:`")
                block.failed = True
    return entries


def _nodes(node: YamlNode | None) -> list[YamlNode]:
    return node.items if isinstance(node, YamlList) else []


def has_acts(entry: Emitted) -> bool:
    if isinstance(entry, SwitchEntry):
        return any(map(has_acts, _inside(entry)))
    return not isinstance(entry, Emission)


def has_operations(entry: Emitted) -> bool:
    if isinstance(entry, SwitchEntry):
        return any(map(has_operations, _inside(entry)))
    return isinstance(entry, Emission)


def only(entry: Emitted, kind: Callable[[Emitted], bool]) -> Emitted | None:
    """The entry with nothing in it but what is of this kind."""
    if not kind(entry) or not isinstance(entry, SwitchEntry):
        return entry if kind(entry) else None
    cases = tuple(SwitchCase(case.name, _kept(case.emits, kind)) for case in entry.cases)
    return replace(entry, cases=cases, other=None if entry.other is None else _kept(entry.other, kind))


def _kept(entries: Iterable[Emitted], kind: Callable[[Emitted], bool]) -> tuple[Emitted, ...]:
    return tuple(kept for entry in entries if (kept := only(entry, kind)) is not None)


def _inside(entry: SwitchEntry) -> list[Emitted]:
    return [one for case in entry.cases for one in case.emits] + list(entry.other or ())


def check_unused_brings(context: Context) -> None:
    """After updates, containers and bodies."""
    named: set[str] = set()
    for kind in ("updates", "containers", "bodies"):
        for entry in context.entries(kind).values():
            items = entry.body.values.get("brings")
            named |= {text_value(one) for one in items.items} if isinstance(items, YamlList) else set()
    for name, entry in context.sound("brings"):
        if name not in named:
            text = f"nothing brings `{name[:60]}`"
            hint = "name it in `brings` of a container, a body or an update, or remove it"
            context.findings.add(entry.name, "unknown-bring", text, hint)


def check_brings(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Bring, ...]:
    """Rows that come along. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_bring, context, item, scope) for item in node.items]
    return tuple(bring for bring in found if bring is not None)


def _bring(context: Context, item: YamlNode, scope: Scope) -> Bring:
    """One that stands there, or is named: that is checked over the fields of each that brings it."""
    if isinstance(item, YamlScalar):
        entry = context.declared_one(
            "brings", item.value, at_start(item), "unknown-bring", "row that comes along"
        )
        if not entry.sound:
            raise context.findings.silent()
        with context.findings.used_at(item):
            return replace(_bring(context, entry.body, scope), name=item.value)
    assert isinstance(item, YamlMap)
    place = item.values["row"]
    table = context.table(text_value(place), at_start(place))
    mods, scope = modifiers(context, item, scope)
    key = step_key(context, item.values["key"], table, scope)
    emits = _asked(context, item.values.get("emits"), table, scope)
    return Bring(table.name, key, mods.each, mods.when, emits)


def _asked(context: Context, node: YamlNode | None, table: Table, scope: Scope) -> tuple[Emitted, ...]:
    """What is asked about a row that comes along."""
    if node is None:
        return ()
    if table.role not in STORED_ROLES:
        text = f"`{table.name}` is the table of a {table.role}"
        hint = (
            "where a cursor stands is read anywhere: `CURSOR(key).PART`" if table.role == "cursor" else UNREAD
        )
        raise context.findings.add(node, "lookup", text, hint)
    refuse_taken(context, at_start(node), WAS, scope)
    return check_acts(context, node, looking(context, scope.bind(WAS, "local", optional(RowOf(table.name)))))
