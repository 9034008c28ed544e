"""What cursors say of following beside their difference: how they begin, and when they are asked about.

Depends on: context, check_asks, check_differences, check_domains, check_moves, expr_check.  Never on:
recipes, containers.

Law: a word stands only where it says something of such a cursor.
"""

from __future__ import annotations

from typing import Final, Literal

from pillarbox_codegen.check_asks import answered_by, check_ask, request_of
from pillarbox_codegen.check_differences import (
    NO_LOOKUPS,
    check_all,
    check_difference,
    check_whole,
    part_values,
    recipe_of,
)
from pillarbox_codegen.check_domains import counter_of
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_moves import check_goes_on
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Asked,
    Confirm,
    Cursor,
    CursorPart,
    CursorRule,
    Difference,
    Expr,
    First,
    Local,
    OpenPoll,
    PartValues,
    Wire,
)
from pillarbox_codegen.type_rules import INT64, optional
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

_UNKNOWN: Final[dict[str, Literal["poll", "adopt", "drop"]]] = {
    "poll": "poll", "adopt": "adopt", "drop": "drop",
}  # fmt: skip
#: Words of cursors that are one in the box, and of those that are not.
_OF_ONE: Final = ("first", "idle_poll_ms", "loop")
_OF_MANY: Final = ("unknown", "travels", "inside", "open_poll")


def check_cursor_rules(context: Context) -> None:
    """What each cursor says besides its table; recipes are checked by then."""
    for name, entry in context.sound("cursors"):
        cursor = context.cursors.get(name)
        if cursor is not None:
            rule = context.findings.attempt(_check_cursor, context, cursor, entry)
            if rule is not None:
                context.protocol.cursors[name] = rule


def _check_cursor(context: Context, cursor: Cursor, entry: Entry) -> CursorRule:
    values = entry.body.values
    _refuse_words(context, cursor, entry.body)
    scope = asking_scope(cursor, begins="first" in values)
    with context.findings.together() as block:
        difference = block.attempt(check_difference, context, cursor, values.get("difference"), scope)
        first = block.attempt(_first, context, cursor, values.get("first"))
        travels = block.attempt(_travels, context, values.get("travels"))
        inside = block.attempt(recipe_of, context, cursor.name, values.get("inside"))
        loop = block.attempt(_loop, context, cursor, values.get("difference"), values.get("loop"), scope)
        open_poll = block.attempt(_open_poll, context, difference, values.get("open_poll"))
        confirms = block.attempt(_confirms, context, cursor, entry.body.values["parts"])
        idle = block.attempt(_pause, context, difference, values.get("idle_poll_ms"))
    return CursorRule(
        cursor.name, difference, first, _UNKNOWN[text_value(values.get("unknown")) or "poll"], travels,
        inside, idle or 0, loop, open_poll, confirms or (),
    )  # fmt: skip


def _refuse_words(context: Context, cursor: Cursor, body: YamlMap) -> None:
    """Words that say nothing of such a cursor."""
    with context.findings.together() as block:
        for word in _OF_ONE if cursor.per else _OF_MANY:
            if word in body.values:
                kind = "one for each key" if cursor.per else "one in the box"
                text = f"`{word}` says nothing of `{cursor.name}`, which is {kind}"
                context.findings.add(body.keys[word], "difference", text, "leave it out")
                block.failed = True
        for word in ("first", "idle_poll_ms", "loop", "open_poll"):
            if word in body.values and "difference" not in body.values:
                text = f"`{word}` is no use to `{cursor.name}`, of which nothing can be asked"
                context.findings.add(body.keys[word], "difference", text, "add a `difference:`")
                block.failed = True


def asking_scope(cursor: Cursor, *, begins: bool) -> Scope:
    """Key parts and parts by bare name; parts may be absent where no first request gives them."""
    types = {known.name: known.type if begins else optional(known.type) for known in cursor.parts}
    names = {name: Local(name, "local", type) for name, type in types.items()}
    names |= {known.name: Local(known.name, "local", known.type) for known in cursor.per}
    return Scope(names, no_lookups=NO_LOOKUPS)


