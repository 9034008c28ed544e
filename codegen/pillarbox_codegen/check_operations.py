"""Events, operations, and the constants and steps of `seeds`.

Depends on: context, check_do, check_fields, check_steps, check_merges, check_folds.  Never on: updates,
views.

Law: a checked operation is a function of its parameters and the box: it names nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from pillarbox_codegen.check_do import in_order
from pillarbox_codegen.check_fields import check_fields, check_name, check_numbers, numbers_at, text_value
from pillarbox_codegen.check_folds import check_fold
from pillarbox_codegen.check_merges import check_merge
from pillarbox_codegen.check_steps import check_steps
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Event, Field, Local, Operation, Step
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar, scalar_value

#: What stands beside or instead of an operation where operations are emitted.
MODIFIERS: Final = ("each", "when", "by", "poll", "reset", "switch", "key", "hint", "cases", "other")


def check_codes(context: Context, *kinds: str) -> None:
    """Each code once within what has codes in common."""
    numbered: list[tuple[YamlNode, str, int]] = []
    for kind in kinds:
        for name, entry in context.entries(kind).items():
            numbered += numbers_at(entry.body.values.get("code"), name)
    context.findings.attempt(check_numbers, context.findings, numbered, "code")


def code_of(entry: Entry) -> int:
    return int(text_value(entry.body.values["code"]))


def param_scope(fields: Iterable[Field], no_lookups: str | None = None) -> Scope:
    """Parameters or fields by bare name."""
    return Scope({item.name: Local(item.name, "param", item.type) for item in fields}, no_lookups=no_lookups)


def check_events(context: Context) -> None:
    check_codes(context, "events")
    for name, entry in context.sound("events"):
        event = context.findings.attempt(_check_event, context, name, entry)
        if event is not None:
            context.events[name] = event


def _check_event(context: Context, name: str, entry: Entry) -> Event:
    holder = entry.body.values.get("fields")
    fields, reserved = check_fields(context, holder, entry.body)
    if isinstance(holder, YamlMap) and "event" in holder.keys:
        text = "the step `emit` names the event under `event`"
        raise context.findings.add(holder.keys["event"], "name", text, "choose another name")
    return Event(name, code_of(entry), doc_of(entry), fields, reserved)


def check_operations(context: Context) -> None:
    check_codes(context, "operations")
    declared: dict[str, Entry] = {}
    for name, entry in context.sound("operations"):
        operation = context.findings.attempt(_declare_operation, context, name, entry)
        if operation is not None:
            context.operations[name] = operation
            declared[name] = entry
    checked: list[str] = []
    context.in_operation = True
    for name in in_order(context, declared):
        operation = context.findings.attempt(_check_operation, context, name, declared[name])
        if operation is not None:
            context.operations[name] = operation
            checked.append(name)
    context.in_operation = False
    for name in checked:
        _check_fold(context, name, checked)


def _check_fold(context: Context, name: str, checked: Collection[str]) -> None:
    """After all operations: it may fold into any of them."""
    node = context.entries("operations")[name].body.values.get("folds")
    if node is not None:
        operation = context.operations[name]
        fold = context.findings.attempt(check_fold, context, node, operation, checked)
        context.operations[name] = replace(operation, fold=fold)


def _declare_operation(context: Context, name: str, entry: Entry) -> Operation:
    """Callers are checked against the parameters even where the steps are faulty."""
    values = entry.body.values
    if name in MODIFIERS:
        text = f"`{name}` is a modifier or another word wherever operations are emitted"
        raise context.findings.add(entry.name, "name", text, "choose another name")
    params, reserved = check_fields(context, values.get("params"), entry.body)
    return Operation(
        name, code_of(entry), doc_of(entry), params, None,
        text_value(values.get("idempotent")) == "true", (), reserved,
    )  # fmt: skip


def _check_operation(context: Context, name: str, entry: Entry) -> Operation:
    values = entry.body.values
    operation = context.operations[name]
    steps = check_steps(context, values["steps"], param_scope(operation.params))
    operation = replace(operation, steps=steps)
    return replace(operation, merge=check_merge(context, values.get("merge"), operation))


# -------------------------------------------------------------------------------------------- seeds


def check_constants(context: Context) -> None:
    """Constants are typed where they are used; here they are only read."""
    entry = context.entries("seeds").get("constants")
    if entry is None or not entry.sound:
        return
    for key, node in entry.body:
        if context.findings.attempt(_name_ok, context, key) is None:
            continue
        if isinstance(node, YamlList):
            values = [scalar_value(item) for item in node.items if isinstance(item, YamlScalar)]
            context.constants[key.value] = tuple(one for one in values if isinstance(one, int | str))
        elif isinstance(node, YamlScalar):
            value = scalar_value(node)
            assert isinstance(value, int | str)
            context.constants[key.value] = value


def _name_ok(context: Context, key: YamlScalar) -> bool:
    check_name(context.findings, key, snake_problem)
    return True


def check_box_seed(context: Context, steps: YamlNode | None) -> tuple[Step, ...]:
    """The steps of the transaction that creates a box."""
    return context.findings.attempt(check_steps, context, steps, Scope({})) or ()
