"""Numbered fields, key parts, defaults and permanent numbers: what types, tables and operations share.

Depends on: context, type_text, names.  Never on: what the fields belong to.

Law: the numbers of fields and `reserved` together are 1..n, each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.findings import Findings, where
from pillarbox_codegen.model import (
    Computed,
    EnumType,
    Field,
    FlagsType,
    KeyPart,
    ListOf,
    MapOf,
    Named,
    Optional,
    Type,
)
from pillarbox_codegen.names import AMBIGUOUS, snake_problem
from pillarbox_codegen.type_rules import INT_RANGES, base, fits_key, named, present, show
from pillarbox_codegen.type_text import parse_type
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar, scalar_value

TypeParser: TypeAlias = Callable[[Context, YamlNode], Type]
Default: TypeAlias = int | str | bool | float | tuple[()] | None

#: A `fill` of one word names a sequence; everything else is an expression.
_WORD: Final = re.compile(r"[a-z][a-z0-9_]*")

#: How a literal is written, where what stands there is none.
_HINTS_OF_LITERALS: Final = {
    "text": "put it into quotes",
    "bool": "write `true` or `false`",
    # No other spelling is read as a number, so a default is finite: NaN, which no row equals, cannot be one.
    **dict.fromkeys(INT_RANGES, "write it in decimal digits, without quotes"),
    "float64": "write it in digits with a point, such as 0.5; it cannot be infinite, nor NaN",
}
_NO_LITERAL: Final = "leave `default` out: values of the type cannot be written there"


def check_name(findings: Findings, key: YamlScalar, problem: Callable[[str], tuple[str, str] | None]) -> None:
    """A finding when the name cannot be one. Raises Invalid then."""
    found = problem(key.value)
    if found is not None:
        raise findings.add(key, "name", *found)


def check_clear(findings: Findings, key: YamlScalar, printed: str) -> None:
    """A finding when the generated code would be hard to read. Raises Invalid then."""
    if printed in AMBIGUOUS:
        text = f"the generated code would call it `{printed}`, which reads like a digit"
        raise findings.add(key, "ambiguous", text, "choose another name")


def check_field_name(findings: Findings, key: YamlScalar) -> None:
    """A finding when a field, parameter, column or part cannot have the name. Raises Invalid then."""
    check_name(findings, key, snake_problem)
    check_clear(findings, key, key.value)


def check_numbers(findings: Findings, numbered: Iterable[tuple[YamlNode, str, int]], noun: str) -> None:
    """Each number once; `numbered` gives the place to blame, a name, and the number."""
    first: dict[int, tuple[YamlNode, str]] = {}
    failed = None
    for node, name, number in numbered:
        if number in first:
            other, other_name = first[number]
            text = f"{noun} {number} of `{name}` is that of `{other_name}` ({where(other)})"
            failed = findings.add(
                node, "number-taken", text, "numbers are permanent: give the newer one a new number"
            )
        else:
            first[number] = node, name
    if failed is not None:
        raise failed


def numbers_at(node: YamlNode | None, name: str) -> list[tuple[YamlNode, str, int]]:
    """The permanent number of a name, for `check_numbers`; nothing where no whole number stands."""
    if not isinstance(node, YamlScalar):
        return []
    number = scalar_value(node)
    return [(node, name, number)] if isinstance(number, int) and not isinstance(number, bool) else []


def reserved_numbers(body: YamlMap) -> dict[int, YamlScalar]:
    """Number -> where it is reserved."""
    node = body.values.get("reserved")
    items = node.items if isinstance(node, YamlList) else []
    return {int(item.value): item for item in items if isinstance(item, YamlScalar)}


def refuse_reserved(findings: Findings, node: YamlNode, name: str, reserved: YamlScalar) -> None:
    """A finding for a number that is reserved elsewhere. Raises Invalid."""
    text = f"number {reserved.value} of `{name}` is reserved ({where(reserved)})"
    raise findings.add(node, "number-taken", text, "reserved numbers are never given again")


@dataclass(frozen=True, slots=True)
class _Numbered:
    node: YamlNode
    name: str
    number: int


def check_fields(
    context: Context, node: YamlNode | None, owner: YamlMap, *, fills: bool = False, updates: bool = False
) -> tuple[tuple[Field, ...], tuple[int, ...]]:
    """The fields below `node` in number order, and the numbers `owner` reserves. Raises Invalid.

    With `updates` a field may hold updates.
    """
    reserved = reserved_numbers(owner)
    if node is None:
        return (), tuple(sorted(reserved))
    assert isinstance(node, YamlMap)
    with context.findings.together() as block:
        found = [block.attempt(_check_field, context, key, value, fills, updates) for key, value in node]
        fields = [field for field in found if field is not None]
        numbered = [_Numbered(_number_node(value), key.value, _number(value)) for key, value in node]
        block.attempt(_check_contiguous, context.findings, numbered, reserved)
    return tuple(sorted(fields, key=lambda field: field.number)), tuple(sorted(reserved))


def _number_node(node: YamlNode) -> YamlNode:
    return node.items[0] if isinstance(node, YamlList) else _map(node).values["number"]


def _number(node: YamlNode) -> int:
    number = _number_node(node)
    assert isinstance(number, YamlScalar)
    return int(number.value)


def _map(node: YamlNode) -> YamlMap:
    assert isinstance(node, YamlMap)
    return node


def _check_contiguous(findings: Findings, fields: list[_Numbered], reserved: dict[int, YamlScalar]) -> None:
    with findings.together() as block:
        for field in fields:
            if field.number in reserved:
                block.attempt(refuse_reserved, findings, field.node, field.name, reserved[field.number])
        block.attempt(check_numbers, findings, [(f.node, f.name, f.number) for f in fields], "number")
        taken = {field.number for field in fields} | set(reserved)
        gaps = sorted(set(range(1, len(taken) + 1)) - taken)
        if gaps and not block.failed:
            after = min(
                (field for field in fields if field.number > gaps[0]), key=lambda f: f.number, default=None
            )
            place = after.node if after is not None else reserved[min(n for n in reserved if n > gaps[0])]
            text = f"number {gaps[0]} is neither used nor reserved"
            raise findings.add(
                place, "number-gap", text, "use it, or list it in `reserved` beside the fields"
            )


def _check_field(context: Context, key: YamlScalar, node: YamlNode, fills: bool, updates: bool) -> Field:
    check_field_name(context.findings, key)
    if isinstance(node, YamlList):
        type = check_stored_type(context, node.items[1], updates=updates)
        default, has_default = implied_default(type)
        return Field(_number(node), key.value, type, "", default, has_default)
    body = _map(node).values
    type = check_stored_type(context, body["type"], updates=updates)
    default, has_default = implied_default(type)
    if "default" in body:
        default, has_default = check_default(context, body["default"], type), True
    fill = None
    if "fill" in body:
        if not fills:
            text = "only fields of tables are numbered by a sequence"
            at = node.keys["fill"] if isinstance(node, YamlMap) else node
            raise context.findings.add(at, "fill", text, "leave `fill` out, or make it a field of a table")
        fill = text_value(body["fill"])
        if not _WORD.fullmatch(fill):
            return Field(
                _number(node), key.value, type, text_value(body.get("doc")), default, has_default,
                computed=Computed(None),
            )  # fmt: skip
    return Field(_number(node), key.value, type, text_value(body.get("doc")), default, has_default, fill)


def text_value(node: YamlNode | None) -> str:
    """The text of a scalar, without space around it; empty where there is none."""
    return " ".join(node.value.split()) if isinstance(node, YamlScalar) else ""


def truth(findings: Findings, node: YamlNode | None) -> bool:
    """Whether `true` stands there, where the grammar of shapes does not look. Raises Invalid."""
    if node is None:
        return False
    value = scalar_value(node) if isinstance(node, YamlScalar) else None
    if not isinstance(value, bool):
        hint = "write `true` or `false`, without quotes"
        raise findings.add(node, "wrong-shape", "expected `true` or `false`", hint)
    return value


def check_stored_type(context: Context, node: YamlNode, *, updates: bool = False) -> Type:
    """A type that a record can hold: the keys of its maps are ints, ids, enums, text or bytes."""
    type = parse_type(context, node, updates=updates)
    _check_map_keys(context, type, node)
    return type


def _check_map_keys(context: Context, type: Type, node: YamlNode) -> None:
    match type:
        case MapOf(key, value):
            allowed = base(key, context.types)
            known = not isinstance(key, Named) or key.name in context.types
            flags = isinstance(named(key, context.types), FlagsType)
            if known and (allowed is None or flags or allowed.name in ("bool", "float64")):
                text = f"{show(key)} cannot be the key of a map"
                raise context.findings.add(node, "bad-type", text, "use an int, id, enum, text or bytes")
            _check_map_keys(context, value, node)
        case ListOf(item) | Optional(item):
            _check_map_keys(context, item, node)
        case _:
            pass


# ----------------------------------------------------------------------------------------- defaults


def implied_default(type: Type) -> tuple[Default, bool]:
    match type:
        case Optional():
            return None, True
        case ListOf() | MapOf():
            return (), True
        case _:
            return None, False


def check_default(context: Context, node: YamlNode, type: Type) -> Default:
    """The literal a `default:` gives: an enum's value by name, flags as their number. Raises Invalid."""
    if isinstance(type, ListOf | MapOf):
        if isinstance(node, YamlList | YamlMap) and not list(
            node.items if isinstance(node, YamlList) else node
        ):
            return ()
        raise context.findings.add(
            node, "default", f"the default of {show(type)} can only be empty", "write []"
        )
    if isinstance(node, YamlList) and isinstance(context.definition(present(type)), FlagsType):
        return _flags_default(context, node.items, type)
    if not isinstance(node, YamlScalar):
        text = f"{show(type)} has no literal of that kind"
        raise context.findings.add(node, "default", text, _HINTS_OF_LITERALS.get(show(type), _NO_LITERAL))
    if isinstance(type, Optional) and node.style is None and node.value in ("none", "null", ""):
        return None
    return _scalar_default(context, node, present(type))


