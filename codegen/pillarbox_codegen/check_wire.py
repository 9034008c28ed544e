"""Answers, requests and containers: what goes over the wire besides updates.

Depends on: context, check_fields.  Never on: what is made of them.

Law: a request says all that it may be answered with; no two answers or containers have one code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pillarbox_codegen.check_fields import check_fields, text_value
from pillarbox_codegen.check_operations import check_codes, code_of
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.findings import where
from pillarbox_codegen.model import Field, ListOf, Wire, WireKind, WireOf
from pillarbox_codegen.type_rules import show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

#: Kind of thing -> the kind of declaration, in the order in which they are checked.
WIRES: Final[dict[WireKind, str]] = {"container": "containers", "answer": "answers", "request": "requests"}


def check_wire(context: Context) -> None:
    """Everything that goes over the wire, without what it means."""
    check_codes(context, "answers", "containers")
    check_codes(context, "requests")
    for name, entry in context.entries("answers").items():
        container = context.entries("containers").get(name)
        if container is not None:
            text = f"`{name[:60]}` is a container already ({where(container.name)})"
            hint = "a request can be answered with either, so they share their names"
            context.findings.add(entry.name, "name-taken", text, hint)
    for kind, word in WIRES.items():
        for name, entry in context.sound(word):
            wire = context.findings.attempt(_check_one, context, kind, name, entry)
            if wire is not None:
                context.protocol.wires(kind)[name] = wire


def _check_one(context: Context, kind: WireKind, name: str, entry: Entry) -> Wire:
    values = entry.body.values
    fields, reserved = check_fields(context, values.get("fields"), entry.body, updates=kind != "request")
    answers = _answers(context, values["answers"]) if kind == "request" else ()
    body = text_value(values.get("body")) or None
    gather = _gather(context, values.get("gather"), name, fields)
    return Wire(kind, name, code_of(entry), doc_of(entry), fields, reserved, answers, body, gather)


def _gather(
    context: Context, node: YamlNode | None, name: str, fields: Sequence[Field]
) -> tuple[str, int] | None:
    """The list that grows when several requests become one, and how long it may be."""
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    ((key, most),) = node
    types = {field.name: field.type for field in fields}
    if key.value not in types:
        hint = did_you_mean(key.value, types) or (f"it has {one_of(types)}" if types else "it has none")
        text = f"the request {name} has no field `{key.value[:60]}`"
        raise context.findings.add(key, "unknown-field", text, hint)
    if not isinstance(types[key.value], ListOf):
        text = f"`{key.value}` is {show(types[key.value])}, of which one request can have one alone"
        raise context.findings.add(key, "type", text, "name a field that is a list")
    return key.value, int(text_value(most))


def _answers(context: Context, node: YamlNode) -> tuple[WireOf, ...]:
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(answer_of, context, item) for item in node.items]
        for index, one in enumerate(found):
            if one is not None and one in found[:index]:
                item = node.items[index]
                block.attempt(_refuse_again, context, item)
    return tuple(one for one in found if one is not None)


def _refuse_again(context: Context, item: YamlNode) -> None:
    raise context.findings.add(item, "name-taken", f"`{text_value(item)}` is named twice", "keep one")


def answer_of(context: Context, node: YamlNode) -> WireOf:
    """The answer or container of that name. Raises Invalid."""
    name = text_value(node)
    if name in context.entries("answers"):
        return WireOf("answer", name)
    if name in context.entries("containers"):
        return WireOf("container", name)
    hint = did_you_mean(name, [*context.entries("answers"), *context.entries("containers")])
    hint = hint or "declare it in `answers:`"
    raise context.add(at_start(node), "unknown-answer", f"there is no answer `{name[:60]}`", hint)
