"""Bodies: what an answer brings.

Depends on: context, check_containers, expr_check.  Never on: when the answer comes.

Law: a body is checked over the fields of every answer that has it, and over the key of the cursor that was
asked about; a field of the answer hides a part of the key of the same name.
"""

from __future__ import annotations

from pillarbox_codegen.check_containers import (
    NO_LOOKUPS,
    check_acts,
    check_brings,
    check_side,
    has_acts,
    has_operations,
    looking,
    only,
)
from pillarbox_codegen.check_domains import counter_of
from pillarbox_codegen.check_emissions import check_entries
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_steps import check_arguments
from pillarbox_codegen.context import Context, at_start, is_required
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Body, BodyList, Cursor, ListOf, NamedExpr, Update, UpdateOf, WireOf
from pillarbox_codegen.type_rules import assignable, show
from pillarbox_codegen.walk import lookups_in
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode


def check_body_of(context: Context, node: YamlNode, answer: WireOf, cursor: Cursor | None = None) -> str:
    """The name of the body, which is checked for this answer, and for an instance of this cursor.

    Raises Invalid after a finding.
    """
    name = text_value(node)
    entry = context.declared_one("bodies", name, at_start(node), "unknown-body", "body")
    if not entry.sound or answer.name not in context.protocol.wires(answer.kind):
        raise context.findings.silent()
    of = cursor.name if cursor is not None and cursor.per else ""
    if (name, answer.name, of) not in context.protocol.bodies:
        with context.findings.used_at(node):
            body = _check(context, name, entry.body, answer, cursor)
        context.protocol.bodies[name, answer.name, of] = body
    return name


def check_own_body(context: Context, node: YamlNode, answer: WireOf, cursor: Cursor) -> str:
    """The name of the body that the entries of one answer to a difference stand for, written there.

    Raises Invalid after findings.
    """
    of = cursor.name if cursor.per else ""
    name = f"{answer.name}_of_{cursor.name}"
    while name in context.entries("bodies"):
        name += "_"
    entries = check_entries(context, node, looking(context, _scope(context, answer, cursor)))
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        for entry, item in zip(entries, node.items, strict=True):
            if lookups_in(only(entry, has_operations)):
                text = "where a cursor stands says what to ask, not what to write"
                context.findings.add(item, "lookup", text, NO_LOOKUPS)
                block.failed = True
    tail = tuple(kept for entry in entries if (kept := only(entry, has_operations)) is not None)
    acts = tuple(kept for entry in entries if (kept := only(entry, has_acts)) is not None)
    context.protocol.bodies[name, answer.name, of] = Body(name, "", answer, of, (), (), tail, (), (), acts)
    return name


def check_unused_bodies(context: Context) -> None:
    used = {name for name, _, _ in context.protocol.bodies}
    mentioned = used | {text_value(node) for kind in _HOLDERS for node in _mentions(context, kind)}
    for name, entry in context.sound("bodies"):
        if name not in mentioned:
            text = f"no answer brings `{name[:60]}`"
            hint = "name it as the `body:` of an answer, or remove it"
            context.findings.add(entry.name, "unknown-body", text, hint)


_HOLDERS = ("answers", "cursors", "resets", "holes")


def _mentions(context: Context, kind: str) -> list[YamlNode]:
    """What stands at `body:` anywhere in such declarations, or at any word of one that has faulty words."""
    found: list[YamlNode] = []
    pending: list[tuple[YamlNode, bool]] = [(it.body, it.sound) for it in context.entries(kind).values()]
    while pending:
        node, is_sound = pending.pop()
        if isinstance(node, YamlMap):
            found += [value for word, value in node.values.items() if word == "body" or not is_sound]
            pending += [(value, is_sound) for value in node.values.values()]
        elif isinstance(node, YamlList):
            pending += [(item, is_sound) for item in node.items]
    return found


def _check(context: Context, name: str, body: YamlMap, answer: WireOf, cursor: Cursor | None) -> Body:
    values = body.values
    scope = _scope(context, answer, cursor)
    with context.findings.together() as block:
        side = block.attempt(check_side, context, values.get("side"), scope)
        lists = block.attempt(_lists, context, values.get("lists"), scope)
        tail = block.attempt(check_side, context, values.get("tail"), scope)
        brings = block.attempt(check_brings, context, values.get("brings"), scope)
        covered = block.attempt(_covered, context, values.get("covered"))
        acts = block.attempt(check_acts, context, values.get("emits"), looking(context, scope))
    of = cursor.name if cursor is not None and cursor.per else ""
    return Body(
        name, text_value(values.get("doc")), answer, of, side or (), lists or (), tail or (), brings or (),
        covered or (), acts or (),
    )  # fmt: skip