def _scalar_default(context: Context, node: YamlScalar, type: Type) -> Default:
    value = scalar_value(node)
    match context.definition(type):
        case EnumType(values=values):
            if value not in dict(values):
                names = one_of([name for name, _ in values[:8]])
                raise context.findings.add(
                    node, "default", f"`{node.value[:60]}` is no value of {show(type)}", names
                )
            return node.value
        case FlagsType() if isinstance(value, str):
            return _flags_default(context, [node], type)
        case _:
            pass
    scalar = base(type, context.types)
    name = scalar.name if scalar is not None else ""
    if name == "bool" and isinstance(value, bool):
        return value
    if name == "text" and isinstance(value, str):
        return value
    if name == "float64" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if name in INT_RANGES and isinstance(value, int) and not isinstance(value, bool):
        low, high = INT_RANGES[name]
        if not low <= value <= high:
            raise context.findings.add(
                node, "range", f"{value} does not fit {show(type)}", f"it holds {low} to {high}"
            )
        return value
    raise context.findings.add(
        node,
        "default",
        f"`{node.value[:60]}` is no {show(type)}",
        _HINTS_OF_LITERALS.get(name, _NO_LITERAL),
    )


def _flags_default(context: Context, nodes: list[YamlNode], type: Type) -> int:
    definition = context.definition(present(type))
    assert isinstance(definition, FlagsType)
    bits, mask = dict(definition.bits), 0
    for node in nodes:
        name = text_value(node)
        if name not in bits:
            names = one_of(list(bits)[:8])
            raise context.findings.add(node, "default", f"{definition.name} has no flag `{name[:60]}`", names)
        mask |= 1 << bits[name]
    return mask


