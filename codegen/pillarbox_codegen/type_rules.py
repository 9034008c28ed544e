"""What types are to each other: which value fits where, what two of them have in common, what a key may hold.

Depends on: model.  Never on: syntax, findings.

Law: `assignable` is reflexive, and nothing that may be absent fits where nothing may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pillarbox_codegen.model import (
    BagOf,
    CaseOf,
    EnumType,
    Field,
    FlagsType,
    IdType,
    ListOf,
    MapOf,
    Named,
    NoneType,
    Optional,
    PackedId,
    PutResult,
    RecordType,
    RowOf,
    Scalar,
    ShownOf,
    SpanOf,
    TupleOf,
    Type,
    TypeDef,
    UnionType,
    UpdateOf,
    WireOf,
)

BOOL: Final = Scalar("bool")
INT64: Final = Scalar("int64")
FLOAT64: Final = Scalar("float64")
TEXT: Final = Scalar("text")
BYTES: Final = Scalar("bytes")

#: Name of an integer type -> least and greatest value.
INT_RANGES: Final[dict[str, tuple[int, int]]] = {
    f"{sign}int{bits}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for bits in (8, 16, 32, 64)
    for sign in ("", "u")
}

Types = Mapping[str, TypeDef]


def show(type: Type) -> str:
    """The type as a schema writes it."""
    match type:
        case Scalar(name) | Named(name):
            return name
        case RowOf(table):
            return f"row<{table}>"
        case BagOf(item):
            return f"bag<{show(item)}>"
        case ListOf(item):
            return f"list<{show(item)}>"
        case MapOf(key, value):
            return f"map<{show(key)}, {show(value)}>"
        case Optional(item):
            return f"opt<{show(item)}>"
        case CaseOf(_, case):
            return case
        case UpdateOf(name):
            return name or "update"
        case TupleOf(items):
            return "[" + ", ".join(show(item) for item in items) + "]"
        case PutResult(table):
            return f"what a put into {table} gives"
        case SpanOf():
            return "a span"
        case ShownOf(view, path):
            return f"what `{view}` shows of `{path}`"
        case WireOf(kind, name):
            return f"the {kind} `{name}`" if name else kind
        case NoneType():
            return "none"


def present(type: Type) -> Type:
    """The type of the value when it is there."""
    return type.item if isinstance(type, Optional) else type


def row_of(type: Type) -> str:
    """The table of a row, or of the rows of a list."""
    one = present(type)
    one = one.item if isinstance(one, ListOf) else one
    assert isinstance(one, RowOf), "no rows"
    return one.table


def optional(type: Type) -> Type:
    return type if isinstance(type, Optional | NoneType) else Optional(type)


def plain_list(type: Type) -> Type:
    """The list that a bag is as well; any other type as it is."""
    return ListOf(type.item) if isinstance(type, BagOf) else type


def is_int(type: Type) -> bool:
    """A plain integer, not an id, an enum or flags."""
    return isinstance(type, Scalar) and type.name in INT_RANGES


def named(type: Type, types: Types) -> TypeDef | None:
    return types.get(type.name) if isinstance(type, Named) else None


def base(type: Type, types: Types) -> Scalar | None:
    """The scalar whose bytes stand for the type, or none for what is made of parts."""
    if isinstance(type, Scalar):
        return type
    match named(type, types):
        case IdType() | EnumType() | FlagsType() as definition:
            return definition.base
        case PackedId():
            return INT64
        case _:
            return None


def takes_integer(type: Type, types: Types) -> bool:
    """Whether a literal integer may stand for a value of the type."""
    scalar = base(type, types)
    return scalar is not None and scalar.name in INT_RANGES and not isinstance(named(type, types), EnumType)


def assignable(source: Type, target: Type, types: Types) -> bool:
    """Whether every value of `source` is one of `target`; integers and bags are checked when stored."""
    if source == target:
        return True
    match source, target:
        case NoneType(), Optional():
            return True
        case Optional(item), Optional(wanted):
            return assignable(item, wanted, types)
        case _, Optional(wanted):
            return assignable(source, wanted, types)
        case BagOf(), BagOf():
            return False
        case ListOf(item), ListOf(wanted):
            return item == NoneType() or assignable(item, wanted, types)
        case CaseOf(union, _), Named(name):
            return union == name
        case WireOf(kind, _), WireOf(wanted, ""):
            return kind == wanted
        case UpdateOf(), UpdateOf(wanted):
            return not wanted
        case Scalar() | Named(), Scalar():
            scalar = base(source, types)
            if is_int(target):
                return scalar is not None and scalar.name in INT_RANGES
            return target == TEXT and scalar == TEXT
        case Scalar(), Named():
            return is_int(source) and isinstance(named(target, types), FlagsType)
        case _:
            return False


def unify(one: Type, other: Type, types: Types) -> Type | None:
    """The narrowest type that both fit, or none."""
    match one, other:
        case _ if one == other:
            return one
        case (NoneType(), rest) | (rest, NoneType()):
            return optional(rest)
        case (Optional(), _) | (_, Optional()):
            inner = unify(present(one), present(other), types)
            return None if inner is None else optional(inner)
        case ListOf(item), ListOf(wanted):
            inner = unify(item, wanted, types)
            return None if inner is None else ListOf(inner)
        case CaseOf(union, _), CaseOf(same, _) if union == same:
            return Named(union)
        case UpdateOf(), UpdateOf():
            return UpdateOf()
        case _ if is_int(one) and is_int(other):
            return INT64
        case _ if assignable(one, other, types):
            return other
        case _ if assignable(other, one, types):
            return one
        case _:
            return None


def comparable(one: Type, other: Type, types: Types) -> bool:
    """Whether `==` makes sense: an id is never compared to another id, nor an enum to a number."""
    one, other = present(one), present(other)
    if one == other:
        return not isinstance(one, NoneType | PutResult | SpanOf | UpdateOf)
    if is_int(one) and is_int(other):
        return True
    if isinstance(one, ListOf) and isinstance(other, ListOf):
        return comparable(one.item, other.item, types)
    return isinstance(one, CaseOf) and other == Named(one.union)


#: What to do where values lack an order.
NO_ORDER: Final = "name what has one: a number, an id, a text, bytes or a value of an enum"


def ordered(type: Type, types: Types) -> bool:
    """Whether `<` makes sense."""
    type = present(type)
    return base(type, types) not in (None, BOOL) and not isinstance(named(type, types), FlagsType)


def changes_of(field: Field, types: Types) -> tuple[str, ...]:
    """How a patch may change the field."""
    inner = present(field.type)
    may_lack = field.has_default or isinstance(field.type, Optional | ListOf | MapOf)
    return (
        "set",
        *(("unset",) if may_lack else ()),
        *(("max", "min") if ordered(inner, types) else ()),
        *(("add",) if is_int(inner) else ()),
        *(("flags",) if isinstance(named(field.type, types), FlagsType) else ()),
    )


def fits_key(type: Type, types: Types) -> bool:
    """Whether the type may be a part of a key: ordered bytes without an end of their own or with one."""
    scalar = base(type, types)
    return scalar is not None and scalar != FLOAT64


def fits_packed(type: Type, types: Types) -> bool:
    """Whether a packed layout can hold it: fixed width, text or bytes, or one of these that may be absent."""
    return base(present(type), types) is not None


def has_zero(type: Type, types: Types) -> bool:
    """Whether there is a value that stands for nothing: a row of zero values needs one for every field."""
    match type:
        case Optional() | ListOf() | MapOf() | Scalar():
            return True
        case Named():
            match named(type, types):
                case EnumType(values=values):
                    return any(number == 0 for _, number in values)
                case RecordType(fields=fields):
                    return all(field.has_default or has_zero(field.type, types) for field in fields)
                case UnionType():
                    return False
                case _:
                    return True
        case _:
            return False
