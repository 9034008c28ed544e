"""Plans `specs.py`: for every table what the runtime knows of it.

Depends on: model, names, structs, key_parts, packed, frame.  Never on: table classes, maintainers.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.key_parts import part_code, width
from pillarbox_codegen.plan.packed import item_of
from pillarbox_codegen.plan.structs import is_keyword_only

#: Names that the functions here use besides those of fields.
_LOCALS = names.PARAMETERS | {"cell", "key"}


@dataclass(frozen=True, slots=True)
class SpecPlan:
    """One TableSpec, and the functions between rows, keys and cells that it names."""

    #: Prints the functions.
    template: str
    table: str
    constant: str
    row_class: str
    key: str
    key_of: str
    key_call: str
    layout: str
    role: str
    cell_of: str
    cell_call: str
    row_of: str
    #: Statements of `row_of` before it returns, and what it returns.
    unpacked: tuple[str, ...]
    row: str
    #: The codec's name, of a table of `record` layout.
    codec: str
    key_fields: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`specs.py`."""
    imports = frame.imports(".specs")
    specs = [_plan_spec(schema, imports, table) for table in schema.tables.values()]
    imports.use_all("typing", ["Any", "Final"])
    imports.use("pillarbox.tables", "TableSpec")
    if specs:
        imports.use("pillarbox.storage", "TableLayout")
    text = frame.module(
        doc=f"What the store knows of each table of the schema {schema.name!r}.",
        imports=imports,
        template="specs.py.j2",
        specs=specs,
        records=any(spec.codec for spec in specs),
        empties=any(spec.template == "spec_empty.j2" for spec in specs),
    )
    return {"specs.py": text}


def _plan_spec(schema: model.Schema, imports: Imports, table: model.Table) -> SpecPlan:
    key_function = imports.use(".keys", names.key_function(table.name))
    key_fields = imports.use(".keys", names.key_fields_function(table.name))
    row_class = imports.use(".types", names.class_name(table.name))
    parts = ", ".join(f"row.{names.field(part.name)}" for part in table.key)
    int_key = names.is_int_key(schema, table)
    codes = [part_code(schema, table, part) for part in table.key]
    layout = (
        f"id={table.id}, name={printing.literal(table.name)}, int_key={int_key}, "
        f"key_width={None if int_key else width(codes)}, heap={table.storage == 'heap'}"
    )
    cell_of, cell_call, row_of, codec = "_whole", "", "_cell", ""
    unpacked: tuple[str, ...] = ()
    row = ""
    if table.layout == "record":
        imports.use("pillarbox.codec", "RecordCodec")
        template, codec = "spec_record.j2", f"_{table.name.upper()}"
    else:
        row_of = names.row_function(table.name)
        unpacked, row = _row(schema, imports, table, row_class, key_fields)
        if table.layout == "packed":
            template, cell_of = "spec_packed.j2", names.cell_of_function(table.name)
            if any(_holds_enum(schema, field) for field in table.fields):
                imports.use("pillarbox.errors", "RecordCorrupt")
                template = "spec_packed_enum.j2"
            values = ", ".join(f"row.{names.field(field.name)}" for field in table.fields)
            cell_call = f"{imports.use_module('.packed')}.{names.constant(table.name)}.encode({values})"
        else:
            template, cell_of = "spec_empty.j2", "_no_bytes"
    return SpecPlan(
        template=template,
        table=printing.literal(table.name),
        constant=names.constant(table.name),
        row_class=row_class,
        key="int" if int_key else "bytes",
        key_of=names.key_of_function(table.name),
        key_call=f"{key_function}({parts})",
        layout=f"TableLayout({layout})",
        role=printing.literal(table.role),
        cell_of=cell_of,
        cell_call=cell_call,
        row_of=row_of,
        unpacked=unpacked,
        row=row,
        codec=codec,
        key_fields=key_fields,
    )


def _row(
    schema: model.Schema, imports: Imports, table: model.Table, row_class: str, key_fields: str
) -> tuple[tuple[str, ...], str]:
    """How a row of a packed or empty table is built from `key` and `cell`."""
    decoded = f"packed.{names.constant(table.name)}.decode(cell)"
    made = [_made(schema, imports, field) for field in table.fields]
    if not is_keyword_only(table) and not table.reserved and all(text == name for name, text in made):
        values = f", *{decoded}" if table.fields else ""
        return (), f"{row_class}(*{key_fields}(key){values})"
    key_locals = [names.safe(part.name, _LOCALS) for part in table.key]
    statements = []
    if key_locals:
        statements.append(f"{printing.targets(key_locals)} = {key_fields}(key)")
    statements.append(f"{printing.targets([name for name, _ in made])} = {decoded}")
    arguments = [
        f"{names.field(part.name)}={local}" for part, local in zip(table.key, key_locals, strict=True)
    ]
    arguments += [
        f"{names.field(field.name)}={text}" for field, (_, text) in zip(table.fields, made, strict=True)
    ]
    return tuple(statements), f"{row_class}({', '.join(arguments)})"


def _made(schema: model.Schema, imports: Imports, field: model.Field) -> tuple[str, str]:
    """(local variable, text of the value): a packed enum is a number until it is made."""
    local = names.safe(field.name, _LOCALS)
    if not _holds_enum(schema, field):
        return local, local
    made = f"{names.annotation(schema, imports, item_of(field.type))}({local})"
    return local, f"None if {local} is None else {made}" if isinstance(field.type, model.Optional) else made


def _holds_enum(schema: model.Schema, field: model.Field) -> bool:
    item = item_of(field.type)
    return isinstance(item, model.Named) and isinstance(schema.types[item.name], model.EnumType)