def _scope(context: Context, answer: WireOf, cursor: Cursor | None) -> Scope:
    """The fields of the answer, and the parts of the key that they do not hide."""
    scope = param_scope(context.protocol.wire(answer).fields, NO_LOOKUPS)
    for part in cursor.per if cursor is not None else ():
        if part.name not in scope.names:
            scope = scope.bind(part.name, "local", part.type)
    return scope


def _covered(context: Context, node: YamlNode | None) -> tuple[tuple[str, str], ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_covered_one, context, item) for item in node.items]
    return tuple(one for one in found if one is not None)


def _covered_one(context: Context, node: YamlNode) -> tuple[str, str]:
    return counter_of(context, node, tokens=True)[:2]


# --------------------------------------------------------------------------------------------- lists


def _lists(context: Context, node: YamlNode | None, scope: Scope) -> tuple[BodyList, ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_list, context, item, scope) for item in node.items]
    return tuple(one for one in found if one is not None)


def _list(context: Context, item: YamlNode, scope: Scope) -> BodyList:
    assert isinstance(item, YamlMap)
    values = item.values
    items = check_node(context, values["list"], None, scope)
    if not isinstance(items.type, ListOf):
        text = f"the updates are a list, found {show(items.type)}"
        raise context.findings.add(values["list"], "type", text, "a single value is `[value]`")
    name = text_value(values["as"])
    if name == "update":
        _refuse(context, item, "field", "the elements are updates already")
        _refuse(context, item, "with", "the elements are updates already")
        if not assignable(items.type.item, UpdateOf(), context.types):
            text = f"the elements are {show(items.type.item)}, no updates"
            hint = "say which update each of them is: `as: UPDATE, field: FIELD`"
            raise context.findings.add(values["as"], "type", text, hint)
        return BodyList(items, "", None, (), _only(context, values.get("only")))
    _refuse(context, item, "only", "all the elements are one update")
    update = _update(context, values["as"])
    if "field" not in values:
        hint = f"it has {one_of([field.name for field in update.fields])}"
        text = f"which field of `{name}` the elements are is not said"
        raise context.findings.add(item, "missing-key", text, f"add `field:`; {hint}")
    return _made(context, item, scope, BodyList(items, name, None, (), ()), update)


def _made(context: Context, item: YamlMap, scope: Scope, made: BodyList, update: Update) -> BodyList:
    """A list whose elements become a field of an update."""
    place = item.values["field"]
    types = {field.name: field.type for field in update.fields}
    field = text_value(place)
    if field not in types:
        hint = did_you_mean(field, types) or f"it has {one_of(types)}"
        text = f"the update {update.name} has no field `{field[:60]}`"
        raise context.findings.add(place, "unknown-field", text, hint)
    assert isinstance(made.items.type, ListOf)
    if not assignable(made.items.type.item, types[field], context.types):
        text = f"`{field}` is {show(types[field])}, the elements are {show(made.items.type.item)}"
        raise context.findings.add(place, "type", text, "name the field that they are")
    given = item.values.get("with")
    holder = given if isinstance(given, YamlMap) else item
    others = dict(given.values) if isinstance(given, YamlMap) else {}
    del types[field]
    required = {one.name for one in update.fields if is_required(one) and one.name != field}
    arguments: tuple[NamedExpr, ...] = check_arguments(
        context, holder, others, types, required, f"the update {update.name}", scope
    )
    return BodyList(made.items, update.name, field, arguments, ())


def _refuse(context: Context, item: YamlMap, word: str, why: str) -> None:
    if word in item.values:
        raise context.findings.add(item.keys[word], "unknown-key", why, f"leave `{word}` out")


def _only(context: Context, node: YamlNode | None) -> tuple[str, ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_update, context, item) for item in node.items]
    return tuple(update.name for update in found if update is not None)


def _update(context: Context, node: YamlNode) -> Update:
    name = text_value(node)
    context.declared_one("updates", name, at_start(node), "unknown-update", "update")
    update = context.updates.get(name)
    if update is None:
        raise context.findings.silent()
    return update
