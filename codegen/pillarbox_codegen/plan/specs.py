"""Plans `specs.py`: for every table what the runtime knows of it.

Depends on: model, names, hints, structs, key_parts, packed, frame.  Never on: table classes, maintainers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names, reserved
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.key_parts import PartCode, part_code, width
from pillarbox_codegen.plan.packed import item_of
from pillarbox_codegen.plan.structs import is_keyword_only

#: Names that the functions here use besides those of fields.
_LOCALS = reserved.PARAMETERS | {"cell", "key"}


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
    row_lines: tuple[str, ...]
    #: The codec's name, of a table of `record` layout.
    codec: str
    key_fields: str
    key_function: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`specs.py`."""
    imports = frame.imports(".specs")
    rows = _Rows(schema, imports)
    specs = [_plan_spec(schema, imports, rows, table) for table in schema.tables.values()]
    if rows.formats:
        imports.use_all("struct", ["Struct", "error as StructError"])
    imports.use_all("typing", ["Any", "Final"])
    imports.use("pillarbox.tables", "TableSpec")
    if specs:
        imports.use("pillarbox.storage", "TableLayout")
    text = frame.module(
        doc=f"What the store knows of each table of the schema {schema.name!r}.",
        imports=imports,
        template="specs.py.j2",
        specs=specs,
        formats=sorted(rows.formats),
        records=any(spec.codec for spec in specs),
        empties=any(spec.template == "spec_empty.j2" for spec in specs),
    )
    return {"specs.py": text}


def _plan_spec(schema: model.Schema, imports: Imports, rows: _Rows, table: model.Table) -> SpecPlan:
    key_function = imports.use(".keys", names.key_function(table.name))
    key_fields = imports.use(".keys", names.key_fields_function(table.name))
    row_class = imports.use(".types", names.row_class(table.name))
    parts = ", ".join(f"row.{names.field(part.name)}" for part in table.key)
    int_key = hints.is_int_key(schema, table)
    codes = [part_code(schema, table, part) for part in table.key]
    layout = (
        f"id={table.id}, name={printing.literal(table.name)}, int_key={int_key}, "
        f"key_width={None if int_key else width(codes)}, heap={table.storage == 'heap'}"
    )
    if table.storage == "words":
        layout += ", words=True"
    cell_of, cell_call, row_of, codec = "_whole", "", "_cell", ""
    row_lines: tuple[str, ...] = ()
    if table.layout == "record":
        imports.use("pillarbox.codec", "RecordCodec")
        template, codec = "spec_record.j2", f"_{table.name.upper()}"
    else:
        row_of = names.row_function(table.name)
        row_lines = rows.lines(table, row_class, key_fields)
        if table.layout == "packed":
            template, cell_of = "spec_packed.j2", names.cell_of_function(table.name)
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
        row_lines=row_lines,
        codec=codec,
        key_fields=key_fields,
        key_function=key_function,
    )


class _Rows:
    """Plans how rows of packed and empty tables are built from `key` and `cell`: views do little else."""

    def __init__(self, schema: model.Schema, imports: Imports) -> None:
        self._schema, self._imports = schema, imports
        #: The formats of keys that are unpacked right here, without a Key in between.
        self.formats: set[str] = set()

    def lines(self, table: model.Table, row_class: str, key_fields: str) -> tuple[str, ...]:
        """The statements of `row_of`."""
        codes = [part_code(self._schema, table, part) for part in table.key]
        lines: list[str] = []
        errors: list[str] = []
        source = ""
        if hints.is_int_key(self._schema, table) and not codes[0].made:
            # It is the field's value itself.
            annotation = hints.annotation(self._schema, self._imports, table.key[0].type)
            keys = ["key" if annotation == "int" else f"{annotation}(key)"]
        elif hints.is_int_key(self._schema, table) or not all(code.format for code in codes) or not codes:
            keys = [code.local for code in codes]
            source = f"{key_fields}(key)"
        else:
            keys = [self._decoded(part, code) for part, code in zip(table.key, codes, strict=True)]
            source = self._unpacked(codes)
            errors += ["StructError", "TypeError"]  # the latter of keys that hold no bytes
            errors += ["IndexError"] if any(code.scalar == "bool" for code in codes) else []
            errors += ["ValueError"] if any(code.made for code in codes) else []
        if codes and source:
            lines.append(f"{printing.targets([code.local for code in codes])} = {source}")
        made = [_made(self._schema, self._imports, field) for field in table.fields]
        if made:
            decoded = f"packed.{names.constant(table.name)}.decode(cell)"
            lines.append(f"{printing.targets([local for local, _ in made])} = {decoded}")
        lines.append(
            f"return {row_class}({', '.join(_arguments(table, [*keys, *(text for _, text in made)]))})"
        )
        return tuple(self._guarded(table, key_fields, lines, errors))

    def _decoded(self, part: model.KeyPart, code: PartCode) -> str:
        self._imports.use_all("pillarbox.codec", code.uses)
        if not code.made:
            return code.decoded
        return hints.made(self._schema, self._imports, part.type, code.decoded)

    def _unpacked(self, codes: Sequence[PartCode]) -> str:
        format_ = "".join(code.format for code in codes)
        self.formats.add(format_)
        return f"_UNPACK_{format_}(key)"

    def _guarded(self, table: model.Table, key_fields: str, lines: list[str], errors: list[str]) -> list[str]:
        """The statements, and what they raise told as what it is: a torn key, or a value nobody knows."""
        unknown = any(_holds_enum(self._schema, field) for field in table.fields)
        if not errors and not unknown:
            return lines
        caught = sorted({*errors, "ValueError"} if unknown else errors)
        place = printing.literal(table.name)
        guarded = ["try:", *(f"    {line}" for line in lines)]
        guarded.append(f"except {caught[0] if len(caught) == 1 else '(' + ', '.join(caught) + ')'} as error:")
        if not unknown:
            self._imports.use("pillarbox.codec", "key_corrupt")
            return [*guarded, f"    raise key_corrupt({place}, key, str(error)) from None"]
        self._imports.use("pillarbox.errors", "RecordCorrupt")
        if errors:
            guarded.append(f"    {key_fields}(key)  # Raises KeyCorrupt when it was the key.")
        return [*guarded, f"    raise RecordCorrupt({place}, str(error), value=cell, key=key) from None"]


def _arguments(table: model.Table, values: Sequence[str]) -> list[str]:
    """The arguments of the row class, by name where places are not enough."""
    if not is_keyword_only(table) and not table.reserved:
        return list(values)
    fields = [*(part.name for part in table.key), *(field.name for field in table.fields)]
    return [f"{names.field(field)}={value}" for field, value in zip(fields, values, strict=True)]


def _made(schema: model.Schema, imports: Imports, field: model.Field) -> tuple[str, str]:
    """(local variable, text of the value): a packed enum is a number until it is made."""
    local = names.safe(field.name, _LOCALS)
    if not _holds_enum(schema, field):
        return local, local
    made = hints.made(schema, imports, item_of(field.type), local)
    return local, f"None if {local} is None else {made}" if isinstance(field.type, model.Optional) else made


def _holds_enum(schema: model.Schema, field: model.Field) -> bool:
    item = item_of(field.type)
    return isinstance(item, model.Named) and isinstance(schema.types[item.name], model.EnumType)