def _first(context: Context, cursor: Cursor, node: YamlNode | None) -> First | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    request = request_of(context, node.values["request"])
    given = node.values["set"]
    assert isinstance(given, YamlMap)
    found: list[tuple[str, PartValues]] = []
    with context.findings.together() as block:
        ask = block.attempt(check_ask, context, node.values["request"], node.values.get("with"), Scope({}))
        block.attempt(check_all, context, request, given)
        for key, value in given:
            parts = block.attempt(_first_set, context, cursor, request, key, value)
            if parts is not None:
                found.append((key.value, parts))
    assert ask is not None
    return First(ask, tuple(found))


def _first_set(
    context: Context, cursor: Cursor, request: Wire, key: YamlScalar, node: YamlNode
) -> PartValues:  # fmt: skip
    answer = answered_by(context, request, key)
    wire = context.protocol.wires(answer.kind).get(answer.name)
    if wire is None:
        raise context.findings.silent()
    parts = part_values(context, cursor, node, param_scope(wire.fields, NO_LOOKUPS))
    check_whole(context, cursor, node)
    return parts


def _travels(context: Context, node: YamlNode | None) -> tuple[str, str] | None:
    if node is None or text_value(node) == "alone":
        return None
    cursor, part, _ = counter_of(context, node, tokens=True)
    if context.cursors[cursor].per:
        text = f"`{cursor}` is one for each key, no container claims it"
        raise context.findings.add(node, "claim", text, "name what containers claim, or `alone`")
    return cursor, part


def _loop(
    context: Context, cursor: Cursor, difference: YamlNode | None, node: YamlNode | None, scope: Scope
) -> Asked | None:  # fmt: skip
    """The request of the difference, with values of its own."""
    if not isinstance(node, YamlMap) or not isinstance(difference, YamlMap):
        return None
    asked = check_ask(context, difference.values["request"], node.values.get("with"), scope)
    check_goes_on(context, cursor, node, asked)
    return asked


def _open_poll(
    context: Context, difference: Difference | None, node: YamlNode | None
) -> OpenPoll | None:  # fmt: skip
    if node is None or difference is None:
        return None
    assert isinstance(node, YamlMap)
    first, missing = (int(text_value(node.values[word])) for word in ("first_ms", "missing_ms"))
    return OpenPoll(first, _pause(context, difference, node.values["every_ms"]), missing)


def _pause(
    context: Context, difference: Difference | None, node: YamlNode | None
) -> int | tuple[tuple[str, Expr], ...]:
    """A number of milliseconds, or one for each of some answers, which may say none."""
    if node is None or difference is None:
        return 0
    if not isinstance(node, YamlMap):
        return int(text_value(node))
    request = context.protocol.requests[difference.ask.request]
    found: list[tuple[str, Expr]] = []
    with context.findings.together() as block:
        for key, value in node:
            expr = block.attempt(_every, context, request, key, value)
            if expr is not None:
                found.append((key.value, expr))
    return tuple(found)


def _every(context: Context, request: Wire, key: YamlScalar, node: YamlNode) -> Expr:
    answer = answered_by(context, request, key)
    wire = context.protocol.wires(answer.kind).get(answer.name)
    if wire is None:
        raise context.findings.silent()
    return check_node(context, node, optional(INT64), param_scope(wire.fields, NO_LOOKUPS))


def _confirms(context: Context, cursor: Cursor, node: YamlNode) -> tuple[tuple[str, Confirm], ...]:
    assert isinstance(node, YamlMap)
    found: list[tuple[str, Confirm]] = []
    with context.findings.together() as block:
        for key, part in node:
            given = part.values.get("confirm") if isinstance(part, YamlMap) else None
            if isinstance(given, YamlMap):
                known = next(one for one in cursor.parts if one.name == key.value)
                confirm = block.attempt(_confirm, context, known, given)
                if confirm is not None:
                    found.append((key.value, confirm))
    return tuple(found)


def _confirm(context: Context, part: CursorPart, node: YamlMap) -> Confirm:
    scope = Scope({part.name: Local(part.name, "local", part.type)}, no_lookups=NO_LOOKUPS)
    when = check_condition(context, node.values.get("when"), scope)
    return Confirm(check_ask(context, node.values["request"], node.values.get("with"), scope), when)
