"""Plans `types.py`: ids, enums, flags, records, unions, and the row struct of every table.

Depends on: model, names, hints, structs, frame.  Never on: keys, tables; they read this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.layout import type_text
from pillarbox_codegen.plan.structs import StructPlan, has_defaults, plan_struct, row_fields
from pillarbox_codegen.type_rules import changes_of, present


@dataclass(frozen=True, slots=True)
class IdPlan:
    """`ProjectId = NewType("ProjectId", int)`, with a comment above."""

    name: str
    base: str
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnumPlan:
    """An IntEnum, or the bits of a flags type."""

    #: What stands between `class` and the colon.
    head: str
    doc: str
    members: tuple[str, ...]
    #: The members by number, of an enum: a statement.
    by_number: str = ""


@dataclass(frozen=True, slots=True)
class PartPlan:
    """One part of a packed id, and the function that takes it out."""

    name: str
    function: str
    annotation: str
    doc: str
    #: When a value does not fit, how it is packed, and the part taken out of `value`.
    unfit: str
    field: str
    range: str
    taken: str


@dataclass(frozen=True, slots=True)
class PackedPlan:
    """The functions that put a packed id together and take it apart."""

    name: str
    function: str
    doc: str
    parameters: str
    parts: tuple[PartPlan, ...]
    packed: str
    #: What `range_error` tells a part by that is no whole number.
    place: str


@dataclass(frozen=True, slots=True)
class UnionPlan:
    """A union's alias: its cases as they are decoded, and as a type checker sees them."""

    name: str
    cases: str
    known_and_unknown: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`types.py`."""
    imports = frame.imports(".types", _classes(schema))
    ids, enums, packed, structs, unions = [], [], [], [], []
    for definition in schema.types.values():
        match definition:
            case model.IdType():
                imports.use("typing", "NewType")
                base = hints.scalar_annotation(definition.base.name)
                ids.append(_plan_id(definition.name, base, definition.doc))
            case model.PackedId():
                imports.use("typing", "NewType")
                ids.append(_plan_id(definition.name, "int", definition.doc))
                packed.append(_plan_packed(schema, imports, definition))
            case model.EnumType():
                imports.use("enum", "IntEnum")
                imports.use("typing", "Final")
                enums.append(_plan_enum(imports, definition))
            case model.FlagsType():
                imports.use("typing", "Final")
                enums.append(_plan_flags(definition))
            case model.RecordType():
                structs.append(_plan_record(schema, imports, definition))
            case model.PatchType():
                structs.append(_plan_patch(schema, imports, definition))
            case model.UnionType():
                structs += [_plan_case(schema, imports, definition, case) for case in definition.cases]
                unions.append(_plan_union(imports, definition))
    rows = [_plan_row(schema, imports, table) for table in schema.tables.values()]
    text = frame.module(
        doc=f"The types of the schema {schema.name!r}, and the row of each of its tables.",
        imports=imports,
        template="types.py.j2",
        ids=ids,
        enums=enums,
        packed=packed,
        structs=structs,
        unions=unions,
        rows=rows,
    )
    return {"types.py": text}


def _classes(schema: model.Schema) -> Iterator[str]:
    """All that the module defines."""
    for definition in schema.types.values():
        yield names.type_class(definition.name)
        if isinstance(definition, model.UnionType):
            yield from (names.type_class(case.name) for case in definition.cases)
    yield from map(names.row_class, schema.tables)


def _plan_id(name: str, base: str, doc: str) -> IdPlan:
    return IdPlan(names.type_class(name), base, tuple(printing.comment(doc, mark="#:")) if doc else ())


def _plan_enum(imports: Imports, enum: model.EnumType) -> EnumPlan:
    members = tuple(f"{names.member(value)} = {number}" for value, number in enum.values)
    doc = printing.docstring(enum.doc or f"Stored as {enum.base.name}.", 4)
    name = names.type_class(enum.name)
    by_number = f"{names.members(enum.name)}: Final = {imports.use('pillarbox.codec', 'Members')}({name})"
    return EnumPlan(f"{name}(IntEnum)", doc, members, by_number)


def _plan_flags(flags: model.FlagsType) -> EnumPlan:
    # Plain ints rather than an IntFlag, whose operators take twenty times as long and are contagious.
    members = tuple(f"{names.member(flag)}: Final = 1 << {bit}" for flag, bit in flags.bits)
    doc = f"{flags.doc}\n\n" if flags.doc else ""
    doc = printing.docstring(f"{doc}Fields of this type are plain ints; these are their bits.", 4)
    return EnumPlan(names.type_class(flags.name), doc, members)


def _plan_packed(schema: model.Schema, imports: Imports, packed: model.PackedId) -> PackedPlan:
    imports.use("pillarbox.errors", "RangeError")
    imports.use("pillarbox.codec", "range_error")
    parts = tuple(_plan_part(schema, imports, packed.name, part) for part in packed.parts)
    fields = []
    for plan, part in zip(parts, packed.parts, strict=True):
        masked = f"{plan.name} & {_hex((1 << part.bits) - 1)}" if part.signed else plan.name
        if not part.shift:
            fields.append(masked)
        else:
            fields.append(f"({masked}) << {part.shift}" if part.signed else f"{masked} << {part.shift}")
    return PackedPlan(
        name=names.type_class(packed.name),
        function=names.pack_function(packed.name),
        doc=printing.docstring(
            f"Put a `{packed.name}` together, its first part highest. Raises RangeError.", 4
        ),
        parameters=", ".join(f"{part.name}: {part.annotation}" for part in parts),
        parts=parts,
        place=", ".join(
            [
                printing.literal(packed.name),
                *(
                    f'({printing.literal(part.name)}, "int64", {plan.name})'
                    for plan, part in zip(parts, packed.parts, strict=True)
                ),
            ]
        ),
        packed=" | ".join(f"({field})" if " " in field and len(fields) > 1 else field for field in fields),
    )


def _plan_part(schema: model.Schema, imports: Imports, packed: str, part: model.PackedPart) -> PartPlan:
    annotation = hints.annotation(schema, imports, part.type)
    mask, sign = (1 << part.bits) - 1, 1 << (part.bits - 1)
    taken = f"value >> {part.shift} & {_hex(mask)}" if part.shift else f"value & {_hex(mask)}"
    if part.signed:
        taken = f"(({taken}) ^ {_hex(sign)}) - {_hex(sign)}"
    if annotation == "bool":
        taken = f"{taken} == 1"
    elif annotation != "int":
        taken = hints.made(schema, imports, part.type, taken)
    name = names.parameter(part.name)
    low, high = (-sign, sign) if part.signed else (0, mask + 1)
    unfit = f"not {'-' + _hex(-low) if low else 0} <= {name} < {_hex(high)}"
    range_ = f"an integer of {part.bits} bits ({low} .. {high - 1})"
    by_number = hints.members_of(schema, part.type)
    if by_number is not None:
        unfit, range_ = f"{name} not in {by_number}", f"a member of {annotation}"
    return PartPlan(
        name=name,
        function=names.part_function(packed, part.name),
        annotation=annotation,
        doc=printing.docstring(f"The part `{part.name}` of any `{packed}`.", 4),
        unfit=unfit,
        field=printing.literal(f"{packed}.{part.name}"),
        range=printing.literal(range_),
        taken=taken,
    )


def _hex(number: int) -> str:
    return str(number) if number < 10 else f"0x{number:X}"


def _plan_record(schema: model.Schema, imports: Imports, record: model.RecordType) -> StructPlan:
    return plan_struct(
        schema,
        imports,
        name=names.type_class(record.name),
        doc=record.doc or f"A value of type `{record.name}`.",
        fields=record.fields,
        reserved=record.reserved,
    )


def _plan_patch(schema: model.Schema, imports: Imports, patch: model.PatchType) -> StructPlan:
    """A field for each field that may change, none where it does not."""
    imports.use("msgspec", "Struct")
    lines: dict[int, str] = {}
    for number in patch.reserved:
        lines[number] = f"_reserved_{number}: {imports.use('typing', 'Any')} = None"
    for field in patch.fields:
        changes = [_change(schema, imports, field, how) for how in changes_of(field, schema.types)]
        lines[field.number] = f"{names.field(field.name)}: {' | '.join([*changes, 'None'])} = None"
    of = patch.of.table if isinstance(patch.of, model.RowOf) else type_text(patch.of)
    return StructPlan(
        names.type_class(patch.name),
        "frozen=True, array_like=True, gc=False",
        printing.docstring(patch.doc or f"Changes of `{of}`; a field that is None stays as it is.", 4),
        tuple(lines[number] for number in sorted(lines)),
    )


def _change(schema: model.Schema, imports: Imports, field: model.Field, how: str) -> str:
    name = imports.use("pillarbox.codec", f"Patch{how.capitalize()}")
    if how == "set":
        return f"{name}[{hints.annotation(schema, imports, field.type)}]"
    if how in ("max", "min"):
        return f"{name}[{hints.annotation(schema, imports, present(field.type))}]"
    return name


def _plan_case(
    schema: model.Schema, imports: Imports, union: model.UnionType, case: model.UnionCase
) -> StructPlan:
    return plan_struct(
        schema,
        imports,
        name=names.type_class(case.name),
        doc=case.doc or f"A case of `{union.name}`.",
        fields=case.fields,
        reserved=case.reserved,
        tag=case.number,
        beside=[one.fields for one in union.cases],
    )


def _plan_union(imports: Imports, union: model.UnionType) -> UnionPlan:
    imports.use("typing", "TYPE_CHECKING")
    imports.use("typing", "TypeAlias")
    unknown = imports.use("pillarbox.codec", "Unknown")
    cases = " | ".join(names.type_class(case.name) for case in union.cases)
    return UnionPlan(names.type_class(union.name), cases, f"{cases} | {unknown}")


def _plan_row(schema: model.Schema, imports: Imports, table: model.Table) -> StructPlan:
    doc = f"One row of `{table.name}`."
    if table.role == "cursor":
        doc = f"How much is applied: the cursor `{table.name}`."
    elif table.role == "sequence":
        doc = f"The next number that the sequence `{table.name}` gives."
        if schema.sequences[table.name].intern is not None:
            doc = f"The number that the sequence `{table.name}` gives a value."
    return plan_struct(
        schema,
        imports,
        name=names.row_class(table.name),
        doc=f"{doc} {table.doc}" if table.doc and len(table.doc) < 60 else f"{doc}\n\n{table.doc}",
        fields=row_fields(table),
        reserved=tuple(len(table.key) + number for number in table.reserved),
        reserved_names={len(table.key) + number: number for number in table.reserved},
        defaults=has_defaults(table),
    )
