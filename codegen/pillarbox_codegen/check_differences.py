"""Differences: what is asked when something is missing of a cursor, and what follows on each answer.

Depends on: context, check_asks, check_bodies, check_moves, expr_check.  Never on: recipes, containers, when
it is asked.

Law: of a checked difference it is said what follows on each of the answers that its request may have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal

from pillarbox_codegen.check_asks import answered_by, check_ask, names_of, request_of
from pillarbox_codegen.check_bodies import check_body_of, check_own_body
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_moves import check_moves
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    AnswerRule,
    Cursor,
    Difference,
    Expr,
    PartValues,
    Remedy,
    Retry,
    Wire,
    WireOf,
)
from pillarbox_codegen.type_rules import optional
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

NO_LOOKUPS: Final = "what is asked is made of the cursor alone"

_KINDS: Final[dict[str, Literal["empty", "full", "slice", "too_long"]]] = {
    "empty": "empty", "full": "full", "slice": "slice", "too_long": "too_long",
}  # fmt: skip


def check_difference(
    context: Context, cursor: Cursor, node: YamlNode | None, scope: Scope
) -> Difference | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    values = node.values
    request = request_of(context, values["request"])
    answers = values["answers"]
    assert isinstance(answers, YamlMap)
    with context.findings.together() as block:
        ask = block.attempt(check_ask, context, values["request"], values.get("with"), scope)
        rules = [block.attempt(_answer, context, cursor, request, key, value) for key, value in answers]
        block.attempt(check_all, context, request, answers)
        errors = block.attempt(_errors, context, cursor, values.get("errors"))
        retry = block.attempt(check_retry, context, values.get("retry"))
    assert ask is not None
    return Difference(ask, tuple(rule for rule in rules if rule is not None), errors or (), retry)


def check_all(context: Context, request: Wire, answers: YamlMap) -> None:
    missing = [answer for answer in request.answers if answer.name not in answers.values]
    if missing:
        text = f"{request.name} may be answered with {names_of(missing)} as well"
        raise context.findings.add(answers, "difference", text, "say what follows on each answer")


def _answer(
    context: Context, cursor: Cursor, request: Wire, key: YamlScalar, node: YamlNode
) -> AnswerRule:  # fmt: skip
    assert isinstance(node, YamlMap)
    values = node.values
    answer = answered_by(context, request, key)
    wire = context.protocol.wires(answer.kind).get(answer.name)
    if wire is None:
        raise context.findings.silent()
    _check_kind(context, node)
    scope = param_scope(wire.fields, NO_LOOKUPS)
    with context.findings.together() as block:
        slice_when = block.attempt(check_condition, context, values.get("slice_when"), scope)
        again = block.attempt(check_condition, context, values.get("again_when"), scope)
        given = block.attempt(_set, context, cursor, values.get("set"), scope)
        body = block.attempt(_body, context, values, answer, cursor)
        reset = block.attempt(recipe_of, context, cursor.name, values.get("reset"))
    check_moves(context, cursor, node, body, given or ())
    kind = _KINDS[text_value(values["kind"])]
    return AnswerRule(answer.name, kind, slice_when, given or None, body, reset, again)


def _set(context: Context, cursor: Cursor, node: YamlNode | None, scope: Scope) -> PartValues:
    return part_values(context, cursor, node, scope, may_stay=True)


def _body(context: Context, values: Mapping[str, YamlNode], answer: WireOf, cursor: Cursor) -> str | None:
    if "emits" in values:
        return check_own_body(context, values["emits"], answer, cursor)
    return check_body_of(context, values["body"], answer, cursor) if "body" in values else None


def _check_kind(context: Context, node: YamlMap) -> None:
    """Which words go together. Raises Invalid after a finding."""
    kind, given = text_value(node.values["kind"]), node.values
    if "body" in given and "emits" in given:
        text = "what the answer brings is said twice"
        raise context.findings.add(
            node.keys["emits"], "one-of", text, "put it into the body, or leave `body` out"
        )
    if kind == "too_long" and ("body" in given or "emits" in given) == ("reset" in given):
        text = "what is too long to be told comes with a body, or needs a recipe"
        raise context.findings.add(node, "difference", text, "give one of `body:` and `reset:`")
    if "reset" in given:
        for word in ("set", "again_when"):
            if word in given:
                text = f"the recipe says what is set, and is followed by another question: `{word}` is no use"
                raise context.findings.add(node.keys[word], "difference", text, f"leave `{word}` out")
    allowed = {
        "empty": ("set", "again_when"),
        "full": ("set", "body", "emits", "again_when", "slice_when"),
        "slice": ("set", "body", "emits"),
        "too_long": ("set", "body", "emits", "reset", "again_when"),
    }[kind]
    for word in given:
        if word not in ("kind", *allowed):
            text = f"`{word}` says nothing of an answer of the kind `{kind}`"
            hint = f"beside `kind` it has {one_of(allowed)}"
            raise context.findings.add(node.keys[word], "difference", text, hint)


def part_values(
    context: Context, cursor: Cursor, node: YamlNode | None, scope: Scope, *, may_stay: bool = False
) -> PartValues:
    """Part -> its new value; `may_stay`: absent, it stays as it is. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlMap)
    types = {part.name: optional(part.type) if may_stay else part.type for part in cursor.parts}
    parts = list(types)
    found: list[tuple[str, Expr]] = []
    with context.findings.together() as block:
        for key, value in node:
            if key.value not in parts:
                text = f"`{cursor.name}` has no part `{key.value[:60]}`"
                hint = did_you_mean(key.value, parts) or f"it has {one_of(parts)}"
                context.findings.add(key, "unknown-cursor", text, hint)
                block.failed = True
                continue
            expr = block.attempt(check_node, context, value, types[key.value], scope)
            if expr is not None:
                found.append((key.value, expr))
    return tuple(sorted(found, key=lambda one: parts.index(one[0])))


