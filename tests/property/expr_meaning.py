"""What an expression means, read off the page: slow, plain, and without a line of the compiler's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from types import SimpleNamespace
from typing import Any

from msgspec import structs
from tests.property.expr_world import SCHEMA

from pillarbox_codegen import model
from pillarbox_codegen.expr_copies import ITEM


@dataclass(frozen=True)
class World:
    """Names in scope, stored rows by table and key, and the classes that values are made of."""

    names: Mapping[str, Any]
    rows: Mapping[str, Mapping[tuple[Any, ...], Any]]
    classes: SimpleNamespace = field(repr=False)


def meaning(expr: model.Expr, world: World) -> Any:
    """The value; None where it is absent."""
    match expr:
        case model.Literal_(value, type_):
            return float(value) if type_ == model.Scalar("float64") and isinstance(value, int) else value
        case model.EnumValue(name, value):
            return _named_value(name, value, world)
        case model.Constant(_, value, type_):
            return _constant(value, type_, world)
        case model.Local(name):
            return world.names[name]
        case model.Path(of, name):
            return _path(meaning(of, world), of.type, name)
        case model.Lookup(table, key):
            parts = tuple(meaning(part, world) for part in key)
            return None if None in parts else world.rows[table].get(parts)
        case model.Tuple_(items):
            return tuple(meaning(item, world) for item in items)
        case model.Unary("not", operand):
            return not meaning(operand, world)
        case model.Unary("-", operand):
            return -meaning(operand, world)
        case model.Binary(op, left, right):
            return _binary(op, left, right, world)
        case model.Is(of, "present"):
            return meaning(of, world) is not None
        case model.Is(of, "none"):
            return meaning(of, world) is None
        case model.Is(of, "case", case):
            return type(meaning(of, world)).__name__ == case
        case model.Has(of, bit):
            flags = meaning(of, world)
            return flags is not None and flags >> bit & 1 == 1
        case model.If(condition, then, otherwise):
            return meaning(then if meaning(condition, world) else otherwise, world)
        case model.Call("having" | "without" as function, (of, asked)):
            inner = [replace(world, names={**world.names, ITEM: item}) for item in meaning(of, world)]
            return tuple(one.names[ITEM] for one in inner if meaning(asked, one) == (function == "having"))
        case model.Call(function, arguments, type_, names):
            return _call(function, arguments, type_, names, world)
        case model.Scan():
            return _scan(expr, world)
        case model.Spans(rows, by, of):
            return _spans(meaning(rows, world), by, of, world)
        case model.Make(target, fields):
            return _make(target, {name: meaning(value, world) for name, value in fields}, world)
    raise TypeError(expr)


def _named_value(name: str, value: str, world: World) -> Any:
    definition = SCHEMA.types[name]
    if isinstance(definition, model.FlagsType):
        return 2 ** dict(definition.bits)[value]
    assert isinstance(definition, model.EnumType)
    return getattr(world.classes, name)(dict(definition.values)[value])


def _constant(value: Any, type_: model.Type, world: World) -> Any:
    if isinstance(type_, model.ListOf):
        return tuple(_constant(item, type_.item, world) for item in value)
    if isinstance(type_, model.Named) and isinstance(SCHEMA.types[type_.name], model.EnumType):
        return _named_value(type_.name, value, world)
    return value


def _path(value: Any, type_: model.Type, name: str) -> Any:
    if value is None:
        return None
    inner = type_.item if isinstance(type_, model.Optional) else type_
    if isinstance(inner, model.BagOf) and name in ("dot", "line"):
        return next((item for item in value if type(item).__name__ == name.capitalize()), None)
    if isinstance(inner, model.ListOf):
        found = [_path(item, inner.item, name) for item in value]
        return tuple(item for item in found if item is not None)
    if inner == model.Named("Spot"):
        number = value % 2**56
        return {"colour": value // 2**56, "n": number if number < 2**55 else number - 2**56}[name]
    if inner == model.Named("Shape"):
        return _of_shape(value, name)
    if isinstance(inner, model.SpanOf):
        return value[name]
    return getattr(value, name)


def _of_shape(value: Any, name: str) -> Any:
    """A facet, or the value where it is of the case."""
    case = type(value).__name__
    match name:
        case "size":
            return value.n if case == "Dot" else 0
        case "far":
            return value.end if case == "Line" else None
        case _:
            return value if case == name.capitalize() else None


def _scan(scan: model.Scan, world: World) -> Any:
    prefix = tuple(meaning(part, world) for part in scan.prefix)
    at = tuple(meaning(part, world) for part in scan.at)
    keys = sorted(key for key in world.rows[scan.table] if key[: len(prefix)] == prefix)
    near = [key[len(prefix) : len(prefix) + len(at)] for key in keys]
    rows = [world.rows[scan.table][key] for key in keys]
    match scan.end:
        case "all":
            return tuple(rows)
        case "floor":
            rows = [row for row, part in zip(rows, near, strict=True) if part <= at]
        case "ceiling":
            rows = [row for row, part in zip(rows, near, strict=True) if part >= at]
    if not rows:
        return None
    return rows[-1 if scan.end in ("last", "floor") else 0]


def _spans(
    rows: tuple[Any, ...], by: tuple[tuple[str, model.Expr], ...], of: model.Expr, world: World
) -> tuple[Any, ...]:
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        inner = replace(world, names={name: getattr(row, name) for name in row.__struct_fields__})
        value = meaning(of, inner)
        if value is not None:
            groups.setdefault(tuple(meaning(part, inner) for _, part in by), []).append(value)
    return tuple(
        {
            **dict(zip((name for name, _ in by), group, strict=True)),
            "least": min(found),
            "greatest": max(found),
        }
        for group, found in groups.items()
    )


def _binary(op: str, left: model.Expr, right: model.Expr, world: World) -> Any:
    one = meaning(left, world)
    if op in ("and", "or"):
        return one if one == (op == "or") else meaning(right, world)
    if op == "//":
        return meaning(right, world) if one is None else one
    other = meaning(right, world)
    if op == "in":
        return one is not None and any(item is not None and item == one for item in other)
    if op in ("+", "-") and left.type == model.Named("Marks"):
        ours, theirs = ({bit for bit in range(8) if mask >> bit & 1} for mask in (one, other))
        return sum(2**bit for bit in (ours | theirs if op == "+" else ours - theirs))
    if op == "-" and isinstance(left.type, model.ListOf):
        return tuple(item for item in one if item not in other)
    if op in ("+", "-"):
        return one + other if op == "+" else one - other
    if op == "*":
        return one * other
    if one is None or other is None:
        return False
    return {
        "==": one == other,
        "!=": one != other,
        "<": op == "<" and one < other,
        "<=": op == "<=" and one <= other,
        ">": op == ">" and one > other,
        ">=": op == ">=" and one >= other,
    }[op]


def _call(
    function: str, arguments: tuple[model.Expr, ...], type_: model.Type, names: tuple[str, ...], world: World
) -> Any:
    values = [meaning(argument, world) for argument in arguments]
    match function:
        case "min" | "max":
            return sorted(values)[0 if function == "min" else -1]
        case "bits":
            return tuple(2**bit for bit in range(64) if values[0] >> bit & 1)
        case "number":
            return values[0]
        case "div" | "mod":
            whole = floor(Fraction(values[0], values[1]))
            return whole if function == "div" else values[0] - whole * values[1]
        case "size":
            return len(values[0])
        case "first" | "last":
            return (values[0][0 if function == "first" else -1]) if values[0] else None
        case "any":
            return True in values[0]
        case "concat":
            return "".join(value if isinstance(value, str) else " ".join(value) for value in values)
        case "tokens":  # of texts that are drawn here, which hold nothing to fold
            words = "".join(letter if letter.isalnum() else " " for letter in values[0]).split()
            return tuple(dict.fromkeys(words))
        case "join":
            kept: list[Any] = []
            for item in [item for items in values for item in items]:
                if item not in kept:
                    kept.append(item)
            return tuple(kept)
        case "changed":
            return structs.replace(values[0], **dict(zip(names, values[1:], strict=True)))
        case "case":
            return values[0] if type(values[0]).__name__ == names[0] else None
        case "flags":
            assert isinstance(type_, model.Named)
            return sum(
                _named_value(type_.name, name, world) for name, on in zip(names, values, strict=True) if on
            )
    raise TypeError(function)


def _make(target: model.Type, fields: dict[str, Any], world: World) -> Any:
    match target:
        case model.Named("Spot"):
            return fields["colour"] * 2**56 + fields["n"] % 2**56
        case model.Named(name) | model.CaseOf(_, name):
            return getattr(world.classes, name)(**fields)
        case model.RowOf(name):
            return getattr(world.classes, name.capitalize())(**fields)
    raise TypeError(target)
