"""The word `marker`: positions in a stream, and the server's count above one of them.

Depends on: context, check_items, check_holes.  Never on: other words, steps.

Law: a group and a position are together the key of the table that the marker is over; a row of the marker has
the group, a field for each part of a mark, the count, what is known and the flag, all by different names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pillarbox_codegen.check_fields import check_field_name, text_value
from pillarbox_codegen.check_holes import check_holes, group_scope, names_of
from pillarbox_codegen.check_items import Derived, source_table
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import check_condition
from pillarbox_codegen.model import EnumType, Field, Holes, KeyPart, Marker, Table, Type
from pillarbox_codegen.type_rules import BOOL, INT64, INT_RANGES, base, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar


def check_marker(context: Context, body: YamlMap) -> Derived:
    over = source_table(context, body.values["over"])
    group = _key_names(context, body.values["group"], over, 0)
    by = _key_names(context, body.values["by"], over, len(group))
    if len(group) + len(by) != len(over.key):
        rest = over.key[len(group) + len(by)].name
        text = f"rows of {over.name} lie by `{rest}` as well"
        hint = "group and position are together the whole key; follow an index with a shorter one"
        raise context.findings.add(body.values["by"], "marker-key", text, hint)
    key = tuple(KeyPart(part.name, part.type, part.desc) for part in over.key[: len(group)])
    places = over.key[len(group) :]
    _check_positions(context, body.values["by"], places)
    scope = group_scope(key)
    with context.findings.together() as block:
        when = block.attempt(check_condition, context, body.values.get("when"), scope)
        default = block.attempt(check_condition, context, body.values.get("default"), scope)
        counts = block.attempt(check_condition, context, body.values.get("counts"), row_scope(over))
        holes = block.attempt(_holes, context, body, key, by)
        names = block.attempt(_names, context, body)
    assert names is not None
    marks, counted, count, known, flag = names
    # An enum is stored as its number: a mark at zero stands at none of its values, perhaps.
    stored = [replace(part, type=_stored(context, part.type)) for part in places]
    fields = _fields(marks, stored, count, known, flag)
    _check_distinct(context, body, key, fields)
    _check_settable(context, body, (*marks, count, *(name for name in (known, flag) if name is not None)))
    rule = Marker(
        over.name, group, when, by, counts, marks, counted, count, known, flag, holes, default,
        text_value(body.values["stale"]),
    )  # fmt: skip
    return Derived(rule, key, fields)


def mark_fields(mark: str, by: Sequence[str]) -> tuple[str, ...]:
    """The fields of a position: the mark itself, or one for each part."""
    return (mark,) if len(by) == 1 else tuple(f"{mark}_{part}" for part in by)


def _key_names(context: Context, node: YamlNode, over: Table, start: int) -> tuple[str, ...]:
    names = names_of(node)
    parts = [part.name for part in over.key[start:]]
    for item, part in zip(names, [*parts, *[None] * len(names)], strict=False):
        if item.value != part:
            text = f"the key of {over.name} does not go on with `{item.value[:60]}` here"
            hint = f"its parts are {', '.join(part.name for part in over.key)}, in this order"
            raise context.findings.add(item, "marker-key", text, hint)
    return tuple(item.value for item in names)


def _check_positions(context: Context, node: YamlNode, places: Sequence[KeyPart]) -> None:
    for item, part in zip(names_of(node), places, strict=True):
        scalar = base(part.type, context.types)
        if part.desc or scalar is None or scalar.name not in INT_RANGES:
            what = "descends" if part.desc else f"is {show(part.type)}"
            text = f"positions are rising numbers, `{part.name}` {what}"
            hint = "use an int, an enum, or an id that is a number"
            raise context.findings.add(item, "marker-key", text, hint)


def _holes(context: Context, body: YamlMap, key: Sequence[KeyPart], by: Sequence[str]) -> Holes | None:
    node = body.values.get("holes")
    if node is None:
        return None
    holes = check_holes(context, node, key, whole=True)
    missing = [name for name in holes.over if name not in by]
    if missing:
        text = f"`{holes.table}` is over `{missing[0]}`, which is no part of a position"
        raise context.findings.add(node, "holes", text, f"a position has {', '.join(by)}")
    return replace(holes, parts=tuple(by.index(name) for name in holes.over))


def _stored(context: Context, type: Type) -> Type:
    definition = context.definition(type)
    return definition.base if isinstance(definition, EnumType) else type


def _names(context: Context, body: YamlMap) -> tuple[tuple[str, ...], str, str, str | None, str | None]:
    marks = names_of(body.values["marks"])
    held = body.values["base"]
    assert isinstance(held, YamlMap)
    flag = body.values.get("flag")
    with context.findings.together() as block:
        for node in (*marks, *held.values.values(), *([] if flag is None else [flag])):
            assert isinstance(node, YamlScalar)
            block.attempt(check_field_name, context.findings, node)
    counted = body.values["counted"]
    known = [item.value for item in marks]
    if text_value(counted) not in known:
        hint = did_you_mean(text_value(counted), known) or f"the marks are {one_of(known)}"
        text = f"there is no mark `{text_value(counted)[:60]}`"
        raise context.findings.add(counted, "unknown-field", text, hint)
    base_known = held.values.get("known")
    return (
        tuple(known), text_value(counted), text_value(held.values["count"]),
        None if base_known is None else text_value(base_known), None if flag is None else text_value(flag),
    )  # fmt: skip


def _fields(
    marks: Sequence[str], places: Sequence[KeyPart], count: str, known: str | None, flag: str | None
) -> tuple[Field, ...]:
    by = [part.name for part in places]
    named = [
        (name, part.type) for mark in marks for name, part in zip(mark_fields(mark, by), places, strict=True)
    ]
    named.append((count, INT64))
    if known is not None:
        named += [(name, part.type) for name, part in zip(mark_fields(known, by), places, strict=True)]
    if flag is not None:
        named.append((flag, BOOL))
    return tuple(Field(number, name, type) for number, (name, type) in enumerate(named, 1))


def _check_distinct(context: Context, body: YamlMap, key: Sequence[KeyPart], fields: Sequence[Field]) -> None:
    seen: set[str] = set()
    for name in (*(part.name for part in key), *(field.name for field in fields)):
        if name in seen:
            text = f"a row of the marker has two parts called `{name}`"
            raise context.findings.add(body.values["marks"], "name-taken", text, "rename one of the two")
        seen.add(name)


def _check_settable(context: Context, body: YamlMap, names: Sequence[str]) -> None:
    """What steps set has names of its own: of a position of several parts no field is called as the mark."""
    for at, name in enumerate(names):
        if name in names[:at]:
            text = f"steps would set two things of the marker called `{name}`"
            raise context.findings.add(body.values["base"], "name-taken", text, "rename one of the two")
