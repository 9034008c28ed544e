"""The `types` kind: ids, packed ids, enums, flags, records, unions.

Depends on: context, check_fields.  Never on: tables, expressions.

Law: a checked type's every value can be stored, and ends.
"""

from __future__ import annotations

from collections.abc import Callable

from pillarbox_codegen import outbox_names
from pillarbox_codegen.check_fields import (
    check_clear,
    check_field_name,
    check_fields,
    check_name,
    check_numbers,
    text_value,
)
from pillarbox_codegen.check_patches import declare_patch
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.findings import Findings
from pillarbox_codegen.model import (
    EnumType,
    Field,
    FlagsType,
    IdType,
    Named,
    PackedId,
    PackedPart,
    RecordType,
    RowOf,
    Scalar,
    Type,
    TypeDef,
    UnionCase,
    UnionType,
)
from pillarbox_codegen.names import camel_problem, snake_problem
from pillarbox_codegen.type_rules import INT_RANGES, base, show
from pillarbox_codegen.type_text import SCALARS, parse_type
from pillarbox_codegen.walk import nodes
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

PACKED_BITS_MAX = 63
#: Of the values of an enum: the decoders of records know no greater ones.
ENUM_MAX = (1 << 63) - 1


def check_types(context: Context) -> None:
    """Fill `context.types`. Those that stand alone first, so that the others can look into them."""
    entries = [(name, entry) for name, entry in context.sound("types")]
    context.case_unions = {
        key.value: name
        for name, entry in entries
        if isinstance(cases := entry.body.values.get("union"), YamlMap)
        for key, _ in cases
    }
    for words in (("id", "enum", "flags"), ("packed",), ("record", "union", "patch")):
        for name, entry in entries:
            word = next((word for word in words if word in entry.body.values), None)
            if word is not None:
                definition = context.findings.attempt(_CHECKS[word], context, name, entry)
                if definition is not None:
                    context.types[name] = definition
    context.types = {name: context.types[name] for name, _ in entries if name in context.types}


def _base(entry: Entry, default: str) -> Scalar:
    return Scalar(SCALARS[text_value(entry.body.values.get("type")) or default])


def _doc(entry: Entry) -> str:
    return text_value(entry.body.values.get("doc"))


def _check_id(context: Context, name: str, entry: Entry) -> IdType:
    return IdType(name, Scalar(SCALARS[text_value(entry.body.values["id"])]), _doc(entry))


def _check_enum(context: Context, name: str, entry: Entry) -> EnumType:
    scalar = _base(entry, "uint8")
    low, high = INT_RANGES[scalar.name]
    values = entry.body.values["enum"]
    pairs = _numbered_names(context, values, low, min(high, ENUM_MAX), scalar.name, "value")
    return EnumType(name, scalar, pairs, _doc(entry))


def _check_flags(context: Context, name: str, entry: Entry) -> FlagsType:
    scalar = _base(entry, "uint32")
    width = INT_RANGES[scalar.name][1].bit_length()
    pairs = _numbered_names(context, entry.body.values["flags"], 0, width - 1, scalar.name, "bit")
    return FlagsType(name, scalar, pairs, _doc(entry))


def _check_value_name(findings: Findings, key: YamlScalar) -> None:
    check_name(findings, key, snake_problem)
    check_clear(findings, key, key.value.upper())


def _numbered_names(
    context: Context, node: YamlNode, low: int, high: int, scalar: str, noun: str
) -> tuple[tuple[str, int], ...]:
    assert isinstance(node, YamlMap)
    pairs: list[tuple[YamlNode, str, int]] = []
    with context.findings.together() as block:
        for key, value in node:
            block.attempt(_check_value_name, context.findings, key)
            assert isinstance(value, YamlScalar)
            number = int(value.value)
            if not low <= number <= high:
                text = f"{noun} {number} does not fit {scalar}"
                hint = f"a {noun} is {low} to {high}, or choose another `type`"
                context.findings.add(value, "range", text, hint)
                block.failed = True
            pairs.append((value, key.value, number))
        block.attempt(check_numbers, context.findings, pairs, noun)
    return tuple((name, number) for _, name, number in pairs)


