"""The step `do`: what another operation does, as one step of this one.

Depends on: context, check_emissions, check_modifiers, step_registry.  Never on: how the
other is checked.

Law: whom an operation does is checked before it, and nothing comes back to itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pillarbox_codegen.check_emissions import check_emission
from pillarbox_codegen.check_modifiers import modifiers
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import DoStep, Modifiers, Step
from pillarbox_codegen.step_registry import STEPS
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar


def in_order(context: Context, operations: Mapping[str, Entry]) -> list[str]:
    """The operations, each behind those that it does; one that comes back to itself is left out."""
    found: dict[str, bool] = {}
    way: list[str] = []

    def add(name: str) -> None:
        way.append(name)
        sound = True
        for place in done_by(operations[name].body.values.get("steps")):
            other = place.value
            if other in way:
                text = f"`{other}` does itself" + ("" if other == name else f", by way of `{name}`")
                context.findings.add(place, "step", text, "write what is common into an operation of its own")
                sound = False
            elif other in operations and other not in found:
                add(other)
        found[way.pop()] = sound

    for name in operations:
        if name not in found:
            add(name)
    return [name for name, sound in found.items() if sound]


def done_by(node: YamlNode | None) -> Iterator[YamlScalar]:
    """Where steps name the operations that they do."""
    if isinstance(node, YamlList):
        for item in node.items:
            yield from done_by(item)
    elif isinstance(node, YamlMap):
        for key, value in node:
            if key.value == "do" and isinstance(value, YamlMap):
                yield from value.keys.values()
            else:
                yield from done_by(value)


def _do(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    given = item.values["do"]
    assert isinstance(given, YamlMap)
    mods, inner = modifiers(context, item, scope)
    if not context.in_operation:
        text = "a new box begins with steps of its own, and does no operation"
        raise context.findings.add(item.keys["do"], "step", text, "write what the operation would do")
    for name in given.values:
        if name in ("poll", "reset", "switch"):
            text = f"`{name}` cannot be done here at once"
            raise context.findings.add(given.keys[name], "outbox", text, "name an operation of the schema")
    emission = check_emission(context, given, inner)
    operation = context.operations[emission.operation]
    return DoStep(
        operation.name,
        emission.arguments,
        operation.steps,
        Modifiers(emission.each or mods.each, emission.when or mods.when),
    ), scope


STEPS["do"] = _do
