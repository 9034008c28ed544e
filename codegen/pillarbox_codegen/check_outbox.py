"""The outbox: what is wanted done on a server, how it is told, and what follows on that.

Depends on: context, outbox_entries, check_asks, check_emissions, check_operations, touches.  Never on: views.

Law: a wish becomes a request by its payload alone, so that it is the same request each time it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pillarbox_codegen.check_asks import answered_by, check_ask
from pillarbox_codegen.check_emissions import check_entries
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import refuse_taken
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Asked,
    BagOf,
    Emission,
    Emitted,
    Field,
    IfStep,
    ListOf,
    Literal_,
    Modifiers,
    Operation,
    Retry,
    Step,
    Type,
    WireOf,
)
from pillarbox_codegen.model_outbox import Outbox, OutboxEntry
from pillarbox_codegen.outbox_entries import entries_of
from pillarbox_codegen.outbox_names import CANCEL, TABLE, TABLE_WORD, enqueue_of
from pillarbox_codegen.step_registry import STEPS, check_steps
from pillarbox_codegen.touches import touched
from pillarbox_codegen.type_rules import BOOL, TEXT, fits_key, present, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

#: So many of a kind are looked at, if it says nothing else (sync.md L-5).
LIMIT: Final = 10
NO_LOOKUPS: Final = "put what the request needs into the payload when the wish is written down"


def check_outbox(context: Context) -> Outbox | None:
    """All kinds of wishes; none where there is no outbox."""
    if TABLE_WORD not in context.entries("outbox"):
        return None
    found = [
        context.findings.attempt(_check_entry, context, name, entry)
        for name, entry in entries_of(context).items()
        if entry.sound
    ]
    return Outbox(tuple(entry for entry in found if entry is not None))


def _check_entry(context: Context, name: str, entry: Entry) -> OutboxEntry:
    operation = context.operations.get(enqueue_of(name))
    if operation is None:
        raise context.findings.silent()
    values = entry.body.values
    fields = operation.params
    scope = param_scope(fields, NO_LOOKUPS)
    with context.findings.together() as block:
        block.attempt(_check_unique, context, entry, fields)
        ask = block.attempt(check_ask, context, values["request"], values.get("with"), scope)
        answers = None if ask is None else block.attempt(_check_answers, context, values, ask, scope)
        refused = block.attempt(_check_refused, context, values.get("refused"), scope)
    assert ask is not None, "what is missing has a finding"
    errors, same = values.get("errors"), values.get("same")
    cancels = isinstance(same, YamlMap) and "cancel" in same.values
    return OutboxEntry(
        name=name,
        code=operation.code,
        doc=doc_of(entry),
        payload=fields,
        ask=ask,
        delay_ms=_number(values, "delay_ms", 0),
        limit=_number(values, "limit", LIMIT),
        containers=_containers(context, ask),
        answers=answers or (),
        refused=refused or (),
        retry_codes=tuple(errors.values) if isinstance(errors, YamlMap) else (),
        retry=_retry(values.get("retry")),
        cancels=cancels,
        met=_met(context, operation) if cancels else (),
    )


def _met(context: Context, wish: Operation) -> tuple[str, ...]:
    """Operations that may write what a wish shows; all that are no wishes, where it shows nothing."""
    own = {enqueue_of(name) for name in entries_of(context)} | {CANCEL}
    does = touched(wish, context.tables)
    shown = does.written - does.sequences - {TABLE}
    return tuple(
        name
        for name, operation in context.operations.items()
        if name not in own and (not shown or touched(operation, context.tables).written & shown)
    )


def _number(values: dict[str, YamlNode], word: str, otherwise: int) -> int:
    return int(text_value(values[word])) if word in values else otherwise


def _retry(node: YamlNode | None) -> Retry | None:
    if not isinstance(node, YamlMap):
        return None
    return Retry(int(text_value(node.values["step_ms"])), int(text_value(node.values["cap_ms"])))


# -------------------------------------------------------------------------------------- what is the same


def _wish(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    """The steps of the operation that writes a row; what the entry says of it has to fit the payload."""
    values = entries_of(context)[text_value(item.values["wish"])].body.values
    types = {name: local.type for name, local in scope.names.items()}
    with context.findings.together() as block:
        block.attempt(_check_group, context, values.get("per"), types)
        block.attempt(_check_same, context, values.get("same"), types)
    steps = check_steps(context, item.values["then"], scope)
    return IfStep(Literal_(True, BOOL), steps, (), Modifiers()), scope


def _check_group(context: Context, node: YamlNode | None, types: Mapping[str, Type]) -> None:
    """A group is told by values that are equal or not: nothing that has an order or a rounding."""
    items = [] if node is None else node.items if isinstance(node, YamlList) else [node]
    for item in items:
        first, *rest = text_value(item).split(".")
        type = types[first]
        for name in rest:
            type = context.field_type(type, name, at_start(item))
        context.definition(present(type))
        if not fits_key(present(type), context.types):
            text = f"{show(type)} does not tell which group a wish is of"
            raise context.findings.add(item, "type", text, "name an int, id, enum, text or bytes")


def _check_unique(context: Context, entry: Entry, fields: Iterable[Field]) -> None:
    node = entry.body.values.get("unique")
    name = text_value(node)
    if node is None or name == "none":
        return
    field = next((field for field in fields if field.name == name), None)
    if field is None:
        text = f"the payload has no `{name[:60]}`"
        raise context.findings.add(
            node, "unknown-field", text, "name the field that the server tells repeats by"
        )
    context.definition(present(field.type))
    if field.has_default or not fits_key(field.type, context.types):
        text = f"`{name}` may be the same in two wishes, so the server cannot tell repeats by it"
        raise context.findings.add(node, "outbox", text, "take an int, id, text or bytes without a default")
    used = entry.body.values.get("with")
    if not isinstance(used, YamlMap) or not any(_names(value, name) for value in used.values.values()):
        text = f"the request is not told `{name}`"
        raise context.findings.add(node, "outbox", text, "add it to `with:`, so that the server sees it")


def _names(node: YamlNode, name: str) -> bool:
    """Whether an expression speaks of the field, by its text."""
    if isinstance(node, YamlScalar):
        return name in node.value
    items = node.values.values() if isinstance(node, YamlMap) else node.items
    return any(_names(item, name) for item in items)


def _check_same(context: Context, node: YamlNode | None, types: Mapping[str, Type]) -> None:
    """The rules of `same` fit the fields that they name."""
    if isinstance(node, YamlScalar) and node.value not in ("append", "replace"):
        text = f"`{node.value[:60]}` does not say what becomes of two wishes of a group"
        hint = "`append`, `replace`, `{fold: {FIELD: rule}}` or `{cancel: FIELD}`"
        raise context.findings.add(node, "unknown-word", text, hint)
    if not isinstance(node, YamlMap):
        return
    if "cancel" in node.values:
        field = node.values["cancel"]
        if show(types[text_value(field)]) != "bool":
            text = f"`{text_value(field)}` is no bool, so no two wishes are opposite by it"
            raise context.findings.add(
                field, "type", text, "name the bool that the one sets and the other clears"
            )
    folds = node.values.get("fold")
    if isinstance(folds, YamlMap) and (told := text_value(node.values.get("cancel"))) in folds.values:
        text = f"`{told[:60]}` says what is wanted now, so that of an older wish is nothing to fold it with"
        raise context.findings.add(folds.keys[told], "outbox", text, "fold other fields, as what was before")
    for key, value in folds if isinstance(folds, YamlMap) else ():
        rule, type = text_value(value), types[key.value]
        is_list = isinstance(type, ListOf) and not isinstance(type, BagOf)
        if rule != "first" and (rule in ("union", "concat")) != is_list:
            text = f"`{rule}` does not fold {show(type)}"
            hint = "`union` and `concat` fold lists, `max` and `min` what has an order"
            raise context.findings.add(value, "type", text, hint)


# --------------------------------------------------------------------------------------- what follows


def _containers(context: Context, ask: Asked) -> tuple[WireOf, ...]:
    answers = context.protocol.requests[ask.request].answers
    return tuple(answer for answer in answers if answer.kind == "container")


def _check_answers(
    context: Context, values: dict[str, YamlNode], ask: Asked, scope: Scope
) -> tuple[tuple[WireOf, tuple[Emitted, ...]], ...]:
    node = values.get("answers")
    if not isinstance(node, YamlMap):
        return ()
    wire = context.protocol.requests[ask.request]
    found = []
    with context.findings.together() as block:
        for key, value in node:
            answer = block.attempt(answered_by, context, wire, key)
            if answer is None:
                continue
            refuse_taken(context, at_start(key), "answer", scope)
            node = block.attempt(_meant, context, values, key, value)
            if node is None:
                continue
            entries = block.attempt(check_entries, context, node, scope.bind("answer", "local", answer))
            if answer.kind == "container":
                block.attempt(_check_counted, context, key, value, entries or ())
            found.append((answer, entries or ()))
    return tuple(found)


def _meant(context: Context, values: dict[str, YamlNode], key: YamlScalar, node: YamlNode) -> YamlNode:
    """The entries of an answer; `local` stands for those under that word."""
    if not isinstance(node, YamlScalar):
        return node
    if "local" not in values:
        text = "nothing is done here at once that this could be"
        raise context.findings.add(node, "outbox", text, "add `local:`, or write what it counts")
    if key.value in context.entries("containers") and key.value not in context.protocol.containers:
        raise context.findings.silent()
    if context.protocol.containers.get(key.value) is None:
        text = f"`{key.value}` counts nothing, and what is `local` was done already"
        raise context.findings.add(node, "outbox", text, "write entries, or leave it out here")
    return values["local"]


def _check_counted(context: Context, key: YamlScalar, node: YamlNode, entries: Iterable[Emitted]) -> None:
    """What is handed over with a container is what its counter counts, and nothing else does it."""
    rule = context.protocol.opened.get(key.value)
    if rule is None:
        raise context.findings.silent()
    if rule.items is not None or not rule.steps:
        text = f"`{key.value}` is a container that does not only count: it goes where pushes go"
        raise context.findings.add(key, "outbox", text, "leave it out here")
    if any(not isinstance(entry, Emission) for entry in entries):
        text = "what a counter counts is operations alone"
        raise context.findings.add(node, "outbox", text, "leave out what asks for something")


def _check_refused(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Emitted, ...]:
    if node is None:
        return ()
    refuse_taken(context, at_start(node), "code", scope)
    return check_entries(context, node, scope.bind("code", "local", TEXT))


STEPS["wish"] = _wish
