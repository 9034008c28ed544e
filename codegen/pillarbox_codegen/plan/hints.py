"""How values of a type stand in generated code: the type hint, and what the values are stored as.

Depends on: model, names, frame (imports).  Never on: templates.

Law: of a type, what is generated says the same wherever it stands.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports

_SCALARS: Final = {"bool": "bool", "float64": "float", "text": "str", "bytes": "bytes"}


def scalar_annotation(name: str) -> str:
    """`int32` -> `int`, `text` -> `str`, .."""
    return _SCALARS.get(name, "int")


def base(schema: model.Schema, type_: model.Type) -> model.Scalar | None:
    """The scalar a value is stored as: that of an id, enum, flags or packed id; None for anything else."""
    if isinstance(type_, model.Scalar):
        return type_
    if isinstance(type_, model.Named):
        definition = schema.types[type_.name]
        if isinstance(definition, model.PackedId):
            return model.Scalar("int64")
        if isinstance(definition, model.IdType | model.EnumType | model.FlagsType):
            return definition.base
    return None


def members_of(schema: model.Schema, type_: model.Type) -> str | None:
    """What `members` are called, of the type of an enum; None of any other."""
    if isinstance(type_, model.Named) and isinstance(schema.types[type_.name], model.EnumType):
        return names.members(type_.name)
    return None


def made(schema: model.Schema, imports: Imports, type_: model.Type, value: str) -> str:
    """The text that makes a value of this type out of what is stored for it."""
    by_number = members_of(schema, type_)
    if by_number is not None:
        # By table: to call an enum takes twenty times as long.
        return f"{imports.use('.types', by_number)}[{value}]"
    return f"{annotation(schema, imports, type_)}({value})"


def annotation(schema: model.Schema, imports: Imports, type_: model.Type) -> str:
    """The Python text of a type, with what it needs entered in `imports`.

    Flags are plain ints; lists are tuples; maps are tuples of pairs sorted by key; unions are aliases.
    """
    match type_:
        case model.Scalar(name):
            return scalar_annotation(name)
        case model.Named(name):
            if isinstance(schema.types[name], model.FlagsType):
                return "int"
            return imports.use(".types", names.type_class(name))
        case model.RowOf(table):
            return imports.use(".types", names.row_class(table))
        case model.CaseOf(_, case):
            return imports.use(".types", names.type_class(case))
        case model.ListOf(item):
            return f"tuple[{annotation(schema, imports, item)}, ...]"
        case model.MapOf(key, value):
            pair = f"{annotation(schema, imports, key)}, {annotation(schema, imports, value)}"
            return f"tuple[tuple[{pair}], ...]"
        case model.Optional(item):
            return f"{annotation(schema, imports, item)} | None"
        case model.UpdateOf(name):
            return imports.use(".updates", names.class_name(name) if name else "Update")
        case model.TupleOf(items):
            return f"tuple[{', '.join(annotation(schema, imports, item) for item in items)}]"
        case model.PutResult(table):
            row = imports.use(".types", names.row_class(table))
            return f"{imports.use('pillarbox.tables', 'Put')}[{row}]"
        case model.SpanOf(by, of):
            parts = ", ".join(annotation(schema, imports, part) for _, part in by)
            span = imports.use("pillarbox.expr", "Span")
            return f"{span}[tuple[{parts}], {annotation(schema, imports, of)}]"
        case model.ShownOf(view, path):
            raise TypeError(f"the class of {path} in {view} is one of the plan of its view")
        case model.WireOf(kind, name):
            return imports.use(f".{kind}s", names.wire_class(name) if name else kind.capitalize())
        case model.NoneType():
            return "None"


def key_annotation(schema: model.Schema, imports: Imports, table: model.Table) -> str:
    """How callers hold a key: the lone part's own type, or the Key NamedTuple."""
    if len(table.key) == 1:
        return annotation(schema, imports, table.key[0].type)
    return imports.use(".keys", names.key_class(table.name))


def is_int_key(schema: model.Schema, table: model.Table) -> bool:
    """Whether the stored key is an int: one ascending int64, id or packed part."""
    if len(table.key) != 1 or table.key[0].desc or base(schema, table.key[0].type) != model.Scalar("int64"):
        return False
    type_ = table.key[0].type
    return not (
        isinstance(type_, model.Named)
        and isinstance(schema.types[type_.name], model.EnumType | model.FlagsType)
    )
