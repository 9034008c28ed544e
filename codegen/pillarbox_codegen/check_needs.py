"""`needs`: the rows that an update reads, and what becomes of it where they are not there.

Depends on: context, check_asks, check_modifiers, walk.  Never on: what the update becomes.

Law: a row that is read in `emits` is named here, with the same key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import Final, Literal, cast

from pillarbox_codegen.check_asks import check_ask
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import modifiers, step_key
from pillarbox_codegen.context import UNREAD, Context, at_start
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Asked, EachVar, Emitted, Lookup, NeedRule
from pillarbox_codegen.walk import lookups_in, nodes
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

#: Of the tables of which a row can be looked at before a batch.
STORED_ROLES: Final = ("primary", "derived", "kept")


def check_needs(context: Context, node: YamlNode | None, scope: Scope) -> tuple[NeedRule, ...]:
    """The rows, in order. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_check_need, context, item, scope) for item in node.items]
    return tuple(need for need in found if need is not None)


def _check_need(context: Context, item: YamlNode, scope: Scope) -> NeedRule:
    assert isinstance(item, YamlMap)
    node = item.values["row"]
    table = context.table(text_value(node), at_start(node))
    if table.role not in STORED_ROLES:
        text = f"`{table.name}` is the table of a {table.role}"
        hint = "where a cursor stands is read without `needs`: `CURSOR(key).PART`"
        raise context.findings.add(node, "lookup", text, hint if table.role == "cursor" else UNREAD)
    mods, scope = modifiers(context, item, scope)
    key = step_key(context, item.values["key"], table, scope)
    absent = cast(Literal["ignore", "skip", "poll", "discard"], text_value(item.values["absent"]))
    asked = _fetch(context, item.values.get("fetch"), scope)
    request, arguments = (asked.request, asked.arguments) if asked is not None else (None, ())
    return NeedRule(table.name, key, mods.each, mods.when, absent, request, arguments)


def _fetch(context: Context, node: YamlNode | None, scope: Scope) -> Asked | None:
    """The request for a row that is not there; it is answered with something that brings a body."""
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    ((name, given),) = node
    asked = check_ask(context, name, given, scope)
    answers = context.protocol.requests[asked.request].answers
    wires = [context.protocol.wires(answer.kind).get(answer.name) for answer in answers]
    if None in wires:
        raise context.findings.silent()
    if not any(wire is not None and wire.body for wire in wires):
        text = f"no answer to `{asked.request}` says what it brings"
        hint = "give one of its answers `body: NAME`"
        raise context.findings.add(name, "unknown-body", text, hint)
    return asked


def check_read(context: Context, entry: Emitted, needs: Sequence[NeedRule], item: YamlNode) -> None:
    """The rows that an entry reads are among the needed ones. Raises Invalid after a finding."""
    loops = [node for node in nodes(entry) if isinstance(node, EachVar)]
    for lookup in lookups_in(entry):
        if lookup.table in context.cursors:
            continue
        if not any(_is_of(need, lookup, loops) for need in needs):
            text = f"`needs` names another row of `{lookup.table}` than is read here"
            hint = "write the key as in `needs`, and a list that it comes from under the same name"
            raise context.findings.add(item, "lookup", text, hint)


def _is_of(need: NeedRule, lookup: Lookup, loops: Sequence[EachVar]) -> bool:
    """Whether it is the row, or one of the rows, of the need."""
    if need.table != lookup.table or not _alike(need.key, lookup.key):
        return False
    each = need.each
    return each is None or all(_alike(each, loop) for loop in loops if loop.name == each.name)


def _alike(one: object, other: object) -> bool:
    """Whether both read the same, whatever conditions around have shown of them."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(_alike(a, b) for a, b in zip(one, other, strict=True))
    if not is_dataclass(one) or type(one) is not type(other):
        return one == other
    names = [field for field in one.__dataclass_fields__ if field not in ("type", "lifted")]
    return all(_alike(getattr(one, name), getattr(other, name)) for name in names)
