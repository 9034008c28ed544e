"""Plans `packed.py`: the value layout of every packed table.

Depends on: model, names, hints, structs, frame.  Never on: keys.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.structs import has_defaults
from pillarbox_codegen.printing import tuple_text


@dataclass(frozen=True, slots=True)
class PackedPlan:
    """One `Packed` constant."""

    constant: str
    table: str
    fields: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`packed.py`."""
    imports = frame.imports(".packed")
    layouts = [
        PackedPlan(
            names.constant(table.name),
            printing.literal(table.name),
            tuple_text([_field_text(schema, imports, table, field) for field in table.fields]),
        )
        for table in schema.tables.values()
        if table.layout == "packed"
    ]
    if layouts:
        imports.use("typing", "Final")
        imports.use_all("pillarbox.codec", ["Packed", "PackedField"])
    text = frame.module(
        doc=f"The values of the packed tables of the schema {schema.name!r}: a few scalars each.",
        imports=imports,
        template="packed.py.j2",
        layouts=layouts,
    )
    return {"packed.py": text}


def item_of(type_: model.Type) -> model.Type:
    """The type of a packed field's value when it is there."""
    return type_.item if isinstance(type_, model.Optional) else type_


def packed_default(
    schema: model.Schema, table: model.Table, field: model.Field
) -> int | str | bool | float | None:
    """The stored value that is left out, or None where every value is written."""
    if not has_defaults(table) or isinstance(field.type, model.Optional) or not field.has_default:
        return None
    assert not isinstance(field.default, tuple), f"{field.name}: a packed field is a scalar"
    definition = schema.types[field.type.name] if isinstance(field.type, model.Named) else None
    if isinstance(definition, model.EnumType):
        return next(number for name, number in definition.values if field.default in (name, number))
    if isinstance(definition, model.FlagsType) and isinstance(field.default, str):
        return next(1 << bit for name, bit in definition.bits if field.default == name)
    return field.default


def _field_text(schema: model.Schema, imports: Imports, table: model.Table, field: model.Field) -> str:
    scalar = hints.base(schema, item_of(field.type))
    assert scalar is not None, f"{table.name}.{field.name}: a packed field is a scalar"
    arguments = [printing.literal(field.name), printing.literal(scalar.name)]
    if isinstance(field.type, model.Optional):
        arguments.append("optional=True")
    default = packed_default(schema, table, field)
    if default is not None:
        arguments.append(f"default={printing.literal(default)}")
    members = hints.members_of(schema, item_of(field.type))
    if members is not None:
        arguments.append(f"members={imports.use('.types', members)}")
    return f"PackedField({', '.join(arguments)})"