# ---------------------------------------------------------------------------------------- key parts


def check_key_parts(context: Context, node: YamlNode | None, *, fills: bool = False) -> tuple[KeyPart, ...]:
    """The parts of a key, in order. Raises Invalid after findings."""
    if node is None:
        return ()
    with context.findings.together() as block:
        found = [block.attempt(_check_key_part, context, key, value, fills) for key, value in _map(node)]
    return tuple(part for part in found if part is not None)


def _check_key_part(context: Context, key: YamlScalar, node: YamlNode, fills: bool) -> KeyPart:
    check_field_name(context.findings, key)
    body = node.values if isinstance(node, YamlMap) else {"type": node}
    type = parse_type(context, body["type"])
    check_key_type(context, type, body["type"])
    for word in ("fill", "desc"):
        if word in body and not fills:
            code = "fill" if word == "fill" else "unknown-key"
            text, hint = f"`{word}` means nothing here", "it is for the keys of tables"
            raise context.findings.add(_map(node).keys[word], code, text, hint)
    desc = body.get("desc")
    return KeyPart(
        key.value, type, isinstance(desc, YamlScalar) and desc.value == "true",
        text_value(body["fill"]) if "fill" in body else None, text_value(body.get("doc")),
    )  # fmt: skip


def check_key_type(context: Context, type: Type, node: YamlNode) -> None:
    """Only what has ordered bytes can be a part of a key. Raises Invalid."""
    context.definition(type)
    if fits_key(type, context.types):
        return
    hint = "use an int, bool, enum, flags, id, text or bytes"
    if isinstance(type, Optional):
        hint = "a part is never absent: leave such rows out with `when`, or give it a value with `//`"
    raise context.findings.add(node, "bad-type", f"{show(type)} cannot be a part of a key", hint)


def check_plain_fields(context: Context, node: YamlNode | None, parse: TypeParser) -> tuple[Field, ...]:
    """Typed names without numbers of their own (view keys, columns), numbered in order."""
    if node is None:
        return ()
    with context.findings.together() as block:
        found = [
            block.attempt(_check_plain, context, key, value, number, parse)
            for number, (key, value) in enumerate(_map(node), 1)
        ]
    return tuple(field for field in found if field is not None)


def _check_plain(context: Context, key: YamlScalar, node: YamlNode, number: int, parse: TypeParser) -> Field:
    check_field_name(context.findings, key)
    body = node.values if isinstance(node, YamlMap) else {"type": node}
    type = parse(context, body["type"])
    has_default = "default" in body
    default = check_default(context, body["default"], type) if has_default else None
    return Field(number, key.value, type, text_value(body.get("doc")), default, has_default)