def check_whole(context: Context, cursor: Cursor, node: YamlNode, stay: Collection[str] = ()) -> None:
    """Of a cursor that begins anew every part but stamps is given, and but those that may `stay`.

    Raises Invalid after a finding.
    """
    assert isinstance(node, YamlMap)
    needed = [part.name for part in cursor.parts if part.kind != "stamp" and part.name not in stay]
    missing = [name for name in needed if name not in node.values]
    if missing:
        left = all_of(missing)
        text = f"`{cursor.name}` begins anew, and nothing is said of {left}"
        raise context.findings.add(node, "missing-key", text, "give every part, 0 or \"''\" where it begins")


def recipe_of(context: Context, cursor: str, node: YamlNode | None) -> str | None:
    """The name of a recipe of this cursor. Raises Invalid after a finding."""
    if node is None:
        return None
    name = text_value(node)
    entry = context.declared_one("resets", name, at_start(node), "unknown-reset", "recipe")
    of = text_value(entry.body.values.get("of"))
    if of not in context.entries("cursors"):
        raise context.findings.silent()
    if of != cursor:
        text = f"`{name[:60]}` makes `{of[:60]}` anew, not `{cursor}`"
        raise context.findings.add(node, "recipe", text, "name a recipe of the same cursor")
    return name


def check_retry(context: Context, node: YamlNode | None) -> Retry | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    step, cap = (int(text_value(node.values[word])) for word in ("step_ms", "cap_ms"))
    if step > cap:
        text = f"the first wait of {step} ms is longer than the longest, {cap} ms"
        raise context.findings.add(node, "range", text, "raise `cap_ms`, or lower `step_ms`")
    return Retry(step, cap)


def _errors(context: Context, cursor: Cursor, node: YamlNode | None) -> tuple[tuple[str, Remedy], ...]:
    if node is None:
        return ()
    assert isinstance(node, YamlMap)
    found: list[tuple[str, Remedy]] = []
    with context.findings.together() as block:
        for key, value in node:
            remedy = block.attempt(_remedy, context, cursor, value)
            if remedy is not None:
                found.append((key.value, remedy))
    return tuple(found)


def _remedy(context: Context, cursor: Cursor, node: YamlNode) -> Remedy:
    match node:
        case YamlScalar(value="retry"):
            return Remedy("retry")
        case YamlScalar(value="done"):
            return Remedy("done")
        case YamlScalar(value="stop"):
            return Remedy("stop")
        case YamlMap() if "poll" in node.values:
            place = node.values["poll"]
            name = text_value(place)
            context.declared_one("cursors", name, at_start(place), "unknown-cursor", "cursor")
            other = context.cursors.get(name)
            if other is None:
                raise context.findings.silent()
            if other.per:
                text = f"of `{name}` there is one for each key"
                raise context.findings.add(place, "difference", text, "name a cursor that is one in the box")
            return Remedy("poll", name)
        case YamlMap():
            name = recipe_of(context, cursor.name, node.values["reset"]) or ""
            return Remedy("reset", name)
        case _:
            hint = "it is `retry`, `done`, `stop`, {poll: CURSOR} or {reset: RECIPE}"
            text = f"`{text_value(node)[:60]}` is no remedy"
            raise context.findings.add(node, "unknown-word", text, hint)
