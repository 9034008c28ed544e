"""Types and fields, as checked.

Depends on: nothing.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from pillarbox_codegen.model_exprs import Expr

ScalarName: TypeAlias = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float64", "text", "bytes",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scalar:
    name: ScalarName


@dataclass(frozen=True, slots=True)
class Named:
    """A type declared under `types:`; look it up in `Schema.types`."""

    name: str


@dataclass(frozen=True, slots=True)
class RowOf:
    """The row struct of a table, sequence or cursor."""

    table: str


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Type


@dataclass(frozen=True, slots=True)
class BagOf(ListOf):
    """A list of union values, at most one of each case, in the order of the cases' numbers."""


@dataclass(frozen=True, slots=True)
class MapOf:
    """Stored as pairs sorted by key."""

    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Optional:
    item: Type


@dataclass(frozen=True, slots=True)
class CaseOf:
    """One case of a union: what `case(x, Photo)` and `make(Photo, ..)` give."""

    union: str
    case: str


@dataclass(frozen=True, slots=True)
class UpdateOf:
    """An update of this name; "": any update, which a schema writes as `update`."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class TupleOf:
    """Only in expressions: the type of `[a, b]` and of `put .. as` results' keys."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class PutResult:
    """Only in expressions: `put .. as x` gives `x.was: opt<row>` and `x.row: row`."""

    table: str


@dataclass(frozen=True, slots=True)
class SpanOf:
    """Only in expressions: what `spans` gives for each group: its parts, `least` and `greatest`."""

    by: tuple[tuple[str, Type], ...]
    of: Type


@dataclass(frozen=True, slots=True)
class ShownOf:
    """Only in expressions: what a view shows at a path: an entry of a part, a row with some of its fields,
    or a whole part that is neither a row nor a list.

    `members` are its fields; of what has none, a mapping, there is only the whole.
    """

    view: str
    path: str
    what: Literal["entry", "row", "part"]
    members: tuple[tuple[str, Type], ...]


#: What goes over the wire besides updates.
WireKind: TypeAlias = Literal["answer", "request", "container"]


@dataclass(frozen=True, slots=True)
class WireOf:
    """The answer, request or container of this name, or any. Only in expressions."""

    kind: WireKind
    name: str = ""


@dataclass(frozen=True, slots=True)
class NoneType:
    """Only in expressions: the type of the literal `none`."""


Type: TypeAlias = (
    Scalar
    | Named
    | RowOf
    | ListOf
    | MapOf
    | Optional
    | CaseOf
    | UpdateOf
    | TupleOf
    | PutResult
    | SpanOf
    | ShownOf
    | WireOf
    | NoneType
)


@dataclass(frozen=True, slots=True)
class Computed:
    """What a field of a row is, out of its other fields; `expr` none while it is not checked yet.

    `intern`: the sequence that gives the value its number, or with `many` each of its values.
    """

    expr: Expr | None
    intern: str | None = None
    many: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A numbered field of a record, a parameter list or an event."""

    number: int
    name: str
    type: Type
    doc: str = ""
    #: A literal default (int, str, bool, float, None, or () for lists and maps); see `has_default`.
    default: int | str | bool | float | tuple[()] | None = None
    has_default: bool = False
    #: The sequence that numbers this field when it is 0 at the first put.
    fill: str | None = None
    #: Only of the record of a primary table.
    computed: Computed | None = None


@dataclass(frozen=True, slots=True)
class IdType:
    name: str
    base: Scalar
    doc: str = ""


@dataclass(frozen=True, slots=True)
class PackedPart:
    name: str
    type: Type
    bits: int
    #: Distance of the part's lowest bit from the lowest bit of the id.
    shift: int
    signed: bool


@dataclass(frozen=True, slots=True)
class PackedId:
    name: str
    parts: tuple[PackedPart, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class EnumType:
    name: str
    base: Scalar
    values: tuple[tuple[str, int], ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class FlagsType:
    name: str
    base: Scalar
    bits: tuple[tuple[str, int], ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class RecordType:
    name: str
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class UnionCase:
    number: int
    name: str
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """What every value of a union answers to a name: an expression over the fields of its case.

    A case that is not in `of` answers with the zero value of the type.
    """

    name: str
    type: Type
    of: tuple[tuple[str, Expr], ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class UnionType:
    name: str
    cases: tuple[UnionCase, ...]
    doc: str = ""
    facets: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class PatchType:
    """Changes of a row or record as data; `fields` and `reserved` are those of what it changes."""

    name: str
    of: Type
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()
    doc: str = ""


TypeDef: TypeAlias = IdType | PackedId | EnumType | FlagsType | RecordType | UnionType | PatchType


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing stands in the YAML: 1-based line and column."""

    file: str
    line: int
    column: int
