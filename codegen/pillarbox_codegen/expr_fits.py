"""What to do where a value is of another type than its place.

Depends on: model, type_rules.  Never on: how either was found.

Law: what is proposed is of the type that is wanted, once its names stand for something.
"""

from __future__ import annotations

from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.model import (
    CaseOf,
    EnumType,
    Expr,
    FlagsType,
    IdType,
    ListOf,
    Local,
    NoneType,
    PackedId,
    RecordType,
    Type,
    UnionType,
)
from pillarbox_codegen.type_rules import (
    BOOL,
    BYTES,
    FLOAT64,
    TEXT,
    Types,
    assignable,
    base,
    is_int,
    named,
    present,
    show,
)


def shadowed_hint(found: Expr, wanted: Type, types: Types) -> str | None:
    """Of a name in scope, where the enum that is wanted, or wanted a list of, has a value called so, too."""
    item = present(wanted)
    item = present(item.item) if isinstance(item, ListOf) else item
    match found, named(item, types):
        case Local(name=name), EnumType(name=enum, values=values) if name in dict(values):
            return f"`{name}` is something else here: the value is written `{enum}.{name}`"
    return None


def fit_hint(found: Type, expected: Type, types: Types) -> str:
    """Of a value that is not of the type; what may be absent is told elsewhere."""
    wanted = present(expected)
    if isinstance(wanted, CaseOf) and named(present(found), types) == types.get(wanted.union):
        return f"take the value where it is of that case: `case(VALUE, {wanted.case})`"
    match named(wanted, types):
        case EnumType(values=values):
            return f"write a name: {one_of([name for name, _ in values[:6]])}"
        case FlagsType(bits=bits):
            return f"name the flags: `flags({bits[0][0]}: condition, ..)`"
        case UnionType(cases=cases):
            return f"make a case of it: `make({cases[0].name}, field: value)`"
        case PackedId(name=name, parts=parts):
            return f"make one: `make({name}, {', '.join(f'{part.name}: ..' for part in parts)})`"
        case RecordType(name=name, fields=fields):
            return f"make one: `make({name}, {', '.join(f'{field.name}: ..' for field in fields[:6])})`"
        case IdType(base=of) if found == of or (is_int(present(found)) and is_int(of)):
            return _declare(expected)
        case IdType(base=of):
            written = "a number" if is_int(of) else "a text, `'..'`," if of == TEXT else "something"
            return f"it is an id of {show(of)}: give {written} or what is declared as {show(wanted)}"
        case _:
            return _plain_hint(found, expected, types)


def _plain_hint(found: Type, expected: Type, types: Types) -> str:
    wanted = present(expected)
    if expected == BOOL:
        return "a condition is a comparison, `is present`, `has`, or a bool"
    if isinstance(wanted, ListOf) and assignable(present(found), wanted.item, types):
        return "write it in brackets: a list of one"
    if found == BOOL and is_int(wanted):
        return "write `if CONDITION then 1 else 0`"
    if found == NoneType():
        return f"only what is `opt<{show(wanted)}>` may be none"
    if wanted == FLOAT64:
        return "there are whole numbers in text only: give a parameter or field of the type float64"
    if wanted in (TEXT, BYTES) and base(present(found), types) not in (None, TEXT, BYTES):
        return f"nothing is written out as {show(wanted)}: store it as it is, or declare it as {show(wanted)}"
    return _declare(expected)


def _declare(expected: Type) -> str:
    """Of a value that is alike: nothing is converted."""
    return f"give the field, parameter or column it comes from the type {show(present(expected))}"
