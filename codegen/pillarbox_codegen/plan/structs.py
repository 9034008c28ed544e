"""Plans one msgspec struct: its options, its fields in number order, their annotations and defaults.

Depends on: model, names, hints, printing.  Never on: which module the struct stands in.

A struct is keyword-only exactly when a field without a default follows one with a default, which Python
does not allow otherwise. A field added later has a default, so a struct never becomes keyword-only by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports

_NO_NAMES: Mapping[int, int] = {}


@dataclass(frozen=True, slots=True)
class StructPlan:
    """A class of plain data."""

    name: str
    #: What stands in the brackets after `Struct`.
    options: str
    #: The docstring, quotes and all.
    doc: str
    #: One line a field, and comment lines above those that are documented.
    lines: tuple[str, ...]


def plan_struct(
    schema: model.Schema,
    imports: Imports,
    *,
    name: str,
    doc: str,
    fields: Sequence[model.Field],
    reserved: Sequence[int] = (),
    reserved_names: Mapping[int, int] = _NO_NAMES,
    tag: int | None = None,
    beside: Iterable[Sequence[model.Field]] = (),
    defaults: bool = True,
) -> StructPlan:
    """A frozen, array-like struct; without `defaults` every field must be given.


    A reserved number keeps its place in the array: rows written before it was reserved still hold a
    value there, so it is read as anything. `reserved_names` gives the number to print, where the place
    is another. `beside` are the fields of all structs that are told apart by `tag`.
    """
    imports.use("msgspec", "Struct")
    lines: list[str] = []
    slots = _slots(fields, reserved)
    for number, field in slots:
        if field is None:
            shown = reserved_names.get(number, number)
            lines.append(f"_reserved_{shown}: {imports.use('typing', 'Any')} = None")
            continue
        if field.doc:
            lines += [line.strip() for line in printing.comment(field.doc, 4, mark="#:")]
        default = default_text(schema, imports, field) if defaults else None
        end = "" if default is None else f" = {default}"
        lines.append(f"{names.field(field.name)}: {hints.annotation(schema, imports, field.type)}{end}")
    options = "frozen=True, array_like=True, gc=False"
    if tag is not None:
        options += f", tag={tag}"
    if _hides_tag(beside):
        options += ', tag_field="_type"'
    if defaults and _is_keyword_only(slots):
        options += ", kw_only=True"
    return StructPlan(name, options, printing.docstring(doc, 4), tuple(lines))


def _hides_tag(structs: Iterable[Sequence[model.Field]]) -> bool:
    """Whether one has a field of the tag's name, which is the same for all and stands in no array."""
    return any(field.name == "type" for fields in structs for field in fields)


def row_fields(table: model.Table) -> tuple[model.Field, ...]:
    """The fields of a table's row struct: the key's first, then the record's behind them."""
    key = [
        model.Field(number, part.name, part.type, part.doc, fill=part.fill)
        for number, part in enumerate(table.key, start=1)
    ]
    return (*key, *(replace(field, number=len(key) + field.number) for field in table.fields))


def has_defaults(table: model.Table) -> bool:
    """Whether fields of its row struct may be left out; rows that only the store makes are always whole."""
    return table.role in ("primary", "cursor") or (table.role == "kept" and table.layout == "record")


def is_keyword_only(table: model.Table) -> bool:
    """Whether the row struct of a table takes its fields by name only."""
    reserved = [len(table.key) + number for number in table.reserved]
    return has_defaults(table) and _is_keyword_only(_slots(row_fields(table), reserved))


def _slots(fields: Sequence[model.Field], reserved: Sequence[int]) -> list[tuple[int, model.Field | None]]:
    """The places of the array: a field, or None where a number is reserved."""
    by_number: dict[int, model.Field | None] = dict.fromkeys(reserved)
    by_number.update((field.number, field) for field in fields)
    return sorted(by_number.items(), key=lambda slot: slot[0])


def _is_keyword_only(slots: Sequence[tuple[int, model.Field | None]]) -> bool:
    optional = [field is None or has_default(field) for _, field in slots]
    return True in optional and False in optional[optional.index(True) :]


def has_default(field: model.Field) -> bool:
    """Whether a struct field may be left out."""
    filled = field.fill is not None or field.computed is not None
    return field.has_default or filled or _is_empty_by_default(field)


def _is_empty_by_default(field: model.Field) -> bool:
    return isinstance(field.type, model.Optional | model.ListOf | model.MapOf)


def default_text(schema: model.Schema, imports: Imports, field: model.Field) -> str | None:
    """The Python text of a field's default, or None where it has none."""
    if not has_default(field):
        return None
    if field.has_default and field.default is not None and field.default != ():
        return value_text(schema, imports, field.type, field.default)
    if isinstance(field.type, model.Optional):
        return "None"
    if isinstance(field.type, model.ListOf | model.MapOf):
        return "()"
    return value_text(schema, imports, field.type, _empty(schema, field.type))


def _empty(schema: model.Schema, type_: model.Type) -> int | str | bool:
    """What stands for a scalar that is yet to be filled; bytes are told from their type."""
    base = hints.base(schema, type_)
    if base == model.Scalar("bool"):
        return False
    return "" if base == model.Scalar("text") else 0


def value_text(
    schema: model.Schema,
    imports: Imports,
    type_: model.Type,
    value: int | str | bool | float | tuple[()] | None,
) -> str:
    """The Python text of a plain value of a type; enum values and flags may come by name or number."""
    if isinstance(type_, model.Optional) and value is not None:
        return value_text(schema, imports, type_.item, value)
    if isinstance(type_, model.Scalar) and type_.name == "float64" and isinstance(value, int | float):
        return printing.literal(float(value))
    if type_ == model.Scalar("bytes") and value == 0:
        return 'b""'
    definition = schema.types[type_.name] if isinstance(type_, model.Named) else None
    match definition:
        case model.EnumType(name, _, values):
            found = next((member for member, number in values if value in (member, number)), None)
            owner = imports.use(".types", names.type_class(name))
            return f"{owner}({value})" if found is None else f"{owner}.{names.member(found)}"
        case model.FlagsType(_, _, bits):
            numbers = {flag: 1 << bit for flag, bit in bits}
            return str(numbers[value] if isinstance(value, str) else value)
        case model.IdType(name) | model.PackedId(name):
            return f"{imports.use('.types', names.type_class(name))}({printing.literal(value)})"
        case _:
            return printing.literal(value)
