"""The Python text of rows of zero values: what `or: default` shows where there is no row.

Depends on: model, structs, names, hints.  Never on: views.
"""

from __future__ import annotations

from collections.abc import Mapping

from pillarbox_codegen import model
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.structs import has_default, has_defaults, row_fields, value_text


def zero_row(schema: model.Schema, imports: Imports, table: model.Table, key: Mapping[str, str]) -> str:
    """A row with this key, everything else at its default, else at zero."""
    row_class = imports.use(".types", names.row_class(table.name))
    texts = []
    for field in row_fields(table):
        if field.name in key:
            texts.append(f"{names.field(field.name)}={key[field.name]}")
        elif not (has_defaults(table) and has_default(field)):
            texts.append(f"{names.field(field.name)}={zero(schema, imports, field.type)}")
    return f"{row_class}({', '.join(texts)})"


def zero(schema: model.Schema, imports: Imports, type_: model.Type) -> str:
    """The zero value of a type."""
    match type_:
        case model.Optional():
            return "None"
        case model.ListOf() | model.MapOf():
            return "()"
        case model.Scalar(name):
            return {"bool": "False", "float64": "0.0", "text": '""', "bytes": 'b""'}.get(name, "0")
        case model.Named(name):
            definition = schema.types[name]
            if isinstance(definition, model.PatchType):
                return f"{imports.use('.types', names.type_class(name))}()"
            if isinstance(definition, model.RecordType):
                record = imports.use(".types", names.type_class(name))
                needed = [field for field in definition.fields if not has_default(field)]
                texts = [f"{names.field(field.name)}={zero(schema, imports, field.type)}" for field in needed]
                return f"{record}({', '.join(texts)})"
            if isinstance(definition, model.EnumType):
                return value_text(schema, imports, type_, min(number for _, number in definition.values))
            base = hints.base(schema, type_)
            text = base is not None and base.name == "text"
            return value_text(schema, imports, type_, "" if text else 0)
        case _:
            raise TypeError(f"{type_} has no zero")
