"""Recipes: what is fetched, and the one commit that makes a cursor and its rows anew.

Depends on: context, check_asks, check_bodies, check_differences, check_emissions.  Never on: containers.

Law: a step of a recipe reads the cursor's key and the steps before it; the commit may read tables as well.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.check_asks import answered_by, check_ask, names_of, request_of
from pillarbox_codegen.check_bodies import check_body_of
from pillarbox_codegen.check_differences import check_retry, check_whole, part_values
from pillarbox_codegen.check_emissions import check_entry
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import modifiers, refuse_taken
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    BodyEntry,
    Cursor,
    Emitted,
    Fetch,
    ListOf,
    Local,
    PartValues,
    Reset,
    Wire,
    WireOf,
)
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.type_rules import show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

NO_LOOKUPS: Final = "tables are read by the commit of a recipe, once everything is fetched"


def check_resets(context: Context) -> None:
    for name, entry in context.sound("resets"):
        reset = context.findings.attempt(_check_reset, context, name, entry)
        if reset is not None:
            context.protocol.resets[name] = reset


def _check_reset(context: Context, name: str, entry: Entry) -> Reset:
    values = entry.body.values
    cursor = _cursor(context, values["of"])
    names = {part.name: Local(part.name, "local", part.type) for part in cursor.per}
    scope = Scope(names, no_lookups=NO_LOOKUPS)
    fetch, scope = _fetches(context, values.get("fetch"), scope)
    with context.findings.together() as block:
        commit = block.attempt(_commit, context, cursor, values.get("commit"), scope)
        given = block.attempt(_set, context, cursor, values["set"], scope)
        retry = block.attempt(check_retry, context, values.get("retry"))
    retries = text_value(values["failure"]) == "retry"
    return Reset(name, doc_of(entry), cursor.name, fetch, commit or (), given or (), retries, retry)


def _cursor(context: Context, node: YamlNode) -> Cursor:
    name = text_value(node)
    context.declared_one("cursors", name, at_start(node), "unknown-cursor", "cursor")
    found = context.cursors.get(name)
    if found is None:
        raise context.findings.silent()
    return found


def _set(context: Context, cursor: Cursor, node: YamlNode, scope: Scope) -> PartValues:
    found = part_values(context, cursor, node, scope)
    check_whole(context, cursor, node, _confirmed(context, cursor))
    return found


def _confirmed(context: Context, cursor: Cursor) -> list[str]:
    """Parts that are confirmed: the server keeps what was not, so these may go on where they are."""
    body = next(entry.body for name, entry in context.sound("cursors") if name == cursor.name)
    parts = body.values["parts"]
    assert isinstance(parts, YamlMap)
    return [key.value for key, part in parts if isinstance(part, YamlMap) and "confirm" in part.values]


# --------------------------------------------------------------------------------------------- fetch


def _fetches(context: Context, node: YamlNode | None, scope: Scope) -> tuple[tuple[Fetch, ...], Scope]:
    """The steps, and the scope in which their answers have names."""
    found: list[Fetch] = []
    failed = False
    for item in node.items if isinstance(node, YamlList) else []:
        step = context.findings.attempt(_fetch, context, item, scope)
        if step is None:
            failed = True
            assert isinstance(item, YamlMap)
            scope = scope.lose([text_value(item.values["name"])])
            continue
        found.append(step)
        scope = scope.bind(step.name, "local", fetched_type(step))
    if failed:
        raise context.findings.silent()
    return tuple(found), scope


def fetched_type(step: Fetch) -> ListOf | WireOf:
    return step.answer if step.more is None else ListOf(step.answer)


def _fetch(context: Context, item: YamlNode, scope: Scope) -> Fetch:
    assert isinstance(item, YamlMap)
    values = item.values
    name, place = text_value(values["name"]), values["name"]
    problem = snake_problem(name)
    if problem is not None:
        raise context.findings.add(place, "name", *problem)
    refuse_taken(context, at_start(place), name, scope)
    request = request_of(context, values["request"])
    answer = _answer(context, request, item)
    paged = "pages_while" in values
    inner = scope.bind(name, "local", ListOf(answer)) if paged else scope
    with context.findings.together() as block:
        ask = block.attempt(check_ask, context, values["request"], values.get("with"), inner)
        more = block.attempt(check_condition, context, values.get("pages_while"), inner)
    assert ask is not None
    return Fetch(name, ask, answer, more)


def _answer(context: Context, request: Wire, item: YamlMap) -> WireOf:
    """The answer that a step waits for."""
    node = item.values.get("answer")
    if node is not None:
        return answered_by(context, request, node)
    if len(request.answers) > 1:
        text = f"{request.name} may be answered with {names_of(request.answers)}"
        raise context.findings.add(item.values["request"], "recipe", text, "say which: add `answer:`")
    if not request.answers:
        raise context.findings.silent()
    return request.answers[0]


# -------------------------------------------------------------------------------------------- commit


def _commit(
    context: Context, cursor: Cursor, node: YamlNode | None, scope: Scope
) -> tuple[Emitted | BodyEntry, ...]:
    inner = Scope(scope.names, lost=scope.lost, is_step=True)
    items = node.items if isinstance(node, YamlList) else []
    with context.findings.together() as block:
        found = [block.attempt(_entry, context, cursor, item, inner) for item in items]
    return tuple(entry for entry in found if entry is not None)


def _entry(context: Context, cursor: Cursor, item: YamlNode, scope: Scope) -> Emitted | BodyEntry:
    assert isinstance(item, YamlMap)
    if "body" not in item.values:
        return check_entry(context, item, scope)
    for word, key in item.keys.items():
        if word not in ("body", "of", "each", "when"):
            hint = "its keys are body, each, of and when"
            raise context.findings.add(key, "unknown-key", f"`body` has no key `{word[:60]}`", hint)
    of = item.values.get("of")
    if not isinstance(of, YamlScalar):
        text = "what the body is read from is not said"
        raise context.findings.add(item.keys["body"], "missing-key", text, "add `of: STEP`")
    mods, scope = modifiers(context, item, scope)
    answer = check_node(context, of, None, scope)
    if not isinstance(answer.type, WireOf) or not answer.type.name:
        hint = "name a step; of one with pages each page: `each: STEP as page, of: page`"
        text = f"a body is read from an answer, found {show(answer.type)}"
        raise context.findings.add(of, "type", text, hint)
    body = check_body_of(context, item.values["body"], answer.type, cursor)
    return BodyEntry(body, answer.type, answer, mods.each, mods.when)