# ---------------------------------------------------------------------------------------- packed ids


def _check_packed(context: Context, name: str, entry: Entry) -> PackedId:
    node = entry.body.values["parts"]
    assert isinstance(node, YamlMap)
    with context.findings.together() as block:
        found = [block.attempt(_check_packed_part, context, key, value) for key, value in node]
    sound = [part for part in found if part is not None]
    bits = sum(part[2] for part in sound)
    if bits > PACKED_BITS_MAX:
        text = f"the parts have {bits} bits together, there are {PACKED_BITS_MAX}"
        raise context.findings.add(
            node, "packed-id", text, "the sign bit stays free, so that ids sort by their parts"
        )
    parts: list[PackedPart] = []
    shift = bits
    for part_name, type, width, signed in sound:
        shift -= width
        parts.append(PackedPart(part_name, type, width, shift, signed))
    return PackedId(name, tuple(parts), _doc(entry))


def _check_packed_part(context: Context, key: YamlScalar, node: YamlNode) -> tuple[str, Type, int, bool]:
    check_field_name(context.findings, key)
    assert isinstance(node, YamlMap)
    type, bits = parse_type(context, node.values["type"]), int(text_value(node.values["bits"]))
    definition = context.definition(type)
    scalar = base(type, context.types)
    if (
        scalar is None
        or isinstance(definition, PackedId)
        or (scalar.name not in INT_RANGES and scalar.name != "bool")
    ):
        text = f"{show(type)} cannot be a part of a packed id"
        raise context.findings.add(node.values["type"], "bad-type", text, "use an int, bool, enum or flags")
    least, greatest = (0, 1) if scalar.name == "bool" else INT_RANGES[scalar.name]
    signed = least < 0 and not isinstance(definition, EnumType)
    if isinstance(definition, EnumType):
        least, greatest = min(n for _, n in definition.values), max(n for _, n in definition.values)
    elif isinstance(definition, FlagsType):
        greatest = 1 << max(bit for _, bit in definition.bits)
    needed = greatest.bit_length()
    if isinstance(definition, EnumType | FlagsType) and (needed > bits or least < 0):
        text = f"the values of {show(type)} do not fit {bits} bits"
        hint = f"give it {needed}" if least >= 0 else "negative ones never fit: take an int in its place"
        raise context.findings.add(node.values["bits"], "packed-id", text, hint)
    if bits > needed + signed and not isinstance(definition, EnumType | FlagsType):
        text = f"{show(type)} never fills {bits} bits"
        raise context.findings.add(node.values["bits"], "packed-id", text, "give it fewer, or a wider type")
    return key.value, type, bits, signed


# -------------------------------------------------------------------------------- records and unions


def _check_record(context: Context, name: str, entry: Entry) -> RecordType:
    fields, reserved = check_fields(context, entry.body.values["record"], entry.body)
    return RecordType(name, fields, reserved, _doc(entry))


def _check_union(context: Context, name: str, entry: Entry) -> UnionType:
    node = entry.body.values["union"]
    assert isinstance(node, YamlMap)
    with context.findings.together() as block:
        found = [block.attempt(_check_case, context, key, value) for key, value in node]
        numbers = [
            (_case_number(value), key.value, int(text_value(_case_number(value)))) for key, value in node
        ]
        block.attempt(check_numbers, context.findings, numbers, "number")
    return UnionType(name, tuple(case for case in found if case is not None), _doc(entry))


def _case_number(node: YamlNode) -> YamlNode:
    if isinstance(node, YamlList):
        return node.items[0]
    assert isinstance(node, YamlMap)
    return node.values["number"]


