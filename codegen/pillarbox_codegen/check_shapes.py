"""`shapes`: children that several parts hang on their rows.

Depends on: context.  Never on: how a part is checked.

Law: `with: {shape: NAME, ..}` means what the children of the shape, written there, would mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

SHAPE: Final = "shape"
_SHAPES: Final = "shapes"


def with_shape(context: Context, holder: YamlMap, around: Collection[str] = ()) -> YamlMap:
    """The children of `with`, those of its shape first. Raises Invalid after findings.

    `around` are the shapes that it stands in.
    """
    named = holder.values.get(SHAPE)
    if named is None:
        return holder
    assert isinstance(named, YamlScalar), "the shape of YAML says so"
    name = named.value
    if name in around:
        text = f"the shape `{name}` would be in itself"
        raise context.findings.add(named, "part", text, "a shape may be in shapes above it, one by one")
    entry = context.declared_one(_SHAPES, name, at_start(named), "unknown-name", "shape")
    if not entry.sound:
        raise context.findings.silent()
    of_shape = with_shape(context, entry.body, (*around, name))
    merged = YamlMap(holder.file, holder.line, holder.column, dict(of_shape.keys), dict(of_shape.values))
    for key, value in holder:
        if key.value == SHAPE:
            continue
        if key.value in merged.values:
            text = f"`{key.value}` is in the shape `{name}` already"
            raise context.findings.add(key, "name-taken", text, "choose another name")
        merged.keys[key.value] = key
        merged.values[key.value] = value
    return merged


def shape_of(holder: YamlMap) -> str | None:
    """The shape that is all there is."""
    only = SHAPE in holder.values and len(holder.values) == 1
    return text_value(holder.values[SHAPE]) if only else None


def check_unused(context: Context) -> None:
    """A shape without use was never checked."""
    bodies = [entry.body for kind in ("views", _SHAPES) for entry in context.entries(kind).values()]
    used = {name for body in bodies for name in _named_in(body)}
    for name, entry in context.sound(_SHAPES):
        if name not in used:
            hint = f"write `with: {{shape: {name}}}` where it is meant, or remove it"
            context.findings.add(entry.name, "part", f"no part uses the shape `{name}`", hint)


def _named_in(node: YamlNode) -> Iterator[str]:
    """The shapes that are named anywhere below."""
    if isinstance(node, YamlMap):
        named = node.values.get(SHAPE)
        if isinstance(named, YamlScalar):
            yield named.value
    below = (
        node.values.values()
        if isinstance(node, YamlMap)
        else node.items
        if isinstance(node, YamlList)
        else ()
    )
    for one in below:
        yield from _named_in(one)
