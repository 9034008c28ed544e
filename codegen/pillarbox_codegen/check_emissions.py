"""Entries of `emits`: operations, questions to a server, and other entries for each case of a value.

Depends on: context, expr_check, check_match, check_modifiers, check_steps.  Never on: updates, sources.

Law: an entry is one thing, and of a `switch` there is a case for every value, or `other`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_match import SHOWN_MAX, check_all, known_in
from pillarbox_codegen.check_modifiers import modifiers, step_key
from pillarbox_codegen.check_steps import check_arguments
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Emission,
    Emitted,
    EnumType,
    Expr,
    Modifiers,
    Optional,
    PollEntry,
    ResetEntry,
    SwitchCase,
    SwitchEntry,
    UnionType,
)
from pillarbox_codegen.type_rules import INT64, optional, present, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

_MODIFIERS: Final = ("each", "when")
_ABSENT: Final = "none"


def check_entries(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Emitted, ...]:
    """The entries of a list. Raises Invalid after findings."""
    if node is None:
        return ()
    if not isinstance(node, YamlList):
        raise context.findings.add(node, "wrong-shape", "expected a list of entries", "write `- {..}` lines")
    with context.findings.together() as block:
        found = [block.attempt(check_entry, context, item, scope) for item in node.items]
    return tuple(entry for entry in found if entry is not None)


def check_entry(context: Context, item: YamlNode, scope: Scope) -> Emitted:
    """One entry. Raises Invalid after a finding."""
    assert isinstance(item, YamlMap)
    if "poll" in item.values:
        return _poll(context, item, scope)
    if "reset" in item.values:
        return _reset(context, item, scope)
    if "switch" in item.values:
        return _switch(context, item, scope)
    return check_emission(context, item, scope)


def check_emission(context: Context, item: YamlNode, scope: Scope) -> Emission:
    """An entry that is an operation, as all those of a source are. Raises Invalid after a finding."""
    assert isinstance(item, YamlMap)
    names = [name for name in item.values if name not in _MODIFIERS]
    if len(names) != 1:
        text = f"an emission names one operation, this one {len(names)}"
        place = item.keys[names[1]] if names else item
        raise context.findings.add(place, "step", text, "write `- {operation: {parameter: expression}}`")
    name = names[0]
    context.declared_one("operations", name, at_start(item.keys[name]), "unknown-operation", "operation")
    operation = context.operations.get(name)
    if operation is None:
        raise context.findings.silent()
    mods, scope = modifiers(context, item, scope)
    body = item.values[name]
    assert isinstance(body, YamlMap)
    types = {param.name: param.type for param in operation.params}
    required = {param.name for param in operation.params if not param.has_default}
    arguments = check_arguments(
        context, body, dict(body.values), types, required, f"the operation {name}", scope
    )
    return Emission(name, arguments, mods.each, mods.when)


# ------------------------------------------------------------------------------------------------- acts


def _poll(context: Context, item: YamlMap, scope: Scope) -> PollEntry:
    _only(context, item, "poll", ("key", "hint"))
    node = item.values["poll"]
    name = text_value(node)
    context.declared_one("cursors", name, at_start(node), "unknown-cursor", "cursor")
    mods, scope = modifiers(context, item, scope)
    key = _key_of(context, item, node, name, scope)
    hint = None
    if "hint" in item.values:
        _check_counts(context, item, name)
        hint = check_node(context, item.values["hint"], optional(INT64), scope)
    return PollEntry(name, key, hint, mods.each, mods.when)


def _check_counts(context: Context, item: YamlMap, name: str) -> None:
    """A hint says how far a counter is."""
    cursor = context.cursors.get(name)
    if cursor is not None and all(part.kind in ("stamp", "token") for part in cursor.parts):
        text = f"no part of `{name}` counts, so nobody can say how far it is"
        raise context.findings.add(item.keys["hint"], "claim", text, "leave `hint` out")


def _reset(context: Context, item: YamlMap, scope: Scope) -> ResetEntry:
    _only(context, item, "reset", ("key",))
    node = item.values["reset"]
    name = text_value(node)
    recipe = context.declared_one("resets", name, at_start(node), "unknown-reset", "recipe")
    cursor = text_value(recipe.body.values.get("of"))
    if not recipe.sound or cursor not in context.entries("cursors"):
        raise context.findings.silent()
    mods, scope = modifiers(context, item, scope)
    key = _key_of(context, item, node, cursor, scope)
    context.asked_recipes.setdefault(name, node)
    return ResetEntry(name, cursor, key, mods.each, mods.when)


def _key_of(context: Context, item: YamlMap, place: YamlNode, cursor: str, scope: Scope) -> tuple[Expr, ...]:
    """The key of one instance of the cursor; none of one that is one in the box."""
    table = context.table(cursor, at_start(place))
    given = item.values.get("key")
    if table.key and given is None:
        names = ", ".join(part.name for part in table.key)
        text = f"`{cursor}` counts for each {names}"
        raise context.findings.add(place, "missing-key", text, "say of which: give `key:`")
    if given is None:
        return ()
    if not table.key:
        text = f"`{cursor}` is one in the box, it has no key"
        raise context.findings.add(item.keys["key"], "key-parts", text, "leave `key:` out")
    return step_key(context, given, table, scope)


def _only(context: Context, item: YamlMap, word: str, known: Iterable[str]) -> None:
    """A finding for what the word does not know. Raises Invalid then."""
    allowed = [word, *known, *_MODIFIERS]
    for name, key in item.keys.items():
        if name not in allowed:
            hint = did_you_mean(name, allowed) or f"its keys are {one_of(sorted(allowed))}"
            raise context.findings.add(key, "unknown-key", f"`{word}` has no key `{name[:60]}`", hint)


# ----------------------------------------------------------------------------------------------- switch


def _switch(context: Context, item: YamlMap, scope: Scope) -> SwitchEntry:
    _only(context, item, "switch", ("cases", "other"))
    mods, scope = modifiers(context, item, scope)
    node = item.values["switch"]
    of = check_node(context, node, None, scope)
    names = _names(context, of, node)
    given = item.values.get("cases")
    if not isinstance(given, YamlMap):
        hint = f"add `cases: {{{names[0]}: [..], ..}}`"
        raise context.findings.add(item.keys["switch"], "missing-key", "`switch` needs `cases`", hint)
    cases: list[SwitchCase] = []
    with context.findings.together() as block:
        for key, value in given:
            if key.value not in names:
                hint = did_you_mean(key.value, names) or f"it has {one_of(names[:SHOWN_MAX])}"
                text = f"{show(of.type)} has no `{key.value[:60]}`"
                context.findings.add(key, "unknown-name", text, hint)
                block.failed = True
                continue
            name = None if key.value == _ABSENT else key.value
            inner = scope.assume(known_in(context, of, name))
            entries = block.attempt(check_entries, context, value, inner)
            cases.append(SwitchCase(name, entries or ()))
        other = None
        if "other" in item.values:
            other = block.attempt(check_entries, context, item.values["other"], scope) or ()
        missing = [name for name in names if name not in given.values]
        check_all(context, item, "switch", missing, of)
    return _entry(of, cases, other, mods)


def _entry(
    of: Expr, cases: Iterable[SwitchCase], other: tuple[Emitted, ...] | None, mods: Modifiers
) -> SwitchEntry:
    return SwitchEntry(of, tuple(cases), other, mods.each, mods.when)


def _names(context: Context, of: Expr, node: YamlNode) -> list[str]:
    """What a case may be called."""
    match context.definition(present(of.type)):
        case UnionType(cases=cases):
            names = [case.name for case in cases]
        case EnumType(values=values):
            names = [name for name, _ in values]
        case _:
            text = f"`switch` takes a value of a union or an enum, found {show(of.type)}"
            raise context.findings.add(node, "type", text, "give the entries a `when` each")
    return [*names, _ABSENT] if isinstance(of.type, Optional) else names