def _check_case(context: Context, key: YamlScalar, node: YamlNode) -> UnionCase:
    check_name(context.findings, key, camel_problem)
    check_clear(context.findings, key, key.value)
    number = int(text_value(_case_number(node)))
    if isinstance(node, YamlList):
        fields, _ = check_fields(context, node.items[1], YamlMap(node.file, node.line, node.column))
        return UnionCase(number, key.value, fields)
    assert isinstance(node, YamlMap)
    fields, reserved = check_fields(context, node.values["record"], node)
    return UnionCase(number, key.value, fields, reserved, text_value(node.values.get("doc")))


_CHECKS: dict[str, Callable[[Context, str, Entry], TypeDef]] = {
    "id": _check_id,
    "packed": _check_packed,
    "enum": _check_enum,
    "flags": _check_flags,
    "record": _check_record,
    "union": _check_union,
    "patch": declare_patch,
}


def check_endless(context: Context) -> None:
    """Refuse types that hold themselves without an `opt`, `list`, `map` or another case between.

    Runs when types and tables are known.
    """
    ways = {name: _ways(known) for name, known in context.types.items()}
    held = {name: [[_held(field.type) for field in fields] for fields in of] for name, of in ways.items()}
    endless = set(ways)
    while ends := {name for name in endless if any(endless.isdisjoint(way) for way in held[name])}:
        endless -= ends
    told: set[str] = set()
    for start in [name for name in ways if name in endless]:
        circle = _circle(start, held, endless)
        if told.isdisjoint(circle):
            text = f"{' holds '.join(circle)}, without end"
            hint = "make one of the fields `opt<..>` or a list"
            context.findings.add(context.entries("types")[circle[0]].name, "endless-type", text, hint)
        told.update(circle)


def _ways(definition: TypeDef | None) -> tuple[tuple[Field, ...], ...]:
    """What a value may be made of: the fields of each case of a union, and those of a record."""
    match definition:
        case UnionType(cases=cases):
            return tuple(case.fields for case in cases)
        case RecordType(fields=fields):
            return (fields,)
        case _:
            return ((),)


def _circle(start: str, held: dict[str, list[list[str]]], endless: set[str]) -> tuple[str, ...]:
    """The first circle that the endless lead to from one of them: each holds another one."""
    path = [start]
    while True:
        after = next(name for way in held[path[-1]] for name in way if name in endless)
        if after in path:
            return (*path[path.index(after) :], after)
        path.append(after)


def _held(type: Type) -> str:
    return show(type) if isinstance(type, Named) else ""


def _wishes(context: Context) -> list[tuple[str, str, object]]:
    """The payload of each kind of the outbox, which is declared there; the union of them is nowhere."""
    kinds = {outbox_names.case_of(name): name for name in context.entries("outbox")}
    match context.types.get(outbox_names.PAYLOAD):
        case UnionType(cases=cases):
            return [("outbox", kinds[case.name], case.fields) for case in cases if case.name in kinds]
    return []


def check_rows_held(context: Context) -> None:
    """Refuse whole rows in what is stored; parameters, updates and the types of theirs may hold them.

    Runs when types and tables are known.
    """
    seen: set[str] = set()
    for table in context.tables.values():
        pending: list[tuple[str, str, object]] = [("tables", table.name, table.fields)]
        if table.name == outbox_names.TABLE and context.entries("outbox"):
            pending += _wishes(context)
            seen.add(outbox_names.PAYLOAD)
        while pending:
            kind, holder, fields = pending.pop()
            within = list(nodes(fields))
            for field in [node for node in within if isinstance(node, Field)]:
                if row := next((node for node in nodes(field.type) if isinstance(node, RowOf)), None):
                    text = f"`{field.name}` is stored in `{table.name}`, and cannot be or hold a {show(row)}"
                    hint = (
                        "declare a record type with the fields that are needed, or store the key of the row"
                    )
                    context.findings.add(context.entries(kind)[holder].name, "bad-type", text, hint)
            names = {node.name for node in within if isinstance(node, Named)} - seen
            seen |= names
            pending += [("types", name, _ways(context.types.get(name))) for name in sorted(names)]
